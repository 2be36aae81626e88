// The state of contacts, shared by the files of this folder. Private to them.
#ifndef TIDE_CONTACT_CONTACTS_STATE_H
#define TIDE_CONTACT_CONTACTS_STATE_H

#include "collision/proximity.h"
#include "collision/work_limit.h"
#include "contact/compliance.h"
#include "contact/contact_laws.h"
#include "contact/contacts.h"
#include "contact/continuous.h"
#include "contact/pair_colours.h"
#include "contact/pair_levels.h"
#include "contact/projected_gradient.h"
#include "contact/rolling.h"
#include "contact/semismooth.h"
#include "contact/support.h"
#include "contact/warm_start.h"

// GCC's vector of two doubles, for access to arrays.
typedef double tide_double2 __attribute__((vector_size(16), aligned(8), may_alias));

// The accumulated impulse of a contact with what it is computed from. The impulse is in m against colliders (divided by
// the mass), in kg m between points.
typedef struct tide_contact_impulse {
    // What every pass reads comes first.
    double accumulated[3];   // accumulated impulse
    double impulse;          // kg m/s, along the normal, total of the finished substeps of the timestep
    double normal[3], depth; // as last evaluated; m, the deepest in this timestep
    double leave;            // m/s along the normal: speed of separation of a bounce in this substep; 0: no bounce
    double place[3];         // as last evaluated
    bool joined;             // active: its rows are in the row sums of this substep
    double share;            // weight of its row in the row sums: 1 / contacts at its points
    double before[3];        // the impulse one pass, or iteration, over compliant contacts earlier
    double drag[3];          // kg m/s, of friction, total of the finished substeps of the timestep
    uint64_t key;
    double last[3]; // its change in pass number `pass`, of measured passes
    uint64_t pass;
} tide_contact_impulse;
static inline bool tide_contact_is_idle(const tide_contact_impulse *kept)
{
    return kept->accumulated[0] == 0 && kept->accumulated[1] == 0 && kept->accumulated[2] == 0;
}

// The kind of a contact is a tide_pair_kind, or this: a point against the nearest point of a collider's surface, which
// has infinite mass. (Points, edges and triangles of a collider's mesh are sides of pairs, and have infinite mass too.)
enum { TIDE_CONTACT_COLLIDER = TIDE_PAIR_EDGES + 1 };
#define TIDE_NOT_FOUND UINT32_MAX

// A contact of two sides that touch or touched in this substep.
typedef struct tide_contact_constraint {
    // What every pass reads comes first, with the start of `kept`.
    double weights[4]; // of the points; those of the first side are positive
    union {
        struct {                 // of a pair; fixed with normal and weights
            double distance;     // m, to be kept: that of its pair, or less if it first touched closer than that
            double inverse_mass; // 1/kg, see tide_contact_inverse_mass
            double friction;     // coefficient; negative: it depends on the direction
            double base[3];      // m: sum of weights x positions at the start of the substep
        };
        struct {                    // against a collider
            double own[3], own_gap; // m, as last evaluated: place in the collider's frame (NAN: not yet), gap
            double inside;          // m: depth of the point at the start of the substep
            double allowed_depth;   // m, of the point in this substep, see collider_squeeze.c
        };
    };
    bool normal_fixed; // of a pair: normal and weights are those of this substep
    bool doubtful;     // of a pair: the constraint made of them did not hold at its start
    bool released;     // of a pair: it has separated, its impulse is to be removed
    bool evaluated;    // against a collider, in this substep
    bool swept;        // against the plane of its tide_collider_contact, as the point passed through the collider
    uint8_t kind;
    uint32_t found;            // index of what detection keeps of it: of its pair, or of its tide_collider_contact
    uint32_t points[4];        // with moving points; against a collider the first alone
    uint32_t collider;         // only of TIDE_CONTACT_COLLIDER
    tide_contact_impulse kept; // the key is that of its pair, or collider * moving_count + point
    double met[3];             // only of pairs: the normal of the first touch in this substep
} tide_contact_constraint;

// When to evaluate a pair that was found: once the paths of its points since the search (the total of all four) reach
// `due`. 32 bytes, because every sweep reads all.
typedef struct tide_pair_watch {
    double due;         // m; negative infinity: always
    uint32_t points[4]; // padded with point_count, whose path is 0
    uint32_t contact;   // index + 1; 0: none
} tide_pair_watch;

// What contacts measure and report.
typedef struct tide_contact_statistics {
    double detect_seconds, solve_seconds, work; // since the last report; J, work of colliders: tide_report.contact_work
    tide_contact_phases phases;                 // since the last report, without those of `search.proximity`
    // Of the present timestep:
    double timestep; // s, total of its substeps so far
    tide_initial_penetration penetration;
    tide_squeezed squeezed;
    bool was_crowded; // when it began
} tide_contact_statistics;

// For which method a pass collects compliant contacts: for none, but solves them one after another; for
// projected_gradient.h; or for semismooth.h.
typedef enum tide_contact_collector {
    TIDE_COLLECT_NONE,
    TIDE_COLLECT_GRADIENT,
    TIDE_COLLECT_EXACT
} tide_contact_collector;

// Whether the pairs found last are complete, and when they were searched for. Only a search of the present substep can
// be extended.
typedef enum tide_pairs_found { TIDE_PAIRS_NONE, TIDE_PAIRS_EARLIER, TIDE_PAIRS_IN_SUBSTEP } tide_pairs_found;

typedef struct tide_contact_list {
    tide_contact_constraint *items;
    size_t count, capacity;
    size_t pair_count; // contacts that are not TIDE_CONTACT_COLLIDER
    uint32_t first;    // contacts before this one are TIDE_CONTACT_COLLIDER, as are some of those added later
    uint32_t *order;   // (order_capacity) the permutation that a sort applies
    size_t order_capacity;
} tide_contact_list;

typedef struct tide_pair_watches {
    tide_pair_watch *items;
    bool *touching;          // of each: it touches, and has no contact yet
    tide_separation *planes; // of each, from its last evaluation
    size_t count, capacity, plane_capacity, touching_capacity;
} tide_pair_watches;

// The pairs that may touch. Those of `proximity` are complete while every point is within its skin: a ball of radius
// skins[p], the skin thickness, about skin_centres. They hold for the substep of the search, and for later ones that
// start and end within the skins. With `lasts` but no pairs found, the skins are those of a history.
typedef struct tide_pair_search {
    tide_proximity *proximity; // NULL: no bodies may touch
    tide_pairs_found found;
    uint64_t recentred;   // points whose skins updates have recentred in this substep, each time counted
    bool lasts;           // the next timestep may use the pairs
    double *skin_centres; // (3 * point_count)
    double *skins;        // (point_count) m; infinite: touches nothing
    double *widest_skins; // (part_count) m: bound on the skin thickness
    double *bounce_reach; // (point_count) m: how far a bounce may move it in this substep
    bool *outside;        // (point_count) its skin was recentred by the last update
    bool *some_outside;   // of the points of each task that follows them: one has left its skin
    double *paths;        // (point_count + 1) m: length of the path of `to` since the search, from skin_centres on
    // Only sweeps in colours use these three. They test all pairs for touch, and then solve contacts without testing
    // pairs until a point has moved far enough.
    bool tested;          // all pairs have been tested since pairs or contacts last changed
    double *tested_at;    // (3 * moving_count) m, positions of the points at the last test
    double *tested_paths; // (moving_count) m, `paths` at the last test
    // With points of lines alone, only their relative motion counts: skins and paths are in a frame that translates
    // with the points, by `frame` (m) since the search; else 0.
    double frame[3];
    // See motion_bound.h; NULL without a moving frame.
    double *slacks;     // (particle_count) m: while its path is no longer, a point is within its skin
    uint64_t *exceeded; // set of particles that have left their skins
    uint64_t *to_test;  // set of particles that colliders have to test
    tide_pair_watches watches, next_watches; // of all pairs found; buffer for updates
} tide_pair_search;

// A solve's own copy of x. Where few points move (`sparse`), it is valid for dirty points only, and `to` holds the
// others.
typedef struct tide_contact_copy {
    double *x;       // (3 * particle_count)
    uint64_t *dirty; // set of particles; NULL without a moving frame
    bool sparse;
} tide_contact_copy;

// Whether compliant contacts use a dense W. Passes then move only its particles; while the others are behind, `force`
// accumulates, and they follow at the end.
typedef enum tide_dense_use { TIDE_DENSE_UNUSED, TIDE_DENSE_USED, TIDE_DENSE_BEHIND } tide_dense_use;

// What compliant contacts need, see compliant_response.c. Arrays are (3 * particle_count), interleaved.
typedef struct tide_contact_compliance {
    double *force;              // kg m, not yet applied to x
    double *displacement;       // m, by the last force
    double *others;             // kg m, the forces of contacts that are not compliant
    bool forced, others_forced; // `force`, `others` are pending
    tide_compliance *dense;     // NULL: not needed so far
    tide_dense_use use;
    bool strays;       // a force acts on a particle outside the dense W
    uint64_t *touched; // set of particles in the row sums
    double *row_sums;  // 1/kg, row sums of |W|: the first of each particle's three numbers
    bool rows_stale;   // a contact has become active since rows were summed
    double stretch;    // factor of row sums, measured
    double expected;   // kg m^2, d' D d of a pass d
    uint64_t pass;     // number of the pass
} tide_contact_compliance;

struct tide_contacts {
    // What there is, for the life of the contacts.
    tide_contact_surface *surface;
    tide_collider *const *colliders;
    uint32_t collider_count;
    uint32_t particle_count;
    uint32_t moving_count; // particles and carried points; the other points are those of colliders
    bool all_compliant;    // all that may touch has triangles: with an operator, every contact is compliant
    tide_contact_settings settings;
    tide_contact_response response;

    // The present substep.
    const tide_step *step;
    bool solved;            // contacts were solved at least once
    bool bounces_within;    // solves include restitution
    bool moves_ahead;       // the method is vbd: see `ahead` of tide_step_iterate_particles
    bool out_of_memory;     // a contact could not be added
    double h;               // s, also between substeps: accumulated impulses are proportional to its square
    double rule;            // s: an impulse is rule^2 times a force; a change of x is rule times a change of v
    double end_tolerance;   // m: the end of the substep removes overlap until bodies move by less than this
    double *from, *to;      // (3 * point_count) m, positions at the start of the substep, and now
    double *axes;           // (3 * point_count) unit vectors of friction, of this substep; NULL: none
    double *collider_axes;  // (3 * collider_count), likewise
    tide_contact_work work; // bounds the search for pairs and continuous collision
    tide_contact_statistics statistics;

    // The present solve.
    const tide_compliance_operator *inverse; // applies A^-1; NULL: no contact is compliant
    tide_iteration_place place;              // of the solve within the step
    tide_contact_collector collector;        // of the present pass
    tide_contact_copy copy;
    tide_contact_compliance compliance;
    tide_projected_gradient *projected_gradient; // NULL: no bodies may touch
    tide_semismooth *semismooth;                 // NULL: not needed so far
    double left; // m, the residual of contacts in a supported step; 0: solved; HUGE_VAL: not reduced

    // All contacts. A new one is added at the end. Between substeps, those with colliders come first, in the order in
    // which they were added, and the others follow in ascending order of kind and key.
    tide_contact_list list;
    tide_contact_list gone;     // contacts whose pairs were not found again: their impulses are removed
    tide_pair_colours *colours; // NULL: not needed so far
    tide_pair_levels *levels;   // likewise

    // What detection keeps.
    struct tide_collider_near *near; // collider_near.h: which points cannot touch colliders, and where others did
    bool *penetrating; // (point_count) the point stays inside a collider; the surface has this while any point does
    tide_pair_search search;
    tide_continuous *continuous; // NULL: without continuous collision

    struct tide_tangle *tangle; // tangle.h; NULL: not needed so far
    struct tide_inside *inside; // tangle_inside.h; likewise
    tide_rolling_contacts rolling;
    tide_warm_start warm_start;

    struct {
        tide_touch *items; // the last result of tide_contacts_touches
        size_t count, capacity;
    } touches;
};

// restitution.c: the approach of two sides.
typedef struct tide_approach {
    double approach; // m/s, along the normal, as the substep begins
    double leave; // m/s, at which they are to part: 0 where the approach is no faster than the forces of a step alone
                  // make points that rest (those of colliders' meshes do not count)
    double pull;  // m/s^2, at which forces other than springs' bring them together
} tide_approach;
// For points with their weights (positive on the first side) and sides with relative velocity `velocity`.
tide_approach tide_contact_impact(const tide_contacts *c, const uint32_t *points, const double *weights, int count,
                                  const double normal[3], const double velocity[3], double restitution);
// The gap (m) that a solve before velocities has to close; also sets kept->leave. `separation`: change of the distance
// of the sides along the normal since the start of the substep.
double tide_contact_bounce_gap(const tide_contacts *c, tide_contact_impulse *kept, const tide_approach *impact,
                               double gap, double separation);
void tide_contact_clear_bounce(
    tide_contact_impulse *kept); // removes the impulse of a bounce, which does not carry over to the next substep

// friction_axes.c: makes room where a side has friction by direction (false: no memory), and sets the axes.
bool tide_contact_axes_create(tide_contacts *c);
void tide_contact_axes_update(tide_contacts *c);

// carried_points.c: reads the place (or velocity) of a point from an array over particles (3 * particle_count), or
// moves it by `d`. Moving a carried point moves its carriers by their masses.
void tide_contact_place_carried(const tide_contacts *c, const double *x, uint32_t point, double out[3]);
void tide_contact_shift_carried(const tide_contacts *c, double *x, uint32_t point, const double d[3]);
static inline void tide_contact_place(const tide_contacts *c, const double *x, uint32_t point, double out[3])
{
    if (point >= c->particle_count)
        tide_contact_place_carried(c, x, point, out);
    else
        for (size_t k = 0; k < 3; k++)
            out[k] = x[3 * (size_t)point + k];
}
static inline void tide_contact_shift(const tide_contacts *c, double *x, uint32_t point, const double d[3])
{
    if (point >= c->particle_count)
        tide_contact_shift_carried(c, x, point, d);
    else
        for (size_t k = 0; k < 3; k++)
            x[3 * (size_t)point + k] += d[k];
}
static inline bool tide_pairs_move_frame(const tide_contacts *c)
{
    return c->search.slacks != NULL;
}
static inline bool tide_contacts_have_pairs(const tide_contacts *c)
{
    return c->search.proximity != NULL;
}
// Copies a point to solved_x before a sparse solve reads or changes it there.
static inline void tide_contact_make_dirty(tide_contacts *c, uint32_t point)
{
    uint64_t bit = (uint64_t)1 << point % 64, *word = &c->copy.dirty[point / 64];
    if (!c->copy.sparse || __atomic_load_n(word, __ATOMIC_RELAXED) & bit)
        return;
    __atomic_fetch_or(word, bit, __ATOMIC_RELAXED); // other threads mark other points of this word
    for (size_t k = 0, n = 3 * (size_t)point; k < 3; k++, n++)
        c->copy.x[n] = c->to[n];
}
void tide_contact_place_all(const tide_contacts *c, const double *x, double *points); // all moving points

// compliant_response.c
static inline bool tide_point_is_compliant(const tide_contacts *c,
                                           uint32_t point) // x moves by A^-1 of the forces on it
{
    return c->inverse && (c->all_compliant || c->surface->parts[c->surface->part_of[point]].triangle_count > 0);
}
static inline bool tide_contacts_are_guessed(const tide_contacts *c) // x is a first guess: compliant contacts wait
{
    return c->place == TIDE_ITERATION_FIRST;
}
// Activates a contact that touches, if it is not active. Returns whether it did; then it waits for the next pass.
bool tide_contact_activates(tide_contacts *c, tide_contact_impulse *kept);
// One pass over contacts. It moves x, and y and v (each may be NULL) with it.
typedef struct tide_contact_pass {
    tide_contacts *c;
    double *x, *y, *v;
    bool post_step; // after the step: impulses do not decrease
} tide_contact_pass;
// How a force reaches x: as if the point were free, at once; by A^-1 with the pending forces; or by A^-1 after the
// solve, which is for contacts that end within measured passes: these are applied in part.
typedef enum tide_contact_route { TIDE_APPLY_FREELY, TIDE_APPLY_COMPLIANTLY, TIDE_APPLY_LATER } tide_contact_route;
static inline tide_contact_route tide_contact_route_of(bool compliant)
{
    return compliant ? TIDE_APPLY_COMPLIANTLY : TIDE_APPLY_FREELY;
}
// Applies a force times `factor`, kg m, to a point.
void tide_contact_apply(tide_contacts *c, uint32_t point, double factor, const double force[3],
                        tide_contact_route route, double *x);
// A bound on W, 1/kg: how far a point moves by forces of their shares, in kg m, on all active contacts.
double tide_contact_compliance_bound(const tide_contacts *c, uint32_t point);
// Recomputes the row sums of W for all active contacts. Particles of a smaller W that have moved stay moved. Returns
// the largest change of a coordinate.
double tide_contacts_update_row_sums(tide_contacts *c, double *x, double *also);
// Moves particles of contacts that are not compliant from x towards solved_x, each by no more than its part's
// `reach`, so that no spring inverts.
void tide_contacts_move_noncompliant(const tide_contacts *c, double *x);
double tide_contacts_apply_other_forces(tide_contacts *c, double *x); // moves x by A^-1 of the other forces
// Moves x and `also` by A^-1 of the pending forces. Where passes are measured, only a part of a pass that goes too far
// is applied, to impulses and y (or NULL) too. Returns the largest change of a coordinate.
double tide_contacts_apply_forces(tide_contacts *c, double *x, double *also, double *y);
// Ends the use of the dense W: moves all particles, or none where the next step of the method will move them (`over`:
// the solve ends). Returns the largest change of a coordinate.
double tide_contacts_end_compliance(tide_contacts *c, bool over, double *x, double *also);
// Records a change of an impulse in a measured pass. factor, 1/kg (for an impulse in m: kg), is the bound that the pass
// uses for W.
void tide_contact_predict_decrease(tide_contacts *c, tide_contact_impulse *kept, double factor, const double change[3]);

// Sets the particles that a point is or is carried by, with their weights. Returns their number, 0 for points of
// colliders.
enum { TIDE_BEARERS = 4 };
int tide_contact_bearers(const tide_contacts *c, uint32_t point, uint32_t particles[TIDE_BEARERS],
                         double shares[TIDE_BEARERS]);

// constraint_list.c
tide_contact_constraint *tide_contact_list_add(tide_contacts *c, uint32_t kind, uint64_t key); // NULL: no memory
void tide_contact_list_clear(tide_contacts *c);
// As a substep begins: forgets what holds for a substep, and for a timestep if one begins. Contacts with colliders
// carry over to the next timestep only if they have an impulse.
void tide_contact_list_begin(tide_contacts *c);
void tide_contact_list_move(tide_contacts *c, uint32_t from, uint32_t to); // with the links to it
void tide_contact_list_cut(tide_contacts *c, uint32_t count);              // keeps the first `count`
// Sets the first of `order` to the contacts with colliders. Returns their number.
uint32_t tide_contact_list_order_colliders(tide_contacts *c);
// Moves contact order[i] to place i, for all i, and keeps the first `count`. The first of `order` are those of
// tide_contact_list_order_colliders. Watches are not linked again.
void tide_contact_list_permute(tide_contacts *c, uint32_t count);
// Moves contacts with colliders to the front, if they are not there. Returns false without memory.
bool tide_contact_list_divide(tide_contacts *c);
static inline bool tide_contact_is_pair(const tide_contact_constraint *t)
{
    return t->kind != TIDE_CONTACT_COLLIDER;
}
static inline int tide_contact_corners(uint64_t kind) // the number of its points
{
    return kind == TIDE_CONTACT_COLLIDER ? 1 : kind == TIDE_PAIR_POINTS ? 2 : 4;
}
// The mass (kg) in the unit of its impulse.
static inline double tide_contact_unit(const tide_contacts *c, const tide_contact_constraint *t)
{
    return tide_contact_is_pair(t) ? 1 : 1 / c->surface->inverse_masses[t->points[0]];
}

// contact_solve.c: the common part of solving a contact of any kind.
typedef enum tide_contact_turn {
    TIDE_CONTACT_WAITS, // it is active from the next pass on
    TIDE_CONTACT_NOTED, // it is solved later, with all others
    TIDE_CONTACT_SOLVED
} tide_contact_turn;
// Solves a contact with this gap and slip by the laws of contact. Sets `change` to the change of its impulse. Without
// `release`, the normal impulse does not decrease. `w` is the inverse mass in the unit of the impulse; that of a
// compliant contact is set.
tide_contact_turn tide_contact_solve_one(tide_contacts *c, tide_contact_constraint *t, double gap, const double slip[3],
                                         const tide_friction *friction, bool compliant, bool release, double *w,
                                         double change[3]);

// collider_contacts.c
void tide_collider_contacts_begin(tide_contacts *c);
// Solves contacts with colliders at x. With `post_step`, impulses do not decrease, and v (NULL within iterations)
// changes with x. Returns the largest change of a coordinate.
double tide_collider_contacts_solve(tide_contacts *c, double *x, double *y, double *v, bool post_step);
double tide_collider_contacts_solve_compliant(tide_contacts *c, double *x, double *y); // for the particles of W only
// After a solve with `post_step`: repeats it for the points that it, or the last of these calls, has moved.
double tide_collider_contacts_solve_moved(tide_contacts *c, double *x, double *v);

// Fails as tide_contact_work_fail, and names colliders that press the body, if any.
tide_status tide_contacts_fail_work(const tide_contacts *c, tide_error *error);
// Moves each point that the last solve moved, and that colliders push to and fro, to the nearest place outside all
// colliders, without friction; where there is none within reach, to the place of least depth.
double tide_collider_contacts_squeeze(tide_contacts *c, double *x, double *v);
// As a substep begins: marks the points of known contacts that are still deep inside, for the search for pairs.
void tide_collider_contacts_begin_penetrating(tide_contacts *c);
// Does the same for particles of `moved` (point_count), in `to` (3 * point_count). Returns whether it moves any.
// `contacts` is a tide_contacts.
bool tide_collider_contacts_keep_out(void *contacts, const bool *moved, double *to);
double tide_collider_contacts_depth(tide_contacts *c, const double *x); // m, the greatest depth at x; 0: none

// collider_velocities.c
// The approach of a point to a collider that moves by `motion` (m) in the substep.
tide_approach tide_collider_impact(const tide_contacts *c, uint32_t point, const tide_collider *collider,
                                   const double normal[3], const double motion[3]);
// Applies bounces to v; also records impulses and the work of colliders. x is the end of the substep.
void tide_collider_contacts_bounce(tide_contacts *c, const double *x, double *v);

// pair_contacts.c
tide_status tide_pair_contacts_create(tide_contacts *c, tide_error *error);
void tide_pair_contacts_begin(tide_contacts *c);
// Copies x to c->to and adds the motion to c->search.paths. Returns false when a point has left its skin.
bool tide_pair_contacts_follow(tide_contacts *c, const double *x);
// Finds the pairs for points that move to x, unless the known pairs are still complete.
tide_status tide_pair_contacts_find(tide_contacts *c, const double *x, tide_error *error);
// Ends the substep: drops contacts that no longer touch and sorts the others.
tide_status tide_pair_contacts_end(tide_contacts *c, tide_error *error);
// Sets the points of the pair with this key. Returns false if the surface has none.
bool tide_pair_points(const tide_contact_surface *surface, tide_pair_kind kind, uint64_t key, uint32_t points[4]);
static inline uint32_t tide_pair_other(uint64_t kind, const uint32_t points[4]) // a point of the second side
{
    return points[kind == TIDE_PAIR_EDGES ? 2 : 1];
}
static inline const tide_contact_part *tide_pair_first_part(const tide_contact_surface *s,
                                                            const tide_contact_constraint *pair)
{
    return &s->parts[s->part_of[pair->points[0]]];
}
static inline const tide_contact_part *tide_pair_second_part(const tide_contact_surface *s,
                                                             const tide_contact_constraint *pair)
{
    return &s->parts[s->part_of[tide_pair_other(pair->kind, pair->points)]];
}
static inline bool tide_contact_is_compliant(const tide_contacts *c, const tide_contact_constraint *t)
{
    return tide_point_is_compliant(c, t->points[0]) &&
           (!tide_contact_is_pair(t) || tide_point_is_compliant(c, tide_pair_other(t->kind, t->points)));
}

// contact_laws.c: the inverse mass of a contact in the unit of its impulse; 0 where it is pinned, or nearly. And the
// friction of the sides of a pair, and of a point with a collider, for a unit normal.
double tide_contact_inverse_mass(const tide_contact_surface *s, const tide_contact_constraint *t);
tide_friction tide_pair_friction(const tide_contacts *c, const tide_contact_constraint *pair);
tide_friction tide_collider_friction(const tide_contacts *c, uint32_t point, uint32_t collider, const double normal[3]);

// Solves contacts between points, edges and triangles at the x of the last `find`. v: NULL within iterations.
double tide_pair_contacts_solve(tide_contacts *c, double *x, double *y, double *v, bool post_step);

// pair_velocities.c
void tide_pair_contacts_bounce(tide_contacts *c, const double *x, double *v);
tide_status tide_pair_contacts_sweep(tide_contacts *c, double *x, double *v, bool *moved, tide_error *error);
// The approach of the sides of a pair.
tide_approach tide_pair_impact(const tide_contacts *c, const tide_contact_constraint *pair);

#endif
