-- Lessons 7 to 12 of the course: the empty exercise gets nothing, the solution all, typical mistakes get a message that
-- helps, and the scenes do what the lessons tell. A mistake is the solution with one passage replaced.
local helper = dofile "tests/script/helper.lua"
local run = require "springtide.check.run"

local function folder(number)
  local list = io.popen(("ls -d scenes/course/%02d-*"):format(number))
  local path = list:read "l"
  list:close()
  return assert(path, "there is no lesson " .. number)
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function mark(number, file, seed)
  return assert(run.mark(folder(number), file, { seed = seed }))
end

-- The result of marking the solution with a passage, which it must have once, replaced by another one.
local function mark_mistake(number, passage, wrong)
  local text = read(folder(number) .. "/solution.lua")
  local from, to = text:find(passage, 1, true)
  assert(from, ("the solution of lesson %d has no %q"):format(number, passage))
  assert(not text:find(passage, to + 1, true), ("the solution of lesson %d has %q twice"):format(number, passage))
  local name = ("mistake-%d.lua"):format(number)
  return mark(number, helper.write(name, text:sub(1, from - 1) .. wrong .. text:sub(to + 1)), 1)
end

-- Lesson, check, passage of the solution, what is there instead, a part of the message.
local mistakes = {
  { 7, "the power method", "v = w / w:norm()", "v = w", "divide v by its length" },
  { 7, "the power method", "return v:dot(A * v), v", "return (A * v):norm(), v", "keeps the sign" },
  { 7, "conjugate gradients are fast", "p = r + rr / before * p", "p = r:copy()",
    "Without beta it is steepest descent" },
  { 7, "the longest stable timestep", "1 / math.sqrt(mass), math", "1, math", "the masses are left out" },
  { 8, "one projection", "return moved(a, n, -wa * s), moved(b, n, wb * s)",
    "return moved(a, n, -fraction * C / 2), moved(b, n, fraction * C / 2)", "in proportion to its inverse mass" },
  { 8, "stiffness and iterations", "1 - (1 - fraction) ^ (1 / n)", "fraction / n", "fraction / n takes too little" },
  { 8, "one projection with compliance", "1 / (stiffness * h ^ 2)", "1 / stiffness",
    "the compliance is divided by h^2" },
  { 8, "one projection with compliance", "-(C + compliance * lambda)", "-C", "is lambda in your formula?" },
  { 9, "the loss of implicit Euler", "1 / math.sqrt(1 + h ^ 2 * k)", "1 / (1 + h ^ 2 * k)", "the energy's factor" },
  { 9, "Rayleigh damping for two modes", "2 * (z2 * w2 - z1 * w1) / (w2 ^ 2 - w1 ^ 2)\n  return 2 * z1",
    "(z2 * w2 - z1 * w1) / (w2 ^ 2 - w1 ^ 2)\n  return z1", "half of what is right" },
  { 9, "the filter", "beta / 2 * (v[i + 1] - v[i])", "beta / 2 * (filtered[i + 1] - filtered[i])",
    "compute with the old v" },
  { 9, "the filter", "local beta = w / (1 + 2 * w)\n  local filtered", "local beta = w\n  local filtered",
    "the weights are not normalised" },
  { 10, "Chebyshev", "omega * (plain - before) + before", "omega * (plain - x) + x",
    "the point before x, not x itself" },
  { 10, "Anderson", "image + theta *", "image - theta *", "is the sign of theta right?" },
  { 10, "the direction of L-BFGS", "for i = 1, #pairs_of do", "for i = #pairs_of, 1, -1 do",
    "the second with the oldest" },
  { 10, "the direction of L-BFGS", "return -z", "return z", "the direction goes uphill" },
  { 11, "the normal impulse", "if approach >= 0 then return { 0, 0, 0 } end", "", "a contact never pulls" },
  { 11, "friction", "math.min(mu * normal, m * speed) / speed", "mu * normal / speed", "friction reverses the slip" },
  { 11, "many contacts", "math.max(0, -rest / W[i][i])", "-rest / W[i][i]", "no x[i] may be below 0" },
  { 11, "many contacts", "x[i] = math.max(0, -rest / W[i][i])\n    end\n  end",
    "x[i] = -rest / W[i][i]\n    end\n  end\n  for i = 1, #b do x[i] = math.max(0, x[i]) end",
    "clamp within the sweeps" },
  { 12, "the band", "tide.max((a - b):length() - p.rest, 0)", "(a - b):length() - p.rest", "must not push" },
  { 12, "the moduli of a sheet", "young * poisson / (1 - poisson ^ 2)",
    "young * poisson / ((1 + poisson) * (1 - 2 * poisson))", "that of a solid" },
  { 12, "stretch and shear", " + 2 * e[2] * e[3]", "", "the shear e12 e21 does not count" },
  { 12, "stretch and shear", " + 2 * e[2] * e[3]", " + 2 * e[2] ^ 2", "e12 and e21 differ" },
}

describe("lesson", function()
  for number = 7, 12 do
    it(number .. " gives the empty exercise no points, and hints", function()
      local result = mark(number, folder(number) .. "/exercise.lua", 1)
      assert.are.equal(0, result.points)
      for _, check in ipairs(result.checks) do
        assert.is_false(check.passed, check.name)
        assert.is_true(#check.message > 0 and #check.hint > 0, check.name)
      end
    end)
    it(number .. " gives its solution all points, whatever the hidden cases", function()
      for seed = 1, 2 do
        local result = mark(number, folder(number) .. "/solution.lua", seed)
        for _, check in ipairs(result.checks) do assert(check.passed, check.message) end
        assert.are.equal(result.of, result.points)
      end
    end)
  end
end)

describe("a mistake", function()
  local of_lesson = {}
  for _, mistake in ipairs(mistakes) do
    local number, name, passage, wrong, part = table.unpack(mistake)
    of_lesson[number] = (of_lesson[number] or 0) + 1
    it(("in lesson %d, %q, is told: %s"):format(number, name, part), function()
      local result, found = mark_mistake(number, passage, wrong), nil
      for _, check in ipairs(result.checks) do
        if check.name == name then found = check end
      end
      assert(found, "there is no check " .. name)
      assert.is_false(found.passed)
      helper.has(found.message, part)
      assert.is_true(result.points < result.of)
    end)
  end
  it("is there twice for each lesson", function()
    for number = 7, 12 do assert.is_true(of_lesson[number] >= 2) end
  end)
end)

describe("the scene of lesson", function()
  local function load(number, set)
    return assert(helper.tide.load(folder(number) .. "/scene.lua", { set = set }))
  end

  it("7 takes the iterations that the lesson tells", function()
    for stiffness, expected in pairs { [1] = 9, [10] = 25, [100] = 61 } do
      local scene, sum = load(7, { stiffness = stiffness }), 0
      for frame = 1, 50 do
        assert(scene:step())
        if frame > 10 then sum = sum + scene:report().linear_iterations end
      end
      assert.is_near(expected, sum / 40, 1.5)
    end
  end)
  it("8 hangs as low as the lesson tells", function()
    local function stretch(set)                   -- mm, a mean over the last second of six
      local scene, sum = load(8, set), 0
      assert(scene:step(300))
      for _ = 1, 60 do
        assert(scene:step())
        local _, y = scene:body("rope"):position(11)
        sum = sum - 1000 * (y + 1) / 60
      end
      return sum
    end
    assert.is_near(203, stretch { method = "pbd", fraction = 0.9 }, 1)
    assert.is_near(22, stretch { method = "pbd", fraction = 1 }, 1)
    assert.is_near(96, stretch { method = "xpbd" }, 0.5)
    assert.is_near(93.2, stretch { method = "xpbd", iterations = 50 }, 0.05)
    assert.is_near(93.2, stretch { method = "newton" }, 0.05)
  end)
  it("9 loses what the lesson tells", function()
    local function amplitude(scene, m)            -- mm
      local sum = 0
      for i = 1, 33 do
        local _, y = scene:body("string"):position(i)
        sum = sum + 1000 * y * math.sin(m * math.pi * (i - 1) / 32) / 16
      end
      return math.abs(sum)
    end
    local told = { nothing = { 200, 15.8 }, mass = { 51, 7.4 }, stiffness = { 187, 0 }, filter = { 195, 0 },
      implicit = { 194, 0 } }
    for method, expected in pairs(told) do
      local scene, slow, fast = load(9, { method = method }), 0, 0
      assert(scene:step(400))
      for _ = 1, 300 do
        assert(scene:step())
        slow, fast = math.max(slow, amplitude(scene, 1)), math.max(fast, amplitude(scene, 28))
      end
      assert.is_near(expected[1], slow, 1)
      assert.is_near(expected[2], fast, 0.1)
    end
  end)
  it("10 has the gradients that the lesson tells", function()
    for method, expected in pairs { plain = -1.0, chebyshev = -1.4, anderson = -1.6, lbfgs = -1.4 } do
      local scene, sum = load(10, { method = method }), 0
      for frame = 1, 90 do
        assert(scene:step())
        local report = scene:report()
        if frame > 30 then sum = sum + math.log(report.gradient_norm / report.initial_gradient_norm, 10) / 60 end
      end
      assert.is_near(expected, sum, 0.06)
    end
  end)
  it("11 slides by Coulomb's law", function()
    for _, angle in ipairs { 16.3, 25 } do
      local scene, slope = load(11, { angle = angle }), math.rad(angle)
      assert(scene:step(60))
      for mu = 0.1, 0.95, 0.2 do
        local v = scene:body(("friction %.1f"):format(mu)):motion().velocity
        local expected = math.max(0, 9.81 * (math.sin(slope) - mu * math.cos(slope)) * 0.25)
        assert.is_near(expected, math.sqrt(v[1] ^ 2 + v[2] ^ 2 + v[3] ^ 2), 1e-3)
      end
      assert.is_true(scene:certify().clean)
    end
  end)
end)
