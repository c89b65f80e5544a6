# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SANITIZERS - --enable-sanitizers[=LIST] for core and tests.
#
# Plugins are left out of such a build: slurmctld is not linked with the
# sanitizer's runtime and would refuse them.
# Sets: enable_sanitizers, SB_CFLAGS

AC_DEFUN([SB_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
		[AS_HELP_STRING([--enable-sanitizers@<:@=LIST@:>@],
			[build core and tests with these sanitizers
			 (address,undefined); no plugins])],
		[], [enable_sanitizers=no])
	AS_IF([test "x$enable_sanitizers" = xyes],
		[enable_sanitizers=address,undefined])
	AS_IF([test "x$enable_sanitizers" != xno], [
		sb_flags="-fsanitize=$enable_sanitizers"
		sb_flags="$sb_flags -fno-sanitize-recover=all"
		sb_flags="$sb_flags -fno-omit-frame-pointer"
		AC_MSG_CHECKING([whether $CC accepts $sb_flags])
		sb_saved_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS $sb_flags"
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
			[AC_MSG_RESULT([yes])],
			[AC_MSG_RESULT([no])
			 AC_MSG_ERROR([--enable-sanitizers: $CC cannot link with $sb_flags])])
		CFLAGS=$sb_saved_CFLAGS
		SB_CFLAGS="$SB_CFLAGS $sb_flags"
	])
])
