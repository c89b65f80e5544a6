# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SLURM_HEADERS - find the headers that moved between releases, and see
# that a plugin source compiles with them.
#
# Defines: HAVE_SRC_INTERFACES_PRIORITY_H (23.02 on; before, the same is in
# src/common/slurm_priority.h), HAVE_SRC_COMMON_JOB_RECORD_H (24.05 on)
# Sets: sb_slurm_test_includes, for later checks

AC_DEFUN([SB_SLURM_HEADERS], [
	AS_IF([test $sb_have_slurm = yes], [
		AS_IF([test -f "$SLURM_SOURCE/src/interfaces/priority.h"], [
			AC_DEFINE([HAVE_SRC_INTERFACES_PRIORITY_H], [1],
				[Define to 1 if Slurm has src/interfaces/priority.h.])
			sb_header=src/interfaces/priority.h
		], [sb_header=src/common/slurm_priority.h])
		AS_IF([test -f "$SLURM_SOURCE/src/common/job_record.h"], [
			AC_DEFINE([HAVE_SRC_COMMON_JOB_RECORD_H], [1],
				[Define to 1 if Slurm has src/common/job_record.h.])
		])
		sb_slurm_test_includes="
@%:@include \"src/slurmctld/slurmctld.h\"
@%:@include \"$sb_header\"
"
		SB_SLURM_HEADERS_COMPILE
	])
])

AC_DEFUN([SB_SLURM_HEADERS_COMPILE], [
	AC_MSG_CHECKING([whether a plugin compiles with Slurm's headers])
	sb_saved_CPPFLAGS=$CPPFLAGS
	CPPFLAGS="$sb_slurm_test_CPPFLAGS $CPPFLAGS"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([$sb_slurm_test_includes],
		[[job_record_t job; return (int) job.job_id;]])],
		[AC_MSG_RESULT([yes])],
		[AC_MSG_RESULT([no])
		 AC_MSG_ERROR([the headers in $SLURM_SOURCE do not compile.
The compiler's words are in config.log. Is the tree complete and unchanged?])])
	CPPFLAGS=$sb_saved_CPPFLAGS
])
