/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "nth.h"

/* Hoare's selection. */
extern int64_t nth_smallest(int64_t *values, uint32_t count, uint32_t before)
{
	uint32_t low = 0, high = count - 1;

	while (low < high) {
		int64_t pivot = values[low + (high - low) / 2];
		uint32_t i = low, j = high;

		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			int64_t value = values[i];

			values[i++] = values[j];
			values[j--] = value;
		}
		if (before <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[low];
}
