#include "geometry/tetrahedralize.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "geometry/stuffing.h"
#include "mesh/connectivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char object[] = "mesh tetrahedralize";

enum { MAX_POINTS = 20000000, CELLS = 20, TRIALS = 6, SHIFTED_TRIALS = 12 };

static const char *const keeps[] = { "all", "largest", NULL };

const tide_field tide_mesh_tetrahedralize_fields[] = {
    { TIDE_MEMBER(tide_mesh_tetrahedralize_def, cell), .type = TIDE_FIELD_REAL, .initial = { TIDE_NOT_GIVEN },
      .minimum = TIDE_DISTANCE_SMALLEST, .maximum = TIDE_DISTANCE_LARGEST, .word = "auto", .unit = "m",
      .help = "edge length of the lattice's cubes; auto: 1/20 of the longest side, or as `vertices` requires" },
    { TIDE_MEMBER(tide_mesh_tetrahedralize_def, vertices), .type = TIDE_FIELD_INTEGER, .maximum = 10000000,
      .help = "number of vertices to aim at, within 3 %; chooses `cell`; 0: `cell` decides" },
    { TIDE_MEMBER(tide_mesh_tetrahedralize_def, keep), .type = TIDE_FIELD_CHOICE, .choices = keeps,
      .help = "which of several unconnected pieces to keep: all, or the one of largest volume" },
    { .name = NULL },
};

static double longest_side(const tide_distance *distance)
{
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, distance->upper[k] - distance->lower[k]);
    return longest;
}

static tide_status check_bounds(const tide_distance *distance, tide_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(distance->lower[k]) || !isfinite(distance->upper[k]))
            return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "distance", distance->kind->name,
                             "the inside is unbounded along %c; intersect it with a box or a sphere", "xyz"[k]);
    if (!(longest_side(distance) > 0))
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "distance", distance->kind->name,
                         "nothing is inside; check that parts overlap and that values inside are negative");
    return TIDE_OK;
}

static double points_of(const tide_distance *distance, double cell)
{
    double n[3];
    tide_stuffing_lattice_size(distance, cell, n);
    return 2 * n[0] * n[1] * n[2];
}

static tide_status check_points(const tide_distance *distance, double cell, tide_error *error)
{
    double points = points_of(distance, cell), enough = cell;
    if (points <= MAX_POINTS)
        return TIDE_OK;
    while (points_of(distance, enough) > MAX_POINTS)
        enough *= 1.01;
    char value[32];
    snprintf(value, sizeof value, "%.6g", cell);
    return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "cell", value,
                     "the lattice has %.3g points; expected at most %d: use a cell of %.4g m or more", points,
                     MAX_POINTS, enough * 1.001);
}

// Makes a mesh with a given cell; `mesh` is compact and may be empty.
static tide_status stuff(const tide_distance *distance, double cell, double shift, int keep, tide_stuffing *mesh,
                         tide_error *error)
{
    tide_stuffing_lattice lattice;
    tide_status status = check_points(distance, cell, error);
    if (status == TIDE_OK)
        status = tide_stuffing_lattice_create(distance, cell, shift, &lattice, error);
    if (status != TIDE_OK)
        return status;
    tide_stuffing made = { .vertices = NULL };
    status = tide_stuffing_fill(&lattice, &made, error);
    tide_stuffing_lattice_destroy(&lattice);
    if (status == TIDE_OK)
        status = tide_stuffing_mend(&made, error);
    if (status == TIDE_OK && keep == TIDE_MESH_KEEP_LARGEST && made.tetrahedron_count > 0)
        status = tide_stuffing_keep_largest(&made, error);
    if (status == TIDE_OK)
        status = tide_stuffing_compact(&made, error);
    if (status == TIDE_OK)
        *mesh = made;
    else
        tide_stuffing_destroy(&made);
    return status;
}

// Finds the cell for about `wanted` vertices by trials. Their number grows about as 1 / cell^3, but jumps where the
// lattice begins to fit a symmetric shape; where it jumps too far, the lattice is shifted. `mesh` becomes the best
// result.
static tide_status stuff_to_size(const tide_distance *distance, int wanted, int keep, tide_stuffing *mesh,
                                 tide_error *error)
{
    double best = INFINITY, cell = longest_side(distance) / tide_cbrt(wanted);
    tide_stuffing found = { .vertices = NULL };
    tide_status status = TIDE_OK;
    for (int trial = 0; best > (trial < TRIALS ? 0.01 : 0.03) && trial < TRIALS + SHIFTED_TRIALS; trial++) {
        double shift = trial < TRIALS ? 0 : 0.4 - 0.06 * (trial - TRIALS);
        tide_stuffing made = { .vertices = NULL };
        if (points_of(distance, cell) <= MAX_POINTS)
            status = stuff(distance, cell, shift, keep, &made, error);
        else {
            char value[32];
            snprintf(value, sizeof value, "%d", wanted);
            status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, "vertices", value,
                               "this needs a lattice of more than %d points; ask for fewer vertices", MAX_POINTS);
        }
        if (status != TIDE_OK)
            break;
        double count = made.vertex_count, off = fabs(count / wanted - 1);
        bool better = off < best;
        if (better)
            best = off;
        tide_stuffing_destroy(better ? &found : &made);
        if (better)
            found = made;
        cell *= count > 0 ? tide_cbrt(count / wanted) : 0.5;
    }
    if (status == TIDE_OK)
        *mesh = found;
    else
        tide_stuffing_destroy(&found);
    return status;
}

tide_status tide_mesh_tetrahedralize(const tide_distance *distance, const tide_mesh_tetrahedralize_def *def,
                                     tide_mesh **mesh, tide_error *error)
{
    tide_mesh_tetrahedralize_def initial;
    tide_fields_default(tide_mesh_tetrahedralize_fields, &initial);
    if (!def)
        def = &initial;
    tide_status status = tide_fields_check(tide_mesh_tetrahedralize_fields, object, def, error);
    if (status != TIDE_OK)
        return status;
    if (def->vertices > 0 && tide_given(def->cell)) {
        char value[32];
        snprintf(value, sizeof value, "%d", def->vertices);
        return tide_fail(error, TIDE_ERROR_ARGUMENT, object, "vertices", value,
                         "the cell is given as well; leave one of them out");
    }
    status = check_bounds(distance, error);
    if (status != TIDE_OK)
        return status;
    double cell = tide_given(def->cell) ? def->cell : longest_side(distance) / CELLS;
    tide_stuffing made;
    if (def->vertices > 0)
        status = stuff_to_size(distance, def->vertices, def->keep, &made, error);
    else
        status = stuff(distance, cell, 0, def->keep, &made, error);
    if (status != TIDE_OK)
        return status;
    char value[32];
    snprintf(value, sizeof value, "%.6g", cell);
    if (made.tetrahedron_count == 0)
        status = tide_fail(error, TIDE_ERROR_ARGUMENT, object, "cell", value,
                           "no point of the lattice is inside; use a smaller cell, and check that values inside are "
                           "negative");
    else {
        const tide_mesh_parts parts = { .vertex_count = made.vertex_count,
                                        .vertices = made.vertices,
                                        .tetrahedron_count = made.tetrahedron_count,
                                        .tetrahedra = made.tetrahedra };
        status = tide_mesh_create_from(&parts, true, mesh, error);
    }
    tide_stuffing_destroy(&made);
    return status;
}
