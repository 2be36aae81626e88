#!/usr/bin/env bash
# Nothing passes into a collider or through itself, in any scene, by brute force after every frame, and nothing becomes
# non-finite under any solver, each in one of the scenes. Then every solver lays a cloth on a ball.
#     test_contact_scenes.sh BUILD [SCENE...]
# Only in the release build.
. "$(dirname "$0")/contact_scenes.sh"

check_scenes short 60

# The solvers take turns in the scenes that are quick.
quick=()
for scene in "${scenes[@]}"; do
    [ -n "$(lookup each "$scene")$(lookup skip "$scene")" ] || quick+=("$scene")
done
for i in "${!solvers[@]}"; do
    [ ${#quick[@]} -eq 0 ] || check_scene "${quick[i % ${#quick[@]}]}" 100 "" "${solvers[i]}"
done
lua5.4 tests/app/scene_contacts.lua || bad=1
exit $bad
