// The words: for each split body its index in the world, its number of vertices, and these arrays: origins, masses,
// edges, triangles, tetrahedra, vertices of the described groups, opened faces; then the number of further groups, and
// for each its source, vertices and twins. An array is stored as the number of words that differ from the description,
// index and value of each, the number of words in all, and those beyond the description's.
#include "world/split_state.h"

#include "base/hash.h"
#include "base/memory.h"
#include "world/body_parts.h"
#include "world/rod_frames.h"

#include <math.h>
#include <string.h>

uint64_t tide_world_described_identity(const tide_world *world)
{
    uint64_t hash = TIDE_HASH_START;
    for (size_t b = 0; b < world->body_count; b++)
        hash = tide_body_identity(tide_body_described(world->bodies[b]), hash);
    return hash;
}

// --- writing ---------------------------------------------------------------------------------------------------------

static bool put(tide_words *words, const uint32_t *items, size_t count)
{
    if (!tide_grow(&words->items, &words->capacity, words->count + count, sizeof *words->items))
        return false;
    if (count)
        memcpy(words->items + words->count, items, count * sizeof *items);
    words->count += count;
    return true;
}

static bool put_one(tide_words *words, size_t word)
{
    return put(words, &(uint32_t) { (uint32_t)word }, 1);
}

static bool put_array(tide_words *words, const uint32_t *items, size_t count, const uint32_t *described, size_t first)
{
    size_t at = words->count;
    uint32_t changed = 0;
    bool made = put_one(words, 0);
    for (size_t i = 0; i < first && made; i++)
        if (items[i] != described[i]) {
            made = put(words, (const uint32_t[]) { (uint32_t)i, items[i] }, 2);
            changed++;
        }
    if (made)
        words->items[at] = changed;
    return made && put_one(words, count) && put(words, items + first, count - first);
}

// Appends the vertices of a described group; hidden corners, which follow those of the mesh, as described.
static bool put_group(tide_words *words, const tide_body *body, const tide_elements *now, const tide_elements *from)
{
    uint32_t corners = now->kind->vertex_count, shown = tide_shown_corners(now->kind);
    size_t count = corners * (size_t)now->count;
    TIDE_SCOPED uint32_t *vertices = tide_copy_bytes(now->vertices, count * sizeof *vertices);
    for (size_t i = 0; vertices && i < count; i++)
        vertices[i] -= i % corners >= shown ? tide_body_copies(body) : 0;
    return vertices && put_array(words, vertices, count, from->vertices, count);
}

static bool put_body(tide_words *words, size_t index, const tide_body *body)
{
    const tide_body_split *split = body->split;
    const tide_body *from = split->described;
    const tide_mesh *mesh = body->mesh, *old = from->mesh;
    const uint32_t *masses = (const uint32_t *)(const void *)body->masses, *twins = split->twins;
    bool made = put_one(words, index) && put_one(words, mesh->vertex_count) &&
                put_array(words, split->origins, tide_body_copies(body), NULL, 0) &&
                put_array(words, masses, 2 * (size_t)mesh->vertex_count, (const uint32_t *)(const void *)from->masses,
                          2 * (size_t)old->vertex_count) &&
                put_array(words, mesh->edges, 2 * (size_t)mesh->edge_count, old->edges, 2 * (size_t)old->edge_count) &&
                put_array(words, mesh->triangles, 3 * (size_t)mesh->triangle_count, old->triangles,
                          3 * (size_t)old->triangle_count) &&
                put_array(words, mesh->tetrahedra, 4 * (size_t)mesh->tetrahedron_count, old->tetrahedra,
                          4 * (size_t)old->tetrahedron_count);
    for (uint32_t g = 0; g < from->group_count && made; g++)
        made = put_group(words, body, &body->groups[g], &from->groups[g]);
    made = made && put_array(words, split->opened, split->opened_count, NULL, 0) &&
           put_one(words, body->group_count - from->group_count);
    for (uint32_t g = from->group_count; g < body->group_count && made; g++) {
        const tide_elements *group = &body->groups[g];
        made = put_one(words, split->sources[g - from->group_count]) &&
               put_array(words, group->vertices, group->kind->vertex_count * (size_t)group->count, NULL, 0) &&
               put_array(words, twins, group->count, NULL, 0);
        twins += group->count;
    }
    return made;
}

bool tide_world_put_splits(const tide_world *world, tide_words *words)
{
    bool made = true;
    for (size_t b = 0; b < world->body_count && made; b++)
        if (world->bodies[b]->split)
            made = put_body(words, b, world->bodies[b]);
    return made;
}

// --- reading ---------------------------------------------------------------------------------------------------------

typedef struct reader {
    const uint32_t *words;
    size_t count, next;
    bool bad, out_of_memory;
} reader;

static uint32_t take(reader *r)
{
    if (r->next < r->count)
        return r->words[r->next++];
    r->bad = true;
    return 0;
}

// Reads an array of at least `first` words. Words below `skip` are not checked; the others must be less than `limit`.
// Returns the array, which the caller frees; NULL on failure.
static uint32_t *take_array(reader *r, const uint32_t *described, size_t first, uint64_t limit, size_t *count)
{
    uint32_t changed = take(r);
    size_t changes = r->next;
    if (changed > (r->count - r->next) / 2)
        r->bad = true;
    r->next += r->bad ? 0 : 2 * (size_t)changed;
    *count = take(r);
    if (r->bad || *count < first || *count - first > r->count - r->next) {
        r->bad = true;
        return NULL;
    }
    uint32_t *items = tide_allocate_array(*count, sizeof *items);
    if (!items) {
        r->bad = r->out_of_memory = true;
        return NULL;
    }
    if (first)
        memcpy(items, described, first * sizeof *items);
    if (*count > first)
        memcpy(items + first, r->words + r->next, (*count - first) * sizeof *items);
    r->next += *count - first;
    for (size_t i = 0; i < changed; i++) {
        uint32_t index = r->words[changes + 2 * i];
        r->bad = r->bad || index >= first;
        if (!r->bad)
            items[index] = r->words[changes + 2 * i + 1];
    }
    for (size_t i = 0; i < *count; i++)
        r->bad = r->bad || items[i] >= limit;
    return items;
}

static void take_masses(reader *r, tide_body *body, const tide_body *from, uint32_t vertices)
{
    size_t count;
    uint32_t *words = take_array(r, (const uint32_t *)(const void *)from->masses, 2 * (size_t)from->mesh->vertex_count,
                                 UINT64_MAX, &count);
    tide_free(body->masses);
    body->masses = (double *)(void *)words;
    r->bad = r->bad || count != 2 * (size_t)vertices;
    for (uint32_t v = 0; v < vertices && !r->bad; v++)
        r->bad = !(body->masses[v] > 0 && body->masses[v] <= TIDE_BODY_LARGEST);
}

// Makes a mesh of the parts, with the positions and texture of the old one, copies being those of their origins.
static tide_status make_mesh(tide_body *body, const tide_mesh *old, tide_mesh_parts *parts, tide_error *error)
{
    uint32_t all = parts->vertex_count;
    TIDE_SCOPED double *x = tide_allocate_array(all, 3 * sizeof *x);
    TIDE_SCOPED double *texture = tide_allocate_array(all, 2 * sizeof *texture);
    tide_mesh *made = NULL;
    if (!x || !texture)
        return tide_fail_memory(error, "snapshot");
    for (size_t v = 0; v < all; v++) {
        size_t from = v < old->vertex_count ? v : body->split->origins[v - old->vertex_count];
        memcpy(x + 3 * v, v < old->vertex_count ? old->vertices + 3 * v : x + 3 * from, 3 * sizeof *x);
        if (old->texture)
            memcpy(texture + 2 * v, v < old->vertex_count ? old->texture + 2 * v : texture + 2 * from,
                   2 * sizeof *texture);
    }
    parts->vertices = x;
    parts->texture = old->texture ? texture : NULL;
    TIDE_TRY(tide_mesh_create(parts, &made, error));
    tide_mesh_release(body->mesh);
    body->mesh = made;
    return TIDE_OK;
}

static tide_status take_mesh(reader *r, tide_body *body, const tide_mesh *old, uint32_t vertices, tide_error *error)
{
    size_t counts[3];
    uint32_t *edges = take_array(r, old->edges, 2 * (size_t)old->edge_count, vertices, &counts[0]);
    uint32_t *triangles = take_array(r, old->triangles, 3 * (size_t)old->triangle_count, vertices, &counts[1]);
    uint32_t *tetrahedra = take_array(r, old->tetrahedra, 4 * (size_t)old->tetrahedron_count, vertices, &counts[2]);
    tide_status status = TIDE_OK;
    r->bad = r->bad || counts[0] % 2 || counts[1] % 3 || counts[2] != 4 * (size_t)old->tetrahedron_count ||
             (!old->tetrahedron_count && counts[1] != 3 * (size_t)old->triangle_count);
    if (!r->bad)
        status = make_mesh(body, old,
                           &(tide_mesh_parts) { .vertex_count = vertices,
                                                .edges = edges,
                                                .edge_count = (uint32_t)(counts[0] / 2),
                                                .triangles = triangles,
                                                .triangle_count = (uint32_t)(counts[1] / 3),
                                                .tetrahedra = tetrahedra,
                                                .tetrahedron_count = old->tetrahedron_count },
                           error);
    tide_free(edges);
    tide_free(triangles);
    tide_free(tetrahedra);
    return status;
}

static void take_origins(reader *r, tide_body *body, uint32_t described, uint32_t vertices)
{
    size_t count;
    uint32_t *origins = body->split->origins = take_array(r, NULL, 0, vertices, &count);
    r->bad = r->bad || count != vertices - described;
    for (size_t i = 0; i < count && !r->bad; i++)
        r->bad = origins[i] >= described + i;
}

static void take_groups(reader *r, tide_body *body, uint32_t described, uint32_t vertices)
{
    for (uint32_t g = 0; g < body->group_count && !r->bad; g++) {
        tide_elements *group = &body->groups[g];
        uint32_t corners = group->kind->vertex_count, shown = tide_shown_corners(group->kind);
        size_t count, wanted = corners * (size_t)group->count;
        uint32_t *taken = take_array(r, group->vertices, wanted, UINT64_MAX, &count);
        r->bad = r->bad || count != wanted;
        for (size_t i = 0; i < wanted && !r->bad; i++) {
            bool hidden = i % corners >= shown;
            r->bad = hidden ? taken[i] != group->vertices[i] : taken[i] >= vertices;
            taken[i] += hidden ? vertices - described : 0;
        }
        if (taken) {
            tide_free(group->vertices);
            group->vertices = taken;
        }
    }
}

// Reads a group of additional elements; `all` collects the twins of all these groups.
static void take_group(reader *r, tide_body *body, uint32_t described, uint32_t vertices, tide_words *all)
{
    uint32_t source = take(r);
    if (r->bad || source >= described || body->groups[source].kind->hidden_count) {
        r->bad = true;
        return;
    }
    size_t corners, count = 0;
    const tide_element_kind *kind = body->groups[source].kind;
    uint32_t *v = take_array(r, NULL, 0, vertices, &corners);
    uint32_t *twins = take_array(r, NULL, 0, body->groups[source].count, &count);
    r->bad = r->bad || corners != kind->vertex_count * count;
    tide_elements *group = r->bad ? NULL : tide_body_add_group(body, kind, (uint32_t)count);
    const tide_elements *from = &body->groups[source]; // the groups may have moved
    if (group && put(all, twins, count)) {
        memcpy(group->vertices, v, corners * sizeof *v);
        for (size_t p = 0; p < kind->parameter_count; p++)
            for (size_t e = 0; e < count; e++)
                group->parameters[p * count + e] = from->parameters[p * from->count + twins[e]];
        body->split->sources[body->group_count - 1 - described] = source;
    } else if (!r->bad) {
        r->bad = r->out_of_memory = true;
    }
    tide_free(v);
    tide_free(twins);
}

static void take_split(reader *r, tide_body *body, const tide_body *from, uint32_t vertices)
{
    size_t count;
    tide_cells cells = tide_mesh_cells(from->mesh);
    tide_words twins = { 0 };
    body->split->opened = take_array(r, NULL, 0, cells.corners * (uint64_t)cells.count, &count);
    body->split->opened_count = (uint32_t)count;
    for (size_t i = 1; i < count && !r->bad; i++)
        r->bad = body->split->opened[i] <= body->split->opened[i - 1];
    uint32_t more = take(r);
    r->bad = r->bad || more > from->group_count;
    body->split->sources = tide_allocate_array(r->bad ? 0 : more, sizeof *body->split->sources);
    if (!body->split->sources)
        r->bad = r->out_of_memory = true;
    for (uint32_t g = 0; g < more && !r->bad; g++)
        take_group(r, body, from->group_count, vertices, &twins);
    body->split->twins = twins.items ? twins.items : tide_allocate(0);
}

static tide_status refuse(const reader *r, tide_error *error)
{
    return r->out_of_memory ? tide_fail_memory(error, "snapshot")
                            : tide_fail(error, TIDE_ERROR_FORMAT, "saved world", "splits", NULL,
                                        "they are not of these bodies; save it again");
}

// Makes a body from its description and the words at the reader.
static tide_status take_body(reader *r, const tide_body *from, tide_body **out, tide_error *error)
{
    tide_body *body;
    uint32_t vertices = take(r);
    if (r->bad || vertices < from->mesh->vertex_count || vertices > TIDE_MESH_MAX_VERTICES)
        return refuse(&(reader) { .bad = true }, error);
    TIDE_TRY(tide_body_copy(from, &body, error));
    tide_status status = TIDE_OK;
    body->split = tide_allocate_zeroed(1, sizeof *body->split);
    if (!body->split)
        status = tide_fail_memory(error, "snapshot");
    else
        body->split->described = tide_body_retain(from);
    if (status == TIDE_OK)
        take_origins(r, body, from->mesh->vertex_count, vertices);
    if (status == TIDE_OK && !r->bad)
        take_masses(r, body, from, vertices);
    if (status == TIDE_OK && !r->bad)
        status = take_mesh(r, body, from->mesh, vertices, error);
    if (status == TIDE_OK && !r->bad)
        take_groups(r, body, from->mesh->vertex_count, vertices);
    if (status == TIDE_OK && !r->bad)
        take_split(r, body, from, vertices);
    if (status == TIDE_OK && !r->bad && !tide_body_split_frames(body, from))
        r->bad = r->out_of_memory = true;
    if (status == TIDE_OK && r->bad)
        status = refuse(r, error);
    if (status == TIDE_OK)
        status = tide_body_split_surface(body, error);
    if (status != TIDE_OK) {
        tide_body_destroy(body);
        return status;
    }
    *out = body;
    return TIDE_OK;
}

static void share_masses(tide_body *body, const tide_body *split)
{
    const double *before = split->split->described->masses, *now = body->split->described->masses;
    for (uint32_t v = 0, count = body->split->described->mesh->vertex_count; v < body->mesh->vertex_count; v++) {
        uint32_t root = v;
        while (root >= count)
            root = body->split->origins[root - count];
        if (now[root] != before[root])
            body->masses[v] = now[root] * (split->masses[v] / before[root]);
    }
}

tide_status tide_body_split_as(const tide_body *body, const tide_body *split, tide_body **out, tide_error *error)
{
    tide_words words = { 0 };
    tide_status status = put_body(&words, 0, split) ? TIDE_OK : tide_fail_memory(error, "a body");
    reader r = { .words = words.items, .count = words.count, .next = 1 };
    if (status == TIDE_OK)
        status = take_body(&r, body, out, error);
    if (status == TIDE_OK)
        share_masses(*out, split);
    tide_free(words.items);
    return status;
}

// Returns whether a body is what the words at the reader describe, and then goes beyond them.
static bool is_same(reader *r, size_t index, const tide_body *body)
{
    tide_words own = { 0 };
    bool same = body->split && put_body(&own, index, body) && own.count <= r->count - r->next &&
                memcmp(own.items, r->words + r->next, own.count * sizeof *own.items) == 0;
    r->next += same ? own.count : 0;
    tide_free(own.items);
    return same;
}

static tide_status make_body(const tide_world *world, reader *r, size_t b, tide_body **out, tide_error *error)
{
    tide_body *present = world->bodies[b];
    if (r->next == r->count || r->words[r->next] != b) { // whole
        if (present->split)
            return tide_body_copy(present->split->described, out, error);
        *out = tide_body_retain(present);
        return TIDE_OK;
    }
    if (is_same(r, b, present)) {
        *out = tide_body_retain(present);
        return TIDE_OK;
    }
    r->next++;
    return take_body(r, tide_body_described(present), out, error);
}

tide_status tide_world_make_bodies(const tide_world *world, const uint32_t *words, size_t count, tide_body **bodies,
                                   tide_error *error)
{
    reader r = { .words = words, .count = count };
    tide_status status = TIDE_OK;
    memset(bodies, 0, world->body_count * sizeof(tide_body *));
    for (size_t b = 0; b < world->body_count && status == TIDE_OK; b++)
        status = make_body(world, &r, b, &bodies[b], error);
    if (status == TIDE_OK && r.next != count)
        status = refuse(&r, error);
    if (status != TIDE_OK)
        tide_world_drop_bodies(world, bodies);
    return status;
}

void tide_world_drop_bodies(const tide_world *world, tide_body **bodies)
{
    for (size_t b = 0; b < world->body_count; b++) {
        tide_body_destroy(bodies[b]);
        bodies[b] = NULL;
    }
}
