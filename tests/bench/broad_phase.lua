-- Searches for what is near, on points at random, one a cubic metre: cubes of 1 m around them that overlap, or with the
-- points' own search balls. Processor time must grow as the number of points and hardly faster.
local report = require "bench.report"
local o = report.options

report.progress("broad_phase")
local found = report.rows(report.bench("broad_phase", o.runs, o.vertices))
local reference, series, rows = {}, {}, {}
for _, r in ipairs(found) do
  if r.search == "tree" then
    reference[r.order .. r.vertices] = r.total_ms
  end
end
for i, r in ipairs(found) do
  local name = r.search .. "_" .. r.order
  local ns, of_tree = 1e6 * r.total_ms / r.vertices, r.total_ms / reference[r.order .. r.vertices]
  rows[i] = { r.search, r.order, r.vertices, r.build_ms + 0.0, r.refit_ms + 0.0, r.query_ms + 0.0, r.total_ms + 0.0,
    r.pairs, r.pairs / r.vertices, ns, of_tree }
  report.figure(("points_%d"):format(r.vertices), 1, name .. "_ms", r.total_ms, "ms")
  series[name] = series[name] or {}
  table.insert(series[name], { math.log(r.vertices), math.log(r.total_ms) })
end

-- b of time = a vertices^b, by least squares of the logarithms.
local exponents = {}
for name, points in pairs(series) do
  local n, x, y, xx, xy = #points, 0, 0, 0, 0
  for _, p in ipairs(points) do
    x, y, xx, xy = x + p[1], y + p[2], xx + p[1] * p[1], xy + p[1] * p[2]
  end
  local b = n > 1 and (n * xy - x * y) / (n * xx - x * x)
  report.figure("points", 1, name .. "_exponent", b, "1")
  table.insert(exponents, name .. " " .. report.shown(b))
end
table.sort(exponents)

report.table(("broad phases, the best of %d runs; order: as of a mesh's vertices, where neighbours are near one\n"
  .. "another, or random; total: what a frame takes, with a refit of the tree; time grows as vertices^b with b =\n%s:")
    :format(o.runs, table.concat(exponents, ", ")),
  { "search", "order", "vertices", "build_ms", "refit_ms", "query_ms", "total_ms", "pairs", "pairs_a_vertex",
    "ns_a_vertex", "of_tree" }, rows)
