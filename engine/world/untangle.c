#include "world/untangle.h"

#include "base/log.h"
#include "base/memory.h"
#include "contact/contact_history.h"
#include "world/certificate.h"
#include "world/contact_hints.h"
#include "world/world_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define INSISTS 0.1      // pulls grow by this with each step without progress,
#define INSISTS_MOST 4.0 // up to this factor
#define JUMP 8           // a pin that goes so many thicknesses in a step may draw its body through others

static size_t size_of_positions(const tide_world *world)
{
    return 3 * (size_t)world->particle_count * sizeof *world->positions;
}

static bool is_collider_placed(const tide_world *world)
{
    for (size_t c = 0; c < world->collider_count; c++)
        if (!tide_pose_equal(&world->colliders[c]->start, &world->colliders[c]->known))
            return true;
    return false;
}

static void note_state(tide_world *world)
{
    if (world->particle_count)
        memcpy(world->known_positions, world->positions, size_of_positions(world));
    for (size_t c = 0; c < world->collider_count; c++)
        world->colliders[c]->known = world->colliders[c]->start;
}

// Tells whether the state is another than that which the last step has left.
static bool is_edited(const tide_world *world)
{
    return world->untangling.edited || is_collider_placed(world) ||
           (world->particle_count && memcmp(world->positions, world->known_positions, size_of_positions(world)) != 0);
}

// --- messages -------------------------------------------------------------------------------------------------------

// Logs what crosses, by the certificate, which shares no decision with untangling.
static void tell(tide_world *world, const char *what, const tide_tangle_report *found)
{
    tide_certificate certificate;
    tide_error error;
    char text[600];
    if (tide_world_certify(world, &certificate, &error) == TIDE_OK && certificate.count)
        tide_certificate_write(world, &certificate, text, sizeof text);
    else
        snprintf(text, sizeof text, "frame %" PRIu64 ": %" PRIu32 " %s, the first at (%.4g, %.4g, %.4g)", world->frame,
                 found->crossings ? found->crossings : found->inside,
                 found->crossings     ? "edges go through triangles"
                 : found->inside == 1 ? "vertex is in a collider or in its thickness"
                                      : "vertices are in colliders or in their thickness",
                 found->place[0], found->place[1], found->place[2]);
    tide_log(TIDE_LOG_WARNING, "contact: %s; %s", text, what);
}

static void tell_diverged(const tide_world *world, const tide_tangle_report *found)
{
    tide_log(TIDE_LOG_WARNING,
             "contact: frame %" PRIu64 ": more than %" PRIu32 " edges go through triangles, the first at (%.4g, %.4g, "
             "%.4g): more than can be pulled apart; they are left as they are; restore an earlier state, or start from "
             "a shape that is not torn to and fro",
             world->frame, found->crossings - 1, found->place[0], found->place[1], found->place[2]);
}

// Tells once that a search was not complete, and again after one that was.
static void tell_stop(tide_world *world, const tide_tangle_report *found)
{
    if (found->stopped && !world->told_of_stop)
        tide_log(TIDE_LOG_WARNING,
                 "contact: frame %" PRIu64 ": the search for crossings stopped after %" PRIu64
                 " pairs of an edge and a "
                 "triangle, its bound: what else crosses is left; take bodies farther apart, or give them coarser "
                 "meshes",
                 world->frame, found->tests);
    world->told_of_stop = found->stopped;
}

static void tell_end(const tide_world *world)
{
    const tide_untangling *u = &world->untangling;
    tide_log(TIDE_LOG_INFO, "contact: frame %" PRIu64 ": untangled after %.0f step%s, by impulses of %.3g N s in all",
             world->frame, u->steps, u->steps == 1 ? "" : "s", u->impulse);
}

// --- the step -------------------------------------------------------------------------------------------------------

static tide_status search(tide_world *world, tide_error *error)
{
    tide_untangling *u = &world->untangling;
    tide_tangle_report found;
    TIDE_TRY(tide_contacts_find_tangle(world->contacts, world->positions, &found, error));
    tell_stop(world, &found);
    double left = (double)found.crossings + found.wrong + found.inside;
    bool clear = !found.crossings && !found.inside;
    if (clear && (!u->active || (u->best == 0 && ++u->since >= TIDE_UNTANGLE_CLEAR))) {
        if (u->active)
            tell_end(world);
        tide_contacts_release_tangle(world->contacts);
        *u = (tide_untangling) { .penetrating = u->penetrating };
        return TIDE_OK;
    }
    if (clear && u->best == 0)
        return TIDE_OK;
    if (found.diverged) {
        tell_diverged(world, &found);
        *u = (tide_untangling) { .penetrating = u->penetrating };
        return TIDE_OK;
    }
    if (!u->active || u->best == 0 || is_edited(world)) {
        bool news = !u->active;
        *u = (tide_untangling) {
            .active = true, .penetrating = u->penetrating, .best = left, .steps = u->steps, .impulse = u->impulse
        };
        if (news)
            tell(world, "they are pulled apart over the next steps", &found);
        return TIDE_OK;
    }
    u->since = left < u->best ? 0 : u->since + 1;
    u->best = left < u->best ? left : u->best;
    if (u->since < TIDE_UNTANGLE_PATIENCE)
        return TIDE_OK;
    char what[120];
    snprintf(what, sizeof what, "they could not be pulled apart in %.0f steps and are left as they are", u->steps);
    tide_contacts_release_tangle(world->contacts);
    *u = (tide_untangling) { .penetrating = u->penetrating };
    tell(world, what, &found);
    return TIDE_OK;
}

tide_status tide_world_untangle(tide_world *world, tide_error *error)
{
    if (!tide_contacts_may_tangle(world->contacts)) {
        world->untangling = (tide_untangling) { 0 };
        return TIDE_OK;
    }
    world->was_edited = is_edited(world);
    if (world->was_edited)
        tide_world_hint_contacts(world);
    return world->untangling.active || world->was_edited ? search(world, error) : TIDE_OK;
}

// Sets the change of velocity by the forces of the step, m/s. Springs are evaluated at the positions that particles
// would reach without springs, so that what hangs on a particle pulls it from the first step on. `places` is workspace.
static void find_gain(const tide_world *world, double *places, double *gain)
{
    double h = world->settings.timestep;
    size_t count = 3 * (size_t)world->particle_count;
    const double *masses = world->system->masses;
    for (size_t n = 0; n < count; n++) {
        double fall = masses[n / 3] > 0 ? h * world->total_forces[n] / masses[n / 3] : 0;
        places[n] = world->positions[n] + h * (world->velocities[n] + fall);
    }
    tide_system_gradient(world->system, places, gain);
    for (size_t n = 0; n < count; n++)
        gain[n] = masses[n / 3] > 0 ? h * (world->total_forces[n] - gain[n]) / masses[n / 3] : 0;
}

void tide_world_pull_tangle(tide_world *world)
{
    tide_untangling *u = &world->untangling;
    if (!u->active)
        return;
    double *gain = world->next_velocities; // the step has not begun to write its results
    find_gain(world, world->next_positions, gain);
    u->impulse += tide_contacts_pull_tangle(world->contacts, world->velocities, gain, world->settings.timestep,
                                            fmin(1 + INSISTS * u->since, INSISTS_MOST), world->total_forces);
    u->steps++;
}

// Tells whether a pin has gone so far in this step that it may have drawn its vertex through something.
static bool has_jumped(const tide_world *world)
{
    for (size_t i = 0; i < world->pin_count; i++) {
        const tide_pin *pin = &world->pins[i];
        if (pin->particle >= world->particle_count)
            continue;
        double square = 0, far = JUMP * tide_contacts_thickness(world->contacts, (uint32_t)pin->particle);
        const double *before = world->last_positions + 3 * pin->particle;
        for (int k = 0; k < 3; k++)
            square += (world->positions[3 * pin->particle + (size_t)k] - before[k]) *
                      (world->positions[3 * pin->particle + (size_t)k] - before[k]);
        if (square > far * far)
            return true;
    }
    return false;
}

void tide_world_settle_tangle(tide_world *world)
{
    bool ready = !world->contacts_changed && tide_contacts_may_tangle(world->contacts);
    bool penetrating = ready && tide_contacts_penetrate(world->contacts);
    bool freed = world->untangling.penetrating && !penetrating;
    bool search_now = ready && !world->untangling.active && (world->was_edited || freed || has_jumped(world));
    world->untangling.penetrating = penetrating;
    world->untangling.edited = world->was_edited = false;
    note_state(world);
    tide_error error;
    if (search_now && search(world, &error) != TIDE_OK)
        world->untangling.edited = true; // the next step tries again, and fails
}

// --- the state ------------------------------------------------------------------------------------------------------

tide_status tide_world_put_untangling(tide_world *world, tide_error *error)
{
    const tide_untangling *u = &world->untangling;
    tide_history *history = &world->contact_history;
    // The state of frame 0 always is edited. Without contacts that are up to date anything may tangle.
    bool may = !world->contacts || world->contacts_changed || tide_contacts_may_tangle(world->contacts),
         edited = world->frame > 0 && may && is_edited(world);
    tide_contact_history_entry entry = { .kind = TIDE_HISTORY_TANGLE,
                                         .accumulated = { edited + 2 * u->penetrating, u->best, u->since },
                                         .weights = { u->active, u->steps, u->impulse } };
    if (!tide_grow(&history->bytes, &history->capacity, history->size + TIDE_HISTORY_TANGLE_SIZE, 1))
        return tide_fail_memory(error, "world");
    history->size = tide_contact_history_put_tangle(history->bytes, history->size,
                                                    edited || u->active || u->penetrating ? &entry : NULL);
    return TIDE_OK;
}

void tide_world_take_untangling(tide_world *world, const void *history, size_t size, unsigned long long frame)
{
    tide_contact_history_entry entry = { 0 };
    bool any = tide_contact_history_tangle(history, size, &entry);
    unsigned flags = any ? (unsigned)entry.accumulated[0] : 0;
    world->untangling = (tide_untangling) { .edited = frame == 0 || (flags & 1) != 0,
                                            .penetrating = (flags & 2) != 0,
                                            .active = any && entry.weights[0] != 0,
                                            .best = entry.accumulated[1],
                                            .since = entry.accumulated[2],
                                            .steps = entry.weights[1],
                                            .impulse = entry.weights[2] };
    note_state(world);
}
