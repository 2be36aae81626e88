// Cuts the part inside out of each lattice tetrahedron: the stencils of Labelle and Shewchuk 2007.
#include "geometry/stuffing.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <math.h>

typedef struct filling {
    tide_stuffing_lattice *lattice;
    tide_stuffing *mesh;
    uint32_t *nodes; // (2 * cubes) the mesh vertex of a point
    bool failed;     // no memory
} filling;

void tide_stuffing_destroy(tide_stuffing *mesh)
{
    tide_free(mesh->vertices);
    tide_free(mesh->deep);
    tide_free(mesh->tetrahedra);
    *mesh = (tide_stuffing) { 0 };
}

bool tide_stuffing_add_vertex(tide_stuffing *mesh, const double position[3], bool deep, uint32_t *vertex)
{
    size_t count = mesh->vertex_count;
    if (!tide_grow(&mesh->vertices, &mesh->vertex_capacity, 3 * count + 3, sizeof *mesh->vertices) ||
        !tide_grow(&mesh->deep, &mesh->deep_capacity, count + 1, sizeof *mesh->deep))
        return false;
    for (size_t k = 0; k < 3; k++)
        mesh->vertices[3 * count + k] = position[k];
    mesh->deep[count] = deep;
    *vertex = mesh->vertex_count++;
    return true;
}

static uint32_t node(filling *f, uint32_t point)
{
    double position[3];
    if (f->nodes[point] == TIDE_STUFFING_NONE) {
        tide_stuffing_position(f->lattice, point, position);
        if (!tide_stuffing_add_vertex(f->mesh, position, f->lattice->labels[point] == TIDE_STUFFING_INSIDE,
                                      &f->nodes[point]))
            f->failed = true;
    }
    return f->nodes[point];
}

static uint32_t cut(filling *f, uint32_t p, uint32_t q)
{
    double position[3];
    uint32_t index = tide_stuffing_cut_between(f->lattice, p, q);
    tide_stuffing_cut *c = &f->lattice->cuts[index];
    if (c->vertex == TIDE_STUFFING_NONE) {
        // The first point of an edge is the lower one of two corners or two centres; else it is the centre.
        uint32_t first = p % 2 == q % 2 ? (p < q ? p : q) : (p % 2 ? p : q);
        tide_stuffing_cut_position(f->lattice, first / 2, c, position);
        if (!tide_stuffing_add_vertex(f->mesh, position, false, &c->vertex))
            f->failed = true;
    }
    return c->vertex;
}

static void emit(filling *f, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    tide_stuffing *mesh = f->mesh;
    size_t count = mesh->tetrahedron_count;
    if (f->failed ||
        !tide_grow(&mesh->tetrahedra, &mesh->tetrahedron_capacity, 4 * count + 4, sizeof *mesh->tetrahedra)) {
        f->failed = true;
        return;
    }
    uint32_t *made = mesh->tetrahedra + 4 * count;
    made[0] = a;
    made[1] = b;
    made[2] = c;
    made[3] = d;
    if (tide_mesh_tetrahedron_volume(mesh->vertices, made) < 0) {
        made[2] = d;
        made[3] = c;
    }
    mesh->tetrahedron_count++;
}

// The face (i, j, out), with i and j inside, leaves a quadrilateral. Tells whether its diagonal runs from i to the cut
// between j and out. The result depends on the face alone, so that both tetrahedra at it agree. Where one of the cuts
// is on a long edge, the diagonal ends there. Otherwise the parity rule applies: it begins at the point from which an
// even number of coordinates of `out` are greater.
static bool is_cut_from(const filling *f, uint32_t i, uint32_t j, uint32_t out)
{
    if (i % 2 != j % 2)
        return j % 2 == out % 2;
    uint32_t a[3], b[3], greater = 0;
    tide_stuffing_coordinates(f->lattice, i, a);
    tide_stuffing_coordinates(f->lattice, out, b);
    for (int k = 0; k < 3; k++)
        greater += b[k] > a[k];
    return greater % 2 == 0;
}

// Splits the prism between the triangles p and q. before[0], [1], [2] tell whether the diagonals of the sides 0-1, 1-2,
// 2-0 run from p of the former to q of the latter; they are not all equal.
static void emit_prism(filling *f, const uint32_t p[3], const uint32_t q[3], const bool before[3])
{
    // The corners, in the order in which diagonals leave p.
    int first = before[0] && !before[2] ? 0 : (before[1] && !before[0] ? 1 : 2);
    int second = before[(first + 1) % 3] ? (first + 1) % 3 : (first + 2) % 3, third = 3 - first - second;
    emit(f, p[first], p[second], p[third], q[third]);
    emit(f, p[first], p[second], q[second], q[third]);
    emit(f, p[first], q[first], q[second], q[third]);
}

// The order in which vertices are made numbers them: it must not be left to the compiler, which chooses that of
// arguments.
static void add_corners(filling *f, uint32_t in, const uint32_t out[2], uint32_t corners[3])
{
    corners[0] = node(f, in);
    corners[1] = cut(f, in, out[0]);
    corners[2] = cut(f, in, out[1]);
}

static void emit_wedge(filling *f, const uint32_t in[2], const uint32_t out[2])
{
    uint32_t p[3], q[3];
    add_corners(f, in[0], out, p);
    add_corners(f, in[1], out, q);
    if (f->failed)
        return;
    bool first = is_cut_from(f, in[0], in[1], out[0]), second = is_cut_from(f, in[0], in[1], out[1]);
    // No other tetrahedron has the side on the surface: it takes its shorter diagonal, unless the others leave no
    // choice.
    double length[2] = { 0, 0 };
    for (int k = 0; k < 3; k++) {
        const double *v = f->mesh->vertices + k;
        length[0] += tide_pow(v[3 * (size_t)p[1]] - v[3 * (size_t)q[2]], 2);
        length[1] += tide_pow(v[3 * (size_t)p[2]] - v[3 * (size_t)q[1]], 2);
    }
    bool middle = first != second ? second : length[0] <= length[1];
    emit_prism(f, p, q, (const bool[3]) { first, middle, !second });
}

static void emit_truncated(filling *f, const uint32_t in[3], uint32_t out)
{
    uint32_t p[3], q[3];
    bool before[3];
    for (int k = 0; k < 3; k++) {
        p[k] = node(f, in[k]);
        q[k] = cut(f, in[k], out);
        before[k] = is_cut_from(f, in[k], in[(k + 1) % 3], out);
    }
    emit_prism(f, p, q, before);
}

static void emit_pyramid(filling *f, const uint32_t in[2], uint32_t out, uint32_t surface)
{
    bool swap = !is_cut_from(f, in[0], in[1], out);
    uint32_t i = in[swap], j = in[!swap], top = node(f, surface);
    uint32_t to_i = cut(f, i, out), to_j = cut(f, j, out);
    uint32_t at_j = node(f, j), at_i = node(f, i);
    emit(f, at_i, at_j, to_j, top);
    emit(f, at_i, to_j, to_i, top);
}

// Applies the stencil of a lattice tetrahedron, given by its four points.
static void stencil(filling *f, const uint32_t points[4])
{
    uint32_t in[4], out[4], on[4], ins = 0, outs = 0, ons = 0;
    for (int k = 0; k < 4; k++) {
        tide_stuffing_label label = f->lattice->labels[points[k]];
        if (label == TIDE_STUFFING_INSIDE)
            in[ins++] = points[k];
        else if (label == TIDE_STUFFING_OUTSIDE)
            out[outs++] = points[k];
        else
            on[ons++] = points[k];
    }
    if (ins == 0)
        return;
    if (outs == 0) {
        uint32_t corners[4];
        for (int k = 3; k >= 0; k--)
            corners[k] = node(f, points[k]);
        emit(f, corners[0], corners[1], corners[2], corners[3]);
    } else if (ins == 1) {
        uint32_t corners[4] = { node(f, in[0]) };
        for (uint32_t k = 0; k < 3; k++)
            corners[k + 1] = k < outs ? cut(f, in[0], out[k]) : node(f, on[k - outs]);
        emit(f, corners[0], corners[1], corners[2], corners[3]);
    } else if (ins == 2 && outs == 2)
        emit_wedge(f, in, out);
    else if (ins == 2)
        emit_pyramid(f, in, out[0], on[0]);
    else
        emit_truncated(f, in, out[0]);
}

tide_status tide_stuffing_fill(tide_stuffing_lattice *lattice, tide_stuffing *mesh, tide_error *error)
{
    filling f = { .lattice = lattice, .mesh = mesh };
    f.nodes = tide_allocate_array(lattice->cubes, 2 * sizeof *f.nodes);
    if (!f.nodes)
        return tide_fail_memory(error, "mesh tetrahedralize");
    for (size_t i = 0; i < 2 * (size_t)lattice->cubes; i++)
        f.nodes[i] = TIDE_STUFFING_NONE;
    // Around each square between two cubes: tetrahedra of the two centres and one side of the square.
    const uint32_t *n = lattice->n, *stride = lattice->stride;
    for (uint32_t k = 0; k + 1 < n[2] && !f.failed; k++)
        for (uint32_t j = 0; j + 1 < n[1]; j++)
            for (uint32_t i = 0; i + 1 < n[0]; i++)
                for (uint32_t axis = 0; axis < 3; axis++) {
                    uint32_t cube = i + j * stride[1] + k * stride[2], next = cube + stride[axis];
                    uint32_t u = stride[(axis + 1) % 3], v = stride[(axis + 2) % 3];
                    const uint32_t square[5] = { next, next + u, next + u + v, next + v, next };
                    for (int side = 0; side < 4; side++)
                        stencil(&f, (const uint32_t[4]) { 2 * cube + 1, 2 * next + 1, 2 * square[side],
                                                          2 * square[side + 1] });
                }
    tide_free(f.nodes);
    return f.failed ? tide_fail_memory(error, "mesh tetrahedralize") : TIDE_OK;
}
