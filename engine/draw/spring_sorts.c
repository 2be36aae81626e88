// Sorts the springs of a world: edges, bending springs, and added ones, which include all other elements of a body.
#include "draw/world_view_parts.h"

// Finds the body of a group of the system, and its index among the body's groups. Groups are in the order of the
// bodies, without empty ones, followed by those of pins and attachments. False for the latter.
static bool body_of_group(tide_world *world, uint32_t group, tide_body_info *info, uint32_t *which)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < tide_world_body_count(world); i++) {
        if (!tide_world_body_info(world, tide_world_body_at(world, i), info))
            continue;
        for (*which = 0; *which < info->group_count; ++*which)
            if (info->groups[*which].count && next++ == group)
                return true;
    }
    return false;
}

static bool is_edge(const tide_body_info *body, const uint32_t *ends, uint32_t spring)
{
    const uint32_t *edge = body->mesh->edges + 2 * (size_t)spring;
    return spring < body->mesh->edge_count && ends[0] == body->first_particle + edge[0] &&
           ends[1] == body->first_particle + edge[1];
}

const unsigned char *tide_view_spring_sorts(tide_draw_list *list, tide_world *world, const tide_system *system,
                                            uint32_t group)
{
    const tide_elements *springs = &system->groups[group];
    tide_body_info body;
    uint32_t which;
    bool own = body_of_group(world, group, &body, &which);
    unsigned char *sorts = tide_draw_list_allocate(list, springs->count);
    for (uint32_t e = 0; e < springs->count && sorts; e++) {
        bool extra = own && e >= body.spring_count - body.look->spring_count;
        sorts[e] = !own                                                   ? TIDE_SPRING_ATTACHMENT
                   : which > 0                                            ? TIDE_SPRING_EXTRA
                   : is_edge(&body, springs->vertices + 2 * (size_t)e, e) ? TIDE_SPRING_EDGE
                   : extra                                                ? TIDE_SPRING_EXTRA
                                                                          : TIDE_SPRING_BEND;
    }
    return sorts;
}

// The colours also differ in lightness.
tide_colour tide_view_sort_colour(tide_spring_sort sort)
{
    static const tide_colour colours[] = { [TIDE_SPRING_EDGE] = { 0.16f, 0.20f, 0.27f, 1 },
                                           [TIDE_SPRING_BEND] = { 0.24f, 0.58f, 0.86f, 1 },
                                           [TIDE_SPRING_EXTRA] = { 0.86f, 0.42f, 0.05f, 1 },
                                           [TIDE_SPRING_ATTACHMENT] = { 0.56f, 0.10f, 0.46f, 1 } };
    return colours[sort];
}
