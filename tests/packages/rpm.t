#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The spec for Slurm's RPM layout: rpmbuild makes both packages from the tarball,
# files are where that Slurm looks for them, and rpmlint finds no fault.  They
# are not installed: what is built here is built for this machine's Slurm.
#
# SLURM_SOURCE: Slurm's source; without it, it is fetched.

set -u
cd "$(dirname "$(readlink -f "$0")")/../.." || exit 1
# shellcheck source=tests/cluster/cluster.sh disable=SC1091
. tests/cluster/cluster.sh

command -v rpmbuild >/dev/null || tap_skip_all "no rpmbuild"
source=${SLURM_SOURCE:-$(scripts/get-slurm-source 2>/dev/null)}
[ -d "$source" ] || tap_skip_all "no source of Slurm"
release=$(sed -n 's/^ *Version:[[:space:]]*//p' "$source/META")
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

# make_tarball: as a user of the spec gets it
# shellcheck disable=SC2317
make_tarball()
{
	[ -f configure ] || ./autogen.sh || return
	mkdir "$dir/build"
	env -C "$dir/build" "$PWD/configure" &&
		make -C "$dir/build" dist
}

# Debian's rpm has another libdir than the systems that the spec is for.
# shellcheck disable=SC2317
build()
{
	rpmbuild --nodeps --define "_topdir $dir/rpm" \
		--define '_libdir /usr/lib64' "$@" "$dir"/build/*.tar.xz \
		>"$dir/log" 2>&1 && return
	tail -n 20 "$dir/log"
	return 1
}

tap_ok "there is a tarball" make_tarball
tap_nok "the spec wants Slurm's source" build -tp
tap_ok "rpmbuild builds" build -tb --define "slurm_source $source"
packages=("$dir"/rpm/RPMS/*/slurm-budget-c*.rpm)
tap_is "${#packages[@]}" 2 "two packages"
files=$(rpm -qlp "${packages[@]}")
for file in lib64/slurm/{priority_budget,preempt_minruntime}.so \
    lib64/slurm/{job_submit_minruntime,libbudget_board}.so bin/sbudget; do
	tap_like "$files" "(^|"$'\n'")/usr/$file("$'\n'"|\$)" "/usr/$file"
done
tap_is "$(sort <<<"$files" | grep '\.so$' | uniq -d)" '' \
	"no plugin is in both"
needs=$(rpm -qp --requires "${packages[@]}")
tap_like "$needs" "slurm-slurmctld\\([^)]*\\) = $release("$'\n'"|\$)" \
	"they want exactly this slurmctld"
tap_unlike "$needs" libbudget_board "and nothing that no package has"
# What Debian's configuration expects, and who builds adds
tap_is "$(rpmlint "${packages[@]}" packaging/rpm/slurm-budget.spec 2>&1 |
	grep ' E: ' | grep -vE 'no-(signature|packager-tag|group-tag)')" '' \
	"rpmlint finds no error"
tap_done
