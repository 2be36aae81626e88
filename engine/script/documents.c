#include "script/documents.h"
#include "script/collider_binding.h"
#include "script/scene_compare.h"

#include "geometry/tetrahedralize.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const tide_document_table tide_document_tables[] = {
    { "tide.SceneDefinition", "tide.scene { ... }", "A scene.", tide_world_fields, tide_scene_fields },
    { "tide.BodyDefinition", "scene:body(name, { ... })", "A body.", tide_body_fields, NULL },
    { "tide.ContactSettings", "tide.scene { contact = { ... } }", "How touching is found and answered.",
      tide_contact_fields, NULL },
    { "tide.Keyframe", "scene:collider(name, { keyframes = { { ... }, ... } })", "Where a collider is at a time.",
      tide_keyframe_fields, NULL },
    { "tide.Ground", "tide.scene { ground = { ... } }", "The ground that is drawn.", tide_ground_fields, NULL },
    { "tide.Camera", "tide.scene { camera = { ... } }", "Where the picture is taken from.", tide_camera_fields, NULL },
    { "tide.ParamOptions", "tide.param(name, default, { ... })", "A parameter.", tide_param_fields, NULL },
    { "tide.LoadOptions", "tide.load(path, { ... })", "How a script is run.", tide_load_fields, NULL },
    { "tide.ColourOptions", "body:colour(function, { ... })", "What the colours of a body mean.", tide_colour_fields,
      NULL },
    { "tide.ComparisonDefinition", "tide.compare { ... }", "The panes of a scene file.", tide_compare_panes_fields,
      NULL },
    { "tide.CompareOptions", "scene:compare { ... }", "Forks of a scene to compare.", tide_compare_fields, NULL },
    { "tide.SolverDefinition", "tide.solver { ... }", "A solver of the script's own.", tide_solver_fields, NULL },
    { "tide.SolverOption", "tide.solver { options = { name = { default, ... } } }",
      "An option of it, after the default: a number, true, false or a string.", tide_solver_option_fields, NULL },
    { "tide.SolverReport", "return positions, velocities, { ... }", "What a step of it tells of itself.",
      tide_solver_report_fields, NULL },
    { "tide.AttachOptions", "scene:attach(a, vertices, b, to, { ... })", "Springs between bodies.", tide_attach_fields,
      NULL },
    { "tide.AttachColliderOptions", "scene:attach(a, vertices, collider, { ... })",
      "How a vertex goes with a collider.", tide_attach_collider_fields, NULL },
    { "tide.MeshNew", "tide.mesh.new { ... }", "A mesh of lists.", tide_mesh_new_fields, NULL },
    { "tide.MeshTetrahedralize", "tide.mesh.tetrahedralize { ... }",
      "A mesh of tetrahedra of what is inside of a distance or of a closed surface.", tide_tetrahedralize_source_fields,
      tide_mesh_tetrahedralize_fields },
    { "tide.MeshMend", "tide.mesh.load(path, { ... })", "What to do with a mesh that was read.", tide_mesh_mend_fields,
      NULL },
    { 0 },
};

static const char *const energy_fields[] = {
    "kinetic", "number", "J", "elastic", "number", "J", "gravity", "number", "J; zero at the origin",
    "total",   "number", "J", NULL
};
static const char *const report_fields[] = {
    "solver",
    "string",
    "its name",
    "converged",
    "boolean",
    "whether it met its tolerance; with newton, bdf2 and implicit_midpoint contacts are settled, too",
    "iterations",
    "integer",
    "how many it took",
    "line_searches",
    "integer",
    "how many it took",
    "linear_iterations",
    "integer",
    "how many it took",
    "substeps",
    "integer",
    "how many it took",
    "rejected",
    "integer",
    "substeps discarded, to be taken again with other ones",
    "substep",
    "number?",
    "s, the last that was taken",
    "stable_substep",
    "number?",
    "s, the longest stable one in theory; 0: none is, as the method gains energy without damping",
    "largest_eigenvalue",
    "number?",
    "1/s^2, that this rests on",
    "warning",
    "string?",
    "what to know about this step",
    "g",
    "number?",
    "what the step minimises, at the result",
    "gradient_norm",
    "number?",
    "of g at the result, over free particles",
    "initial_gradient_norm",
    "number?",
    "of g at y, where the step starts",
    "local_seconds",
    "number",
    "s",
    "global_seconds",
    "number",
    "s",
    "contact_seconds",
    "number",
    "s",
    "step_seconds",
    "number",
    "s",
    "energy_gain",
    "number",
    "J, what the step added beyond the energy that forces, pins, colliders and contacts gave it at most; 0 when none",
    "accelerated",
    "boolean?",
    "whether all iterations were accelerated; false when contacts moved particles",
    NULL,
};
static const char *const contact_fields[] = {
    "body",         "tide.Body",      "that touches something",
    "vertex",       "integer",        "of it",
    "collider",     "tide.Collider?", "what it touches, unless it is a body",
    "other",        "tide.Body?",     "what it touches, unless it is a collider",
    "other_vertex", "integer?",       "the nearest of that body",
    "point",        "number[]",       "where, in m",
    "normal",       "number[]",       "away from what it touches",
    "depth",        "number",         "m, how deep it was before the contact was answered",
    "force",        "number",         "N, on the body along the normal; mean over the step that ended at scene.time",
    "friction",     "number[]",       "N, on the body along the surface; likewise",
    NULL,
};
static const char *const problem_fields[] = {
    "kind",  "string",  "\"isolated vertex\" and the like",
    "count", "integer", "how many there are",
    "index", "integer", "of the first",
    "fatal", "boolean", "whether a body of this mesh is refused",
    "text",  "string",  "what, where and what to do",
    NULL,
};
static const char *const adoption_fields[] = {
    "kept",       "integer", "bodies whose state goes on",
    "rebuilt",    "integer", "bodies with another topology",
    "added",      "integer", "new bodies",
    "removed",    "integer", "bodies that are gone",
    "refactored", "boolean", "whether the solver had to factor again",
    "seconds",    "number",  "that it took",
    "changes",    "string",  "what changed, a line for each body, collider or setting",
    NULL,
};
static const char *const option_fields[] = {
    "name", "string", "",       "type", "string", "",       "default", "string",  "",        "range", "string",
    "",     "unit",   "string", "",     "help",   "string", "",        "maximum", "number?", "",      NULL,
};
static const char *const solver_fields[] = {
    "name",
    "string",
    "",
    "help",
    "string",
    "",
    "source",
    "string",
    "paper and equation",
    "options",
    "tide.OptionInfo[]",
    "",
    "order",
    "integer",
    "of accuracy in the timestep; 0: none, as it depends on the iterations",
    "amplification",
    "(fun(X: number, Y: number): number)?",
    "the largest |eigenvalue| of a step of x'' = -k x - d x' with X = h d and Y = h^2 k (Shinya 2005, eq. 15 to 19); "
    "nil: not known in closed form",
    NULL,
};
static const char *const iterative_fields[] = {
    "iterations", "integer", "how many it took",
    "residual",   "number",  "|b - A x| / |b|, or the eigenvalue's relative change",
    "converged",  "boolean", "whether it met its tolerance",
    NULL,
};

const tide_document_record tide_document_records[] = {
    { "tide.Energy", "The energies of a scene.", energy_fields },
    { "tide.Report", "What the solver did in a step. A number is absent when the method has none.", report_fields },
    { "tide.Contact", "A vertex of a body that touches a collider or another body.", contact_fields },
    { "tide.MeshProblem", "What the mesh doctor found.", problem_fields },
    { "tide.Adoption", "What a reload kept.", adoption_fields },
    { "tide.ComparisonResult", "What became of one of the forks of scene:compare.", tide_compare_result_fields },
    { "tide.SolverInfo", "A solver.", solver_fields },
    { "tide.OptionInfo", "An option.", option_fields },
    { "tide.IterativeResult", "How an iterative method ended.", iterative_fields },
    { 0 },
};

const tide_class *const tide_document_classes[] = {
    &tide_scene_class,    &tide_body_class,         &tide_collider_class, &tide_mesh_class,
    &tide_distance_class, &tide_buffer_class,       &tide_snapshot_class, &tide_canvas_class,
    &tide_system_class,   &tide_solver_state_class, &tide_problem_class,  &tide_method_class,
    &tide_vector_class,   &tide_matrix_class,       &tide_factor_class,   NULL,
};

// Converts "local_global" after the prefix to "LocalGlobal".
static const char *camel(const char *prefix, const char *name, char text[64])
{
    size_t length = (size_t)snprintf(text, 64, "%s", prefix);
    bool upper = true;
    for (; *name && length < 63; name++) {
        if (*name != '_')
            text[length++] = (char)(upper ? toupper((unsigned char)*name) : *name);
        upper = *name == '_';
    }
    text[length] = '\0';
    return text;
}

const char *tide_document_builder_name(const tide_mesh_builder *builder, char text[64])
{
    return camel("tide.Mesh", builder->name, text);
}

const char *tide_document_solver_name(const tide_solver_kind *kind, char text[64])
{
    return camel("tide.Solver", kind->name, text);
}

const char *tide_document_shape_name(const tide_shape_kind *kind, char text[64])
{
    return camel("tide.Collider", kind->name, text);
}

const char *tide_document_distance_name(const tide_distance_builder *builder, char text[64])
{
    return camel("tide.Distance", builder->name, text);
}

tide_status tide_document_write(tide_text *text, const char *path, tide_error *error)
{
    tide_status status = tide_text_save(text, path, path, error);
    tide_text_free(text);
    return status;
}
