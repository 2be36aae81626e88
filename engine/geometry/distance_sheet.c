#include "geometry/bvh.h"
#include "geometry/distance_moving.h"
#include "geometry/distance_parts.h"

#include <string.h>

typedef struct sheet {
    tide_distance base;
    const tide_mesh *mesh;
    const double *at; // (3 * vertices) m
    tide_bvh bvh;
} sheet;

static double sheet_at(const tide_distance *distance, const double p[3], double gradient[3])
{
    const sheet *self = (const sheet *)distance;
    tide_bvh_point closest = { 0 };
    tide_bvh_closest(&self->bvh, p, INFINITY, &closest);
    double length = sqrt(closest.squared);
    if (gradient && length > 0)
        tide_vec3_store(
            gradient,
            tide_vec3_scale(tide_vec3_subtract(tide_vec3_load(p), tide_vec3_load(closest.position)), 1 / length));
    else if (gradient) {
        const uint32_t *corner = self->mesh->triangles + 3 * (size_t)closest.triangle;
        tide_vec3 a = tide_vec3_load(self->at + 3 * (size_t)corner[0]);
        tide_vec3 u = tide_vec3_subtract(tide_vec3_load(self->at + 3 * (size_t)corner[1]), a);
        tide_vec3 v = tide_vec3_subtract(tide_vec3_load(self->at + 3 * (size_t)corner[2]), a);
        tide_vec3_store(gradient, tide_vec3_normalize(tide_vec3_cross(u, v)));
    }
    return length;
}

static void sheet_destroy(tide_distance *distance)
{
    sheet *self = (sheet *)distance;
    tide_bvh_destroy(&self->bvh);
    tide_mesh_release(self->mesh);
}

static void sheet_move(tide_distance *distance, const double *vertices)
{
    sheet *self = (sheet *)distance;
    self->at = vertices;
    tide_bvh_refit(&self->bvh, vertices, NULL, 0);
    memcpy(self->base.lower, self->bvh.nodes[0].lower, sizeof self->base.lower);
    memcpy(self->base.upper, self->bvh.nodes[0].upper, sizeof self->base.upper);
}

static void sheet_nearest(const tide_distance *distance, const double p[3], uint32_t hint, uint32_t *triangle,
                          double weights[3])
{
    tide_bvh_point closest = { 0 };
    tide_bvh_closest_from(&((const sheet *)distance)->bvh, p, hint, &closest);
    *triangle = closest.triangle;
    memcpy(weights, closest.weights, sizeof closest.weights);
}

static const tide_distance_kind sheet_kind = { .name = "sheet",
                                               .at = sheet_at,
                                               .destroy = sheet_destroy,
                                               .move = sheet_move,
                                               .nearest = sheet_nearest,
                                               .open = true };

tide_status tide_distance_moving_sheet(const tide_mesh *mesh, tide_distance **out, tide_error *error)
{
    if (mesh->triangle_count == 0)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "distance sheet", "triangles", "0",
                         "the mesh has no triangles; give a surface");
    sheet *self = (sheet *)tide_distance_allocate(&sheet_kind, sizeof *self);
    if (!self)
        return tide_fail_memory(error, "distance sheet");
    self->mesh = tide_mesh_retain(mesh);
    tide_status status = tide_bvh_create(mesh->vertices, mesh->triangles, mesh->triangle_count, &self->bvh, error);
    if (status != TIDE_OK) {
        tide_distance_release(&self->base);
        return status;
    }
    sheet_move(&self->base, mesh->vertices);
    *out = &self->base;
    return TIDE_OK;
}

tide_status tide_distance_sheet(const tide_mesh *mesh, const tide_distance **out, tide_error *error)
{
    tide_distance *made;
    TIDE_TRY(tide_distance_moving_sheet(mesh, &made, error));
    *out = made;
    return TIDE_OK;
}
