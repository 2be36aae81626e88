#include "session/live_pick.h"

#include "base/elementary.h"
#include "base/vec3.h"

#include <math.h>
#include <string.h>

typedef struct ray {
    tide_vec3 origin, direction; // unit
    double spread;               // width of a pixel at a distance of 1 m, m
} ray;

static tide_vec3 load_floats(const float p[3])
{
    return (tide_vec3) { (double)p[0], (double)p[1], (double)p[2] };
}

static ray ray_at(const tide_pick_view *view, double x, double y)
{
    float origin[3], direction[3];
    tide_camera_ray(view->camera, (float)x, (float)y, view->width, view->height, origin, direction);
    tide_vec3 d = load_floats(direction);
    return (ray) { load_floats(origin), tide_vec3_scale(d, 1 / tide_vec3_length(d)),
                   2 * tide_tan(0.5 * (double)view->camera->field_of_view) / (double)view->height };
}

static tide_vec3 along(const ray *ray, double t)
{
    return tide_vec3_add(ray->origin, tide_vec3_scale(ray->direction, t));
}

// --- triangles, segments and points ----------------------------------------------------------------------------------

// Returns the distance along the ray to the triangle; INFINITY: it misses (Moeller and Trumbore 1997).
static double meet_triangle(const ray *ray, tide_vec3 a, tide_vec3 b, tide_vec3 c)
{
    tide_vec3 ab = tide_vec3_subtract(b, a), ac = tide_vec3_subtract(c, a), p = tide_vec3_cross(ray->direction, ac);
    double determinant = tide_vec3_dot(ab, p);
    if (!(fabs(determinant) > 0))
        return INFINITY;
    tide_vec3 from = tide_vec3_subtract(ray->origin, a), q = tide_vec3_cross(from, ab);
    double u = tide_vec3_dot(from, p) / determinant, v = tide_vec3_dot(ray->direction, q) / determinant;
    double t = tide_vec3_dot(ac, q) / determinant;
    return u >= 0 && v >= 0 && u + v <= 1 && t > 0 ? t : INFINITY;
}

static double distance_to_segment(tide_vec3 p, tide_vec3 a, tide_vec3 b)
{
    tide_vec3 ab = tide_vec3_subtract(b, a);
    double square = tide_vec3_dot(ab, ab), s = square > 0 ? tide_vec3_dot(tide_vec3_subtract(p, a), ab) / square : 0;
    tide_vec3 nearest = tide_vec3_add(a, tide_vec3_scale(ab, fmin(fmax(s, 0), 1)));
    return tide_vec3_length(tide_vec3_subtract(p, nearest));
}

// Returns the distance along the ray at which it passes the segment within `reach` pixels; INFINITY: it does not.
static double pass_segment(const ray *ray, tide_vec3 a, tide_vec3 b, double reach)
{
    // Nearest points of two lines; the one on the segment is clamped to it.
    tide_vec3 d = ray->direction, e = tide_vec3_subtract(b, a), r = tide_vec3_subtract(ray->origin, a);
    double de = tide_vec3_dot(d, e), ee = tide_vec3_dot(e, e), dr = tide_vec3_dot(d, r), er = tide_vec3_dot(e, r);
    double across = ee - de * de, s = across > 1e-12 * ee ? (er - de * dr) / across : 0;
    s = fmin(fmax(s, 0), 1);
    tide_vec3 on = tide_vec3_add(a, tide_vec3_scale(e, s));
    double t = tide_vec3_dot(tide_vec3_subtract(on, ray->origin), d);
    double apart = tide_vec3_length(tide_vec3_subtract(along(ray, t), on));
    return t > 0 && apart <= reach * ray->spread * t ? t : INFINITY;
}

// --- bodies ----------------------------------------------------------------------------------------------------------

typedef struct search {
    ray ray;
    double reach, nearest; // `reach`: pixels; `nearest`: m along the ray
    uint32_t corners[3], corner_count;
    tide_body_id body;
} search;

static tide_vec3 corner_of(const tide_world *world, tide_body_id body, uint32_t vertex)
{
    double x[3] = { 0 };
    tide_world_vertex(world, body, vertex, x, NULL);
    return tide_vec3_load(x);
}

static void note(search *s, tide_body_id body, double t, const uint32_t *corners, uint32_t count)
{
    if (!(t < s->nearest))
        return;
    s->nearest = t;
    s->body = body;
    s->corner_count = count;
    memcpy(s->corners, corners, count * sizeof *corners);
}

static void search_body(search *s, tide_world *world, tide_body_id id, const tide_body_info *body)
{
    const tide_mesh *mesh = body->face;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = mesh->triangles + 3 * (size_t)t;
        note(s, id,
             meet_triangle(&s->ray, corner_of(world, id, c[0]), corner_of(world, id, c[1]), corner_of(world, id, c[2])),
             c, 3);
    }
    for (uint32_t e = 0; e < mesh->edge_count; e++) {
        const uint32_t *c = mesh->edges + 2 * (size_t)e;
        note(s, id, pass_segment(&s->ray, corner_of(world, id, c[0]), corner_of(world, id, c[1]), s->reach), c, 2);
    }
    for (uint32_t i = 0; i < mesh->vertex_count && !mesh->edge_count; i++)
        note(s, id, pass_segment(&s->ray, corner_of(world, id, i), corner_of(world, id, i), s->reach), &i, 1);
}

static double meet_colliders(tide_world *world, const ray *ray, bool planes, double farthest, tide_collider_id *found);

static void fill(const search *s, tide_world *world, tide_pick *pick)
{
    tide_vec3 point = along(&s->ray, s->nearest);
    double nearest = INFINITY, beside = INFINITY;
    *pick = (tide_pick) { .body = s->body, .edge = { s->corners[0], s->corners[0] } };
    tide_vec3_store(pick->point, point);
    for (uint32_t c = 0; c < s->corner_count; c++) {
        uint32_t a = s->corners[c], b = s->corners[(c + 1) % s->corner_count];
        tide_vec3 at = corner_of(world, s->body, a), to = corner_of(world, s->body, b);
        double distance = tide_vec3_length(tide_vec3_subtract(at, point));
        if (distance < nearest) {
            nearest = distance;
            pick->vertex = a;
        }
        distance = distance_to_segment(point, at, to);
        if (a != b && distance < beside) {
            beside = distance;
            pick->edge[0] = a;
            pick->edge[1] = b;
        }
    }
}

bool tide_pick_body(tide_world *world, const tide_pick_view *view, double x, double y, double reach, tide_pick *pick)
{
    search s = { .ray = ray_at(view, x, y), .reach = reach, .nearest = INFINITY };
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_info body;
        tide_body_id id = tide_world_body_at(world, b);
        if (tide_world_body_info(world, id, &body))
            search_body(&s, world, id, &body);
    }
    tide_collider_id hiding;
    if (!(s.nearest < INFINITY) || meet_colliders(world, &s.ray, true, 0.98 * s.nearest, &hiding) < INFINITY)
        return false;
    fill(&s, world, pick);
    return true;
}

// --- colliders -------------------------------------------------------------------------------------------------------

// Returns the distance along the ray to the collider, up to `farthest`; INFINITY: it misses. Sphere tracing: each step
// is as long as the signed distance.
static double meet_collider(const tide_collider *collider, const ray *ray, double farthest)
{
    tide_pose pose = tide_collider_pose(collider, 1);
    double t = 0;
    for (int step = 0; step < 400 && t < farthest; step++) {
        double p[3];
        tide_vec3_store(p, along(ray, t));
        double gap = tide_collider_gap_at(collider, &pose, p, NULL);
        if (!(gap > 1e-4 * (t + 0.1)))
            return step ? t : INFINITY; // seen from inside, nothing is hit
        t += gap;
    }
    return INFINITY;
}

static double meet_colliders(tide_world *world, const ray *ray, bool planes, double farthest, tide_collider_id *found)
{
    double nearest = INFINITY;
    *found = (tide_collider_id) { 0, 0 };
    for (uint32_t c = 0; c < tide_world_collider_count(world); c++) {
        tide_collider_id id = tide_world_collider_at(world, c);
        const tide_collider *collider = tide_world_collider(world, id);
        if (!collider->visible || (!planes && collider->kind->endless))
            continue;
        double t = meet_collider(collider, ray, fmin(nearest, farthest));
        if (t < nearest) {
            nearest = t;
            *found = id;
        }
    }
    return nearest;
}

bool tide_pick_collider(tide_world *world, const tide_pick_view *view, double x, double y, tide_pick *pick)
{
    ray ray = ray_at(view, x, y);
    tide_collider_id found;
    double t = meet_colliders(world, &ray, false, 1e4, &found);
    if (!(t < INFINITY))
        return false;
    *pick = (tide_pick) { .collider = found };
    tide_vec3_store(pick->point, along(&ray, t));
    return true;
}

// --- projection ------------------------------------------------------------------------------------------------------

bool tide_pick_on_plane(const tide_pick_view *view, double x, double y, const double point[3], double out[3])
{
    ray ray = ray_at(view, x, y);
    tide_vec3 normal = tide_vec3_subtract(load_floats(view->camera->target), load_floats(view->camera->position));
    double towards = tide_vec3_dot(ray.direction, normal);
    double t = tide_vec3_dot(tide_vec3_subtract(tide_vec3_load(point), ray.origin), normal) / towards;
    if (!(t > 0 && t < 1e6))
        return false;
    tide_vec3_store(out, along(&ray, t));
    return true;
}

static void see(const tide_pick_view *view, float matrix[16])
{
    tide_camera_matrix(view->camera, (float)view->width / (float)view->height, 0.01f, 1000, matrix);
}

static bool project(const tide_pick_view *view, const float m[16], const double point[3], double out[2])
{
    double clip[4];
    for (int r = 0; r < 4; r++)
        clip[r] =
            (double)m[r] * point[0] + (double)m[4 + r] * point[1] + (double)m[8 + r] * point[2] + (double)m[12 + r];
    if (!(clip[3] > 1e-6))
        return false;
    out[0] = (0.5 + 0.5 * clip[0] / clip[3]) * view->width;
    out[1] = (0.5 - 0.5 * clip[1] / clip[3]) * view->height;
    return isfinite(out[0]) && isfinite(out[1]);
}

bool tide_pick_project(const tide_pick_view *view, const double point[3], double out[2])
{
    float matrix[16];
    see(view, matrix);
    return project(view, matrix, point, out);
}

static double side_of(const double a[2], const double b[2], const double p[2])
{
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

static bool cross(const double a[2], const double b[2], const double c[2], const double d[2])
{
    return side_of(a, b, c) * side_of(a, b, d) <= 0 && side_of(c, d, a) * side_of(c, d, b) <= 0 &&
           (side_of(a, b, c) != 0 || side_of(a, b, d) != 0);
}

bool tide_pick_crosses(const tide_pick_view *view, const double a[2], const double b[2], const double from[3],
                       const double to[3])
{
    float matrix[16];
    double c[2], d[2];
    see(view, matrix);
    return project(view, matrix, from, c) && project(view, matrix, to, d) && cross(a, b, c, d);
}

bool tide_pick_vertex(tide_world *world, const tide_pick_view *view, const double at[2], double reach,
                      tide_body_id *body, uint32_t *vertex, double where[2])
{
    float matrix[16];
    double nearest = reach;
    bool found = false;
    see(view, matrix);
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_info info;
        tide_body_id id = tide_world_body_at(world, b);
        if (!tide_world_body_info(world, id, &info))
            continue;
        for (uint32_t v = 0; v < info.face->vertex_count; v++) {
            double x[3], p[2], distance;
            if (!tide_world_vertex(world, id, v, x, NULL) || !project(view, matrix, x, p) ||
                !((distance = tide_hypot(p[0] - at[0], p[1] - at[1])) < nearest))
                continue;
            nearest = distance;
            found = true;
            *body = id;
            *vertex = v;
            where[0] = p[0];
            where[1] = p[1];
        }
    }
    return found;
}

tide_input tide_pick_drag(const tide_pick *found, const char *name, bool whole, bool edge, double stiffness)
{
    tide_input input = { .kind = TIDE_INPUT_DRAG_BEGIN,
                         .name = name,
                         .grip = whole ? TIDE_GRIP_BODY : TIDE_GRIP_VERTEX,
                         .vertex = found->vertex,
                         .number = stiffness };
    if (!whole && edge && found->edge[0] != found->edge[1]) {
        input.grip = TIDE_GRIP_EDGE;
        input.vertex = found->edge[0];
        input.other = found->edge[1];
    }
    memcpy(input.point, found->point, sizeof input.point);
    return input;
}
