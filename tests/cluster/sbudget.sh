# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# sbudget.sh - what the tests of sbudget share.  Source it after cluster.sh.

# Without libslurm-dev there is no sbudget.
sbudget_need()
{
	[ -x "${CLUSTER_PLUGINDIR%%:*}/bin/sbudget" ] ||
		tap_skip_all "sbudget is not built"
}

# json PATH: a value in the JSON on standard input, for example
# why.may_take.0.victim; of an array or object its size
json()
{
	perl -MJSON::PP -e '
		local $/;
		my $value = JSON::PP->new->decode(<STDIN>);
		for my $key (split /\./, shift) {
			$value = ref $value eq "ARRAY" ? $value->[$key] :
				$value->{$key};
		}
		$value = ref $value eq "ARRAY" ? @$value :
			ref $value eq "HASH" ? keys %$value : $value;
		print $value // "null", "\n"' "$1"
}

# exits STATUS NAME COMMAND...: and says something about it on stderr
exits()
{
	local status=$1 name=$2 err rc

	shift 2
	err=$("$@" 2>&1 >/dev/null </dev/null)
	rc=$?
	if [ $rc = "$status" ] && [ -n "$err" ]; then
		tap_pass "$name"
	else
		tap_fail "$name" "exit status $rc, stderr: $err"
	fi
}
