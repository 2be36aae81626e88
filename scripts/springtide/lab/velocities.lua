-- The velocities of a body's particles in time as colours, and their spectrum over its grid (Ahmad et al. 2007, fig. 3
-- to 5): what a filter takes away, and where a method shakes.
--
-- Colours: red, green and blue are the velocities along x, y and z, grey is rest. Full and no red are +s and -s, with s
-- one scale for all solvers: the speed along an axis that 1 in 200 of the samples exceeds. The roughness is the share
-- of the kinetic energy in waves shorter than four spacings of the grid.
--
--   local result = lab.velocities("drape.lua", { frame = 80, frames = 200, solvers = { "verlet", "newton" } })
--
-- Options besides those of lab.lua: frames (500), the length of a run, and frame (30), whose spectrum is taken. The
-- result has body, vertex_count, columns and rows (of the grid; nil: the vertices are not a grid's), timestep, scale
-- and `films`: { solver, frames, speeds, roughness, samples, field, energy }. speeds (m/s, root mean square) and
-- roughness have a number for each frame; samples[i] is a flat list x, y, z of the particles at the i-th shown frame;
-- field is the velocities at `frame`, and energy their spectrum, row by row with frequency 0 in the middle.
local output = require "springtide.lab.output"
local shared = require "springtide.lab.shared"
local tide = require "springtide"

local velocities = {}

local MOST_COLUMNS = 1600 -- of samples: of longer runs, not every frame is shown
local MOST_ROWS = 800 -- and of larger bodies not every particle
local DECADES = 8 -- of energy that a spectrum's greys span
local FIELD_SIDE = 240 -- pixels, about, of a picture of the grid

-- --- the grid --------------------------------------------------------------------------------------------------------

-- The columns and rows of a grid whose vertices are origin + c a + r b, row after row: any translated, rotated, scaled
-- grid. nil when the vertices are not a grid's.
local function find_grid(mesh)
  local count = mesh.vertex_count
  if count < 4 then
    return nil
  end
  local origin, second = { mesh:vertex(1) }, { mesh:vertex(2) }
  local a, b, slack, length = {}, { 0, 0, 0 }, 0, 2
  for k = 1, 3 do
    a[k] = second[k] - origin[k]
    slack = math.max(slack, 1e-6 * math.abs(a[k]))
  end
  local function is_at(vertex, i, j) -- counted from 0
    local p = { mesh:vertex(vertex + 1) }
    for k = 1, 3 do
      if math.abs(p[k] - origin[k] - i * a[k] - j * b[k]) > slack then
        return false
      end
    end
    return true
  end
  while length < count and is_at(length, length, 0) do
    length = length + 1
  end
  if length == count or count % length ~= 0 then
    return nil
  end
  local start = { mesh:vertex(length + 1) }
  for k = 1, 3 do
    b[k] = start[k] - origin[k]
  end
  for i = 0, count - 1 do
    if not is_at(i, i % length, i // length) then
      return nil
    end
  end
  return length, count // length
end

-- Cycles in a spacing of the grid, 0 to 0.7, of each place of a spectrum.
local function list_frequencies(columns, rows)
  local list = {}
  for i = 0, columns * rows - 1 do
    local x, y = (i % columns - columns // 2) / columns, (i // columns - rows // 2) / rows
    list[i + 1] = math.sqrt(x * x + y * y)
  end
  return list
end

local function roughness_of(energy, frequencies)
  local all, high = 0, 0
  for i, e in ipairs(energy) do
    all = all + e
    high = high + (frequencies[i] > 0.25 and e or 0)
  end
  return all > 0 and high / all or 0
end

-- --- running ---------------------------------------------------------------------------------------------------------

-- The frame of a column of samples and the particle of a row, counted from 0.
local function frame_of(study, result, column)
  return 1 + column * study.frames // result.sample_columns
end

local function begin_result(study, scene)
  local body = scene:bodies()[1]
  if not body then
    shared.fail(study.scene_name .. ": the scene has no body whose velocities could be shown")
  end
  local result = { body = body.name, vertex_count = body.vertex_count, timestep = scene.timestep, films = {},
                   sample_columns = math.min(study.frames, MOST_COLUMNS),
                   sample_rows = math.min(body.vertex_count, MOST_ROWS) }
  result.columns, result.rows = find_grid(body.mesh)
  if result.columns then
    result.frequencies = list_frequencies(result.columns, result.rows)
  end
  study.each(result)
  return result
end

local function take_sample(result, v)
  local sample = {}
  for row = 0, result.sample_rows - 1 do
    local particle = row * result.vertex_count // result.sample_rows
    for k = 3 * particle + 1, 3 * particle + 3 do
      sample[#sample + 1] = v[k]
    end
  end
  return sample
end

-- Takes a frame into the film.
local function shoot(study, result, film, buffer)
  local v = buffer:copy()
  local speed = math.sqrt(v:dot(v) / result.vertex_count)
  film.speeds[film.frames] = speed
  if result.columns then
    local energy = tide.linear.spectrum(v, result.columns, result.rows):table()
    film.roughness[film.frames] = roughness_of(energy, result.frequencies)
    film.energy = film.frames == study.frame and energy or film.energy
  end
  v = v:table()
  if #film.samples < result.sample_columns and frame_of(study, result, #film.samples) == film.frames then
    film.samples[#film.samples + 1] = take_sample(result, v)
  end
  if film.frames == study.frame then
    film.field = v
  end
end

local function run(study, result, scene, film)
  local last = math.max(study.frame, study.frames)
  local body = scene:bodies()[1]
  while film.frames < last do
    local done, message, diverged = scene:step()
    if diverged then
      break
    end
    shared.check(done, message)
    film.frames = film.frames + 1
    shoot(study, result, film, body:velocities())
    study.progress("frames", film.frames, last)
  end
  study.progress("frames", 1, 1)
end

-- --- the study -------------------------------------------------------------------------------------------------------

-- The number at a place of a list in ascending order, counted from 1; reorders the list (Hoare 1961).
local function select_ordered(list, place)
  local low, high = 1, #list
  while low < high do
    local pivot, i, j = list[(low + high) // 2], low, high
    while i <= j do
      while list[i] < pivot do
        i = i + 1
      end
      while pivot < list[j] do
        j = j - 1
      end
      if i <= j then
        list[i], list[j] = list[j], list[i]
        i, j = i + 1, j - 1
      end
    end
    if place <= j then
      high = j
    elseif place >= i then
      low = i
    else
      break
    end
  end
  return list[place]
end

-- Frames that a film does not reach count as rest.
local function find_scale(result)
  local all, each = {}, 3 * result.sample_columns * result.sample_rows
  for _, film in ipairs(result.films) do
    for _, sample in ipairs(film.samples) do
      for _, speed in ipairs(sample) do
        all[#all + 1] = math.abs(speed)
      end
    end
  end
  for i = #all + 1, each * #result.films do
    all[i] = 0
  end
  local scale = select_ordered(all, math.floor(0.995 * (#all - 1)) + 1)
  return scale > 0 and scale or 1
end

local function measure(study)
  local result
  for i, solver in ipairs(study.solvers) do
    local scene = study:open { solver = solver }
    result = result or begin_result(study, scene)
    local film = { solver = solver, frames = 0, speeds = {}, roughness = {}, samples = {} }
    run(study, result, scene, film)
    result.films[i] = film
  end
  result.scale = find_scale(result)
  return result
end

local function begin(source, options)
  return shared.begin(source, options, { name = "velocities", frame = 30, frames = 500, solvers = { "" } })
end

function velocities.measure(source, options)
  return measure(begin(source, options))
end

-- --- pictures --------------------------------------------------------------------------------------------------------

-- How many pixels a sample takes, for a picture of about `wanted` of them.
local function magnify(samples, wanted)
  return samples >= wanted and 1 or wanted // samples
end

local function colour(scale, x, y, z)
  return 0.5 + 0.5 * x / scale, 0.5 + 0.5 * y / scale, 0.5 + 0.5 * z / scale
end

local function draw_films(study, result, films, name, functions)
  local across, down = magnify(result.sample_columns, 640), magnify(result.sample_rows, 144)
  local sheet = functions.sheet {
    columns = 1, rows = #films, width = across * result.sample_columns, height = down * result.sample_rows,
    caption_lines = 1,
    title = ('velocities of the %d particles of "%s" (down) in %.3g s (to the right)\nred, green, blue: along x, y, ' ..
      "z, from -%.3g to %.3g m/s"):format(result.vertex_count, result.body, result.timestep * study.frames,
                                          result.scale, result.scale) }
  for place, film in ipairs(films) do
    for column, sample in ipairs(film.samples) do
      for row = 1, result.sample_rows do
        sheet:fill(place, (column - 1) * across, (row - 1) * down, across, down,
                   colour(result.scale, sample[3 * row - 2], sample[3 * row - 1], sample[3 * row]))
      end
    end
    local label = study:label(film.solver)
    sheet:caption(place, film.frames < study.frames and ("%s: diverged at frame %d"):format(label, film.frames + 1)
      or label)
  end
  shared.check(functions.save_sheet(sheet, name))
end

local function largest_energy(films)
  local most = 0
  for _, film in ipairs(films) do
    for _, e in ipairs(film.energy or {}) do
      most = math.max(most, e)
    end
  end
  return most
end

-- The grid's velocities above, their spectra below.
local function draw_spectra(study, result, films, name, functions)
  local n, m = result.columns, result.rows
  local size, most = magnify(math.max(n, m), FIELD_SIDE), largest_energy(result.films)
  local sheet = functions.sheet {
    columns = #films, rows = 2, width = size * n, height = size * m, caption_lines = 1,
    title = ("velocities over the grid at %.3g s\nand their spectra: 0 in the middle, %d decades"):format(
      result.timestep * study.frame, DECADES) }
  for place, film in ipairs(films) do
    local v = film.field
    for i = 1, v and n * m or 0 do
      local x, y = (i - 1) % n * size, (i - 1) // n * size
      sheet:fill(place, x, y, size, size, colour(result.scale, v[3 * i - 2], v[3 * i - 1], v[3 * i]))
      local grey = 1 + math.log(film.energy[i] / most, 10) / DECADES
      sheet:fill(#films + place, x, y, size, size, grey, grey, grey)
    end
    sheet:caption(place, v and "" or "diverged before")
    sheet:caption(#films + place, study:label(film.solver))
  end
  shared.check(functions.save_sheet(sheet, name))
end

local function draw(study, result, films, ending, functions)
  draw_films(study, result, films, "velocities" .. ending, functions)
  if result.columns then
    draw_spectra(study, result, films, "spectra" .. ending, functions)
  end
end

-- --- tables ----------------------------------------------------------------------------------------------------------

local function tabulate(study, result)
  local csv = output.table(study, { "time", "speed", "roughness" })
  for _, film in ipairs(result.films) do
    for frame, speed in ipairs(film.speeds) do
      csv:row(film.solver, nil, nil, { frame * result.timestep, speed, film.roughness[frame] or false })
    end
  end
  return csv
end

-- Energies of rings of frequencies, each as wide as the longest side's lowest frequency.
local function tabulate_spectra(study, result)
  local csv, side = output.table(study, { "frequency", "energy" }), math.max(result.columns, result.rows)
  for _, film in ipairs(result.films) do
    local rings = {}
    for i, e in ipairs(film.energy or {}) do
      local ring = math.floor(result.frequencies[i] * side + 0.5)
      rings[ring] = (rings[ring] or 0) + e
    end
    for ring = 0, side * 3 // 4 do
      if (rings[ring] or 0) > 0 then
        csv:row(film.solver, nil, nil, { ring / side, rings[ring] })
      end
    end
  end
  return csv
end

local function plot(study, result, out, name, csv, drawing)
  drawing.curves, drawing.y_logarithmic, drawing.more = {}, true, "set key below Left reverse"
  for i, film in ipairs(result.films) do
    local label = study:label(film.solver)
    drawing.curves[i] = { title = label, filter_column = "curve", filter = label, x = drawing.x, y = drawing.y,
                          style = drawing.style }
  end
  out:plot(name, csv, drawing)
end

local function print_table(study, result)
  print(('Velocities of body "%s"; colours are from -%.4g to %.4g m/s.'):format(
    result.body, result.scale, result.scale))
  print(("%-44s %10s %14s%s"):format("solver", "frames", "speed (m/s)", result.columns and "  short waves (%)" or ""))
  for _, film in ipairs(result.films) do
    local frames, squares, roughness = math.max(film.frames, 1), 0, 0
    for i, speed in ipairs(film.speeds) do
      squares, roughness = squares + speed * speed, roughness + (film.roughness[i] or 0)
    end
    print(("%-44s %10d %14.4g"):format(study:label(film.solver), film.frames, math.sqrt(squares / frames)) ..
      (result.columns and (" %16.3g"):format(100 * roughness / frames) or ""))
  end
end

-- Measures, draws velocities.png and spectra.png, also of each solver alone, and writes velocities.csv and
-- spectrum.csv.
function velocities.run(source, options, out)
  local study, functions = begin(source, options), out.functions
  study.each = function(result)
    if not result.columns then
      print(('The vertices of body "%s" are not those of a grid, row after row: there are no spectra.'):format(
        result.body))
    end
  end
  functions.silence(true)
  out:begin()
  local result = measure(study)
  functions.silence(false)
  out:save("velocities.csv", tabulate(study, result))
  draw(study, result, result.films, ".png", functions)
  for _, film in ipairs(result.films) do
    local name = film.solver ~= "" and film.solver or "scene"
    draw(study, result, { film }, shared.file_name("_", name, ".png"), functions)
  end
  if result.columns then
    out:save("spectrum.csv", tabulate_spectra(study, result))
    plot(study, result, out, "spectrum", "spectrum.csv", {
      title = ("Spectrum of the velocities at %.3g s"):format(result.timestep * study.frame), x = "frequency",
      x_label = "cycles in a spacing of the grid", y = "energy",
      y_label = "mean square speed of a ring of frequencies (m^2/s^2)" })
    plot(study, result, out, "roughness", "velocities.csv", {
      title = "Share of the kinetic energy in waves shorter than 4 spacings", x = "time", x_label = "time (s)",
      y = "roughness", y_label = "share", style = "lines" })
  end
  print_table(study, result)
end

return velocities
