#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line of sbudget-sim: what it reads and prints, in every form,
# with the exit codes of the manual, and the same bytes each time.
#
# SIM: the program. Needs no Slurm.

set -u
: "${SIM:=sbudget-sim}"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TZ=UTC0 LC_ALL=C
cd "$work" || exit 1
count=0

# ok NAME COMMAND...
ok()
{
	local name=$1

	shift
	count=$((count + 1))
	if "$@" >out 2>err </dev/null; then
		printf 'ok %d - %s\n' $count "$name"
	else
		printf 'not ok %d - %s\n' $count "$name"
		sed 's/^/# /' err out | head -n 20
	fi
}

is()
{
	count=$((count + 1))
	if [ "$1" = "$2" ]; then
		printf 'ok %d - %s\n' $count "$3"
	else
		printf 'not ok %d - %s\n# got  %s\n# want %s\n' $count "$3" \
			"$1" "$2"
	fi
}

# fails STATUS MESSAGE ARGUMENT...: and says so, and nothing on stdout
fails()
{
	local status=$1 message=$2 rc

	shift 2
	"$SIM" "$@" >out 2>err </dev/null
	rc=$?
	is "$rc $(head -n 1 err)$(head -c 100 out)" \
		"$status sbudget-sim: error: $message" "refused: $*"
}

json()
{
	perl -MJSON::PP -e '
		local $/;
		my $value = JSON::PP->new->decode(<STDIN>);
		for my $key (split /\./, shift) {
			$value = ref $value eq "ARRAY" ? $value->[$key] :
				$value->{$key};
		}
		print ref $value eq "ARRAY" ? scalar @$value :
			ref $value eq "HASH" ? scalar keys %$value :
			$value // "null", "\n"' "$1"
}

# figure NAME: of --csv of one run on standard input
figure()
{
	sed -n "s/^$1,//p"
}

# Two accounts, one node of 8 GPUs, an hour each: b waits for a.
cat >two.csv <<'END'
submit_s,runtime_s,gpus,account,user,timelimit_s,min_runtime_s
0,3600,8,a,u,7200,3600
10,3600,8,b,v,7200,3600
END

cat >sacct.txt <<'END'
JobIDRaw|JobID|Account|User|Submit|Eligible|Start|End|Elapsed|Timelimit|State|AllocTRES|ReqTRES|NNodes|Comment
7|7|a|u|2026-11-02T00:00:00|2026-11-02T00:00:00|2026-11-02T00:00:00|2026-11-02T01:00:00|01:00:00|02:00:00|COMPLETED|gres/gpu=8||1|min-runtime=1h
7.batch|7.batch|a||2026-11-02T00:00:00|2026-11-02T00:00:00|2026-11-02T00:00:00|2026-11-02T01:00:00|01:00:00||COMPLETED|||1|
8|8|b|v|2026-11-02T00:00:10|2026-11-02T00:00:10|2026-11-02T01:00:00|2026-11-02T02:00:00|01:00:00|02:00:00|COMPLETED|gres/gpu=8||1|min-runtime=1h
END

cat >two.swf <<'END'
; UnixStartTime: 1793577600
1 0 0 3600 8 -1 -1 8 7200 -1 1 1 1 -1 -1 -1 -1 -1
2 10 3590 3600 8 -1 -1 8 7200 -1 1 2 2 -1 -1 -1 -1 -1
END

# ---- what it reads

for input in '--trace two.csv' '--sacct sacct.txt' '--swf two.swf'; do
	# shellcheck disable=SC2086
	ok "$input" "$SIM" $input --nodes 1x8 --csv
	is "$(figure completed <out) $(figure teams <out)" '2 2' \
		"$input: both jobs ran"
	is "$(figure refused <out)" 0 "$input: none was refused"
done
gzip -k two.csv
ok 'compressed' "$SIM" --trace two.csv.gz --nodes 1x8 --csv
cp out plain
# shellcheck disable=SC2016
ok 'from a pipe' sh -c '"$0" --trace - --nodes 1x8 --csv <two.csv.gz' "$SIM"
is "$(cksum <out)" "$(cksum <plain)" 'the same from a pipe'
ok 'two nodes' "$SIM" --trace two.csv --nodes 2x8 --csv
is "$(figure other_p90 <out)" 0 'on two nodes nobody waits'
"$SIM" --trace two.csv --nodes 1x8 --csv >out
is "$(figure large_p90 <out)$(($(figure other_p90 <out) > 3000))" 1 \
	'on one node the second does'
printf 'x,y,z,\n' | cat two.csv - >bad.csv
fails 1 'bad.csv:4: fewer fields than the header has, "x"' \
	--trace bad.csv --nodes 1x8
ok 'lenient' "$SIM" --trace bad.csv --nodes 1x8 --lenient
is "$(grep -c 'left out: 1 line, first 4: fewer fields' out)" 1 \
	'lenient: what was left out is told'
# ---- CPUs and memory

# Half of the CPUs each, then a job without GPUs that wants all of them.
cat >hosts.csv <<'END'
submit_s,runtime_s,gpus,account,user,timelimit_s,min_runtime_s,cpus,mem_mb
0,3600,1,a,u,7200,3600,32,
1,3600,1,b,v,7200,3600,32,1024
2,3600,0,b,v,7200,3600,64,
END
host=1x8:CPUs=64:RealMemory=512G
"$SIM" --trace hosts.csv --nodes $host --attempts >out
is "$(cut -d, -f4,7 out | tail -n 3 | sort | tr '\n' ' ')" '0,1 1,1 3601,0 ' \
	'a job without GPUs waits for CPUs'
"$SIM" --trace hosts.csv --nodes 1x8 --attempts >out
is "$(wc -l <out | tr -d ' ')" 3 'and is left out where nobody counts CPUs'
ok 'occupancy' "$SIM" --trace hosts.csv --nodes $host --until 1h --csv
is "$(figure gpus_occupancy <out | cut -c 1-4) $(figure cpus_occupancy \
	<out | cut -c 1-4)" '0.24 0.99' 'of GPUs and CPUs'
ok 'that of memory' "$SIM" --trace hosts.csv --nodes 1x8:CPUs=64 --csv
is "$(figure mem_occupancy <out)" '' 'is not known without'
ok 'weights' "$SIM" --trace hosts.csv --nodes $host --csv --compare charge=gpu \
	weights=CPU=16,Mem=2G,GRES/gpu=128 \
	charge=max,weights=CPU=16,Mem=2G,GRES/gpu=128 charge=drf,count=dominant
is "$(wc -l <out | tr -d ' ')" 5 'four ways to charge'
fails 1 'CPUs or memory are charged, and nodes do not say how much they have' \
	--trace hosts.csv --nodes 1x8 --sched charge=max
fails 2 '--nodes: CPUs and RealMemory: of all kinds of nodes, or of none' \
	--trace hosts.csv --nodes $host,1x8
fails 2 '--sched: weights: there is no "gres/gpu:b" here (CPU, Mem, Node, GRES/gpu; types of GPUs have theirs in --nodes)' \
	--trace hosts.csv --nodes $host --sched weights=gres/gpu:b=1
ok 'mixed' "$SIM" --generate mixed,days=1,gpus=64,largest=16 --json
is "$(json runs.0.figures.cpus_occupancy <out | grep -c '^0\.')" 1 'has CPUs'

ok 'types of nodes' "$SIM" --trace two.csv --nodes 1x8:h100,1x4:b200@2 --csv
sed 's/$/,h100/; 1s/h100/gpu_type/' two.csv >typed.csv
for nodes in 1x8 1x8:h100 1x8:b200 1x8:b200,1x8:h100; do
	"$SIM" --trace typed.csv --nodes $nodes >out
	printf '%s %s\n' $nodes "$(sed -n '3s/ .*completed,.*did not end, / /p' out)"
	sed -n 's/^- \(.*types\{0,1\} .*\)/\1/p' out | grep -v made
done >types
is "$(cat types)" '1x8 2 0 were refused
--nodes names no types of GPUs, so those of 2 jobs are left aside
1x8:h100 2 0 were refused
1x8:b200 0 2 were refused
2 jobs have GPUs of a type that --nodes does not name, and are refused
1x8:b200,1x8:h100 2 0 were refused' 'types of jobs'

# One fits, one wants more GPUs, one more memory than there is.
cat >large.csv <<'END'
submit_s,runtime_s,gpus,cpus,mem_mb,account,user
0,100,8,64,1000,a,u
0,100,32,64,1000,a,u
0,100,8,64,9000000,a,u
END
ok 'too large' "$SIM" --trace large.csv --nodes 2x8:CPUs=128:RealMemory=1T
is "$(sed -n 3,4p out)" '1 job completed, 0 reached their time limit, 0 did not end, 2 were refused
2 of the refused ask for GPUs, CPUs or memory that --nodes never has at a time' \
	'why they were refused'

# ---- what it prints

ok 'tables' "$SIM" --trace two.csv --nodes 1x8
is "$(grep -c '^Policy budget$' out)" 1 'the policy is named'
is "$(grep -c 'no plan: all accounts have the same budget' out)" 1 \
	'assumptions are told'
ok 'all tables' "$SIM" -l --trace two.csv --nodes 1x8
ok 'JSON' "$SIM" --trace two.csv --nodes 1x8 --json
is "$(json workload.jobs <out)" 2 'JSON has the workload'
is "$(json runs.0.figures.completed <out)" 2 'JSON has figures'
is "$(json runs.0.report.totals.teams <out)" 2 'JSON has the report'
ok 'compare' "$SIM" --trace two.csv --nodes 1x8 \
	--compare budget fifo multifactor:half_life=1d window=1d
is "$(sed -n 's/  */ /gp' out | sed -n 's/^ budget/budget/p')" \
	'budget fifo multifactor:half_life=1d window=1d' 'a column for each'
ok 'sweep' "$SIM" --trace two.csv --nodes 1x8 --csv \
	--sweep window=1d..28d/3 --sweep burst=0,2
is "$(sed 's/,.*//' out | tr '\n' ' ')" 'run "window=1d burst=0" "window=1d burst=2" "window=127h burst=0" "window=127h burst=2" "window=28d burst=0" "window=28d burst=2" ' \
	'a line for each'
ok 'compare in JSON' "$SIM" --trace two.csv --nodes 1x8 --json \
	--compare budget fifo
is "$(json runs <out) $(json runs.1.policy <out) $(json runs.1.means.completed <out) $(json runs.1.reports <out)" \
	'2 fifo 2 1' 'compare in JSON: all of both'
if [ "$("$SIM" --trace two.csv --nodes 1x8 --html page.html 2>&1)" = '' ]; then
	is "$(grep -c '<title>' page.html)" 1 'a page'
	is "$(grep -c 'no plan: all accounts have the same budget' page.html)" \
		1 'it tells what was assumed'
	is "$(ls page.html*)" page.html 'a page appears as a whole'
	ln -s /dev/null device
	"$SIM" --trace two.csv --nodes 1x8 --html device
	ok 'a device is written to, and stays' [ -c device ]
	ok 'a page of several runs' "$SIM" --trace two.csv --nodes 1x8 \
		--html sides.html --compare budget 'fifo:kill_time=5s'
	is "$(grep -c '>fifo:kill_time=5s</th>' sides.html)" 6 \
		'names them above each table'
	is "$(sed -n 's,.*>a</th><td>\([0-9.]* %\)</td><td>\([0-9.]* %\)<.*,\1 \2,p' \
		sides.html)" '200.0 % 200.0 %' 'has what was delivered to each team'
	is "$(grep -c 'no plan: all accounts have the same budget' \
		sides.html)" 1 'and what was assumed'
	is "$(grep -c '>All 2 runs delivered [0-9.]* % of what was owed<' \
		sides.html)" 1 'of two that did as well none is the best'
	sed -n 's,</*script[^>]*>,,g; /^{"runs"/p' sides.html >sides.json
	is "$(json runs <sides.json) $(json runs.1.name <sides.json)" \
		'2 fifo:kill_time=5s' 'what it draws is of both'
	"$SIM" --trace two.csv --nodes 1x8 --html sides.html \
		--sweep window=1d..7d/7
	is "$(grep -c 'first 6, tables all 7' sides.html)" 1 \
		'more than are drawn: it says so'
	ok 'a page of seeds' "$SIM" --generate days=1,gpus=16,teams=4,largest=8 \
		--html sides.html --seeds 2
	is "$(grep -c 'means of 2 seeds' sides.html)" 1 'says so'
	for runs in '' '--compare fifo'; do
		# shellcheck disable=SC2086
		[ ! -w /dev/full ] ||
		fails 1 '/dev/full: No space left on device' --trace two.csv \
			--nodes 1x8 --html /dev/full $runs
		# shellcheck disable=SC2086
		"$SIM" --trace two.csv --nodes 1x8 --html - $runs \
			>/dev/full 2>err
		is "$? $(cat err)" \
			'1 sbudget-sim: error: cannot write: No space left on device' \
			"a full disk is told once, --html - $runs"
	done
else
	fails 1 "$("$SIM" --trace two.csv --nodes 1x8 --html page.html 2>&1 |
		sed 's/^sbudget-sim: error: //')" \
		--trace two.csv --nodes 1x8 --html page.html
fi
"$SIM" --trace two.csv --nodes 1x8 >/dev/full 2>err
is "$? $(cat err)" \
	'1 sbudget-sim: error: cannot write: No space left on device' \
	'a full disk is told'

# ---- budgets

cat >plan.json <<'END'
{ "version": 1, "accounts": [
  { "account": "a", "shares": 3 }, { "account": "b", "shares": 1 } ] }
END
ok 'plan' "$SIM" --trace two.csv --nodes 1x8 --plan plan.json
is "$(awk '$1 == "a" || $1 == "b" { print $1, $3, $4 }' out |
	head -n 2 | tr '\n' ' ')" 'a 75.0 % b 25.0 % ' \
	'budgets are those of the plan'
echo '{ "version": 1, "accounts": [ { "account": "a", "user": "u", "shares": 2 } ] }' >users.json
ok 'a plan of users' "$SIM" --trace two.csv --nodes 1x8 --plan users.json
is "$(sed -n 's/^- \(.*plan.*\)/\1/p' out)" \
	'2 accounts with jobs have no budget in the plan and keep a share of 1' \
	'is not said to lack accounts that it names'
echo '{ "version": 2 }' >broken.json
fails 1 'broken.json: line 1: $.version: must be 1: this sbudget knows no other' \
	--trace two.csv --nodes 1x8 --plan broken.json
fails 1 'none.json: No such file or directory' \
	--trace two.csv --nodes 1x8 --plan none.json

# ---- made up

small=days=2,gpus=64,largest=16,teams=5
ok 'generate' "$SIM" --generate $small --json
cp out first
"$SIM" --generate $small --json >out
is "$(cksum <out)" "$(cksum <first)" 'the same twice'
"$SIM" --generate $small --json --seed 2 >out
count=$((count + 1))
if cmp -s out first; then printf 'not '; fi
printf 'ok %d - another seed is another workload\n' $count
for jobs in 1 3; do
	ok "seeds, $jobs at a time" "$SIM" --generate $small --seeds 3 \
		--jobs $jobs --json --compare budget fifo demand=3
	cp out "jobs$jobs"
done
is "$(cksum <jobs3)" "$(cksum <jobs1)" 'the same however many at a time'
is "$(json runs.0.reports <jobs1)" 3 'a report for each seed'
# The mean and its standard error, from three runs of their own
for seed in 1 2 3; do
	"$SIM" --generate $small --seed $seed --csv | figure occupancy
done >occupancies
is "$(json runs.0.means.occupancy <jobs1 | cut -c 1-8) $(
	json runs.0.standard_errors.occupancy <jobs1 | cut -c 1-7)" \
	"$(awk '{ s += $1; q += $1 * $1 }
	END { m = s / 3; printf "%.8f %.8f", m, sqrt((q / 3 - m * m) / 2) }' \
	occupancies | awk '{ print substr($1, 1, 8), substr($2, 1, 7) }')" \
	'means and standard errors'
"$SIM" --generate $small --seeds 2 --progress >out 2>err
is "$(tail -n 1 err)" '2 of 2 runs (100 %)' 'progress, where it is asked for'
"$SIM" --generate $small --seeds 2 >out 2>err
is "$(cat err)" '' 'and quiet otherwise'
ok 'nodes of a preset' "$SIM" --generate month-s2,days=1 --nodes 8x8 --csv

# ---- attempts

# b evicts a, which had no minimum, and has its nodes when a has gone.
cat >evict.csv <<'END'
job_id,submit_s,runtime_s,gpus,account,user,timelimit_s,min_runtime_s,checkpoint_s
7,0,3600,8,a,u,7200,0,0
9,600,60,8,b,v,7200,60,0
11,700,60,16,b,v,7200,60,0
END
ok 'attempts' "$SIM" --trace evict.csv --nodes 1x8 --attempts --until end \
	--sched kill_time=5s,requeue_delay=120
is "$(cat out)" "job_id,attempt,eligible_s,start_s,end_s,nodes,gpus,outcome,by,standing
7,0,0,0,600,1,8,preempted,9,0
9,0,600,605,665,1,8,completed,,0
11,0,700,,,2,16,refused,,2
7,1,720,720,4320,1,8,completed,,0" 'attempts: one line each'
cp out attempts

# A kill that takes as long as a requeue: whoever had to go is not there first,
# to be evicted again, for ever.
cat >back.csv <<'END'
job_id,submit_s,runtime_s,gpus,account,user,timelimit_s,min_runtime_s
1,0,21586,10,a,u,16429,
2,1709,18659,1,a,u,,469
END
ok 'a slow kill' "$SIM" --trace back.csv --nodes 2x8 --until 4h --attempts \
	--sched kill_time=120s,requeue_delay=120
is "$(grep -c preempted out)" 1 'evicts once'

ok 'attempts in a file' "$SIM" --trace evict.csv --nodes 1x8 --until end \
	--attempts=file --sched kill_time=5s,requeue_delay=120 --csv
is "$(cksum <file)" "$(cksum <attempts)" 'the same in a file'
is "$(figure preemptions <out)" 1 'and the figures as well'
fails 1 'no/such: No such file or directory' --trace two.csv --nodes 1x8 \
	--attempts=no/such
if [ -w /dev/full ]; then
	fails 1 '/dev/full: No space left on device' --trace two.csv \
		--nodes 1x8 --attempts=/dev/full
fi

# ---- reservations

# a's filler would run from 10 on; b's nodes are kept from 600 on.
cat >kept.csv <<'END'
job_id,submit_s,runtime_s,gpus,account,user,timelimit_s,min_runtime_s
1,0,1200,8,a,u,1200,900
2,10,300,8,a,u,300,0
3,20,100,16,b,v,100,60
END
reservation=Created=5s,StartTime=10:00,Duration=1:00:00,NodeCnt=2,Accounts=b
ok 'a reservation' "$SIM" --trace kept.csv --nodes 2x8 --attempts \
	--until end --reservation $reservation --sched kill_time=5s \
	--set preempt=shadow
is "$(grep -E '^(1,0|2,0|3),' out | cut -d, -f 1-5)" '2,0,10,10,310
1,0,0,0,900
3,0,20,905,1005' \
	'who is in the way leaves when its minimum is over'
fails 2 '--reservation: a reservation needs StartTime, Duration, NodeCnt and Accounts' \
	--trace two.csv --nodes 1x8 --reservation NodeCnt=1
fails 2 '--reservation: unknown word "Nodes" (there are Created, StartTime, Duration, NodeCnt, Accounts)' \
	--trace two.csv --nodes 1x8 --reservation Nodes=1
fails 2 '--reservation: nothing behind the last comma' \
	--trace two.csv --nodes 1x8 --reservation NodeCnt=1,
fails 2 '--reservation: StartTime is before Created' --trace two.csv \
	--nodes 1x8 --reservation Created=2h,${reservation#*,}
fails 1 '--reservation: no account "z" in the workload' --trace two.csv \
	--nodes 1x8 --reservation "${reservation%b}z"
fails 1 '.: Is a directory' --trace . --nodes 1x8
fails 1 '--reservation: NodeCnt=2: the cluster has 1' --trace kept.csv \
	--nodes 1x8 --reservation "$reservation"

# ---- refused

fails 2 'no workload: --sacct, --swf, --trace or --generate'
fails 2 'one of --sacct, --swf, --trace and --generate' \
	--swf two.swf --trace two.csv
fails 2 '--nodes: how many nodes of how many GPUs, as 80x8?' --trace two.csv
fails 2 '"extra" is no option' --trace two.csv --nodes 1x8 extra
fails 2 'one of --json, --csv, --html and --attempts' --trace two.csv --nodes 1x8 \
	--json --csv
fails 2 '--attempts is of one run' --trace two.csv --nodes 1x8 --attempts \
	--seeds 2
fails 2 '--seeds: must be a whole number from 1 to 1000' --generate $small \
	--seeds 0
fails 2 '--seeds reads its file again and again, not -' --trace - \
	--nodes 1x8 --seeds 2
fails 2 '--policy: there is no policy "fair" (budget, multifactor, multifactor-qos, fifo, priority)' \
	--trace two.csv --nodes 1x8 --policy fair
fails 2 '--generate: begins with month-s1, month-s2, mixed or WORD=VALUE' \
	--generate month-s3
fails 1 'order=weighted is not simulated: other factors of priority are not known' \
	--trace two.csv --nodes 1x8 --set order=weighted
for by in qos partition; do
	fails 1 'preempt_by=qos and =partition are not simulated; see policy multifactor-qos' \
		--trace two.csv --nodes 1x8 --set preempt_by=$by
done
fails 2 '--tz: there is no time zone "Mars/Olympus", as Europe/Berlin or CET-1CEST,M3.5.0,M10.5.0/3' \
	--trace two.csv --nodes 1x8 --tz Mars/Olympus
fails 2 '--nodes: "8" is not NODESxGPUS[:TYPE][:CPUs=N][:RealMemory=MB][@WEIGHT], as 64x8:h100 or 64x8:CPUs=128:RealMemory=2T (1 to 65536 nodes of 1 to 64 GPUs, or 0 with CPUs, to 2048 CPUs and 256T, weight over 0 to 1000)' \
	--trace two.csv --nodes 8
fails 2 '--until: "x" is not a time (write it like 90, 1:30:00, 2-12:00, 90s, 15m, 4h or 2d)' \
	--trace two.csv --nodes 1x8 --until x
fails 2 '--model: unknown word "x" (there are users, limits, minimums, checkpoints, free, undeclared, minimum)' \
	--trace two.csv --nodes 1x8 --model x
fails 1 'none.csv: No such file or directory' --trace none.csv --nodes 1x8
"$SIM" --trace two.csv --nodes 1x8 --set burst=x >out 2>err
is "$? $(grep -c burst err)" '2 1' 'refused: --set burst=x'
"$SIM" --colour >out 2>err
is "$? $(grep -c 'sbudget-sim --help' err)" '2 1' 'refused: --colour'
"$SIM" --generate $small --compare budget colour=red >out 2>err
is "$? $(grep -c colour err)" '2 1' 'refused: an unknown word of a variant'

# ---- help

ok '--help' "$SIM" --help
# Every option is in the manual and in the completion.
grep -o -- '--[a-z]*' out | sort -u | while read -r option; do
	case $option in
	--help|--usage) ;;
	*)
		grep -qF -- "\\-\\-${option#--}\\fR" "$top/man/sbudget-sim.1" &&
			grep -q -- "$option" "$top/completion/sbudget-sim" ||
			printf '%s\n' "$option" ;;
	esac
done >missing
is "$(cat missing)" '' 'manual and completion have every option'
ok '--version' "$SIM" --version
is "$(sed 's/ .*//' out)" sbudget-sim '--version'

# ---- the README's five lines, with commands that answer as Slurm's do

mkdir bin
ln -s "$SIM" bin/sbudget-sim
cat >bin/sacct <<'END'
#!/bin/bash
# The columns that are asked for
fields=
while [ $# -gt 0 ]; do
	[ "$1" != -o ] || fields=$2
	shift
done
[ "$fields" = "$(head -n 1 sacct.txt | tr '|' ,)" ] || exit 1
cat sacct.txt
END
printf '#!/bin/sh\n[ "$*" = "plan export plan.json" ]\n' >bin/sbudget
chmod +x bin/sacct bin/sbudget
awk '/^Try it on last/ { on = 1 }
	/^Install/ { on = 0 }
	on && /^    / { sub(/^    (\$ )?/, ""); print }' "$top/README" >readme.sh
is "$(wc -l <readme.sh | tr -d ' ')" 6 'the README has five commands'
ok "the README's commands run" env PATH="$work/bin:$PATH" bash -e readme.sh
is "$(grep -c '^  *budget  multifactor$' out)" 1 'and show two columns'

printf '1..%d\n' $count
