#!/bin/bash
# Makes the files of the page that are not the engine's: scripts/web/bundle.sh OUT
# At last it writes the service worker, which keeps exactly the files that are in OUT. scripts/web/bundle.sh --seal OUT does that
# alone, after files of the engine have changed.
# The packages of npm stand in build/web-page; package-lock.json has their versions.
set -euo pipefail
page=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$page/../.." && pwd)
work=$root/build/web-page

seal() {
    node "$page/seal.cjs" "$page/service-worker.js" "$1"
}
if [ "${1:-}" = --seal ]; then
    seal "${2:?bundle.sh --seal OUT}"
    exit
fi
mkdir -p "${1:?bundle.sh OUT}" "$work"
out=$(cd "$1" && pwd)

if ! cmp -s "$page/package-lock.json" "$work/package-lock.json" || ! cmp -s "$page/package.json" "$work/package.json" \
    || [ ! -e "$work/installed" ]; then
    rm -f "$work/installed"
    cp "$page/package.json" "$page/package-lock.json" "$work/"
    npm ci --prefix "$work" --no-audit --no-fund --loglevel=error
    touch "$work/installed"
fi
PAGE=$page OUT=$out NODE_PATH=$work/node_modules npm run --silent --prefix "$work" bundle
cp "$page/index.html" "$page/icon.svg" "$page/manifest.webmanifest" "$out/"

# The texts of the scenes, for the editor, and what completes and lists them
cd "$root"
export LUA_PATH="scripts/?.lua"
lua5.4 "$page/completions.lua" scripts/springtide/library.lua >"$out/completions.json"
mapfile -t scenes < <(cd scenes && find . -name '*.lua' -not -path './course/*' -printf '%P\n' | LC_ALL=C sort)
for scene in "${scenes[@]}"; do
    install -Dm644 "scenes/$scene" "$out/scenes/$scene"
done
lua5.4 "$page/scene_list.lua" scenes "${scenes[@]}" >"$out/scenes.json"
mapfile -t lessons < <(find scenes/course -name lesson.md -printf '%h\n' | sed 's|.*/||' | LC_ALL=C sort)
lua5.4 "$page/lesson_list.lua" scenes/course "${lessons[@]}" >"$out/lessons.json"
seal "$out"
