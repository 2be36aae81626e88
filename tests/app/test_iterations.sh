#!/usr/bin/env bash
# One solver iteration at a time in the window: pictures of the iterates, and a state that knows nothing of them.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
. "$root/tests/app/window_events.sh"
write_cloth_with cloth.lua 'function scene.update(dt) cloth:move_pin(1, 0.01 * scene.frame, 0, 0) end'

# Five steps, then the events, with pictures of each in cloth-0001.png and so on.
look() { # EVENTS WORDS...
    rm -f cloth-*.png out.replay
    window "key:space key:. key:. key:. key:. key:. $1 wait:2 key:q" cloth.lua --hash --size 400x300 "${@:2}"
    equals "the window ends well" "$status" 0
}
state() { # FRAMES WORDS...
    springtide run cloth.lua --headless --frames "$1" --hash "${@:2}" | tail -n 1
}
pictures() { # how many of them there are, and how many differ
    cat <(ls cloth-*.png | wc -l) <(md5sum cloth-*.png | cut -d' ' -f1 | sort -u | wc -l) | xargs
}

look "key:p key:, key:p key:, key:p key:, key:p key:, key:, key:, key:p" --record out.replay
equals "each iterate has a picture of its own" "$(pictures)" "5 5"
equals "looking leaves the state as it was" "$out" "$(state 5)"
equals "a replay knows nothing of it" "$(grep -c '^at' out.replay)" 0
equals "and does the same" "$(springtide run --replay out.replay --headless --verify --hash | tail -n 1)" "$out"

look "key:, key:, key:, key:, key:, key:, key:p key:, key:p"
equals "after the last iteration the step is taken" "$out" "$(state 6)"
equals "which is seen" "$(pictures)" "2 2"
look "key:, key:, key:."
equals "a step ends it" "$out" "$(state 6)"
look "key:, key:, key:Escape"
equals "so does Escape, and does not close the window" "$out" "$(state 6)"
look "key:, key:, key:p key:space wait:80 key:space key:p" --record out.replay
equals "it goes on from there" "$(springtide run --replay out.replay --headless --verify --hash | tail -n 1)" "$out"
equals "without the iterate" "$(pictures)" "2 2"

# Inputs that change the world start from the state before the step.
look "key:F8 key:, key:, key:p key:F6 down:1:200:5 move:190:290 up:1:190:290 key:p" --record out.replay
equals "a cut leaves it: no step was taken" "$(sed -n 's/^at \([0-9]*\) open "cloth".*/\1/p' out.replay)" 5
equals "done again" "$(springtide run --replay out.replay --headless --verify --hash | tail -n 1)" "$out"
equals "both are seen" "$(pictures)" "2 2"
look "key:, key:, key:left key:. key:."
equals "going back leaves it, too" "$out" "$(state 6)"

look "key:, key:," --solver rk4,substeps=20
equals "a method without iterations steps whole" "$out" "$(state 7 --solver rk4,substeps=20)"
for solver in lbfgs newton nonlinear_cg vbd pbd xpbd bdf2; do
    look "key:p key:, key:p key:, key:p" --solver "$solver"
    equals "$solver: the state is as it was" "$out" "$(state 5 --solver "$solver")"
    equals "$solver: it is seen" "$(pictures)" "3 3"
done

# Closing in the middle of it, and a file that changes.
look "key:, key:, wait:1"
look "key:, key:F5 key:."
equals "a reload leaves it" "$status $out" "0 $(state 6)"
finish
