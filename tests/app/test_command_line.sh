#!/usr/bin/env bash
# Help, version, and messages for wrong command lines.
. "$(dirname "$0")/checks.sh"

run --version
equals "--version: status" "$status" 0
passes "--version: name and number" grep -Eqx 'springtide [0-9]+\.[0-9]+\.[0-9]+' .out

run --help
equals "--help: status" "$status" 0
equals "--help: no error" "$err" ""
for word in run convergence solvers meshes check new reference help --frames --headless --size --png --export --stats --set --solver \
    --timestep --threads --seed --hash --wireframe --colour --show; do
    passes "--help lists $word" grep -Eq "^  $word( |$)" .out
done
help=$out
for same in "help" "-h"; do
    run "$same"
    equals "$same is --help" "$out" "$help"
done
for command in run convergence solvers meshes check new test reference help; do
    run help "$command"
    equals "help $command: status" "$status" 0
    contains "help $command" "$out" "springtide $command"
    told=$out
    run "$command" --help
    equals "$command --help is help $command" "$out" "$told"
done

write_cloth cloth.lua
refused "nothing at all" "name a scene"
refused "unknown command" "did you mean solvers?" solvrs
refused "unknown command without a near name" "there is no such command" zzzzzzzz
refused "help of an unknown command" "did you mean meshes?" help mesehs
refused "unknown option" "did you mean --frames?" run cloth.lua --frmaes 3
refused "unknown option before the scene" "did you mean --headless?" --headles cloth.lua
refused "unknown short option" "there is no such option" run cloth.lua -x
refused "--video without an ending" "expected a name that ends in .mp4" run cloth.lua --headless --video file
refused "--fps alone" "goes with --video" run cloth.lua --headless --fps 30
refused "--fps 0" "expected pictures per second, from 0.1 to 240" run cloth.lua --headless --video a.mp4 --fps 0
refused "--record without a name" "the name of a file" run cloth.lua --headless --record ""
refused "--verify alone" "goes with --replay" run cloth.lua --headless --verify
refused "a replay and a scene" "are in the replay" run cloth.lua --headless --replay a.replay
refused "a replay and a parameter" "are in the replay" run --headless --replay a.replay --set stiffness=5
refused "a replay and files" "does not go with --replay" run --headless --replay a.replay --watch
for value in -1 nan soon 1e7; do
    refused "--time-limit $value" "expected seconds" run cloth.lua --headless --time-limit "$value"
done
for value in -1 1.5 2000000 much; do
    refused "--history $value" "expected megabytes" run cloth.lua --headless --history "$value"
done
refused "--colour starin" "did you mean \"strain\"?" run cloth.lua --headless --colour starin
for value in strain= strain=1 strain=1:1 strain=0.2:0.1 strain=0:nan strain=0:1x; do
    refused "--colour $value" "expected NAME=LOW:HIGH" run cloth.lua --headless --colour "$value"
done
refused "--colour with a map" "did you mean the map \"ember\"?" run cloth.lua --headless --colour speed=0:1,map=embr
refused "--colour with half a range" "expected NAME=LOW:HIGH" run cloth.lua --headless --colour speed=0,map=grey
for value in "" arrows velocities, ,forces velocities,velocitie; do
    refused "--show '$value'" "expected some of contacts" run cloth.lua --headless --show "$value"
done
refused "no scene" "expected SCENE.lua" run --headless
refused "two scenes" "one word too many" run cloth.lua cloth.lua
refused "too much after --version" "one word too many" --version now
refused "an option of another command" "takes no such option" solvers --frames 3
refused "a value for a switch" "takes no value" run cloth.lua --headless=yes
refused "no value" "expected N after it" run cloth.lua --frames
for frames in -1 1.5 ten "" 1e3 99999999999999999999; do
    refused "--frames '$frames'" "--frames" run cloth.lua --headless --frames "$frames"
done
for size in 640 640x 0x480 640x0 -640x480 640x480x2 20000x20 axb; do
    refused "--size $size" "expected WIDTHxHEIGHT" run cloth.lua --headless --size "$size"
done
for pattern in picture.jpg out/%s.png %d-%d.png %.png .png out/.png %000004d.png; do
    refused "--png $pattern" "--png" run cloth.lua --headless --png "$pattern"
done
refused "--export of another format" "expected a name that ends in .obj" run cloth.lua --headless --export a.stl
for setting in stiffness "=3" ""; do
    refused "--set '$setting'" "expected NAME=VALUE" run cloth.lua --headless --set "$setting"
done
refused "--solver unknown" "local_global" run cloth.lua --headless --solver local_globl
refused "--solver with an unknown option" "iterations" run cloth.lua --headless --solver local_global,iteratons=3
refused "--solver without a value" "expected option=value" run cloth.lua --headless --solver local_global,iterations
refused "--solver with a bad value" "iterations" run cloth.lua --headless --solver local_global,iterations=-3
refused "--solver with an option of another" '"iterations" is an option of local_global' \
    run cloth.lua --headless --solver rk4,iterations=3
for frame in "" x -1 1.5 "3,iterations=2" 99999999999; do
    refused "--solver @$frame" "expected the frame after @" run cloth.lua --headless --solver "newton@$frame"
done
refused "--solver without a name" "expected NAME" run cloth.lua --headless --solver @3
refused "--solver unknown later" 'did you mean "newton"?' run cloth.lua --headless --solver newton --solver newtno@3
refused "--solver with a bad option later" "tolerance = -1" \
    run cloth.lua --headless --solver newton --solver newton,tolerance=-1@3
for step in 0 -0.1 nan inf fast ""; do
    refused "--timestep '$step'" "--timestep" run cloth.lua --headless --timestep "$step"
done
for threads in 0 -1 two 1000000; do
    refused "--threads $threads" "--threads" run cloth.lua --headless --threads "$threads"
done
refused "--seed" "--seed" run cloth.lua --headless --seed -4
refused "reference of another format" ".md" reference page.txt
refused "solvers of an unknown name" "symplectic_euler" solvers symplectic_eular
refused "meshes of an unknown name" "did you mean grid?" meshes gird
equals "none of these wrote anything" "$(ls)" cloth.lua

if [ -e /dev/full ]; then
    springtide --help >/dev/full 2>.err
    equals "a full disk: status" "$?" 1
    contains "a full disk: message" "$(<.err)" "cannot be written"
fi
finish
