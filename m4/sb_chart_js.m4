# SPDX-License-Identifier: GPL-2.0-or-later
#
# SB_CHART_JS - Chart.js 3 or 4, which draws the charts of HTML reports.
#
# Its file is read when we are built and becomes part of the programs; nothing
# is needed where they run.  Without it everything else is built, and --html is
# refused with a message that says so.
# Sets: CHART_JS, a path or empty; sb_chart_js, for the summary

AC_DEFUN([SB_CHART_JS], [
	AC_ARG_WITH([chart-js],
		[AS_HELP_STRING([--with-chart-js=FILE],
			[chart.min.js of Chart.js 3 or 4 @<:@Debian's@:>@])],
		[], [with_chart_js=auto])
	AC_MSG_CHECKING([for Chart.js])
	CHART_JS=
	AS_CASE([$with_chart_js],
		[no], [],
		[auto | yes], [
			for sb_file in chart.umd.js chart.min.js; do
				sb_file=/usr/share/javascript/chart.js/$sb_file
				AS_IF([test -r $sb_file],
					[CHART_JS=$sb_file; break])
			done],
		[CHART_JS=$with_chart_js])
	AS_IF([test -z "$CHART_JS"], [sb_chart_js=no],
		[head -c 400 "$CHART_JS" 2>/dev/null |
			grep 'Chart\.js v@<:@34@:>@' >/dev/null],
		[sb_chart_js=yes],
		[test "$with_chart_js" = auto],
		[CHART_JS=; sb_chart_js=no],
		[AC_MSG_ERROR([$CHART_JS is not Chart.js 3 or 4])])
	AS_IF([test -z "$CHART_JS" && test "$with_chart_js" = yes],
		[AC_MSG_ERROR([Chart.js is missing. Install it, on Debian:
    apt-get install libjs-chart.js])])
	AC_MSG_RESULT([${CHART_JS:-no}])
	AC_SUBST([CHART_JS])
])
