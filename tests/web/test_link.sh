#!/usr/bin/env bash
# Links of the page against links of the native program, where node is.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" # the leak checker needs what a confined process may not do
. "$(dirname "$0")/../app/checks.sh"

if ! command -v node >/dev/null; then
    echo "ok - links in JavaScript # SKIP node is not installed"
    exit 0
fi
node "$root/tests/web/link_test.mjs" "$build" >.out 2>.err
equals "links in JavaScript" "$?" 0
grep -E "^(not )?ok " .out | sed 's/^/# /'
[ $failures -eq 0 ] || cat .out .err
finish
