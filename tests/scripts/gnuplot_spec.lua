-- The gnuplot scripts of the laboratory.
local gnuplot = require "springtide.lab.gnuplot"

local function has(text, part)
  assert(text:find(part, 1, true), ("no %s in:\n%s"):format(part, text))
end

local function example(more)
  local plot = {
    title = "It's a_plot", x_label = "time (ms)", y_label = "error", y_logarithmic = true, more = "set samples 10",
    curves = {
      { title = "first", filter_column = "curve", filter = "a", x = "time.ms", y = "error" },
      { title = "it's", filter_column = "curve", filter = "it's", x = "1e3*$time.ms", y = "sqrt($error)",
        style = "points pointtype 7" },
      { x = "time.ms", y = "error", more = { "low", "$low+1", "error", "2*$error" }, style = "boxxyerror" },
    },
  }
  for name, value in pairs(more or {}) do
    plot[name] = value
  end
  return gnuplot.script("plot", "plot.csv", plot)
end

describe("a gnuplot script", function()
  it("has the labels, the filters and the columns", function()
    local script = example()
    has(script, [[set title "It\047s a\137plot" noenhanced]])
    has(script, "set xlabel 'time (ms)'")
    has(script, "set logscale y")
    has(script, "set samples 10\n")
    has(script, "'plot.csv' using (strcol('curve') eq 'a' ? column('time.ms') : NaN):(column('error')) with " ..
      "linespoints title 'first'")
    has(script, [[strcol('curve') eq "it\047s" ? 1e3*column('time.ms') : NaN):(sqrt(column('error'))) with points ]] ..
      "pointtype 7")
    has(script, "using (column('time.ms')):(column('error')):(column('low')):(column('low')+1):(column('error')):" ..
      "(2*column('error')) with boxxyerror notitle")
    assert.is_nil(script:find("set logscale x", 1, true))
  end)

  it("has tics on a short logarithmic axis", function()
    local script = example { x_logarithmic = true, x_minimum = 0.3, x_maximum = 12 }
    has(script, "set xrange [0.3:12]\n")
    has(script, "set xtics (0.5, 1, 2, 5, 10)\n")
    assert.is_nil(script:find("yrange", 1, true))
  end)

  it("quotes every byte, so that gnuplot reads it as that byte and runs nothing", function()
    if not os.execute "gnuplot --version >/dev/null 2>&1" then
      pending "gnuplot is not installed"
      return
    end
    local texts, all = { "x\n!touch PWNED\n#", "x'.system('touch PWNED').'", "`touch PWNED`", '"`touch PWNED`"',
                         "it's \\", "}\n{ @x %s" }, {}
    for i = 1, 255 do
      texts[#texts + 1] = string.char(i)
      all[i] = string.char(i)
    end
    texts[#texts + 1] = table.concat(all)
    local folder = os.tmpname()
    os.remove(folder)
    assert(os.execute("mkdir " .. folder))
    local script = { "set print 'quoted.txt'" }
    for i, text in ipairs(texts) do
      script[i + 1] = "print " .. gnuplot.quote(text)
    end
    local file = assert(io.open(folder .. "/quoted.gnuplot", "wb"))
    file:write(table.concat(script, "\n"), "\n")
    file:close()
    assert(os.execute("cd " .. folder .. " && gnuplot quoted.gnuplot"))
    local read = assert(io.open(folder .. "/quoted.txt", "rb")):read "a"
    local pwned = io.open(folder .. "/PWNED")
    os.execute("rm -r " .. folder)
    assert.equal(table.concat(texts, "\n") .. "\n", read)
    assert.is_nil(pwned)
  end)
end)
