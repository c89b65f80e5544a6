# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SLURM_INSTALLED - the source must be that of the Slurm installed here.
#
# slurmctld compares versions when it loads a plugin, and dies if they
# differ; better to hear of it now.  Compared: `slurmctld -V`, and
# slurm/slurm_version.h of the development package; what is not installed
# is not compared.  --enable-foreign-slurm turns the comparison off.
# Sets: sb_slurmctld_version, sb_slurm_foreign (yes or no)

AC_DEFUN([SB_SLURM_INSTALLED], [
	AC_ARG_ENABLE([foreign-slurm],
		[AS_HELP_STRING([--enable-foreign-slurm],
			[accept the source of another Slurm release than the
			 one installed here: to see that it compiles, or to
			 build for another machine])],
		[], [enable_foreign_slurm=no])
	AC_ARG_VAR([SLURMCTLD], [path of slurmctld, for its version])
	sb_slurm_foreign=no
	AS_IF([test $sb_have_slurm = yes], [
		AC_PATH_PROG([SLURMCTLD], [slurmctld], [],
			[$PATH$PATH_SEPARATOR/usr/sbin$PATH_SEPARATOR/usr/local/sbin$PATH_SEPARATOR/opt/slurm/sbin])
		SB_SLURM_INSTALLED_DAEMON
		SB_SLURM_INSTALLED_HEADER
	])
])

# Debian prints "slurm-wlm 22.05.8", others "slurm 22.05.8".
AC_DEFUN([SB_SLURM_INSTALLED_DAEMON], [
	AC_MSG_CHECKING([version of the installed slurmctld])
	sb_slurmctld_version=
	AS_IF([test -n "$SLURMCTLD"], [
		sb_slurmctld_version=`"$SLURMCTLD" -V 2>/dev/null |
			$SED -n '1s/.* \(@<:@0-9@:>@.*\)$/\1/p'`
	])
	AC_MSG_RESULT([${sb_slurmctld_version:-none}])
	AS_IF([test -n "$sb_slurmctld_version"],
		[SB_SLURM_COMPARE([slurmctld -V], [$sb_slurmctld_version])])
])

AC_DEFUN([SB_SLURM_INSTALLED_HEADER], [
	AC_MSG_CHECKING([version of the installed slurm/slurm_version.h])
	AC_COMPUTE_INT([sb_number], [SLURM_VERSION_NUMBER],
		[@%:@include <slurm/slurm_version.h>], [sb_number=0])
	AS_IF([test "$sb_number" -eq 0],
		[AC_MSG_RESULT([none])],
		[sb_header_version=`printf '%d.%02d.%d' \
			$((sb_number >> 16)) $((sb_number >> 8 & 255)) \
			$((sb_number & 255))`
		 AC_MSG_RESULT([$sb_header_version])
		 SB_SLURM_COMPARE([slurm/slurm_version.h], [$sb_header_version])])
])

# SB_SLURM_COMPARE(WHAT, VERSION)
AC_DEFUN([SB_SLURM_COMPARE], [
	AS_IF([test "$2" = "$sb_slurm_version"], [],
	      [test "x$enable_foreign_slurm" != xno],
		[sb_slurm_foreign=yes],
		[AC_MSG_ERROR([the source in $SLURM_SOURCE is Slurm $sb_slurm_version,
but $1 says $2. slurmctld loads only plugins built from
its own release. Fetch the source of the installed release with
    scripts/get-slurm-source
and give the path it prints to --with-slurm-source. To build for another
machine all the same, add --enable-foreign-slurm.])])
])
