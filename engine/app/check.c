// `check`: examines and mends a mesh by scripts/springtide/commands/check.lua.
#include "app/commands.h"
#include "app/program.h"

#include "mesh/mesh.h"

#include <stddef.h>

typedef struct check_options {
    tide_mesh_mend_def mend;
    const char *mended; // the file to write; NULL when not given
} check_options;

static tide_exit run_command(const char *const *subjects, void *options)
{
    const check_options *o = options;
    const tide_lab_option given[] = { { "fix", NULL, o->mend.fix },
                                      { "scale", NULL, o->mend.scale },
                                      { "weld", NULL, tide_given(o->mend.weld) ? o->mend.weld : -1 },
                                      { "out", o->mended, -1 },
                                      { 0 } };
    return tide_module_run("springtide.commands.check", subjects, given, NULL, NULL);
}

#define AT(member) .offset = offsetof(check_options, member)
static const tide_option options[] = {
    { "--fix", NULL,
      "with -o: join coincident vertices, repair flat elements, remove duplicate and unused ones, orient triangles",
      tide_option_field, AT(mend), .fields = tide_mesh_mend_fields },
    { "--weld", "M", "with -o: join vertices closer than this, in metres", tide_option_field, AT(mend),
      .fields = tide_mesh_mend_fields },
    { "--scale", "FACTOR", "with -o: scale the mesh first; 0.001 for a file in millimetres", tide_option_field,
      AT(mend), .fields = tide_mesh_mend_fields },
    { "-o", "OUT", "write the mended mesh to this file", tide_option_text, AT(mended),
      .expected = "the name of a mesh file to write" },
    { 0 },
};

const tide_command tide_command_check = {
    "check",
    "MESH",
    "examine a mesh file (.obj, .ply, .stl, .mesh, .msh ...): counts, size, problems",

    "Exit status 1 when the file cannot be read or a body made of the mesh (as mended) could not be simulated.\n"
    "`springtide check MESH --fix -o OUT` mends what it safely can and writes OUT, whose problems are then told.",
    .options = options,
    .size = sizeof(check_options),
    .run = run_command
};
