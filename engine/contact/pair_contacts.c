// Decides which points, edges and triangles to evaluate, and keeps the contacts among them.
#include "collision/collider_vertices.h"
#include "contact/motion_bound.h"

#include "base/bit_set.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec3.h"

#include <string.h>

enum { FOLLOWED = 2048 }; // points of one task
enum { WATCHED = 4096 };  // pairs of one task
enum { CHECKED = 1024 };  // contacts of one task
enum { FEW = 4 };         // pairs do not last after a substep whose updates recentre more than points / FEW
enum { LARGE = 4096 };    // points; see WELL_WITHIN
enum { MANY = 8 };        // more than points / MANY are searched for: the stretch is measured

// Skin thickness: parts of the radius and of the relative motion. It is bounded, so that a wild guess of the motion
// does not make pairs of everything.
#define OF_RADIUS 0.5
#define OF_RADIUS_OF_LINES 1 // few are near each other
#define OF_MOTION 0.1
#define MOST_RADII 2
#define OF_OUTSIDE 0.25 // part of the distance outside the skin
// A part of the skin thickness. In a world of more than LARGE points, an update also recentres the skins of points that
// are farther from the centre than this. It saves later updates, each of which copies all pairs. In a smaller world it
// costs as much as it saves.
#define WELL_WITHIN 0.75
#define THICK 0.5 // of the mean edge: from this thickness on, wide skins would reach many neighbours

// The skin of a thick part depends on its radius alone. With the thickness it is then less than the distance at which a
// sheet can be folded (FOLD_FACTOR), so that neighbours make no pairs.
static void set_widest_skins(tide_contacts *c)
{
    const tide_contact_surface *s = c->surface;
    double thickest = 1;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        double sum = tide_contact_edges_at_rest(s, part), width = 2 * part->radius * part->edge_count;
        bool thick = s->rest && part->triangle_count > 0 && width > THICK * sum;
        c->search.widest_skins[i] = (thick ? OF_RADIUS : MOST_RADII) * part->radius;
        if (s->rest && part->triangle_count > 0 && sum > 0)
            thickest = fmax(thickest, width / sum);
    }
    // A part thicker than its edges has more pairs with itself.
    double each = TIDE_WORK_PAIRS_FEATURE * thickest * thickest, most = TIDE_WORK_PAIRS;
    c->work.most_pairs = (uint64_t)fmin(most + each * (double)tide_contact_features(s), UINT32_MAX);
}

tide_status tide_pair_contacts_create(tide_contacts *c, tide_error *error)
{
    const tide_contact_surface *s = c->surface;
    c->search.skin_centres = tide_own_zeroed(c, s->point_count, 3 * sizeof *c->search.skin_centres);
    c->search.skins = tide_own_zeroed(c, s->point_count, sizeof *c->search.skins);
    c->search.widest_skins = tide_own_array(c, s->part_count, sizeof *c->search.widest_skins);
    c->search.tested_at = tide_own_array(c, c->moving_count, 3 * sizeof *c->search.tested_at);
    c->search.tested_paths = tide_own_array(c, c->moving_count, sizeof *c->search.tested_paths);
    c->search.paths = tide_own_zeroed(c, (size_t)s->point_count + 1, sizeof *c->search.paths);
    c->search.outside = tide_own_zeroed(c, s->point_count, sizeof *c->search.outside);
    c->search.some_outside = tide_own_zeroed(c, s->point_count / FOLLOWED + 1, sizeof *c->search.some_outside);
    c->search.bounce_reach = tide_own_zeroed(c, s->point_count, sizeof *c->search.bounce_reach);
    if (!tide_owns_all(c))
        return tide_fail_memory(error, "contact");
    set_widest_skins(c);
    bool lines = c->moving_count == s->point_count && s->triangle_count == 0;
    tide_status status = lines ? tide_motion_bound_create(c, error) : TIDE_OK;
    if (status == TIDE_OK)
        status = tide_proximity_create(s, c->settings.lines, &c->search.proximity, error);
    if (status == TIDE_OK && c->settings.continuous)
        status = tide_continuous_create(s, &c->continuous, error);
    if (status == TIDE_OK && c->settings.continuous)
        status = tide_continuous_use_pairs(c->continuous, c->search.proximity, error);
    if (c->search.proximity)
        tide_proximity_limit(tide_own(c, c->search.proximity), &c->work);
    if (c->continuous)
        tide_continuous_limit(tide_own(c, c->continuous), &c->work);
    if (c->continuous && c->collider_count > 0)
        tide_continuous_keep_out(c->continuous, tide_collider_contacts_keep_out, c);
    return status;
}

// --- where points are -----------------------------------------------------------------------------------------------

// Places the vertices of mesh colliders.
static void place_fixed(const tide_contacts *c, double fraction, double *points)
{
    const tide_contact_surface *s = c->surface;
    for (uint32_t i = 0; i < s->part_count; i++) {
        const tide_contact_part *part = &s->parts[i];
        if (!part->fixed)
            continue;
        tide_pose pose = tide_collider_pose(c->colliders[part->collider], fraction);
        const tide_deform *deform = c->colliders[part->collider]->shape.deform;
        const double *own = s->rest + 3 * (size_t)part->first_point;
        if (deform)
            own = fraction == deform->from ? deform->at_from : deform->at_to;
        for (size_t p = 0; p < part->point_count; p++)
            tide_pose_apply(&pose, own + 3 * p, points + 3 * (part->first_point + p));
    }
}

static inline double square_between(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

// Returns whether the point is within a part of its skin, in the moving frame.
static inline bool is_within_part(const tide_contacts *c, uint32_t p, const double *at, double part)
{
    const double *found = c->search.skin_centres + 3 * (size_t)p, *f = c->search.frame;
    double x = at[0] - found[0] - f[0], y = at[1] - found[1] - f[1], z = at[2] - found[2] - f[2];
    double reach = part * c->search.skins[p];
    return x * x + y * y + z * z <= reach * reach;
}

static inline bool is_within(const tide_contacts *c, uint32_t p, const double *at)
{
    return is_within_part(c, p, at, 1);
}

// Returns whether all points are within their skins at the start of a later substep than that of the search.
static bool start_within(const tide_contacts *c)
{
    for (uint32_t p = 0; p < c->surface->point_count; p++) {
        if (!is_within(c, p, c->from + 3 * (size_t)p))
            return false;
        if (p >= c->moving_count && !is_within(c, p, c->to + 3 * (size_t)p))
            return false;
    }
    return true;
}

// To be called when pairs change. Levels become invalid, and all pairs will be tested for touch again.
static void forget_tests(tide_contacts *c)
{
    c->search.tested = false;
    tide_pair_levels_forget(c->levels);
}

// To be called when contacts change, too. Colours also become invalid.
static void forget_orders(tide_contacts *c)
{
    forget_tests(c);
    tide_pair_colours_forget(c);
}

typedef struct following {
    const tide_contacts *c;
    const double *x;
} following;

static void follow_some(void *context, uint32_t begin, uint32_t end)
{
    const following *f = context;
    const tide_contacts *c = f->c;
    bool within = true;
    for (uint32_t p = begin; p < end; p++) {
        double place[3], *to = c->to + 3 * (size_t)p;
        tide_contact_place(c, f->x, p, place);
        c->search.paths[p] += sqrt(square_between(place, to));
        memcpy(to, place, sizeof place);
        within &= is_within(c, p, to);
    }
    c->search.some_outside[begin / FOLLOWED] = !within;
}

static uint32_t task_count(const tide_contacts *c)
{
    return (c->moving_count + FOLLOWED - 1) / FOLLOWED;
}

static bool follow_each(const tide_contacts *c, const double *x)
{
    following f = { c, x };
    tide_parallel_for(c->moving_count, FOLLOWED, follow_some, &f);
    return tide_next_set(c->search.some_outside, 0, task_count(c)) == task_count(c);
}

bool tide_pair_contacts_follow(tide_contacts *c, const double *x)
{
    return tide_pairs_move_frame(c) ? tide_motion_bound_update(c, x) : follow_each(c, x);
}

// --- from timestep to timestep ---------------------------------------------------------------------------------------
//
// Pairs that were found in an earlier timestep stay valid while all points start within their skins. Each timestep
// recomputes the sides of pairs and their planes of separation. The skins decide when an update is necessary, and an
// update may change the order of contacts. Histories therefore contain the skins (contact_history.c), so that a
// restored world has the same bits.

// Returns whether pairs of this surface may stay valid in later timesteps. Solids need a search in each timestep, to
// find which points are inside. Mesh colliders move.
static bool may_last(const tide_contacts *c)
{
    const tide_contact_surface *s = c->surface;
    for (uint32_t i = 0; i < s->part_count; i++)
        if (s->parts[i].solid || s->parts[i].fixed)
            return false;
    return !tide_pairs_move_frame(c);
}

// Recomputes the sides and planes of some pairs for another start. Returns 1 if a triangle has no area, else 0.
static double renew_some(void *context, uint32_t begin, uint32_t end)
{
    tide_contacts *c = context;
    bool lost = false;
    for (uint32_t i = begin; i < end; i++) {
        tide_pair_watch *w = &c->search.watches.items[i];
        tide_separation *plane = &c->search.watches.planes[i];
        tide_side_change change = tide_proximity_renew_side(c->search.proximity, i);
        if (change == TIDE_SIDE_SAME) {
            tide_separation_restart(plane, w->points, c->from);
            continue;
        }
        plane->kind = TIDE_PAIR_POINTS;
        w->due = -HUGE_VAL;
        lost = lost || change == TIDE_SIDE_LOST;
    }
    return lost;
}

static tide_status watch(tide_contacts *c, tide_error *error);

// Finds the pairs within the skins of a history. Returns whether they are complete. The search does not count as work
// of this timestep.
static bool find_recorded(tide_contacts *c)
{
    const tide_pair_search *search = &c->search;
    tide_proximity_limit(search->proximity, NULL);
    tide_status status =
        tide_proximity_find(search->proximity, search->skin_centres, search->skin_centres, search->skins, NULL);
    tide_proximity_limit(search->proximity, &c->work);
    return status == TIDE_OK && tide_proximity_is_complete(search->proximity) && watch(c, NULL) == TIDE_OK;
}

// Returns whether the pairs found in an earlier timestep are valid in this one.
static bool last(tide_contacts *c)
{
    if (!c->search.lasts || c->surface->tangled || !may_last(c) || !follow_each(c, c->step->q))
        return false;
    if (c->search.found == TIDE_PAIRS_NONE && !find_recorded(c))
        return false;
    tide_proximity_restart(c->search.proximity, c->from);
    return tide_parallel_most((uint32_t)c->search.watches.count, WATCHED, renew_some, c) == 0;
}

void tide_pair_contacts_begin(tide_contacts *c)
{
    c->gone.count = 0;
    forget_orders(c);
    memset(c->search.bounce_reach, 0, c->surface->point_count * sizeof *c->search.bounce_reach);
    place_fixed(c, c->step->from, c->from);
    place_fixed(c, c->step->to, c->to);
    c->search.recentred = 0;
    bool another = c->step->from == 0, known = another ? last(c) : c->search.found && start_within(c);
    c->search.found = known ? TIDE_PAIRS_EARLIER : TIDE_PAIRS_NONE;
    for (size_t i = 0; i < c->list.count && known; i++)
        if (tide_contact_is_pair(&c->list.items[i]))
            c->search.watches.items[c->list.items[i].found].due = -HUGE_VAL;
}

// --- what to evaluate ------------------------------------------------------------------------------------------------

// Sets the skin of a point: a ball of radius `thickness` about the path from where it is to where the iterations are
// expected to lead it (on as it moved), or as much of that path as the bound allows. The skin includes the path of a
// bounce.
static void aim(tide_contacts *c, uint32_t p, double thickness)
{
    double most = c->search.widest_skins[c->surface->part_of[p]], motion[3] = { 0 }, square = 0;
    double *found = c->search.skin_centres + 3 * (size_t)p, *to = c->to + 3 * (size_t)p;
    thickness = fmax(thickness < most ? thickness : most, c->search.bounce_reach[p]);
    if (!tide_pairs_move_frame(c))
        tide_contact_place(c, c->step->velocity, p, motion);
    for (int k = 0; k < 3 && !tide_pairs_move_frame(c); k++) {
        motion[k] = c->from[3 * (size_t)p + (size_t)k] + c->step->h * motion[k] - to[k];
        square += motion[k] * motion[k];
    }
    double length = sqrt(square), half = fmin(0.5 * length, most - thickness);
    bool known = half > 0 && isfinite(length);
    for (int k = 0; k < 3; k++)
        found[k] = to[k] - c->search.frame[k] + (known ? half / length * motion[k] : 0);
    c->search.skins[p] = known ? thickness + half : thickness;
}

static double slack_of(const tide_contacts *c, uint32_t p)
{
    return (tide_pairs_move_frame(c) ? OF_RADIUS_OF_LINES : OF_RADIUS) *
           c->surface->parts[c->surface->part_of[p]].radius;
}

static void set_skins(tide_contacts *c)
{
    double mean[3] = { 0 };
    memcpy(c->search.skin_centres, c->to, 3 * (size_t)c->surface->point_count * sizeof *c->to);
    for (size_t n = 0; n < 3 * (size_t)c->moving_count; n += 3)
        for (size_t k = 0; k < 3; k++)
            mean[k] += c->to[n + k] - c->from[n + k];
    for (int k = 0; k < 3; k++)
        mean[k] /= fmax(c->moving_count, 1);
    for (uint32_t p = 0; p < c->surface->point_count; p++) {
        const double *from = c->from + 3 * (size_t)p, *to = c->to + 3 * (size_t)p;
        double rest[3] = { from[0] + mean[0], from[1] + mean[1], from[2] + mean[2] };
        c->search.skins[p] = 0;
        if (!tide_proximity_uses(c->search.proximity, p))
            c->search.skins[p] = HUGE_VAL;
        else if (p < c->moving_count)
            aim(c, p, slack_of(c, p) + OF_MOTION * sqrt(square_between(to, rest)));
    }
}

static void recentre_point(tide_contacts *c, uint32_t p)
{
    double at[3];
    for (size_t k = 0; k < 3; k++)
        at[k] = c->to[3 * (size_t)p + k] - c->search.frame[k];
    double away = sqrt(square_between(at, c->search.skin_centres + 3 * (size_t)p));
    c->search.outside[p] = true;
    aim(c, p, tide_pairs_move_frame(c) ? fmax(c->search.skins[p], away) : slack_of(c, p) + OF_OUTSIDE * away);
    if (tide_pairs_move_frame(c))
        tide_motion_bound_reset_point(c, p);
}

// Recentres the skins of points in [begin, end) that are not well within them. Returns the number of these points.
static double recentre_some(void *context, uint32_t begin, uint32_t end)
{
    tide_contacts *c = context;
    double part = c->moving_count > LARGE ? WELL_WITHIN : 1;
    uint32_t count = 0;
    for (uint32_t p = begin; p < end; p++) {
        c->search.outside[p] = !is_within_part(c, p, c->to + 3 * (size_t)p, part);
        if (c->search.outside[p]) {
            recentre_point(c, p);
            count++;
        }
    }
    return count;
}

// Recentres the skins of points that have left theirs, or may soon do so. Returns their number.
static uint32_t recentre_outside(tide_contacts *c)
{
    if (!tide_pairs_move_frame(c))
        return (uint32_t)tide_parallel_sum(c->moving_count, FOLLOWED, recentre_some, c);
    uint32_t count = 0;
    memset(c->search.outside, 0, c->moving_count * sizeof *c->search.outside);
    for (size_t w = 0; w < tide_bit_words(c->particle_count); w++)
        for (uint64_t rest = c->search.exceeded[w]; rest; count++)
            recentre_point(c, tide_bit_take(&rest, w));
    return count;
}

static bool comes_before(const tide_contact_constraint *a, const tide_near_pair *b)
{
    return a->kind != b->kind ? a->kind < b->kind : a->kept.key < b->key;
}

static bool leave(tide_contacts *c, const tide_contact_constraint *pair)
{
    if (tide_contact_is_idle(&pair->kept))
        return true;
    if (!tide_grow_owned(c, &c->gone.items, &c->gone.capacity, c->gone.count + 1, sizeof *c->gone.items))
        return false;
    c->gone.items[c->gone.count++] = *pair;
    return true;
}

static tide_pair_watch watch_for(const tide_contacts *c, uint32_t index, double due)
{
    const tide_contact_pair pair = tide_proximity_pair(c->search.proximity, index);
    tide_pair_watch w = { .due = due };
    for (int k = 0; k < 4; k++)
        w.points[k] = k < tide_contact_corners(pair.kind) ? pair.points[k] : c->surface->point_count;
    return w;
}

static bool make_room(tide_contacts *c, tide_pair_watches *watches, uint32_t count)
{
    return tide_grow_owned(c, &watches->items, &watches->capacity, count, sizeof *watches->items) &&
           tide_grow_owned(c, &watches->planes, &watches->plane_capacity, count, sizeof *watches->planes) &&
           tide_grow_owned(c, &watches->touching, &watches->touching_capacity, count, sizeof *watches->touching);
}

static void watch_some(void *context, uint32_t begin, uint32_t end)
{
    const tide_contacts *c = context;
    uint32_t found;
    const tide_near_pair *pairs = tide_proximity_pairs(c->search.proximity, &found);
    for (uint32_t i = begin; i < end; i++) {
        c->search.watches.items[i] = watch_for(c, i, pairs[i].clearance);
        c->search.watches.planes[i].kind = TIDE_PAIR_POINTS;
    }
}

// Paths start at the centres of the skins, because clearances hold there.
static void begin_paths(tide_contacts *c)
{
    memset(c->search.paths, 0, ((size_t)c->surface->point_count + 1) * sizeof *c->search.paths);
    for (uint32_t p = 0; p < c->moving_count && !tide_pairs_move_frame(c); p++)
        c->search.paths[p] = sqrt(square_between(c->to + 3 * (size_t)p, c->search.skin_centres + 3 * (size_t)p));
}

// Removes contacts whose pairs are gone, and links the others to their watches.
static bool leave_unwatched(tide_contacts *c)
{
    size_t kept = 0;
    bool room = true;
    tide_pair_colours_drop(c);
    for (size_t i = 0; i < c->list.count; i++)
        if (tide_contact_is_pair(&c->list.items[i]))
            c->list.items[i].found = TIDE_NOT_FOUND;
    for (size_t i = 0; i < c->search.watches.count; i++)
        if (c->search.watches.items[i].contact)
            c->list.items[c->search.watches.items[i].contact - 1].found = (uint32_t)i;
    for (size_t i = 0; i < c->list.count; i++) {
        if (c->list.items[i].found == TIDE_NOT_FOUND)
            room = leave(c, &c->list.items[i]) && room;
        else
            tide_contact_list_move(c, (uint32_t)i, (uint32_t)kept++);
    }
    tide_contact_list_cut(c, (uint32_t)kept);
    return room;
}

// Links contacts of pairs, which are in order, to their watches. Contacts of other pairs are gone. Returns false
// without memory.
static bool link_in_order(tide_contacts *c)
{
    uint32_t found;
    const tide_near_pair *pairs = tide_proximity_pairs(c->search.proximity, &found);
    bool room = tide_contact_list_divide(c);
    uint32_t e = (uint32_t)(c->list.count - c->list.pair_count), kept = e;
    for (uint32_t i = 0; i < found && e < c->list.count; i++) {
        const tide_near_pair *pair = &pairs[i];
        while (e < c->list.count && comes_before(&c->list.items[e], pair))
            room = leave(c, &c->list.items[e++]) && room;
        if (e == c->list.count || c->list.items[e].kind != pair->kind || c->list.items[e].kept.key != pair->key)
            continue;
        c->list.items[e].found = i;
        c->search.watches.items[i].due = -HUGE_VAL;
        tide_contact_list_move(c, e++, kept++);
    }
    while (e < c->list.count)
        room = leave(c, &c->list.items[e++]) && room;
    tide_contact_list_cut(c, kept);
    return room;
}

// Sets watches for the pairs found, with the contacts among them.
static tide_status watch(tide_contacts *c, tide_error *error)
{
    uint32_t found = 0;
    tide_proximity_pairs(c->search.proximity, &found);
    if (!make_room(c, &c->search.watches, found))
        return tide_fail_memory(error, "contact");
    c->search.watches.count = found;
    begin_paths(c);
    if (tide_pairs_move_frame(c))
        tide_motion_bound_reset(c);
    tide_parallel_for(found, WATCHED, watch_some, c);
    return link_in_order(c) ? TIDE_OK : tide_fail_memory(error, "contact");
}

// Sorts contacts: those with colliders first, then those of pairs in the order found. Each of these has a watch. With
// `forget`, drops contacts of pairs without an impulse now and in this timestep.
static tide_status put_in_order(tide_contacts *c, bool forget, tide_error *error)
{
    uint32_t total = (uint32_t)c->list.count, dropped = total;
    if (!tide_grow_owned(c, &c->list.order, &c->list.order_capacity, total, sizeof *c->list.order))
        return tide_fail_memory(error, "contact");
    uint32_t count = tide_contact_list_order_colliders(c);
    for (size_t i = 0; i < c->search.watches.count && count < dropped; i++) {
        tide_pair_watch *w = &c->search.watches.items[i];
        if (w->contact == 0)
            continue;
        uint32_t index = w->contact - 1;
        const tide_contact_constraint *pair = &c->list.items[index];
        bool drop = forget && tide_contact_is_idle(&pair->kept) && pair->kept.impulse == 0;
        w->contact = drop ? 0 : count + 1;
        w->due = -HUGE_VAL;
        c->list.order[drop ? --dropped : count++] = index;
    }
    tide_contact_list_permute(c, count);
    return TIDE_OK;
}

// Sets next_watches of some pairs after an update, and links contacts to theirs. Returns the number of these contacts.
static double carry_some(void *context, uint32_t begin, uint32_t end)
{
    tide_contacts *c = context;
    uint32_t found, linked = 0;
    const tide_near_pair *pairs = tide_proximity_pairs(c->search.proximity, &found);
    const tide_pair_watches *before = &c->search.watches;
    tide_pair_watches *next = &c->search.next_watches;
    for (uint32_t i = begin; i < end; i++) {
        bool known = pairs[i].before != TIDE_NO_PAIR;
        next->items[i] = known ? before->items[pairs[i].before] : watch_for(c, i, -HUGE_VAL);
        if (known && pairs[i].kind != TIDE_PAIR_POINTS)
            next->planes[i] = before->planes[pairs[i].before];
        else
            next->planes[i].kind = TIDE_PAIR_POINTS;
        if (next->items[i].contact) {
            c->list.items[next->items[i].contact - 1].found = i;
            linked++;
        }
    }
    return linked;
}

// Sets watches after an update: known pairs keep theirs.
static tide_status watch_on(tide_contacts *c, tide_error *error)
{
    uint32_t found = 0;
    tide_proximity_pairs(c->search.proximity, &found);
    tide_pair_watches before = c->search.watches, *next = &c->search.next_watches;
    if (!make_room(c, next, found))
        return tide_fail_memory(error, "contact");
    next->count = found;
    bool all = tide_parallel_sum(found, WATCHED, carry_some, c) == (double)c->list.pair_count;
    c->search.watches = *next;
    *next = before;
    return all || leave_unwatched(c) ? TIDE_OK : tide_fail_memory(error, "contact");
}

// Fails where no work is left. With many points to look for, there is less where the motion has diverged.
static tide_status look_at_work(tide_contacts *c, uint32_t count, tide_error *error)
{
    if (count > c->moving_count / MANY)
        tide_contact_work_measure(&c->work, c->surface, c->to);
    return c->work.exhausted ? tide_contact_work_fail(&c->work, error) : TIDE_OK;
}

static tide_status find_more(tide_contacts *c, tide_error *error)
{
    uint32_t count = recentre_outside(c);
    c->search.recentred += count;
    TIDE_TRY(look_at_work(c, count, error));
    tide_status status =
        tide_proximity_update(c->search.proximity, c->search.skin_centres, c->search.skins, c->search.outside, error);
    if (status == TIDE_OK)
        status = watch_on(c, error);
    c->search.found = status == TIDE_OK ? TIDE_PAIRS_IN_SUBSTEP : TIDE_PAIRS_NONE;
    return status;
}

static tide_status find_anew(tide_contacts *c, tide_error *error)
{
    TIDE_TRY(look_at_work(c, UINT32_MAX, error));
    if (c->search.found)
        TIDE_TRY(put_in_order(c, false, error));
    memset(c->search.frame, 0, sizeof c->search.frame);
    set_skins(c);
    c->search.found = TIDE_PAIRS_NONE;
    tide_status status =
        tide_proximity_find(c->search.proximity, c->from, c->search.skin_centres, c->search.skins, error);
    if (status == TIDE_OK)
        status = watch(c, error);
    c->search.found = status == TIDE_OK ? TIDE_PAIRS_IN_SUBSTEP : TIDE_PAIRS_NONE;
    return status;
}

// Returns whether an update suffices, instead of a search.
static bool may_update(const tide_contacts *c)
{
    return c->search.found == TIDE_PAIRS_IN_SUBSTEP || (c->search.found == TIDE_PAIRS_EARLIER && c->step->from == 0);
}

tide_status tide_pair_contacts_find(tide_contacts *c, const double *x, tide_error *error)
{
    bool within = tide_pair_contacts_follow(c, x);
    if (c->search.found && within)
        return TIDE_OK;
    forget_tests(c);
    if (may_update(c))
        return find_more(c, error);
    tide_pair_colours_drop(c);
    return find_anew(c, error);
}

// Returns 1 if a search within the same skins might miss the pair of a contact with an impulse, else 0.
static double find_far(void *context, uint32_t begin, uint32_t end)
{
    const tide_contacts *c = context;
    for (uint32_t i = begin; i < end; i++) {
        const tide_contact_constraint *t = &c->list.items[i];
        if (tide_contact_is_pair(t) && !tide_contact_is_idle(&t->kept) &&
            !tide_proximity_finds_again(c->search.proximity, t->found))
            return 1;
    }
    return 0;
}

// Returns whether no skin is wider than a history may have. Bounces make wider skins.
static bool are_narrow(const tide_contacts *c)
{
    for (uint32_t p = 0; p < c->moving_count; p++)
        if (tide_proximity_uses(c->search.proximity, p) &&
            c->search.skins[p] > c->search.widest_skins[c->surface->part_of[p]])
            return false;
    return true;
}

static bool are_all_near(tide_contacts *c)
{
    return tide_parallel_most((uint32_t)c->list.count, CHECKED, find_far, c) == 0;
}

tide_status tide_pair_contacts_end(tide_contacts *c, tide_error *error)
{
    forget_orders(c);
    bool within = tide_next_set(c->search.some_outside, 0, task_count(c)) == task_count(c);
    bool few = c->search.recentred <= c->moving_count / FEW;
    c->search.lasts = c->search.found && few && within && tide_proximity_may_update(c->search.proximity) &&
                      !c->surface->tangled && may_last(c) && tide_proximity_is_complete(c->search.proximity) &&
                      are_narrow(c) && are_all_near(c);
    return c->search.found ? put_in_order(c, true, error) : TIDE_OK;
}

bool tide_pair_points(const tide_contact_surface *s, tide_pair_kind kind, uint64_t key, uint32_t points[4])
{
    uint32_t first = (uint32_t)(key >> 32), second = (uint32_t)key;
    uint32_t firsts = kind == TIDE_PAIR_EDGES ? s->edge_count : s->point_count;
    uint32_t seconds = kind == TIDE_PAIR_EDGES      ? s->edge_count
                       : kind == TIDE_PAIR_TRIANGLE ? s->triangle_count
                                                    : s->point_count;
    if (first >= firsts || second >= seconds)
        return false;
    points[0] = first;
    points[1] = second;
    points[2] = points[3] = 0;
    if (kind == TIDE_PAIR_TRIANGLE)
        memcpy(points + 1, s->triangles + 3 * (size_t)second, 3 * sizeof *points);
    if (kind == TIDE_PAIR_EDGES) {
        memcpy(points, s->edges + 2 * (size_t)first, 2 * sizeof *points);
        memcpy(points + 2, s->edges + 2 * (size_t)second, 2 * sizeof *points);
    }
    return true;
}
