#include "world/certificate.h"

#include "base/clock.h"
#include "base/memory.h"
#include "world/collider_attachments.h"
#include "world/links.h"
#include "world/world_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct tide_certifier { // owns all of it
    tide_contact_surface *surface;
    tide_crossing_search *search;
    double *points;  // (3 * point_count)
    uint32_t *held;  // (point_count)
    size_t *body_of; // (part_count) index; of fixed parts unused
    uint64_t frame;  // of the last check
    size_t body_count, collider_count;
    uint64_t serial;     // of the contacts for which it was made
    tide_crossings last; // its list is the search's
} tide_certifier;

// Parts are the bodies in order, then those with a fine surface in order, then colliders.
static void find_bodies(const tide_world *world, tide_certifier *c)
{
    size_t part = world->body_count;
    for (size_t b = 0; b < world->body_count; b++) {
        c->body_of[b] = b;
        if (world->bodies[b]->surface)
            c->body_of[part++] = b;
    }
}

static tide_status make_certifier(tide_world *world, tide_certifier **out, tide_error *error)
{
    tide_certifier *c = tide_allocate_zeroed(1, sizeof *c);
    tide_status status =
        c ? tide_world_make_surface(world, true, &c->surface, error) : tide_fail_memory(error, "certificate");
    if (status == TIDE_OK) {
        size_t count = c->surface->point_count;
        c->points = tide_own_array(c, 3 * count, sizeof *c->points);
        c->held = tide_own_array(c, count, sizeof *c->held);
        c->body_of = tide_own_zeroed(c, c->surface->part_count, sizeof *c->body_of);
        tide_own(c, c->surface);
        status = tide_owns_all(c) ? tide_crossing_search_create(c->surface, &c->search, error)
                                  : tide_fail_memory(error, "certificate");
    }
    if (status == TIDE_OK)
        tide_own(c, c->search);
    if (status != TIDE_OK) {
        tide_free(c);
        return status;
    }
    find_bodies(world, c);
    c->serial = world->contacts_serial;
    *out = c;
    return TIDE_OK;
}

static tide_status update_certifier(tide_world *world, tide_error *error)
{
    TIDE_TRY(tide_world_update_system(world, error));
    if (world->certifier && !world->contacts_changed && world->certifier->serial == world->contacts_serial)
        return TIDE_OK;
    tide_certifier *made;
    TIDE_TRY(make_certifier(world, &made, error));
    tide_free(world->certifier);
    world->certifier = made;
    return TIDE_OK;
}

static void place_points(const tide_world *world, tide_certifier *c)
{
    const tide_contact_surface *s = c->surface;
    memcpy(c->points, world->positions, 3 * (size_t)world->particle_count * sizeof *c->points);
    for (size_t i = 0; i < s->carried_count; i++)
        for (size_t k = 0; k < 3; k++) {
            double sum = 0;
            for (size_t n = 4 * i; n < 4 * i + 4; n++)
                sum += s->carrier_weights[n] * world->positions[3 * (size_t)s->carriers[n] + k];
            c->points[3 * (world->particle_count + i) + k] = sum;
        }
    for (const tide_contact_part *part = s->parts; part < s->parts + s->part_count; part++) {
        if (!part->fixed)
            continue;
        const tide_collider *collider = world->colliders[part->collider];
        const double *own = tide_collider_vertices(collider);
        for (size_t i = 0; i < part->point_count; i++)
            tide_pose_apply(&collider->start, own + 3 * i, c->points + 3 * (part->first_point + i));
    }
}

static void find_held(const tide_world *world, tide_certifier *c)
{
    memset(c->held, 0xff, c->surface->point_count * sizeof *c->held);
    for (size_t i = 0; i < world->collider_attachment_count; i++) {
        const tide_collider_attachment *attachment = &world->collider_attachments[i];
        if (!tide_pin_is_of_rigid(attachment->pin))
            c->held[attachment->pin] = attachment->collider;
    }
}

// Returns the first crossing that the scene does not allow; 0 if it allows all.
static uint32_t first_of(const tide_crossings *crossings)
{
    uint32_t first = 0;
    while (first < crossings->listed && crossings->list[first].let_pass)
        first++;
    return first < crossings->listed ? first : 0;
}

tide_status tide_world_certify(tide_world *world, tide_certificate *out, tide_error *error)
{
    double start = tide_clock_seconds();
    TIDE_TRY(tide_world_check_idle(world, "certify", error));
    TIDE_TRY(update_certifier(world, error));
    tide_certifier *c = world->certifier;
    place_points(world, c);
    find_held(world, c);
    c->frame = world->frame;
    c->body_count = world->body_count;
    c->collider_count = world->collider_count;
    c->last = (tide_crossings) { 0 };
    TIDE_TRY(tide_crossing_search_run(c->search, c->points, world->colliders, (uint32_t)world->collider_count, c->held,
                                      &c->last, error));
    *out = (tide_certificate) { .frame = world->frame,
                                .count = c->last.count,
                                .let_pass = c->last.let_pass,
                                .complete = c->last.complete,
                                .listed = c->last.listed };
    memcpy(out->of, c->last.of, sizeof out->of);
    if (out->listed)
        tide_world_crossing(world, first_of(&c->last), &out->first);
    out->seconds = tide_clock_seconds() - start;
    return TIDE_OK;
}

// --- names -----------------------------------------------------------------------------------------------------------

// Returns the number of a triangle (or edge, with 2 corners) in a mesh, none if it is not one of it. `guess` is its
// number unless something is cut.
static uint32_t number_of(const uint32_t *corners, int size, uint32_t first_point, const uint32_t *list, uint32_t count,
                          uint32_t guess)
{
    for (uint32_t n = 0; n <= count; n++) {
        uint32_t at = n ? n - 1 : guess;
        bool same = at < count;
        for (int k = 0; k < size && same; k++)
            same = corners[k] == first_point + list[(size_t)size * at + (size_t)k];
        if (same)
            return at;
    }
    return TIDE_CROSSING_NONE;
}

static uint32_t triangle_number(const tide_contact_surface *s, const tide_contact_part *part, const tide_mesh *mesh,
                                uint32_t triangle)
{
    return number_of(s->triangles + 3 * (size_t)triangle, 3, part->first_point, mesh->triangles, mesh->triangle_count,
                     triangle - part->first_triangle);
}

uint32_t tide_world_crossing_count(const tide_world *world)
{
    const tide_certifier *c = world->certifier;
    bool current = c && c->frame == world->frame && c->body_count == world->body_count &&
                   c->collider_count == world->collider_count;
    return current ? c->last.listed : 0;
}

void tide_world_crossing(const tide_world *world, uint32_t index, tide_named_crossing *out)
{
    const tide_certifier *c = world->certifier;
    const tide_contact_surface *s = c->surface;
    const tide_crossing *crossing = &c->last.list[index];
    const tide_contact_part *part = &s->parts[crossing->part];
    const tide_body *body = world->bodies[c->body_of[crossing->part]];
    const tide_mesh *mesh = body->surface ? body->surface : body->mesh;
    *out = (tide_named_crossing) { .kind = crossing->kind,
                                   .body = body->id,
                                   .other_item = TIDE_CROSSING_NONE,
                                   .is_edge = crossing->is_edge,
                                   .let_pass = crossing->let_pass };
    memcpy(out->place, crossing->place, sizeof out->place);
    if (crossing->kind == TIDE_CROSSING_VERTEX)
        out->item = crossing->item - part->first_point;
    else if (crossing->is_edge)
        out->item = number_of(s->edges + 2 * (size_t)crossing->item, 2, part->first_point, mesh->edges,
                              mesh->edge_count, crossing->item - part->first_edge);
    else
        out->item = triangle_number(s, part, mesh, crossing->item);
    if (crossing->collider != TIDE_CROSSING_NONE)
        out->collider = tide_world_collider_at(world, crossing->collider);
    if (crossing->other_part == TIDE_CROSSING_NONE)
        return;
    const tide_contact_part *other = &s->parts[crossing->other_part];
    if (other->fixed) {
        out->other_item = crossing->other_item - other->first_triangle;
        return;
    }
    const tide_body *second = world->bodies[c->body_of[crossing->other_part]];
    out->other = second->id;
    out->other_item = triangle_number(s, other, second->surface ? second->surface : second->mesh, crossing->other_item);
}

static void add_item(char *text, size_t size, const char *what, uint32_t item, const char *kind, const char *name)
{
    size_t used = strlen(text);
    if (item == TIDE_CROSSING_NONE)
        snprintf(text + used, size - used, "a new %s of %s \"%.80s\"", what, kind, name);
    else
        snprintf(text + used, size - used, "%s %" PRIu32 " of %s \"%.80s\"", what, item + 1, kind, name);
}

static void write_first(const tide_world *world, const tide_named_crossing *c, char *text, size_t size)
{
    static const char *const verbs[] = { "goes through", "goes through", "goes into", "is inside" };
    tide_body_info body, other;
    const tide_collider *collider = tide_world_collider(world, c->collider);
    text[0] = '\0';
    if (!tide_world_body_info(world, c->body, &body))
        return;
    const char *what = c->kind == TIDE_CROSSING_VERTEX ? "vertex" : c->is_edge ? "edge" : "triangle";
    add_item(text, size, what, c->item, "body", body.name);
    size_t used = strlen(text);
    snprintf(text + used, size - used, " %s ", verbs[c->kind]);
    used = strlen(text);
    if (collider && c->other_item != TIDE_CROSSING_NONE)
        add_item(text, size, "triangle", c->other_item, "collider", collider->name);
    else if (collider)
        snprintf(text + used, size - used, "collider \"%.80s\"", collider->name);
    else if (tide_world_body_info(world, c->other, &other) && other.name == body.name)
        snprintf(text + used, size - used, "triangle %" PRIu32 " of itself", c->other_item + 1);
    else if (tide_world_body_info(world, c->other, &other))
        add_item(text, size, "triangle", c->other_item, "body", other.name);
    used = strlen(text);
    snprintf(text + used, size - used, " at (%.4g, %.4g, %.4g)", c->place[0], c->place[1], c->place[2]);
}

void tide_certificate_write(const tide_world *world, const tide_certificate *c, char *text, size_t size)
{
    char first[400];
    int used = snprintf(text, size, "frame %" PRIu64 ": ", c->frame);
    char *rest = text + used;
    size_t left = size - (size_t)used;
    if (!c->complete && !c->count) {
        snprintf(rest, left, "too many triangles are near one another to search them all for crossings");
        return;
    }
    if (!c->count) {
        snprintf(rest, left, "no crossing");
        return;
    }
    write_first(world, &c->first, first, sizeof first);
    char allowed[60] = "";
    if (c->let_pass == c->count)
        snprintf(allowed, sizeof allowed, ", allowed by the scene");
    else if (c->let_pass)
        snprintf(allowed, sizeof allowed, ", %" PRIu64 " of them allowed by the scene", c->let_pass);
    snprintf(rest, left, "%s%" PRIu64 " crossing%s%s; the first: %s", c->complete ? "" : "at least ", c->count,
             c->count == 1 ? "" : "s", allowed, first);
}
