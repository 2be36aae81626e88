#include "geometry/stuffing.h"

#include "base/disjoint_set.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char object[] = "mesh tetrahedralize";

// The tetrahedra around each vertex v: of[starts[v]] up to, not including, of[starts[v + 1]].
typedef struct around {
    uint32_t *starts, *of;
} around;

static void around_destroy(around *a)
{
    tide_free(a->starts);
    tide_free(a->of);
}

static bool around_create(const tide_stuffing *mesh, around *a)
{
    size_t corners = 4 * (size_t)mesh->tetrahedron_count;
    a->starts = tide_allocate_zeroed((size_t)mesh->vertex_count + 2, sizeof *a->starts);
    a->of = tide_allocate_array(corners, sizeof *a->of);
    if (!a->starts || !a->of) {
        around_destroy(a);
        return false;
    }
    // Counts are shifted by two places, so that filling leaves each start in its place.
    uint32_t *next = a->starts + 1;
    for (size_t i = 0; i < corners; i++)
        next[mesh->tetrahedra[i] + 1]++;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        next[v + 1] += next[v];
    for (size_t i = 0; i < corners; i++)
        a->of[next[mesh->tetrahedra[i]]++] = (uint32_t)(i / 4);
    return true;
}

// --- the link of a vertex: the sides opposite it of the tetrahedra around it

enum { MAX_AROUND = 96 }; // a lattice point has 24 tetrahedra, of at most three pieces each

typedef struct link {
    uint32_t count, tetrahedra[MAX_AROUND], corners[MAX_AROUND][3];
    uint32_t part[MAX_AROUND]; // the first triangle of each group joined by edges
    uint32_t parts;
} link;

static uint32_t shared_corners(const uint32_t a[3], const uint32_t b[3])
{
    uint32_t count = 0;
    for (int i = 0; i < 3; i++)
        count += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
    return count;
}

static void link_of(const tide_stuffing *mesh, const around *a, uint32_t vertex, link *l)
{
    l->count = 0;
    for (uint32_t i = a->starts[vertex]; i < a->starts[vertex + 1] && l->count < MAX_AROUND; i++) {
        const uint32_t *corner = mesh->tetrahedra + 4 * (size_t)a->of[i];
        uint32_t found = 0;
        for (int k = 0; k < 4; k++)
            if (corner[k] != vertex && found < 3)
                l->corners[l->count][found++] = corner[k];
        l->tetrahedra[l->count] = a->of[i];
        l->part[l->count] = l->count;
        l->count++;
    }
    l->parts = l->count;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t j = 0; j < i; j++) {
            if (l->part[i] == l->part[j] || shared_corners(l->corners[i], l->corners[j]) < 2)
                continue;
            uint32_t low = l->part[i] < l->part[j] ? l->part[i] : l->part[j];
            uint32_t high = l->part[i] < l->part[j] ? l->part[j] : l->part[i];
            for (uint32_t k = 0; k < l->count; k++)
                l->part[k] = l->part[k] == high ? low : l->part[k];
            l->parts--;
        }
}

// Tells whether a link of one part is a disc or a sphere: Euler characteristic 1 or 2, and no vertex where the rim
// touches itself.
static bool is_simple(const link *l)
{
    uint32_t vertices[3 * MAX_AROUND], rims[3 * MAX_AROUND], count = 0, rim = 0;
    for (uint32_t i = 0; i < l->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t edge[2] = { l->corners[i][k], l->corners[i][(k + 1) % 3] };
            uint32_t triangles = 0;
            for (uint32_t j = 0; j < l->count; j++) {
                const uint32_t *c = l->corners[j];
                triangles += (edge[0] == c[0] || edge[0] == c[1] || edge[0] == c[2]) &&
                             (edge[1] == c[0] || edge[1] == c[1] || edge[1] == c[2]);
            }
            if (triangles > 2)
                return false;
            rim += triangles == 1;
            for (int end = 0; end < 2; end++) {
                uint32_t v = 0;
                while (v < count && vertices[v] != edge[end])
                    v++;
                if (v == count) {
                    vertices[count] = edge[end];
                    rims[count++] = 0;
                }
                rims[v] += triangles == 1;
            }
        }
    for (uint32_t v = 0; v < count; v++)
        if (rims[v] > 2)
            return false;
    uint32_t edges = (3 * l->count + rim) / 2;
    return count + l->count == edges + (rim > 0 ? 1 : 2);
}

// --- splitting and removing

// All vertices that came from a split; some may occur more than once.
typedef struct parted_vertices {
    uint32_t *items;
    size_t count, capacity;
} parted_vertices;

// Gives each part of the link, except the first, a vertex of its own.
static bool part_vertex(tide_stuffing *mesh, uint32_t vertex, const link *l, parted_vertices *all)
{
    if (!tide_grow(&all->items, &all->capacity, all->count + l->parts, sizeof *all->items))
        return false;
    all->items[all->count++] = vertex;
    for (uint32_t part = 1; part < l->count; part++) {
        if (l->part[part] != part)
            continue;
        double position[3];
        uint32_t twin;
        memcpy(position, mesh->vertices + 3 * (size_t)vertex, sizeof position);
        if (!tide_stuffing_add_vertex(mesh, position, false, &twin))
            return false;
        all->items[all->count++] = twin;
        for (uint32_t i = 0; i < l->count; i++)
            for (size_t k = 0; k < 4; k++) {
                uint32_t *corner = mesh->tetrahedra + 4 * (size_t)l->tetrahedra[i] + k;
                if (l->part[i] == part && *corner == vertex)
                    *corner = twin;
            }
    }
    return true;
}

static void drop_marked(tide_stuffing *mesh, const unsigned char *dropped)
{
    uint32_t kept = 0;
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
        if (!dropped[t])
            memmove(mesh->tetrahedra + 4 * (size_t)kept++, mesh->tetrahedra + 4 * (size_t)t, 4 * sizeof(uint32_t));
    mesh->tetrahedron_count = kept;
}

// One pass over all vertices at the surface. Tetrahedra are removed only in a pass that splits nothing.
static tide_status mend_once(tide_stuffing *mesh, parted_vertices *all, bool *parted, bool *removed, tide_error *error)
{
    around a;
    TIDE_SCOPED unsigned char *dropped = tide_allocate_zeroed(mesh->tetrahedron_count, 1);
    if (!dropped || !around_create(mesh, &a))
        return tide_fail_memory(error, object);
    tide_status status = TIDE_OK;
    uint32_t count = mesh->vertex_count; // new vertices are checked in the next pass
    *parted = *removed = false;
    for (uint32_t v = 0; v < count && status == TIDE_OK; v++) {
        link l;
        if (mesh->deep[v])
            continue;
        link_of(mesh, &a, v, &l);
        if (l.parts > 1) {
            *parted = true;
            if (!part_vertex(mesh, v, &l, all))
                status = tide_fail_memory(error, object);
        } else if (l.count > 0 && !*parted && !is_simple(&l)) {
            *removed = true;
            for (uint32_t i = 0; i < l.count; i++)
                dropped[l.tetrahedra[i]] = 1;
        }
    }
    if (*removed && !*parted) {
        for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
            for (size_t k = 0; k < 4 && dropped[t]; k++)
                mesh->deep[mesh->tetrahedra[4 * (size_t)t + k]] = 0;
        drop_marked(mesh, dropped);
    }
    around_destroy(&a);
    return status;
}

// --- separating

#define APART 1e-3 // fraction of the way to the mean of the surrounding corners; angles stay within the bounds

static int compare(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
    return (first > second) - (first < second);
}

// Adds the corners of a tetrahedron to the sums of its split vertices.
static void add_corners(const tide_stuffing *mesh, const uint32_t corner[4], parted_vertices *all, double *sums)
{
    for (size_t k = 0; k < 4; k++) {
        const uint32_t *found = bsearch(&corner[k], all->items, all->count, sizeof *found, compare);
        double *sum = found ? sums + 4 * (size_t)(found - all->items) : NULL;
        for (size_t i = 0; i < 4 && sum; i++) {
            for (size_t d = 0; d < 3; d++)
                sum[d] += mesh->vertices[3 * (size_t)corner[i] + d];
            sum[3] += 1;
        }
    }
}

// Moves split vertices apart, each towards its own part. All means are computed before any vertex moves.
static tide_status move_apart(tide_stuffing *mesh, parted_vertices *all, tide_error *error)
{
    size_t kept = 0;
    qsort(all->items, all->count, sizeof *all->items, compare);
    for (size_t i = 0; i < all->count; i++)
        if (kept == 0 || all->items[kept - 1] != all->items[i])
            all->items[kept++] = all->items[i];
    all->count = kept;
    TIDE_SCOPED double *sums = tide_allocate_zeroed(kept, 4 * sizeof *sums);
    if (!sums)
        return tide_fail_memory(error, object);
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
        add_corners(mesh, mesh->tetrahedra + 4 * (size_t)t, all, sums);
    for (size_t i = 0; i < kept; i++)
        for (size_t d = 0; d < 3 && sums[4 * i + 3] > 0; d++) {
            double *x = &mesh->vertices[3 * (size_t)all->items[i] + d];
            *x += APART * (sums[4 * i + d] / sums[4 * i + 3] - *x);
        }
    return TIDE_OK;
}

tide_status tide_stuffing_mend(tide_stuffing *mesh, tide_error *error)
{
    parted_vertices all = { .items = NULL };
    bool parted = true, removed = true;
    tide_status status = TIDE_OK;
    while (status == TIDE_OK && (parted || removed))
        status = mend_once(mesh, &all, &parted, &removed, error);
    if (status == TIDE_OK && all.count > 0)
        status = move_apart(mesh, &all, error);
    tide_free(all.items);
    return status;
}

// --- pieces

tide_status tide_stuffing_keep_largest(tide_stuffing *mesh, tide_error *error)
{
    TIDE_SCOPED uint32_t *parents = tide_allocate_array(mesh->vertex_count, sizeof *parents);
    TIDE_SCOPED double *volumes = tide_allocate_zeroed(mesh->vertex_count, sizeof *volumes);
    TIDE_SCOPED unsigned char *dropped = tide_allocate_zeroed(mesh->tetrahedron_count, 1);
    TIDE_TRY(parents && volumes && dropped ? TIDE_OK : tide_fail_memory(error, object));
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        parents[v] = v;
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
        for (size_t k = 1; k < 4; k++) {
            const uint32_t *corner = mesh->tetrahedra + 4 * (size_t)t;
            tide_disjoint_set_join(parents, corner[0], corner[k]);
        }
    uint32_t largest = 0;
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        const uint32_t *corner = mesh->tetrahedra + 4 * (size_t)t;
        volumes[tide_disjoint_set_root(parents, corner[0])] += tide_mesh_tetrahedron_volume(mesh->vertices, corner);
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        largest = volumes[v] > volumes[largest] ? v : largest;
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++)
        dropped[t] = tide_disjoint_set_root(parents, mesh->tetrahedra[4 * (size_t)t]) != largest;
    drop_marked(mesh, dropped);
    return TIDE_OK;
}

tide_status tide_stuffing_compact(tide_stuffing *mesh, tide_error *error)
{
    TIDE_SCOPED uint32_t *places = tide_allocate_zeroed(mesh->vertex_count, sizeof *places);
    uint32_t kept = 0;
    if (!places)
        return tide_fail_memory(error, object);
    for (size_t i = 0; i < 4 * (size_t)mesh->tetrahedron_count; i++)
        places[mesh->tetrahedra[i]] = 1;
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (places[v]) {
            memmove(mesh->vertices + 3 * (size_t)kept, mesh->vertices + 3 * (size_t)v, 3 * sizeof(double));
            mesh->deep[kept] = mesh->deep[v];
            places[v] = kept++;
        }
    for (size_t i = 0; i < 4 * (size_t)mesh->tetrahedron_count; i++)
        mesh->tetrahedra[i] = places[mesh->tetrahedra[i]];
    mesh->vertex_count = kept;
    return TIDE_OK;
}
