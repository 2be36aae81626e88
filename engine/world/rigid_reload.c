#include "world/rigid_reload.h"

#include "world/reshape.h"

#include <string.h>

#define CONGRUENT 1e-9 // m of distance, per m of size
#define ROUNDING 1e-13 // of positions

static double size_of(uint32_t count, const double *places)
{
    double most = 0;
    for (uint32_t p = 1; p < count; p++)
        most = fmax(
            most, tide_vec3_length(tide_vec3_subtract(tide_vec3_load(places + 3 * (size_t)p), tide_vec3_load(places))));
    return most;
}

// Returns whether places differ by nothing but a translation.
static bool same_apart(uint32_t count, const double *a, const double *b, tide_vec3 by)
{
    double least = CONGRUENT * size_of(count, b);
    for (size_t p = 0; p < count; p++) {
        tide_vec3 away = tide_vec3_subtract(tide_vec3_load(a + 3 * p), tide_vec3_load(b + 3 * p));
        if (!(tide_vec3_length(tide_vec3_subtract(away, by)) <= least))
            return false;
    }
    return true;
}

bool tide_rigid_same_faces(const tide_body *body, const tide_body *before)
{
    const tide_mesh *a = tide_body_face(body), *b = tide_body_face(before);
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->triangles, b->triangles, 3 * (size_t)a->triangle_count * sizeof *a->triangles) == 0;
}

bool tide_rigid_differs(const tide_body *body, const tide_body *before)
{
    if (!body->rigid && !before->rigid)
        return false;
    if (!body->rigid || !before->rigid || !tide_rigid_same_faces(body, before))
        return true;
    const double *a = body->mesh->vertices, *b = before->mesh->vertices;
    tide_vec3 by = tide_vec3_subtract(tide_vec3_load(a), tide_vec3_load(b));
    return !same_apart(4, a, b, by) ||
           !same_apart(body->surface->vertex_count, body->surface->vertices, before->surface->vertices, by);
}

bool tide_rigid_matches(const tide_body *body, const tide_body *before, tide_placement *described)
{
    const tide_mesh *face = tide_body_face(body), *old = tide_body_face(before);
    bool same = tide_rigid_same_faces(body, before);
    const tide_placement still = { .rotation = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    *described = still;
    if (same) {
        tide_placement fit = tide_fit_placement(face->vertex_count, NULL, face->vertices, old->vertices);
        double error = tide_placement_error(&fit, face->vertex_count, face->vertices, old->vertices);
        bool congruent = error <= CONGRUENT * size_of(old->vertex_count, old->vertices);
        if (congruent || !tide_reshape_is_near(old, face))
            *described = fit;
        return true;
    }
    return tide_reshape_is_near(old, face);
}

static void place(const tide_placement *placement, const tide_motion_fit *motion, const double *described,
                  uint32_t count, double *positions, double *velocities)
{
    for (size_t p = 0; p < count; p++) {
        tide_vec3 x = tide_placed(placement, tide_vec3_load(described + 3 * p));
        tide_vec3 arm = tide_vec3_subtract(x, motion->centre);
        tide_vec3_store(positions + 3 * p, x);
        tide_vec3_store(velocities + 3 * p, tide_vec3_add(motion->velocity, tide_vec3_cross(motion->spin, arm)));
    }
}

// Returns the placement that takes places by `first` and then by `second`.
static tide_placement after(const tide_placement *second, const tide_placement *first)
{
    tide_placement both = { .from = first->from, .to = tide_placed(second, first->to) };
    for (int k = 0; k < 9; k++)
        for (int j = 0; j < 3; j++)
            both.rotation[k] += second->rotation[3 * (k / 3) + j] * first->rotation[3 * j + k % 3];
    return both;
}

void tide_rigid_carry(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before,
                      const tide_placement *described)
{
    const double *x = old->positions + 3 * (size_t)before->first_particle;
    const double *v = old->velocities + 3 * (size_t)before->first_particle;
    const tide_mesh *mesh = body->mesh;
    tide_motion_fit motion;
    tide_placement now = tide_fit_placement(before->mesh->vertex_count, before->masses, before->mesh->vertices, x);
    tide_fit_motion(before->mesh->vertex_count, before->masses, NULL, x, v, &motion);
    tide_placement placement = after(&now, described);
    double *to = world->positions + 3 * (size_t)body->first_particle;
    double *rate = world->velocities + 3 * (size_t)body->first_particle;
    place(&placement, &motion, mesh->vertices, mesh->vertex_count, to, rate);
    place(&placement, &motion, body->frames, body->frame_count, to + 3 * (size_t)mesh->vertex_count,
          rate + 3 * (size_t)mesh->vertex_count);
}

void tide_world_fit_rigid(tide_world *world)
{
    for (size_t b = 0; b < world->body_count; b++) {
        const tide_body *body = world->bodies[b];
        if (!body->rigid)
            continue;
        double *x = world->positions + 3 * (size_t)body->first_particle;
        double *v = world->velocities + 3 * (size_t)body->first_particle;
        tide_motion_fit motion;
        tide_placement placement = tide_fit_placement(4, NULL, body->shape, x);
        double least = CONGRUENT * size_of(4, body->shape) + ROUNDING * tide_vec3_length(placement.to);
        if (tide_placement_error(&placement, 4, body->shape, x) <= least)
            continue;
        tide_fit_motion(4, body->masses, NULL, x, v, &motion);
        place(&placement, &motion, body->shape, 4, x, v);
    }
}
