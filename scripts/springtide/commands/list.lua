-- `springtide solvers`, `meshes`, `shapes`, `elements` and `materials`: what there is, from the field tables.
local write = require "springtide.documents.write"

return function(request, functions)
  local text, unknown = write(request.which, functions.documents(), request.subjects[1])
  if not text then
    return functions.refuse(unknown.field, unknown.value, unknown.remedy, unknown.object)
  end
  print((text:gsub("\n$", "")))
  return true
end
