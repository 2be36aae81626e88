#!/usr/bin/env bash
# `run --export` to files of motion: .glb, .gltf, .usda, .pc2 and .mdd have the positions of each frame that .vtk files have.
# Readers: one of this test, which holds glTF to the rules of its specification; assimp; Blender where it is installed.
# Only in the release build.
. "$(dirname "$0")/../app/checks.sh"

python=
for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import meshio' 2>/dev/null; then
        python=$candidate
        break
    fi
done
passes "python3-meshio is installed (scripts/setup.sh --tests does it)" test -n "$python"
passes "assimp is installed (scripts/setup.sh --tests does it)" command -v assimp
[ $failures -eq 0 ] || finish

# Cloth, a strand, a solid, a solid with a fine surface, single points, and names that no prim of USD may have.
cat >all.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 50, solver = { "local_global", iterations = 5 } }
scene:body("cloth", { mesh = tide.mesh.grid { columns = 5, rows = 4 }, mass = 1, stiffness = 50 }):pin { 1 }
scene:body("a \"rope\"\\", { mesh = tide.mesh.strand { points = 5, from = { 0, 1, 0 }, to = { 1, 1, 0 } }, mass = 1,
  stiffness = 100 }):pin { 1 }
scene:body("a__rope__", { mesh = tide.mesh.box { size = { 1, 1, 1 }, cells = { 1, 1, 1 } }:translate(5, 0, 0),
  mass = 1, stiffness = 100 })
scene:body("Ball \xc3\xa4", { mesh = tide.mesh.box { size = { 1, 1, 1 } }:translate(8, 0, 0), mass = 1, stiffness = 100,
  surface = tide.mesh.sphere { radius = 0.4, subdivisions = 1 }:translate(8, 0, 0) })
scene:body("2", { mesh = tide.mesh.new { vertices = { { 0, 3, 0 }, { 1, 3, 0 }, { 2, 3, 0 } } }, mass = 1,
  springs = {} })
return scene
LUA
cat >tear.lua <<'LUA'
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 50, gravity = { 0, 0, -9.81 } }
local sheet = scene:body("sheet", { mesh = tide.mesh.grid { columns = 6, rows = 6 }, mass = 1, stiffness = 200 })
scene:body("point", { mesh = tide.mesh.strand { points = 2 }, mass = 1, stiffness = 1 })
function scene.update()
  if scene.frame == 4 then
    sheet:cut { plane = { normal = { 1, 0, 0 }, offset = 0.5 } }
  end
end
return scene
LUA
frames=7
for name in all tear; do
    run run $name.lua --headless --frames $frames --export "$name/%d.vtk" --hash
    equals "$name: meshes of each frame: status" "$status" 0
    for ending in glb gltf usda pc2 mdd; do
        [[ $name != tear || $ending != [pm]* ]] || continue
        run run $name.lua --headless --frames $frames --export "$name.$ending"
        equals "$name.$ending: status" "$status" 0
        equals "$name.$ending: silent" "$out$err" ""
        run run $name.lua --headless --frames $frames --threads 1 --export "again/$name.$ending"
        passes "$name.$ending: the same bytes in another run" cmp -s $name.$ending again/$name.$ending
    done
done

cat >read.py <<'PYTHON'
import base64
import json
import re
import struct
import sys
import meshio
import numpy as np

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3}
TYPES = {5126: "<f4", 5125: "<u4"}
KEYS = {
    "": "asset scene scenes nodes meshes materials accessors bufferViews buffers animations",
    "asset": "version generator", "scenes": "nodes", "nodes": "name mesh children rotation",
    "meshes": "name primitives weights", "primitives": "attributes indices mode material targets",
    "materials": "name pbrMetallicRoughness doubleSided", "accessors": "bufferView byteOffset componentType type count "
    "min max", "bufferViews": "buffer byteOffset byteLength byteStride target", "buffers": "byteLength uri",
    "animations": "name samplers channels", "samplers": "input output interpolation", "channels": "sampler target",
}


class Gltf:
    """A file of glTF 2.0, read by the rules of its specification; what it does not allow is an AssertionError."""

    def __init__(self, path):
        data = open(path, "rb").read()
        buffer = None
        if path.endswith(".glb"):
            magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
            assert (magic, version, length, kind) == (b"glTF", 2, len(data), b"JSON") and size % 4 == 0
            text = data[20:20 + size]
            size2, kind2 = struct.unpack_from("<I4s", data, 20 + size)
            buffer = data[28 + size:]
            assert kind2 == b"BIN\0" and size2 == len(buffer) and size2 % 4 == 0
        else:
            text = data
        self.json = json.loads(text.decode("utf-8"))
        self.check_keys(self.json, "")
        assert self.json["asset"]["version"] == "2.0"
        (declared,) = self.json["buffers"]
        if buffer is None:
            head = "data:application/octet-stream;base64,"
            assert declared["uri"].startswith(head)
            buffer = base64.b64decode(declared["uri"][len(head):], validate=True)
        else:
            assert "uri" not in declared
        assert 0 <= len(buffer) - declared["byteLength"] <= 3
        self.buffer = buffer
        self.check_views()
        self.arrays = [self.read(a) for a in self.json["accessors"]]
        self.used = set()
        for mesh in self.json["meshes"]:
            self.check_mesh(mesh)
        self.check_nodes()
        self.check_animations()
        assert self.used == set(range(len(self.arrays))), "an accessor that nothing uses"

    def check_keys(self, value, where):
        if isinstance(value, list):
            for item in value:
                self.check_keys(item, where)
        elif isinstance(value, dict) and where in KEYS:
            assert set(value) <= set(KEYS[where].split()), (where, set(value))
            for key in value:
                self.check_keys(value[key], key)

    def check_views(self):
        end = 0
        for view in self.json["bufferViews"]:
            assert view["buffer"] == 0 and view["byteLength"] >= 1
            assert view["byteOffset"] == end, "the views follow one another"
            end += view["byteLength"]
            assert view.get("target") in (None, 34962, 34963)
            stride = view.get("byteStride")
            assert stride is None or (4 <= stride <= 252 and stride % 4 == 0 and view["target"] == 34962)
        assert end == self.json["buffers"][0]["byteLength"]

    def read(self, a):
        view = self.json["bufferViews"][a["bufferView"]]
        width, kind = WIDTHS[a["type"]], TYPES[a["componentType"]]
        stride = view.get("byteStride", 4 * width)
        assert a["count"] >= 1 and a["byteOffset"] % 4 == 0 and (a["byteOffset"] + view["byteOffset"]) % 4 == 0
        assert a["byteOffset"] + stride * (a["count"] - 1) + 4 * width <= view["byteLength"]
        assert stride == 4 * width
        numbers = np.frombuffer(self.buffer, kind, a["count"] * width, view["byteOffset"] + a["byteOffset"])
        numbers = numbers.reshape(a["count"], width)
        assert kind == "<u4" or np.isfinite(numbers).all()
        for key, bound in (("min", numbers.min(0)), ("max", numbers.max(0))):
            if key in a:
                assert np.array_equal(np.array(a[key], np.float32), bound), key
        return numbers

    def use(self, index, kind, component=5126, bounds=False, target=None):
        a = self.json["accessors"][index]
        assert a["type"] == kind and a["componentType"] == component
        assert not bounds or ("min" in a and "max" in a)
        assert self.json["bufferViews"][a["bufferView"]].get("target") == target
        self.used.add(index)
        return self.arrays[index]

    def check_mesh(self, mesh):
        targets = {len(p.get("targets", [])) for p in mesh["primitives"]}
        assert len(targets) == 1 and len(mesh.get("weights", [])) == targets.pop()
        for p in mesh["primitives"]:
            assert set(p["attributes"]) <= {"POSITION", "TEXCOORD_0"}
            count = len(self.use(p["attributes"]["POSITION"], "VEC3", bounds=True, target=34962))
            if "TEXCOORD_0" in p["attributes"]:
                assert len(self.use(p["attributes"]["TEXCOORD_0"], "VEC2", target=34962)) == count
            for t in p.get("targets", []):
                assert set(t) == {"POSITION"} and len(self.use(t["POSITION"], "VEC3", bounds=True, target=34962)) == count
            assert p["mode"] in (0, 1, 4) and 0 <= p["material"] < len(self.json["materials"])
            if "indices" in p:
                indices = self.use(p["indices"], "SCALAR", component=5125, target=34963)
                assert indices.max() < count and len(indices) % {0: 1, 1: 2, 4: 3}[p["mode"]] == 0

    def check_nodes(self):
        nodes = self.json["nodes"]
        children = [c for n in nodes for c in n.get("children", [])] + self.json["scenes"][self.json["scene"]]["nodes"]
        assert sorted(children) == list(range(len(nodes))), "each node has one parent, or is a root"

    def check_animations(self):
        self.channels = {}
        for animation in self.json.get("animations", []):
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                node, path = channel["target"]["node"], channel["target"]["path"]
                assert (node, path) not in self.channels and path in ("weights", "scale")
                times = self.use(sampler["input"], "SCALAR", bounds=True).ravel()
                assert times[0] >= 0 and (np.diff(times) > 0).all()
                values = self.use(sampler["output"], "SCALAR" if path == "weights" else "VEC3")
                mesh = self.json["meshes"][self.json["nodes"][node]["mesh"]]
                width = len(mesh["weights"]) if path == "weights" else 1
                assert len(values) == width * len(times)
                assert sampler["interpolation"] == ("LINEAR" if path == "weights" else "STEP")
                self.channels[node, path] = (times, values.reshape(len(times), -1))

    def positions(self, node, time):
        """The points of a node at a time, in double precision; None where its scale is 0."""
        times, scales = self.channels.get((node, "scale"), (np.zeros(1), np.ones((1, 3))))
        if not scales[np.searchsorted(times, time * (1 + 1e-6) + 1e-9, "right") - 1].all():
            return None
        mesh = self.json["meshes"][self.json["nodes"][node]["mesh"]]
        primitive = mesh["primitives"][0]
        points = self.arrays[primitive["attributes"]["POSITION"]].astype(float)
        if (node, "weights") in self.channels:
            times, weights = self.channels[node, "weights"]
            for t, target in enumerate(primitive["targets"]):
                points = points + np.interp(time, times, weights[:, t]) * self.arrays[target["POSITION"]]
        return points


def read_usda(path):
    """The prims of a file of USD: name -> (type, properties); values are read by its grammar."""
    text = open(path, encoding="utf-8").read()
    assert text.startswith("#usda 1.0\n")
    token = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_][\w:.]*(?:\[\])?)|(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)|(.))', re.S)
    tokens, at = [], len("#usda 1.0\n")
    while at < len(text.rstrip()):
        m = token.match(text, at)
        at = m.end()
        string, word, number, mark = m.groups()
        tokens.append(("s", re.sub(r"\\(.)", r"\1", string)) if string is not None else ("w", word) if word else
                      ("n", float(number)) if number else ("m", mark))
    tokens.reverse()

    def take(expected=None):
        t = tokens.pop()
        assert expected is None or t == ("m", expected), (t, expected, tokens[-9:])
        return t

    def sees(mark):
        return tokens[-1] == ("m", mark)

    def items(end, item):
        found = []
        while not sees(end):
            found.append(item())
            if not sees(end):
                take(",")
        take(end)
        return found

    def value():
        kind, t = take()
        if (kind, t) == ("m", "["):
            return items("]", value)
        if (kind, t) == ("m", "("):
            return tuple(items(")", value))
        if (kind, t) == ("m", "{"):
            return dict(items("}", lambda: (take()[1], take(":"), value())[::2]))
        assert kind in "sn", t
        return t

    def metadata():
        found = {}
        if sees("("):
            take("(")
            while not sees(")"):
                name = take()[1]
                take("=")
                found[name] = value()
            take(")")
        return found

    def prim(prims, path):
        assert take() == ("w", "def")
        kind, name = take()[1], take()[1]
        assert re.fullmatch(r"[A-Za-z_]\w*", name), name
        assert path + name not in prims, name
        properties = {}
        prims[path + name] = (kind, properties)
        metadata()
        take("{")
        while not sees("}"):
            if tokens[-1] == ("w", "def"):
                prim(prims, path + name + "/")
                continue
            words = [take()[1]]
            while not sees("="):
                words.append(take()[1])
            assert set(words[:-2]) <= {"uniform", "custom"} and words[-1] not in properties
            take("=")
            properties[words[-1]] = value()
            properties[words[-1] + "()"] = metadata()
            properties[words[-1] + "[]"] = words[-2]
        take("}")

    layer, prims = metadata(), {}
    while tokens:
        prim(prims, "")
    assert layer["defaultPrim"] in prims
    return layer, prims


def check_usda_prim(kind, p):
    samples = p["points.timeSamples"]
    assert p["points.timeSamples[]"] == "point3f[]" and list(samples) == sorted(samples)
    count = {len(points) for points in samples.values()}
    assert len(count) == 1 and all(len(point) == 3 for points in samples.values() for point in points)
    (count,) = count
    assert set(p["extent.timeSamples"]) == set(samples)
    for time, (low, high) in p["extent.timeSamples"].items():
        points = np.array(samples[time])
        assert (points >= np.array(low)).all() and (points <= np.array(high)).all()
    if kind == "Mesh":
        assert sum(p["faceVertexCounts"]) == len(p["faceVertexIndices"]) and max(p["faceVertexIndices"]) < count
        assert "primvars:st" not in p or len(p["primvars:st"]) == count
    elif kind == "BasisCurves":
        assert sum(p["curveVertexCounts"]) == count and min(p["curveVertexCounts"]) >= 2
    else:
        assert kind == "Points"


def near(found, expected, what):
    """Equal but for the rounding of a sum in single precision."""
    assert found.shape == expected.shape, (what, found.shape, expected.shape)
    error = np.abs(found - expected).max()
    assert error <= 2.5e-7 * max(1, np.abs(expected).max()), (what, error)


def main(name, frames):
    meshes = [meshio.read("%s/%d.vtk" % (name, f)).points for f in range(1, frames + 1)]
    gltf = Gltf(name + ".glb")
    assert gltf.json.keys() == Gltf(name + ".gltf").json.keys()
    for a, b in zip(gltf.arrays, Gltf(name + ".gltf").arrays):
        assert np.array_equal(a, b)
    nodes = [0, 2, 1] if name == "tear" else [0, 1, 2, 3, 4]  # in the order of the bodies
    layer, prims = read_usda(name + ".usda")
    assert layer["timeCodesPerSecond"] == 50 and layer["endTimeCode"] == frames and layer["metersPerUnit"] == 1
    for path, (kind, p) in prims.items():
        if path != layer["defaultPrim"]:
            check_usda_prim(kind, p)
    for f, expected in enumerate(meshes, 1):
        seen = [gltf.positions(n, f / 50) for n in nodes]
        near(np.concatenate([s for s in seen if s is not None]), expected, "glTF, frame %d" % f)
        # Between two frames, half of each.
        if f > 1 and len(meshes[f - 2]) == len(expected) and name == "all":
            between = np.concatenate([gltf.positions(n, (f - 0.5) / 50) for n in nodes])
            assert np.abs(between - (expected + meshes[f - 2]) / 2).max() < 2e-6
    return gltf, prims, meshes


def exact(found, expected, what):
    assert np.array_equal(np.asarray(found, np.float32), np.asarray(expected).astype(np.float32)), what


def usda_points(prims, name, frame):
    return prims["scene/" + name][1]["points.timeSamples"][frame]


if sys.argv[1] == "all":
    gltf, prims, meshes = main("all", 7)
    names = [n["name"] for n in gltf.json["nodes"]]
    assert names == ["cloth", 'a "rope"\\', "a__rope__", "Ball \xe4", "2"], names
    modes = [[p["mode"] for p in m["primitives"]] for m in gltf.json["meshes"]]
    assert modes == [[4], [1], [4], [4], [0]], modes
    assert gltf.json["scenes"][0]["nodes"] == [0, 1, 2, 3, 4] and len(gltf.json["animations"]) == 1
    assert "TEXCOORD_0" in gltf.json["meshes"][0]["primitives"][0]["attributes"]
    kinds = [(path, kind) for path, (kind, p) in prims.items()]
    assert kinds == [("scene", "Xform"), ("scene/cloth", "Mesh"), ("scene/a__rope___2", "BasisCurves"),
                     ("scene/a__rope__", "Mesh"), ("scene/Ball____4", "Mesh"), ("scene/_2_5", "Points")], kinds
    assert prims["scene/a__rope___2"][1]["curveVertexCounts"] == [5]
    assert prims["scene/Ball____4"][1]["springtide:name"] == "Ball \xe4"
    sizes = [20, 5, 8, 42, 3]
    raw = open("all.pc2", "rb").read()
    assert struct.unpack_from("<12siiffi", raw) == (b"POINTCACHE2\0", 1, sum(sizes), 0.0, 1.0, 8)
    pc2 = np.frombuffer(raw, "<f4", offset=32).reshape(8, -1, 3)
    raw = open("all.mdd", "rb").read()
    assert struct.unpack_from(">ii", raw) == (8, sum(sizes))
    times = np.frombuffer(raw, ">f4", 8, 8)
    exact(times, np.arange(8) / 50, "times of .mdd")
    exact(np.frombuffer(raw, ">f4", offset=40).reshape(8, -1, 3), pc2, ".mdd and .pc2")
    first = 0
    for f, points in enumerate(meshes, 1):
        exact(pc2[f], points, ".pc2, frame %d" % f)
    for name, size in zip(["cloth", "a__rope___2", "a__rope__", "Ball____4", "_2_5"], sizes):
        for f in range(8):
            exact(usda_points(prims, name, f), pc2[f, first:first + size], (name, f))
        first += size
else:
    gltf, prims, meshes = main("tear", 7)
    root = gltf.json["nodes"][gltf.json["scenes"][0]["nodes"][0]]
    assert root["children"] == [0, 1, 2] and np.allclose(root["rotation"], [-0.5 ** 0.5, 0, 0, 0.5 ** 0.5])
    assert [n.get("name") for n in gltf.json["nodes"][:3]] == ["sheet", "point", "sheet"]
    counts = [len(p) for p in meshes]
    assert counts[3] == 38 and counts[4] > 38, counts
    before, after = prims["scene/sheet_1"][1], prims["scene/sheet_3"][1]
    assert before["visibility.timeSamples"] == {0: "inherited", 5: "invisible"}
    assert after["visibility.timeSamples"] == {0: "invisible", 5: "inherited"}
    assert list(before["points.timeSamples"]) == [0, 1, 2, 3, 4] and list(after["points.timeSamples"]) == [5, 6, 7]
print("read")
PYTHON
for name in all tear; do
    equals "$name: all files have the positions of the frames" "$("$python" read.py $name 2>&1 | tail -3)" read
    for ending in glb gltf; do
        assimp info $name.$ending >assimp.txt 2>&1
        passes "$name.$ending: assimp reads it" grep -Eq '^Animations: +1$' assimp.txt
    done
done
passes "all: assimp sees all meshes" grep -Eq '^Meshes: +5$' <(assimp info all.glb)
cp all.glb short.glb && truncate -s -4 short.glb
equals "the reader of this test refuses a file that is cut" \
    "$("$python" -c 'import sys; sys.argv = ["read.py", "none"]
try: exec(open("read.py").read().split("if sys.argv")[0]); Gltf("short.glb")
except Exception as e: print(type(e).__name__)')" AssertionError

if command -v blender >/dev/null; then
    cat >blender.py <<'PYTHON'
import os
import bpy
import numpy as np
np.bool = bool  # the importer of Blender 3.4 asks for it
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 50
bpy.ops.import_scene.gltf(filepath=os.path.abspath("all.glb"))
cache = np.frombuffer(open("all.pc2", "rb").read(), "<f4", offset=32).reshape(8, -1, 3)
names = [o.name for o in bpy.data.objects if o.type == "MESH"]
assert len(names) == 5, names
for frame in range(8):
    bpy.context.scene.frame_set(frame)  # the importer puts time 0 at frame 0
    cloth = bpy.data.objects["cloth"].evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    seen = np.array([v.co for v in cloth.vertices])
    expected = cache[frame, :20][:, [0, 2, 1]] * [1, -1, 1]  # in Blender z is up
    assert np.abs(seen - expected).max() < 1e-5, frame
print("blender: the cloth moves")
PYTHON
    contains "Blender's importer reads the motion" "$(blender -b --python blender.py 2>&1)" "blender: the cloth moves"
else
    echo "# Blender is not installed; its importer was not asked"
fi

# A file for each body.
run run all.lua --headless --frames 2 --export 'bodies/%s.pc2'
equals "a file a body: status" "$status" 0
equals "a file a body" "$(cd bodies && for f in *; do echo "$(stat -c %s "$f") $f"; done)" \
    "$(printf '%d %s\n' $((32 + 36 * 3)) 2.pc2 $((32 + 36 * 42)) $'Ball%20\xc3\xa4.pc2' $((32 + 36 * 5)) 'a%20%22rope%22%5C.pc2' \
        $((32 + 36 * 8)) a__rope__.pc2 $((32 + 36 * 20)) cloth.pc2 | LC_ALL=C sort -k2 | cat)"

# What cannot be written.
refused "a number of the frame" "such a file has all frames; leave out the number of the frame" \
    run all.lua --headless --export '%d.glb'
refused "only an ending" "expected a name that ends in" run all.lua --headless --export out/.glb
run run tear.lua --headless --frames $frames --export tear.pc2
equals "a cache of a mesh that changes: status" "$status" 1
contains "a cache of a mesh that changes" "$err" \
    'tear.pc2: body "sheet": mesh: it changes 5 frames after the first one, and a cache of points holds one mesh'
fails "a cache of a mesh that changes: no file" test -e tear.pc2
echo 'local tide = require "springtide"; return tide.scene {}' >empty.lua
run run empty.lua --headless --frames 1 --export empty.glb
equals "no body: status" "$status" 1
contains "no body" "$err" "empty.glb: there is no body to write; add a body to the scene"
mkdir folder.glb
run run all.lua --headless --frames 1 --export folder.glb
equals "a folder in place of the file: status" "$status" 1
contains "a folder in place of the file" "$err" "folder.glb"
sed 's/{ 2, 3, 0 }/{ 1e39, 3, 0 }/' all.lua >far.lua
run run far.lua --headless --frames 0 --export far.glb
equals "positions beyond single precision: status" "$status" 1
contains "positions beyond single precision" "$err" "too far away for a file of motion"

# An interrupted run and one that fails keep the frames before.
sed 's/^return scene/function scene.update() assert(scene.frame < 3, "enough") end\n&/' all.lua >fails.lua
run run fails.lua --headless --frames 7 --export fails.pc2
equals "a run that fails: status" "$status" 1
equals "a run that fails keeps its frames" "$(stat -c %s fails.pc2)" $((32 + 4 * 12 * 78))
stop_when INT '[ -s stop.csv ] && [ $(wc -l <stop.csv) -gt 3 ]' run all.lua --headless --frames 100000000 --export stop.pc2 \
    --stats stop.csv
rows=$(($(wc -l <stop.csv) - 1))
equals "an interrupted run keeps its frames" "$(stat -c %s stop.pc2)" $((32 + (rows + 1) * 12 * 78))
finish
