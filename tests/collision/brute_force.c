#include "collision/brute_force.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

// --- vectors --------------------------------------------------------------------------------------------------------

static void difference(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static const double *at(const double *x, uint32_t point)
{
    return x + 3 * (size_t)point;
}

// --- one edge and one triangle --------------------------------------------------------------------------------------

// The sign of the volume of four points, 0 where rounding might change it.
static int side(const double *a, const double *b, const double *c, const double *d)
{
    double u[3], v[3], w[3], n[3];
    difference(b, a, u);
    difference(c, a, v);
    difference(d, a, w);
    cross(u, v, n);
    double volume = dot(n, w);
    double size = (fabs(u[0]) + fabs(u[1]) + fabs(u[2])) * (fabs(v[0]) + fabs(v[1]) + fabs(v[2])) *
                  (fabs(w[0]) + fabs(w[1]) + fabs(w[2]));
    return fabs(volume) <= 64 * DBL_EPSILON * size ? 0 : volume > 0 ? 1 : -1;
}

enum { APART, UNDECIDED, CROSSING };

static int meet(const double *x, const uint32_t *edge, const uint32_t *triangle)
{
    const double *p = at(x, edge[0]), *q = at(x, edge[1]);
    const double *a = at(x, triangle[0]), *b = at(x, triangle[1]), *c = at(x, triangle[2]);
    int above = side(a, b, c, p), below = side(a, b, c, q);
    if (above * below > 0)
        return APART;
    int around[3] = { side(p, q, a, b), side(p, q, b, c), side(p, q, c, a) };
    int most = 0, least = 0;
    for (int k = 0; k < 3; k++) {
        most = around[k] > most ? around[k] : most;
        least = around[k] < least ? around[k] : least;
    }
    if (most > 0 && least < 0)
        return APART;
    return above * below != 0 && around[0] * around[1] * around[2] != 0 ? CROSSING : UNDECIDED;
}

// --- the grid -------------------------------------------------------------------------------------------------------

enum { MOST_CELLS = 96 }; // each way

typedef struct grid {
    double lower[3], cell;
    int counts[3];
    uint32_t *starts; // (cells + 1) into items
    uint32_t *items;  // triangles
} grid;

static void box_of(const double *x, const uint32_t *points, int count, double lower[3], double upper[3])
{
    for (int k = 0; k < 3; k++) {
        lower[k] = INFINITY;
        upper[k] = -INFINITY;
        for (int i = 0; i < count; i++) {
            lower[k] = fmin(lower[k], at(x, points[i])[k]);
            upper[k] = fmax(upper[k], at(x, points[i])[k]);
        }
    }
}

static void cells_of(const grid *g, const double lower[3], const double upper[3], int first[3], int last[3])
{
    for (int k = 0; k < 3; k++) {
        double most = g->counts[k] - 1;
        first[k] = (int)fmin(fmax(floor((lower[k] - g->lower[k]) / g->cell), 0), most);
        last[k] = (int)fmin(fmax(floor((upper[k] - g->lower[k]) / g->cell), 0), most);
    }
}

static size_t cell_index(const grid *g, const int cell[3])
{
    return ((size_t)cell[2] * (size_t)g->counts[1] + (size_t)cell[1]) * (size_t)g->counts[0] + (size_t)cell[0];
}

#define FOR_CELLS(c, first, last)                                                                                      \
    for (c[2] = first[2]; c[2] <= last[2]; c[2]++)                                                                     \
        for (c[1] = first[1]; c[1] <= last[1]; c[1]++)                                                                 \
            for (c[0] = first[0]; c[0] <= last[0]; c[0]++)

static void size_grid(grid *g, const tide_contact_surface *s, const double *x)
{
    double upper[3], mean = 0, widest = 0;
    for (int k = 0; k < 3; k++) {
        g->lower[k] = INFINITY;
        upper[k] = -INFINITY;
    }
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        double low[3], high[3];
        box_of(x, s->triangles + 3 * (size_t)t, 3, low, high);
        for (int k = 0; k < 3; k++) {
            g->lower[k] = fmin(g->lower[k], low[k]);
            upper[k] = fmax(upper[k], high[k]);
            mean += (high[k] - low[k]) / (3.0 * s->triangle_count);
        }
    }
    for (int k = 0; k < 3; k++)
        widest = fmax(widest, upper[k] - g->lower[k]);
    g->cell = fmax(fmax(1.5 * mean, widest / MOST_CELLS), 1e-9);
    for (int k = 0; k < 3; k++)
        g->counts[k] = 1 + (int)((upper[k] - g->lower[k]) / g->cell);
}

// Twice through all triangles: how many each cell has, then which.
static void fill_grid(grid *g, const tide_contact_surface *s, const double *x)
{
    size_t cells = (size_t)g->counts[0] * (size_t)g->counts[1] * (size_t)g->counts[2];
    g->starts = tide_allocate_zeroed(cells + 2, sizeof *g->starts);
    for (int round = 0; round < 2; round++) {
        for (uint32_t t = 0; t < s->triangle_count; t++) {
            double lower[3], upper[3];
            int first[3], last[3], c[3];
            box_of(x, s->triangles + 3 * (size_t)t, 3, lower, upper);
            cells_of(g, lower, upper, first, last);
            FOR_CELLS(c, first, last)
            {
                uint32_t *next = &g->starts[cell_index(g, c) + (round ? 1 : 2)];
                if (round)
                    g->items[*next] = t;
                (*next)++;
            }
        }
        if (round)
            break;
        for (size_t i = 0; i < cells + 1; i++)
            g->starts[i + 1] += g->starts[i];
        g->items = tide_allocate_array(g->starts[cells + 1] + 1, sizeof *g->items);
    }
}

static bool may_meet(const tide_contact_surface *s, const uint32_t *edge, const uint32_t *triangle)
{
    for (int k = 0; k < 3; k++)
        if (triangle[k] == edge[0] || triangle[k] == edge[1])
            return false;
    return s->touching[(size_t)s->part_of[triangle[0]] * s->part_count + s->part_of[edge[0]]];
}

// Finds what an edge meets in one cell. A pair that shares several cells is tested in the lowest of them.
static void look_in_cell(const grid *g, const tide_contact_surface *s, const double *x, uint32_t e, const int cell[3],
                         const int edge_first[3], brute_crossings *found)
{
    const uint32_t *edge = s->edges + 2 * (size_t)e;
    double low[3], high[3], lower[3], upper[3];
    box_of(x, edge, 2, low, high);
    size_t index = cell_index(g, cell);
    for (uint32_t i = g->starts[index]; i < g->starts[index + 1]; i++) {
        uint32_t t = g->items[i];
        const uint32_t *triangle = s->triangles + 3 * (size_t)t;
        int first[3], last[3];
        bool apart = false, lowest = true;
        box_of(x, triangle, 3, lower, upper);
        for (int k = 0; k < 3; k++)
            apart = apart || lower[k] > high[k] || upper[k] < low[k];
        if (apart || !may_meet(s, edge, triangle))
            continue;
        cells_of(g, lower, upper, first, last);
        for (int k = 0; k < 3; k++)
            lowest = lowest && cell[k] == (first[k] > edge_first[k] ? first[k] : edge_first[k]);
        if (!lowest)
            continue;
        int how = meet(x, edge, triangle);
        found->undecided += how == UNDECIDED;
        if (how != CROSSING)
            continue;
        if (found->count++ == 0 || t < found->triangle) {
            found->triangle = t;
            found->edge = e;
        }
    }
}

brute_crossings brute_find_crossings(const tide_contact_surface *s, const double *x)
{
    brute_crossings found = { 0 };
    grid g;
    if (s->triangle_count == 0 || s->edge_count == 0)
        return found;
    size_grid(&g, s, x);
    fill_grid(&g, s, x);
    for (uint32_t e = 0; e < s->edge_count; e++) {
        double lower[3], upper[3];
        int first[3], last[3], c[3];
        box_of(x, s->edges + 2 * (size_t)e, 2, lower, upper);
        cells_of(&g, lower, upper, first, last);
        FOR_CELLS(c, first, last)
        look_in_cell(&g, s, x, e, c, first, &found);
    }
    tide_free(g.starts);
    tide_free(g.items);
    return found;
}

// --- distance to a mesh ---------------------------------------------------------------------------------------------

static double segment_square(const double *p, const double *a, const double *b)
{
    double d[3], w[3];
    difference(b, a, d);
    difference(p, a, w);
    double length = dot(d, d), t = length > 0 ? fmin(fmax(dot(w, d) / length, 0), 1) : 0;
    for (int k = 0; k < 3; k++)
        w[k] -= t * d[k];
    return dot(w, w);
}

static double triangle_square(const double *p, const double *a, const double *b, const double *c)
{
    double u[3], v[3], w[3], n[3], m[3];
    difference(b, a, u);
    difference(c, a, v);
    difference(p, a, w);
    cross(u, v, n);
    double area = dot(n, n), least = segment_square(p, a, b);
    least = fmin(least, fmin(segment_square(p, b, c), segment_square(p, c, a)));
    if (!(area > 0))
        return least;
    cross(w, v, m);
    double s = dot(m, n) / area;
    cross(u, w, m);
    double t = dot(m, n) / area, height = dot(w, n);
    return s >= 0 && t >= 0 && s + t <= 1 ? height * height / area : least;
}

// Half the solid angle of a triangle (van Oosterom and Strackee 1983).
static double half_angle(const double *p, const double *a, const double *b, const double *c)
{
    double u[3], v[3], w[3], n[3];
    difference(a, p, u);
    difference(b, p, v);
    difference(c, p, w);
    double lu = sqrt(dot(u, u)), lv = sqrt(dot(v, v)), lw = sqrt(dot(w, w));
    cross(v, w, n);
    return atan2(dot(u, n), lu * lv * lw + dot(u, v) * lw + dot(v, w) * lu + dot(w, u) * lv);
}

double brute_distance(const tide_mesh *mesh, const double p[3])
{
    double least = INFINITY, angle = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corners = mesh->triangles + 3 * (size_t)t;
        const double *a = at(mesh->vertices, corners[0]), *b = at(mesh->vertices, corners[1]);
        const double *c = at(mesh->vertices, corners[2]);
        least = fmin(least, triangle_square(p, a, b, c));
        angle += half_angle(p, a, b, c);
    }
    return fabs(angle) > 3 ? -sqrt(least) : sqrt(least); // the sum is 2 pi inside, 0 outside
}
