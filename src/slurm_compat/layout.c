/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE		/* dladdr1(), pipe2() */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include "layout.h"
#include "near_miss.h"

/* xmalloc() puts a cookie and the size in front of what it gives. */
typedef struct {
	size_t cookie;
	size_t size;
} block_head_t;

extern bool layout_size_is(const char *what, size_t allocated,
			   size_t compiled)
{
	if (allocated == compiled)
		return true;
	error("slurm-budget: %s is %zu bytes in this slurmctld and %zu in the sources the plugin was built from; rebuild it with --with-slurm-source= naming the source of the running %s",
	      what, allocated, compiled, SLURM_VERSION_STRING);
	return false;
}

extern bool layout_misplaced(const char *what)
{
	error("slurm-budget: %s is not where the sources have it that the plugin was built from; rebuild it with --with-slurm-source= naming the source of the running %s",
	      what, SLURM_VERSION_STRING);
	return false;
}

/* The kernel reads for us: where nothing is, it says so and does not kill.
 * RET: false: nothing is there. */
static bool _peek(const void *from, void *to, size_t size)
{
	int ends[2];
	bool read_it;

	/* Without descriptors left, as brave as before. */
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
		memcpy(to, from, size);
		return true;
	}
	read_it = (write(ends[1], from, size) == (ssize_t) size) &&
		  (read(ends[0], to, size) == (ssize_t) size);
	close(ends[0]);
	close(ends[1]);
	return read_it;
}

extern size_t layout_block(const void *pointer)
{
	block_head_t *known, found;
	char *sample;
	bool ours;

	if (!pointer || ((uintptr_t) pointer % sizeof(size_t)) ||
	    !_peek((const block_head_t *) pointer - 1, &found, sizeof(found)))
		return 0;
	sample = xmalloc(1);
	known = (block_head_t *) sample - 1;
	ours = found.cookie == known->cookie;
	xfree(sample);
	return ours ? found.size : 0;
}

/* slurm_conf is not allocated, but its symbol has a size. */
static bool _conf_fits(void)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	if (!dladdr1(&slurm_conf, &info, (void **) &symbol,
		     RTLD_DL_SYMENT) ||
	    !symbol || !symbol->st_size)
		return true;
	return layout_size_is("slurm_conf_t", symbol->st_size,
			      sizeof(slurm_conf));
}

/* One entry for each TRES, in front of and behind what we use. */
static bool _usage_fits(const slurmdb_assoc_usage_t *usage)
{
	size_t count = usage->tres_cnt;

	if (count &&
	    (layout_block(usage->grp_used_tres_run_secs) ==
	     count * sizeof(uint64_t)) &&
	    (layout_block(usage->usage_tres_raw) ==
	     count * sizeof(long double)))
		return true;
	return layout_misplaced("slurmdb_assoc_usage_t.usage_tres_raw");
}

/* RET: this association and its parent agree on who that is. */
static int _knows_parent(void *item, void *key)
{
	slurmdb_assoc_rec_t *assoc = item, *parent;

	(void) key;
	if (layout_block(assoc->usage) != NEAR_MISS_SIZE(slurmdb_assoc_usage_t))
		return 0;
	parent = assoc->usage->parent_assoc_ptr;
	if (layout_block(parent) != NEAR_MISS_SIZE(slurmdb_assoc_rec_t))
		return 0;
	return parent->id == assoc->parent_id;
}

static bool _assoc_fits(void)
{
	slurmdb_assoc_rec_t *root = assoc_mgr_root_assoc;

	if (!root)
		return true;
	if (!layout_size_is("slurmdb_assoc_rec_t", layout_block(root),
			    NEAR_MISS_SIZE(slurmdb_assoc_rec_t)))
		return false;
	if (!layout_block(root->usage))
		return layout_misplaced("slurmdb_assoc_rec_t.usage");
	if (!layout_size_is("slurmdb_assoc_usage_t", layout_block(root->usage),
			    NEAR_MISS_SIZE(slurmdb_assoc_usage_t)) ||
	    !_usage_fits(root->usage))
		return false;
	/* Root alone has none. */
	if (!assoc_mgr_assoc_list || (list_count(assoc_mgr_assoc_list) < 2) ||
	    list_find_first_ro(assoc_mgr_assoc_list, _knows_parent, NULL))
		return true;
	return layout_misplaced("slurmdb_assoc_rec_t.parent_id");
}

static bool _qos_fits(void)
{
	slurmdb_qos_rec_t *qos = assoc_mgr_qos_list ?
		list_peek(assoc_mgr_qos_list) : NULL;

	if (!qos)
		return true;
	if (!layout_size_is("slurmdb_qos_rec_t", layout_block(qos),
			    NEAR_MISS_SIZE(slurmdb_qos_rec_t)))
		return false;
	if (!layout_block(qos->name))
		return layout_misplaced("slurmdb_qos_rec_t.name");
	if (!layout_block(qos->usage))
		return layout_misplaced("slurmdb_qos_rec_t.usage");
	return layout_size_is("slurmdb_qos_usage_t", layout_block(qos->usage),
			      sizeof(*qos->usage));
}

static bool _part_fits(void)
{
	part_record_t *part_ptr = part_list ? list_peek(part_list) : NULL;

	if (!part_ptr)
		return true;
	if (!layout_size_is("part_record_t", layout_block(part_ptr),
			    NEAR_MISS_SIZE(part_record_t)))
		return false;
	if (part_ptr->magic != PART_MAGIC)
		return layout_misplaced("part_record_t.magic");
	if (!layout_block(part_ptr->name) ||
	    (find_part_record(part_ptr->name) != part_ptr))
		return layout_misplaced("part_record_t.name");
	return true;
}

static bool _node_fits(void)
{
	int first = 0;
	node_record_t *node_ptr = node_record_count ? next_node(&first) : NULL;

	if (!node_ptr)
		return true;
	if (!layout_size_is("node_record_t", layout_block(node_ptr),
			    NEAR_MISS_SIZE(node_record_t)))
		return false;
	if (node_ptr->magic != NODE_MAGIC)
		return layout_misplaced("node_record_t.magic");
	if (!layout_block(node_ptr->name) ||
	    (find_node_record(node_ptr->name) != node_ptr))
		return layout_misplaced("node_record_t.name");
	return true;
}

extern bool layout_fits(bool *all)
{
	*all = assoc_mgr_root_assoc && assoc_mgr_qos_list && part_list &&
	       list_count(part_list) && node_record_count;
	return _conf_fits() && _assoc_fits() && _qos_fits() && _part_fits() &&
	       _node_fits();
}
