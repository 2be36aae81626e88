#!/usr/bin/env bash
# Closing the window: Escape closes open panels first and never quits at once; quitting asks if frames would be lost.
. "$(dirname "$0")/checks.sh"
export SDL_VIDEODRIVER=dummy
. "$root/tests/app/window_events.sh"
write_cloth cloth.lua

state() { # FRAMES
    springtide run cloth.lua --headless --frames "$1" --hash | tail -n 1
}
ends_at() { # NAME EVENTS FRAMES
    window "key:space $2" cloth.lua --hash --size 800x600
    equals "$1" "$(tail -n 1 <<<"$out")" "$(state "$3")"
}
ends_at "Escape asks, and a second one stays" "key:. key:Escape wait:5 key:Escape key:. key:q" 2
ends_at "Escape asks, and Return quits" "key:. key:Escape wait:5 key:Return key:. key:q" 1
ends_at "Escape asks without history, too" "key:Escape wait:5 key:Escape key:. key:q" 1
ends_at "the console, then the page of help, then the question" \
    "key:. key:F1 key:\` wait:5 key:Escape key:Escape wait:5 key:. key:Escape key:Escape key:. key:q" 3
ends_at "the window's button asks, and ends it when it comes again" "key:. close wait:5 key:. close key:. key:." 2
ends_at "and Escape stays" "key:. close wait:5 key:Escape key:. close close" 2
ends_at "it does not ask where nothing is lost" "close key:. key:q" 0
finish
