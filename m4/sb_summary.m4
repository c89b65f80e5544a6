# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SUMMARY - say plainly what will be built and what will not.

AC_DEFUN([SB_SUMMARY], [
	AS_IF([test $sb_have_slurm = yes],
		[sb_plugins="for Slurm $sb_slurm_version, installed in $slurmplugindir"],
		[sb_plugins="NOT built (no --with-slurm-source)"])
	AS_IF([test $sb_have_libslurm = yes],
		[sb_sbudget="built"],
		[sb_sbudget="SKIPPED (libslurm is missing; Debian: apt-get install libslurm-dev)"])
	AS_IF([test $sb_have_check = yes],
		[sb_unit="built"],
		[sb_unit="SKIPPED (libcheck is missing; Debian: apt-get install check)"])
	AS_IF([test $sb_chart_js = yes],
		[sb_charts="Chart.js from $CHART_JS"],
		[sb_charts="NONE, --html is refused (Debian: apt-get install libjs-chart.js)"])
	AC_MSG_NOTICE([
$PACKAGE_NAME $PACKAGE_VERSION
  core        built
  plugins     $sb_plugins
  sbudget     $sb_sbudget
  charts      $sb_charts
  unit tests  $sb_unit
  assertions  $enable_debug
  sanitizers  $enable_sanitizers])
	AS_IF([test $sb_slurm_foreign = yes],
		[AC_MSG_WARN([Slurm $sb_slurm_version is not the release installed here: do not install these plugins on this machine])],
		[test $sb_have_slurm = yes && test -z "$sb_slurmctld_version"],
		[AC_MSG_WARN([slurmctld is not installed here: make sure that the one you build for is Slurm $sb_slurm_version])])
])
