#include "world/openings.h"

#include "base/memory.h"
#include "world/element_numbers.h"
#include "world/exchange.h"
#include "world/fans.h"
#include "world/rod_frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- pairs of cells --------------------------------------------------------------------------------------------------

typedef struct face {
    uint32_t vertices[3]; // ascending; TIDE_NO_VERTEX after the last
    uint32_t number;
} face;

static face face_of(const tide_cells *cells, uint32_t number)
{
    face f = { { TIDE_NO_VERTEX, TIDE_NO_VERTEX, TIDE_NO_VERTEX }, number };
    uint32_t count = 0;
    for (uint32_t c = 0; c < cells->corners; c++) {
        if (c == number % cells->corners)
            continue;
        uint32_t vertex = cells->vertices[cells->corners * (size_t)(number / cells->corners) + c], at = count++;
        for (; at > 0 && f.vertices[at - 1] > vertex; at--)
            f.vertices[at] = f.vertices[at - 1];
        f.vertices[at] = vertex;
    }
    return f;
}

static bool same_vertices(const face *a, const face *b)
{
    return memcmp(a->vertices, b->vertices, sizeof a->vertices) == 0;
}

// Moves faces to `to`, ascending by vertex k and otherwise in their order. starts: (vertex_count + 1), any content.
static void sort_by(uint32_t k, const face *from, size_t count, uint32_t *starts, uint32_t vertex_count, face *to)
{
    memset(starts, 0, ((size_t)vertex_count + 1) * sizeof *starts);
    for (size_t i = 0; i < count; i++)
        starts[from[i].vertices[k] + 1]++;
    for (uint32_t v = 0; v < vertex_count; v++)
        starts[v + 1] += starts[v];
    for (size_t i = 0; i < count; i++)
        to[starts[from[i].vertices[k]]++] = from[i];
}

// Lists all faces of cells, ascending by their vertices and then by their numbers. The caller frees them.
static face *sort_faces(const tide_cells *cells, uint32_t vertex_count)
{
    size_t count = cells->corners * (size_t)cells->count;
    face *faces = tide_allocate_array(count, sizeof *faces), *other = tide_allocate_array(count, sizeof *other);
    TIDE_SCOPED uint32_t *starts = tide_allocate_array((size_t)vertex_count + 1, sizeof *starts);
    bool made = faces && other && starts;
    for (size_t i = 0; made && i < count; i++)
        faces[i] = face_of(cells, (uint32_t)i);
    for (uint32_t k = cells->corners - 1; made && k-- > 0;) {
        sort_by(k, faces, count, starts, vertex_count, other);
        face *sorted = other;
        other = faces;
        faces = sorted;
    }
    tide_free(other);
    if (!made)
        tide_free(faces);
    return made ? faces : NULL;
}

// --- the search ------------------------------------------------------------------------------------------------------

typedef struct search {
    const tide_world *world;
    const tide_body *body;
    size_t first; // its first element among those of all bodies
    tide_cells cells;
    tide_cut_test *test;
    const void *context;
    tide_openings *found;
    size_t face_capacity, element_capacity;
} search;

static const uint32_t *cell_at(const search *s, size_t cell)
{
    return s->cells.vertices + s->cells.corners * cell;
}

static bool add(uint32_t **items, uint32_t *count, size_t *capacity, uint32_t item)
{
    if (!tide_grow(items, capacity, (size_t)*count + 1, sizeof **items))
        return false;
    (*items)[(*count)++] = item;
    return true;
}

static bool open_face(search *s, uint32_t number)
{
    return add(&s->found->faces, &s->found->face_count, &s->face_capacity, number);
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_open(const search *s, uint32_t number)
{
    const tide_body_split *split = s->body->split;
    return split && bsearch(&number, split->opened, split->opened_count, sizeof number, ascending);
}

static bool find_faces(search *s)
{
    size_t count = s->cells.corners * (size_t)s->cells.count;
    TIDE_SCOPED face *faces = sort_faces(&s->cells, s->body->mesh->vertex_count);
    bool made = faces;
    for (size_t i = 0; i < count && made; i++)
        for (size_t j = i + 1; j < count && made && same_vertices(&faces[i], &faces[j]); j++)
            if (!is_open(s, faces[i].number) &&
                s->test(s->context, cell_at(s, faces[i].number / s->cells.corners), s->cells.corners,
                        cell_at(s, faces[j].number / s->cells.corners), s->cells.corners))
                made = open_face(s, faces[i].number);
    return made;
}

// Opens the ends of crossed edges of a mesh without triangles. degrees: (vertex_count) edges at each vertex. *lone: an
// edge is crossed that is alone at both ends.
static bool find_ends(search *s, const uint32_t *degrees, bool *lone)
{
    bool made = true;
    for (uint32_t e = 0; e < s->cells.count && made; e++) {
        const uint32_t *v = cell_at(s, e);
        if (!s->test(s->context, v, 1, v + 1, 1))
            continue;
        bool second = degrees[v[1]] > 1, first = degrees[v[0]] > 1;
        *lone = *lone || (!second && !first);
        if (second || first)
            made = open_face(s, 2 * e + !second); // opposite the other corner
    }
    return made;
}

// --- elements without cells ------------------------------------------------------------------------------------------

static bool are_neighbours(const tide_cells *cells, const uint32_t *starts, const uint32_t *items, uint32_t i,
                           uint32_t k)
{
    bool found = false;
    for (uint32_t a = starts[i]; a < starts[i + 1] && !found; a++)
        for (uint32_t c = 0; c < cells->corners && !found; c++)
            found = cells->vertices[cells->corners * (size_t)items[a] + c] == k;
    return found;
}

// Returns whether two vertices are in a cell, or both beside a third one.
static bool are_near(const tide_cells *cells, const uint32_t *starts, const uint32_t *items, uint32_t i, uint32_t k)
{
    bool near = are_neighbours(cells, starts, items, i, k);
    for (uint32_t a = starts[i]; a < starts[i + 1] && !near; a++)
        for (uint32_t c = 0; c < cells->corners && !near; c++)
            near = are_neighbours(cells, starts, items, cells->vertices[cells->corners * (size_t)items[a] + c], k);
    return near;
}

// Adds the links between distant vertices that the cut crosses; with `lone`, also edges that are alone.
static bool find_links(search *s, const uint32_t *starts, const uint32_t *items, bool lone)
{
    uint32_t index = 0;
    bool made = true;
    for (uint32_t g = 0; g < s->body->group_count; g++)
        for (size_t e = 0; e < s->body->groups[g].count && made; e++, index++) {
            const tide_element_kind *kind = s->body->groups[g].kind;
            const uint32_t *v = s->body->groups[g].vertices + kind->vertex_count * e;
            if (tide_shown_corners(kind) != 2 || !s->test(s->context, v, 1, v + 1, 1))
                continue;
            bool alone = lone && starts[v[0] + 1] - starts[v[0]] == 1 && starts[v[1] + 1] - starts[v[1]] == 1;
            if ((alone || !are_near(&s->cells, starts, items, v[0], v[1])) &&
                tide_world_number(s->world, TIDE_NUMBER_REST, s->first + index) != TIDE_CUT)
                made = add(&s->found->elements, &s->found->element_count, &s->element_capacity, index);
        }
    return made;
}

// Adds the elements that the cut crosses of a body whose vertices cannot be split.
static bool find_crossed(search *s)
{
    uint32_t index = 0;
    bool made = true;
    for (uint32_t g = 0; g < s->body->group_count; g++)
        for (size_t e = 0; e < s->body->groups[g].count; e++, index++) {
            const tide_element_kind *kind = s->body->groups[g].kind;
            const uint32_t *v = s->body->groups[g].vertices + kind->vertex_count * e;
            bool crossed = false;
            for (uint32_t i = 1; i < tide_shown_corners(kind); i++)
                crossed = crossed || s->test(s->context, v, 1, v + i, 1);
            if (made && crossed && tide_world_number(s->world, TIDE_NUMBER_REST, s->first + index) != TIDE_CUT)
                made = add(&s->found->elements, &s->found->element_count, &s->element_capacity, index);
        }
    return made;
}

static bool search_body(search *s)
{
    uint32_t vertices = s->body->mesh->vertex_count;
    size_t corners = s->cells.corners * (size_t)s->cells.count;
    TIDE_SCOPED uint32_t *starts = tide_allocate_zeroed((size_t)vertices + 2, sizeof *starts);
    TIDE_SCOPED uint32_t *items = tide_allocate_array(corners, sizeof *items);
    TIDE_SCOPED uint32_t *degrees = tide_allocate_zeroed(vertices, sizeof *degrees);
    bool lone = false;
    if (!starts || !items || !degrees)
        return false;
    for (size_t i = 0; i < corners; i++)
        starts[s->cells.vertices[i] + 2]++;
    for (uint32_t v = 0; v < vertices; v++) {
        degrees[v] = starts[v + 2];
        starts[v + 2] += starts[v + 1];
    }
    for (size_t i = 0; i < corners; i++)
        items[starts[s->cells.vertices[i] + 1]++] = (uint32_t)(i / s->cells.corners);
    return (s->cells.corners == 2 ? find_ends(s, degrees, &lone) : find_faces(s)) && find_links(s, starts, items, lone);
}

tide_status tide_world_find_openings(const tide_world *world, tide_body_id id, tide_cut_test *test, const void *context,
                                     tide_openings *found, tide_error *error)
{
    tide_body_info info;
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    *found = (tide_openings) { 0 };
    search s = { .world = world,
                 .body = tide_world_lookup(world, id),
                 .cells = tide_mesh_cells(info.mesh),
                 .test = test,
                 .first = tide_world_first_element(world, tide_world_lookup(world, id)),
                 .context = context,
                 .found = found };
    if (tide_body_can_split(s.body) ? search_body(&s) : find_crossed(&s))
        return TIDE_OK;
    tide_openings_free(found);
    return tide_fail_memory(error, "cut");
}

void tide_openings_free(tide_openings *openings)
{
    tide_free(openings->faces);
    tide_free(openings->elements);
    *openings = (tide_openings) { 0 };
}

tide_status tide_world_open(tide_world *world, tide_body_id id, const uint32_t *faces, uint32_t count, uint32_t *added,
                            tide_error *error)
{
    tide_body_info info;
    uint32_t new_vertices;
    TIDE_TRY(tide_world_check_idle(world, "cut", error));
    TIDE_TRY(tide_world_check_body(world, id, &info, error));
    tide_cells cells = tide_mesh_cells(info.mesh);
    for (uint32_t i = 0; i < count; i++)
        if (faces[i] / cells.corners >= cells.count) {
            char object[96], value[32];
            tide_body_object(info.name, object);
            snprintf(value, sizeof value, "%u", faces[i]);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "cut", value, "expected faces from 0 to %u",
                             cells.corners * cells.count - 1);
        }
    TIDE_TRY(tide_world_open_faces(world, id, faces, count, &new_vertices, error));
    if (added)
        *added = new_vertices;
    return TIDE_OK;
}
