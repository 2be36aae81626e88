#!/usr/bin/env bash
# Nothing passes into a collider or through itself in long runs of the scenes, by brute force after every frame.
#     long_contact_scenes.sh BUILD [SCENE...]
# A job for each scene.
. "$(dirname "$0")/contact_scenes.sh"

check_scenes long 300
exit $bad
