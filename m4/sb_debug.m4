# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_DEBUG - --enable-debug keeps assert() in core and tests.
#
# Off by default: a controller must not abort on an assertion.  Plugin code
# that includes Slurm's headers is not touched by this, see SB_SLURM_INCLUDE.
# Sets: SB_DEBUG_CPPFLAGS

AC_DEFUN([SB_DEBUG], [
	AC_ARG_ENABLE([debug],
		[AS_HELP_STRING([--enable-debug],
			[keep assertions in core and tests])],
		[], [enable_debug=no])
	AS_IF([test "x$enable_debug" = xno],
		[SB_DEBUG_CPPFLAGS=-DNDEBUG],
		[SB_DEBUG_CPPFLAGS=])
	AC_SUBST([SB_DEBUG_CPPFLAGS])
])
