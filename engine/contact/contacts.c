// The contacts of a world: creation, and the response to a solver.
#include "contact/contacts_state.h"

#include "base/clock.h"
#include "base/memory.h"
#include "contact/collider_near.h"
#include "contact/motion_bound.h"

#include <string.h>

#define OBJECT "contact"
#define CONVERGED 1e-9                    // m
#define OF_MOVED 1e-4                     // part of the motion of a solve below which exact contacts count as converged
#define OF_THICKNESS 1e-3                 // part of the least thickness: the end tolerance
enum { MAX_PASSES = 20, MAX_PUSHES = 4 }; // over colliders, each time; those of them that apply impulses
// Passes over compliant contacts in each solve. Solids need more, because impulses travel from one to the next and to
// their far sides; with fewer they rock. Where contacts are collected, iterations of projected_gradient.h do most of
// it, and further passes are for new contacts.
enum { MAX_COMPLIANT_PASSES = 4, MAX_COMPLIANT_PASSES_OF_SOLIDS = 8 };
enum { MAX_ROUNDS = 4, MAX_SWEEPS = 8 }; // of bodies and colliders in turn at the end of a substep; of swept tests

// --- a substep ------------------------------------------------------------------------------------------------------

static void rescale(tide_contacts *c, double h)
{
    double factor = c->h > 0 ? h / c->h * (h / c->h) : 1;
    c->h = h;
    if (factor == 1)
        return;
    for (size_t i = 0; i < c->list.count; i++)
        for (int k = 0; k < 3; k++)
            c->list.items[i].kept.accumulated[k] *= factor;
}

// Returns the motion (m) below which the end of a substep stops removing overlap.
static double end_tolerance(const tide_contact_surface *s)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < s->part_count; i++)
        if (!s->parts[i].fixed && s->parts[i].radius > 0)
            least = fmin(least, s->parts[i].radius);
    return least < HUGE_VAL ? fmax(TIDE_CONTACT_TOLERANCE, OF_THICKNESS * 2 * least) : TIDE_CONTACT_TOLERANCE;
}

static tide_status pre_step(void *context, const tide_step *step, tide_error *error)
{
    tide_contacts *c = context;
    (void)error;
    double start = tide_clock_seconds();
    c->step = step;
    tide_contact_work_begin(&c->work, c->surface, step->from == 0);
    if (step->from == 0) {
        tide_contact_statistics *s = &c->statistics;
        *s = (tide_contact_statistics) { s->detect_seconds, s->solve_seconds, s->work, s->phases,
                                         .was_crowded = tide_contacts_are_crowded(c) };
    }
    c->statistics.timestep += step->h;
    c->solved = c->out_of_memory = c->bounces_within = c->moves_ahead = c->compliance.rows_stale = false;
    c->compliance.use = TIDE_DENSE_UNUSED;
    c->rule = step->h;
    c->end_tolerance = end_tolerance(c->surface);
    if (c->projected_gradient)
        tide_projected_gradient_restart(c->projected_gradient);
    rescale(c, step->h);
    tide_contact_place_all(c, step->q, c->from);
    tide_contact_list_begin(c);
    tide_collider_contacts_begin(c);
    if (tide_contacts_have_pairs(c))
        tide_pair_contacts_begin(c);
    tide_contact_axes_update(c);
    tide_rolling_begin(c);
    c->statistics.detect_seconds += tide_clock_seconds() - start;
    return TIDE_OK;
}

static void account_phases(tide_contacts *c, tide_contact_phases *sum)
{
    tide_contact_phases *since = &c->statistics.phases;
    sum->continuous_seconds += since->continuous_seconds;
    sum->continuous_detect_seconds += since->continuous_detect_seconds;
    sum->swept_candidates += since->swept_candidates;
    sum->unresolved += since->unresolved;
    *since = (tide_contact_phases) { 0 };
    if (!tide_contacts_have_pairs(c))
        return;
    tide_proximity_counts counts = tide_proximity_take_counts(c->search.proximity);
    sum->searches += counts.searches;
    sum->candidates += counts.candidates;
    sum->narrow_seconds += counts.narrow_seconds;
    sum->pairs = c->search.watches.count;
}

// Adds what was measured since the last report to the report.
static void account(tide_contacts *c, tide_report *report)
{
    tide_contact_statistics *s = &c->statistics;
    account_phases(c, &report->contact_phases);
    report->contact_detect_seconds += s->detect_seconds;
    report->contact_seconds += s->detect_seconds + s->solve_seconds;
    report->contact_work += s->work;
    s->detect_seconds = s->solve_seconds = s->work = 0;
}

// Applies an impulse (kg m) to a point: to y, and to x or the pending forces. Returns the largest change of a
// coordinate.
static double push(tide_contacts *c, uint32_t point, double factor, const double impulse[3], bool compliant, double *x,
                   double *y)
{
    double d[3], moved = 0, inverse_mass = c->surface->inverse_masses[point];
    if (inverse_mass == 0)
        return 0;
    for (int k = 0; k < 3; k++) {
        d[k] = factor * inverse_mass * impulse[k];
        moved = fmax(moved, fabs(d[k]));
    }
    if (x && (!compliant || !tide_contacts_are_guessed(c)))
        tide_contact_apply(c, point, factor, impulse, tide_contact_route_of(compliant), x);
    if (y)
        tide_contact_shift(c, y, point, d);
    return moved;
}

static double push_apart(tide_contacts *c, const tide_contact_constraint *t, const double impulse[3], double *x,
                         double *y)
{
    double moved = 0, unit = tide_contact_unit(c, t);
    bool compliant = tide_contact_is_compliant(c, t);
    for (int k = 0; k < tide_contact_corners(t->kind); k++)
        moved = fmax(moved, push(c, t->points[k], unit * t->weights[k], impulse, compliant, x, y));
    return moved;
}

// Applies the accumulated impulses of the last step as a first guess (warm start).
static double apply_warm_start(tide_contacts *c, double *x, double *y)
{
    double moved = 0;
    for (size_t i = 0; i < c->list.count; i++) {
        tide_contact_constraint *t = &c->list.items[i];
        t->kept.joined = !tide_contact_is_idle(&t->kept);
        memcpy(t->kept.before, t->kept.accumulated, sizeof t->kept.before);
        c->compliance.rows_stale |= t->kept.joined && tide_contact_is_compliant(c, t);
        moved = fmax(moved, push_apart(c, t, t->kept.accumulated, x, y));
    }
    return moved;
}

// Returns whether there may be compliant contacts. Only these need further passes.
static bool may_comply(const tide_contacts *c)
{
    return c->inverse && c->surface->triangle_count > 0;
}

// Extrapolates an impulse by `part` of its last change, into `by`. Returns whether it changes. An idle impulse stays 0:
// its contact may not be evaluated again.
static bool goes_on(tide_contact_impulse *kept, double part, double by[3])
{
    bool idle = tide_contact_is_idle(kept);
    for (int k = 0; k < 3; k++) {
        by[k] = idle ? 0 : part * (kept->accumulated[k] - kept->before[k]);
        kept->before[k] = kept->accumulated[k];
        kept->accumulated[k] += by[k];
    }
    return by[0] != 0 || by[1] != 0 || by[2] != 0;
}

// Accelerates passes (Nesterov 1983): without it, impulses need as many passes as the square of the number of contacts
// that they cross. The next pass, or step of the method, brings impulses back to the laws.
static void run_ahead(tide_contacts *c, int pass, double *x, double *y)
{
    double by[3], part = pass > 1 ? (pass - 1.0) / (pass + 2.0) : 0;
    if (!may_comply(c) || c->inverse->of_lines || tide_contacts_are_guessed(c) || c->collector == TIDE_COLLECT_GRADIENT)
        return;
    for (size_t i = 0; i < c->list.count; i++) {
        tide_contact_constraint *t = &c->list.items[i];
        if (tide_contact_is_compliant(c, t) && goes_on(&t->kept, part, by))
            push_apart(c, t, by, x, y);
    }
}

// Returns whether passes collect contacts for projected gradients. Normals of line contacts turn, and measured passes
// are applied in part; both go without.
static bool are_noted(const tide_contacts *c)
{
    return c->projected_gradient && may_comply(c) && !c->inverse->of_lines && !c->inverse->measured &&
           !tide_contacts_are_guessed(c);
}

// Returns whether compliant contacts are solved by the semismooth Newton method. As soon as balls touch, whose normals
// turn, or without memory, contacts are solved in passes.
static bool is_exact(tide_contacts *c)
{
    if (!may_comply(c) || !c->inverse->exact || tide_contacts_are_guessed(c))
        return false;
    for (size_t i = 0; i < c->list.count; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        if (tide_contact_is_pair(t) && t->kept.joined &&
            (t->kind == TIDE_PAIR_POINTS || !tide_contact_is_compliant(c, t)))
            return false;
    }
    if (!c->semismooth)
        c->semismooth = tide_own(c, tide_semismooth_create(c->particle_count));
    return c->semismooth;
}

// One pass over all contacts. Once x has moved by the dense W, only particles of W are tested against colliders.
static double run_pass(tide_contacts *c, double *x, double *y, double *also)
{
    double start = tide_clock_seconds();
    if (tide_contacts_have_pairs(c) && tide_pair_contacts_find(c, c->copy.sparse ? also : x, NULL) != TIDE_OK)
        return 0; // no memory: post_step reports it
    double found = tide_clock_seconds(), moved = 0;
    c->statistics.detect_seconds += found - start;
    if (c->collector == TIDE_COLLECT_GRADIENT)
        tide_projected_gradient_clear(c->projected_gradient);
    if (c->collector == TIDE_COLLECT_EXACT)
        tide_semismooth_begin(c->semismooth);
    if (may_comply(c) && c->compliance.rows_stale)
        moved = tide_contacts_update_row_sums(c, x, also);
    if (tide_contacts_have_pairs(c))
        moved = fmax(moved, tide_pair_contacts_solve(c, x, y, NULL, false));
    moved = fmax(moved, c->compliance.use != TIDE_DENSE_BEHIND ? tide_collider_contacts_solve(c, x, y, NULL, false)
                                                               : tide_collider_contacts_solve_compliant(c, x, y));
    if (c->collector == TIDE_COLLECT_GRADIENT)
        moved = fmax(moved, tide_projected_gradient_solve(c, x, y, also));
    if (c->collector == TIDE_COLLECT_EXACT) {
        bool solved;
        moved = fmax(moved, tide_semismooth_go(c, x, y, also, &solved));
        c->collector = solved ? TIDE_COLLECT_EXACT : TIDE_COLLECT_NONE;
    }
    c->statistics.solve_seconds += tide_clock_seconds() - found;
    return moved;
}

// Solves all contacts. Changes x and y, and moves `also` (or NULL) with x by compliant contacts. Returns the largest
// change of a coordinate.
static double solve_all(tide_contacts *c, double *x, double *y, double *also, double rule)
{
    double start = tide_clock_seconds(), moved = c->solved ? 0 : apply_warm_start(c, x, y), last, enough;
    c->solved = true;
    c->rule = rule;
    c->collector = is_exact(c) ? TIDE_COLLECT_EXACT : are_noted(c) ? TIDE_COLLECT_GRADIENT : TIDE_COLLECT_NONE;
    c->left = c->collector == TIDE_COLLECT_EXACT ? 0 : HUGE_VAL;
    int pass = 0, passes = c->response.any_solids ? MAX_COMPLIANT_PASSES_OF_SOLIDS : MAX_COMPLIANT_PASSES;
    do {
        run_ahead(c, pass, x, y);
        moved = fmax(moved, tide_contacts_apply_forces(c, x, also, y));
        if (c->compliance.rows_stale && tide_contacts_have_pairs(c)) // impulses between pairs must reach all particles
            moved = fmax(moved, tide_contacts_end_compliance(c, false, x, also));
        c->statistics.solve_seconds += tide_clock_seconds() - start;
        last = run_pass(c, x, y, also);
        moved = fmax(moved, last);
        if (c->inverse && c->inverse->supported && c->collector != TIDE_COLLECT_EXACT)
            break;
        enough = c->collector == TIDE_COLLECT_EXACT ? fmax(CONVERGED, OF_MOVED * moved) : CONVERGED;
        start = tide_clock_seconds();
    } while (may_comply(c) && !c->work.stopped && ++pass < passes &&
             ((last > enough && c->collector != TIDE_COLLECT_GRADIENT) || c->compliance.rows_stale));
    c->collector = TIDE_COLLECT_NONE;
    moved = fmax(moved, tide_contacts_apply_forces(c, x, also, y));
    moved = fmax(moved, tide_contacts_end_compliance(c, true, x, also));
    c->statistics.solve_seconds += tide_clock_seconds() - start;
    return moved;
}

static double iterate_particles(void *context, double *x, double *y, double rule, bool ahead, tide_report *report)
{
    tide_contacts *c = context;
    c->inverse = NULL;
    c->moves_ahead = ahead;
    tide_collider_near_count(c, false);
    double moved = 0;
    if (ahead && !c->solved) {
        tide_warm_start_reduce(c, y);
        moved = apply_warm_start(c, NULL, y);
        c->solved = true;
    }
    moved = fmax(moved, solve_all(c, x, y, NULL, rule));
    account(c, report);
    return moved;
}

static double iterate_target(void *context, const double *x, double *y, double rule, tide_report *report)
{
    tide_contacts *c = context;
    c->inverse = NULL;
    tide_collider_near_count(c, false);
    c->bounces_within = true;
    memcpy(c->copy.x, x, 3 * (size_t)c->particle_count * sizeof *x);
    double moved = solve_all(c, c->copy.x, y, NULL, rule);
    account(c, report);
    return moved;
}

// Bounds the motion of x by the method since the last solve; moved = 0: unknown.
static void follow_method(tide_contacts *c, bool counted, double moved)
{
    if (counted && moved > 0 && isfinite(c->near->gone))
        tide_collider_near_move(c->near, moved);
    else
        tide_collider_near_count(c, counted);
}

static double iterate_compliant(void *context, double *x, double *y, double rule,
                                const tide_compliance_operator *inverse, tide_iteration_place at, tide_report *report)
{
    tide_contacts *c = context;
    c->inverse = inverse;
    c->bounces_within = true;
    c->place = at;
    c->compliance.rows_stale |=
        inverse->renewed || (c->compliance.use && c->compliance.dense->serial != inverse->serial);
    c->compliance.expected = 0;
    if (inverse->supported)
        tide_contacts_take_supports(c, x, y);
    bool alone = c->all_compliant && !inverse->measured; // compliant contacts alone move x
    follow_method(c, alone, inverse->moved);
    if (alone) {
        double moved = solve_all(c, x, y, NULL, rule);
        c->inverse = NULL;
        account(c, report);
        return moved;
    }
    c->copy.sparse = tide_pairs_move_frame(c) && c->solved && !inverse->of_lines;
    if (c->copy.sparse)
        memset(c->copy.dirty, 0, tide_bit_words(c->particle_count) * sizeof *c->copy.dirty);
    else
        memcpy(c->copy.x, x, 3 * (size_t)c->particle_count * sizeof *x);
    double moved = solve_all(c, c->copy.x, y, x, rule);
    moved = fmax(moved, tide_contacts_apply_other_forces(c, x));
    if (inverse->supported && moved < HUGE_VAL)
        moved = fmax(c->left, tide_contacts_supported_change(c));
    if (inverse->supported && !(moved < HUGE_VAL)) {
        tide_contacts_undo_supported(c);
        moved = -1;
    }
    if (at != TIDE_ITERATION_LAST)
        tide_contacts_move_noncompliant(c, x);
    c->copy.sparse = false;
    c->inverse = NULL;
    account(c, report);
    return moved;
}

static void clear_accumulated(tide_contacts *c)
{
    for (size_t i = 0; i < c->list.count; i++)
        memset(c->list.items[i].kept.accumulated, 0, sizeof c->list.items[i].kept.accumulated);
}

// Solves contacts with colliders until no point moves: one collider may push a point into another. Points that stay
// caught between colliders are projected out of them. Returns the largest change.
static double resolve_colliders(tide_contacts *c, double *x, double *v)
{
    double largest = tide_collider_contacts_solve(c, x, NULL, v, true), moved = largest;
    for (int pass = 1; pass < MAX_PASSES && moved > CONVERGED && !c->work.stopped; pass++)
        moved =
            pass <= MAX_PUSHES ? tide_collider_contacts_solve_moved(c, x, v) : tide_collider_contacts_squeeze(c, x, v);
    return largest;
}

// Removes what overlap is left, between bodies and with colliders in turn: bodies push one another into colliders, and
// colliders push them back. Swept tests come last; they keep the points that they move out of colliders as far as
// possible.
static tide_status resolve_overlaps(tide_contacts *c, double *x, double *v, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_status status = TIDE_OK;
    for (int round = 0; round < MAX_ROUNDS && status == TIDE_OK; round++) {
        double seek = tide_clock_seconds();
        if (tide_contacts_have_pairs(c))
            status = tide_pair_contacts_find(c, x, error);
        double sought = tide_clock_seconds() - seek;
        c->statistics.detect_seconds += sought;
        start += sought;
        if (status == TIDE_OK && tide_contacts_have_pairs(c))
            tide_pair_contacts_solve(c, x, NULL, v, true);
        double moved = resolve_colliders(c, x, v);
        if (!tide_contacts_have_pairs(c) || c->work.stopped || !(moved > c->end_tolerance))
            break;
    }
    c->statistics.solve_seconds += tide_clock_seconds() - start;
    bool swept = c->continuous != NULL;
    for (int round = 0; swept && status == TIDE_OK && !c->work.stopped && round < MAX_SWEEPS; round++) {
        status = tide_pair_contacts_sweep(c, x, v, &swept, error);
        swept = status == TIDE_OK && swept && round + 1 < MAX_SWEEPS && tide_collider_contacts_depth(c, x) > CONVERGED;
        if (swept)
            resolve_colliders(c, x, v);
    }
    return status;
}

// Fails on divergence before any work is spent on it.
static tide_status check_positions(const tide_contacts *c, const double *x, tide_error *error)
{
    for (size_t i = 0; i < 3 * (size_t)c->particle_count; i++)
        if (!(fabs(x[i]) <= TIDE_FARTHEST))
            return tide_fail(error, TIDE_ERROR_NUMERIC, OBJECT, "position", NULL,
                             "particle %zu is not within 1e9 m of the origin", i / 3 + 1);
    return TIDE_OK;
}

static tide_status post_step(void *context, double *x, double *v, tide_report *report, tide_error *error)
{
    tide_contacts *c = context;
    tide_status status = check_positions(c, x, error);
    if (status != TIDE_OK) {
        c->step = NULL;
        return status;
    }
    if (!c->solved)
        clear_accumulated(c);
    tide_collider_near_count(c, false);
    status = resolve_overlaps(c, x, v, error);
    double start = tide_clock_seconds();
    tide_collider_contacts_bounce(c, x, v);
    if (tide_contacts_have_pairs(c))
        tide_pair_contacts_bounce(c, x, v);
    tide_rolling_end(c, x, v);
    if (c->moves_ahead && c->solved)
        tide_warm_start_end(c);
    if (tide_contacts_have_pairs(c) && status == TIDE_OK)
        status = tide_pair_contacts_end(c, error);
    c->statistics.solve_seconds += tide_clock_seconds() - start;
    account(c, report);
    c->step = NULL;
    if (c->work.exhausted && (status == TIDE_ERROR_NUMERIC || (status == TIDE_OK && c->work.stopped)))
        return tide_contacts_fail_work(c, error);
    return status == TIDE_OK && c->out_of_memory ? tide_fail_memory(error, OBJECT) : status;
}

const tide_contact_response *tide_contacts_response(const tide_contacts *c)
{
    return c->collider_count || tide_contacts_have_pairs(c) ? &c->response : NULL;
}

// --- life -----------------------------------------------------------------------------------------------------------

static bool has_solids(const tide_contact_surface *surface)
{
    bool any = false;
    for (uint32_t i = 0; i < surface->part_count; i++)
        any |= !surface->parts[i].fixed && surface->parts[i].reach == 0;
    return any;
}

static bool may_touch(const tide_contact_surface *s, uint32_t part)
{
    bool any = s->parts[part].against_colliders;
    for (uint32_t i = 0; i < s->part_count; i++)
        any |= s->touching[part * s->part_count + i];
    return any;
}

static bool all_compliant(const tide_contact_surface *s)
{
    for (uint32_t i = 0; i < s->part_count; i++)
        if (s->parts[i].triangle_count == 0 && may_touch(s, i))
            return false;
    return s->triangle_count > 0;
}

static bool has_pairs(const tide_contact_surface *s)
{
    for (uint32_t i = 0; i < s->part_count * s->part_count; i++)
        if (s->touching[i])
            return true;
    return false;
}

tide_status tide_contacts_create(tide_contact_surface *surface, uint32_t particle_count,
                                 tide_collider *const *colliders, uint32_t collider_count,
                                 const tide_contact_settings *settings, tide_contacts **out, tide_error *error)
{
    tide_contacts *c = tide_allocate_zeroed(1, sizeof *c);
    if (!c) {
        tide_free(surface);
        return tide_fail_memory(error, OBJECT);
    }
    c->surface = tide_own(c, surface);
    c->particle_count = particle_count;
    c->moving_count = particle_count + surface->carried_count;
    c->colliders = colliders;
    c->collider_count = collider_count;
    c->settings = *settings;
    bool pairs = has_pairs(surface);
    c->all_compliant = all_compliant(surface);
    c->response = (tide_contact_response) {
        .context = c,
        .any_solids = has_solids(surface),
        .pre_step = pre_step,
        .iterate_target = iterate_target,
        .iterate_compliant = iterate_compliant,
        .iterate_particles = iterate_particles,
        .post_step = post_step,
        .support = tide_contacts_support,
    };
    c->from = tide_own_zeroed(c, surface->point_count, 3 * sizeof *c->from);
    c->to = tide_own_zeroed(c, surface->point_count, 3 * sizeof *c->to);
    c->penetrating = tide_own_zeroed(c, surface->point_count, sizeof *c->penetrating);
    c->copy.x = tide_own_zeroed(c, particle_count, 3 * sizeof *c->copy.x);
    c->compliance.force = tide_own_zeroed(c, particle_count, 3 * sizeof *c->compliance.force);
    c->compliance.displacement = tide_own_zeroed(c, particle_count, 3 * sizeof *c->compliance.displacement);
    c->compliance.others = tide_own_zeroed(c, particle_count, 3 * sizeof *c->compliance.others);
    c->compliance.row_sums = tide_own_zeroed(c, particle_count, 3 * sizeof *c->compliance.row_sums);
    c->compliance.touched = tide_own_zeroed(c, tide_bit_words(particle_count), sizeof *c->compliance.touched);
    if (pairs)
        c->projected_gradient = tide_own(c, tide_projected_gradient_create(particle_count));
    tide_status status = tide_owns_all(c) && tide_contact_axes_create(c) ? tide_collider_near_create(c, &c->near, error)
                                                                         : tide_fail_memory(error, OBJECT);
    if (status == TIDE_OK)
        tide_own(c, c->near);
    if (status == TIDE_OK && pairs)
        status = tide_pair_contacts_create(c, error);
    if (status != TIDE_OK) {
        tide_contacts_destroy(c);
        return status;
    }
    *out = c;
    return TIDE_OK;
}

void tide_contacts_destroy(tide_contacts *c)
{
    tide_free(c);
}

// --- reports --------------------------------------------------------------------------------------------------------

tide_initial_penetration tide_contacts_initial_penetration(const tide_contacts *c)
{
    return c->statistics.penetration;
}

tide_squeezed tide_contacts_squeezed(const tide_contacts *c)
{
    return c->statistics.squeezed;
}
