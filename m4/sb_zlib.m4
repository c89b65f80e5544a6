# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_ZLIB - zlib, which reads traces that are compressed.
#
# Required, not optional: a trace must be readable by every build.
# Sets: ZLIB_CFLAGS, ZLIB_LIBS

AC_DEFUN([SB_ZLIB], [
	PKG_CHECK_MODULES([ZLIB], [zlib >= 1.2.8], [], [
		AC_MSG_ERROR([zlib is missing. Install it, on Debian:
    apt-get install zlib1g-dev])
	])
])
