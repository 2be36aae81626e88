local tide = require "springtide"

-- A flat bar of 41 x 2 x 9 vertices, a little tilted, that falls 1 m onto a floor without restitution: a step at the
-- impact moves farther than the bar is thick.
local function falling_bar(stiffness, solver)
  local scene = tide.scene { timestep = 1 / 30, solver = solver }
  local mesh = tide.mesh.box { size = { 1, 0.05, 0.2 }, cells = { 40, 1, 8 } }
  scene:body("bar", {
    mesh = mesh:rotate({ 0, 0, 1 }, 0.05):translate(0, 1.025, 0), mass = 4, stiffness = stiffness, restitution = 0,
  })
  scene:collider("floor", { shape = "plane", restitution = 0 })
  return scene
end

-- The largest gain of 20 steps, J, whether a step warned of it with its own frame, and the first warning.
local function run(scene)
  local most, warned, first = 0, false, nil
  for frame = 1, 20 do
    assert(scene:step())
    local report = scene:report()
    most = math.max(most, report.energy_gain)
    local text = "the step to frame " .. frame .. " gained "
    warned = warned or (report.warning or ""):find(text, 1, true) ~= nil
    first = first or report.warning
  end
  return most, warned, first
end

describe("the energy gain of a step", function()
  for _, case in ipairs {
    { "vertex block descent turns a bar inside out", "vbd", 1 },
    { "20 iterations of local/global are too few", "local_global", 10 },
  } do
    it("is told where " .. case[1], function()
      local most, warned = run(falling_bar(1e4, { case[2], iterations = 20 }))
      assert.is_true(most > case[3])
      assert.is_true(warned)
    end)
  end

  -- More iterations help where they lead to the step's solution, and not where points are moved one after another.
  for _, case in ipairs {
    { "local_global", "give more iterations", { iterations = 80 } },
    { "vbd", "raise `substeps`", { iterations = 20, substeps = 4 } },
    { "xpbd", "raise `substeps`", { iterations = 20, substeps = 4 } },
    { "pbd", "raise `substeps`", { iterations = 20, substeps = 4 } },
  } do
    it("is told with a remedy that helps " .. case[1], function()
      local gained, _, warning = run(falling_bar(1e4, { case[1], iterations = 20 }))
      assert.is_truthy(warning:find("shorten the timestep, or " .. case[2], 1, true))
      case[3][1] = case[1]
      local less = run(falling_bar(1e4, case[3]))
      assert.is_true(less < 0.01 * gained)
    end)
  end

  it("is 0 where iterations suffice and while a bar falls", function()
    local scene = falling_bar(1e4, { "newton", iterations = 100 })
    local most, warned = run(scene)
    assert.is_true(most < 1e-6)
    assert.is_false(warned)
  end)
end)
