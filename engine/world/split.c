// The body after a split: its mesh, elements and surface, from the copies that fans.c finds.
#include "world/split.h"

#include "base/memory.h"
#include "world/body_parts.h"
#include "world/fans.h"
#include "world/rod_frames.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TUPLES = 32 }; // copies of one element

// The copies of an element (or of an edge): their vertices.
typedef struct tuples {
    uint32_t items[MOST_TUPLES][TIDE_ELEMENT_MAX_VERTICES];
    uint32_t count;
} tuples;

// --- where an element goes -------------------------------------------------------------------------------------------

static void add_tuple(tuples *t, const uint32_t *vertices, uint32_t corners)
{
    bool known = t->count == MOST_TUPLES;
    for (uint32_t i = 0; i < t->count && !known; i++)
        known = memcmp(t->items[i], vertices, corners * sizeof *vertices) == 0;
    if (!known)
        memcpy(t->items[t->count++], vertices, corners * sizeof *vertices);
}

static bool has(const uint32_t *vertices, uint32_t count, uint32_t vertex)
{
    bool found = false;
    for (uint32_t i = 0; i < count; i++)
        found = found || vertices[i] == vertex;
    return found;
}

typedef struct range {
    uint32_t begin, end;
} range;

// Returns the cells at a vertex, as a range of fans->items; none if the vertex is not near.
static range cells_at(const tide_fans *f, uint32_t vertex)
{
    uint32_t place = f->place[vertex];
    return place == TIDE_NO_VERTEX ? (range) { 0, 0 } : (range) { f->starts[place], f->starts[place + 1] };
}

static bool is_touched(const tide_fans *f, uint32_t vertex)
{
    return f->place[vertex] < f->touched_count; // TIDE_NO_VERTEX is the largest number
}

// Finds the copies of an element in the cells that have all its vertices.
static void place_in_cells(const tide_fans *f, const uint32_t *v, uint32_t corners, uint32_t touched, tuples *t)
{
    range at = cells_at(f, v[touched]);
    for (uint32_t i = at.begin; i < at.end; i++) {
        uint32_t seen[TIDE_ELEMENT_MAX_VERTICES];
        bool all = true;
        for (uint32_t c = 0; c < corners; c++) {
            seen[c] = tide_fans_seen_from(f, f->items[i], v[c]);
            all = all && seen[c] != TIDE_NO_VERTEX;
        }
        if (all)
            add_tuple(t, seen, corners);
    }
}

// Finds the vertices of an element over several cells. Returns false if it has none. *torn: the cells came apart.
static bool place_over_cells(const tide_fans *f, const uint32_t *v, uint32_t corners, uint32_t *seen, bool *torn)
{
    bool any = false;
    bool found[TIDE_ELEMENT_MAX_VERTICES] = { false };
    memcpy(seen, v, corners * sizeof *v);
    for (uint32_t c = 0; c < corners; c++) {
        range at = cells_at(f, v[c]);
        for (uint32_t i = at.begin; i < at.end; i++) {
            const uint32_t *cell = f->cells.vertices + f->cells.corners * (size_t)f->items[i];
            bool within = f->cells.corners <= corners;
            for (uint32_t k = 0; k < f->cells.corners && within; k++)
                within = has(v, corners, cell[k]);
            for (uint32_t k = 0; k < corners && within; k++) {
                uint32_t now = tide_fans_seen_from(f, f->items[i], v[k]);
                if (now == TIDE_NO_VERTEX)
                    continue;
                *torn = *torn || (found[k] && seen[k] != now);
                seen[k] = now;
                found[k] = any = true;
            }
        }
    }
    return any;
}

// Finds the copies of a link whose ends edges join over one vertex. *joined: there were such edges.
static void place_over_edges(const tide_fans *f, uint32_t i, uint32_t k, bool turned, tuples *t, bool *joined)
{
    range at = cells_at(f, i);
    for (uint32_t a = at.begin; a < at.end; a++)
        for (uint32_t c = 0; c < f->cells.corners; c++) {
            uint32_t j = f->cells.vertices[f->cells.corners * (size_t)f->items[a] + c];
            range beyond = j == i ? (range) { 0, 0 } : cells_at(f, j);
            for (uint32_t b = beyond.begin; b < beyond.end; b++) {
                uint32_t end = tide_fans_seen_from(f, f->items[b], k);
                if (end == TIDE_NO_VERTEX)
                    continue;
                *joined = true;
                uint32_t start = tide_fans_seen_from(f, f->items[a], i);
                const uint32_t link[2] = { turned ? end : start, turned ? start : end };
                if (tide_fans_seen_from(f, f->items[a], j) == tide_fans_seen_from(f, f->items[b], j))
                    add_tuple(t, link, 2);
            }
        }
}

// Returns whether a vertex beside i that is not near is beside k too: such a path stays whole.
static bool joined_elsewhere(const tide_fans *f, uint32_t i, uint32_t k)
{
    range at = cells_at(f, i), other = cells_at(f, k);
    for (uint32_t a = at.begin; a < at.end; a++)
        for (uint32_t b = other.begin; b < other.end; b++)
            for (uint32_t c = 0; c < f->cells.corners; c++) {
                uint32_t j = f->cells.vertices[f->cells.corners * (size_t)f->items[a] + c];
                if (j != i && j != k && f->place[j] == TIDE_NO_VERTEX &&
                    tide_fans_seen_from(f, f->items[b], j) != TIDE_NO_VERTEX)
                    return true;
            }
    return false;
}

static void place_link(const tide_fans *f, const uint32_t *v, tuples *t)
{
    bool joined = false, turned = !is_touched(f, v[0]) && is_touched(f, v[1]);
    uint32_t i = v[turned], k = v[!turned];
    if (f->place[i] == TIDE_NO_VERTEX) {
        turned = !turned;
        i = v[turned];
        k = v[!turned];
    }
    place_over_edges(f, i, k, turned, t, &joined);
    if (!joined || (!t->count && joined_elsewhere(f, i, k)))
        add_tuple(t, v, 2);
}

// Finds the copies of an element; none: it is cut.
static void place_element(const tide_fans *f, const uint32_t *v, uint32_t corners, tuples *t)
{
    uint32_t touched = 0, near = 0;
    t->count = 0;
    while (touched < corners && !is_touched(f, v[touched]))
        touched++;
    for (uint32_t c = 0; c < corners; c++)
        near += f->place[v[c]] != TIDE_NO_VERTEX;
    if (touched < corners)
        place_in_cells(f, v, corners, touched, t);
    if (t->count)
        return;
    uint32_t seen[TIDE_ELEMENT_MAX_VERTICES];
    bool torn = false;
    if (corners > 2 && touched < corners && place_over_cells(f, v, corners, seen, &torn)) {
        if (!torn)
            add_tuple(t, seen, corners);
    } else if (corners == 2 && near == 2 && touched == corners) {
        range at = cells_at(f, v[0]);
        bool beside = false; // an edge: untouched, so whole
        for (uint32_t i = at.begin; i < at.end && !beside; i++)
            beside = tide_fans_seen_from(f, f->items[i], v[1]) != TIDE_NO_VERTEX;
        if (beside)
            add_tuple(t, v, 2);
        else
            place_link(f, v, t);
    } else if (corners == 2 && touched < corners) {
        place_link(f, v, t);
    } else {
        add_tuple(t, v, corners);
    }
}

// Finds the vertices of an element of edges and their frames: shown corners, then one frame for each edge. Returns
// whether the edges still hang together.
static bool place_on_edges(const tide_fans *f, uint32_t *v, uint32_t shown, uint32_t corners)
{
    uint32_t seen[TIDE_ELEMENT_MAX_VERTICES];
    bool found[TIDE_ELEMENT_MAX_VERTICES] = { false }, whole = true;
    memcpy(seen, v, corners * sizeof *v);
    for (uint32_t h = shown; h < corners; h++) {
        for (uint32_t c = 0; c < shown; c++) {
            uint32_t now = tide_fans_seen_from(f, v[h] - f->mesh->vertex_count, v[c]);
            if (now == TIDE_NO_VERTEX)
                continue;
            whole = whole && (!found[c] || seen[c] == now);
            seen[c] = now;
            found[c] = true;
        }
        v[h] += f->added; // frames follow the vertices
    }
    if (whole)
        memcpy(v, seen, shown * sizeof *v);
    return whole;
}

// --- lists of vertices -----------------------------------------------------------------------------------------------

typedef struct list {
    uint32_t *items;
    size_t count, capacity; // in numbers
} list;

static bool append(list *l, const uint32_t *numbers, size_t count)
{
    if (!tide_grow(&l->items, &l->capacity, l->count + count, sizeof *l->items))
        return false;
    memcpy(l->items + l->count, numbers, count * sizeof *numbers);
    l->count += count;
    return true;
}

// Appends edges: each in its place, then further copies.
static bool split_edges(const tide_fans *f, list *edges)
{
    const tide_mesh *mesh = f->mesh;
    list more = { 0 };
    tuples t;
    bool made = append(edges, mesh->edges, 2 * (size_t)mesh->edge_count);
    for (size_t e = 0; e < mesh->edge_count && made; e++) {
        const uint32_t *v = mesh->edges + 2 * e;
        t.count = 0;
        for (uint32_t c = 0; c < 2 && !t.count; c++)
            if (is_touched(f, v[c]))
                place_in_cells(f, v, 2, c, &t);
        for (uint32_t i = 0; i < t.count && made; i++) {
            if (i == 0)
                memcpy(edges->items + 2 * e, t.items[0], 2 * sizeof *v);
            else
                made = append(&more, t.items[i], 2);
        }
    }
    made = made && append(edges, more.items, more.count);
    tide_free(more.items);
    return made;
}

static const unsigned char outward[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } }; // opposite a corner

static uint32_t neighbour(const tide_fans *f, uint32_t face)
{
    uint32_t corners = f->cells.corners, cell = face / corners, corner = face % corners;
    range at = cells_at(f, f->cells.vertices[corners * (size_t)cell + (corner + 1) % corners]);
    for (uint32_t i = at.begin; i < at.end; i++) {
        uint32_t other = f->items[i], common = 0;
        for (uint32_t c = 0; c < corners && other != cell; c++)
            common += c != corner &&
                      tide_fans_seen_from(f, other, f->cells.vertices[corners * (size_t)cell + c]) != TIDE_NO_VERTEX;
        if (common + 1 == corners)
            return other;
    }
    return TIDE_NO_ELEMENT;
}

// Returns whether the cells on both sides of a face still have a vertex of it in common.
static bool still_joined(const tide_fans *f, uint32_t face, uint32_t other, bool all)
{
    uint32_t corners = f->cells.corners, cell = face / corners, common = 0;
    for (uint32_t c = 0; c < corners; c++)
        common += c != face % corners && tide_fans_seen_from(f, other, f->cells.vertices[corners * (size_t)cell + c]) ==
                                             f->corners[corners * (size_t)cell + c];
    return all ? common + 1 == corners : common > 0;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Appends the surface of a solid: its triangles with their tetrahedra, then the faces that opened.
static bool split_surface(const tide_fans *f, list *triangles)
{
    const tide_mesh *mesh = f->mesh;
    tuples t;
    bool made = append(triangles, mesh->triangles, 3 * (size_t)mesh->triangle_count);
    for (size_t e = 0; e < mesh->triangle_count && made; e++) {
        const uint32_t *v = mesh->triangles + 3 * e;
        t.count = 0;
        for (uint32_t c = 0; c < 3 && !t.count; c++)
            if (is_touched(f, v[c]))
                place_in_cells(f, v, 3, c, &t);
        if (t.count)
            memcpy(triangles->items + 3 * e, t.items[0], 3 * sizeof *v);
    }
    for (size_t i = 0; i < f->opened_count && made; i++) {
        uint32_t other = neighbour(f, f->opened[i]), cell = f->opened[i] / 4;
        if (other == TIDE_NO_ELEMENT || still_joined(f, f->opened[i], other, true))
            continue;
        uint32_t back = 0;
        while (tide_fans_seen_from(f, cell, f->cells.vertices[4 * (size_t)other + back]) != TIDE_NO_VERTEX)
            back++;
        uint32_t opposite = 4 * other + back;
        if (opposite < f->opened[i] &&
            bsearch(&opposite, f->opened, f->opened_count, sizeof opposite, ascending)) // done from there
            continue;
        uint32_t faces[2][3];
        for (int k = 0; k < 3; k++) {
            faces[0][k] = f->corners[4 * (size_t)cell + outward[f->opened[i] % 4][k]];
            faces[1][k] = f->corners[4 * (size_t)other + outward[back][k]];
        }
        made = append(triangles, faces[0], 3) && append(triangles, faces[1], 3);
    }
    return made;
}

// --- the body --------------------------------------------------------------------------------------------------------

static tide_status split_mesh(tide_body *made, const tide_fans *f, tide_error *error)
{
    const tide_mesh *mesh = f->mesh;
    size_t count = mesh->vertex_count, all = count + f->added;
    TIDE_SCOPED double *vertices = tide_allocate_array(all, 3 * sizeof *vertices);
    TIDE_SCOPED double *texture = tide_allocate_array(all, 2 * sizeof *texture);
    list edges = { 0 }, triangles = { 0 };
    bool solid = mesh->tetrahedron_count, good = vertices && texture;
    for (size_t v = 0; v < all && good; v++) {
        size_t from = v < count ? v : f->origins[v - count];
        memcpy(vertices + 3 * v, mesh->vertices + 3 * from, 3 * sizeof *vertices);
        if (mesh->texture)
            memcpy(texture + 2 * v, mesh->texture + 2 * from, 2 * sizeof *texture);
    }
    if (f->cells.corners > 2)
        good = good && split_edges(f, &edges);
    if (solid)
        good = good && split_surface(f, &triangles);
    tide_mesh_parts parts = { .vertex_count = (uint32_t)all,
                              .vertices = vertices,
                              .texture = mesh->texture ? texture : NULL,
                              .edges = edges.items,
                              .edge_count = (uint32_t)(edges.count / 2),
                              .triangles = solid ? triangles.items : f->corners,
                              .triangle_count = solid ? (uint32_t)(triangles.count / 3) : mesh->triangle_count,
                              .tetrahedra = solid ? f->corners : NULL,
                              .tetrahedron_count = mesh->tetrahedron_count };
    if (f->cells.corners == 2) {
        parts.edges = f->corners;
        parts.edge_count = mesh->edge_count;
    }
    tide_mesh *split = NULL;
    tide_status status = good ? tide_mesh_create(&parts, &split, error) : tide_fail_memory(error, "cut");
    made->mesh = split;
    tide_free(edges.items);
    tide_free(triangles.items);
    return status;
}

// The elements of the new body under construction.
typedef struct building {
    const tide_body *body;
    tide_body *made;
    const tide_fans *fans;
    list *more;  // (group_count) by described group: vertices of additional elements
    list *twins; // likewise: their elements in the group
    list *from;  // likewise: the elements that they were made of, among those of the body
    tide_split_elements *elements;
} building;

static uint32_t described_groups(const tide_body *body)
{
    return body->split ? body->split->described->group_count : body->group_count;
}

// Splits the elements of a group of the made body, whose vertices are the old ones. `first` is the index of its first
// element. `source` is its described group, `twins` (count) are its elements there; NULL: it is that group.
static bool split_group(const building *b, uint32_t g, uint32_t first, uint32_t source, const uint32_t *twins)
{
    tide_elements *group = &b->made->groups[g];
    uint32_t corners = group->kind->vertex_count;
    tuples t;
    for (uint32_t e = 0; e < group->count; e++) {
        uint32_t *v = group->vertices + corners * (size_t)e;
        bool near = false;
        if (group->kind->hidden_count) {
            b->elements->shares[first + e] = place_on_edges(b->fans, v, tide_shown_corners(group->kind), corners);
            continue;
        }
        for (uint32_t c = 0; c < corners; c++)
            near = near || b->fans->place[v[c]] != TIDE_NO_VERTEX;
        if (!near)
            continue;
        place_element(b->fans, v, corners, &t);
        // The elements of a coupled group are one quantity of a closed surface.
        if (group->kind->couple && b->fans->added)
            t.count = 0;
        b->elements->shares[first + e] = t.count;
        if (t.count)
            memcpy(v, t.items[0], corners * sizeof *v);
        uint32_t twin = twins ? twins[e] : e, old = first + e;
        for (uint32_t i = 1; i < t.count; i++)
            if (!append(&b->more[source], t.items[i], corners) || !append(&b->twins[source], &twin, 1) ||
                !append(&b->from[source], &old, 1))
                return false;
    }
    return true;
}

// Cuts all elements of coupled groups, as a gas, whose surface is no longer closed.
static void open_coupled(const building *b, uint32_t g, uint32_t first)
{
    for (uint32_t e = 0; e < b->made->groups[g].count && b->made->groups[g].kind->couple && b->fans->added; e++)
        b->elements->shares[first + e] = 0;
}

static bool split_groups(const building *b)
{
    const tide_body_split *split = b->body->split;
    uint32_t first = 0, described = described_groups(b->body);
    size_t twin = 0;
    bool made = true;
    for (uint32_t g = 0; g < b->body->group_count && made; g++) {
        uint32_t source = g < described ? g : split->sources[g - described];
        made = split_group(b, g, first, source, g < described ? NULL : split->twins + twin);
        open_coupled(b, g, first);
        twin += g < described ? 0 : b->body->groups[g].count;
        first += b->body->groups[g].count;
    }
    return made;
}

// Appends `count` elements, twins of those of a described group, to group g of the made body.
static bool extend_group(tide_body *made, uint32_t g, const tide_elements *source, const list *vertices,
                         const list *twins)
{
    tide_elements *group = &made->groups[g];
    size_t old = group->count, all = old + twins->count;
    uint32_t *v = tide_allocate_array(vertices->count + group->kind->vertex_count * old, sizeof *v);
    double *p = tide_allocate_array(group->kind->parameter_count * all, sizeof *p);
    if (!v || !p) {
        tide_free(v);
        tide_free(p);
        return false;
    }
    memcpy(v, group->vertices, group->kind->vertex_count * old * sizeof *v);
    memcpy(v + group->kind->vertex_count * old, vertices->items, vertices->count * sizeof *v);
    for (size_t k = 0; k < group->kind->parameter_count; k++) {
        memcpy(p + k * all, group->parameters + k * old, old * sizeof *p);
        for (size_t i = 0; i < twins->count; i++)
            p[k * all + old + i] = source->parameters[k * source->count + twins->items[i]];
    }
    tide_free(group->vertices);
    tide_free(group->parameters);
    group->vertices = v;
    group->parameters = p;
    group->count = (uint32_t)all;
    return true;
}

// Returns the group of the made body for additional elements of a described group; it is made if there is none.
static uint32_t group_for(tide_body *made, uint32_t described, uint32_t source)
{
    for (uint32_t g = described; g < made->group_count; g++)
        if (made->split->sources[g - described] == source)
            return g;
    uint32_t g = made->group_count;
    uint32_t *sources = tide_reallocate(made->split->sources, (g - described + 1) * sizeof *sources);
    if (!sources)
        return TIDE_NO_ELEMENT;
    made->split->sources = sources;
    sources[g - described] = source;
    return tide_body_add_group(made, made->groups[source].kind, 0) ? g : TIDE_NO_ELEMENT;
}

// Adds the additional elements and records of which old elements all are.
static bool add_more(const building *b)
{
    uint32_t described = described_groups(b->body), next = 0, old = 0;
    list from = { 0 }, shares = { 0 }, twins = { 0 };
    size_t old_twin = 0;
    bool made = true;
    for (uint32_t s = 0; s < described && made; s++) {
        uint32_t g = b->twins[s].count ? group_for(b->made, described, s) : 0;
        made = g != TIDE_NO_ELEMENT &&
               (!b->twins[s].count || extend_group(b->made, g, &b->body->groups[s], &b->more[s], &b->twins[s]));
    }
    for (uint32_t g = 0; g < b->made->group_count && made; g++) {
        uint32_t own = g < b->body->group_count ? b->body->groups[g].count : 0;
        uint32_t source = g < described ? g : b->made->split->sources[g - described];
        for (uint32_t e = 0; e < own && made; e++, old++, next++)
            made = append(&from, &old, 1) && append(&shares, &b->elements->shares[old], 1) &&
                   (g < described || append(&twins, &b->body->split->twins[old_twin++], 1));
        for (size_t i = 0; g >= described && i < b->twins[source].count && made; i++) {
            uint32_t origin = b->from[source].items[i];
            made = append(&from, &origin, 1) && append(&shares, &b->elements->shares[origin], 1) &&
                   append(&twins, &b->twins[source].items[i], 1);
        }
    }
    tide_free(b->elements->shares);
    b->elements->shares = shares.items;
    b->elements->from = from.items;
    b->elements->count = (uint32_t)from.count;
    tide_free(b->made->split->twins);
    b->made->split->twins = twins.items;
    return made;
}

static bool make_lists(building *b)
{
    uint32_t described = described_groups(b->body), count = tide_body_element_count(b->body);
    b->more = tide_allocate_zeroed(described, sizeof *b->more);
    b->twins = tide_allocate_zeroed(described, sizeof *b->twins);
    b->from = tide_allocate_zeroed(described, sizeof *b->from);
    b->elements->shares = tide_allocate_array(count, sizeof *b->elements->shares);
    for (uint32_t e = 0; b->elements->shares && e < count; e++)
        b->elements->shares[e] = 1;
    return b->more && b->twins && b->from && b->elements->shares;
}

static void free_lists(building *b)
{
    for (uint32_t s = 0; b->more && b->twins && b->from && s < described_groups(b->body); s++) {
        tide_free(b->more[s].items);
        tide_free(b->twins[s].items);
        tide_free(b->from[s].items);
    }
    tide_free(b->more);
    tide_free(b->twins);
    tide_free(b->from);
}

static bool split_elements(const tide_body *body, tide_body *made, const tide_fans *f, tide_split_elements *elements)
{
    building b = { .body = body, .made = made, .fans = f, .elements = elements };
    bool good = make_lists(&b) && split_groups(&b) && add_more(&b);
    free_lists(&b);
    return good;
}

// Keeps the opened faces whose cells are still joined at a vertex.
static bool keep_opened(tide_body_split *split, const tide_fans *f)
{
    split->opened_count = 0;
    split->opened = tide_allocate_array(f->opened_count, sizeof *split->opened);
    for (size_t i = 0; split->opened && i < f->opened_count; i++) {
        uint32_t other = neighbour(f, f->opened[i]);
        if (other != TIDE_NO_ELEMENT && still_joined(f, f->opened[i], other, false))
            split->opened[split->opened_count++] = f->opened[i];
    }
    return split->opened;
}

static bool add_origins(const tide_body *body, tide_body_split *split, const tide_fans *f)
{
    size_t old = tide_body_copies(body);
    uint32_t *origins = tide_allocate_array(old + f->added, sizeof *origins);
    if (!origins)
        return false;
    if (old)
        memcpy(origins, body->split->origins, old * sizeof *origins);
    if (f->added)
        memcpy(origins + old, f->origins, f->added * sizeof *origins);
    split->origins = origins;
    return true;
}

// Makes what was split in a copy of a body that is not split yet in the same way.
static bool begin_split(const tide_body *body, tide_body *made)
{
    if (made->split)
        return true;
    made->split = tide_allocate_zeroed(1, sizeof *made->split);
    if (made->split)
        made->split->described = tide_body_retain(body);
    return made->split;
}

static tide_status fill(const tide_body *body, tide_body *made, const tide_fans *f, tide_split_elements *elements,
                        tide_error *error)
{
    tide_mesh_release(made->mesh);
    made->mesh = NULL;
    TIDE_TRY(split_mesh(made, f, error));
    tide_free(made->masses);
    made->masses = tide_copy_bytes(f->masses, made->mesh->vertex_count * sizeof *made->masses);
    if (!made->masses || !begin_split(body, made))
        return tide_fail_memory(error, "cut");
    tide_free(made->split->origins);
    tide_free(made->split->opened);
    made->split->origins = made->split->opened = NULL;
    TIDE_TRY(tide_body_split_surface(made, error));
    return add_origins(body, made->split, f) && keep_opened(made->split, f) &&
                   split_elements(body, made, f, elements) && tide_body_split_frames(made, body)
               ? TIDE_OK
               : tide_fail_memory(error, "cut");
}

static uint32_t merge(const tide_body *body, const uint32_t *faces, size_t count, uint32_t *opened)
{
    size_t old = body->split ? body->split->opened_count : 0, all = old + count;
    uint32_t kept = 0;
    if (old)
        memcpy(opened, body->split->opened, old * sizeof *opened);
    if (count)
        memcpy(opened + old, faces, count * sizeof *opened);
    qsort(opened, all, sizeof *opened, ascending);
    for (size_t i = 0; i < all; i++)
        if (!kept || opened[i] != opened[kept - 1])
            opened[kept++] = opened[i];
    return kept;
}

tide_status tide_body_open_faces(const tide_body *body, const uint32_t *faces, size_t count, tide_body **out,
                                 tide_split_elements *elements, tide_error *error)
{
    TIDE_SCOPED uint32_t *opened =
        tide_allocate_array(count + (body->split ? body->split->opened_count : 0), sizeof *opened);
    tide_body *made = NULL;
    tide_fans fans;
    *elements = (tide_split_elements) { 0 };
    if (!opened)
        return tide_fail_memory(error, "cut");
    TIDE_TRY(tide_fans_find(&fans, body->mesh, body->masses, opened, merge(body, faces, count, opened), error));
    tide_status status = tide_body_copy(body, &made, error);
    if (status == TIDE_OK)
        status = fill(body, made, &fans, elements, error);
    tide_fans_free(&fans);
    if (status != TIDE_OK) {
        tide_body_destroy(made);
        tide_split_elements_free(elements);
        return status;
    }
    *out = made;
    return TIDE_OK;
}

// --- life ------------------------------------------------------------------------------------------------------------

void tide_split_elements_free(tide_split_elements *elements)
{
    tide_free(elements->from);
    tide_free(elements->shares);
    *elements = (tide_split_elements) { 0 };
}
