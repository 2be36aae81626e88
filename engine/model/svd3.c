// One-sided Jacobi: rotations from the right make the columns of F V orthogonal. They are then U diag(s) (Golub and Van
// Loan 2013, Matrix Computations, sec. 8.6.3).
#include "model/svd3.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MOST_SWEEPS = 30 };

// A column whose length is below this fraction of the longest one has no direction.
#define NO_LENGTH 1e-140

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void turn(double a[3], double b[3], double c, double s)
{
    for (int k = 0; k < 3; k++) {
        double first = a[k], second = b[k];
        a[k] = c * first - s * second;
        b[k] = s * first + c * second;
    }
}

// Makes columns p and q orthogonal. Returns whether they were not.
static bool make_orthogonal(double columns[3][3], double vectors[3][3], int p, int q)
{
    double *a = columns[p], *b = columns[q];
    double alpha = dot(a, a), beta = dot(b, b), gamma = dot(a, b);
    if (!(fabs(gamma) > 0.5 * DBL_EPSILON * sqrt(alpha) * sqrt(beta)))
        return false;
    double zeta = (beta - alpha) / (2 * gamma);
    double t = copysign(1, zeta) / (fabs(zeta) + sqrt(1 + zeta * zeta)), c = 1 / sqrt(1 + t * t);
    turn(a, b, c, c * t);
    turn(vectors[p], vectors[q], c, c * t);
    return true;
}

// Exchanges columns so that the longer one comes first. One of them changes its sign, which keeps the determinant.
static void order(double columns[3][3], double vectors[3][3], int p, int q)
{
    if (dot(columns[p], columns[p]) >= dot(columns[q], columns[q]))
        return;
    turn(columns[p], columns[q], 0, -1);
    turn(vectors[p], vectors[q], 0, -1);
}

// Writes a unit vector across the unit vector `a`.
static void find_across(const double a[3], double out[3])
{
    int least = fabs(a[0]) <= fabs(a[1]) && fabs(a[0]) <= fabs(a[2]) ? 0 : fabs(a[1]) <= fabs(a[2]) ? 1 : 2;
    const double axis[3] = { least == 0, least == 1, least == 2 };
    cross(a, axis, out);
    double length = sqrt(dot(out, out));
    for (int k = 0; k < 3; k++)
        out[k] /= length;
}

// Computes the columns of U and the singular values from orthogonal columns in descending order of length.
static void find_directions(double columns[3][3], double u[3][3], double s[3])
{
    memset(u, 0, 9 * sizeof(double));
    s[0] = sqrt(dot(columns[0], columns[0]));
    for (int k = 0; k < 3; k++)
        u[0][k] = s[0] == 0 ? k == 0 : columns[0][k] / s[0];
    double along = dot(u[0], columns[1]);
    for (int k = 0; k < 3; k++)
        u[1][k] = columns[1][k] - along * u[0][k];
    double length = sqrt(dot(u[1], u[1]));
    if (length > NO_LENGTH)
        for (int k = 0; k < 3; k++)
            u[1][k] /= length;
    else
        find_across(u[0], u[1]);
    cross(u[0], u[1], u[2]);
    s[1] = dot(u[1], columns[1]);
    s[2] = dot(u[2], columns[2]);
}

void tide_svd3(const double f[9], double u[9], double s[3], double v[9])
{
    double columns[3][3], directions[3][3], vectors[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, scale = 0;
    for (int i = 0; i < 9; i++)
        scale = fmax(scale, fabs(f[i]));
    if (!(scale > 0 && isfinite(scale)))
        scale = 1;
    for (int i = 0; i < 9; i++)
        columns[i % 3][i / 3] = f[i] / scale;
    bool turned = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = make_orthogonal(columns, vectors, 0, 1);
        turned = make_orthogonal(columns, vectors, 0, 2) || turned;
        turned = make_orthogonal(columns, vectors, 1, 2) || turned;
    }
    order(columns, vectors, 0, 1);
    order(columns, vectors, 1, 2);
    order(columns, vectors, 0, 1);
    find_directions(columns, directions, s);
    for (int i = 0; i < 9; i++) {
        u[i] = directions[i % 3][i / 3];
        v[i] = vectors[i % 3][i / 3];
    }
    for (int i = 0; i < 3; i++)
        s[i] *= scale;
}

void tide_polar3(const double f[9], double rotation[9])
{
    double u[9], s[3], v[9];
    tide_svd3(f, u, s, v);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            rotation[3 * i + j] = u[3 * i] * v[3 * j] + u[3 * i + 1] * v[3 * j + 1] + u[3 * i + 2] * v[3 * j + 2];
}
