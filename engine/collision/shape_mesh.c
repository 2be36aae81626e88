#include "collision/collider_vertices.h"

#include <string.h>

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_mesh_def, member)
static const tide_field fields[] = {
    { .name = "mesh",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Mesh",
      .required = true,
      .help = "a closed surface of triangles, or what has one; with sheet = true any triangles" },
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "where the mesh's origin is" },
    { .name = "rotation",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "number[]",
      .initial_text = "none",
      .help = "how it is turned: { x, y, z, angle }, an axis and radians about it" },
    { FIELD(scale), .type = TIDE_FIELD_REAL, .initial = { 1 }, .maximum = 1e9, .positive = true,
      .help = "factor of the mesh's coordinates" },
    { FIELD(sheet), .type = TIDE_FIELD_BOOLEAN,
      .help = "whether its triangles are a thin sheet, which may be open and is touched from both sides" },
    { FIELD(deforms), .type = TIDE_FIELD_BOOLEAN,
      .help = "whether a script moves its vertices, by collider:set_position or collider:positions" },
    { .name = "frames",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "(tide.Mesh|tide.Numbers)[]",
      .initial_text = "none",
      .help = "where its vertices are, one after another: meshes like `mesh`, or lists of x, y, z of all vertices; in "
              "between they go along straight lines, or with interpolation = \"smooth\" without jumps of velocity" },
    { FIELD(rate), .type = TIDE_FIELD_REAL, .initial = { 30 }, .maximum = 1e6, .positive = true, .unit = "1/s",
      .help = "frames a second; the first is at time 0" },
    { 0 },
};

static tide_status take_surface(const tide_shape_mesh_def *def, const tide_mesh **surface, tide_error *error)
{
    const double factors[3] = { def->scale, def->scale, def->scale };
    tide_mesh *scaled;
    if (def->scale == 1) {
        *surface = tide_mesh_retain(def->mesh);
        return TIDE_OK;
    }
    tide_status status = tide_mesh_scale(def->mesh, factors, &scaled, error);
    if (status == TIDE_OK)
        *surface = scaled;
    return status;
}

static tide_status create(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_mesh_def *def = definition;
    tide_status status = tide_fields_check(fields, "shape mesh", def, error);
    if (status != TIDE_OK)
        return status;
    if (!def->mesh)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "shape mesh", "mesh", NULL, "expected a mesh");
    if (def->deforms && def->frame_count > 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "shape mesh", "deforms", "true",
                         "given together with frames, which say where the vertices are; leave one of them out");
    tide_shape made = { 0 };
    memcpy(made.pose.position, def->position, sizeof def->position);
    memcpy(made.pose.rotation, def->rotation, sizeof def->rotation);
    status = tide_pose_check(&made.pose, "shape mesh", error);
    if (status == TIDE_OK)
        status = take_surface(def, &made.surface, error);
    bool moves = def->deforms || def->frame_count > 0;
    if (status == TIDE_OK && moves)
        status = tide_deform_create(def, made.surface, &made.deform, error);
    else if (status == TIDE_OK)
        status = def->sheet ? tide_distance_sheet(made.surface, &made.distance, error)
                            : tide_distance_mesh(made.surface, &made.distance, error);
    if (status != TIDE_OK) {
        tide_mesh_release(made.surface);
        return status;
    }
    if (made.deform)
        made.distance = made.deform->after;
    *shape = made;
    return TIDE_OK;
}

const tide_shape_kind tide_shape_mesh = {
    .name = "mesh",
    .help = "a solid with the surface of a closed mesh, rigid or in motion",
    .fields = fields,
    .definition_size = sizeof(tide_shape_mesh_def),
    .create = create,
};
