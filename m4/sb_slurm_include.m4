# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SLURM_INCLUDE - the two headers that Slurm's own configure would write.
#
# Slurm's headers need only these few macros of "config.h", and none of the
# others changes a struct that plugins touch.  They go to a directory of
# their own, which only plugin sources have on their include path.
# Debian and SchedMD build releases with NDEBUG; without it the headers
# refer to functions that such a slurmctld does not have.
# Sets: SLURM_CPPFLAGS; writes src/slurm_compat/slurm-include/

AC_DEFUN([SB_SLURM_INCLUDE], [
	sb_include=src/slurm_compat/slurm-include
	AS_IF([test $sb_have_slurm = yes], [
		AC_CHECK_FUNCS([strlcpy setproctitle])
		AS_MKDIR_P([$sb_include/slurm])
		SB_SLURM_CONFIG_H >conftest.h
		SB_WRITE_IF_CHANGED([$sb_include/config.h])
		SB_SLURM_VERSION_H >conftest.h
		SB_WRITE_IF_CHANGED([$sb_include/slurm/slurm_version.h])
		# make runs in the subdirectories, configure does not
		SLURM_CPPFLAGS="-I\$(top_builddir)/$sb_include"
		SLURM_CPPFLAGS="$SLURM_CPPFLAGS -isystem $SLURM_SOURCE -DNDEBUG"
		sb_slurm_test_CPPFLAGS="-I$sb_include -isystem $SLURM_SOURCE -DNDEBUG"
	])
	AC_SUBST([SLURM_CPPFLAGS])
])

AC_DEFUN([SB_SLURM_CONFIG_H], [{
	sb_major=`echo $sb_slurm_major | $SED 's/^0//'`
	echo "/* Stands in for the config.h that Slurm's configure writes. */"
	AS_IF([test "$ac_cv_c_bigendian" = yes],
		[echo "@%:@define SLURM_BIGENDIAN 1"])
	AS_IF([test "$ac_cv_func_strlcpy" = yes],
		[echo "@%:@define HAVE_STRLCPY 1"])
	AS_IF([test "$ac_cv_func_setproctitle" = yes],
		[echo "@%:@define HAVE_SETPROCTITLE 1"])
	echo "@%:@define SLURM_PREFIX \"/usr\""
	echo "@%:@define SLURM_VERSION_STRING \"$sb_slurm_version\""
}])

# The leading zero of a minor like 05 would make it octal, and 08 an error.
AC_DEFUN([SB_SLURM_VERSION_H], [{
	sb_minor=`echo $sb_slurm_minor | $SED 's/^0//'`
	echo "/* Stands in for slurm_version.h that Slurm's configure writes. */"
	echo "@%:@ifndef _SLURM_VERSION_H_"
	echo "@%:@define _SLURM_VERSION_H_"
	echo "@%:@define SLURM_VERSION_NUM(a,b,c) (((a) << 16) + ((b) << 8) + (c))"
	echo "@%:@define SLURM_VERSION_MAJOR(a) (((a) >> 16) & 0xff)"
	echo "@%:@define SLURM_VERSION_MINOR(a) (((a) >> 8) & 0xff)"
	echo "@%:@define SLURM_VERSION_MICRO(a) ((a) & 0xff)"
	echo "@%:@define SLURM_VERSION_NUMBER \\"
	echo "	SLURM_VERSION_NUM($sb_slurm_major, $sb_minor, $sb_slurm_micro)"
	echo "@%:@endif"
}])

# SB_WRITE_IF_CHANGED(FILE) - conftest.h becomes FILE, keeping FILE's time if
# nothing changed: every plugin source depends on it.
AC_DEFUN([SB_WRITE_IF_CHANGED], [
	AS_IF([cmp -s conftest.h "$1"], [rm -f conftest.h],
		[mv -f conftest.h "$1"])
])
