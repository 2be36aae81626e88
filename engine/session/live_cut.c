// Finds what a cutting stroke over a picture opens in a body.
#include "session/live_pick.h"

#include "base/vec3.h"

typedef struct stroke {
    const tide_pick_view *view;
    const double *a, *b, *x;
} stroke;

static void mean(const double *x, const uint32_t *vertices, uint32_t count, double out[3])
{
    tide_vec3 sum = { 0 };
    for (uint32_t i = 0; i < count; i++)
        sum = tide_vec3_add(sum, tide_vec3_load(x + 3 * (size_t)vertices[i]));
    tide_vec3_store(out, tide_vec3_scale(sum, 1.0 / count));
}

static bool crosses(const void *context, const uint32_t *a, uint32_t a_count, const uint32_t *b, uint32_t b_count)
{
    const stroke *s = context;
    double from[3], to[3];
    mean(s->x, a, a_count, from);
    mean(s->x, b, b_count, to);
    return tide_pick_crosses(s->view, s->a, s->b, from, to);
}

tide_status tide_pick_openings(tide_world *world, tide_body_id id, const tide_pick_view *view, const double a[2],
                               const double b[2], tide_openings *found, tide_error *error)
{
    const stroke s = { view, a, b, tide_world_positions(world, id) };
    return tide_world_find_openings(world, id, crosses, &s, found, error);
}
