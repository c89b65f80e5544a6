# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_LIBSLURM - Slurm's public headers and library, for sbudget.
#
# Any release from 22.05 on; no source tree is needed. Without them sbudget is
# not built, and the summary says so.
# Sets: LIBSLURM_LIBS, sb_have_libslurm, conditional HAVE_LIBSLURM

AC_DEFUN([SB_LIBSLURM], [
	sb_have_libslurm=no
	LIBSLURM_LIBS=
	AC_CHECK_HEADER([slurm/slurmdb.h], [
		sb_saved_LIBS=$LIBS
		AC_CHECK_LIB([slurm], [slurm_load_assoc_mgr_info], [
			sb_have_libslurm=yes
			LIBSLURM_LIBS=-lslurm
		])
		LIBS=$sb_saved_LIBS
	])
	AC_SUBST([LIBSLURM_LIBS])
	AM_CONDITIONAL([HAVE_LIBSLURM], [test $sb_have_libslurm = yes])
])
