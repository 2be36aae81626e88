#!/usr/bin/env bash
# Nothing becomes non-finite in any scene under any solver.
#     long_contact_solvers.sh BUILD [SCENE...]
# A job for each scene.
. "$(dirname "$0")/contact_scenes.sh"

for scene in "${scenes[@]}"; do
    why=$(lookup skip "$scene")
    if [ -n "$why" ]; then
        echo "ok - $scene under every solver # SKIP ${why#: }"
        continue
    fi
    frames=$(lookup each "$scene")
    read -ra only < <(lookup only "$scene")
    [ ${#only[@]} -gt 0 ] || only=("${solvers[@]}")
    check_scene "$scene" "${frames:-100}" "" "${only[@]}"
done
exit $bad
