#include "geometry/predicates.h"

#include <math.h>

#define UNIT 0x1p-53 // unit roundoff

// --- expansions ------------------------------------------------------------------------------------------------------

// A volume has 6 products of three differences, each of two doubles: 48 products of three doubles, of 4 terms each.
enum { TERMS = 6 * 8 * 4 };

typedef struct expansion {
    double terms[TERMS]; // ascending in magnitude; they do not overlap
    int count;
} expansion;

// Returns a + b rounded; *low is the rounding error, exactly (Knuth 1969).
static inline double sum_of(double a, double b, double *low)
{
    double sum = a + b, part = sum - a;
    *low = (a - (sum - part)) + (b - part);
    return sum;
}

static inline double product_of(double a, double b, double *low)
{
    double product = a * b;
    *low = fma(a, b, -product);
    return product;
}

// Adds a double (Shewchuk 1997, fig. 6), and leaves out zeros.
static void add(expansion *e, double x)
{
    int kept = 0;
    for (int i = 0; i < e->count; i++) {
        double low;
        x = sum_of(x, e->terms[i], &low);
        if (low != 0)
            e->terms[kept++] = low;
    }
    if (x != 0)
        e->terms[kept++] = x;
    e->count = kept;
}

static void add_product(expansion *e, double a, double b, double c)
{
    double low, part, high = product_of(a, b, &low), top;
    if (high == 0)
        return;
    top = product_of(low, c, &part);
    add(e, part);
    add(e, top);
    top = product_of(high, c, &part);
    add(e, part);
    add(e, top);
}

static int sign_of(double x)
{
    return (x > 0) - (x < 0);
}

// The largest term decides.
static int sign_of_sum(const expansion *e)
{
    return e->count > 0 ? sign_of(e->terms[e->count - 1]) : 0;
}

static double approximate(const expansion *e)
{
    double sum = 0;
    for (int i = 0; i < e->count; i++)
        sum += e->terms[i];
    return sum;
}

// --- orientation -----------------------------------------------------------------------------------------------------

// The rows of the determinant: differences to d, as rounded values and their rounding errors.
typedef struct rows {
    double high[3][3], low[3][3];
} rows;

// The products of the determinant: row 0 by column k, rows 1 and 2 by the columns after it, with both signs.
static const int columns[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 1, 0, 2 }, { 2, 1, 0 } };

// The sign of the determinant of the differences with all their bits.
static int exact_sign(const rows *r)
{
    expansion e;
    e.count = 0;
    for (int n = 0; n < 6; n++)
        for (int parts = 0; parts < 8; parts++) {
            const double(*a)[3] = parts & 1 ? r->low : r->high, (*b)[3] = parts & 2 ? r->low : r->high;
            const double(*c)[3] = parts & 4 ? r->low : r->high;
            double first = a[0][columns[n][0]];
            add_product(&e, n < 3 ? first : -first, b[1][columns[n][1]], c[2][columns[n][2]]);
        }
    return sign_of_sum(&e);
}

// Decides where the rounded determinant is within its error bound. `size` bounds the sum of the magnitudes of the six
// products. Where differences are exact, so is the first sum; else they are wrong by at most UNIT, and each product by
// 3 UNIT and smaller terms.
static int decide(rows *r, const double *const p[3], const double d[3], double size)
{
    expansion e;
    e.count = 0;
    bool exact = true;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            r->high[i][k] = sum_of(p[i][k], -d[k], &r->low[i][k]);
            exact = exact && r->low[i][k] == 0;
        }
    for (int n = 0; n < 6; n++) {
        double first = r->high[0][columns[n][0]];
        add_product(&e, n < 3 ? first : -first, r->high[1][columns[n][1]], r->high[2][columns[n][2]]);
    }
    if (exact || fabs(approximate(&e)) > 4 * UNIT * size)
        return sign_of_sum(&e);
    return exact_sign(r);
}

int tide_orient3d(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double ax = a[0] - d[0], ay = a[1] - d[1], az = a[2] - d[2];
    double bx = b[0] - d[0], by = b[1] - d[1], bz = b[2] - d[2];
    double cx = c[0] - d[0], cy = c[1] - d[1], cz = c[2] - d[2];
    double byz = by * cz, bzy = bz * cy, bzx = bz * cx, bxz = bx * cz, bxy = bx * cy, byx = by * cx;
    double volume = ax * (byz - bzy) + ay * (bzx - bxz) + az * (bxy - byx);
    double size =
        fabs(ax) * (fabs(byz) + fabs(bzy)) + fabs(ay) * (fabs(bzx) + fabs(bxz)) + fabs(az) * (fabs(bxy) + fabs(byx));
    // Rounded: differences once, so that each product of three has 3 UNIT, and 2 for its own; the difference of two
    // products 1, the sum of three 2. Together 8 UNIT with the terms of second order, and those of `size` itself.
    if (fabs(volume) > 9 * UNIT * size)
        return volume > 0 ? 1 : -1;
    if (size == 0) // a row or a column is 0: shared corners, or a plane along the axes
        return 0;
    rows r;
    return decide(&r, (const double *const[3]) { a, b, c }, d, size * (1 + 16 * UNIT));
}

// --- triangles -------------------------------------------------------------------------------------------------------

typedef struct sides {
    int of[3], above, below; // sides of the corners; how many are above and below
} sides;

static sides sides_of(const double *const t[3], const double *const u[3])
{
    sides s = { .above = 0 };
    for (int k = 0; k < 3; k++) {
        s.of[k] = tide_orient3d(t[0], t[1], t[2], u[k]);
        s.above += s.of[k] > 0;
        s.below += s.of[k] < 0;
    }
    return s;
}

// Returns the corner that is alone on its side of a plane, strictly: the other two are in the plane or beyond it.
static int apex_of(const sides *s)
{
    int side = s->above == 1 ? 1 : -1, k = 0;
    while (s->of[k] != side)
        k++;
    return k;
}

// The planes of two triangles meet in a line. From the apex of a triangle, two of its edges go to that line, and the
// triangle covers the interval between their ends. For an end X of t and an end Y of u, the volume of the two edges has
// the sign of Y - X along the line, up to one sign common to all four. So the open intervals have no common point just
// if no two of the four volumes have opposite signs.
static bool intervals_overlap(const double *const t[3], int apex_t, const double *const u[3], int apex_u)
{
    bool above = false, below = false;
    for (int i = 1; i < 3 && !(above && below); i++)
        for (int k = 1; k < 3; k++) {
            int side = tide_orient3d(t[apex_t], t[(apex_t + i) % 3], u[apex_u], u[(apex_u + k) % 3]);
            above = above || side > 0;
            below = below || side < 0;
        }
    return above && below;
}

tide_triangle_meeting tide_triangles_meet(const double *const t[3], const double *const u[3])
{
    tide_triangle_meeting m = { .edge_of_t = -1, .edge_of_u = -1 };
    sides of_u = sides_of(t, u);
    // On one side with at most a corner in the plane, or in it.
    if (of_u.above + of_u.below != 1 && !(of_u.above && of_u.below))
        return m;
    sides of_t = sides_of(u, t);
    bool u_through = of_u.above && of_u.below, t_through = of_t.above && of_t.below;
    if (!(u_through ? t_through || of_t.above + of_t.below == 1 : t_through))
        return m;
    int apex_t = apex_of(&of_t), apex_u = apex_of(&of_u);
    if (!intervals_overlap(t, apex_t, u, apex_u))
        return m;
    m.cross = u_through && t_through;
    m.edge_of_u = u_through ? -1 : apex_u;
    m.edge_of_t = t_through ? -1 : apex_t;
    m.side = m.cross ? 0 : u_through ? of_t.of[apex_t] : of_u.of[apex_u];
    return m;
}

int tide_segment_meets_triangle(const double p[3], const double q[3], const double *const t[3], int *side)
{
    int of_p = tide_orient3d(t[0], t[1], t[2], p), of_q = tide_orient3d(t[0], t[1], t[2], q);
    if (of_p == 0 || of_p == of_q)
        return 0;
    int first = tide_orient3d(p, q, t[0], t[1]);
    if (first == 0 || tide_orient3d(p, q, t[1], t[2]) != first || tide_orient3d(p, q, t[2], t[0]) != first)
        return 0;
    *side = of_p;
    return of_q == 0 ? 1 : 2;
}
