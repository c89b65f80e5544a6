/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints each setting as word=default, for docs.t. */
#include <stdio.h>
#include <stdlib.h>

#include "params.h"
#include "setting.h"

int main(void)
{
	sb_params_t *params = sb_params_create();
	char text[SB_NAME_MAX];

	if (!params)
		return EXIT_FAILURE;
	for (size_t i = 0; i < sb_setting_count(); i++)
		printf("%s=%s\n", sb_setting_name(i),
		       sb_setting_show(i, params, text));
	sb_params_destroy(params);
	return EXIT_SUCCESS;
}
