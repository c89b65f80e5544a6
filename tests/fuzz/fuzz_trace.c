/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace of CSV: a workload that holds, or an error that names the line. */
#include "fuzz_read.h"

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_read(read_trace, data, size);
	return 0;
}
