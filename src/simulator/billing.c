/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "billing.h"
#include "cell.h"

/* Largest weight: more than one GPU costs anywhere. */
#define WEIGHT_MAX 1e9

/* What is charged. */
typedef struct {
	double cpus, mem, nodes;
	double gpus;
	double priced;		/* GPUs times the weight of their node */
} amount_t;

static double largest(double a, double b)
{
	return a > b ? a : b;
}

static double part_of(double amount, uint64_t all)
{
	return all ? amount / (double) all : 0;
}

static double dominant(const machine_t *machine, const amount_t *amount)
{
	return largest(part_of(amount->gpus, machine->total),
		       largest(part_of(amount->cpus, machine->cpus),
			       part_of(amount->mem, machine->mem)));
}

static double bill(const sim_t *sim, const amount_t *amount)
{
	const engine_weights_t *weights = &sim->options->weights;
	double cpus = amount->cpus * weights->cpu;
	double mem = amount->mem * weights->mem;
	double nodes = amount->nodes * weights->node;
	double gpus = amount->priced * weights->gpu;

	switch (sim->options->charge) {
	case ENGINE_CHARGE_SUM:
		return floor(cpus + mem + nodes + gpus);
	case ENGINE_CHARGE_MAX:
		return floor(largest(largest(cpus, mem),
				     largest(nodes, gpus)));
	case ENGINE_CHARGE_DRF:
		return dominant(&sim->machine, amount) *
		       (double) sim->machine.total;
	case ENGINE_CHARGE_GPU:
		break;
	}
	return amount->priced;
}

static amount_t amount_of(const need_t *need)
{
	return (amount_t) {
		.cpus = (double) need->nodes * need->host.cpus,
		.mem = (double) need->nodes * need->host.mem,
		.nodes = need->nodes,
		.gpus = (double) need->nodes * need->gpus,
	};
}

extern double billing_rate(const sim_t *sim, const need_t *need,
			   const uint32_t *nodes)
{
	amount_t amount = amount_of(need);

	for (uint32_t i = 0; i < need->nodes; i++)
		amount.priced += need->gpus * sim->machine.weight[nodes[i]];
	return bill(sim, &amount);
}

extern double billing_capacity(const sim_t *sim)
{
	const machine_t *machine = &sim->machine;
	double sum = 0;

	if (sim->options->charge == ENGINE_CHARGE_DRF)
		return (double) machine->total;
	for (uint32_t i = 0; i < machine->count; i++) {
		amount_t amount = {
			.nodes = 1, .gpus = machine->size[i],
			.priced = machine->size[i] * machine->weight[i],
		};

		if (machine->host_size) {
			amount.cpus = machine->host_size[i].cpus;
			amount.mem = machine->host_size[i].mem;
		}
		sum += bill(sim, &amount);
	}
	return sum;
}

extern double billing_dominant(const sim_t *sim, const need_t *need)
{
	amount_t amount = amount_of(need);

	return dominant(&sim->machine, &amount);
}

/* ---------------------------------------------------------------- weights */

static const struct {
	const char *name;
	size_t offset;
} names[] = {
	{ "CPU", offsetof(engine_weights_t, cpu) },
	{ "Mem", offsetof(engine_weights_t, mem) },
	{ "Node", offsetof(engine_weights_t, node) },
	{ "GRES/gpu", offsetof(engine_weights_t, gpu) },
};
#define NAMES (sizeof(names) / sizeof(*names))

/* RET: index, NAMES: none. */
static size_t find(const char *name, size_t len)
{
	size_t i = 0;

	while (i < NAMES && (strlen(names[i].name) != len ||
			     strncasecmp(names[i].name, name, len)))
		i++;
	return i;
}

extern bool billing_knows(const char *name, size_t len)
{
	return find(name, len) < NAMES;
}

/* How many MB the unit of a weight is; 0: no unit. */
static double unit_of(char c)
{
	switch (c) {
	case 'K': case 'k':
		return 1.0 / 1024;
	case 'M': case 'm':
		return 1;
	case 'G': case 'g':
		return 1024;
	case 'T': case 't':
		return 1024 * 1024;
	case 'P': case 'p':
		return 1024.0 * 1024 * 1024;
	}
	return 0;
}

/* RET: false: no weight. */
static bool take_weight(const char *text, size_t len, bool mem, double *weight)
{
	double unit = mem && len ? unit_of(text[len - 1]) : 0;

	if (unit > 0)
		len--;
	if (!cell_real(text, len, weight) || *weight > WEIGHT_MAX)
		return false;
	if (unit > 0)
		*weight /= unit;
	return true;
}

extern int billing_weight(engine_weights_t *weights, const char *name,
			  size_t name_len, const char *value,
			  size_t value_len, sb_err_t *err)
{
	size_t index = find(name, name_len);
	char shown[64];

	if (index == NAMES)
		return sb_err_set(err, "weights: there is no \"%s\" here (CPU, Mem, Node, GRES/gpu; types of GPUs have theirs in --nodes)",
				  sb_err_quote(shown, sizeof(shown), name,
					       name_len));
	if (take_weight(value, value_len, names[index].offset ==
			offsetof(engine_weights_t, mem),
			(double *) ((char *) weights + names[index].offset)))
		return 0;
	return sb_err_set(err, "%s=%s: a weight from 0 to %g%s",
			  names[index].name,
			  sb_err_quote(shown, sizeof(shown), value, value_len),
			  WEIGHT_MAX, names[index].offset ==
			  offsetof(engine_weights_t, mem) ?
			  ", for each MB, or with G for each GB" : "");
}
