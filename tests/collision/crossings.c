// Counts edges and triangles that cross, with exact signs of volumes.
#include "collision/crossings.h"

#include "collision/box_tree.h"

#include <float.h>
#include <math.h>

// --- exact sums: expansions of terms that do not overlap, whose sum is the value (Shewchuk 1997)

enum { TERMS = 24 * 4 };

typedef struct expansion {
    double terms[TERMS]; // ascending
    int count;
} expansion;

// sum + *low = a + b exactly.
static inline double two_sum(double a, double b, double *low)
{
    double sum = a + b, b1 = sum - a, a1 = sum - b1;
    *low = (a - a1) + (b - b1);
    return sum;
}

static inline double two_product(double a, double b, double *low)
{
    double product = a * b;
    *low = fma(a, b, -product);
    return product;
}

static void add(expansion *e, double x)
{
    int kept = 0;
    for (int i = 0; i < e->count; i++) {
        double low;
        x = two_sum(x, e->terms[i], &low);
        if (low != 0)
            e->terms[kept++] = low;
    }
    if (x != 0)
        e->terms[kept++] = x;
    e->count = kept;
}

static void add_product(expansion *e, double a, double b, double c)
{
    double low, part, high = two_product(a, b, &low);
    add(e, two_product(high, c, &part));
    add(e, part);
    add(e, two_product(low, c, &part));
    add(e, part);
}

// Adds sign times the determinant of the rows a, b, c.
static void add_determinant(expansion *e, double sign, const double *a, const double *b, const double *c)
{
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3, n = (i + 2) % 3;
        add_product(e, sign * a[i], b[k], c[n]);
        add_product(e, -sign * a[i], b[n], c[k]);
    }
}

// Returns the sign of the volume (b - a) x (c - a) . (d - a), exactly.
static int volume_sign(const double *a, const double *b, const double *c, const double *d)
{
    double u[3], v[3], w[3], size = 1;
    const double *from = a;
    double m[3] = { 0 };
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - from[k];
        v[k] = c[k] - from[k];
        w[k] = d[k] - from[k];
        m[0] += fabs(u[k]);
        m[1] += fabs(v[k]);
        m[2] += fabs(w[k]);
    }
    size = m[0] * m[1] * m[2];
    double volume =
        u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    if (fabs(volume) > 32 * DBL_EPSILON * size)
        return volume > 0 ? 1 : -1;
    expansion e = { .count = 0 };
    add_determinant(&e, 1, b, c, d);
    add_determinant(&e, -1, a, c, d);
    add_determinant(&e, 1, a, b, d);
    add_determinant(&e, -1, a, b, c);
    double last = e.count > 0 ? e.terms[e.count - 1] : 0;
    return (last > 0) - (last < 0);
}

static bool crosses(const double *p, const double *q, const double *a, const double *b, const double *c)
{
    int above = volume_sign(a, b, c, p), below = volume_sign(a, b, c, q);
    if (above * below >= 0)
        return false;
    int first = volume_sign(p, q, a, b);
    return first != 0 && volume_sign(p, q, b, c) == first && volume_sign(p, q, c, a) == first;
}

static void box_of(const double *x, const uint32_t *points, int count, double box[6])
{
    for (int k = 0; k < 3; k++) {
        box[k] = box[3 + k] = x[3 * (size_t)points[0] + (size_t)k];
        for (int i = 1; i < count; i++) {
            double at = x[3 * (size_t)points[i] + (size_t)k];
            box[k] = at < box[k] ? at : box[k];
            box[3 + k] = at > box[3 + k] ? at : box[3 + k];
        }
    }
}

uint64_t tide_contact_count_crossings(const tide_contact_surface *s, const double *x, uint32_t *edge,
                                      uint32_t *triangle)
{
    uint64_t count = 0;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *corners = s->triangles + 3 * (size_t)t;
        uint32_t part = s->part_of[corners[0]];
        double box[6], other[6];
        box_of(x, corners, 3, box);
        for (uint32_t e = 0; e < s->edge_count; e++) {
            const uint32_t *ends = s->edges + 2 * (size_t)e;
            if (!s->touching[(size_t)part * s->part_count + s->part_of[ends[0]]])
                continue;
            box_of(x, ends, 2, other);
            bool shared = false;
            for (int k = 0; k < 3; k++)
                shared = shared || corners[k] == ends[0] || corners[k] == ends[1] ||
                         tide_contact_joined(s, corners[k], ends[0]) || tide_contact_joined(s, corners[k], ends[1]);
            if (shared || !tide_boxes_overlap(box, other))
                continue;
            if (!crosses(x + 3 * (size_t)ends[0], x + 3 * (size_t)ends[1], x + 3 * (size_t)corners[0],
                         x + 3 * (size_t)corners[1], x + 3 * (size_t)corners[2]))
                continue;
            if (count++ == 0) {
                if (edge)
                    *edge = e;
                if (triangle)
                    *triangle = t;
            }
        }
    }
    return count;
}
