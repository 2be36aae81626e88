// Surfaces for tests of contact: parts are added one after the other, then the whole is closed.
#ifndef TIDE_TESTS_CONTACT_SURFACES_H
#define TIDE_TESTS_CONTACT_SURFACES_H

#include "base/memory.h"
#include "base/random.h"
#include "collision/surface.h"
#include "tests.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 256 };

typedef struct sample {
    tide_contact_surface s;
    tide_contact_part parts[MAX_PARTS];
    double *x; // (3 * point_count) where the parts were made
    size_t points, edges, triangles, masses, owners, places;
    bool touching[MAX_PARTS * MAX_PARTS];
} sample;

static inline void *grown(void *items, size_t *capacity, size_t needed, size_t size)
{
    assert_true(tide_grow(items, capacity, needed, size));
    return NULL;
}

static inline uint32_t add_point(sample *m, double x, double y, double z, double inverse_mass)
{
    uint32_t i = m->s.point_count++;
    grown(&m->x, &m->places, 3 * (size_t)m->s.point_count, sizeof(double));
    grown(&m->s.inverse_masses, &m->masses, m->s.point_count, sizeof(double));
    grown(&m->s.part_of, &m->owners, m->s.point_count, sizeof(uint32_t));
    m->x[3 * i] = x;
    m->x[3 * i + 1] = y;
    m->x[3 * i + 2] = z;
    m->s.inverse_masses[i] = inverse_mass;
    m->s.part_of[i] = m->s.part_count - 1;
    m->parts[m->s.part_count - 1].point_count++;
    return i;
}

static inline tide_contact_part *add_part(sample *m, double radius)
{
    assert_true(m->s.part_count < MAX_PARTS);
    tide_contact_part *part = &m->parts[m->s.part_count++];
    *part = (tide_contact_part) { .first_point = m->s.point_count,
                                  .first_edge = m->s.edge_count,
                                  .first_triangle = m->s.triangle_count,
                                  .radius = radius };
    return part;
}

static inline void add_edge(sample *m, uint32_t a, uint32_t b)
{
    uint32_t first = m->parts[m->s.part_count - 1].first_edge;
    for (uint32_t i = first; i < m->s.edge_count; i++)
        if ((m->s.edges[2 * i] == a && m->s.edges[2 * i + 1] == b) ||
            (m->s.edges[2 * i] == b && m->s.edges[2 * i + 1] == a))
            return;
    uint32_t i = m->s.edge_count++;
    grown(&m->s.edges, &m->edges, 2 * (size_t)m->s.edge_count, sizeof(uint32_t));
    m->s.edges[2 * i] = a;
    m->s.edges[2 * i + 1] = b;
    m->parts[m->s.part_count - 1].edge_count++;
}

static inline void add_triangle(sample *m, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t i = m->s.triangle_count++;
    grown(&m->s.triangles, &m->triangles, 3 * (size_t)m->s.triangle_count, sizeof(uint32_t));
    m->s.triangles[3 * i] = a;
    m->s.triangles[3 * i + 1] = b;
    m->s.triangles[3 * i + 2] = c;
    m->parts[m->s.part_count - 1].triangle_count++;
    add_edge(m, a, b);
    add_edge(m, b, c);
    add_edge(m, c, a);
}

// A level sheet of n x n points, its first corner at x, y, z; triangles wound so that their normals point up.
static inline void add_sheet(sample *m, double radius, uint32_t n, double cell, double x, double y, double z)
{
    add_part(m, radius);
    uint32_t first = m->s.point_count;
    for (uint32_t i = 0; i < n * n; i++)
        add_point(m, x + cell * (i % n), y, z + cell * (i / n), 1);
    for (uint32_t r = 0; r + 1 < n; r++)
        for (uint32_t c = 0; c + 1 < n; c++) {
            uint32_t a = first + r * n + c, b = a + 1, d = a + n, e = d + 1;
            add_triangle(m, a, d, b);
            add_triangle(m, b, d, e);
        }
}

static inline void add_strand(sample *m, double radius, uint32_t n, double cell, double x, double y, double z)
{
    add_part(m, radius);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = add_point(m, x, y + cell * i, z, 1);
        if (i > 0)
            add_edge(m, k - 1, k);
    }
}

// A closed box whose triangles are wound outwards.
static inline tide_contact_part *add_box(sample *m, double radius, const double lower[3], const double size[3])
{
    static const uint32_t corners[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 },
                                             { 0, 1, 5 }, { 0, 5, 4 }, { 2, 6, 7 }, { 2, 7, 3 },
                                             { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
    tide_contact_part *part = add_part(m, radius);
    uint32_t first = m->s.point_count;
    for (uint32_t i = 0; i < 8; i++)
        add_point(m, lower[0] + (i & 1 ? size[0] : 0), lower[1] + (i & 2 ? size[1] : 0),
                  lower[2] + (i & 4 ? size[2] : 0), 1);
    for (int t = 0; t < 12; t++)
        add_triangle(m, first + corners[t][0], first + corners[t][1], first + corners[t][2]);
    return part;
}

// All parts may touch each other, and themselves when `itself`.
static inline tide_contact_surface *close_sample(sample *m, bool itself)
{
    m->s.parts = m->parts;
    m->s.touching = m->touching;
    for (uint32_t i = 0; i < m->s.part_count; i++)
        for (uint32_t k = 0; k < m->s.part_count; k++)
            m->touching[i * m->s.part_count + k] = i != k || itself;
    return &m->s;
}

static inline void free_sample(sample *m)
{
    tide_free(m->x);
    tide_free(m->s.edges);
    tide_free(m->s.triangles);
    tide_free(m->s.inverse_masses);
    tide_free(m->s.part_of);
    *m = (sample) { 0 };
}

static inline double between(tide_random *random, double low, double high)
{
    return low + (high - low) * tide_random_uniform(random);
}

#endif
