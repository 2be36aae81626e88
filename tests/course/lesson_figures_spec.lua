-- The figures that the pages of lessons 1 to 6 give are those of their scenes.
local helper = dofile "tests/script/helper.lua"
local tide = helper.tide

local function page(lesson)
  local file = assert(io.open("scenes/course/" .. lesson .. "/lesson.md"))
  local text = file:read("a")
  file:close()
  return text
end

local function load(lesson, set, name)
  return assert(tide.load(("scenes/course/%s/%s.lua"):format(lesson, name or "scene"), { set = set }))
end

-- The numbers in the cells of the table's row that begins with a text.
local function row(text, first)
  local cells = assert(text:match("\n| " .. first:gsub("%p", "%%%0") .. "[^|]*|([^\n]*)\n"), first)
  local numbers = {}
  for cell in cells:gmatch("[^|]+") do
    numbers[#numbers + 1] = tonumber(cell)
  end
  return numbers
end

local function near(expected, value, relative)
  local message = ("%g, the page says %g"):format(value, expected)
  assert.is_true(math.abs(value - expected) <= relative * math.abs(expected), message)
end

describe("the pages have the figures of", function()
  it("lesson 1: the period and the energies", function()
    local scene = load "01-one-spring"
    local ball, lowest, places = scene:body "ball", {}, {}
    for frame = 1, 500 do
      scene:step()
      places[frame] = select(2, ball:position(2))
      if frame > 2 and places[frame - 1] < math.min(places[frame - 2], places[frame]) then
        lowest[#lowest + 1] = frame - 1
      end
    end
    assert.are.equal(2, #lowest)
    assert.is_true(math.abs(lowest[2] - lowest[1] - 238.4) <= 1)
    helper.has(page "01-one-spring", "238.4 frames")
  end)

  it("lesson 2: the largest eigenvalue, and the limit of the rope", function()
    local text = page "02-stability"
    local system = load("02-stability", nil, "solution"):system()
    local k0 = system:largest_eigenvalue(system:positions(), { tolerance = 1e-10 })
    helper.has(text, ("%.3f"):format(k0))
    near(4 * 100 / 0.1 * math.sin(math.pi * 10 / 22) ^ 2, k0, 1e-9)
    local energies = row(text, "largest energy")
    for i, fraction in ipairs { 0.9, 0.99, 0.999 } do
      local scene, most = load("02-stability", { fraction = fraction }, "solution"), 0
      for _ = 1, 600 do
        scene:step()
        most = math.max(most, scene:energy().total)
      end
      near(energies[i], most, 0.06)
    end
  end)

  for _, method in ipairs { "explicit_euler", "symplectic_euler", "newton", "midpoint", "verlet", "implicit_midpoint",
    "rk4" } do
    it("lesson 3: the errors of " .. method, function()
      local errors = row(page "03-order", "`" .. method .. "`")
      for i, steps in ipairs { 16, 32, 64, 128 } do
        local scene = load("03-order", { method = method, steps = steps })
        scene:step(steps + 1)
        near(errors[i], scene.state.errors[method .. " " .. steps], 0.01)
      end
    end)
  end

  it("lesson 4: the smallest eigenvalues", function()
    local text = page "04-net"
    for _, case in ipairs { { 9.81, "1.05" }, { 0, "-246" } } do
      local scene = load("04-net", { gravity = case[1] })
      scene:step(120)
      local system = scene:system()
      local shift = 1600
      local ones = {}
      for i = 1, 3 * system.free_count do ones[i] = shift end
      local shifted = tide.linear.diagonal(ones) - system:hessian(system:positions())
      local largest = tide.linear.largest_eigenvalue(shifted, { tolerance = 1e-12, max_iterations = 20000 })
      near(tonumber(case[2]), shift - largest, 0.01)
      helper.has(text, case[2] .. " N/m")
    end
  end)

  it("lesson 5: the iterations of Newton's method", function()
    local count, scene = 0, load "05-minimisation"
    for _ = 1, 60 do
      scene:step()
      assert.is_true(scene:report().converged)
      count = count + scene:report().iterations
    end
    near(4.5, count / 60, 0.03)
    helper.has(page "05-minimisation", "4.5 on average")
  end)

  for _, stiffness in ipairs { 80, 800 } do
    it(("lesson 6: what iterations leave at %d N/m"):format(stiffness), function()
      local scene = load("06-local-global", { stiffness = stiffness, iterations = 50, newton = "not shown" })
      scene:step(24)
      local problem = scene:problem()
      local best = problem:g((problem:solve "newton,tolerance=1e-12,iterations=100"))
      local first = problem:g(problem.inertial) - best
      local parts = row(page "06-local-global", stiffness .. " N/m")
      for i, iterations in ipairs { 1, 2, 5, 10, 20, 50, 100 } do
        local x = problem:solve("local_global,solve=double,iterations=" .. iterations)
        near(parts[i], (problem:g(x) - best) / first, 0.03)
      end
    end)
  end
end)
