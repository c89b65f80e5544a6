#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# embed.sh NAME [FILE] - write C source that holds the bytes of a file as
# NAME[] and their number as NAME_size; without a file, none.

set -eu

name=$1
file=${2:-/dev/null}

printf '#include <stddef.h>\n\n'
printf 'extern const unsigned char %s[];\n' "$name"
printf 'extern const size_t %s_size;\n\n' "$name"
printf 'const unsigned char %s[] = {\n' "$name"
od -An -v -t u1 "$file" | sed 's/  */,/g; s/^,//; s/$/,/'
printf '0 };\nconst size_t %s_size = sizeof(%s) - 1;\n' "$name" "$name"
