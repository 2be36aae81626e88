#!/usr/bin/env bash
# scripts/springtide.py: scenes in Python, and the notebook of the course.
# Only in the release build.
. "$(dirname "$0")/../app/checks.sh"
export SPRINGTIDE_BUILD=$build PYTHONPATH=$root/scripts PYTHONDONTWRITEBYTECODE=1

python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import numpy' 2>/dev/null; then
        python=$candidate
        break
    fi
done
passes "numpy is installed (scripts/setup.sh --tests does it)" test -n "$python"
[ -n "$python" ] || finish

write_cloth cloth.lua
cat >tear.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 50 }
local sheet = scene:body("sheet", { mesh = tide.mesh.grid { columns = 6, rows = 6 }, mass = 1, stiffness = 200 })
scene:body("jelly", { mesh = tide.mesh.box { cells = { 2, 2, 2 } }:translate(3, 0, 0), density = 1000, solid = { young = 1e5 } }):pin { 1 }
function scene.update()
  if scene.frame == 4 then
    sheet:cut { plane = { normal = { 1, 0, 0 }, offset = 0.5 } }
  end
end
return scene
LUA
echo 'local tide = require "springtide"; while true do end' >endless.lua
printf 'return\n' >nothing.lua

cat >test.py <<'PYTHON'
import copy
import gc
import os
import pickle
import re
import subprocess
import threading
import unittest
import weakref

import numpy as np

import springtide
from springtide import DivergedError, Scene, SpringtideError, StaleError

PROGRAM = os.environ["SPRINGTIDE_BUILD"] + "/springtide"


def run(*words):
    return subprocess.run([PROGRAM, "run", *words], capture_output=True, text=True, check=True).stdout.split()[-1]


class Scenes(unittest.TestCase):
    def raises(self, kind, text):
        return self.assertRaisesRegex(kind, re.escape(text))

    def test_same_as_the_program(self):
        scene = Scene("cloth.lua", stiffness=80, solver="newton,iterations=3", timestep=0.01)
        scene.step(12)
        self.assertEqual(scene.hash(), run("cloth.lua", "--headless", "--frames", "12", "--set", "stiffness=80",
                                           "--solver", "newton,iterations=3", "--timestep", "0.01", "--hash"))
        self.assertEqual((scene.frame, scene.title, scene.solver), (12, "Cloth", "newton"))
        self.assertAlmostEqual(scene.time, 0.12)
        self.assertEqual(scene.settings().gravity, (0, -9.81, 0))
        self.assertEqual(scene.settings().timestep, 0.01)
        self.assertEqual(springtide.version, subprocess.run([PROGRAM, "--version"], capture_output=True,
                                                            text=True).stdout.split()[-1])

    def test_reading_changes_nothing(self):
        a, b = Scene("tear.lua"), Scene("tear.lua")
        for _ in range(8):
            for body in a.bodies:
                body.positions.sum(), body.velocities.sum(), body.masses, body.stresses, body.tensions
                body.reactions, body.contact_forces, body.edges
            a.energy(), a.report(), a.snapshot()
            a.step()
            b.step()
        self.assertEqual(a.hash(), b.hash())

    def test_shapes(self):
        scene = Scene("tear.lua")
        sheet, jelly = scene.bodies
        self.assertEqual([sheet.name, jelly.name], ["sheet", "jelly"])
        self.assertEqual(sheet.positions.shape, (36, 3))
        self.assertEqual(sheet.edges.shape, (sheet.edge_count, 2))
        self.assertEqual(sheet.triangles.shape, (50, 3))
        self.assertEqual(jelly.tetrahedra.shape, (40, 4))
        self.assertEqual(jelly.tetrahedra.max(), jelly.vertex_count - 1)
        self.assertAlmostEqual(sheet.masses.sum(), 1)
        self.assertAlmostEqual(jelly.masses.sum(), 1000)
        scene.step(3)
        self.assertGreater(jelly.stresses.max(), 0)
        # What the pin carries is the weight and what accelerates, but nothing at free vertices.
        self.assertTrue((jelly.reactions[1:] == 0).all() and (jelly.reactions[0] != 0).any())
        self.assertEqual(sheet.contact_forces.shape, (36, 3))

    def test_writing_is_the_state(self):
        scene, other = Scene("cloth.lua"), Scene("cloth.lua")
        cloth = scene["cloth"]
        v = cloth.velocities
        v[:, 1] += 2.0
        v *= 0.5
        self.assertTrue((cloth.velocities[:, 1] == 1).all())
        before = scene.energy().kinetic
        self.assertAlmostEqual(before, 0.5 * 0.2)
        other["cloth"].velocities = np.tile([0, 1.0, 0], (63, 1))
        scene.step(2), other.step(2)
        self.assertEqual(scene.hash(), other.hash())
        self.assertFalse((v[:, 1] == 1).all())  # the same memory, one step on
        scene.reset(), other.reset()
        self.assertTrue((scene["cloth"].velocities == 0).all())

    def test_no_copy(self):
        scene = Scene("cloth.lua")
        a, b = scene["cloth"].positions, scene["cloth"].positions
        self.assertTrue(np.shares_memory(np.asarray(a), np.asarray(b)))
        self.assertEqual(a.__array_interface__["data"], b.__array_interface__["data"])
        self.assertTrue(np.shares_memory(np.asarray(a[3:9, 1]), np.asarray(b)))
        row = a[5]
        row[1] = 7
        self.assertEqual(b[5, 1], 7)

    def test_results_are_plain(self):
        x = Scene("cloth.lua")["cloth"].positions
        for result in (x + 1, np.linalg.norm(x, axis=1), x.sum(0), x.copy() * 2, np.concatenate([x, x]), x @ np.eye(3)):
            self.assertIs(type(result), np.ndarray)
        self.assertIs(type(x[:, 1]), type(x))
        self.assertEqual(x.tolist(), pickle.loads(pickle.dumps(x)).tolist())
        self.assertIs(type(copy.deepcopy(x)[0]), type(x.copy()[0]))

    def stale(self, x, text):
        uses = [lambda: x[0], lambda: x[:, 1], lambda: x + 1, lambda: x.sum(), lambda: x.copy(), lambda: x.tolist(),
                lambda: list(x), lambda: repr(x), lambda: str(x), lambda: np.mean(x), lambda: np.dot(x, np.eye(3)),
                lambda: np.linalg.norm(x), lambda: x.__setitem__(0, 1), lambda: np.add(1, 1, out=x[:1]), lambda: x.T,
                lambda: np.concatenate([x, x]), lambda: pickle.dumps(x), lambda: x.fill(0), lambda: x == 0]
        for i, use in enumerate(uses):
            with self.subTest(use=i), self.raises(StaleError, text):
                use()

    def test_stale_after_a_parameter(self):
        scene = Scene("cloth.lua")
        x = scene["cloth"].positions
        part, plain, old = x[3:5], np.asarray(x), x.copy()
        scene.params["stiffness"] = 60
        text = 'positions of body "cloth": the scene has given the body other memory; read them from the body again'
        self.stale(x, text)
        self.stale(part, text)
        scene.step(20)
        self.assertTrue(np.array_equal(plain, old))  # the memory is still there, as it was
        self.assertFalse(np.array_equal(scene["cloth"].positions, old))
        plain[:] = 0
        self.assertTrue(np.isfinite(scene["cloth"].positions).all() and scene["cloth"].positions.any())

    def test_stale_after_a_tear(self):
        scene = Scene("tear.lua")
        sheet, jelly = scene.bodies
        x, y = sheet.positions, jelly.velocities
        scene.step(4)
        self.assertEqual(len(x), 36)
        scene.step(3)
        self.assertGreater(sheet.vertex_count, 36)
        self.stale(x, 'positions of body "sheet"')
        self.stale(y, 'velocities of body "jelly"')
        self.assertEqual(sheet.positions.shape, (sheet.vertex_count, 3))

    def test_stale_after_close(self):
        with Scene("cloth.lua") as scene:
            body, x = scene["cloth"], scene["cloth"].positions
            plain, params = np.asarray(x), scene.params
        self.stale(x, 'positions of body "cloth": the scene is closed')
        self.assertTrue(plain.any() and np.isfinite(plain).all())
        for use in (scene.step, scene.hash, scene.energy, lambda: body.vertex_count, lambda: dict(params),
                    scene.snapshot, lambda: scene.bodies, lambda: body.positions):
            with self.raises(StaleError, 'scene "cloth.lua": it is closed'):
                use()
        scene.close()
        self.assertIn("closed", repr(scene))

    def test_a_view_keeps_the_scene(self):
        scene = Scene("cloth.lua")
        alive, x = weakref.ref(scene), scene["cloth"].positions
        del scene
        gc.collect()
        self.assertIsNotNone(alive())
        self.assertTrue(np.isfinite(x[:]).all())
        plain = np.asarray(x[::2])
        total = plain.sum()
        del x
        others = [Scene("cloth.lua") for _ in range(4)]  # would take the memory if it were free
        self.assertEqual(plain.sum(), total)
        del others, plain
        gc.collect()
        self.assertIsNone(alive())

    def test_memory_comes_back(self):
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        for i in range(200):
            if i == 40:
                before = resident()
            scene = Scene("cloth.lua")
            views = [scene["cloth"].positions, scene["rope"].velocities]
            scene.params["stiffness"] = 20 + i
            np.asarray(views[0]), scene.snapshot()
        self.assertLess(resident() - before, 20e6)

    def test_parameters(self):
        scene = Scene("cloth.lua", params={"stiffness": 70})
        self.assertEqual(dict(scene.params), {"stiffness": 70.0})
        scene.step(5)
        scene.set(stiffness=90)
        self.assertEqual((scene.params["stiffness"], scene.frame), (90, 5))
        scene.params["stiffness"] = np.float64(0.1 + 100.2)
        self.assertEqual(scene.params["stiffness"], 0.1 + 100.2)
        before = scene.hash()
        for value, text in ((5000, "expected a number from 1 to 1000"), ("x", "expected a number"), (None, "expected a number, a text"),
                            (float("nan"), "expected a number"), ([1], "expected a number, a text"), ("1\0002", "zero bytes")):
            with self.raises(SpringtideError, text):
                scene.params["stiffness"] = value
        with self.raises(SpringtideError, "nosuch"):
            scene.set(nosuch=1)
        with self.assertRaises(KeyError):
            scene.params["nosuch"]
        with self.assertRaises(TypeError):
            del scene.params["stiffness"]
        self.assertEqual((scene.params["stiffness"], scene.hash()), (0.1 + 100.2, before))
        scene.reload()
        self.assertEqual((scene.params["stiffness"], scene.hash()), (0.1 + 100.2, before))

    def test_solver(self):
        scene = Scene("cloth.lua")
        scene.step(2)
        scene.solver = "lbfgs,iterations=7"
        scene.step()
        self.assertEqual((scene.solver, scene.report().solver, scene.report().iterations), ("lbfgs", "lbfgs", 7))
        scene.params["stiffness"] = 60  # keeps the solver
        self.assertEqual(scene.solver, "lbfgs")
        for text in ("nosuch", "newton,iterations=-1", "newton,", "a\0b"):
            with self.assertRaises(SpringtideError):
                scene.solver = text
        self.assertEqual(scene.solver, "lbfgs")
        scene.solver = "rk4,substep=0.001"
        scene.step()
        self.assertTrue(np.isnan(scene.report().g))

    def test_snapshots(self):
        scene = Scene("cloth.lua")
        scene.step(5)
        state, before = scene.snapshot(), scene.hash()
        scene.save("state.world")
        scene.step(5)
        after = scene.hash()
        scene.restore(state)
        self.assertEqual(scene.hash(), before)
        scene.step(5)
        self.assertEqual(scene.hash(), after)
        scene.load("state.world")
        self.assertEqual(scene.hash(), before)
        self.assertEqual(run("cloth.lua", "--headless", "--frames", "0", "--open-world", "state.world", "--hash"), before)
        other = Scene("tear.lua")
        for bad in (b"", b"x" * 100, state[:-1], state[:100], bytes(len(state)), state + b"x"):
            with self.assertRaises(SpringtideError):
                scene.restore(bad)
        with self.raises(SpringtideError, "of other bodies"):
            other.restore(state)
        self.assertEqual(scene.hash(), before)
        for path in ("nosuch.world", "cloth.lua", ".", "a\0b"):
            with self.assertRaises(SpringtideError):
                scene.load(path)
        with self.raises(SpringtideError, "nosuch/x"):
            scene.save("nosuch/x")

    def test_diverging(self):
        scene = Scene("cloth.lua", solver="symplectic_euler,substep=0.016")
        scene["cloth"].velocities[20] = 1e8
        with self.raises(DivergedError, "diverged"):
            scene.step(100)
        self.assertTrue(np.isfinite(scene["cloth"].positions).all())
        scene["cloth"].positions[3, 1] = np.nan
        with self.raises(SpringtideError, 'body "cloth": vertex = 4'):
            scene.step()

    def test_bad_scenes(self):
        for path, text in (("nosuch.lua", "nosuch.lua"), (".", "."), ("nothing.lua", "nothing.lua"), ("a\0b", "zero bytes"),
                           ("", "")):
            with self.raises(SpringtideError, text):
                Scene(path)
        for options in ({"timestep": -1}, {"timestep": float("nan")}, {"seed": -1}, {"seed": 2 ** 64}, {"solver": "x"},
                        {"time_limit": float("inf")}, {"nosuch": 1}):
            with self.subTest(options=options), self.assertRaises(SpringtideError):
                Scene("cloth.lua", **options)
        with self.raises(SpringtideError, "no body of this name"):
            Scene("cloth.lua")["nosuch"]
        with self.assertRaises(SpringtideError):
            Scene("cloth.lua")["cloth\0"]

    def test_endless(self):
        with self.raises(SpringtideError, "endless.lua"):
            Scene("endless.lua", time_limit=0.2)

    def test_fork(self):
        scene = Scene("cloth.lua")
        scene.step()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                scene.step()
            except SpringtideError as error:
                code = 2 if "forked from" in str(error) else 1
            os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 2)
        scene.step()

    def test_threads(self):
        scenes, found = [Scene("cloth.lua") for _ in range(3)], []
        threads = [threading.Thread(target=lambda s=s: (s.step(10), found.append(s.hash()))) for s in scenes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        alone = Scene("cloth.lua")
        alone.step(10)
        self.assertEqual(found, 3 * [alone.hash()])


unittest.main(verbosity=2)
PYTHON
"$python" test.py >test.log 2>&1
equals "the module: status" $? 0
grep -E ' \.\.\. ' test.log | sed 's/^/# /'
grep -q '^OK' test.log || sed 's/^/# /' test.log
passes "the module: every test ran" grep -Eq '^Ran 19 tests' test.log

# Ctrl-C ends an endless loop of a scene.
env --default-signal=INT "$python" -c 'import springtide
print("runs", flush=True)
try: springtide.Scene("endless.lua", time_limit=100)
except KeyboardInterrupt: print("interrupted")' >loop.out 2>loop.err &
process=$!
until grep -q runs loop.out || ! kill -0 $process; do sleep 0.05; done
sleep 0.3
kill -INT $process
wait $process
equals "Ctrl-C: status" $? 0
equals "Ctrl-C ends an endless loop" "$(<loop.out)" $'runs\ninterrupted'

SPRINGTIDE_BUILD=$folder "$python" -c 'import springtide' >out.txt 2>&1
equals "without the library: status" $? 1
contains "without the library" "$(tail -1 out.txt)" "springtide_c.so does not exist; scripts/build.sh makes it"

# The notebook is valid, has no results stored, and runs in any of the folders that it may be opened in.
cat >notebook.py <<'PYTHON'
import json
import re
import sys
book = json.load(open(sys.argv[1], encoding="utf-8"))
assert set(book) == {"cells", "metadata", "nbformat", "nbformat_minor"} and (book["nbformat"], book["nbformat_minor"]) == (4, 5)
lines, ids = [], set()
for cell in book["cells"]:
    keys = {"cell_type", "id", "metadata", "source"}
    assert cell["cell_type"] in ("code", "markdown")
    if cell["cell_type"] == "code":
        keys |= {"execution_count", "outputs"}
        assert cell["outputs"] == [] and cell["execution_count"] is None
        lines += [line.rstrip("\n") for line in cell["source"]]
    assert set(cell) == keys and re.fullmatch(r"[\w-]{1,64}", cell["id"]) and cell["id"] not in ids
    assert isinstance(cell["source"], list) and all(line.endswith("\n") for line in cell["source"][:-1])
    ids.add(cell["id"])
assert len(lines) <= 24, len(lines)
exec(compile("\n".join(lines), sys.argv[1], "exec"), {})
PYTHON
for place in scenes/course scenes .; do
    (cd "$root/$place" && env -u PYTHONPATH "$python" "$folder/notebook.py" "$root/scenes/course/springtide.ipynb") >book.txt 2>&1
    equals "the notebook in $place: status" $? 0
    passes "the notebook in $place: newton is nearest to the minimum" \
        awk '/grad g/ { seen[$1] = $5 + 0 } END { exit !(seen["newton"] < seen["lbfgs"] && seen["lbfgs"] < seen["local_global"]) }' book.txt
    passes "the notebook in $place: all was said" test "$(wc -l <book.txt)" = 6
done
[ "$(wc -l <book.txt)" = 6 ] || sed 's/^/# /' book.txt
finish
