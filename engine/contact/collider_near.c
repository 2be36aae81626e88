#include "contact/collider_near.h"

#include "base/bit_set.h"
#include "base/memory.h"
#include "collision/collider_vertices.h"
#include "geometry/distance_near.h"

#include <string.h>

#define ROUNDED 1e-6f // relative: more than the error of rounding to a float
#define SPARE 1e-8f   // m: bounds the rounding of distances, and the gap at which swept tests see a touch

static float below(double length)
{
    float f = (float)length;
    return f - ROUNDED * fabsf(f) - SPARE;
}

static float above(double length)
{
    return (float)length * (1 + ROUNDED) + SPARE;
}

static void forget(tide_collider_near *near, size_t count)
{
    for (size_t i = 0; i < count; i++)
        near->pairs[i].free = -INFINITY;
}

void tide_collider_near_forget(const tide_contacts *c)
{
    forget(c->near, (size_t)c->moving_count * c->collider_count);
}

tide_status tide_collider_near_create(const tide_contacts *c, tide_collider_near **out, tide_error *error)
{
    size_t points = c->moving_count, count = points * c->collider_count;
    tide_collider_near *near = tide_allocate_zeroed(1, sizeof *near);
    if (near) {
        near->paths = tide_own_zeroed(near, c->collider_count, sizeof *near->paths);
        near->takes_part = tide_own_zeroed(near, points, sizeof *near->takes_part);
        near->radii = tide_own_zeroed(near, points, sizeof *near->radii);
        near->clear = tide_own_zeroed(near, count, sizeof *near->clear);
        near->least = tide_own_zeroed(near, points, sizeof *near->least);
        near->centres = tide_own_zeroed(near, points, 3 * sizeof *near->centres);
        near->limits = tide_own_zeroed(near, points, sizeof *near->limits);
        near->due = tide_own_zeroed(near, tide_bit_words(c->particle_count), sizeof *near->due);
        near->searched = tide_own_zeroed(near, tide_bit_words(c->particle_count), sizeof *near->searched);
        near->slots = tide_own_zeroed(near, count, sizeof *near->slots);
        near->slot_counts = tide_own_zeroed(near, points, sizeof *near->slot_counts);
        near->moved = tide_own_array(near, points, sizeof *near->moved);
        near->has_moved = tide_own_zeroed(near, points, sizeof *near->has_moved);
        near->deferred = tide_own_zeroed(near, points, sizeof *near->deferred);
        near->rows = tide_own_array(near, points, sizeof *near->rows);
        near->pairs = tide_own_zeroed(near, count, sizeof *near->pairs);
    }
    if (!tide_owns_all(near)) {
        tide_free(near);
        return tide_fail_memory(error, "contact");
    }
    for (uint32_t p = 0; p < points; p++) {
        const tide_contact_part *part = &c->surface->parts[c->surface->part_of[p]];
        near->takes_part[p] = part->against_colliders && c->surface->inverse_masses[p] > 0;
        near->radii[p] = (float)part->radius;
    }
    for (size_t i = 0; i < count; i++)
        near->pairs[i].hint = TIDE_NO_HINT;
    forget(near, count);
    *out = near;
    return TIDE_OK;
}

static double distance_between(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static double distance_from_look(const tide_nearness *n, const double own[3])
{
    double x = own[0] - (double)n->own[0], y = own[1] - (double)n->own[1], z = own[2] - (double)n->own[2];
    return sqrt(x * x + y * y + z * z);
}

void tide_nearness_note(tide_nearness *n, const tide_collider_path *path, const double own[3], double free,
                        const double own_start[3])
{
    for (int k = 0; k < 3; k++)
        n->own[k] = (float)own[k];
    n->free = below(free - distance_from_look(n, own));
    float before = below((double)n->free - distance_from_look(n, own_start) - path->displacement);
    n->before = before > n->before ? before : n->before;
}

// Along a path of length L the distance to the surface is at least (before + after - L) / 2. In the collider's frame
// the path of the point is at most `motion`, the path of its start, plus its own path, which turns with the frame.
// Motion of a deforming surface counts as motion of the point.
bool tide_nearness_proves(const tide_nearness *n, const tide_collider_path *path, const double own[3], double moved)
{
    double after = (double)n->free - distance_from_look(n, own);
    return after > 0 && (double)n->before + after > moved * (1 + path->angle) + (double)n->motion;
}

// Each further metre of motion lowers `after` by one and lengthens the path by one, plus what the frame turns.
double tide_nearness_spare(const tide_nearness *n, const tide_collider_path *path, const double own[3], double moved)
{
    double after = (double)n->free - distance_from_look(n, own);
    double both = ((double)n->before + after - moved * (1 + path->angle) - (double)n->motion) / (2 + path->angle);
    return both < after ? both : after;
}

// Returns how far a point within the bounds may move before it can touch, m.
static float clear_of(const tide_collider_path *path, tide_nearness *n, const double q[3], bool moving)
{
    double start[3], end[3];
    tide_pose_apply_inverse(&path->to, q, end);
    double after = (double)n->free - distance_from_look(n, end) - path->displacement, before = after, motion = 0;
    if (moving) {
        tide_pose_apply_inverse(&path->from, q, start);
        before = (double)n->free - distance_from_look(n, start);
        // The straight path plus a bound on the extra length of the curved one: its velocity changes by at most `bend`,
        // and deviates from its mean by a third of that on average.
        double fastest = path->shift + path->angle * (distance_between(q, path->from.position) + path->shift);
        double bend = path->angle * (fastest + path->shift);
        motion = distance_between(start, end) + bend / 3 + path->displacement;
    }
    n->before = below(before);
    n->motion = above(motion);
    double both = (before + after - motion) / (2 + path->angle);
    return below(both < after ? both : after);
}

// The distance of a point from a box, as the largest along an axis.
static inline double distance_to_box(const double box[6], const double q[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double low = box[k] - q[k], high = q[k] - box[3 + k], out = low > high ? low : high;
        most = out > most ? out : most;
    }
    return most;
}

void tide_collider_near_count(const tide_contacts *c, bool known)
{
    tide_collider_near *near = c->near;
    near->gone = known ? 0 : INFINITY;
    if (known)
        memset(near->searched, 0, tide_bit_words(c->particle_count) * sizeof *near->searched);
}

void tide_collider_near_move(tide_collider_near *near, double most)
{
    near->gone += 1.7320509 * most; // the root of 3, rounded up
}

// Forgets evaluations of a surface that has jumped, that is whose motion does not continue the last one.
static void follow_surface(const tide_contacts *c, uint32_t collider)
{
    tide_collider_path *path = &c->near->paths[collider];
    const tide_deform *deform = c->colliders[collider]->shape.deform;
    if (!deform)
        return;
    bool goes_on = (path->serial == deform->serial && path->end == c->step->from) ||
                   (path->serial == deform->continued && path->end == 1 && c->step->from == 0);
    for (size_t p = 0; !goes_on && p < c->moving_count; p++)
        c->near->pairs[p * c->collider_count + collider].free = -INFINITY;
    path->serial = deform->serial;
    path->end = c->step->to;
    path->displacement = deform->displacement;
}

void tide_collider_near_begin(const tide_contacts *c)
{
    tide_collider_near *near = c->near;
    near->gone = INFINITY;
    uint32_t count = c->collider_count;
    for (uint32_t i = 0; i < count; i++) {
        tide_collider_path *path = &near->paths[i];
        follow_surface(c, i);
        path->from = tide_collider_pose(c->colliders[i], c->step->from);
        path->to = tide_collider_pose(c->colliders[i], c->step->to);
        path->angle = c->colliders[i]->moving ? tide_pose_angle(&path->from, &path->to) : 0;
        path->shift = distance_between(path->from.position, path->to.position);
        tide_collider_bounds(c->colliders[i], c->step->from, c->step->to, path->box, path->box + 3);
    }
    memcpy(near->centres, c->from, 3 * (size_t)c->moving_count * sizeof *near->centres);
    for (uint32_t p = 0; p < c->moving_count; p++) {
        const double *q = c->from + 3 * (size_t)p;
        float *clear = near->clear + (size_t)p * count, least = INFINITY;
        double reach = (double)near->radii[p] * 1.0001;
        for (uint32_t i = 0; i < count && near->takes_part[p]; i++) {
            double away = distance_to_box(near->paths[i].box, q) - reach;
            if (away > 0)
                clear[i] = below(away);
            else
                clear[i] = clear_of(&near->paths[i], &near->pairs[(size_t)p * count + i], q, c->colliders[i]->moving);
            if (near->paths[i].displacement > 0) { // distances were evaluated at the end of a substep
                tide_nearness *n = &near->pairs[(size_t)p * count + i];
                n->free = below((double)n->free - near->paths[i].displacement);
            }
            least = clear[i] < least ? clear[i] : least;
        }
        near->least[p] = least;
        near->limits[p] = near->slot_counts[p] > 0 || !(least > 0) ? -1 : (double)least * (double)least;
    }
}
