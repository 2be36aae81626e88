// Sources of the reference page and of the annotation file: lists of the tables that the rest of the folder uses.
#ifndef TIDE_SCRIPT_DOCUMENTS_H
#define TIDE_SCRIPT_DOCUMENTS_H

#include "collision/shape.h"
#include "script/binding.h"
#include "script/distance_binding.h"

// A table of the script that a field table describes.
typedef struct tide_document_table {
    const char *name, *call, *help;   // "tide.Camera", "tide.scene { camera = { ... } }"
    const tide_field *first, *second; // `second` may be NULL
} tide_document_table;

// A table that a function returns.
typedef struct tide_document_record {
    const char *name, *help;
    const char *const *fields; // "name", "type", "help" in turn, ended by NULL
} tide_document_record;

extern const tide_document_table tide_document_tables[];   // ended by a NULL name
extern const tide_document_record tide_document_records[]; // likewise
extern const tide_class *const tide_document_classes[];    // ended by NULL

const char *tide_document_builder_name(const tide_mesh_builder *builder, char text[64]); // "tide.MeshGrid"
const char *tide_document_solver_name(const tide_solver_kind *kind, char text[64]);      // "tide.SolverLocalGlobal"
const char *tide_document_shape_name(const tide_shape_kind *kind, char text[64]);        // "tide.ColliderSphere"
const char *tide_document_distance_name(const tide_distance_builder *builder, char text[64]); // "tide.DistanceSphere"
// Writes the documentation of the Lua library as part of the annotation file (`annotations`) or of the reference page.
tide_status tide_document_library(tide_text *out, bool annotations, tide_error *error);
// Writes the text to a file and frees it.
tide_status tide_document_write(tide_text *text, const char *path, tide_error *error);

#endif
