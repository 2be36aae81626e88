// Documents of the field tables: the reference page, the annotation file for editors and the lists of the command line.
// scripts/springtide/documents/ writes them.
#ifndef TIDE_SCRIPT_DOCUMENTS_H
#define TIDE_SCRIPT_DOCUMENTS_H

#include "base/text.h"

// Appends a document: "reference" (Markdown), "annotations" (Lua), "solvers", "meshes", "shapes" or "elements".
// `name` limits a list to one entry; NULL: all. An unknown name is a TIDE_ERROR_ARGUMENT that suggests the nearest.
tide_status tide_document_write(const char *document, const char *name, tide_text *out, tide_error *error);

#endif
