-- Lessons 1 to 6: the empty exercise has no points, the solution all, and typical mistakes get the message that helps.
local helper = dofile "tests/script/helper.lua"
local run = require "springtide.check.run"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function mark(lesson, path, seed)
  return assert(run.mark("scenes/course/" .. lesson, path, { seed = seed or 1 }))
end

-- The result of a check in a mark.
local function check_of(result, name)
  for _, each in ipairs(result.checks) do
    if each.name == name then
      return each
    end
  end
  error(("no check is called %q"):format(name))
end

-- Each mistake is what replaces a text of the solution, the check that must fail, and a part of its message.
local lessons = {
  ["01-one-spring"] = {
    { "k / 2 * (", "k * (", "the energy of a spring", "the factor 1/2 is missing" },
    { "(distance(a, b) - r) ^ 2", "distance(a, b) ^ 2", "the energy of a spring", "the rest length is missing" },
    { "local pull = -k", "local pull = k", "the force on the point a", "the direction is opposite" },
    { "-k * (l - r) / l", "-k * (l - r)", "the force on the point a", "divide it by its length" },
    { "return m * g / k", "return 2 * m * g / k", "where the ball hangs", "turns back" },
    { "2 * math.pi * math.sqrt(m / k)", "math.sqrt(m / k)", "the period", "a swing takes 2 pi / w" },
  },
  ["02-stability"] = {
    { "return x + h * v, v - h", "v = v - h * (k * x + d * v) return x + h * v, v --", "explicit Euler",
      "this is symplectic Euler" },
    { "return x + h * new, new\nend\n\nlocal function imp", "return x + h * v, new\nend\n\nlocal function imp",
      "symplectic Euler", "this is explicit Euler" },
    { "(1 + h * d + h ^ 2 * k)", "(1 + h * d)", "implicit Euler", "h^2 k is missing in the denominator" },
    { "(v - h * k * x) / (1 + h * d", "(v - h * (k * x + d * v)) / (1", "implicit Euler", "uses the old velocity" },
    { "return math.sqrt(determinant)", "return determinant", "amplification", "take its square root" },
    { "if D < 0 then", "if true then", "amplification", "holds for a complex pair only" },
    { "while high - low > 1e-7 * high", "while high - low > 1e-3", "the search for the limit", "a limit at" },
    { "low = middle else high = middle", "high = middle else low = middle", "the search for the limit", "a limit at" },
    { "2 / math.sqrt(k0)", "2 / k0", "the limit of a net", "the step in s goes with 1 / sqrt(k0)" },
    { "2 / math.sqrt(k0)", "1 / math.sqrt(k0)", "the limit of a net", "the limit is twice as long" },
  },
  ["03-order"] = {
    { "local middle = plus(y, h / 2,", "local middle = plus(y, h,", "midpoint", "the middle is h / 2 away" },
    { "return plus(y, h, f(middle))", "return plus(y, h, f(y))", "midpoint", "the slope of the middle is not used" },
    { "h / 6, k1), h / 3, k2), h / 3, k3), h / 6,", "h / 4, k1), h / 4, k2), h / 4, k3), h / 4,", "rk4",
      "1/6, 2/6, 2/6, 1/6" },
    { "local k4 = f(plus(y, h, k3))", "local k4 = f(plus(y, h / 2, k3))", "rk4", "it belongs at the end" },
    { "return above / below", "return -above / below", "order", "p is positive" },
    { "return above / below", "return math.log(errors[1] / errors[n]) / math.log(steps[1] / steps[n])", "order",
      "only the first and the last error are used" },
    { "(2 ^ p * fine - coarse) / (2 ^ p - 1)", "2 * fine - coarse", "extrapolate", "right for p = 1 only" },
    { "(2 ^ p * fine - coarse)", "(2 ^ p * coarse - fine)", "extrapolate", "exchanged" },
  },
  ["04-net"] = {
    { "local pull = k", "local pull = -k", "the gradient of the net", "the gradient has the opposite sign" },
    { "g[3 * j - 3 + axis] - pull", "g[3 * j - 3 + axis] + pull", "the gradient of the net",
      "the second one gets the opposite" },
    { "(1 - r / l) * ((row", "0 * ((row", "the block of a spring", "the part across the spring" },
    { "k * (nn +", "-k * (nn +", "the block of a spring", "this is the Jacobian of the force" },
    { "3 * j - 3 + column, -value", "3 * j - 3 + column, value", "the Hessian of the net", "element [1][" },
    { "-value", "value", "the Hessian of the net", "have a minus" },
    { "(2 * h)", "h", "finite differences", "divide by 2 h" },
    { "at[n] = x[n] - h", "at[n] = x[n]", "finite differences", "element [1]" },
  },
  ["05-minimisation"] = {
    { "0.5 * d:dot", "d:dot", "the objective", "the factor 1/2 of the inertia is missing" },
    { "+ h ^ 2 * system:energy", "+ h * system:energy", "the objective", "h^2, not h" },
    { "+ h ^ 2 * system:gather", "- h ^ 2 * system:gather", "its gradient", "the wrong sign" },
    { "+ h ^ 2 * system:gather", "+ h * system:gather", "its gradient", "h^2, not h" },
    { "return -factor:solve(r)", "return factor:solve(r)", "Newton's direction", "this goes up" },
    { "tide.linear.cholesky(M + h ^ 2 * system:hessian(x))\n    or ", "", "Newton's direction",
      "convergence is then not quadratic" },
    { "\n    or tide.linear.cholesky(M + h ^ 2 * system:hessian(x, { project = true }))", "", "Newton's direction",
      "right where the matrix is positive definite" },
    { "before + 1e-4 * t * slope", "before", "the line search", "any decrease is accepted" },
    { "while g(t)", "while false and g(t)", "the line search", "t is not halved" },
  },
  ["06-local-global"] = {
    { "{ r * d[1] / l, r * d[2] / l, r * d[3] / l }", "d", "the local step", "give it the length r" },
    { "{ r * d[1] / l, r * d[2] / l, r * d[3] / l }", "{ d[1] / l, d[2] / l, d[3] / l }", "the local step",
      "this has the length 1" },
    { "{ i, j, -k }", "{ i, j, k }", "the matrix L", "element [1][2]" },
    { "-k }", "k }", "the matrix L", "off the diagonal L has -k" },
    { "table.insert(triplets, { j, j, k })", "", "the matrix L", "each row has the sum 0" },
    { "local part = h ^ 2 * k", "local part = h * k", "the right side", "h^2, not h" },
    { "b[3 * j - 3 + axis] - part", "b[3 * j - 3 + axis] + part", "the right side", "gets -h^2 k d" },
    { "point(x, i), point(x, j)", "point(y, i), point(y, j)", "the right side", "must be those of x" },
    { "rest_length = false", "rest_length = true", "when to factor again", "rest lengths are in d" },
    { "timestep = true", "timestep = false", "when to factor again", "A = M + h^2 L has h in it" },
  },
}

-- The text with every occurrence of a part replaced.
local function replaced(text, part, by)
  local plain = part:gsub("%p", "%%%0")
  local result, count = text:gsub(plain, (by:gsub("%%", "%%%%")))
  assert.is_true(count > 0, ("the solution has no %q"):format(part))
  return result
end

for lesson, mistakes in pairs(lessons) do
  local folder = "scenes/course/" .. lesson .. "/"
  describe("lesson " .. lesson, function()
    it("gives the empty exercise no points, and a message and a hint for each check", function()
      local result = mark(lesson, folder .. "exercise.lua")
      assert.are.equal(0, result.points)
      for _, each in ipairs(result.checks) do
        assert.is_false(each.passed, each.name)
        assert.is_true(#each.message > 10 and #each.hint > 10, each.name)
      end
    end)
    for _, seed in ipairs { 1, 77 } do
      it("gives the solution all points with seed " .. seed, function()
        local result = mark(lesson, folder .. "solution.lua", seed)
        for _, each in ipairs(result.checks) do
          assert.is_true(each.passed, each.name .. ": " .. tostring(each.message))
        end
        assert.are.equal(10, result.points)
        assert.are.equal(10, result.of)
      end)
    end
    local solution = read(folder .. "solution.lua")
    for number, mistake in ipairs(mistakes) do
      it(("tells what is wrong with %q in place of %q"):format(mistake[2], mistake[1]), function()
        local path = helper.write(("%s-%d.lua"):format(lesson, number), replaced(solution, mistake[1], mistake[2]))
        local result = mark(lesson, path)
        local each = check_of(result, mistake[3])
        assert.is_false(each.passed, mistake[3])
        assert.is_true(each.points < each.of)
        helper.has(each.message, mistake[4])
      end)
    end
    for _, bad in ipairs { "function() return 0 / 0 end", "function() return { {} } end" } do
      it(("tells which answer is %s, and marks the others"):format(bad), function()
        local count = 0
        for name in solution:match("return scene, (%b{})"):gmatch("([%w_]+) =") do
          local line = ("\nlocal %s = %s\nreturn scene, {"):format(name, bad)
          local text = replaced(solution, "\nreturn scene, {", line)
          local result = mark(lesson, helper.write(lesson .. "-bad.lua", text))
          local failed = {}
          for _, each in ipairs(result.checks) do
            if not each.passed then
              failed[#failed + 1] = each.name .. ": " .. each.message
              assert.are.equal(0, each.points)
              assert.is_nil(each.message:find("check.lua", 1, true))
            end
          end
          assert.are.equal(1, #failed, name .. ": " .. table.concat(failed, "; "))
          count = count + 1
        end
        assert.is_true(count >= 4)
      end)
    end
    it("marks the exercise at its TODOs and has none in the solution", function()
      assert.is_truthy(read(folder .. "exercise.lua"):find("TODO", 1, true))
      assert.is_nil(solution:find("TODO", 1, true))
      local names = {}
      for i, name in ipairs { "exercise.lua", "solution.lua" } do
        names[i] = read(folder .. name):match("return scene, (%b{})")
      end
      assert.are.equal(names[1], names[2])
    end)
    it("has a page with all its parts", function()
      local page = read(folder .. "lesson.md")
      for _, part in ipairs { "What to look for", "Questions", "The exercise", "The paper", "Answers" } do
        helper.has(page, "\n## " .. part .. "\n")
      end
      local _, marks = page:gsub("%$", "")
      assert.are.equal(0, marks % 2)
      local questions = page:match("## Questions\n(.-)\n## ")
      local answers = page:match("## Answers\n(.*)")
      local _, asked = questions:gsub("\n%d%. ", "")
      local _, answered = answers:gsub("\n%d%. ", "")
      assert.are.equal(asked, answered)
      assert.is_true(asked >= 4 and asked <= 6)
    end)
  end)
end
