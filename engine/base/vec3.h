// Vectors of three doubles. Arrays of positions are interleaved: x, y, z of vertex 0, then of vertex 1, ...
//
//     tide_vec3 a = tide_vec3_load(x + 3 * i), b = tide_vec3_load(x + 3 * j);
//     double length = tide_vec3_length(tide_vec3_subtract(a, b));
//
// Values are in the caller's units. Threads: any. Nothing fails.
#ifndef TIDE_BASE_VEC3_H
#define TIDE_BASE_VEC3_H

#include <math.h>

typedef struct tide_vec3 {
    double x, y, z;
} tide_vec3;

static inline tide_vec3 tide_vec3_load(const double *p)
{
    return (tide_vec3) { p[0], p[1], p[2] };
}
static inline void tide_vec3_store(double *p, tide_vec3 a)
{
    p[0] = a.x;
    p[1] = a.y;
    p[2] = a.z;
}
static inline tide_vec3 tide_vec3_add(tide_vec3 a, tide_vec3 b)
{
    return (tide_vec3) { a.x + b.x, a.y + b.y, a.z + b.z };
}
static inline tide_vec3 tide_vec3_subtract(tide_vec3 a, tide_vec3 b)
{
    return (tide_vec3) { a.x - b.x, a.y - b.y, a.z - b.z };
}
static inline tide_vec3 tide_vec3_scale(tide_vec3 a, double s)
{
    return (tide_vec3) { a.x * s, a.y * s, a.z * s };
}
static inline double tide_vec3_dot(tide_vec3 a, tide_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline tide_vec3 tide_vec3_cross(tide_vec3 a, tide_vec3 b)
{
    return (tide_vec3) { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline double tide_vec3_length(tide_vec3 a)
{
    return sqrt(tide_vec3_dot(a, a));
}
// Normalises a vector; the zero vector stays zero.
static inline tide_vec3 tide_vec3_normalize(tide_vec3 a)
{
    double length = tide_vec3_length(a);
    return length > 0 ? tide_vec3_scale(a, 1 / length) : a;
}

#endif
