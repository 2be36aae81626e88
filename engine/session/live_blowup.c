// Detects a scene that explodes while its numbers are still finite: a spring many times its rest length, or another
// element many times its size at rest.
#include "session/live_state.h"

#include "base/memory.h"
#include "model/system.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define TOO_FAR 20.0 // elongation beyond the rest length, in rest lengths
#define SOUND 2.0

typedef struct longest {
    const tide_elements *group; // of the system
    uint32_t element;
    double strain;
} longest;

// Elements without stiffness, such as cut ones, and elements of rest size 0 may have any size.
static void look_at(const tide_elements *group, uint32_t e, double strain, longest *found)
{
    const double *rest = group->parameters + group->kind->rest_parameter * (size_t)group->count;
    if (!(strain > found->strain) || !(rest[e] > 0) || !(tide_element_stiffness(group, e) > 0))
        return;
    *found = (longest) { group, e, strain };
}

static longest find_longest(tide_live *live)
{
    enum { BLOCK = 256 };
    const tide_system *system;
    longest found = { 0 };
    tide_world *world = tide_live_world(live);
    if (tide_world_system(world, &system, NULL) != TIDE_OK)
        return found;
    for (uint32_t g = 0; g < system->group_count; g++) {
        const tide_elements *group = &system->groups[g];
        if (!group->kind->noun || !tide_element_has_rest(group->kind))
            continue;
        for (uint32_t from = 0; from < group->count; from += BLOCK) {
            double strains[BLOCK];
            uint32_t to = group->count - from < BLOCK ? group->count : from + BLOCK;
            group->kind->strain(group, tide_world_all_positions(world), from, to, strains);
            for (uint32_t e = from; e < to; e++)
                look_at(group, e, strains[e - from], &found);
        }
    }
    return found;
}

double tide_live_strain(tide_live *live)
{
    return live->history.limit && !live->sealed ? find_longest(live).strain : 0;
}

// Returns the last frame that looked sound, or else the first one.
static uint64_t last_valid_frame(const tide_live *live)
{
    uint64_t first = tide_frame_history_first(&live->history), frame = tide_live_frame(live);
    while (frame > first && !(tide_frame_history_find(&live->history, frame) &&
                              tide_frame_history_find(&live->history, frame)->strain < SOUND))
        frame--;
    return frame;
}

static void tell_blowup(tide_live *live, uint64_t sound, const longest *found, tide_error *error)
{
    static const char *const cures[] = {
        [TIDE_STABLE_UNKNOWN] = "set a shorter timestep",
        [TIDE_STABLE_NEVER] = "no timestep is stable without damping: set damping = \"auto\",",
        [TIDE_STABLE_BELOW] = "set a shorter timestep",
        [TIDE_STABLE_ALWAYS] = "set more iterations",
    };
    tide_world *world = tide_live_world(live);
    const tide_element_kind *kind = found->group->kind;
    uint32_t particle = found->group->vertices[kind->vertex_count * (size_t)found->element];
    const char *cure = cures[tide_live_stability(live)];
    for (uint32_t b = 0; b < tide_world_body_count(world); b++) {
        tide_body_info body;
        char object[sizeof error->object], value[32], name[TIDE_ELEMENT_NAME_SIZE];
        if (!tide_world_body_info(world, tide_world_body_at(world, b), &body) || particle < body.first_particle ||
            particle - body.first_particle >= body.vertex_count)
            continue;
        snprintf(object, sizeof object, "body \"%.80s\"", body.name);
        snprintf(value, sizeof value, "%" PRIu32, particle - body.first_particle + 1);
        tide_world_name_element(world, found->group, found->element, particle, name, sizeof name);
        tide_error_set(error, TIDE_ERROR_NUMERIC, object, "vertex", value,
                       "it explodes under %s: at frame %" PRIu64 " the %s was %.0f times its rest %s. This is frame "
                       "%" PRIu64 ", the last that looked sound; %s or another solver",
                       tide_solver_kind_of(tide_world_solver(world))->name, tide_live_frame(live), name,
                       1 + found->strain, kind->size, sound, cure);
        tide_error_locate(error, body.script_file, body.script_line);
    }
}

tide_status tide_live_check_blowup(tide_live *live, uint64_t *sound, tide_error *error)
{
    if (live->excused || !(live->strain > TOO_FAR) || !live->history.count)
        return TIDE_OK;
    longest found = find_longest(live);
    *sound = last_valid_frame(live);
    if (!(found.strain > TOO_FAR)) // differs from the last check: something has changed the state
        return TIDE_OK;
    *error = (tide_error) { .status = TIDE_ERROR_NUMERIC };
    tell_blowup(live, *sound, &found, error);
    return TIDE_ERROR_NUMERIC;
}
