#!/usr/bin/env bash
# The states of all scenes under their own solver, in the portable mode, are the same on aarch64, under qemu. Builds the
# program for aarch64 first.
. "$(dirname "$0")/checks.sh"

for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v $tool >/dev/null || {
        echo "ok - hashes on aarch64 # SKIP $tool is missing; scripts/setup.sh --arm installs it"
        exit 0
    }
done
"$root/scripts/cross.sh" aarch64 || exit 1
"$root/tests/golden/check.sh" --jobs 2 --only own qemu-aarch64 "$root/build/aarch64/springtide"
