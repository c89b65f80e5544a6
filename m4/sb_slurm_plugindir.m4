# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SLURM_PLUGINDIR - --with-slurm-plugindir=DIR, where slurmctld and sshare
# look for plugins (PluginDir in slurm.conf).
#
# Default: where the installed stock plugins are; without any, or when the
# plugins are for another release than the installed one, $libdir/slurm.
# slurm.conf is not asked: it need not exist on a machine that builds.
# Sets: slurmplugindir; SLURM_LIBDIR (the stock plugins, libslurmfull) and
# the conditional SLURM_INSTALLED if this release is installed here

AC_DEFUN([SB_SLURM_PLUGINDIR], [
	AC_ARG_WITH([slurm-plugindir],
		[AS_HELP_STRING([--with-slurm-plugindir=DIR],
			[install the plugins in DIR, Slurm's PluginDir
			 (where the installed Slurm has its own)])],
		[AS_CASE([$with_slurm_plugindir], [yes|no|''],
			[AC_MSG_ERROR([--with-slurm-plugindir needs a directory])])],
		[with_slurm_plugindir=])
	SLURM_LIBDIR=
	AS_IF([test $sb_have_slurm = yes], [
		AC_MSG_CHECKING([for Slurm's plugin directory])
		AS_IF([test $sb_slurm_foreign = no], [SB_SLURM_LIBDIR_FIND])
		AS_IF([test -n "$with_slurm_plugindir"],
			[slurmplugindir=$with_slurm_plugindir],
			[slurmplugindir=${SLURM_LIBDIR:-'${libdir}/slurm'}])
		AC_MSG_RESULT([$slurmplugindir])
	])
	AC_SUBST([slurmplugindir])
	AC_SUBST([SLURM_LIBDIR])
	AM_CONDITIONAL([SLURM_INSTALLED],
		[test -n "$SLURM_LIBDIR" && test -n "$SLURMCTLD"])
])

AC_DEFUN([SB_SLURM_LIBDIR_FIND], [
	sb_multiarch=`$CC -print-multiarch 2>/dev/null`
	sb_prefix=
	AS_IF([test -n "$SLURMCTLD"],
		[sb_prefix=`AS_DIRNAME(["$SLURMCTLD"])`/..])
	for sb_dir in \
		${sb_prefix:+"$sb_prefix/lib64/slurm"} \
		${sb_prefix:+"$sb_prefix/lib/slurm"} \
		${sb_multiarch:+"/usr/lib/$sb_multiarch/slurm-wlm"} \
		${sb_multiarch:+"/usr/lib/$sb_multiarch/slurm"} \
		/usr/lib64/slurm /usr/lib/slurm /usr/local/lib/slurm
	do
		AS_IF([test -f "$sb_dir/priority_multifactor.so"],
			[SLURM_LIBDIR=`cd "$sb_dir" && pwd`
			 break])
	done
])
