# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_SLURM_MEMBERS - struct members that come and go, some of them within
# one maintenance line, so that the version alone does not tell.
#
# Only src/slurm_compat may use the results.
# Defines: HAVE_<TYPE>_<MEMBER>

AC_DEFUN([SB_SLURM_MEMBERS], [
	AS_IF([test $sb_have_slurm = yes], [
		sb_saved_CPPFLAGS=$CPPFLAGS
		CPPFLAGS="$sb_slurm_test_CPPFLAGS $CPPFLAGS"
		AC_CHECK_MEMBERS([
			job_record_t.priority_array,
			job_record_t.part_prio,
			job_record_t.prio_mult,
			job_record_t.qos_list,
			slurmdb_assoc_rec_t.lft,
			slurmdb_assoc_rec_t.lineage,
			slurmdb_assoc_cond_t.with_usage,
			slurmdb_assoc_cond_t.flags], [], [], [$sb_slurm_test_includes])
		CPPFLAGS=$sb_saved_CPPFLAGS
	])
])
