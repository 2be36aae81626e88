-- Texts from submissions, made harmless: one line of valid UTF-8 without control characters, and not too long.
local LONGEST = 2000

local function escape(bytes)
  return (bytes:gsub(".", function(byte) return ("\\x%02X"):format(byte:byte()) end))
end

-- The text with every byte that is not part of a printable character as \xNN.
return function(text)
  local parts, position = {}, 1
  if #text > LONGEST then
    text = text:sub(1, LONGEST - 3) .. "..."
  end
  while position <= #text do
    local good, bad = utf8.len(text, position)
    local last = good and #text or bad - 1
    parts[#parts + 1] = text:sub(position, last):gsub("%c", function(byte)
      return byte == "\n" and "; " or byte == "\t" and " " or escape(byte)
    end)
    if not good then
      parts[#parts + 1] = escape(text:sub(bad, bad))
    end
    position = last + 2
  end
  return table.concat(parts)
end
