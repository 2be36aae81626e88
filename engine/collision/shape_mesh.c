#include "base/log.h"
#include "base/vec3.h"
#include "collision/collider_vertices.h"

#define FIELD(member) .name = #member, .offset = offsetof(tide_shape_mesh_def, member)
static const tide_field fields[] = {
    { .name = "mesh",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "tide.Mesh",
      .required = true,
      .help = "a mesh with a closed surface of triangles; with sheet = true any triangles" },
    { FIELD(position), .type = TIDE_FIELD_VECTOR, .unit = "m", .help = "position of the mesh's origin" },
    TIDE_SHAPE_ROTATION_FIELD(tide_shape_mesh_def),
    { FIELD(scale), .type = TIDE_FIELD_REAL, .initial = { 1 }, .maximum = 1e9, .positive = true,
      .help = "scale factor of the mesh's coordinates" },
    { FIELD(sheet), .type = TIDE_FIELD_BOOLEAN,
      .help = "treat the triangles as a thin sheet: it may be open, and both of its sides touch" },
    { FIELD(deforms), .type = TIDE_FIELD_BOOLEAN,
      .help = "a script may move its vertices, by collider:set_position or collider:positions" },
    { .name = "frames",
      .type = TIDE_FIELD_OTHER,
      .lua_type = "(tide.Mesh|tide.Numbers)[]",
      .initial_text = "none",
      .help = "successive positions of its vertices: meshes with the topology of `mesh`, or lists of x, y, z of all "
              "vertices; between frames vertices move along straight lines or, with interpolation = \"smooth\", with "
              "continuous velocity" },
    { FIELD(rate), .type = TIDE_FIELD_REAL, .initial = { 30 }, .maximum = 1e6, .positive = true, .unit = "1/s",
      .help = "frames per second; the first frame is at time 0" },
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
    TIDE_TRY(tide_mesh_scale(def->mesh, factors, &scaled, error));
    *surface = scaled;
    return TIDE_OK;
}

static tide_status make(const void *definition, tide_shape *shape, tide_error *error)
{
    const tide_shape_mesh_def *def = definition;
    if (!def->mesh)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "shape mesh", "mesh", NULL, "expected a mesh");
    bool moves = def->deforms || def->frame_count > 0;
    if (def->deforms && def->frame_count > 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "shape mesh", "deforms", "true",
                         "given together with frames, which say where the vertices are; leave one of them out");
    tide_status status = tide_shape_place(shape, "shape mesh", def->position, def->rotation, error);
    if (status == TIDE_OK)
        status = take_surface(def, &shape->surface, error);
    if (status == TIDE_OK && moves)
        status = tide_deform_create(def, shape->surface, &shape->deform, error);
    else if (status == TIDE_OK)
        status = def->sheet ? tide_distance_sheet(shape->surface, &shape->distance, error)
                            : tide_distance_mesh(shape->surface, &shape->distance, error);
    if (status == TIDE_OK && moves)
        shape->distance = shape->deform->after;
    return status;
}

// Warns of a mesh that faces inward. The inside of a closed surface does not depend on its winding; an author who
// reversed it may have meant a container.
static void warn_of_inward_mesh(const void *definition, const tide_shape *shape, const char *object)
{
    const tide_shape_mesh_def *def = definition;
    const tide_mesh *mesh = shape->surface;
    double volume = 0;
    if (def->sheet)
        return;
    tide_vec3 origin = tide_vec3_load(mesh->vertices);
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        tide_vec3 side[3];
        for (size_t k = 0; k < 3; k++)
            side[k] =
                tide_vec3_subtract(tide_vec3_load(mesh->vertices + 3 * (size_t)mesh->triangles[3 * t + k]), origin);
        volume += tide_vec3_dot(side[0], tide_vec3_cross(side[1], side[2]));
    }
    if (volume < 0)
        tide_log(TIDE_LOG_WARNING,
                 "%s: mesh: its triangles face inward; it is treated as a solid, not as a container; turn the "
                 "triangles (fix = true), or make a container with sheet = true",
                 object);
}

const tide_shape_kind tide_shape_mesh = {
    .name = "mesh",
    .help = "a solid bounded by a closed mesh, rigid or deforming",
    .fields = fields,
    .definition_size = sizeof(tide_shape_mesh_def),
    .exact = true,
    .smooth = true,
    .warn = warn_of_inward_mesh,
    .make = make,
};
