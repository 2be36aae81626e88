// Points that several colliders push at once. Between two colliders that form a wedge of less than twice the friction
// angle, impulses along both normals, each held by friction, only press a point to and fro. Bodies would jam there, but
// colliders are not compliant, so the point has to leave. It goes to the nearest place outside all of them, regardless
// of friction: it is projected onto the intersection of their tangent half-spaces, repeatedly until nothing is left
// inside. Where they leave no room within reach (as between overlapping rigid parts at a joint), it goes to the place
// of least depth, equally deep in both.
//
// Where colliders leave a point no room, contact allows it a depth in them: pushing it to and fro would give its body
// energy. A point that begins deep inside, by an edit or after such a pinch, comes out more slowly the nearer it is to
// the surface: at depth s with the speed sqrt(2 COMES_OUT s).
#include "contact/collider_near.h"
#include "contact/tangle_inside.h"

#include "base/vec3.h"

#include <string.h>

#define CONVERGED 1e-9 // m
#define OUT_OF 10      // reach in depths: enough for wedges of 12 degrees and more
#define REACHED 1e-3   // relative accuracy of the least depth
#define NO_ROOM 0.1    // part of a point's radius: a greater lack of room is reported
#define INSIDE 1e-6    // m: a point that begins so deep in a collider is on the wrong side of its mesh
#define OPPOSITE -0.5  // cosine of the normals of colliders that may leave no room between them
#define COMES_OUT 1.0  // m/s^2, deceleration of a point that comes out of a collider
#define SLACK 1.1      // factor on the depth that a pinch needs: two opposite contacts converge slowly

enum { MOST_WALLS = 6, MOST_TURNS = 16, MOST_HALVINGS = 24, MOST_MARCHES = 64 };

// The half-space that a collider leaves free: normal . z >= bound.
typedef struct wall {
    double normal[3], bound, gap;
    uint32_t collider, point;
} wall;

// A place, the push along the normal of each wall (m), and the depth in the deepest.
typedef struct outcome {
    double place[3], depth;
    wall walls[MOST_WALLS];
    double pushes[MOST_WALLS];
    int count;
} outcome;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Solves a x = b for a symmetric, positive definite a of size n; false where it is singular.
static bool solve(int n, double a[3][3], double b[3])
{
    for (int i = 0; i < n; i++) {
        if (!(a[i][i] > 1e-9)) // unit normals: the rest lie in the plane of the others
            return false;
        for (int k = i + 1; k < n; k++) {
            double factor = a[k][i] / a[i][i];
            for (int j = i; j < n; j++)
                a[k][j] -= factor * a[i][j];
            b[k] -= factor * b[i];
        }
    }
    for (int i = n; i-- > 0;) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    return true;
}

// Finds the nearest place to x on all walls of `set`. Returns false if one of them pulls or another wall is crossed.
static bool rests_on(const wall *walls, int count, int set, const double x[3], double allowed_depth, double place[3],
                     double *pushes)
{
    int on[3], n = 0;
    double a[3][3], b[3];
    for (int i = 0; i < count; i++) {
        pushes[i] = 0;
        if (set >> i & 1)
            on[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        b[i] = walls[on[i]].bound - allowed_depth - dot(walls[on[i]].normal, x);
        for (int k = 0; k < n; k++)
            a[i][k] = dot(walls[on[i]].normal, walls[on[k]].normal);
    }
    if (!solve(n, a, b))
        return false;
    memcpy(place, x, 3 * sizeof *place);
    for (int i = 0; i < n; i++) {
        if (b[i] < 0)
            return false;
        pushes[on[i]] = b[i];
        for (int k = 0; k < 3; k++)
            place[k] += b[i] * walls[on[i]].normal[k];
    }
    for (int i = 0; i < count; i++)
        if (!(set >> i & 1) && dot(walls[i].normal, place) < walls[i].bound - allowed_depth - CONVERGED / 10)
            return false;
    return true;
}

// Finds the nearest place to x that is at most `allowed_depth` behind every wall. Returns whether there is one within
// reach.
static bool project(const wall *walls, int count, const double x[3], double allowed_depth, double reach,
                    double place[3], double *pushes)
{
    for (int set = 0; set < 1 << count; set++) {
        if (__builtin_popcount((unsigned)set) > 3 || !rests_on(walls, count, set, x, allowed_depth, place, pushes))
            continue;
        double motion[3] = { place[0] - x[0], place[1] - x[1], place[2] - x[2] };
        return dot(motion, motion) <= reach * reach;
    }
    return false;
}

// Does the same for the least possible `allowed_depth`.
static void project_at_least(const wall *walls, int count, const double x[3], double reach, double place[3],
                             double *pushes)
{
    double least = 0, most = 0;
    if (project(walls, count, x, 0, reach, place, pushes))
        return;
    for (int i = 0; i < count; i++)
        most = fmax(most, walls[i].bound - dot(walls[i].normal, x));
    for (int i = 0; i < MOST_HALVINGS && most - least > REACHED * most; i++) {
        double middle = (least + most) / 2;
        if (project(walls, count, x, middle, reach, place, pushes))
            most = middle;
        else
            least = middle;
    }
    if (!project(walls, count, x, most, reach, place, pushes)) // no better than x
        memcpy(place, x, 3 * sizeof *place);
}

// Adds a wall with its normal and gap. Keeps the nearest walls, nearest first.
static void add_wall(outcome *o, wall w)
{
    w.bound = dot(w.normal, o->place) - w.gap;
    o->depth = fmax(o->depth, -w.gap);
    int at = o->count;
    for (; at > 0 && o->walls[at - 1].gap > w.gap; at--)
        if (at < MOST_WALLS)
            o->walls[at] = o->walls[at - 1];
    if (at < MOST_WALLS) {
        o->walls[at] = w;
        o->count += o->count < MOST_WALLS;
    }
}

// Finds the walls about o->place, of colliders nearer than `reach`, and the depth. The plane of a swept contact is a
// wall, too. With `allowed`, walls are behind the colliders' surfaces by the depths that contact allows.
static void find_walls(tide_contacts *c, uint32_t point, double reach, bool allowed, outcome *o)
{
    const tide_collider_near *near = c->near;
    double radius = c->surface->parts[c->surface->part_of[point]].radius, own[3];
    o->count = 0;
    o->depth = 0;
    for (uint32_t i = 0; i < c->collider_count; i++) {
        const double *box = near->paths[i].box, *z = o->place;
        size_t pair = (size_t)point * c->collider_count + i;
        wall w = { .collider = i, .point = point };
        bool far = false;
        for (int k = 0; k < 3; k++)
            far |= z[k] < box[k] - radius - reach || z[k] > box[3 + k] + radius + reach;
        if (far)
            continue;
        tide_pose_apply_inverse(&near->paths[i].to, z, own);
        w.gap = tide_collider_gap_from(c->colliders[i], &near->paths[i].to, own, &near->pairs[pair].hint, w.normal);
        const tide_contact_constraint *t = tide_contact_with(c, i, point);
        w.gap -= radius;
        bool of_plane = t && t->evaluated && t->swept, stays = allowed && of_plane && t->allowed_depth > 0;
        if (w.gap < reach && !stays)
            add_wall(o, w);
        if (!of_plane || (t->allowed_depth > 0 && !stays))
            continue;
        const tide_collider_contact *own_part = tide_collider_contact_of(c, t);
        memcpy(w.normal, own_part->plane, sizeof w.normal);
        w.gap = dot(w.normal, z) - dot(w.normal, own_part->plane_point) - radius + t->allowed_depth;
        if (w.gap < reach || !stays)
            add_wall(o, w);
    }
}

// Records a point that stays too near to two colliders on opposite sides. `place` is where it was left.
static bool note_squeezed(tide_contacts *c, uint32_t point, outcome *at)
{
    double radius = c->surface->parts[c->surface->part_of[point]].radius;
    find_walls(c, point, 0, false, at);
    for (int i = 1; i < at->count && at->depth > NO_ROOM * radius; i++) {
        const wall *first = &at->walls[0], *other = &at->walls[i];
        if (other->collider == first->collider || dot(first->normal, other->normal) > -0.5)
            continue;
        if (at->depth > c->statistics.squeezed.lack) {
            c->statistics.squeezed.point = point;
            c->statistics.squeezed.colliders[0] = first->collider;
            c->statistics.squeezed.colliders[1] = other->collider;
            c->statistics.squeezed.lack = at->depth;
        }
        return true;
    }
    return false;
}

static void note_pushes(tide_contacts *c, uint32_t point, const outcome *o)
{
    for (int i = 0; i < o->count; i++) {
        if (!(o->pushes[i] > 0))
            continue;
        const wall *w = &o->walls[i];
        tide_contact_constraint *t = tide_contact_with(c, w->collider, point);
        if (!t)
            t = tide_collider_contacts_add(c, w->collider, point);
        if (!t)
            return;
        t->evaluated = true;
        memcpy(t->kept.normal, w->normal, sizeof w->normal);
        for (int k = 0; k < 3; k++) {
            t->kept.accumulated[k] += o->pushes[i] * w->normal[k];
            t->kept.place[k] = o->place[k] - (dot(w->normal, o->place) - w->bound) * w->normal[k];
        }
    }
}

// Checks the time limit before each point.
static bool is_stopped(tide_contacts *c)
{
    return tide_contact_work_stops(&c->work, TIDE_WORK_WALL * MOST_TURNS * (uint64_t)c->collider_count);
}

// Finds where a point at `start` goes. Returns the largest change of a coordinate.
static double squeeze(tide_contacts *c, uint32_t point, const double start[3], double change[3])
{
    outcome at = { .depth = 0 }, best;
    double moved = 0;
    memcpy(at.place, start, sizeof at.place);
    find_walls(c, point, 0, true, &at);
    best = at;
    double reach = OUT_OF * at.depth;
    for (int turn = 0; turn < MOST_TURNS && best.depth > CONVERGED; turn++) {
        find_walls(c, point, 2 * reach, true, &at);
        outcome made = at;
        project_at_least(made.walls, made.count, start, reach, made.place, made.pushes);
        memcpy(at.place, made.place, sizeof at.place);
        find_walls(c, point, 0, true, &at);
        made.depth = at.depth;
        if (made.depth < best.depth)
            best = made;
    }
    for (int k = 0; k < 3; k++) {
        change[k] = best.place[k] - start[k];
        moved = fmax(moved, fabs(change[k]));
    }
    if (moved > 0) {
        c->near->limits[point] = -1;
        note_pushes(c, point, &best);
    }
    return moved;
}

// --- allowed depths --------------------------------------------------------------------------------------------------

static const wall *opposite_of(const outcome *o)
{
    for (int i = 1; i < o->count; i++)
        if (o->walls[i].collider != o->walls[0].collider && dot(o->walls[0].normal, o->walls[i].normal) < OPPOSITE)
            return &o->walls[i];
    return NULL;
}

// Computes the least depth, m, that a point can have at the end of the substep in two colliders on opposite sides.
// Finds the walls about its start.
static double pinched_depth(tide_contacts *c, uint32_t point, outcome *at)
{
    const double *start = c->from + 3 * (size_t)point;
    double depth = 0, place[3], pushes[MOST_WALLS];
    find_walls(c, point, 2 * at->depth, false, at);
    const wall *other = opposite_of(at);
    if (!other)
        return 0;
    // It may go to the place that is as deep in both, and then as far as points come out in a substep.
    double reach = (other->gap - at->walls[0].gap) / 2 + sqrt(2 * COMES_OUT * at->depth) * c->step->h;
    project_at_least(at->walls, at->count, start, reach, place, pushes);
    for (int i = 0; i < at->count; i++)
        depth = fmax(depth, at->walls[i].bound - dot(at->walls[i].normal, place));
    return depth;
}

// Allows the contact of a point with the collider of a wall this depth, if it is more than so far. The contact keeps
// the plane of the wall for the substep, since iterations may pass through places that are nearer to another side.
static bool allow_depth(tide_contacts *c, const wall *w, double depth)
{
    tide_contact_constraint *t = tide_contact_with(c, w->collider, w->point);
    if (!t || !t->evaluated || !(depth > t->allowed_depth))
        return false;
    double radius = c->surface->parts[c->surface->part_of[w->point]].radius;
    const double *start = c->from + 3 * (size_t)w->point;
    t->allowed_depth = depth;
    t->swept = true;
    tide_collider_contact *own = tide_collider_contact_of(c, t);
    memcpy(own->plane, w->normal, sizeof own->plane);
    for (int k = 0; k < 3; k++)
        own->plane_point[k] = start[k] - (w->gap + radius) * w->normal[k];
    return true;
}

// Records a point that has no room, for the warning. `both`: its contacts with two colliders got a depth.
static void note_pinched(tide_contacts *c, const outcome *at, double depth, bool both)
{
    tide_squeezed *squeezed = &c->statistics.squeezed;
    const wall *other = opposite_of(at);
    if (!both || !other || !(depth > NO_ROOM * c->surface->parts[c->surface->part_of[other->point]].radius))
        return;
    squeezed->points++;
    if (depth > squeezed->lack)
        *squeezed = (tide_squeezed) { .point = other->point,
                                      .colliders = { at->walls[0].collider, other->collider },
                                      .points = squeezed->points,
                                      .lack = depth };
}

// Methods that move points one after another leave rigid bodies a little inside: their points stay only where a search
// has found some.
static bool may_stay(const tide_contacts *c, uint32_t point)
{
    return point < c->particle_count || (c->inside && c->inside->count > 0);
}

static void mark_penetrating(tide_contacts *c, uint32_t point)
{
    c->penetrating[point] = true;
    c->surface->penetrating = c->penetrating;
}

void tide_collider_contacts_begin_penetrating(tide_contacts *c)
{
    if (c->surface->penetrating)
        memset(c->penetrating, 0, c->surface->point_count * sizeof *c->penetrating);
    c->surface->penetrating = NULL;
    if (c->moving_count == c->surface->point_count) // no collider has a mesh in contact
        return;
    for (size_t i = 0; i < c->near->contact_count; i++) {
        uint32_t point = c->near->contacts[i].point, collider = c->near->contacts[i].collider;
        const tide_collider_path *path = &c->near->paths[collider];
        uint32_t hint = c->near->pairs[(size_t)point * c->collider_count + collider].hint;
        double depth =
            -tide_collider_gap_before(c->colliders[collider], &path->from, c->from + 3 * (size_t)point, hint);
        if (depth > INSIDE && may_stay(c, point) && c->surface->parts[c->surface->part_of[point]].edge_count > 0)
            mark_penetrating(c, point);
    }
}

// Lets a point out along the way of its region.
static void leave_along(tide_contacts *c, tide_contact_constraint *t, const double way[3])
{
    const tide_collider_path *path = &c->near->paths[t->collider];
    const double *start = c->from + 3 * (size_t)t->points[0];
    double radius = c->surface->parts[c->surface->part_of[t->points[0]]].radius, far = 0, at[3], normal[3];
    for (int i = 0; i < MOST_MARCHES; i++) {
        for (int k = 0; k < 3; k++)
            at[k] = start[k] + far * way[k];
        double depth = -tide_collider_gap_at(c->colliders[t->collider], &path->to, at, normal);
        if (depth <= INSIDE)
            break;
        far += depth / c->colliders[t->collider]->shape.distance->steepest;
    }
    wall w = { .gap = -far - radius, .collider = t->collider, .point = t->points[0] };
    memcpy(w.normal, way, sizeof w.normal);
    allow_depth(c, &w, -w.gap - sqrt(2 * COMES_OUT * -w.gap) * c->step->h);
}

void tide_collider_contacts_allow_depth(tide_contacts *c, tide_contact_constraint *t)
{
    const tide_contact_part *part = &c->surface->parts[c->surface->part_of[t->points[0]]];
    if (part->edge_count == 0) // nothing holds such a point: it goes at once
        return;
    bool known = may_stay(c, t->points[0]);
    bool deep = known && t->inside > TIDE_DEEP + part->radius;
    const double *way = deep ? tide_inside_way(c, t->points[0], t->collider) : NULL;
    outcome at = { .depth = 0 };
    if (known && t->inside > INSIDE + part->radius)
        mark_penetrating(c, t->points[0]);
    if (way) {
        leave_along(c, t, way);
        return;
    }
    if (!known || (!deep && c->near->slot_counts[t->points[0]] < 2))
        return;
    memcpy(at.place, c->from + 3 * (size_t)t->points[0], sizeof at.place);
    find_walls(c, t->points[0], 0, false, &at);
    for (int i = 0; i < at.count && deep; i++)
        if (at.walls[i].collider == t->collider)
            allow_depth(c, &at.walls[i], t->inside - sqrt(2 * COMES_OUT * t->inside) * c->step->h);
    double depth = c->near->slot_counts[t->points[0]] < 2 || at.count == 0 ? 0 : pinched_depth(c, t->points[0], &at);
    if (!(depth > CONVERGED))
        return;
    mark_penetrating(c, t->points[0]);
    int count = 0;
    for (int i = 0; i < at.count; i++)
        count += allow_depth(c, &at.walls[i], SLACK * depth);
    note_pinched(c, &at, depth, count > 1);
}

double tide_collider_contacts_squeeze(tide_contacts *c, double *x, double *v)
{
    tide_collider_near *near = c->near;
    uint32_t count = near->moved_count;
    double most = 0, start[3], change[3];
    uint32_t squeezed = 0;
    near->moved_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t p = near->moved[i];
        if (is_stopped(c))
            break;
        tide_contact_place(c, x, p, start);
        double moved = squeeze(c, p, start, change);
        outcome left = { .place = { start[0] + change[0], start[1] + change[1], start[2] + change[2] } };
        squeezed += note_squeezed(c, p, &left);
        if (moved == 0)
            continue;
        most = fmax(most, moved);
        near->moved[near->moved_count++] = p;
        tide_contact_shift(c, x, p, change);
        for (int k = 0; k < 3; k++)
            change[k] /= c->rule;
        tide_contact_shift(c, v, p, change);
    }
    c->statistics.squeezed.points = squeezed > c->statistics.squeezed.points ? squeezed : c->statistics.squeezed.points;
    return most;
}

bool tide_collider_contacts_keep_out(void *contacts, const bool *moved, double *to)
{
    tide_contacts *c = contacts;
    double change[3];
    bool any = false;
    for (uint32_t p = 0; p < c->particle_count; p++) {
        double *at = to + 3 * (size_t)p;
        if (is_stopped(c))
            break;
        if (!moved[p] || !c->near->takes_part[p] || !(squeeze(c, p, at, change) > 0))
            continue;
        any = true;
        for (int k = 0; k < 3; k++)
            at[k] += change[k];
    }
    return any;
}

double tide_collider_contacts_depth(tide_contacts *c, const double *x)
{
    outcome at;
    double deepest = 0;
    for (uint32_t p = 0; p < c->moving_count; p++) {
        if (!c->near->takes_part[p])
            continue;
        tide_contact_place(c, x, p, at.place);
        find_walls(c, p, 0, true, &at);
        deepest = fmax(deepest, at.depth);
    }
    return deepest;
}
