# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SLURM_SOURCE - --with-slurm-source=DIR, the unpacked source of the Slurm
# release that will load the plugins.
#
# slurmctld's structs are in no public header, so the plugins are compiled
# against its source.  The tree need not be configured or built.
# Sets: SLURM_SOURCE (absolute), sb_have_slurm, sb_slurm_version and its
# parts sb_slurm_major, _minor, _micro, conditional HAVE_SLURM

AC_DEFUN([SB_SLURM_SOURCE], [
	AC_ARG_WITH([slurm-source],
		[AS_HELP_STRING([--with-slurm-source=DIR],
			[build the plugins; DIR is the unpacked source of the
			 running Slurm release, see scripts/get-slurm-source])],
		[], [with_slurm_source=no])
	sb_have_slurm=no
	AS_CASE([$with_slurm_source],
		[no], [],
		[yes|''], [AC_MSG_ERROR([--with-slurm-source needs a directory. Fetch the source with
    scripts/get-slurm-source
and give the path it prints.])],
		[sb_have_slurm=yes])
	AS_IF([test "x$enable_sanitizers" != xno && test $sb_have_slurm = yes],
		[AC_MSG_ERROR([--enable-sanitizers and --with-slurm-source exclude each other:
slurmctld cannot load a plugin built with sanitizers.])])
	AS_IF([test $sb_have_slurm = yes], [SB_SLURM_SOURCE_READ])
	AC_SUBST([SLURM_SOURCE])
	AM_CONDITIONAL([HAVE_SLURM], [test $sb_have_slurm = yes])
])

# Is it a Slurm tree, and of which version?  The oldest we know is 22.05.
AC_DEFUN([SB_SLURM_SOURCE_READ], [
	AC_MSG_CHECKING([for Slurm's source in $with_slurm_source])
	AS_IF([test ! -f "$with_slurm_source/META" ||
	       test ! -f "$with_slurm_source/src/slurmctld/slurmctld.h"], [
		AC_MSG_RESULT([no])
		AC_MSG_ERROR([$with_slurm_source is not Slurm's source:
META or src/slurmctld/slurmctld.h is missing. Fetch the source with
    scripts/get-slurm-source
and give the path it prints.])
	])
	SLURM_SOURCE=`cd "$with_slurm_source" && pwd`
	AS_CASE([$SLURM_SOURCE], [*@<:@\ \	\"\$\'\`\\@:>@*],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([make cannot work with blanks or quotes in the path $SLURM_SOURCE])])
	sb_slurm_version=`$SED -n 's/^ *Version:@<:@	 @:>@*//p' "$SLURM_SOURCE/META"`
	AC_MSG_RESULT([$sb_slurm_version])
	SB_SLURM_VERSION_SPLIT
	AS_IF([test "$sb_slurm_major$sb_slurm_minor" -lt 2205], [
		AC_MSG_ERROR([Slurm $sb_slurm_version is too old: 22.05 or later is needed.])
	])
])

# A release is three numbers; "22.05.0-0pre1" and the like are none.
AC_DEFUN([SB_SLURM_VERSION_SPLIT], [
	AS_IF([echo "$sb_slurm_version" |
		grep '^@<:@0-9@:>@@<:@0-9@:>@\.@<:@0-9@:>@@<:@0-9@:>@\.@<:@0-9@:>@@<:@0-9@:>@*$' >/dev/null],
		[], [AC_MSG_ERROR([META in $SLURM_SOURCE tells no release: '$sb_slurm_version'.])])
	sb_slurm_major=`echo $sb_slurm_version | cut -d. -f1`
	sb_slurm_minor=`echo $sb_slurm_version | cut -d. -f2`
	sb_slurm_micro=`echo $sb_slurm_version | cut -d. -f3`
])
