#!/usr/bin/env bash
# The C program at the head of engine/springtide.h compiles with the libraries that stand there, and runs.
. "$(dirname "$0")/../app/checks.sh"

# The comment's program, from its first line to the end of main, and the command that compiles it.
comment=$(sed -n '/^#ifndef/q; s|^//     ||p' "$root/engine/springtide.h")
awk '{ print } /^int main/ { last = 1 } last && /^}/ { exit }' <<<"$comment" >program.c
command=$(sed -n '/^gcc /,$p' <<<"$comment" | tr '\n' ' ' | sed "s|-Iengine|-I$root/engine|; s|build/release|$build|")
passes "the header has a program" test "$(wc -l <program.c)" -ge 30
contains "the header has the command that compiles it" "$command" "program.c $build/libspringtide.a"

warnings="-Wall -Wextra -Werror"
if grep -q __asan_init "$build/libspringtide.a"; then
    warnings+=" -fsanitize=address,undefined"
fi
passes "it compiles without a warning" eval "$command $warnings -o program"
out=$(./program 2>err)
equals "it runs: status" "$?" 0
equals "it runs: messages" "$(<err)" ""
passes "the free corner hangs below the pins and above the length of the cloth" \
    awk '{ exit !($1 == "vertex" && $2 == 441 && $(NF - 1) < -0.5 && $(NF - 1) > -2) }' <<<"$out"
finish
