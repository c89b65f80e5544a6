/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The charts of the report. Everything they draw is in the element "data". */
"use strict";
(function () {
	const page = JSON.parse(document.getElementById("data").textContent);
	/* One report, or several side by side: times are those of the first. */
	const runs = page.runs || null;
	const data = runs ? runs[0] : page;
	const root = document.documentElement;
	const charts = [];
	const HOUR = 3600, DAY = 86400;

	/* ---- colours ---------------------------------------------------- */

	function colour(name) {
		return getComputedStyle(root).getPropertyValue("--" + name)
			.trim();
	}

	const TEAMS = ["blue", "orange", "green", "red", "purple", "sky"];
	/* In the order of the waits' curves; a dash tells two of one hue. */
	const KINDS = {
		debug: ["green", []],
		interactive: ["blue", [6, 3]],
		large: ["red", []],
		other: ["grey", [2, 3]],
		free: ["orange", [8, 3, 2, 3]],
		requeued: ["purple", [3, 3]]
	};

	/* ---- numbers and times ------------------------------------------ */

	/* Not all is not all, however little is missing. */
	function percent(share, digits) {
		if (share === null)
			return "-";
		if (share < 1 && share >= 0.9995)
			share = 0.999;
		return (share * 100).toFixed(digits === undefined ? 1 : digits)
			+ " %";
	}

	function number(value) {
		return value.toLocaleString("en", { maximumFractionDigits:
			value < 100 ? 1 : 0 });
	}

	function span(seconds) {
		if (seconds < 60)
			return seconds + " s";
		if (seconds < HOUR)
			return Math.round(seconds / 60) + " min";
		if (seconds < DAY)
			return Math.round(seconds / HOUR * 10) / 10 + " h";
		return Math.round(seconds / DAY * 10) / 10 + " d";
	}

	function formatter(options) {
		options.timeZone = data.zone;
		try {
			return new Intl.DateTimeFormat("en-GB", options);
		} catch (error) {
			options.timeZone = "UTC";
			return new Intl.DateTimeFormat("en-GB", options);
		}
	}
	const dayFormat = formatter({ day: "numeric", month: "short" });
	const longFormat = formatter({ day: "numeric", month: "long",
		year: "numeric", hour: "2-digit", minute: "2-digit",
		hourCycle: "h23" });
	const clockFormat = formatter({ hour: "2-digit", minute: "2-digit",
		hourCycle: "h23" });

	function clock(time) {
		return data.relative ?
			String(Math.floor(time % DAY / HOUR)).padStart(2, "0")
			+ ":00" : clockFormat.format(time * 1000);
	}

	function day(time) {
		return data.relative ? "day " + Math.floor(time / DAY) :
			dayFormat.format(time * 1000);
	}

	function moment(time) {
		return data.relative ? day(time) + " " + clock(time) :
			longFormat.format(time * 1000);
	}

	/* Midnights of the report's zone, or hours of a short period: no more
	 * than so many. */
	function timeTicks(most) {
		const all = [], length = data.until - data.from;
		const hours = length <= 3 * DAY;
		const first = Math.ceil(data.from / HOUR) * HOUR;

		for (let t = first; t <= data.until; t += HOUR)
			if (hours || clock(t) === "00:00")
				all.push(t);
		const sizes = hours ? [1, 2, 3, 6, 12, 24] :
			[1, 2, 7, 14, 28, 56, 112, 364];
		const size = sizes.find(s => all.length / s <= most) || 364;
		return all.filter((t, i) => hours ?
			Number(clock(t).slice(0, 2)) % size === 0 :
			i % size === 0)
			.map(t => ({ value: t }));
	}

	function timeLabel(time) {
		if (data.until - data.from <= 3 * DAY &&
		    clock(time) !== "00:00")
			return clock(time);
		return day(time);
	}

	/* ---- charts ----------------------------------------------------- */

	function timeScale(most) {
		return {
			type: "linear",
			min: data.from,
			max: data.until,
			grid: { color: colour("line") },
			ticks: {
				color: colour("muted"),
				maxRotation: 0,
				autoSkip: false,
				callback: timeLabel
			},
			afterBuildTicks: scale => {
				scale.ticks = timeTicks(most);
			}
		};
	}

	function valueScale(title, ticks) {
		return {
			beginAtZero: true,
			grid: { color: colour("line") },
			ticks: {
				color: colour("muted"),
				maxTicksLimit: ticks || 6,
				callback: value => number(value)
			},
			title: {
				display: !!title,
				text: title,
				color: colour("muted")
			}
		};
	}

	function legend(shown, lines) {
		return {
			display: shown,
			position: "top",
			align: "start",
			labels: {
				color: colour("ink"),
				usePointStyle: !!lines,
				pointStyle: "line",
				pointStyleWidth: 30,
				boxWidth: lines ? 30 : 20,
				boxHeight: 8,
				padding: 16
			}
		};
	}

	/* Each at the middle of what it is the average of. */
	function points(values, step) {
		return values.map((value, i) => ({
			x: (data.from + i * step + Math.min(data.until,
				data.from + (i + 1) * step)) / 2,
			y: value
		}));
	}

	/* A round number that is just above. */
	function roundUp(value) {
		const size = Math.pow(10, Math.floor(Math.log10(value / 5)));
		const step = [1, 2, 2.5, 5, 10].map(n => n * size)
			.find(n => n * 5 >= value) || value;

		return value > 0 ? Math.ceil(value * 1.01 / step) * step : 1;
	}

	/* A chart is made by a function, so that it can be made again in the
	 * colours of paper or of the night. */
	function draw(canvas, make) {
		if (canvas)
			charts.push({ canvas: canvas, make: make,
				chart: null });
	}

	function render() {
		Chart.defaults.font.family =
			getComputedStyle(document.body).fontFamily;
		Chart.defaults.font.size = 12;
		Chart.defaults.animation = false;
		Chart.defaults.responsive = true;
		Chart.defaults.maintainAspectRatio = false;
		for (const one of charts) {
			if (one.chart)
				one.chart.destroy();
			one.chart = new Chart(one.canvas, one.make());
		}
	}

	function byId(id) {
		return document.getElementById(id);
	}

	/* ---- delivered / owed ------------------------------------------- */

	/* Beyond MOST only the number beside the bar tells. */
	const GOOD = 0.95, FAIR = 0.9, MOST = 1.5;

	/* A value at the end of each bar, and the line that good teams pass. */
	const labels = {
		id: "labels",
		afterDatasetsDraw: function (chart) {
			const context = chart.ctx, scale = chart.scales.x;

			context.save();
			context.font = "12px " + Chart.defaults.font.family;
			context.textBaseline = "middle";
			context.fillStyle = colour("ink");
			chart.getDatasetMeta(0).data.forEach((bar, i) => {
				context.fillText(chart.data.texts[i],
					bar.x + 6, bar.y);
			});
			if (chart.data.mark !== undefined) {
				const x = scale.getPixelForValue(
					chart.data.mark);

				context.strokeStyle = colour("ink");
				context.setLineDash([4, 3]);
				context.beginPath();
				context.moveTo(x, chart.chartArea.top);
				context.lineTo(x, chart.chartArea.bottom);
				context.stroke();
				context.fillStyle = colour("muted");
				context.textAlign = "center";
				context.fillText(chart.data.markText, x,
					chart.chartArea.top - 9);
			}
			context.restore();
		}
	};

	function barOptions(max, step, callback, tooltip) {
		return {
			indexAxis: "y",
			layout: { padding: { top: 18, right: 64 } },
			plugins: {
				legend: legend(false),
				tooltip: { callbacks: { label: tooltip } }
			},
			scales: {
				x: {
					min: 0,
					max: max,
					grid: { color: colour("line") },
					ticks: {
						color: colour("muted"),
						stepSize: step,
						maxRotation: 0,
						callback: callback
					}
				},
				y: {
					grid: { display: false },
					ticks: {
						color: colour("ink"),
						autoSkip: false
					}
				}
			}
		};
	}

	function shorten(name) {
		return name.length > 24 ? name.slice(0, 23) + "…" : name;
	}

	function delivered() {
		const teams = data.teams.filter(t => t.ratio !== null)
			.sort((a, b) => b.ratio - a.ratio);
		const top = Math.max(1, ...teams.map(t => t.ratio));

		return {
			type: "bar",
			plugins: [labels],
			data: {
				labels: teams.map(t => shorten(t.name)),
				texts: teams.map(t => percent(t.ratio)),
				mark: GOOD,
				markText: "95 %",
				datasets: [{
					data: teams.map(t =>
						Math.min(t.ratio, MOST)),
					maxBarThickness: 22,
					backgroundColor: teams.map(t =>
						colour(t.ratio >= GOOD ?
							"blue" :
							t.ratio >= FAIR ?
							"orange" : "red"))
				}]
			},
			options: barOptions(Math.min(MOST,
				Math.ceil(top * 4) / 4), 0.25,
				value => percent(value, 0),
				item => {
					const t = teams[item.dataIndex];

					return number(t.delivered_hours) +
						" of " + number(t.owed_hours) +
						" " + data.unit + "-hours";
				})
		};
	}

	function setUpDelivered() {
		const box = byId("box-delivered");
		const count = data.teams.filter(t => t.ratio !== null).length;

		if (!box)
			return;
		box.style.height = 70 + 27 * count + "px";
		draw(byId("delivered"), delivered);
	}

	/* ---- usage against budget --------------------------------------- */

	function line(values, step, color, more) {
		return Object.assign({
			data: points(values, step),
			borderColor: color,
			borderWidth: 1.5,
			pointRadius: 0,
			fill: false
		}, more);
	}

	function usage(team) {
		return {
			type: "line",
			data: { datasets: [
				line(team.used, data.small_step,
					colour("blue"),
					{ label: "used" }),
				line(team.budget, data.small_step,
					colour("muted"),
					{ borderDash: [4, 3],
					  label: "budget" }),
				line(team.owed, data.small_step,
					colour("fill"),
					{ label: "owed", fill: "origin",
					  borderWidth: 0,
					  backgroundColor: colour("fill") })
			] },
			options: {
				plugins: { legend: legend(false),
					tooltip: timeTip() },
				interaction: { mode: "index",
					intersect: false },
				scales: {
					x: timeScale(4),
					y: valueScale("", 4)
				}
			}
		};
	}

	function timeTip() {
		return { callbacks: {
			title: items => moment(items[0].parsed.x),
			label: item => item.dataset.label + ": " +
				number(item.parsed.y) + " " + data.unit + "s"
		} };
	}

	/* A place in a grid. Returns its canvas. */
	function smallChart(grid, title, text, label) {
		const box = document.createElement("div");
		const head = document.createElement("h3");
		const name = document.createElement("span");
		const note = document.createElement("span");
		const frame = document.createElement("div");
		const canvas = document.createElement("canvas");

		box.className = "mini";
		name.textContent = title;
		name.title = title;
		note.textContent = text;
		head.append(name, note);
		canvas.setAttribute("role", "img");
		canvas.setAttribute("aria-label", label);
		frame.append(canvas);
		box.append(head, frame);
		grid.append(box);
		return canvas;
	}

	function setUpUsage() {
		const grid = byId("usage");

		if (!grid)
			return;
		for (const team of data.teams)
			draw(smallChart(grid, team.name, team.ratio === null ?
				"no budget" : percent(team.ratio) + " of owed",
				"Usage against budget of " + team.name),
				() => usage(team));
	}

	/* ---- cluster ---------------------------------------------------- */

	function occupancy() {
		const cluster = data.cluster;
		const most = Math.max(...cluster.installed,
			...cluster.budgeted.map((value, i) =>
				value + cluster.unallocated[i]));
		const area = (label, values, name, down) => line(values,
			data.step, colour(name), { label: label, fill: down, stack: "use",
				backgroundColor: colour(name) + "b0",
				borderWidth: 0 });

		return {
			type: "line",
			data: { datasets: [
				line(cluster.available, data.step,
					colour("ink"),
					{ label: "available", stack: "up" }),
				area("budgeted", cluster.budgeted, "blue",
					"origin"),
				area("unallocated", cluster.unallocated,
					"orange", "-1")
			] },
			options: {
				plugins: { legend: legend(true),
					tooltip: timeTip() },
				interaction: { mode: "index",
					intersect: false },
				scales: {
					x: timeScale(10),
					y: Object.assign(
						valueScale(data.unit + "s"),
						{ stacked: true,
						  max: roundUp(most) })
				}
			}
		};
	}

	function pyramidOptions(most, levels) {
		const options = barOptions(most || undefined, undefined,
			value => number(value), item => " " +
			number(levels[item.dataIndex][1]) + " " + data.unit +
			"-hours");

		options.layout = { padding: {
			right: Math.min(240, innerWidth * 0.45)
		} };
		options.scales.x.display = false;
		return options;
	}

	function pyramid() {
		const t = data.totals;
		const kept = t.allocated_hours - t.lost_preempted_hours -
			t.lost_failed_hours;
		const levels = [
			["installed", t.total_hours, "grey", ""],
			["available", t.available_hours, "sky",
				percent(t.availability) + " of installed"],
			["allocated", t.allocated_hours, "blue",
				percent(t.occupancy) + " of available"],
			["kept", kept, "green",
				percent(t.impact) + " of allocated"]
		];

		if (t.utilisation !== null && t.utilisation_known > 0.5)
			levels.push(["busy", t.utilisation *
				t.allocated_hours, "purple",
				percent(t.utilisation) + " of allocated"]);
		return {
			type: "bar",
			plugins: [labels],
			data: {
				labels: levels.map(l => l[0]),
				texts: levels.map(l => number(l[1]) + " " +
					data.unit + "-h" + (l[3] ?
					", " + l[3] : "")),
				datasets: [{
					data: levels.map(l => l[1]),
					maxBarThickness: 24,
					backgroundColor: levels.map(l =>
						colour(l[2]))
				}]
			},
			options: pyramidOptions(t.total_hours, levels)
		};
	}

	/* ---- waits ------------------------------------------------------ */

	const WAIT_TICKS = [1, 10, 60, 600, HOUR, 6 * HOUR, DAY, 7 * DAY];

	function waits() {
		return {
			type: "line",
			data: { datasets: data.waits.map(kind => {
				const style = KINDS[kind.name] || ["grey", []];

				return {
					label: kind.name + " (" +
						number(kind.jobs) + ")",
					data: kind.curve.map((y, i) =>
						({ x: data.marks[i], y: y })),
					borderColor: colour(style[0]),
					backgroundColor: colour(style[0]),
					borderDash: style[1],
					borderWidth: 2,
					pointRadius: 0,
					fill: false
				};
			}) },
			options: {
				plugins: {
					legend: legend(true, true),
					tooltip: { callbacks: {
						title: items => "within " +
							span(items[0].parsed.x),
						label: item =>
							item.dataset.label +
							": " + percent(
								item.parsed.y)
					} }
				},
				interaction: { mode: "index",
					intersect: false },
				scales: {
					x: {
						type: "logarithmic",
						min: 1,
						max: 14 * DAY,
						grid: { color: colour("line") },
						title: {
							display: true,
							text: "time waited",
							color: colour("muted")
						},
						ticks: {
							color: colour("muted"),
							maxRotation: 0,
							autoSkip: false,
							callback: span
						},
						afterBuildTicks: scale => {
							scale.ticks = WAIT_TICKS
							.map(t =>
							({ value: t }));
						}
					},
					y: {
						min: 0,
						max: 1,
						grid: { color: colour("line") },
						title: {
							display: true,
							text: "jobs started",
							color: colour("muted")
						},
						ticks: {
							color: colour("muted"),
							callback: value =>
								percent(value,
									0)
						}
					}
				}
			}
		};
	}

	/* ---- nodes over time -------------------------------------------- */

	function gantt() {
		const lanes = Math.max(...data.bars.map(b => b[0])) + 1;
		const named = Math.min(data.teams.length, TEAMS.length);
		const sets = [];

		for (let i = 0; i <= named; i++)
			sets.push({
				label: i < named ? data.teams[i].name :
					"others",
				data: [],
				backgroundColor: colour(i < named ? TEAMS[i] :
					"grey"),
				barPercentage: 0.9,
				categoryPercentage: 1,
				grouped: false
			});
		for (const bar of data.bars) {
			const team = bar[1] < 0 || bar[1] >= named ? named :
				bar[1];

			sets[team].data.push({ x: [bar[2], bar[3]],
				y: "n" + bar[0] });
		}
		return {
			type: "bar",
			data: {
				labels: Array.from({ length: lanes },
					(_, i) => "n" + i),
				datasets: sets.filter(s => s.data.length)
			},
			options: {
				indexAxis: "y",
				plugins: {
					legend: legend(true),
					tooltip: { callbacks: {
						label: item => item.dataset
							.label + ": " +
							moment(item.raw.x[0]) +
							" to " +
							moment(item.raw.x[1])
					} }
				},
				scales: {
					x: timeScale(10),
					y: {
						grid: { display: false },
						ticks: {
							color: colour("muted"),
							maxTicksLimit: 32
						}
					}
				}
			}
		};
	}

	function setUpGantt() {
		const box = byId("box-gantt");

		if (!box || !data.bars.length)
			return;
		const lanes = Math.max(...data.bars.map(b => b[0])) + 1;

		box.style.height = 90 + Math.max(6, Math.min(20,
			900 / lanes)) * lanes + "px";
		draw(byId("gantt"), gantt);
	}

	/* ---- several reports, side by side ------------------------------ */

	/* So many are drawn; all are in the tables. */
	const RUNS_MAX = TEAMS.length;
	const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3], [3, 3], [10, 4]];
	const drawn = runs ? runs.slice(0, RUNS_MAX) : [];

	function sideDelivered() {
		const names = data.teams.map(t => t.name);
		const ratio = (run, name) => {
			const team = run.teams.find(t => t.name === name);

			return team ? team.ratio : null;
		};
		const top = Math.max(1, ...drawn.map(run => Math.max(0,
			...names.map(name => ratio(run, name)))));
		const options = barOptions(Math.min(MOST,
			Math.ceil(top * 4) / 4), 0.25,
			value => percent(value, 0),
			item => item.dataset.label + ": " + percent(
				ratio(drawn[item.datasetIndex],
					names[item.dataIndex])));

		options.plugins.legend = legend(true);
		options.layout = {};
		return {
			type: "bar",
			data: {
				labels: names.map(shorten),
				datasets: drawn.map((run, i) => ({
					label: shorten(run.name),
					data: names.map(name => {
						const r = ratio(run, name);

						return r === null ? null :
							Math.min(r, MOST);
					}),
					maxBarThickness: 14,
					backgroundColor: colour(TEAMS[i])
				}))
			},
			options: options
		};
	}

	function share(run) {
		return run.cluster.available.map((all, i) => all > 0 ?
			(run.cluster.budgeted[i] + run.cluster.unallocated[i])
			/ all : null);
	}

	function sideLine(run, i, values) {
		return {
			label: shorten(run.name),
			data: values,
			borderColor: colour(TEAMS[i]),
			backgroundColor: colour(TEAMS[i]),
			borderDash: DASHES[i],
			borderWidth: 1.5,
			pointRadius: 0,
			fill: false
		};
	}

	function shareScale(title) {
		return {
			min: 0,
			grid: { color: colour("line") },
			title: { display: !!title, text: title,
				color: colour("muted") },
			ticks: { color: colour("muted"), maxTicksLimit: 6,
				callback: value => percent(value, 0) }
		};
	}

	function sideOccupancy() {
		return {
			type: "line",
			data: { datasets: drawn.map((run, i) => sideLine(run, i,
				points(share(run), run.step))) },
			options: {
				plugins: {
					legend: legend(true, true),
					tooltip: { callbacks: {
						title: items =>
							moment(items[0].parsed.x),
						label: item =>
							item.dataset.label +
							": " + percent(
								item.parsed.y)
					} }
				},
				interaction: { mode: "index", intersect: false },
				scales: {
					x: timeScale(10),
					y: shareScale("of what was available")
				}
			}
		};
	}

	/* The small form of the waits' curves: one class, all runs. */
	function sideWaits(kind) {
		const chart = waits();
		const options = chart.options;

		chart.data.datasets = [];
		drawn.forEach((run, i) => {
			const one = run.waits.find(w => w.name === kind);

			if (one)
				chart.data.datasets.push(sideLine(run, i,
					one.curve.map((y, m) =>
						({ x: data.marks[m], y: y }))));
		});
		options.plugins.legend = legend(false);
		options.scales.x.title.display = false;
		options.scales.y.title.display = false;
		options.scales.y.ticks.maxTicksLimit = 4;
		options.scales.x.afterBuildTicks = scale => {
			scale.ticks = [1, 60, HOUR, DAY].map(t => ({ value: t }));
		};
		return chart;
	}

	function sidePreempted() {
		const t = drawn.map(run => run.totals);
		const most = Math.max(1, ...t.map(one => one.preemptions));
		const options = barOptions(most * 1.05, undefined,
			value => number(value), item => " " +
			number(t[item.dataIndex].preemptions) + " preemptions");

		options.layout = { padding: {
			right: Math.min(240, innerWidth * 0.45)
		} };
		options.scales.x.display = false;
		return {
			type: "bar",
			plugins: [labels],
			data: {
				labels: drawn.map(run => shorten(run.name)),
				texts: t.map((one, i) =>
					number(one.preemptions) + ", " +
					number(one.lost_preempted_hours) +
					" " + drawn[i].unit + "-h lost"),
				datasets: [{
					data: t.map(one => one.preemptions),
					maxBarThickness: 24,
					backgroundColor: drawn.map((run, i) =>
						colour(TEAMS[i]))
				}]
			},
			options: options
		};
	}

	/* One legend for all the small charts. */
	function sideNames() {
		drawn.forEach((run, i) => {
			const key = document.createElement("i");

			key.className = "key key" + i;
			byId("side-names").append(key, shorten(run.name));
		});
	}

	function setUpSides() {
		const kinds = new Set();

		for (const run of runs)
			data.until = Math.max(data.until, run.until);
		for (const run of drawn)
			run.waits.forEach(one => kinds.add(one.name));
		byId("box-side-delivered").style.height = 90 + data.teams.length
			* Math.max(27, 15 * drawn.length) + "px";
		byId("box-side-preempted").style.height =
			30 + 32 * drawn.length + "px";
		draw(byId("side-delivered"), sideDelivered);
		draw(byId("side-occupancy"), sideOccupancy);
		sideNames();
		for (const kind of kinds)
			draw(smallChart(byId("side-waits"), kind, "",
				"Waits of jobs of class " + kind),
				() => sideWaits(kind));
		draw(byId("side-preempted"), sidePreempted);
	}

	function setUpOne() {
		setUpDelivered();
		setUpUsage();
		draw(byId("occupancy"), occupancy);
		draw(byId("pyramid"), pyramid);
		draw(byId("waits"), waits);
		setUpGantt();
	}

	/* ---- start ------------------------------------------------------ */

	if (runs)
		setUpSides();
	else
		setUpOne();
	byId("period").textContent = moment(data.from) + " to " +
		moment(data.until) + (data.relative ? "" : " (" +
		longFormat.resolvedOptions().timeZone + ")");
	render();

	matchMedia("(prefers-color-scheme: dark)")
		.addEventListener("change", render);
	addEventListener("beforeprint", () => {
		root.classList.add("paper");
		render();
	});
	addEventListener("afterprint", () => {
		root.classList.remove("paper");
		render();
	});
	root.dataset.charts = charts.length;
})();
