-- What the panel of plots saves: the series as a table, and a picture with a chart of the energies and one for each
-- other series, stacked, with a common time axis.

local WIDTH, CHART, LEFT, RIGHT, TOP, BOTTOM = 960, 190, 92, 24, 34, 34 -- pixels
local PLOT_TOP, PLOT_BOTTOM = 26, CHART - 8 -- of a chart
local SPACE = 22.5 -- between names
local INK, PALE = 0x1f2129, 0xdbdee3
-- Colours for all kinds of colour vision: from Okabe and Ito 2008, the last one darker.
local COLOURS = { 0x0073b3, 0xd65e00, 0x009e73, 0x944578 }
local ENERGIES = { kinetic = true, elastic = true, gravity = true, total = true }
local LOGARITHMIC = { residual = true, error = true }

local function is_finite(number)
  return number - number == 0
end

-- --- the table -------------------------------------------------------------------------------------------------------

-- Unique names for gnuplot: letters, digits and _, not beginning with a digit.
local function column_names(plots)
  local names, taken = {}, {}
  for s, series in ipairs(plots) do
    local name = (series.name:gsub("^%d", "_%0"):gsub("[^%w]", "_")):sub(1, 43)
    names[s] = taken[name] and ("%s_%d"):format(name, s - 1) or name
    taken[names[s]] = true
  end
  return names
end

local function csv(plots)
  local lines = { "frame,time," .. table.concat(column_names(plots), ",") }
  for i, frame in ipairs(plots.frames) do
    local cells = { ("%d,%.9g"):format(frame, plots.times[i]) }
    for s, series in ipairs(plots) do
      cells[s + 1] = series[i] == series[i] and ("%.7g"):format(series[i]) or ""
    end
    lines[#lines + 1] = table.concat(cells, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

-- --- layout ----------------------------------------------------------------------------------------------------------

local function on_axis(chart, value)
  return not chart.logarithmic and value or value > 0 and math.log(value, 10) or 0 / 0
end

-- Finds the ends of the axis; logarithms on a logarithmic one.
local function find_range(chart)
  local low, high = math.huge, -math.huge
  for _, series in ipairs(chart) do
    for _, number in ipairs(series) do
      local value = on_axis(chart, number)
      if is_finite(value) then
        low, high = math.min(low, value), math.max(high, value)
      end
    end
  end
  if not is_finite(low) then
    low, high = 0, 0
  end
  local least = chart.logarithmic and 1 or 1e-12 + 1e-3 * math.abs(high)
  local margin = math.max(0.05 * (high - low), 0.5 * (least - (high - low)))
  chart.low, chart.high = low - margin, high + margin
end

local function lay_out(plots)
  local charts, energies = {}, nil
  for _, series in ipairs(plots) do
    if ENERGIES[series.name] and energies and #energies < #COLOURS then
      energies[#energies + 1] = series
    else
      local chart = { series, top = TOP + #charts * CHART, logarithmic = LOGARITHMIC[series.name] }
      charts[#charts + 1] = chart
      energies = ENERGIES[series.name] and chart or energies
    end
  end
  for _, chart in ipairs(charts) do
    find_range(chart)
  end
  return charts
end

-- --- drawing ---------------------------------------------------------------------------------------------------------

-- The smallest of 1, 2 and 5 times a power of ten of which at most `most` fit into the range.
local function tick(range, most)
  local power = 10 ^ math.floor(math.log(range / most, 10))
  for _, step in ipairs { 1, 2, 5 } do
    if range / (step * power) <= most then
      return step * power
    end
  end
  return 10 * power
end

local function down(chart, value)
  return chart.top + PLOT_BOTTOM - (value - chart.low) / (chart.high - chart.low) * (PLOT_BOTTOM - PLOT_TOP)
end

local function add_tick(canvas, chart, at, value)
  local y = down(chart, at)
  canvas.line(LEFT, y, WIDTH - RIGHT, y, 1, PALE)
  canvas.text(LEFT - 8, y, true, INK, ("%.4g"):format(value))
end

local function linear_ticks(canvas, chart)
  local step = tick(chart.high - chart.low, 5)
  local at = math.ceil(chart.low / step) * step
  while at <= chart.high do
    add_tick(canvas, chart, at, math.abs(at) < 1e-9 * step and 0 or at)
    at = at + step
  end
end

-- 1, 2 and 5 of every decade if there are few decades, otherwise the decades.
local function logarithmic_ticks(canvas, chart)
  local range = chart.high - chart.low
  local every = math.max(1, math.ceil(range / 6))
  local decade = math.floor(chart.low / every) * every
  while decade <= chart.high do
    for _, part in ipairs(range < 2.5 and { 1, 2, 5 } or { 1 }) do
      local at = decade + math.log(part, 10)
      if at >= chart.low and at <= chart.high then
        add_tick(canvas, chart, at, 10 ^ at)
      end
    end
    decade = decade + every
  end
end

-- A gap ends a line, except for the error, which is measured from time to time.
local function draw_series(canvas, chart, series, colour, across)
  local x0, y0
  for i, number in ipairs(series) do
    local value = on_axis(chart, number)
    if is_finite(value) then
      local x, y = across(i), down(chart, value)
      -- A single point is made visible
      canvas.line(x0 or x - 2, y0 or y, x0 and x or x + 2, y, 2, colour)
      x0, y0 = x, y
    elseif series.name ~= "error" then
      x0, y0 = nil, nil
    end
  end
end

local function draw(plots, charts, canvas)
  local times = plots.times
  local start, stop = times[1], math.max(times[#times], times[1] + 1e-9)
  local function across_time(time)
    return LEFT + (time - start) / (stop - start) * (WIDTH - LEFT - RIGHT)
  end
  local function across(i)
    return across_time(times[i])
  end
  local seconds = tick(stop - start, 10)
  canvas.text(LEFT, 16, false, INK, plots.title)
  for c, chart in ipairs(charts) do
    (chart.logarithmic and logarithmic_ticks or linear_ticks)(canvas, chart)
    local at = math.ceil(start / seconds) * seconds
    while at <= stop * (1 + 1e-12) do
      local x = across_time(at)
      canvas.line(x, chart.top + PLOT_TOP, x, chart.top + PLOT_BOTTOM, 1, PALE)
      if c == #charts then
        canvas.text(x - 4, chart.top + CHART + 8, false, INK, ("%.4g%s"):format(at, at + seconds > stop and " s" or ""))
      end
      at = at + seconds
    end
    local x = LEFT
    for s, series in ipairs(chart) do
      local name = series.name .. (series.unit ~= "" and ", " or "") .. series.unit
      x = x + canvas.text(x, chart.top + 12, false, COLOURS[s], name) + SPACE
    end
    for s, series in ipairs(chart) do
      draw_series(canvas, chart, series, COLOURS[s], across)
    end
  end
end

-- Returns the table as text, and { width, height } of the picture, which is drawn by canvas.line and canvas.text.
return function(plots, canvas)
  local charts = lay_out(plots)
  draw(plots, charts, canvas)
  return csv(plots), { WIDTH, TOP + #charts * CHART + BOTTOM }
end
