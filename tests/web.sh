#!/usr/bin/env bash
# Tests the page in browsers: installs what that needs, builds the page and the program, and runs the files test_*.js of
# tests/web/ in Debian's Chromium and Firefox. It takes at most 15 minutes, most of them for the first build:
#     tests/web.sh                                    all
#     tests/web.sh [--browser chromium] open link     some tests, in one browser
#     tests/web.sh --built ...                        of the page as build/web has it
# Screenshots, and what was seen where a test failed, are in build/web-tests. The last line is "N passed, N failed".
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1
out=$root/build/web-tests

give_up() {
    echo "$1" >&2
    echo "0 passed, 1 failed"
    exit 1
}

if [ "${1:-}" = --built ]; then
    shift
else
    scripts/setup.sh --web || give_up "setup"
    scripts/build.sh release || give_up "build of release"
    scripts/web.sh single threads page || give_up "build of the page"
fi

# The driver of the browsers is installed again only when its version changes.
modules=$out/modules
mkdir -p "$modules"
if ! cmp -s tests/web/package-lock.json "$modules/installed.json"; then
    cp tests/web/package.json tests/web/package-lock.json "$modules"
    npm ci --prefix "$modules" --ignore-scripts --no-audit --no-fund >"$modules/log" 2>&1 || {
        cat "$modules/log" >&2
        give_up "npm ci of the driver of the browsers"
    }
    cp tests/web/package-lock.json "$modules/installed.json"
fi

rm -f "$out"/*.png "$out"/*.json
SPRINGTIDE_WEB_MODULES=$modules SPRINGTIDE_BUILD=$root/build/release node tests/web/run.js build/web "$out" "$@"
