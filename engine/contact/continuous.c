#include "contact/continuous.h"

#include "base/clock.h"
#include "base/memory.h"
#include "contact/continuous_state.h"

#include <math.h>
#include <string.h>

// Rounds: of single impulses; of zones, in which all constraints found since then hold; of rigid zones. If impacts
// remain, each half of the motion is tried in turn. In a round of zones, constraints and the keep_out callback
// alternate.
enum { IMPULSE_ROUNDS = 8, ZONE_ROUNDS = 24, RIGID_ROUNDS = 100 };
enum { IMPULSE_SWEEPS = 4, ZONE_SWEEPS = 200, ZONE_TURNS = 20 };

// --- create

tide_status tide_continuous_create(const tide_contact_surface *s, tide_continuous **out, tide_error *error)
{
    tide_continuous *c = tide_allocate_zeroed(1, sizeof *c);
    bool made = false;
    if (c) {
        c->surface = s;
        size_t points = s->point_count;
        uint32_t most = s->point_count > s->edge_count ? s->point_count : s->edge_count;
        most = most > s->triangle_count ? most : s->triangle_count;
        made = tide_continuous_create_features(c);
        c->boxes = tide_own_array(c, 6 * points, sizeof *c->boxes);
        c->part_boxes = tide_own_array(c, s->part_count, 6 * sizeof *c->part_boxes);
        c->moved = tide_own_zeroed(c, points, sizeof *c->moved);
        c->loose = tide_own_zeroed(c, points, sizeof *c->loose);
        c->listed = tide_own_zeroed(c, s->part_count, sizeof *c->listed);
        c->found = tide_own_array(c, most, sizeof *c->found);
        made = made && tide_continuous_create_batch(c, most) && tide_zones_create(s, &c->zones, NULL) == TIDE_OK &&
               tide_own(c, c->zones) && tide_owns_all(c);
    }
    if (!made) {
        tide_free(c);
        return tide_fail_memory(error, "continuous collision");
    }
    *out = c;
    return TIDE_OK;
}

void tide_continuous_keep_out(tide_continuous *c, bool (*keep_out)(void *context, const bool *moved, double *to),
                              void *context)
{
    c->keep_out = keep_out;
    c->keep_out_context = context;
}

tide_status tide_continuous_use_pairs(tide_continuous *c, const tide_proximity *proximity, tide_error *error)
{
    c->proximity = proximity;
    for (uint32_t i = 0; i < c->surface->part_count; i++)
        c->listed[i] = tide_proximity_lists(proximity, i);
    return tide_rest_pairs_list(proximity, c->surface, c, &c->at_rest, error);
}

void tide_continuous_know(tide_continuous *c, const double *centres, const double *skins)
{
    bool known = c->proximity && c->at_rest.complete && tide_proximity_is_complete(c->proximity);
    c->centres = known ? centres : NULL;
    c->skins = known ? skins : NULL;
}

void tide_continuous_limit(tide_continuous *c, tide_contact_work *work)
{
    c->work = work;
}

// --- impacts

static bool earlier(const tide_impact *a, const tide_impact *b, bool by_time)
{
    if (by_time && a->time != b->time)
        return a->time < b->time;
    return a->kind != b->kind ? a->kind < b->kind : a->key < b->key;
}

// Sorts by merging, which is stable.
static bool sort(tide_continuous *c, tide_impact *impacts, size_t count, bool by_time)
{
    if (!tide_grow_owned(c, &c->scratch, &c->scratch_capacity, count, sizeof *c->scratch))
        return false;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t begin = 0; begin + width < count; begin += 2 * width) {
            size_t middle = begin + width, end = middle + width < count ? middle + width : count;
            memcpy(c->scratch, impacts + begin, width * sizeof *impacts);
            size_t a = 0, b = middle, out = begin;
            while (a < width && b < end)
                impacts[out++] = earlier(&impacts[b], &c->scratch[a], by_time) ? impacts[b++] : c->scratch[a++];
            memcpy(impacts + out, c->scratch + a, (width - a) * sizeof *impacts);
        }
    }
    return true;
}

// Adds the impacts to the held ones. Of each pair, the last is kept.
static bool hold_impacts(tide_continuous *c)
{
    size_t count = c->held_count + c->impact_count, kept = 0;
    if (!tide_grow_owned(c, &c->held, &c->held_capacity, count, sizeof *c->held))
        return false;
    memcpy(c->held + c->held_count, c->impacts, c->impact_count * sizeof *c->impacts);
    if (!sort(c, c->held, count, false))
        return false;
    for (size_t i = 0; i < count; i++) {
        bool last = i + 1 == count || c->held[i].key != c->held[i + 1].key || c->held[i].kind != c->held[i + 1].kind;
        if (last)
            c->held[kept++] = c->held[i];
    }
    c->held_count = kept;
    return true;
}

// --- rounds

static bool keep_out(tide_continuous *c, double *to)
{
    return c->keep_out && c->keep_out(c->keep_out_context, c->moved, to);
}

static bool apply_impulses(tide_continuous *c, int round, const double *from, double *to)
{
    if (round < IMPULSE_ROUNDS) {
        c->report->rounds++;
        if (!sort(c, c->impacts, c->impact_count, true))
            return false;
        tide_impacts_push(c->surface, c->impacts, c->impact_count, IMPULSE_SWEEPS, to, c->moved, c->work);
        keep_out(c, to);
    } else if (round < IMPULSE_ROUNDS + ZONE_ROUNDS) {
        if (round == IMPULSE_ROUNDS)
            c->held_count = 0;
        if (!hold_impacts(c))
            return false;
        bool kept = true;
        for (int turn = 0; kept && turn < ZONE_TURNS; turn++) {
            tide_impacts_push(c->surface, c->held, c->held_count, ZONE_SWEEPS, to, c->moved, c->work);
            kept = keep_out(c, to);
        }
        tide_zones_clear(c->zones);
        c->report->zones += tide_zones_join(c->zones, c->held, c->held_count);
    } else {
        if (round == IMPULSE_ROUNDS + ZONE_ROUNDS)
            tide_zones_clear(c->zones);
        c->rigid = true;
        // Zones depend on the order of impacts, which differs between a search and known pairs.
        if (!sort(c, c->impacts, c->impact_count, false))
            return false;
        c->report->rigid_zones += tide_zones_join(c->zones, c->impacts, c->impact_count);
        tide_zones_move(c->zones, from, to, c->moved);
    }
    // Impacts that did not change are tested again.
    for (size_t i = 0; i < c->impact_count; i++)
        for (int k = 0; k < 4; k++)
            c->moved[c->impacts[i].points[k]] = true;
    return true;
}

// Sets *clear to whether `to` is free of impacts. Rigid zones ensure it, unless bending points of infinite mass lead
// them.
static tide_status resolve(tide_continuous *c, const double *from, double *to, bool *clear, tide_error *error)
{
    c->rigid = false;
    for (int round = 0; round < IMPULSE_ROUNDS + ZONE_ROUNDS + RIGID_ROUNDS; round++) {
        double begin = tide_clock_seconds();
        bool first = round == 0;
        tide_status status = first ? tide_continuous_begin_search(c, from, to, error)
                                   : tide_continuous_continue_search(c, from, to, &first, error);
        if (status != TIDE_OK)
            return status;
        c->impact_count = 0;
        tide_contact_work_spend(c->work, c->surface->point_count); // of the search
        tide_continuous_find_impacts(c, first, from, to);
        c->report->impacts += (uint32_t)c->impact_count;
        double middle = tide_clock_seconds();
        c->report->detect_seconds += middle - begin;
        *clear = c->impact_count == 0;
        if (*clear && !c->failed && !tide_continuous_is_exhausted(c))
            return TIDE_OK;
        if (tide_continuous_is_exhausted(c))
            return tide_contact_work_fail(c->work, error);
        if (c->failed || !apply_impulses(c, round, from, to))
            return tide_fail_memory(error, "continuous collision");
        c->report->solve_seconds += tide_clock_seconds() - middle;
    }
    return TIDE_OK;
}

// Resolves the motion; where that fails, in two halves. The second half starts with the velocities that result from the
// first.
static tide_status resolve_in_parts(tide_continuous *c, int depth, const double *from, double *to, tide_error *error)
{
    const size_t count = 3 * (size_t)c->surface->point_count;
    double *wanted = NULL;
    bool clear = false;
    if (depth < TIDE_HALVINGS) {
        if (!c->kept[depth] && !(c->kept[depth] = tide_own_array(c, 2 * count, sizeof **c->kept)))
            return tide_fail_memory(error, "continuous collision");
        wanted = c->kept[depth];
        memcpy(wanted, to, count * sizeof *to);
    }
    tide_status status = resolve(c, from, to, &clear, error);
    if (status == TIDE_OK && (clear || depth == TIDE_HALVINGS)) {
        c->report->parts++;
        c->report->unresolved += (uint32_t)c->impact_count;
    }
    if (status != TIDE_OK || clear || depth == TIDE_HALVINGS)
        return status;
    c->centres = c->skins = NULL; // they hold for the whole motion, not for its halves
    double *middle = wanted + count;
    for (size_t i = 0; i < count; i++)
        middle[i] = from[i] + 0.5 * (wanted[i] - from[i]);
    status = resolve_in_parts(c, depth + 1, from, middle, error);
    if (status != TIDE_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        bool free = c->surface->inverse_masses[i / 3] > 0;
        to[i] = free ? middle[i] + (middle[i] - from[i]) : wanted[i];
    }
    return resolve_in_parts(c, depth + 1, middle, to, error);
}

tide_status tide_continuous_resolve(tide_continuous *c, const double *from, double *to, tide_continuous_report *report,
                                    tide_error *error)
{
    tide_continuous_report unused;
    c->report = report ? report : &unused;
    *c->report = (tide_continuous_report) { 0 };
    c->failed = false;
    memset(c->moved, 0, c->surface->point_count * sizeof *c->moved);
    tide_status status = resolve_in_parts(c, 0, from, to, error);
    c->report = NULL;
    c->centres = c->skins = NULL;
    return status;
}
