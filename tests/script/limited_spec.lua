-- tide.limited, and tide.load of untrusted scenes and with answers.
local helper = dofile "tests/script/helper.lua"
local tide, has = helper.tide, helper.has

local head = 'local tide = require "springtide"\nlocal scene = tide.scene {}\n'

-- Loads a script of these lines; returns what tide.load returns.
local function load_script(name, lines, options)
  return tide.load(helper.write(name, head .. lines), options)
end

local function answers_of(name, lines, options)
  local taken = { answers = true, trusted = false }
  for key, value in pairs(options or {}) do
    taken[key] = value
  end
  local scene, answers = load_script(name, lines, taken)
  assert(scene, answers)
  return answers, scene
end

describe("tide.load with answers", function()
  it("returns the second result of the script", function()
    local scene, answers = load_script("answers.lua", "return scene, { twice = function(x) return 2 * x end }",
                                       { answers = true })
    assert.are.equal("tide.Scene", getmetatable(scene))
    assert.are.equal(6, answers.twice(3))
  end)
  it("returns nil where there is none, and nothing unless asked", function()
    assert.are.equal(1, select("#", load_script("plain.lua", "return scene, 3")))
    local scene, answers = load_script("none.lua", "return scene", { answers = true })
    assert.is_truthy(scene)
    assert.is_nil(answers)
  end)
end)

describe("An untrusted scene", function()
  it("reads its own file and the Lua library only", function()
    helper.write("beside.lua", "return 1")
    helper.write("other.lua", head .. "return scene")
    local answers = answers_of("reads.lua", [[
      local function message(...) return select(2, pcall(...)) end
      return scene, { beside = message(require, "beside"), other = message(tide.load, "other.lua"),
                      passwd = message(tide.mesh.load, "/etc/passwd"), wind = require "springtide.wind" }]])
    for _, name in ipairs { "beside", "other", "passwd" } do
      has(answers[name], "an untrusted scene reads its own file and the Lua library")
    end
    assert.are.equal("table", type(answers.wind))
  end)
  it("reads no more after a reload", function()
    local answers, scene = answers_of("again.lua", [[
      return scene, { again = function() return scene:reload(nil, {}) end,
                      message = select(2, pcall(require, "beside")) }]])
    assert(answers.again())
    assert(scene:reload())
    has(answers.message, "an untrusted scene reads")
  end)
  it("writes no files, at its start, in callbacks and in answers", function()
    local save = 'tide.mesh.grid { columns = 2, rows = 2 }:save("untrusted.obj")'
    local scene, message = load_script("writes.lua", save .. "\nreturn scene", { trusted = false })
    assert.is_nil(scene)
    has(message, "an untrusted scene writes no files")
    scene = load_script("writes_later.lua", "function scene.update() " .. save .. " end\nreturn scene",
                        { trusted = false })
    has(select(2, scene:step()), "an untrusted scene writes no files")
    local answers = answers_of("writes_asked.lua", "return scene, { save = function() " .. save .. " end }")
    has(select(2, tide.limited({ trusted = false }, answers.save)), "an untrusted scene writes no files")
    assert.is_nil(io.open("untrusted.obj"))
  end)
  it("passes its limits on to the scenes that it loads", function()
    local answers = answers_of("passes.lua", [[
      return scene, { again = select(2, pcall(tide.load, "passes.lua", { trusted = true })) }]])
    has(answers.again, "an untrusted scene reads its own file")
  end)
  it("is stopped without a limit that the host names", function()
    local scene, message = load_script("eats.lua", "local t = {} for i = 1, 100 do t[i] = tide.linear.vector(1e7) end",
                                       { trusted = false })
    assert.is_nil(scene)
    has(message, "raise the") -- the limit of memory, or that of time on a busy machine
  end)
  it("does not change the number of threads", function()
    local before = tide.threads()
    answers_of("threads.lua", "tide.threads(7)\nreturn scene")
    assert.are.equal(before, tide.threads())
  end)
  it("cannot have another scene take the step of its solver", function()
    local lines = [[
      local other = tide.scene {}
      tide.solver { name = "other", step = function() assert(other:step()) return {} end }
      scene:body("b", { mesh = tide.mesh.grid { columns = 2, rows = 2 }, mass = 1, stiffness = 1 })
      scene.solver = "other"
      return scene]]
    local message = select(2, load_script("other_step.lua", lines, { trusted = false }):step())
    has(message, "the step of an untrusted solver neither makes scenes nor steps them")
  end)
end)

describe("tide.limited", function()
  it("returns what the function returns", function()
    assert.are.same({ true, 1, nil, 3, n = 4 }, table.pack(tide.limited({}, function(...) return ... end, 1, nil, 3)))
  end)
  it("returns nil and the message of an error", function()
    local ok, message = tide.limited({}, function() error("it is wrong", 0) end)
    assert.is_nil(ok)
    has(message, "it is wrong")
  end)
  it("stops a loop that catches all errors, and the next call goes on", function()
    local function loop()
      while true do
        pcall(function() while true do end end)
      end
    end
    local ok, message = tide.limited({ time_limit = 0.05 }, loop)
    assert.is_nil(ok)
    has(message, "it took more than 0.05 s of processor time")
    assert.are.same({ true, 7 }, { tide.limited({ time_limit = 10 }, function() return 7 end) })
  end)
  it("names the place when the limit is met in an allocation", function()
    local function text() return #("x"):rep(1e5) end
    local function stack() return select("#", table.unpack({}, 1, 1e5)) end
    local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end
    local function fails() error(("x"):rep(1e5)) end
    for _, work in ipairs { text, stack, function() return deep(1e5) end, fails } do
      local ok, message = tide.limited({ time_limit = 1e-9, memory_limit = 100 }, work)
      assert.is_nil(ok)
      has(message, "limited_spec.lua:")
      has(message, "stopped: it took more than 1e-09 s")
    end
  end)
  it("stops an inner call by the outer limit, and not the other way round", function()
    local function loop() while true do end end
    local ok, inner, message = tide.limited({ time_limit = 100 }, function()
      return tide.limited({ time_limit = 0.05 }, loop)
    end)
    assert.is_true(ok)
    assert.is_nil(inner)
    has(message, "0.05 s")
    assert.is_nil((tide.limited({ time_limit = 0.05 }, function() return tide.limited({ time_limit = 100 }, loop) end)))
  end)
  it("limits memory", function()
    local function eat()
      local all = {}
      for i = 1, 1e9 do all[i] = tide.linear.vector(1e5) end
      return all
    end
    local ok, message = tide.limited({ memory_limit = 20 }, eat)
    assert.is_nil(ok)
    has(message, "memory")
  end)
  it("makes and steps no scenes with scenes = false", function()
    local scene = helper.cloth()
    has(select(2, tide.limited({ scenes = false }, function() return tide.scene {} end)), "neither makes scenes")
    has(select(2, tide.limited({ scenes = false }, function() return assert(scene:step()) end)), "nor steps them")
    has(select(2, tide.limited({ scenes = false }, function() return scene:fork() end)), "neither makes scenes")
    assert.is_true((tide.limited({}, function() return scene:step() end)))
  end)
  it("is the host's alone", function()
    local message = select(2, load_script("limits.lua", "tide.limited({}, print)\nreturn scene"))
    has(message, "only hosts set limits of calls")
  end)
  it("names what is wrong in its limits", function()
    has(helper.message(tide.limited, { time_limt = 1 }, print), 'did you mean "time_limit"?')
    has(helper.message(tide.limited, { time_limit = -1 }, print), "time_limit = -1")
  end)
end)
