#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# autogen.sh - make ./configure from configure.ac in a fresh checkout.
# Release tarballs bring their own and do not need it.

set -e
cd "$(dirname "$0")"
exec autoreconf --install --force
