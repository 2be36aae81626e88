#include "geometry/exposed_parts.h"

#include "base/elementary.h"
#include "base/memory.h"

#include <string.h>

bool tide_cut_begin(tide_cut *cut, const double corners[3][2])
{
    if (!tide_grow(&cut->nodes, &cut->node_capacity, 1, sizeof *cut->nodes) ||
        !tide_grow(&cut->points, &cut->point_capacity, 3, sizeof *cut->points))
        return false;
    cut->nodes[0] = (tide_cut_node) { .first = 0, .count = 3 };
    for (uint32_t k = 0; k < 3; k++)
        cut->points[k] = (tide_cut_point) { { corners[k][0], corners[k][1] }, k };
    cut->node_count = 1;
    cut->point_count = 3;
    return true;
}

void tide_cut_destroy(tide_cut *cut)
{
    tide_free(cut->nodes);
    tide_free(cut->points);
    tide_free(cut->stack);
    *cut = (tide_cut) { 0 };
}

// Returns the signed distance (m) from the line; positive on the side of the first child.
static double height_of(const double line[3], const double at[2])
{
    return line[0] * at[0] + line[1] * at[1] - line[2];
}

// Tells whether the segment passes through the interior of the polygon: clips it to the sides one by one.
static bool passes_through(const tide_cut *cut, const tide_cut_node *leaf, const double from[2], const double to[2])
{
    const tide_cut_point *points = cut->points + leaf->first;
    double turn = 0, low = 0, high = 1, length = tide_hypot(to[0] - from[0], to[1] - from[1]);
    for (uint32_t i = 0; i < leaf->count; i++) {
        const double *p = points[i].at, *q = points[(i + 1) % leaf->count].at;
        turn += p[0] * q[1] - p[1] * q[0];
    }
    for (uint32_t i = 0; i < leaf->count; i++) {
        const double *p = points[i].at, *q = points[(i + 1) % leaf->count].at;
        double x = q[0] - p[0], y = q[1] - p[1], side = tide_hypot(x, y);
        if (side == 0)
            continue;
        double scale = (turn < 0 ? -1 : 1) / side;
        double a = scale * (x * (from[1] - p[1]) - y * (from[0] - p[0]));
        double b = scale * (x * (to[1] - p[1]) - y * (to[0] - p[0]));
        if (a <= cut->tolerance && b <= cut->tolerance)
            return false;
        if (a < 0)
            low = fmax(low, a / (a - b));
        else if (b < 0)
            high = fmin(high, a / (a - b));
    }
    return (high - low) * length > cut->tolerance;
}

// Adds a child: the part of the leaf's polygon above the line, or below it (side -1).
static bool add_child(tide_cut *cut, uint32_t leaf, const double line[3], double side)
{
    tide_cut_node from = cut->nodes[leaf];
    if (!tide_grow(&cut->points, &cut->point_capacity, cut->point_count + 2 * (size_t)from.count, sizeof *cut->points))
        return false;
    tide_cut_node child = { .first = (uint32_t)cut->point_count };
    for (uint32_t i = 0; i < from.count; i++) {
        const tide_cut_point p = cut->points[from.first + i], q = cut->points[from.first + (i + 1) % from.count];
        double a = side * height_of(line, p.at), b = side * height_of(line, q.at);
        if (a >= 0)
            cut->points[cut->point_count++] = p;
        if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
            double s = a / (a - b);
            cut->points[cut->point_count++] =
                (tide_cut_point) { { p.at[0] + s * (q.at[0] - p.at[0]), p.at[1] + s * (q.at[1] - p.at[1]) }, 3 };
        }
    }
    child.count = (uint32_t)cut->point_count - child.first;
    cut->nodes[cut->node_count++] = child;
    return true;
}

// Splits a leaf, unless the part on either side is thinner than the tolerance.
static bool split(tide_cut *cut, uint32_t leaf, const double line[3])
{
    double lowest = 0, highest = 0;
    for (uint32_t i = 0; i < cut->nodes[leaf].count; i++) {
        double height = height_of(line, cut->points[cut->nodes[leaf].first + i].at);
        lowest = fmin(lowest, height);
        highest = fmax(highest, height);
    }
    if (lowest >= -cut->tolerance || highest <= cut->tolerance)
        return true;
    if (!tide_grow(&cut->nodes, &cut->node_capacity, cut->node_count + 2, sizeof *cut->nodes))
        return false;
    uint32_t child = (uint32_t)cut->node_count;
    if (!add_child(cut, leaf, line, 1) || !add_child(cut, leaf, line, -1))
        return false;
    cut->nodes[leaf].child = child;
    memcpy(cut->nodes[leaf].line, line, 3 * sizeof *line);
    return true;
}

bool tide_cut_along(tide_cut *cut, const double from[2], const double to[2])
{
    double x = to[0] - from[0], y = to[1] - from[1], length = tide_hypot(x, y);
    if (length <= cut->tolerance)
        return true;
    const double line[3] = { -y / length, x / length, (x * from[1] - y * from[0]) / length };
    size_t height = 0;
    if (!tide_grow(&cut->stack, &cut->stack_capacity, 1, sizeof *cut->stack))
        return false;
    cut->stack[height++] = 0;
    while (height > 0) {
        uint32_t at = cut->stack[--height];
        const tide_cut_node node = cut->nodes[at];
        if (node.child == 0) {
            if (passes_through(cut, &node, from, to) && !split(cut, at, line))
                return false;
            continue;
        }
        if (!tide_grow(&cut->stack, &cut->stack_capacity, height + 2, sizeof *cut->stack))
            return false;
        double a = height_of(node.line, from), b = height_of(node.line, to);
        if (fmax(a, b) >= -cut->tolerance)
            cut->stack[height++] = node.child;
        if (fmin(a, b) <= cut->tolerance)
            cut->stack[height++] = node.child + 1;
    }
    return true;
}
