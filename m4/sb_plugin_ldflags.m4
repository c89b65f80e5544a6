# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_PLUGIN_LDFLAGS - how a plugin must be linked, whatever LDFLAGS say.
#
# lazy: a plugin calls functions that only slurmctld has; bound at load time
# they would keep it out of sshare.  undefs: those functions are undefined
# here.  Distributions put the opposite of both into LDFLAGS, so ours go
# behind them, where automake puts LIBADD.
# The board is linked by file name past libtool, which would write the build
# directory into the plugin; it is found beside the plugin.
# Sets: MODULE_LIBADD, BOARD_LIBADD

AC_DEFUN([SB_PLUGIN_LDFLAGS], [
	MODULE_LIBADD="-Wl,-z,lazy"
	AC_MSG_CHECKING([whether $CC accepts -Wl,-z,undefs])
	sb_saved_LDFLAGS=$LDFLAGS
	LDFLAGS="$LDFLAGS -Wl,-z,undefs"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes])
		 MODULE_LIBADD="$MODULE_LIBADD -Wl,-z,undefs"],
		[AC_MSG_RESULT([no])])
	LDFLAGS=$sb_saved_LDFLAGS
	AC_SUBST([MODULE_LIBADD])
	BOARD_LIBADD='-Wl,$(top_builddir)/src/board/.libs/libbudget_board.so'
	BOARD_LIBADD="$BOARD_LIBADD -Wl,-rpath,'\$\$ORIGIN'"
	AC_SUBST([BOARD_LIBADD])
])
