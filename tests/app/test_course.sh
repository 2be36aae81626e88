#!/usr/bin/env bash
# `course`: the list, the exercise that is copied, marked at every save and never overwritten, and the pages. The marks
# come from a stand-in for the library of checks, which has tests of its own.
. "$(dirname "$0")/checks.sh"
. "$root/tests/app/window_events.sh"
export SDL_VIDEODRIVER=dummy XDG_DATA_HOME=$folder/data SPRINGTIDE_SCRIPTS=$folder/scripts
progress=$XDG_DATA_HOME/springtide/course

mkdir scripts
cp -r "$root/scripts/springtide" scripts/
mkdir -p scripts/springtide/check
cat >scripts/springtide/check/run.lua <<'LUA'
local run = {}
function run.mark(_, submission, options)
  local file = assert(options.open_file(submission, "rb"))
  local text = file:read "a"
  file:close()
  if text:find "unmarkable" then
    return nil, "the lesson cannot be read"
  end
  while text:find "endless" do end
  local passed = text:find("k / 2", 1, true) ~= nil
  return { title = "Springs", file = submission, points = passed and 4 or 1, of = 4, checks = {
    { name = "energy\tof a spring", points = passed and 3 or 0, of = 3, passed = passed,
      message = not passed and "expected 0.125\ngot 0" or nil, hint = not passed and "E = k/2 s^2" or nil },
    { name = "it runs", points = 1, of = 1, passed = true },
  } }
end
return run
LUA
cat >scripts/springtide/check/report.lua <<'LUA'
return { details = function(result) return ("%s: %g of %g points"):format(result.file, result.points, result.of) end }
LUA

# Two lessons, a folder that is none, and a lesson without a text.
lesson() { # NAME
    mkdir -p "lessons/$1"
    write_cloth_with "lessons/$1/scene.lua" "print 'demonstration $1'"
    write_cloth_with "lessons/$1/exercise.lua" "print 'exercise $1'
local function energy(k, r, l) return 0 end"
    sed 's/return 0 end/return k \/ 2 * (l - r)^2 end/' "lessons/$1/exercise.lua" >"lessons/$1/solution.lua"
    echo 'return nil' >"lessons/$1/check.lua"
}
lesson 01-springs
lesson 02-steps
mkdir -p lessons/03-empty lessons/notes
cat >lessons/01-springs/lesson.md <<'MD'
# 1. Springs & their *energy*

The energy is $E = \frac{k}{2} (\| \mathbf{a} - \mathbf{b} \| - r)^2$ <script>alert(1)</script>.

$$\nabla E = \begin{pmatrix} \alpha & 0 \\ 0 & \beta \end{pmatrix}$$

See [the next](../02-steps/lesson.md), [the scene](scene.lua), [the solution](solution.lua), [a trap](javascript:alert),
[another](../../../etc/passwd), and ![the plot](plot.png).
MD
printf '# Steps\n\nA formula of no kind: $\\unknown{x}$.\n' >lessons/02-steps/lesson.md
printf 'a picture' >lessons/01-springs/plot.png

# --- the list
run course --lessons lessons
equals "the list: status" "$status" 0
contains "the list: the lesson's own number is not told twice" "$out" "  1  Springs & their energy "
contains "the list: the second" "$out" "  2  Steps "
contains "the list: what is done" "$out" "0 of 2 lessons are done"
refused "a lesson that is not there" "there is no such lesson" course 7 --lessons lessons
refused "marks of no lesson" "goes with a lesson's number" course --mark --lessons lessons
run course --lessons nowhere
equals "no folder: status" "$status" 1
contains "no folder: message" "$err" "nowhere"
run course --lessons lessons/notes
contains "no lesson in it" "$err" "expected folders NN-name"

# --- marks without a window
run course 1 --mark --lessons lessons
equals "no exercise yet: status" "$status" 1
mkdir -p course/01-springs
cp lessons/01-springs/exercise.lua course/01-springs/
run course 1 --mark --lessons lessons
equals "marks: status" "$status" 0
contains "marks: the points" "$out" "1 of 4 points"
contains "marks: are kept" "$(cat "$progress")" "01-springs 1 4"
run course 1 --mark --lessons lessons --file lessons/01-springs/solution.lua --report report
equals "a report: status" "$status" 0
equals "a report: nothing is printed" "$out" ""
equals "a report: tabs and ends of line are spaces" "$(cat report)" \
    "$(printf 'check\t3\t3\tenergy of a spring\t\t\ncheck\t1\t1\tit runs\t\t\ntotal\t4\t4')"
contains "a report: the points are not kept" "$(cat "$progress")" "01-springs 1 4"

# --- a file of progress that is damaged
printf 'Springtide course 1:\n02-steps 4 4\n01-springs 9 4\n99-other 2 3\nxx\n\377\376 1 2 3\n' >"$progress"
run course --lessons lessons
equals "damaged: status" "$status" 0
contains "damaged: what is sound is read" "$out" "4 of 4, done"
contains "damaged: it is told" "$err" "4 lines are damaged"
run course 1 --mark --lessons lessons
equals "damaged: what is sound stays" "$(tail -n +2 "$progress" | sort)" "$(printf '01-springs 1 4\n02-steps 4 4\n99-other 2 3')"
rm "$progress"
mkdir "$progress"
run course 1 --mark --lessons lessons
equals "no file can be written: status" "$status" 1
contains "no file can be written: message" "$err" "springtide/course"
rmdir "$progress"
rm -r course

# --- the window
window "wait:1" course 2 --lessons lessons --frames 3 --size 1280x720
equals "the window: status" "$status" 0
contains "the window: the demonstration runs" "$out" "demonstration 02-steps"
contains "the window: where the exercise is" "$out" "course/02-steps/exercise.lua"
passes "the exercise is copied" cmp course/02-steps/exercise.lua lessons/02-steps/exercise.lua
echo 'error "mine"' >course/02-steps/exercise.lua
window "key:L wait:20 key:q" course 2 --lessons lessons --size 1280x720
equals "an exercise that is there is not overwritten" "$(cat course/02-steps/exercise.lua)" 'error "mine"'
contains "an exercise that does not run is not opened" "$err" "not opened: "
contains "it says why" "$err" "exercise.lua:1"
fails "the demonstration goes on" grep -q "exercise 02" .out

# At every save the exercise is marked.
points() { # EXPECTED: waits for this line in the file of progress
    until grep -qx "$1" "$progress" 2>/dev/null || ! kill -0 "$viewer" 2>/dev/null; do sleep 0.05; done
    grep -qx "$1" "$progress"
}
(window "until:$folder/switch key:L until:$folder/stop key:q" course 1 --work mine --lessons lessons --size 640x360) &
viewer=$!
passes "the exercise is marked when the lesson opens" points "01-springs 1 4"
sed -i 's/return 0 end/while endless do end end/' mine/01-springs/exercise.lua
sleep 1
passes "the window lives while a marking has no end" kill -0 $viewer
cp lessons/01-springs/solution.lua mine/01-springs/exercise.lua
passes "it is marked when it is saved" points "01-springs 4 4"
touch switch
until grep -q "^exercise" .out || ! kill -0 $viewer 2>/dev/null; do sleep 0.05; done
passes "L opens the exercise" grep -q "exercise 01-springs" .out
touch stop
wait $viewer
run course --lessons lessons
contains "what is done" "$out" "1 of 2 lessons are done"

# A signal ends the marking, too, and leaves no temporary files.
mkdir -p ended tmp
export TMPDIR=$folder/tmp
sed 's/return 0 end/while endless do end end/' lessons/01-springs/exercise.lua >ended/exercise.lua
stop_when INT 'ls tmp/*/messages >/dev/null 2>&1' course 1 --file ended/exercise.lua --lessons lessons --size 640x360
equals "a signal: status" "$status" 130
equals "a signal: no temporary files" "$(ls tmp)" ""

# --- the pages
run course --html pages --lessons lessons
equals "the pages: status" "$status" 0
contains "a formula that cannot be read is told" "$err" '\unknown'
cat >pages.py <<'PY'
import sys, os, re
import xml.etree.ElementTree as tree
from html.parser import HTMLParser

class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links = [], []
    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.links += [value for name, value in attributes if name in ("href", "src")]

for name in ("index", "01-springs", "02-steps"):
    text = open("pages/" + name + ".html", encoding="utf-8").read()
    tree.fromstring(text)
    page = Page()
    page.feed(text)
    for link in page.links:
        if not os.path.exists("pages/" + link):
            print(name, "leads to nothing:", link)
    if name == "01-springs":
        for tag in ("math", "mfrac", "mtable", "msup", "figure", "nav"):
            if tag not in page.tags:
                print("no", tag)
        if "script" in page.tags or "javascript" in text or "passwd" in text:
            print("a script, or a foreign file")
        if "02-steps.html" not in page.links or "01-springs/scene.lua" not in page.links:
            print("a link is missing:", page.links)
    if re.search(r'(?:src|href)="https?:', text):
        print(name, "needs another host")
PY
equals "the pages are XML, lead to their files, and have their formulas" "$(python3 pages.py)" ""
passes "the pages: a picture" test -s pages/01-springs.png
fails "the pages: no solution" test -e pages/01-springs/solution.lua

# --- with the library of checks itself, on a lesson of the course
export SPRINGTIDE_SCRIPTS=$root/scripts
mkdir -p course/01-one-spring
cp "$root/scenes/course/01-one-spring/exercise.lua" course/01-one-spring/
run course 1 --mark
equals "the course: status" "$status" 0
contains "the course: an empty exercise" "$out" "0 of 10 points"
contains "the course: hints" "$out" "hint: "
run course 1 --mark --file "$root/scenes/course/01-one-spring/solution.lua"
contains "the course: the solution" "$out" "10 of 10 points"
run course
contains "the course: twelve lessons" "$out" "1 of 12 lessons are done"
finish
