#include "world/tear.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "model/dense_element.h"
#include "world/fans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct search {
    const tide_body *body;
    const double *x;
    tide_cells cells;
    uint32_t *starts, *items; // cells at each vertex
    bool *taken;              // vertices of cells that already tear in this step
    tide_tears *tears;
} search;

static const uint32_t *cell_at(const search *s, uint32_t cell)
{
    return s->cells.vertices + s->cells.corners * (size_t)cell;
}

static bool list_cells(search *s)
{
    size_t vertices = s->body->mesh->vertex_count, count = s->cells.corners * (size_t)s->cells.count;
    s->starts = tide_allocate_zeroed(vertices + 2, sizeof *s->starts);
    s->items = tide_allocate_array(count, sizeof *s->items);
    s->taken = tide_allocate_zeroed(vertices, sizeof *s->taken);
    if (!s->starts || !s->items || !s->taken)
        return false;
    for (size_t i = 0; i < count; i++)
        s->starts[s->cells.vertices[i] + 2]++;
    for (size_t v = 0; v < vertices; v++)
        s->starts[v + 2] += s->starts[v + 1];
    for (size_t i = 0; i < count; i++)
        s->items[s->starts[s->cells.vertices[i] + 1]++] = (uint32_t)(i / s->cells.corners);
    return true;
}

// --- the direction of the largest stretch ----------------------------------------------------------------------------

// Computes G = Dm' Dm of a cell at rest, with the sides from its first vertex as columns of Dm, and its inverse.
static bool invert_metric(const tide_vec3 *sides, uint32_t n, double inverse[9])
{
    double g[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            g[3 * i + j] = tide_vec3_dot(sides[i], sides[j]);
    for (int i = 0; i < 3; i++) // cofactors
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            inverse[3 * j + i] = g[3 * a + c] * g[3 * b + d] - g[3 * a + d] * g[3 * b + c];
        }
    double determinant = g[0] * inverse[0] + g[1] * inverse[3] + g[2] * inverse[6];
    for (int i = 0; i < 9; i++)
        inverse[i] /= determinant;
    return determinant > 0;
}

// Adds F F' of a cell times its measure at rest, with F F' = Ds G^-1 Ds'.
static void add_stretch(const search *s, uint32_t cell, double sum[9], double *measure)
{
    tide_vec3 rest[3], now[3];
    double inverse[9], d[3][3];
    uint32_t n = s->cells.corners - 1;
    const uint32_t *v = cell_at(s, cell);
    const double *at = s->body->mesh->vertices;
    for (uint32_t i = 0; i < n; i++) {
        rest[i] = tide_vec3_subtract(tide_vec3_load(at + 3 * (size_t)v[i + 1]), tide_vec3_load(at + 3 * (size_t)v[0]));
        now[i] =
            tide_vec3_subtract(tide_vec3_load(s->x + 3 * (size_t)v[i + 1]), tide_vec3_load(s->x + 3 * (size_t)v[0]));
        tide_vec3_store(d[i], now[i]);
    }
    if (!invert_metric(rest, n, inverse))
        return;
    double size = tide_cell_measure(s->body->mesh, &s->cells, cell);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    sum[3 * a + b] += size * d[i][a] * inverse[3 * i + j] * d[j][b];
    *measure += size;
}

// Finds the direction of the largest stretch around a vertex. Returns the square of that stretch.
static double find_stretch(const search *s, uint32_t vertex, tide_vec3 *direction)
{
    double sum[9] = { 0 }, vectors[9], measure = 0;
    for (uint32_t i = s->starts[vertex]; i < s->starts[vertex + 1]; i++)
        add_stretch(s, s->items[i], sum, &measure);
    tide_dense_diagonalise(sum, vectors, 3);
    int largest = 0;
    for (int k = 1; k < 3; k++)
        largest = sum[4 * k] > sum[4 * largest] ? k : largest;
    *direction = (tide_vec3) { vectors[largest], vectors[3 + largest], vectors[6 + largest] };
    return measure > 0 ? sum[4 * largest] / measure : 0;
}

// --- the faces that open ---------------------------------------------------------------------------------------------

static bool open_face(search *s, uint32_t face)
{
    tide_tears *t = s->tears;
    if (!tide_grow(&t->faces, &t->face_capacity, t->face_count + 1, sizeof *t->faces))
        return false;
    t->faces[t->face_count++] = face;
    return true;
}

static double height_of(const search *s, uint32_t cell, uint32_t vertex, tide_vec3 direction)
{
    tide_vec3 centre = { 0 }, at = tide_vec3_load(s->x + 3 * (size_t)vertex);
    for (uint32_t c = 0; c < s->cells.corners; c++)
        centre = tide_vec3_add(centre, tide_vec3_load(s->x + 3 * (size_t)cell_at(s, cell)[c]));
    return tide_vec3_dot(direction, tide_vec3_subtract(tide_vec3_scale(centre, 1.0 / s->cells.corners), at));
}

// Opens the faces at a vertex between the cells on both sides of the plane across a direction. Returns their number;
// UINT32_MAX: there is no memory.
static uint32_t open_across(search *s, uint32_t vertex, tide_vec3 direction)
{
    uint32_t count = 0, begin = s->starts[vertex], end = s->starts[vertex + 1];
    for (uint32_t i = begin; i < end; i++)
        for (uint32_t j = begin; j < end; j++) {
            if (!(height_of(s, s->items[i], vertex, direction) >= 0) ||
                height_of(s, s->items[j], vertex, direction) >= 0)
                continue;
            uint32_t face = tide_fans_shared_face(&s->cells, s->items[i], s->items[j], vertex);
            if (face == s->cells.corners)
                continue;
            if (!open_face(s, s->cells.corners * s->items[i] + face))
                return UINT32_MAX;
            count++;
        }
    return count;
}

// Opens the edge at a vertex of a surface that is nearest to the plane across a direction, if there is one between two
// triangles. The vertex is at the rim, so that one edge separates its triangles.
static uint32_t open_nearest(search *s, uint32_t vertex, tide_vec3 direction)
{
    uint32_t found = TIDE_NO_ELEMENT, begin = s->starts[vertex], end = s->starts[vertex + 1];
    double least = INFINITY;
    for (uint32_t i = begin; i < end && s->cells.corners == 3; i++)
        for (uint32_t j = begin; j < i; j++) {
            uint32_t face = tide_fans_shared_face(&s->cells, s->items[i], s->items[j], vertex), w = vertex;
            for (uint32_t c = 0; c < 3 && face < 3; c++)
                w = c != face && cell_at(s, s->items[i])[c] != vertex ? cell_at(s, s->items[i])[c] : w;
            tide_vec3 along =
                tide_vec3_subtract(tide_vec3_load(s->x + 3 * (size_t)w), tide_vec3_load(s->x + 3 * (size_t)vertex));
            double slope = fabs(tide_vec3_dot(along, direction)) / tide_vec3_length(along);
            if (face < 3 && slope < least) {
                least = slope;
                found = 3 * s->items[i] + face;
            }
        }
    if (found == TIDE_NO_ELEMENT)
        return 0;
    return open_face(s, found) ? 1 : UINT32_MAX;
}

// The edge of a mesh without triangles comes off at this end. Returns as open_across.
static uint32_t take_off(search *s, const tide_overstrained *e, uint32_t vertex)
{
    for (uint32_t i = s->starts[vertex]; i < s->starts[vertex + 1]; i++) {
        const uint32_t *v = cell_at(s, s->items[i]);
        bool own =
            (v[0] == e->vertices[0] && v[1] == e->vertices[1]) || (v[0] == e->vertices[1] && v[1] == e->vertices[0]);
        if (own && s->starts[vertex + 1] - s->starts[vertex] > 1)
            return open_face(s, 2 * s->items[i] + (v[0] == vertex)) ? 1 : UINT32_MAX;
    }
    return 0;
}

// --- elements --------------------------------------------------------------------------------------------------------

// Returns whether a cell has all vertices of an element.
static bool is_in_cell(const search *s, const tide_overstrained *e)
{
    bool found = false;
    for (uint32_t i = s->starts[e->vertices[0]]; i < s->starts[e->vertices[0] + 1] && !found; i++) {
        const uint32_t *v = cell_at(s, s->items[i]);
        found = true;
        for (uint32_t k = 0; k < e->vertex_count && found; k++) {
            bool has = false;
            for (uint32_t c = 0; c < s->cells.corners; c++)
                has = has || v[c] == e->vertices[k];
            found = has;
        }
    }
    return found;
}

static void take_around(search *s, uint32_t vertex)
{
    for (uint32_t i = s->starts[vertex]; i < s->starts[vertex + 1]; i++)
        for (uint32_t c = 0; c < s->cells.corners; c++)
            s->taken[cell_at(s, s->items[i])[c]] = true;
}

static uint32_t open_at(search *s, const tide_overstrained *e, uint32_t vertex, tide_vec3 direction, bool nearest)
{
    if (s->cells.corners == 2)
        return nearest ? 0 : take_off(s, e, vertex);
    return nearest ? open_nearest(s, vertex, direction) : open_across(s, vertex, direction);
}

// Tears one element. Sets *at. Returns false without memory.
static bool tear(search *s, const tide_overstrained *e, uint32_t *at)
{
    double stretches[TIDE_ELEMENT_MAX_VERTICES];
    tide_vec3 directions[TIDE_ELEMENT_MAX_VERTICES];
    *at = TIDE_TEAR_CUT;
    if (!is_in_cell(s, e)) {
        *at = e->vertex_count > 2 ? TIDE_TEAR_HOLDS : TIDE_TEAR_CUT;
        return true;
    }
    for (uint32_t c = 0; c < e->vertex_count; c++) {
        stretches[c] = find_stretch(s, e->vertices[c], &directions[c]);
        if (s->taken[e->vertices[c]]) {
            *at = TIDE_TEAR_HOLDS;
            return true;
        }
    }
    for (int nearest = 0; nearest < 2; nearest++)
        for (uint32_t tried = 0; tried < (1u << e->vertex_count) - 1;) { // a bit for each vertex
            uint32_t best = TIDE_NO_ELEMENT;
            for (uint32_t c = 0; c < e->vertex_count; c++)
                if (!(tried >> c & 1) && (best == TIDE_NO_ELEMENT || stretches[c] > stretches[best]))
                    best = c;
            tried |= 1u << best;
            uint32_t opened = open_at(s, e, e->vertices[best], directions[best], nearest);
            if (opened == UINT32_MAX)
                return false;
            if (opened) {
                *at = e->vertices[best];
                take_around(s, *at);
                return true;
            }
        }
    return true;
}

typedef struct rank {
    double strain;
    uint32_t index;
} rank;

static int by_strain(const void *a, const void *b)
{
    const rank *x = a, *y = b;
    if (x->strain != y->strain)
        return x->strain > y->strain ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

bool tide_find_tears(const tide_body *body, const double *x, const tide_overstrained *elements, uint32_t count,
                     tide_tears *tears)
{
    *tears = (tide_tears) { .at = tide_allocate_array(count, sizeof *tears->at) };
    search s = { .body = body, .x = x, .cells = tide_mesh_cells(body->mesh), .tears = tears };
    rank *ranks = tide_allocate_array(count, sizeof *ranks);
    bool made = tears->at && ranks && list_cells(&s);
    for (uint32_t i = 0; i < count && made; i++)
        ranks[i] = (rank) { elements[i].strain, i };
    if (made)
        qsort(ranks, count, sizeof *ranks, by_strain);
    for (uint32_t i = 0; i < count && made; i++)
        made = tear(&s, &elements[ranks[i].index], &tears->at[ranks[i].index]);
    tide_free(ranks);
    tide_free(s.starts);
    tide_free(s.items);
    tide_free(s.taken);
    if (!made)
        tide_tears_free(tears);
    return made;
}

void tide_tears_free(tide_tears *tears)
{
    tide_free(tears->faces);
    tide_free(tears->at);
    *tears = (tide_tears) { 0 };
}
