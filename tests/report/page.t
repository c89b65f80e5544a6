#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# page.t - the page of a report in a real browser (TAP): every chart draws
# something, nothing complains, nothing is loaded, no name becomes markup.
# MAKE_REPORT is the program that writes the pages.

set -u
export LC_ALL=C

count=0
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM HUP

browser=$(command -v chromium || command -v chromium-browser ||
	command -v google-chrome)

ok()
{
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		printf 'ok %d - %s\n' $count "$2"
	else
		printf 'not ok %d - %s\n' $count "$2"
		head -c 2000 "$dir/seen" | sed 's/^/# /'
		tail -n 5 "$dir/log" | sed 's/^/# /'
	fi
}

# browse FILE ARGUMENT...: the page as the browser has it after its scripts
browse()
{
	local file=$1

	shift
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--disable-dev-shm-usage --disable-background-networking \
		--disable-component-update --disable-sync --no-first-run \
		--user-data-dir="$dir/profile" --window-size=1280,1000 \
		--virtual-time-budget=10000 "$@" --dump-dom "file://$file" \
		2>"$dir/log"
}

# Complaints are collected before anything else runs; when all is loaded, what
# there is to see goes into an attribute of the body.
first='<script>
var complaints = [];
window.onerror = function (text) { complaints.push(String(text)); };
window.alert = function () { complaints.push("a name was run"); };
console.error = console.warn = function () {
	complaints.push(Array.from(arguments).join(" "));
};
var barred = false;
document.addEventListener("securitypolicyviolation", function (event) {
	if (event.blockedURI.indexOf("198.51.100.1") >= 0)
		barred = true;
	else
		complaints.push("loads " + event.blockedURI);
});
</script>'
# shellcheck disable=SC2016  # not for the shell
last='<script>
addEventListener("load", function () {
	new Image().src = "http://198.51.100.1/";
	setTimeout(function () {
	var drawn = 0, tight = [];
	var all = Array.from(document.querySelectorAll("canvas"));
	all.forEach(function (canvas) {
		var chart = Chart.getChart(canvas);
		var pixels = canvas.width && canvas.height ?
			canvas.getContext("2d").getImageData(0, 0,
			canvas.width, canvas.height).data : [];
		if (pixels.some(function (part) { return part; }))
			drawn++;
		Object.values(chart ? chart.scales : {}).forEach(function (s) {
			var room = s.isHorizontal() ? s.width : s.height;
			var need = s.isHorizontal() ? 28 : 11;
			var labels = s.options.display ? s.ticks.length : 0;
			if (labels > 1 && room / (labels - 1) < need)
				tight.push(canvas.id + " " + s.axis);
		});
	});
	dispatchEvent(new Event("beforeprint"));
	var main = document.querySelector("main").getBoundingClientRect();
	var fits = main.width <= 680 && all.every(function (canvas) {
		return canvas.getBoundingClientRect().right <= main.right;
	});
	document.body.dataset.seen = "canvases=" + all.length + " drawn=" +
		drawn + " charts=" + document.documentElement.dataset.charts +
		" tight=[" + tight + "] overflow=" +
		(document.documentElement.scrollWidth > innerWidth) +
		" paper=" + fits +
		" dark=" + matchMedia("(prefers-color-scheme: dark)").matches +
		" barred=" + barred +
		" complaints=[" + complaints.join("; ") + "]";
}, 100); });
</script>'

# look KIND ARGUMENT...: what the browser saw, in $dir/seen
look()
{
	local kind=$1 page

	shift
	page=$("$MAKE_REPORT" "$kind" html; printf .) || return 1
	page=${page%.}
	page=${page/"<head>"/"<head>$first"}
	printf '%s' "${page%"</body>"*}$last</body></html>" >"$dir/page.html"
	browse "$dir/page.html" "$@" >"$dir/dom"
	grep -o 'data-seen="[^"]*"' "$dir/dom" | tail -n 1 >"$dir/seen"
}

# sees TEXT NAME: it is part of what the browser saw
sees()
{
	grep -qF -- "$1" "$dir/seen"
	ok $? "$2"
}

if [ -z "$browser" ]; then
	echo "1..0 # SKIP no chromium here"
	exit 0
fi
if ! "$MAKE_REPORT" empty html >/dev/null 2>&1; then
	echo "1..0 # SKIP built without a chart library"
	exit 0
fi
printf '<p>alive</p>\n' >"$dir/alive.html"
if ! browse "$dir/alive.html" | grep -q alive; then
	echo "1..0 # SKIP the browser does not run here"
	exit 0
fi

# 4 charts of all, one for each of 15 teams, and the nodes of a short period
look month
sees "canvases=19 drawn=19 charts=19" "a month: every chart draws"
sees "barred=true complaints=[]" "a month: nothing complains or can load"
sees "tight=[] overflow=false paper=true" "a month: labels and tables have room"
look month --blink-settings=preferredColorScheme=0
sees "canvases=19 drawn=19 charts=19" "by night: every chart draws"
sees "dark=true barred=true complaints=[]" "by night: nothing complains"
look day
sees "canvases=20 drawn=20 charts=20" "a day with nodes: every chart draws"
sees "tight=[] overflow=false paper=true dark=false barred=true complaints=[]" \
	"a day with nodes: there is room, nothing complains"
look hostile
sees "canvases=20 drawn=20 charts=20" "hostile names: every chart draws"
sees "barred=true complaints=[]" "hostile names: none is run"
# 3 charts of all, and one for each of 5 classes of jobs
look sides
sees "canvases=8 drawn=8 charts=8" "side by side: every chart draws"
sees "tight=[] overflow=false paper=true dark=false barred=true complaints=[]" \
	"side by side: there is room, nothing complains, no name is run"
look empty
sees "complaints=[]" "nothing at all: nothing complains"

echo "1..$count"
