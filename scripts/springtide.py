"""Springtide in Python: scenes with numpy arrays over the engine's own memory.

    import springtide

    scene = springtide.Scene("scenes/curtain.lua", stiffness=200)
    curtain = scene["curtain"]
    scene.step(60)
    print(curtain.positions[:, 1].min(), scene.energy().total, scene.report().iterations, scene.hash())

The module needs numpy and build/release/springtide_c.so, which scripts/build.sh makes; with SPRINGTIDE_BUILD, the one of
that folder. States and hashes are those of `springtide run`.

`body.positions` and `body.velocities` are not copies: what is written there is the state from which the next step begins.
Where the engine gives a body other memory (a parameter was set, a body tore, the scene was closed), an array from before
raises StaleError; read `body.positions` again. Plain arrays made of it, as by numpy.asarray, keep the old numbers.

Errors of the engine are SpringtideError, with its message. One process uses scenes from one thread at a time. Processes
of multiprocessing start with "spawn": a fork has no helper threads.
"""

import collections
import ctypes
import os
import weakref
from collections.abc import MutableMapping

import numpy as np

__all__ = ["Scene", "Body", "SpringtideError", "DivergedError", "StaleError", "version"]


class SpringtideError(Exception):
    """What the engine refuses or cannot do; the text is its message."""


class DivergedError(SpringtideError):
    """A step diverged. The scene is at the last good frame."""


class StaleError(SpringtideError):
    """An array whose memory no longer is that of its body, or a scene that is closed."""


# --- the library ------------------------------------------------------------------------------------------------------

_NUMERIC = 5  # tide_status of a step that diverged
_POINTER, _TEXT, _COUNT = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint32
_NUMBERS = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")
_INDICES = np.ctypeslib.ndpointer(np.uint32, flags="C_CONTIGUOUS")

# Name, type of the result (int: a status), types of the arguments; engine/script/foreign.h describes them.
_FUNCTIONS = [
    ("version", _TEXT, []),
    ("message", _TEXT, []),
    ("open", int, [_TEXT, ctypes.POINTER(_TEXT), ctypes.POINTER(_TEXT), _COUNT, _TEXT, ctypes.c_double, ctypes.c_uint64,
                   ctypes.c_double, _POINTER, ctypes.POINTER(_POINTER)]),
    ("close", None, [_POINTER]),
    ("step", int, [_POINTER]),
    ("reset", int, [_POINTER]),
    ("reload", int, [_POINTER]),
    ("set", int, [_POINTER, _TEXT, _TEXT]),
    ("set_solver", int, [_POINTER, _TEXT]),
    ("time", ctypes.c_double, [_POINTER]),
    ("frame", ctypes.c_uint64, [_POINTER]),
    ("title", _TEXT, [_POINTER]),
    ("solver", _TEXT, [_POINTER]),
    ("warning", _TEXT, [_POINTER]),
    ("hash", int, [_POINTER, _TEXT]),
    ("measure", int, [_POINTER, ctypes.c_int]),
    ("number", _TEXT, [_POINTER, _COUNT, ctypes.POINTER(ctypes.c_double)]),
    ("parameter", _TEXT, [_POINTER, _COUNT, ctypes.c_int]),
    ("snapshot", int, [_POINTER, ctypes.POINTER(_POINTER), ctypes.POINTER(ctypes.c_size_t)]),
    ("restore", int, [_POINTER, _TEXT, ctypes.c_size_t]),
    ("save", int, [_POINTER, _TEXT]),
    ("load", int, [_POINTER, _TEXT]),
    ("body", _TEXT, [_POINTER, _COUNT]),
    ("counts", int, [_POINTER, _TEXT, _COUNT * 4]),
    ("array", int, [_POINTER, _TEXT, ctypes.c_int, ctypes.POINTER(_POINTER), ctypes.POINTER(_POINTER)]),
    ("hold", None, [_POINTER]),
    ("drop", None, [_POINTER]),
    ("corners", int, [_POINTER, _TEXT, ctypes.c_int, _INDICES]),
    ("compute", int, [_POINTER, _TEXT, ctypes.c_int, _NUMBERS]),
]


def _load():
    folder = os.environ.get("SPRINGTIDE_BUILD") or os.path.join(
        os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build", "release")
    path = os.path.join(folder, "springtide_c.so")
    if not os.path.exists(path):
        raise ImportError("%s does not exist; scripts/build.sh makes it, or SPRINGTIDE_BUILD names its folder" % path)
    library = ctypes.PyDLL(path)  # which keeps the interpreter's lock: no other thread sees a state amid a step
    for name, result, arguments in _FUNCTIONS:
        function = getattr(library, "tide_foreign_" + name)
        function.argtypes = arguments
        function.restype = ctypes.c_int if result is int else result
        if result is int:
            function.errcheck = _check
    return library


def _check(status, function, arguments):
    if status:
        message = _library.tide_foreign_message().decode("utf-8", "replace")
        raise (DivergedError if status == _NUMERIC else SpringtideError)(message)
    return status


_library = _load()
# Called while a script runs, with the interpreter's lock: Ctrl-C then ends an endless loop of a scene.
_progress = ctypes.cast(ctypes.pythonapi.PyErr_CheckSignals, _POINTER)
_opened = False  # this process or the one that it was forked from has had a scene
_forked = False


def _after_fork():
    global _forked
    _forked = _opened


os.register_at_fork(after_in_child=_after_fork)
version = _library.tide_foreign_version().decode()


def _bytes(text, what):
    """The text for the library, which cannot take zero bytes."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise SpringtideError("%s = %r: expected a text without zero bytes" % (what, text))
    return data


def _value_text(name, value):
    if isinstance(value, (bool, np.bool_)):
        return b"true" if value else b"false"
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(value.item() if isinstance(value, np.generic) else value).encode()
    if isinstance(value, str):
        return _bytes(value, name)
    raise SpringtideError("%s = %r: expected a number, a text, True or False" % (name, value))


# --- arrays over the engine's memory ----------------------------------------------------------------------------------

class _Memory:
    """Memory of the engine; an array that has it as its base keeps it."""

    def __init__(self, address, rows, block):
        self.__array_interface__ = {"data": (address, False), "shape": (rows, 3), "typestr": "<f8", "version": 3}
        _library.tide_foreign_hold(block)
        weakref.finalize(self, _library.tide_foreign_drop, block).atexit = False


class _Guard:
    """Tells whether memory still is that of a body. It keeps the scene."""

    def __init__(self, body, what, place):
        self.body, self.what, self.place = body, what, place

    def check(self):
        scene = self.body.scene
        if scene._handle and self.body._place(self.what) == self.place:
            return
        raise StaleError("%s of body \"%s\": %s" % (
            ("positions", "velocities")[self.what], self.body.name,
            "the scene has given the body other memory; read them from the body again" if scene._handle else
            "the scene is closed"))


class View(np.ndarray):
    """Numbers in the engine's own memory, (vertices, 3). Every use checks that they still are the body's."""

    _guard = None

    def __array_finalize__(self, parent):
        base = self.base
        self._guard = getattr(parent, "_guard", None) if base is not None else None

    def _check(self):
        guard = np.ndarray.__getattribute__(self, "_guard")
        if guard is not None:
            guard.check()
        return self

    def __getattribute__(self, name):
        if not name.startswith("_") and name != "base":
            np.ndarray.__getattribute__(self, "_check")()
        return np.ndarray.__getattribute__(self, name)

    def __getitem__(self, key):
        return np.ndarray.__getitem__(self._check(), key)

    def __setitem__(self, key, value):
        np.ndarray.__setitem__(self._check(), key, value)

    def __eq__(self, other):  # numpy's own hides the error
        return np.equal(self._check().view(np.ndarray), other)

    def __ne__(self, other):
        return np.not_equal(self._check().view(np.ndarray), other)

    __hash__ = None

    def __iter__(self):
        return np.ndarray.__iter__(self._check())

    def __repr__(self):
        return np.ndarray.__repr__(self._check().view(np.ndarray))

    def __str__(self):
        return np.ndarray.__str__(self._check().view(np.ndarray))

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        plain = [x._check().view(np.ndarray) if isinstance(x, View) else x for x in inputs]
        if out is not None:
            options["out"] = tuple(x._check().view(np.ndarray) if isinstance(x, View) else x for x in out)
        result = getattr(ufunc, method)(*plain, **options)
        return result if out is None or result is None else (out[0] if len(out) == 1 else out)

    def __array_function__(self, function, types, arguments, options):
        def plain(value):
            if isinstance(value, View):
                return value._check().view(np.ndarray)
            if isinstance(value, (list, tuple)):
                return type(value)(plain(item) for item in value) if type(value) in (list, tuple) else value
            return value
        return function(*plain(tuple(arguments)), **{name: plain(value) for name, value in options.items()})

    def __reduce__(self):
        return np.array(self._check().view(np.ndarray)).__reduce__()  # a copy: memory does not go elsewhere


# --- bodies -----------------------------------------------------------------------------------------------------------

class Body:
    """A body of a scene, by its name."""

    def __init__(self, scene, name):
        self.scene, self.name = scene, str(name)
        self._name = _bytes(self.name, "body")
        self._counts()

    def __repr__(self):
        return "<body \"%s\" of \"%s\">" % (self.name, self.scene.path)

    def _counts(self):
        counts = (_COUNT * 4)()
        _library.tide_foreign_counts(self.scene._live(), self._name, counts)
        return tuple(counts)

    vertex_count = property(lambda self: self._counts()[0])
    edge_count = property(lambda self: self._counts()[1])
    triangle_count = property(lambda self: self._counts()[2])
    tetrahedron_count = property(lambda self: self._counts()[3])

    # What places memory: its address, its rows, and the block that it is in.
    def _place(self, what):
        address, block = _POINTER(), _POINTER()
        rows = self._counts()[0]
        _library.tide_foreign_array(self.scene._live(), self._name, what, ctypes.byref(address), ctypes.byref(block))
        return address.value, rows, block.value

    def _view(self, what):
        place = self._place(what)
        view = np.asarray(_Memory(*place)).view(View)
        view._guard = _Guard(self, what, place)
        return view

    @property
    def positions(self):
        """m, (vertices, 3); assign to it, or to its parts."""
        return self._view(0)

    @positions.setter
    def positions(self, values):
        self._view(0)[...] = values

    @property
    def velocities(self):
        """m/s, (vertices, 3); likewise."""
        return self._view(1)

    @velocities.setter
    def velocities(self, values):
        self._view(1)[...] = values

    def _corners(self, what):
        out = np.empty((self._counts()[1 + what], 2 + what), np.uint32)
        _library.tide_foreign_corners(self.scene._live(), self._name, what, out)
        return out

    edges = property(lambda self: self._corners(0), doc="Vertices from 0 of each edge, (edges, 2); a copy.")
    triangles = property(lambda self: self._corners(1), doc="Vertices from 0, (triangles, 3); a copy.")
    tetrahedra = property(lambda self: self._corners(2), doc="Vertices from 0, (tetrahedra, 4); a copy.")

    def _compute(self, what, width):
        rows = self._counts()[0]
        out = np.zeros((rows, width) if width > 1 else rows)
        _library.tide_foreign_compute(self.scene._live(), self._name, what, out)
        return out

    masses = property(lambda self: self._compute(0, 1), doc="kg, (vertices)")
    stresses = property(lambda self: self._compute(1, 1), doc="The largest von Mises stress at each vertex, Pa.")
    tensions = property(lambda self: self._compute(2, 1), doc="The largest tension of springs at each vertex, N.")
    reactions = property(lambda self: self._compute(3, 3), doc="Forces of pins and attachments, N, (vertices, 3).")
    contact_forces = property(lambda self: self._compute(4, 3), doc="N, (vertices, 3)")


# --- scenes -----------------------------------------------------------------------------------------------------------

class Parameters(MutableMapping):
    """The parameters of a scene by name. Assigning one runs the scene's file again; the state stays."""

    def __init__(self, scene):
        self._scene = scene

    def _find(self, index, what):
        text = _library.tide_foreign_parameter(self._scene._live(), index, what)
        return None if text is None else text.decode()

    def _index(self, name):
        for index, known in enumerate(self):
            if known == name:
                return index
        raise KeyError(name)

    def __iter__(self):
        index = 0
        while (name := self._find(index, 0)) is not None:
            yield name
            index += 1

    def __len__(self):
        return sum(1 for _ in self)

    def __getitem__(self, name):
        index = self._index(name)
        text, kind = self._find(index, 1), self._find(index, 4)
        return float(text) if kind == "number" else text == "true" if kind == "boolean" else text

    def __setitem__(self, name, value):
        _library.tide_foreign_set(self._scene._live(), _bytes(name, "parameter"), _value_text(name, value))

    def __delitem__(self, name):
        raise TypeError("a parameter cannot be removed; the scene's file declares it")

    def __repr__(self):
        return repr(dict(self))

    def unit(self, name):
        return self._find(self._index(name), 2)

    def help(self, name):
        return self._find(self._index(name), 3)


_COUNTS = ("iterations", "line_searches", "linear_iterations", "substeps", "rejected")


class Scene:
    """A scene file that runs. Keywords that are no option are parameters of the scene: Scene(path, stiffness=200)."""

    def __init__(self, path, *, solver=None, timestep=0.0, seed=0, time_limit=0.0, params=None, **more):
        global _opened
        self._handle = None
        if _forked:
            raise SpringtideError("this process was forked from one that has used scenes, and lacks its helper threads; "
                                  "start it by multiprocessing.get_context(\"spawn\")")
        for name, value in (("timestep", timestep), ("time_limit", time_limit)):
            if not 0 <= value < float("inf"):
                raise SpringtideError("%s = %r: expected seconds" % (name, value))
        if not 0 <= seed < 2 ** 64:
            raise SpringtideError("seed = %r: expected a whole number from 0 to 2^64 - 1" % (seed,))
        self.path = os.fspath(path)
        values = {**(params or {}), **more}
        names = (_TEXT * len(values))(*[_bytes(name, "parameter") for name in values])
        texts = (_TEXT * len(values))(*[_value_text(name, value) for name, value in values.items()])
        handle = _POINTER()
        _opened = True
        _library.tide_foreign_open(_bytes(self.path, "path"), names, texts, len(values),
                                   None if solver is None else _bytes(solver, "solver"), timestep, seed, time_limit,
                                   _progress, ctypes.byref(handle))
        self._handle = handle.value
        self._finalizer = weakref.finalize(self, _library.tide_foreign_close, self._handle)
        self._finalizer.atexit = False

    def __repr__(self):
        return "<scene \"%s\"%s>" % (self.path, ", frame %d" % self.frame if self._handle else ", closed")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Frees the scene; what was made of it raises StaleError from now on."""
        if self._handle:
            self._handle = None
            self._finalizer()

    def _live(self):
        if not self._handle:
            raise StaleError("scene \"%s\": it is closed" % self.path)
        if _forked:
            raise SpringtideError("scene \"%s\": it belongs to the process that this one was forked from" % self.path)
        return self._handle

    # --- running

    def step(self, count=1):
        """Calls the scene's update and advances by the timestep, `count` times."""
        for _ in range(count):
            _library.tide_foreign_step(self._live())

    def reset(self):
        """Restores the state before the first step."""
        _library.tide_foreign_reset(self._live())

    def reload(self):
        """Runs the scene's file again, as it is now, and goes on from the present state."""
        _library.tide_foreign_reload(self._live())

    @property
    def params(self):
        return Parameters(self)

    def set(self, **values):
        """Sets parameters, one after another."""
        for name, value in values.items():
            self.params[name] = value

    @property
    def solver(self):
        """The name of the solver; assign "newton" or "newton,iterations=5"."""
        return _library.tide_foreign_solver(self._live()).decode()

    @solver.setter
    def solver(self, text):
        _library.tide_foreign_set_solver(self._live(), _bytes(text, "solver"))

    # --- what it is and did

    time = property(lambda self: _library.tide_foreign_time(self._live()), doc="s")
    frame = property(lambda self: _library.tide_foreign_frame(self._live()), doc="Steps taken.")
    title = property(lambda self: _library.tide_foreign_title(self._live()).decode())

    def hash(self):
        """The hash of the state, as of `springtide run --hash`."""
        text = ctypes.create_string_buffer(17)
        _library.tide_foreign_hash(self._live(), text)
        return text.value.decode()

    def _numbers(self, title, what, more=()):
        value = ctypes.c_double()
        _library.tide_foreign_measure(self._live(), what)
        found = {}
        while (name := _library.tide_foreign_number(self._live(), len(found), ctypes.byref(value))) is not None:
            name = name.decode()
            found[name] = (int(value.value) if name in _COUNTS else
                           bool(value.value) if name == "converged" else value.value)
        found.update(more)
        if what == 2:
            found["gravity"] = tuple(found.pop("gravity_" + axis) for axis in "xyz")
        return collections.namedtuple(title, found)(**found)

    def energy(self):
        """kinetic, elastic, gravity and total, J"""
        return self._numbers("Energy", 0)

    def report(self):
        """What the last step did: iterations, gradient_norm, step_seconds, ...; NaN where a solver has no such number."""
        return self._numbers("Report", 1, {"solver": self.solver,
                                           "warning": _library.tide_foreign_warning(self._live()).decode()})

    def settings(self):
        """timestep (s), gravity, drag"""
        return self._numbers("Settings", 2)

    # --- snapshots

    def snapshot(self):
        """The complete state as bytes, for `restore` of a scene with the same bodies under the same build."""
        data, size = _POINTER(), ctypes.c_size_t()
        _library.tide_foreign_snapshot(self._live(), ctypes.byref(data), ctypes.byref(size))
        return ctypes.string_at(data.value, size.value)

    def restore(self, snapshot):
        data = bytes(snapshot)
        _library.tide_foreign_restore(self._live(), data, len(data))

    def save(self, path):
        """Writes a world file, which `load` and `springtide run --open-world` read."""
        _library.tide_foreign_save(self._live(), _bytes(path, "path"))

    def load(self, path):
        _library.tide_foreign_load(self._live(), _bytes(path, "path"))

    # --- bodies

    @property
    def bodies(self):
        found = []
        while (name := _library.tide_foreign_body(self._live(), len(found))) is not None:
            found.append(Body(self, name.decode()))
        return found

    def body(self, name):
        return Body(self, name)

    __getitem__ = body
