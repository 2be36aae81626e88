#include "world/fans.h"

#include "base/memory.h"
#include "base/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tide_cells tide_mesh_cells(const tide_mesh *mesh)
{
    if (mesh->tetrahedron_count)
        return (tide_cells) { mesh->tetrahedra, mesh->tetrahedron_count, 4 };
    if (mesh->triangle_count)
        return (tide_cells) { mesh->triangles, mesh->triangle_count, 3 };
    return (tide_cells) { mesh->edges, mesh->edge_count, 2 };
}

double tide_cell_measure(const tide_mesh *mesh, const tide_cells *cells, uint32_t cell)
{
    const uint32_t *v = cells->vertices + cells->corners * (size_t)cell;
    tide_vec3 sides[3] = { 0 }, first = tide_vec3_load(mesh->vertices + 3 * (size_t)v[0]);
    for (uint32_t c = 1; c < cells->corners; c++)
        sides[c - 1] = tide_vec3_subtract(tide_vec3_load(mesh->vertices + 3 * (size_t)v[c]), first);
    if (cells->corners == 2)
        return tide_vec3_length(sides[0]);
    tide_vec3 normal = tide_vec3_cross(sides[0], sides[1]);
    return cells->corners == 3 ? tide_vec3_length(normal) / 2 : fabs(tide_vec3_dot(normal, sides[2])) / 6;
}

static uint32_t corner_of(const tide_cells *cells, uint32_t cell, uint32_t vertex)
{
    uint32_t c = 0;
    while (c < cells->corners && cells->vertices[cells->corners * (size_t)cell + c] != vertex)
        c++;
    return c;
}

uint32_t tide_fans_seen_from(const tide_fans *fans, uint32_t cell, uint32_t vertex)
{
    uint32_t c = corner_of(&fans->cells, cell, vertex);
    return c < fans->cells.corners ? fans->corners[fans->cells.corners * (size_t)cell + c] : TIDE_NO_VERTEX;
}

uint32_t tide_fans_shared_face(const tide_cells *cells, uint32_t cell, uint32_t other, uint32_t vertex)
{
    uint32_t outside = cells->corners, common = 0;
    if (cells->corners == 2) // joined at the vertex itself
        return 1 - corner_of(cells, cell, vertex);
    for (uint32_t c = 0; c < cells->corners; c++) {
        bool shared = corner_of(cells, other, cells->vertices[cells->corners * (size_t)cell + c]) < cells->corners;
        common += shared;
        outside = shared ? outside : c;
    }
    return common + 1 == cells->corners ? outside : cells->corners;
}

// --- lists -----------------------------------------------------------------------------------------------------------

static bool is_near(const tide_fans *f, uint32_t vertex)
{
    return f->place[vertex] != TIDE_NO_VERTEX;
}

// Numbers the marked vertices, ascending, after those that have a number.
static void number_marked(tide_fans *f, const bool *marked)
{
    for (uint32_t v = 0; v < f->mesh->vertex_count; v++)
        if (marked[v] && !is_near(f, v)) {
            f->place[v] = f->near_count;
            f->near[f->near_count++] = v;
        }
}

static void find_near(tide_fans *f, bool *marked)
{
    uint32_t corners = f->cells.corners;
    memset(f->place, 0xff, f->mesh->vertex_count * sizeof *f->place);
    for (size_t i = 0; i < f->opened_count; i++)
        for (uint32_t c = 0; c < corners; c++)
            if (c != f->opened[i] % corners)
                marked[f->cells.vertices[f->opened[i] - f->opened[i] % corners + c]] = true;
    number_marked(f, marked);
    f->touched_count = f->near_count;
    for (size_t i = 0; i < f->cells.count; i++) {
        const uint32_t *v = f->cells.vertices + corners * i;
        bool touched = false;
        for (uint32_t c = 0; c < corners; c++)
            touched = touched || is_near(f, v[c]);
        for (uint32_t c = 0; c < corners && touched; c++)
            marked[v[c]] = true;
    }
    number_marked(f, marked);
}

static bool list_cells(tide_fans *f)
{
    size_t count = f->cells.corners * (size_t)f->cells.count, total = 0;
    f->starts = tide_allocate_zeroed((size_t)f->near_count + 2, sizeof *f->starts);
    if (!f->starts)
        return false;
    for (size_t i = 0; i < count; i++)
        if (is_near(f, f->cells.vertices[i])) {
            f->starts[f->place[f->cells.vertices[i]] + 2]++;
            total++;
        }
    for (uint32_t i = 0; i < f->near_count; i++)
        f->starts[i + 2] += f->starts[i + 1];
    f->items = tide_allocate_array(total, sizeof *f->items);
    if (!f->items)
        return false;
    for (size_t i = 0; i < count; i++)
        if (is_near(f, f->cells.vertices[i]))
            f->items[f->starts[f->place[f->cells.vertices[i]] + 1]++] = (uint32_t)(i / f->cells.corners);
    return true;
}

// --- parts -----------------------------------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_opened(const tide_fans *f, uint32_t cell, uint32_t corner)
{
    uint32_t face = f->cells.corners * cell + corner;
    return bsearch(&face, f->opened, f->opened_count, sizeof face, ascending) != NULL;
}

static bool are_joined(const tide_fans *f, uint32_t a, uint32_t b, uint32_t vertex)
{
    uint32_t face = tide_fans_shared_face(&f->cells, a, b, vertex);
    return face < f->cells.corners && !is_opened(f, a, face) &&
           !is_opened(f, b, tide_fans_shared_face(&f->cells, b, a, vertex));
}

// Parts of the cells at a vertex, numbered by their first cells.
typedef struct parts {
    const uint32_t *cells;
    uint32_t count;
    uint32_t *of;     // (count)
    double *measures; // (count) of the part of that number
    double all;
    uint32_t largest;
} parts;

static void find_parts(const tide_fans *f, uint32_t vertex, parts *p)
{
    for (uint32_t i = 0; i < p->count; i++)
        p->of[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < p->count; i++)
            for (uint32_t j = 0; j < i; j++)
                if (p->of[i] != p->of[j] && are_joined(f, p->cells[i], p->cells[j], vertex)) {
                    p->of[i] = p->of[j] = p->of[i] < p->of[j] ? p->of[i] : p->of[j];
                    changed = true;
                }
    }
    p->all = 0;
    p->largest = 0;
    for (uint32_t i = 0; i < p->count; i++)
        p->measures[i] = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        double measure = tide_cell_measure(f->mesh, &f->cells, p->cells[i]);
        p->measures[p->of[i]] += measure;
        p->all += measure;
    }
    for (uint32_t i = 0; i < p->count; i++)
        p->largest = p->measures[i] > p->measures[p->largest] ? i : p->largest;
}

#define LEAST_UNITS 0x1p20 // no part is without mass, even one without area

// Returns a share of a mass, on a grid of numbers whose sums are exact.
static double share_of(double mass, double share)
{
    int exponent;
    frexp(mass, &exponent);
    double unit = ldexp(1, exponent - 53), units = share * mass / unit;
    return unit > 0 ? rint(units > LEAST_UNITS ? units : LEAST_UNITS) * unit : 0;
}

static bool add_copy(tide_fans *f, uint32_t vertex, const parts *p, uint32_t part)
{
    uint32_t count = f->mesh->vertex_count, copy = count + f->added, corners = f->cells.corners;
    if (!tide_grow(&f->origins, &f->origin_capacity, (size_t)f->added + 1, sizeof *f->origins) ||
        !tide_grow(&f->masses, &f->mass_capacity, (size_t)copy + 1, sizeof *f->masses))
        return false;
    f->origins[f->added++] = vertex;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->of[i] == part)
            f->corners[corners * (size_t)p->cells[i] + corner_of(&f->cells, p->cells[i], vertex)] = copy;
    return true;
}

static bool split_vertex(tide_fans *f, uint32_t vertex, parts *p)
{
    uint32_t first = f->starts[f->place[vertex]];
    p->cells = f->items + first;
    p->count = f->starts[f->place[vertex] + 1] - first;
    find_parts(f, vertex, p);
    double mass = f->masses[vertex];
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->of[i] != i || i == p->largest)
            continue;
        if (!add_copy(f, vertex, p, i))
            return false;
        double own = p->all > 0 ? share_of(mass, p->measures[i] / p->all) : 0;
        f->masses[f->mesh->vertex_count + f->added - 1] = own;
        f->masses[vertex] -= own;
    }
    return true;
}

static bool split_vertices(tide_fans *f)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < f->touched_count; i++) {
        uint32_t count = f->starts[i + 1] - f->starts[i];
        most = count > most ? count : most;
    }
    TIDE_SCOPED uint32_t *of = tide_allocate_array(most, sizeof *of);
    TIDE_SCOPED double *measures = tide_allocate_array(most, sizeof *measures);
    bool made = of && measures;
    for (uint32_t i = 0; i < f->touched_count && made; i++)
        made = split_vertex(f, f->near[i], &(parts) { .of = of, .measures = measures });
    return made;
}

tide_status tide_fans_find(tide_fans *fans, const tide_mesh *mesh, const double *masses, const uint32_t *opened,
                           size_t count, tide_error *error)
{
    size_t vertices = mesh->vertex_count;
    *fans = (tide_fans) { .cells = tide_mesh_cells(mesh), .mesh = mesh, .opened = opened, .opened_count = count };
    fans->near = tide_allocate_array(vertices, sizeof *fans->near);
    fans->place = tide_allocate_array(vertices, sizeof *fans->place);
    fans->corners =
        tide_copy_bytes(fans->cells.vertices, fans->cells.corners * (size_t)fans->cells.count * sizeof *fans->corners);
    TIDE_SCOPED bool *marked = tide_allocate_zeroed(vertices, sizeof *marked);
    bool made = fans->near && fans->place && fans->corners && marked &&
                tide_grow(&fans->masses, &fans->mass_capacity, vertices, sizeof *fans->masses);
    if (made) {
        memcpy(fans->masses, masses, vertices * sizeof *masses);
        find_near(fans, marked);
        made = list_cells(fans) && split_vertices(fans);
    }
    if (made)
        return TIDE_OK;
    tide_fans_free(fans);
    return tide_fail_memory(error, "cut");
}

void tide_fans_free(tide_fans *fans)
{
    tide_free(fans->near);
    tide_free(fans->place);
    tide_free(fans->starts);
    tide_free(fans->items);
    tide_free(fans->corners);
    tide_free(fans->origins);
    tide_free(fans->masses);
    *fans = (tide_fans) { 0 };
}
