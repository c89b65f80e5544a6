# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_WARNINGS - the C dialect, warnings, and --enable-werror.
#
# -ffp-contract=off: a fused multiply-add rounds once where the source says
# twice, so ratios, and with them ties, would differ between machines.
# Sets: SB_CFLAGS

AC_DEFUN([SB_WARNINGS], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror],
			[make compiler warnings errors, for CI])],
		[], [enable_werror=no])
	SB_CFLAGS="-std=gnu11 -ffp-contract=off -Wall -Wextra"
	AS_IF([test "x$enable_werror" != xno],
		[SB_CFLAGS="$SB_CFLAGS -Werror"])
	AC_SUBST([SB_CFLAGS])
])
