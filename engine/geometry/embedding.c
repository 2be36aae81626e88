// Finds the nearest tetrahedron by a hierarchy of boxes, split at the median of the centres of the tetrahedra along the
// longest side.
#include "geometry/embedding.h"

#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/bvh.h"
#include "mesh/connectivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAF = 4, DEPTH = 64 };
static const double largest = 1e75; // its cube is finite

typedef struct node {
    double lower[3], upper[3];
    uint32_t first, count; // leaf: a range of `order`; inner node: count is 0 and `first` is the second child
} node;

typedef struct finder {
    const tide_mesh *mesh;
    uint32_t *order, count; // tetrahedra with a volume
    double *centres;        // (3 * tetrahedron_count)
    node *nodes;
    uint32_t node_count;
} finder;

// --- building --------------------------------------------------------------------------------------------------------

static bool is_before(const finder *f, int axis, uint32_t a, uint32_t b)
{
    double x = f->centres[3 * (size_t)a + (size_t)axis], y = f->centres[3 * (size_t)b + (size_t)axis];
    return x < y || (x == y && a < b);
}

// Partially sorts the items so that the one at `middle` is in its sorted place (Hoare's quickselect).
static void select_middle(const finder *f, int axis, uint32_t first, uint32_t last, uint32_t middle)
{
    while (first < last) {
        uint32_t pivot = f->order[first + (last - first) / 2], i = first, j = last;
        for (;;) {
            while (is_before(f, axis, f->order[i], pivot))
                i++;
            while (is_before(f, axis, pivot, f->order[j]))
                j--;
            if (i >= j)
                break;
            uint32_t item = f->order[i];
            f->order[i++] = f->order[j];
            f->order[j--] = item;
        }
        // All items before i are at most the pivot, all from i on at least it.
        if (middle <= j)
            last = j;
        else
            first = j + 1;
    }
}

static void fit(const finder *f, node *node, uint32_t first, uint32_t count)
{
    for (int k = 0; k < 3; k++) {
        node->lower[k] = INFINITY;
        node->upper[k] = -INFINITY;
    }
    for (uint32_t i = first; i < first + count; i++)
        for (int c = 0; c < 4; c++) {
            const double *p = f->mesh->vertices + 3 * (size_t)f->mesh->tetrahedra[4 * (size_t)f->order[i] + (size_t)c];
            for (int k = 0; k < 3; k++) {
                node->lower[k] = fmin(node->lower[k], p[k]);
                node->upper[k] = fmax(node->upper[k], p[k]);
            }
        }
}

// Builds the hierarchy of `count` items; median splits keep the depth logarithmic.
static void build(finder *f, uint32_t first, uint32_t count)
{
    node *node = &f->nodes[f->node_count++];
    fit(f, node, first, count);
    node->first = first;
    node->count = count;
    if (count <= LEAF)
        return;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (node->upper[k] - node->lower[k] > node->upper[axis] - node->lower[axis])
            axis = k;
    uint32_t half = count / 2;
    select_middle(f, axis, first, first + count - 1, first + half);
    node->count = 0;
    build(f, first, half);
    node->first = f->node_count;
    build(f, first + half, count - half);
}

static tide_status open_finder(finder *f, void *memory, const tide_mesh *mesh, tide_error *error)
{
    uint32_t count = mesh->tetrahedron_count;
    *f = (finder) { .mesh = mesh,
                    .order = tide_own_array(memory, count, sizeof *f->order),
                    .centres = tide_own_array(memory, count, 3 * sizeof *f->centres),
                    .nodes = tide_own_array(memory, (size_t)count + 1, 2 * sizeof *f->nodes) };
    if (!tide_owns_all(memory))
        return tide_fail_memory(error, "embedding");
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; i++)
        if (!(fabs(mesh->vertices[i]) <= largest))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "embedding", "mesh", NULL,
                             "vertex %zu is too far away; expected coordinates up to 1e75 m", i / 3 + 1);
    for (uint32_t t = 0; t < count; t++) {
        const uint32_t *corners = mesh->tetrahedra + 4 * (size_t)t;
        if (!(tide_mesh_tetrahedron_volume(mesh->vertices, corners) > 0))
            continue;
        f->order[f->count++] = t;
        for (size_t k = 0; k < 3; k++) {
            double sum = 0;
            for (int c = 0; c < 4; c++)
                sum += mesh->vertices[3 * (size_t)corners[c] + k];
            f->centres[3 * (size_t)t + k] = sum;
        }
    }
    if (!f->count)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "embedding", "mesh", NULL,
                         "has no tetrahedron with a volume; expected a solid, as tide.mesh.box { ... } makes one");
    build(f, 0, f->count);
    return TIDE_OK;
}

// --- search ----------------------------------------------------------------------------------------------------------

typedef struct nearest {
    uint32_t tetrahedron;
    double squared, spread; // squared: m^2; spread: sum of |weights|
    double weights[4];
} nearest;

// Computes barycentric coordinates by Cramer's rule, relative to the first corner; the first weight is 1 minus the
// others.
void tide_embedding_weigh(const tide_mesh *coarse, uint32_t tetrahedron, const double p[3], double weights[4])
{
    const uint32_t *vertices = coarse->tetrahedra + 4 * (size_t)tetrahedron;
    const double *corners[4];
    for (int c = 0; c < 4; c++)
        corners[c] = coarse->vertices + 3 * (size_t)vertices[c];
    tide_vec3 origin = tide_vec3_load(corners[0]), x = tide_vec3_subtract(tide_vec3_load(p), origin);
    tide_vec3 a = tide_vec3_subtract(tide_vec3_load(corners[1]), origin);
    tide_vec3 b = tide_vec3_subtract(tide_vec3_load(corners[2]), origin);
    tide_vec3 c = tide_vec3_subtract(tide_vec3_load(corners[3]), origin);
    double whole = tide_vec3_dot(a, tide_vec3_cross(b, c));
    weights[1] = tide_vec3_dot(x, tide_vec3_cross(b, c)) / whole;
    weights[2] = tide_vec3_dot(a, tide_vec3_cross(x, c)) / whole;
    weights[3] = tide_vec3_dot(a, tide_vec3_cross(b, x)) / whole;
    weights[0] = 1 - weights[1] - weights[2] - weights[3];
}

static void try(const finder *f, uint32_t tetrahedron, const double p[3], nearest *best)
{
    static const unsigned char faces[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
    const uint32_t *vertices = f->mesh->tetrahedra + 4 * (size_t)tetrahedron;
    const double *corners[4];
    nearest found = { .tetrahedron = tetrahedron };
    for (int c = 0; c < 4; c++)
        corners[c] = f->mesh->vertices + 3 * (size_t)vertices[c];
    tide_embedding_weigh(f->mesh, tetrahedron, p, found.weights);
    bool outside = false;
    for (int c = 0; c < 4; c++) {
        found.spread += fabs(found.weights[c]);
        outside = outside || !(found.weights[c] >= 0);
    }
    if (!isfinite(found.spread)) // a volume of nearly 0
        return;
    if (outside)
        found.squared = INFINITY;
    for (int c = 0; c < 4 && outside; c++) {
        tide_bvh_point point;
        if (found.weights[c] >= 0)
            continue;
        tide_bvh_closest_on_triangle(corners[faces[c][0]], corners[faces[c][1]], corners[faces[c][2]], p, &point);
        found.squared = fmin(found.squared, point.squared);
    }
    bool tie = found.squared == best->squared;
    if (found.squared < best->squared || (tie && found.spread < best->spread) ||
        (tie && found.spread == best->spread && tetrahedron < best->tetrahedron))
        *best = found;
}

static double square_to_box(const node *node, const double p[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(fmax(node->lower[k] - p[k], p[k] - node->upper[k]), 0);
        sum += off * off;
    }
    return sum;
}

static nearest find(const finder *f, const double p[3])
{
    uint32_t stack[DEPTH], depth = 0, at = 0;
    nearest best = { .tetrahedron = UINT32_MAX, .squared = INFINITY, .spread = INFINITY };
    for (;;) {
        const node *node = &f->nodes[at];
        // The tolerance keeps boxes at exactly the same distance in spite of rounding.
        bool near = square_to_box(node, p) <= best.squared * (1 + 1e-12);
        for (uint32_t i = node->first; near && i < node->first + node->count; i++)
            try(f, f->order[i], p, &best);
        if (near && !node->count) {
            uint32_t one = at + 1, other = node->first;
            bool swap = square_to_box(&f->nodes[other], p) < square_to_box(&f->nodes[one], p);
            stack[depth++] = swap ? one : other;
            at = swap ? other : one;
            continue;
        }
        if (!depth)
            return best;
        at = stack[--depth];
    }
}

// --- the embedding ---------------------------------------------------------------------------------------------------

static tide_status embed(tide_embedding *made, const finder *f, const double *fine, tide_error *error)
{
    for (uint32_t i = 0; i < made->fine_count; i++) {
        const double *p = fine + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            if (!(fabs(p[k]) <= largest)) {
                char name[32], value[96];
                snprintf(name, sizeof name, "vertex %u", i + 1);
                snprintf(value, sizeof value, "(%g, %g, %g)", p[0], p[1], p[2]);
                return tide_fail(error, TIDE_ERROR_ARGUMENT, "embedding", name, value,
                                 "expected finite coordinates up to 1e75 m");
            }
        nearest found = find(f, p);
        if (found.tetrahedron == UINT32_MAX)
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "embedding", "mesh", NULL,
                             "its tetrahedra are too flat; mend it");
        made->tetrahedra[i] = found.tetrahedron;
        memcpy(made->vertices + 4 * (size_t)i, f->mesh->tetrahedra + 4 * (size_t)found.tetrahedron,
               4 * sizeof *made->vertices);
        memcpy(made->weights + 4 * (size_t)i, found.weights, sizeof found.weights);
        const double *w = found.weights;
        made->outside_count += fmin(fmin(w[0], w[1]), fmin(w[2], w[3])) < -1e-9;
        if (sqrt(found.squared) > made->farthest) {
            made->farthest = sqrt(found.squared);
            made->farthest_vertex = i;
        }
    }
    return TIDE_OK;
}

tide_status tide_embedding_create(const tide_mesh *coarse, const double *fine, uint32_t fine_count,
                                  tide_embedding **embedding, tide_error *error)
{
    TIDE_SCOPED void *memory = tide_allocate(0);
    finder finder = { 0 };
    tide_embedding *made = tide_allocate_zeroed(1, sizeof *made);
    if (!made)
        return tide_fail_memory(error, "embedding");
    made->fine_count = fine_count;
    made->coarse_count = coarse->vertex_count;
    made->tetrahedra = tide_own_array(made, fine_count, sizeof *made->tetrahedra);
    made->vertices = tide_own_array(made, fine_count, 4 * sizeof *made->vertices);
    made->weights = tide_own_array(made, fine_count, 4 * sizeof *made->weights);
    tide_status status = tide_owns_all(made) ? TIDE_OK : tide_fail_memory(error, "embedding");
    if (status == TIDE_OK)
        status = open_finder(&finder, memory, coarse, error);
    if (status == TIDE_OK)
        status = embed(made, &finder, fine, error);
    if (status != TIDE_OK) {
        tide_embedding_destroy(made);
        return status;
    }
    *embedding = made;
    return TIDE_OK;
}

tide_status tide_embedding_copy(const tide_embedding *embedding, tide_embedding **copy, tide_error *error)
{
    size_t count = embedding->fine_count;
    tide_embedding *made = tide_copy_bytes(embedding, sizeof *embedding);
    if (!made)
        return tide_fail_memory(error, "embedding");
    made->tetrahedra = tide_own(made, tide_copy_bytes(embedding->tetrahedra, count * sizeof *made->tetrahedra));
    made->vertices = tide_own(made, tide_copy_bytes(embedding->vertices, 4 * count * sizeof *made->vertices));
    made->weights = tide_own(made, tide_copy_bytes(embedding->weights, 4 * count * sizeof *made->weights));
    if (!tide_owns_all(made)) {
        tide_free(made);
        return tide_fail_memory(error, "embedding");
    }
    *copy = made;
    return TIDE_OK;
}

void tide_embedding_destroy(tide_embedding *embedding)
{
    tide_free(embedding);
}

void tide_embedding_apply(const tide_embedding *embedding, const double *coarse, double *fine)
{
    const uint32_t *vertices = embedding->vertices;
    const double *weights = embedding->weights;
    for (uint32_t i = 0; i < embedding->fine_count; i++, vertices += 4, weights += 4, fine += 3)
        for (size_t k = 0; k < 3; k++)
            fine[k] =
                weights[0] * coarse[3 * (size_t)vertices[0] + k] + weights[1] * coarse[3 * (size_t)vertices[1] + k] +
                weights[2] * coarse[3 * (size_t)vertices[2] + k] + weights[3] * coarse[3 * (size_t)vertices[3] + k];
}
