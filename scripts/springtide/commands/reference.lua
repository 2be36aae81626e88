-- `springtide reference`: the field tables as a page to read or as annotations for editors.
local write = require "springtide.documents.write"

local kinds = { md = "reference", lua = "annotations" }

return function(request, functions)
  local path = request.subjects[1]
  local kind = kinds[path:match ".%.(%l+)$"]
  if not kind then
    return functions.refuse(nil, path, "expected a name that ends in .md (the page) or .lua (annotations for editors)")
  end
  return functions.save(path, (write(kind, functions.documents())))
end
