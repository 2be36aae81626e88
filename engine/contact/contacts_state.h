// What the files of the response share; not for others.
#ifndef TIDE_CONTACT_CONTACTS_STATE_H
#define TIDE_CONTACT_CONTACTS_STATE_H

#include "collision/proximity.h"
#include "collision/work_limit.h"
#include "contact/compliance.h"
#include "contact/contacts.h"
#include "contact/continuous.h"
#include "contact/projected_gradient.h"
#include "contact/semismooth.h"

// GCC's vector type, where it lies in an array.
typedef double tide_double2 __attribute__((vector_size(16), aligned(8), may_alias));

// The sum of a contact and what it is made with. Against colliders in m (as if of mass 1), between points in kg m.
typedef struct tide_contact_sum {
    double sum[3];           // what every pass needs comes first
    double before[3];        // the sum a pass, or round, over what x yields to earlier
    double normal[3], depth; // as last evaluated; m, the deepest so far in this timestep
    double impulse;          // kg m/s, along the normal, of the timestep's substeps that are over
    double drag[3];          // kg m/s, of friction, likewise
    double place[3];         // as last evaluated
    bool joined;             // counted among what x yields to in this substep
    double share;            // of what is pushed at its points, with which it is counted
    double leave;            // m/s along the normal: how fast answers of this substep make it part; 0: no bounce
    uint64_t key;
    double last[3]; // by what it has changed in pass number `pass`, of those that are measured
    uint64_t pass;
} tide_contact_sum;
static inline bool tide_contact_is_idle(const tide_contact_sum *kept)
{
    return kept->sum[0] == 0 && kept->sum[1] == 0 && kept->sum[2] == 0;
}

// A point against a collider; the key is collider * moving_count + point.
typedef struct tide_collider_contact {
    uint32_t point, collider;
    bool evaluated, swept; // in this substep; against the plane below, as it passed through the collider
    tide_contact_sum kept;
    double own[3], own_gap;          // as last evaluated; own: where in the collider's frame, NAN: not yet
    double inside;                   // m: how deep the point was at the start of the substep
    double plane[3], plane_point[3]; // normal, and a point at the end of the substep
} tide_collider_contact;

// Points, edges and triangles that touch, or did in this substep; the key is that of their tide_contact_pair.
typedef struct tide_pair_contact {
    tide_contact_sum kept;
    uint64_t kind; // tide_pair_kind
    double weights[4];
    uint32_t points[4];
    uint32_t pair;   // among those found
    double met[3];   // the normal with which it first touched in this substep
    bool settled_on; // normal and weights are those of this substep
    bool doubtful;   // the condition made of them did not hold at its start
    double distance; // m, to be kept: that of its pair, or less where it came about closer than that
} tide_pair_contact;

// When a pair that was found is to be looked at, 32 bytes, as all are gone through in every sweep: once the ways that
// its points have gone since they were found (the sum of all four) reach `due`.
typedef struct tide_pair_watch {
    double due;         // m; negative infinity: always
    uint32_t points[4]; // point_count, whose way is 0, where the pair has fewer
    uint32_t contact;   // index + 1; 0: it has not touched
} tide_pair_watch;

struct tide_contacts {
    tide_contact_surface *surface;
    tide_collider *const *colliders;
    uint32_t collider_count;
    tide_contact_settings settings;
    tide_contact_response response;
    bool any_pairs;
    uint32_t moving_count; // particles and carried points: all but those of colliders

    const tide_step *step; // the substep under way
    bool answered;         // in this substep
    bool bounces_within;   // answers of this substep make what bounces part as fast as it has to
    double h;              // of the last substep: sums are proportional to its square
    double rule;           // s: a sum is rule^2 times a force; a move of x is a change of v times this
    double timestep;       // s, of the substeps since the timestep began
    double *answered_x;    // (3 * particle_count) an answer's own x
    double *from, *to;     // (3 * point_count) at the substep's start, and as they are
    double detect_seconds, respond_seconds;
    double given;           // J, of the substep: tide_report.contact_work
    tide_contact_work work; // of the search for pairs and of continuous collision
    tide_initial_penetration penetration;
    tide_squeezed squeezed;
    bool was_crowded; // as the timestep began

    // What x yields to in the answer under way, see compliant_response.c; (3 * particle_count), interleaved.
    const tide_yield *yield; // NULL: to nothing
    double *force, *yielded; // kg m, since x yielded last; m
    // Where x complies, passes move the particles of W alone by it; the others follow at the end, and `force` is all
    // until then.
    tide_compliance *compliance; // NULL: not needed so far
    uint64_t *touched;           // set of particles that rows were summed for
    bool complies, follows;      // the others are to follow
    bool strays;                 // there is a force on a particle out of W
    bool awaits_step;            // the method's next step moves what complies, too, with y
    bool others_yield;           // after the answer x yields to the other forces, too
    double *others;              // kg m, those
    double *row_sums;            // 1/kg, the first of each particle's three
    double stretch, expected;    // of row sums, as measured; kg m^2, d' W d of a pass's changes d as it takes W
    uint64_t pass;               // its number
    bool took_back;              // a contact is ending: x yields to that after the answer
    bool guessed;                // x is a first guess: what yields waits for a better one
    bool forced, others_forced, uncounted; // there is a force; a contact has joined since rows were summed

    tide_projected_gradient *projected_gradient; // NULL: nothing makes pairs
    bool notes;                                  // contacts of the pass under way are noted, for rounds
    tide_semismooth *semismooth;                 // NULL: not needed so far
    bool exact;                                  // contacts of the pass under way are noted, for it
    int lasting;                                 // rounds of this substep since they last began anew

    bool any_solids; // that move: an answer would turn their springs about
    bool all_yield;  // whatever may touch is of triangles: x yields to all contacts

    // against colliders
    struct tide_collider_near *near; // collider_near.h: what cannot touch, and where the others' contacts are
    uint32_t particle_count;
    bool out_of_memory; // a contact could not be added in this substep
    tide_collider_contact *touching;
    size_t touching_count, touching_capacity;

    // between points
    tide_proximity *proximity;
    tide_continuous *continuous;
    tide_pair_contact *pairs;   // (pair_count) between substeps in ascending order of kind and key
    tide_pair_contact *earlier; // where they go when they are put in order: the two change places
    size_t pair_count, pair_capacity, earlier_capacity;
    tide_pair_contact *gone; // pairs that were not found again in this substep: what they pushed is to be taken back
    size_t gone_count, gone_capacity;
    // The pairs of `proximity` were sought for points that go to `skin_centres`. They are all that may touch while
    // points stay within their margins of there: in the substep that it was done for, and in those after it while they
    // start and end within the margins.
    bool found, found_in_substep; // at all; in this substep
    double *skin_centres;         // (3 * point_count)
    double *skins;                // (point_count) m; infinite: touches nothing
    double *widest_skins;         // (part_count) m: the widest skin that a guess of motion may make
    double *bounce_reach;         // (point_count) m: how far it may leap off what it touches in this substep
    bool *outside;                // (point_count) has left it
    double *paths;                // (point_count + 1) m: how far `to` has gone since, all its moves together
    // Where there are points of lines alone, what counts is how they move against one another: margins and ways are
    // those in a frame that goes along with them, and has gone so far since, m.
    bool moving_frame;
    double frame[3];
    double *slacks; // (particle_count) m: while its way is no longer than this, a point is within its margin
    // Sets of particles, see motion_bound.h: those that have left their margins, that colliders are to look at where
    // they have been followed to, and that the answer under way moves.
    uint64_t *exceeded, *to_test, *dirty;
    bool sparse; // most points are moved by none: answered_x has the places of those that are dirty, `to` the others
    tide_pair_watch *watches, *watched; // (watch_count); where they are put when pairs come to them
    size_t watch_count, watch_capacity, watched_capacity;

    tide_touch *touches;
    size_t touch_count, touch_capacity;
};

// The laws of contact, see contacts.h: changes `sum` for an inverse mass w; what it changed by into `change`. Without
// `release` what pushes is not taken back.
static inline void tide_contact_solve(double sum[3], const double normal[3], double gap, const double slip[3], double w,
                                      double friction, bool release, double change[3])
{
    double along = sum[0] * normal[0] + sum[1] * normal[1] + sum[2] * normal[2];
    double slid = slip[0] * normal[0] + slip[1] * normal[1] + slip[2] * normal[2];
    double push = along - (w == 1 ? gap : gap / w), drag[3], square = 0;
    push = push > 0 ? push : 0;
    if (!release && push < along)
        push = along > 0 ? along : 0;
    for (int k = 0; k < 3; k++) {
        double off = slip[k] - slid * normal[k];
        drag[k] = sum[k] - along * normal[k] - (w == 1 ? off : off / w);
        square += drag[k] * drag[k];
    }
    double most = friction * push, scale = square > most * most ? most / sqrt(square) : 1;
    for (int k = 0; k < 3; k++) {
        double next = push * normal[k] + scale * drag[k];
        change[k] = next - sum[k];
        sum[k] = next;
    }
}
// The same for velocities, once positions are settled: where two that touch still part at less than `keep` (m/s, of a
// bounce; 0), an impulse for an inverse mass w makes it that, with Coulomb's friction; of it `change`. Methods of
// second order, whose velocities are not differences of positions, need it; with `exact`, what parts faster than `keep`
// is slowed down to that, too, as positions that touch at the end have not parted.
void tide_contact_solve_velocity(const double normal[3], const double velocity[3], double keep, double w,
                                 double friction, bool exact, double change[3]);
double tide_contact_friction(double a, double b); // of two that touch, either of which may be TIDE_NOT_GIVEN

// restitution.c: how two meet.
typedef struct tide_approach {
    double approach; // m/s, along the normal, as the substep begins
    double leave; // m/s, at which they are to part: 0 where the approach is no faster than the forces of a step alone
                  // make points that rest (those of colliders' meshes do not count)
    double pull;  // m/s^2, at which forces other than springs' bring them together
} tide_approach;
// Of points with their weights (the first side's positive), whose sides move at `velocity` against one another.
tide_approach tide_contact_impact(const tide_contacts *c, const uint32_t *points, const double *weights, int count,
                                  const double normal[3], const double velocity[3], double restitution);
// The gap that an answer is to close which comes before velocities do, m, and kept->leave; `way`: by how much farther
// apart the sides are along the normal than as the substep began.
double tide_contact_bounce_gap(const tide_contacts *c, tide_contact_sum *kept, const tide_approach *impact, double gap,
                               double way);
void tide_contact_clear_bounce(tide_contact_sum *kept); // what such a bounce pushed does not go on in the next substep

// carried_points.c: points in arrays over particles, (3 * particle_count): where a point is there (or how fast), and
// the same moved by `d`. A carried point moves its carriers, by their masses.
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
// Before x[point] is changed or read by an answer: it is there.
static inline void tide_contact_make_dirty(tide_contacts *c, uint32_t point)
{
    uint64_t bit = (uint64_t)1 << point % 64;
    if (!c->sparse || c->dirty[point / 64] & bit)
        return;
    c->dirty[point / 64] |= bit;
    for (size_t k = 0, n = 3 * (size_t)point; k < 3; k++, n++)
        c->answered_x[n] = c->to[n];
}
void tide_contact_place_all(const tide_contacts *c, const double *x, double *points); // all that move

// compliant_response.c
static inline bool tide_contact_is_compliant(const tide_contacts *c,
                                             uint32_t point) // whether x yields to what acts on it
{
    return c->yield && (c->all_yield || c->surface->parts[c->surface->part_of[point]].triangle_count > 0);
}
// Whether this contact, which touches, was not counted yet: then it is, and waits for the next pass.
bool tide_contact_activates(tide_contacts *c, tide_contact_sum *kept);
// A force times `factor`, kg m, on a point: into what x yields to, or x moves as if the point were free.
void tide_contact_apply(tide_contacts *c, uint32_t point, double factor, const double force[3], bool yields, double *x);
// 1/kg: how far a point moves by forces of their shares, in kg m, on all that has joined, at most.
double tide_contact_compliance_bound(const tide_contacts *c, uint32_t point);
// Where W is to be of more than before, particles that x has moved stay so; the largest change of a coordinate.
double tide_contacts_update_row_sums(tide_contacts *c, double *x, double *also);
// Moves x towards answered_x, where it did not yield, each particle by what turns no spring about.
void tide_contacts_move_noncompliant(const tide_contacts *c, double *x);
double tide_contacts_apply_other_forces(tide_contacts *c, double *x); // to the forces that it did not yield to
// Moves both by all forces; the largest change. Where passes are measured, a pass that takes too much is taken in part,
// of sums and of y (or NULL), too.
double tide_contacts_apply_forces(tide_contacts *c, double *x, double *also, double *y);
// The answer is over: all particles are moved, or none, where the method's next step will move them. The largest
// change.
double tide_contacts_end_compliance(tide_contacts *c, bool over, double *x, double *also);
// A change of a sum that x is to yield to in a pass that is measured; factor, 1/kg (of a sum in m: kg): what the pass
// takes for W.
void tide_contact_predict_decrease(tide_contacts *c, tide_contact_sum *kept, double factor, const double change[3]);

// The particles that a point is or is carried by, with their shares; none of a collider's. How many.
enum { TIDE_BEARERS = 4 };
int tide_contact_bearers(const tide_contacts *c, uint32_t point, uint32_t particles[TIDE_BEARERS],
                         double shares[TIDE_BEARERS]);

// collider_contacts.c
tide_status tide_collider_contacts_create(tide_contacts *c, tide_error *error);
void tide_collider_contacts_destroy(tide_contacts *c);
tide_collider_contact *tide_collider_contacts_add(tide_contacts *c, uint32_t collider,
                                                  uint32_t point); // NULL: no memory
void tide_collider_contacts_clear(tide_contacts *c);
void tide_collider_contacts_begin(tide_contacts *c);
// Answers at x; with `settle`, nothing is released and v (NULL within iterations) changes with x. Returns the largest
// change of a coordinate.
double tide_collider_contacts_solve(tide_contacts *c, double *x, double *y, double *v, bool settle);
double tide_collider_contacts_solve_compliant(tide_contacts *c, double *x, double *y); // what W moves alone
// After an answer with `settle`: the same once more for the points that it, or the last of these, has moved.
double tide_collider_contacts_solve_moved(tide_contacts *c, double *x, double *v);

// collider_squeeze.c
// After either, for points that colliders push to and fro: each of those that were moved goes to the nearest place
// outside all colliders, without friction, or where they leave none within reach, to where it is least deep.
// tide_contact_work_fail, which names colliders that press the body, if there are any.
tide_status tide_contacts_fail_work(const tide_contacts *c, tide_error *error);
double tide_collider_contacts_squeeze(tide_contacts *c, double *x, double *v);
// The same for those of `moved` (point_count) that are particles, in `to` (3 * point_count), and whether that
// moves any; `contacts` is a tide_contacts.
bool tide_collider_contacts_keep_out(void *contacts, const bool *moved, double *to);
double tide_collider_contacts_depth(tide_contacts *c, const double *x); // m: of what is deepest at x, 0: nothing
// Notes the impulses, too, and what they give; x is where the substep ends.
void tide_collider_contacts_bounce(tide_contacts *c, const double *x, double *v);

// pair_contacts.c
tide_status tide_pair_contacts_create(tide_contacts *c, tide_error *error);
void tide_pair_contacts_destroy(tide_contacts *c);
void tide_pair_contacts_begin(tide_contacts *c);
// The points have gone to x: into `to`, with their ways. False when one has left its margin.
bool tide_pair_contacts_follow(tide_contacts *c, const double *x);
// Seeks the pairs for points that go to x, unless those known will do.
tide_status tide_pair_contacts_find(tide_contacts *c, const double *x, tide_error *error);
// The substep is over: forgets what touches no more, and puts the others in order.
tide_status tide_pair_contacts_end(tide_contacts *c, tide_error *error);
// The points of a pair with this key; false when there is none.
bool tide_pair_points(const tide_contact_surface *surface, tide_pair_kind kind, uint64_t key, uint32_t points[4]);
static inline int tide_pair_corners(uint64_t kind)
{
    return kind == TIDE_PAIR_POINTS ? 2 : 4;
}
static inline uint32_t tide_pair_other(uint64_t kind, const uint32_t points[4]) // a point of the second side
{
    return points[kind == TIDE_PAIR_EDGES ? 2 : 1];
}
static inline bool tide_pair_is_compliant(const tide_contacts *c, const tide_pair_contact *pair)
{
    return tide_contact_is_compliant(c, pair->points[0]) &&
           tide_contact_is_compliant(c, tide_pair_other(pair->kind, pair->points));
}

// pair_impulses.c
// Answers at x, where `find` was called last. v: NULL within iterations.
double tide_pair_contacts_solve(tide_contacts *c, double *x, double *y, double *v, bool settle);

// pair_velocities.c
void tide_pair_contacts_bounce(tide_contacts *c, const double *x, double *v);
tide_status tide_pair_contacts_sweep(tide_contacts *c, double *x, double *v, bool *moved, tide_error *error);
// Of a pair's points, with the first side's weights positive: the inverse mass, 0 where they are pinned or next to it;
// and the friction of their parts.
double tide_pair_inverse_mass(const tide_contact_surface *s, const tide_pair_contact *pair);
double tide_pair_friction(const tide_contact_surface *s, const tide_pair_contact *pair);
tide_approach tide_pair_impact(const tide_contacts *c, const tide_pair_contact *pair);

#endif
