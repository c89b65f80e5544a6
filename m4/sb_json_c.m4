# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_JSON_C - json-c, which reads declarations in JSON comments.
#
# Required, not optional: the same job must mean the same on every build.
# Sets: JSON_C_CFLAGS, JSON_C_LIBS

AC_DEFUN([SB_JSON_C], [
	PKG_CHECK_MODULES([JSON_C], [json-c >= 0.13], [], [
		AC_MSG_ERROR([json-c is missing. Install it, on Debian:
    apt-get install libjson-c-dev])
	])
])
