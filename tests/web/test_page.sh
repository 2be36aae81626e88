#!/usr/bin/env bash
# Parts of the page without a browser, where node is; and the lists that the build makes for the page.
. "$(dirname "$0")/../app/checks.sh"

export LUA_PATH="$root/scripts/?.lua;;"
lua5.4 "$root/scripts/web/completions.lua" "$root/scripts/springtide/library.lua" >completions.json
equals "completions" "$?" 0
lua5.4 "$root/scripts/web/scene_list.lua" "$root/scenes" curtain.lua table1/dog.lua >scenes.json
equals "the list of scenes" "$?" 0
grep -q '"title": "Curtain"' scenes.json
equals "it has titles" "$?" 0
echo "---@class other" >empty.lua
lua5.4 "$root/scripts/web/completions.lua" empty.lua >/dev/null 2>.err
equals "completions of no annotations" "$?" 1

if ! command -v node >/dev/null; then
    echo "ok - parts of the page # SKIP node is not installed"
    finish
    exit 0
fi
node "$root/tests/web/page_test.mjs" completions.json >.out 2>.err
equals "parts of the page" "$?" 0
[ $failures -eq 0 ] || cat .out .err
finish
