#include "geometry/stuffing.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdio.h>

// A point is moved to a cut that is nearer than this fraction of the edge. These fractions guarantee dihedral angles
// from 10.7 to 164.8 degrees (Labelle and Shewchuk 2007).
static const double nearest_long = 0.24999, nearest_short = 0.41189;

// Blocks of BLOCK^3 cubes are sampled together, or skipped.
enum { BLOCK = 4, EDGES = 14, NEIGHBOURS = 14, CUT_GRAIN = 4096 };

static void locate(const tide_stuffing_lattice *lattice, const uint32_t at[3], double position[3])
{
    for (int k = 0; k < 3; k++)
        position[k] = lattice->origin[k] + 0.5 * at[k] * lattice->cell;
}

void tide_stuffing_coordinates(const tide_stuffing_lattice *lattice, uint32_t point, uint32_t at[3])
{
    uint32_t cube = point / 2, centre = point % 2;
    at[0] = 2 * (cube % lattice->n[0]) + centre;
    at[1] = 2 * (cube / lattice->stride[1] % lattice->n[1]) + centre;
    at[2] = 2 * (cube / lattice->stride[2]) + centre;
}

// --- edges

static uint32_t corner_step(const tide_stuffing_lattice *lattice, uint32_t bits)
{
    return (bits & 1) + (bits >> 1 & 1) * lattice->stride[1] + (bits >> 2 & 1) * lattice->stride[2];
}

static void edge_points(const tide_stuffing_lattice *lattice, uint32_t cube, uint32_t edge, uint32_t ends[2])
{
    ends[0] = 2 * cube + (edge >= 3);
    if (edge < 6)
        ends[1] = ends[0] + 2 * lattice->stride[edge % 3];
    else
        ends[1] = 2 * (cube + corner_step(lattice, edge - 6));
}

// The cube and edge between a point and its neighbour `k`: 0 to 2 forward along an axis, 3 to 5 backward, 6 to 13 the
// points of the other kind.
typedef struct way {
    uint32_t cube, edge, other;
} way;

static way way_from(const tide_stuffing_lattice *lattice, uint32_t point, uint32_t k)
{
    uint32_t cube = point / 2, centre = point % 2;
    if (k < 3)
        return (way) { cube, 3 * centre + k, point + 2 * lattice->stride[k] };
    if (k < 6)
        return (way) { cube - lattice->stride[k - 3], 3 * centre + k - 3, point - 2 * lattice->stride[k - 3] };
    uint32_t step = corner_step(lattice, k - 6);
    if (centre)
        return (way) { cube, k, 2 * (cube + step) };
    return (way) { cube - step, k, 2 * (cube - step) + 1 };
}

static uint32_t find_cut(const tide_stuffing_lattice *lattice, uint32_t cube, uint32_t edge)
{
    for (uint32_t i = lattice->starts[cube]; i < lattice->starts[cube + 1]; i++)
        if (lattice->cuts[i].edge == edge)
            return i;
    return TIDE_STUFFING_NONE;
}

uint32_t tide_stuffing_cut_between(const tide_stuffing_lattice *lattice, uint32_t p, uint32_t q)
{
    if (p % 2 == q % 2) {
        uint32_t first = p < q ? p : q, step = (p < q ? q - p : p - q) / 2;
        uint32_t axis = step == 1 ? 0 : (step == lattice->stride[1] ? 1 : 2);
        return find_cut(lattice, first / 2, 3 * (first % 2) + axis);
    }
    uint32_t cube = (p % 2 ? p : q) / 2, step = (p % 2 ? q : p) / 2 - cube, bits = 0;
    while (corner_step(lattice, bits) != step)
        bits++;
    return find_cut(lattice, cube, 6 + bits);
}

void tide_stuffing_cut_position(const tide_stuffing_lattice *lattice, uint32_t cube, const tide_stuffing_cut *cut,
                                double position[3])
{
    uint32_t ends[2], from[3], to[3];
    edge_points(lattice, cube, cut->edge, ends);
    tide_stuffing_coordinates(lattice, ends[0], from);
    tide_stuffing_coordinates(lattice, ends[1], to);
    for (int k = 0; k < 3; k++)
        position[k] =
            lattice->origin[k] + 0.5 * ((double)from[k] + cut->at * ((double)to[k] - (double)from[k])) * lattice->cell;
}

// Returns the cube of cut `index`.
static uint32_t cube_of(const tide_stuffing_lattice *lattice, uint32_t index)
{
    uint32_t low = 0, high = lattice->cubes;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (lattice->starts[middle] <= index)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void tide_stuffing_position(const tide_stuffing_lattice *lattice, uint32_t point, double position[3])
{
    uint32_t cut = lattice->moved[point], at[3];
    if (cut != TIDE_STUFFING_NONE) {
        tide_stuffing_cut_position(lattice, cube_of(lattice, cut), &lattice->cuts[cut], position);
        return;
    }
    tide_stuffing_coordinates(lattice, point, at);
    locate(lattice, at, position);
}

// --- sampling

static void sample_block(tide_stuffing_lattice *lattice, const uint32_t first[3], const uint32_t end[3])
{
    // The value at the centre of all points bounds the others: it tells whether the surface can be near.
    double middle[3], squared = 0;
    for (int k = 0; k < 3; k++) {
        double reach = 0.5 * (end[k] - first[k]) - 0.25;
        middle[k] = lattice->origin[k] + (first[k] + reach) * lattice->cell;
        squared += reach * reach;
    }
    double far = lattice->distance->steepest * sqrt(squared) * lattice->cell * (1 + 1e-9);
    double there = tide_distance_at(lattice->distance, middle, NULL);
    for (uint32_t k = first[2]; k < end[2]; k++)
        for (uint32_t j = first[1]; j < end[1]; j++)
            for (uint32_t i = first[0]; i < end[0]; i++)
                for (uint32_t centre = 0; centre < 2; centre++) {
                    const uint32_t at[3] = { 2 * i + centre, 2 * j + centre, 2 * k + centre };
                    bool outermost = false;
                    for (int axis = 0; axis < 3; axis++)
                        outermost |= at[axis] < 2 || at[axis] >= 2 * lattice->n[axis] - 2;
                    double value = there, position[3];
                    if (outermost)
                        value = lattice->cell;
                    else if (!(fabs(there) > far)) {
                        locate(lattice, at, position);
                        value = tide_distance_at(lattice->distance, position, NULL);
                    }
                    uint32_t point = 2 * (i + j * lattice->stride[1] + k * lattice->stride[2]) + centre;
                    lattice->values[point] = value;
                    lattice->labels[point] = value > 0   ? TIDE_STUFFING_OUTSIDE
                                             : value < 0 ? TIDE_STUFFING_INSIDE
                                                         : TIDE_STUFFING_SURFACE;
                    lattice->moved[point] = TIDE_STUFFING_NONE;
                }
}

static void blocks_each_way(const tide_stuffing_lattice *lattice, uint32_t blocks[3])
{
    for (int k = 0; k < 3; k++)
        blocks[k] = (lattice->n[k] + BLOCK - 1) / BLOCK;
}

static void sample_blocks(void *context, uint32_t begin, uint32_t end)
{
    tide_stuffing_lattice *lattice = context;
    uint32_t blocks[3];
    blocks_each_way(lattice, blocks);
    for (uint32_t b = begin; b < end; b++) {
        const uint32_t block[3] = { b % blocks[0], b / blocks[0] % blocks[1], b / blocks[0] / blocks[1] };
        uint32_t first[3], last[3];
        for (int k = 0; k < 3; k++) {
            first[k] = BLOCK * block[k];
            last[k] = first[k] + BLOCK < lattice->n[k] ? first[k] + BLOCK : lattice->n[k];
        }
        sample_block(lattice, first, last);
    }
}

static tide_status check_values(const tide_stuffing_lattice *lattice, tide_error *error)
{
    for (uint32_t i = 0; i < 2 * lattice->cubes; i++)
        if (!isfinite(lattice->values[i])) {
            double p[3];
            uint32_t at[3];
            char value[32];
            tide_stuffing_coordinates(lattice, i, at);
            locate(lattice, at, p);
            snprintf(value, sizeof value, "%g", lattice->values[i]);
            return tide_fail(error, TIDE_ERROR_ARGUMENT, "mesh tetrahedralize", "distance", value,
                             "at (%.4g, %.4g, %.4g): expected finite numbers", p[0], p[1], p[2]);
        }
    return TIDE_OK;
}

// --- cuts

static bool is_cut(const tide_stuffing_lattice *lattice, uint32_t p, uint32_t q)
{
    return lattice->labels[p] + lattice->labels[q] == TIDE_STUFFING_INSIDE + TIDE_STUFFING_OUTSIDE &&
           lattice->labels[p] != lattice->labels[q];
}

// Finds the zero on an edge whose ends have opposite signs: regula falsi with the Illinois rule, and bisection when
// that is slow.
static double find_zero(const tide_stuffing_lattice *lattice, const uint32_t ends[2])
{
    uint32_t at[3];
    double from[3], to[3];
    tide_stuffing_coordinates(lattice, ends[0], at);
    locate(lattice, at, from);
    tide_stuffing_coordinates(lattice, ends[1], at);
    locate(lattice, at, to);
    double low = 0, high = 1, below = lattice->values[ends[0]], above = lattice->values[ends[1]];
    int side = 0;
    for (int i = 0; i < 60 && high - low > 1e-10; i++) {
        double t = (low * above - high * below) / (above - below), p[3];
        if (i % 4 == 3 || !(t > low && t < high))
            t = 0.5 * low + 0.5 * high;
        for (int k = 0; k < 3; k++)
            p[k] = from[k] + t * (to[k] - from[k]);
        double value = tide_distance_at(lattice->distance, p, NULL);
        if (!(fabs(value) > 1e-11 * lattice->cell))
            return t;
        if ((value > 0) == (above > 0)) {
            high = t;
            above = value;
            below = side == 1 ? 0.5 * below : below;
            side = 1;
        } else {
            low = t;
            below = value;
            above = side == -1 ? 0.5 * above : above;
            side = -1;
        }
    }
    return 0.5 * low + 0.5 * high;
}

// The outermost cubes have no cuts of their own: their edges may lead out of the lattice.
static bool has_edges(const tide_stuffing_lattice *lattice, uint32_t cube)
{
    uint32_t at[3];
    tide_stuffing_coordinates(lattice, 2 * cube, at);
    return at[0] / 2 + 1 < lattice->n[0] && at[1] / 2 + 1 < lattice->n[1] && at[2] / 2 + 1 < lattice->n[2];
}

static void set_cuts(void *context, uint32_t begin, uint32_t end)
{
    tide_stuffing_lattice *lattice = context;
    for (uint32_t cube = begin; cube < end; cube++) {
        uint32_t next = lattice->starts[cube];
        for (uint32_t edge = 0; edge < EDGES && next < lattice->starts[cube + 1]; edge++) {
            uint32_t ends[2];
            edge_points(lattice, cube, edge, ends);
            if (is_cut(lattice, ends[0], ends[1]))
                lattice->cuts[next++] = (tide_stuffing_cut) { find_zero(lattice, ends), TIDE_STUFFING_NONE, edge };
        }
    }
}

static tide_status find_cuts(tide_stuffing_lattice *lattice, tide_error *error)
{
    uint32_t count = 0;
    for (uint32_t cube = 0; cube < lattice->cubes; cube++) {
        lattice->starts[cube] = count;
        if (has_edges(lattice, cube))
            for (uint32_t edge = 0; edge < EDGES; edge++) {
                uint32_t ends[2];
                edge_points(lattice, cube, edge, ends);
                count += is_cut(lattice, ends[0], ends[1]);
            }
    }
    lattice->starts[lattice->cubes] = count;
    lattice->cuts = tide_allocate_array(count, sizeof *lattice->cuts);
    if (!lattice->cuts)
        return tide_fail_memory(error, "mesh tetrahedralize");
    tide_parallel_for(lattice->cubes, CUT_GRAIN, set_cuts, lattice);
    return TIDE_OK;
}

// --- moving points to the surface

// Moves a point to the nearest of the cuts that are too near. A cut counts only while one of its ends is inside and the
// other outside, so a moved point removes the cuts on its edges.
static void move_point(tide_stuffing_lattice *lattice, uint32_t point)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < NEIGHBOURS; k++) {
        way to = way_from(lattice, point, k);
        if (!is_cut(lattice, point, to.other))
            continue;
        uint32_t cut = find_cut(lattice, to.cube, to.edge);
        bool first = to.edge < 6 ? k < 3 : point % 2 == 1;
        double part = first ? lattice->cuts[cut].at : 1 - lattice->cuts[cut].at;
        double length = part * (k < 6 ? 1 : 0.86602540378443865);
        if (part < (k < 6 ? nearest_long : nearest_short) && length < least) {
            least = length;
            lattice->moved[point] = cut;
        }
    }
    if (least < INFINITY)
        lattice->labels[point] = TIDE_STUFFING_SURFACE;
}

static void move_points(tide_stuffing_lattice *lattice)
{
    for (uint32_t k = 1; k + 1 < lattice->n[2]; k++)
        for (uint32_t j = 1; j + 1 < lattice->n[1]; j++)
            for (uint32_t i = 1; i + 1 < lattice->n[0]; i++) {
                uint32_t cube = i + j * lattice->stride[1] + k * lattice->stride[2];
                for (uint32_t point = 2 * cube; point < 2 * cube + 2; point++)
                    if (lattice->labels[point] != TIDE_STUFFING_SURFACE)
                        move_point(lattice, point);
            }
}

// --- the whole lattice

void tide_stuffing_lattice_size(const tide_distance *distance, double cell, double n[3])
{
    // A margin of a cube and a half on each side; the points of the outermost cube are outside.
    for (int k = 0; k < 3; k++)
        n[k] = ceil((distance->upper[k] - distance->lower[k]) / cell * (1 - 1e-12)) + 4;
}

tide_status tide_stuffing_lattice_create(const tide_distance *distance, double cell, double shift,
                                         tide_stuffing_lattice *lattice, tide_error *error)
{
    double n[3];
    tide_stuffing_lattice made = { .distance = distance, .cell = cell };
    tide_stuffing_lattice_size(distance, cell, n);
    for (int k = 0; k < 3; k++) {
        made.n[k] = (uint32_t)n[k];
        made.origin[k] = 0.5 * distance->lower[k] + 0.5 * distance->upper[k] + (shift - 0.5 * n[k]) * cell;
    }
    made.stride[0] = 1;
    made.stride[1] = made.n[0];
    made.stride[2] = made.n[0] * made.n[1];
    made.cubes = made.stride[2] * made.n[2];
    made.values = tide_allocate_array(made.cubes, 2 * sizeof *made.values);
    made.labels = tide_allocate_array(made.cubes, 2 * sizeof *made.labels);
    made.moved = tide_allocate_array(made.cubes, 2 * sizeof *made.moved);
    made.starts = tide_allocate_array((size_t)made.cubes + 1, sizeof *made.starts);
    tide_status status = TIDE_OK;
    if (made.values && made.labels && made.moved && made.starts) {
        uint32_t blocks[3];
        blocks_each_way(&made, blocks);
        tide_parallel_for(blocks[0] * blocks[1] * blocks[2], 1, sample_blocks, &made);
        status = check_values(&made, error);
        if (status == TIDE_OK)
            status = find_cuts(&made, error);
    } else
        status = tide_fail_memory(error, "mesh tetrahedralize");
    if (status != TIDE_OK) {
        tide_stuffing_lattice_destroy(&made);
        return status;
    }
    move_points(&made);
    *lattice = made;
    return TIDE_OK;
}

void tide_stuffing_lattice_destroy(tide_stuffing_lattice *lattice)
{
    tide_free(lattice->values);
    tide_free(lattice->labels);
    tide_free(lattice->moved);
    tide_free(lattice->starts);
    tide_free(lattice->cuts);
    *lattice = (tide_stuffing_lattice) { 0 };
}
