-- The meshes of tests/bench/hanging_bar.lua converge: small ones here, of 931 to 64,288 vertices there.
local bench = dofile "tests/bench/hanging_bar.lua"

describe("a hanging bar", function()
  for _, model in ipairs(bench.models) do
    it("converges to one shape: " .. model, function()
      local n, u = { 4, 6, 9 }, {}
      for i, cells in ipairs(n) do
        local vertices
        u[i], vertices = bench.elongation(model, cells)
        assert.are.equal((cells + 1) ^ 2 * (3 * cells + 1), vertices)
      end
      local order, limit = bench.extrapolate(n, u)
      -- Without lateral contraction the order is that of linear elements, 2. Otherwise the stress is singular at the
      -- rim of the held face.
      local wanted = model == "arap" and { 1.7, 7.0632 } or { 1.1, ({ corotated = 6.9263, stvk = 6.8475,
        neo_hookean = 6.9578 })[model] }
      assert.is_true(order > wanted[1] and order < wanted[1] + 0.4, ("order %.3f"):format(order))
      assert.is_near(wanted[2], limit, 2e-3)
    end)
  end
end)
