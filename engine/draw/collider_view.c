// Colliders in a picture: the surfaces of their shapes at their current poses.
#include "draw/solid_view.h"
#include "draw/world_view.h"

#include <math.h>
#include <string.h>

void tide_view_up(const tide_world *world, float up[3])
{
    const double *gravity = tide_world_get_settings(world)->gravity;
    const double most = 0.9 * sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2]);
    up[0] = up[2] = 0;
    up[1] = 1;
    for (int k = 0; k < 3; k += 2)
        if (most > 0 && fabs(gravity[k]) > most) {
            up[1] = 0;
            up[k] = gravity[k] < 0 ? 1 : -1;
        }
}

// Returns whether it is a plane whose outside is up, and its height.
static bool is_floor(const tide_collider *collider, const float up[3], double *height)
{
    double normal[3];
    if (!collider->kind->endless)
        return false;
    *height = 0;
    for (int k = 0; k < 3; k++)
        *height += (double)up[k] * collider->start.position[k];
    tide_collider_gap_at(collider, &collider->start, collider->start.position, normal);
    return normal[0] * (double)up[0] + normal[1] * (double)up[1] + normal[2] * (double)up[2] > 1 - 1e-9;
}

bool tide_view_floor(const tide_world *world, bool visible, double *height)
{
    bool found = false;
    float up[3];
    tide_view_up(world, up);
    for (uint32_t i = 0; i < tide_world_collider_count(world); i++) {
        const tide_collider *collider = tide_world_collider(world, tide_world_collider_at(world, i));
        double level;
        if (!is_floor(collider, up, &level) || (visible && !collider->visible))
            continue;
        *height = found ? fmax(*height, level) : level;
        found = true;
    }
    return found;
}

// A plane is infinite. Draws a part of it as large as the world, to show its orientation: a square whose side is a
// power of two and whose centre moves in steps of a quarter side, so that it does not jitter.
static void fit_plane(const tide_draw_list *list, double *x)
{
    double centre[3], square = 0;
    for (int k = 0; k < 3; k++) {
        double low = (double)list->lower[k], high = (double)list->upper[k];
        centre[k] = 0.5 * (low + high);
        square += (high - low) * (high - low);
    }
    if (!(list->lower[0] <= list->upper[0]) || !(square > 0) || !isfinite(square))
        return;
    double side = exp2(ceil(log2(1.6 * sqrt(square)))), along[2] = { 0, 0 }, edges[2][3], from[3];
    memcpy(from, x, sizeof from);
    for (int e = 0; e < 2; e++) { // the corners are in two rows of two
        double length = 0;
        for (int k = 0; k < 3; k++) {
            edges[e][k] = x[3 * (e + 1) + k] - from[k];
            length += edges[e][k] * edges[e][k];
        }
        for (int k = 0; k < 3; k++) {
            edges[e][k] /= sqrt(length);
            along[e] += edges[e][k] * (centre[k] - from[k]);
        }
        along[e] = side / 4 * floor(4 * along[e] / side + 0.5);
    }
    for (size_t i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            x[3 * i + (size_t)k] = from[k] + edges[0][k] * (along[0] + side * ((double)(i % 2) - 0.5)) +
                                   edges[1][k] * (along[1] + side * ((double)(i / 2) - 0.5));
}

// Adds a collider's surface.
static void add_collider(tide_draw_list *list, const tide_collider *collider)
{
    const tide_mesh *mesh = collider->shape.surface;
    bool plane = collider->kind->endless;
    tide_draw_surface surface = { .vertex_count = mesh->vertex_count,
                                  .triangle_count = mesh->triangle_count,
                                  .triangles = mesh->triangles,
                                  .front = tide_view_colour(collider->colour),
                                  .back = tide_view_colour(collider->colour),
                                  .casts_shadow = !plane,
                                  .solid = true };
    double *x = tide_draw_list_allocate(list, 3 * sizeof *x * mesh->vertex_count);
    if (!x)
        return;
    const double *own = tide_collider_vertices(collider);
    for (size_t i = 0; i < mesh->vertex_count; i++)
        tide_pose_apply(&collider->start, own + 3 * i, x + 3 * i);
    if (plane)
        fit_plane(list, x);
    if (collider->kind->smooth) {
        if (!tide_view_solid(list, mesh, x, NULL, &surface))
            return;
    } else {
        float *positions = tide_draw_list_allocate(list, 3 * sizeof *positions * mesh->vertex_count);
        if (!positions)
            return;
        for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
            positions[i] = (float)x[i];
        surface.positions = positions;
    }
    float *normals = tide_draw_list_allocate(list, 3 * sizeof *normals * surface.vertex_count);
    if (!normals)
        return;
    tide_draw_normals(surface.positions, surface.vertex_count, surface.triangles, surface.triangle_count, normals);
    surface.normals = normals;
    float lower[3], upper[3];
    memcpy(lower, list->lower, sizeof lower);
    memcpy(upper, list->upper, sizeof upper);
    tide_draw_add_surface(list, &surface);
    if (plane) { // infinite: it does not extend the bounds
        memcpy(list->lower, lower, sizeof lower);
        memcpy(list->upper, upper, sizeof upper);
    }
}

void tide_view_colliders(tide_draw_list *list, const tide_world *world)
{
    uint32_t count = tide_world_collider_count(world);
    for (int planes = 0; planes < 2; planes++) // planes last, since their size depends on the bounds of the others
        for (uint32_t i = 0; i < count; i++) {
            const tide_collider *collider = tide_world_collider(world, tide_world_collider_at(world, i));
            double height;
            if (!collider->visible || collider->kind->endless != (planes == 1))
                continue;
            // The stage's ground represents a floor at its height.
            if (list->stage.has_ground && is_floor(collider, list->stage.up, &height) &&
                fabs(height - (double)list->stage.ground_height) <= 1e-4 * fmax(1, fabs(height)))
                continue;
            add_collider(list, collider);
        }
}
