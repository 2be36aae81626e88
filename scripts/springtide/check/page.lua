-- A page of HTML for each submission. Every text from outside is escaped.
local report = require "springtide.check.report"

local page = {}

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

local function escape(text)
  return (text:gsub("[&<>\"']", entities))
end

local head = [[
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>%s</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }
td, th { text-align: left; vertical-align: top; padding: 0.3em 1em 0.3em 0; border-bottom: 1px solid #ccc; }
pre { background: #f4f4f4; padding: 0.5em; white-space: pre-wrap; overflow-wrap: anywhere; }
.passed { color: #06602a; } .failed { color: #a01010; } .hint { color: #555; }
</style>
</head>
<body>
]]

local function row(check)
  local word = check.passed and "passed" or "failed"
  local texts = { check.message and escape(check.message) or "" }
  if check.hint then
    texts[2] = ('<span class="hint">Hint: %s</span>'):format(escape(check.hint))
  end
  return ('<tr><td>%s</td><td class="%s">%s</td><td>%s of %s</td><td>%s</td></tr>\n'):format(
    escape(check.name), word, word, report.number(check.points), report.number(check.of), table.concat(texts, "<br>"))
end

-- The page of a result.
function page.text(result)
  local parts = {
    head:format(escape(("%s: %s"):format(result.title, result.file))),
    ("<h1>%s</h1>\n<p>%s: <strong>%s of %s points</strong></p>\n"):format(
      escape(result.title), escape(result.file), report.number(result.points), report.number(result.of)),
    "<table>\n<tr><th>check</th><th></th><th>points</th><th></th></tr>\n",
  }
  for _, check in ipairs(result.checks) do
    parts[#parts + 1] = row(check)
  end
  parts[#parts + 1] = "</table>\n"
  if result.output and result.output ~= "" then
    parts[#parts + 1] = ("<h2>Output</h2>\n<pre>%s</pre>\n"):format(escape(result.output))
  end
  parts[#parts + 1] = "</body>\n</html>\n"
  return table.concat(parts)
end

-- Returns a unique file name for the page of each result, made of the submission's path.
function page.names(results)
  local names, taken = {}, {}
  for i, result in ipairs(results) do
    local stem = result.file:gsub("%.lua$", ""):gsub("[^%w%-_.]+", "-"):gsub("^[%-.]+", "")
    stem = stem == "" and "submission" or stem
    local name, number = stem, 1
    while taken[name:lower()] do
      number = number + 1
      name = ("%s-%d"):format(stem, number)
    end
    taken[name:lower()] = true
    names[i] = name .. ".html"
  end
  return names
end

return page
