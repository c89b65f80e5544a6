# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_CHECK - libcheck, for tests/unit.
#
# Without it everything else is built, and the summary says that the unit
# tests are skipped.
# Sets: CHECK_CFLAGS, CHECK_LIBS, sb_have_check, conditional HAVE_CHECK

AC_DEFUN([SB_CHECK], [
	PKG_CHECK_MODULES([CHECK], [check >= 0.10],
		[sb_have_check=yes], [sb_have_check=no])
	AM_CONDITIONAL([HAVE_CHECK], [test "$sb_have_check" = yes])
])
