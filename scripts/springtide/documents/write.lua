-- Writes a document of the engine's field tables: the reference page, the annotations for editors, or a list of the
-- command line. engine/script/documents.c gives the tables:
--   fields       { world = { field, ... }, ... }: { name, kind, type, default, range, unit, help, required, choices,
--                record }. record has the fields of a field that is a table.
--   functions    { module = { member, ... }, ... }: { name, type, help, call, set }
--   classes      { { name, label, help, indexed, members }, ... }
--   solvers, meshes, shapes, elements, distances    { { name, help, source, fields }, ... }
--   materials    { { name, help, class, fields }, ... }; class is that of the options in the annotations
--   nearest      a function (name, names) that returns the nearest name, or nil
--   source       a function that returns the text of a module of the Lua library
local documents = { reference = "reference", annotations = "annotations", solvers = "lists", meshes = "lists",
                    shapes = "lists", elements = "lists", materials = "lists" }

-- Returns the text, or nil and { object, field, value, remedy } for an unknown name.
return function(document, tables, name)
  return require("springtide.documents." .. documents[document])(tables, document, name)
end
