-- Bodies whose elements are not springs: reloads, forks, snapshots, muscles, and the report of a step that diverges.
local helper = dofile "tests/script/helper.lua"
local tide, has, message = helper.tide, helper.has, helper.message

-- A sheet of 4 triangles that keep their area; with edge springs too if `springs` is given.
local text = [[
local tide = require "springtide"
local scene = tide.scene { timestep = 1 / 60, drag = 1, solver = %q }
local sheet = scene:body("sheet", {
  mesh = tide.mesh.grid { columns = 3, rows = 3, width = 1, height = 1 }, mass = 1,
  elements = { { "area_spring", on = "triangles", stiffness = %s } }, %s })
sheet:pin { 1, 2, 3 }
return scene]]

local function load_sheet(stiffness, more, solver)
  local path = helper.write("elements/sheet.lua", text:format(solver or "local_global", stiffness, more or ""))
  return assert(tide.load(path)), path
end

describe("elements of a body", function()
  it("keep the state over a reload; another stiffness makes only a new factor", function()
    local scene = load_sheet(300)
    assert(scene:step(5))
    local hash = scene:hash()
    local ok, kept = scene:reload()
    assert(ok, kept)
    assert.are.equal(hash, scene:hash())
    assert.are.same({ 1, 0, false }, { kept.kept, kept.rebuilt, kept.refactored })
    load_sheet(301)
    local x, y, z = scene:body("sheet"):position(9)
    ok, kept = scene:reload()
    assert(ok, kept)
    assert.are.same({ 1, 0, true }, { kept.kept, kept.rebuilt, kept.refactored })
    assert.are.same({ x, y, z }, { scene:body("sheet"):position(9) })
    assert(scene:step(5))
    assert.are_not.equal(hash, scene:hash())
  end)
  it("are in forks and snapshots", function()
    for _, solver in ipairs { "local_global", "newton", "vbd", "xpbd" } do
      local scene = load_sheet(300, "stiffness = 20", solver)
      assert(scene:step(5))
      local sheet = scene:body "sheet"
      sheet:contract({ 17, 20 }, 0.8) -- two triangles, after 16 springs
      assert(scene:step(5))
      local fork, before, hash = scene:fork(), scene:snapshot(), scene:hash()
      assert.are.equal(hash, fork:hash())
      assert(scene:step(5))
      assert(fork:step(5))
      assert.are.equal(scene:hash(), fork:hash(), solver)
      local later = scene:hash()
      sheet:contract(18, 2)
      assert(scene:step(1))
      scene:restore(before)
      assert.are.equal(hash, scene:hash())
      assert(scene:step(5))
      assert.are.equal(later, scene:hash(), solver)
    end
  end)
  it("are muscles with another area at rest", function()
    local scene = load_sheet(300)
    local sheet = scene:body "sheet"
    assert.are.same({ 0, 8 }, { sheet.spring_count, sheet.element_count })
    assert.are.equal(sheet, sheet:contract({ 1, 8 }, 0.5))
    local area = 1 / 8 -- E = k/2 (A - A0 / 2)^2 of two triangles
    assert.is_near(2 * 150 * (area / 2) ^ 2, scene:energy().elastic, 1e-12)
    assert.is_true((scene:reload()))
    assert.is_near(2 * 150 * (area / 2) ^ 2, scene:energy().elastic, 1e-12)
    has(message(function() scene:body("sheet"):contract(9, 1) end), "expected an element from 1 to 8")
    has(message(function() scene:body("sheet"):contract("all", 1) end), "expected an element or a list of elements")
  end)
  it("are named with the script's line when a step diverges", function()
    local scene, path = load_sheet(1e12, nil, "explicit_euler")
    local vertices = scene:body("sheet"):positions()
    vertices[3 * 8 + 2] = 0.01
    local ok, why
    repeat
      ok, why = scene:step(1)
    until not ok
    has(why, path:match "[^/]*$" .. ":3: ")
    has(why, 'body "sheet": vertex = ')
    assert.is_truthy(why:match " %(triangle %d%-%d%-%d [as]", why)
  end)
end)
