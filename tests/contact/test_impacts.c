// Whole motions: without a crossing before, none after, none on the way; momentum stays.
#include "../collision/surfaces.h"
#include "base/vec3.h"
#include "collision/crossings.h"
#include "collision/impact.h"
#include "contact/continuous.h"
#include "contact/impact_zone.h"

#include <math.h>

static tide_random random_state;

static double uniform(double low, double high)
{
    return between(&random_state, low, high);
}

static uint64_t crossings(const tide_contact_surface *s, const double *x)
{
    return tide_contact_count_crossings(s, x, NULL, NULL);
}

static tide_continuous_report resolve(const tide_contact_surface *s, const double *from, double *to)
{
    tide_continuous *c = NULL;
    tide_continuous_report report;
    tide_error error;
    assert_ok(tide_continuous_create(s, &c, &error), error);
    assert_ok(tide_continuous_resolve(c, from, to, &report, &error), error);
    tide_free(c);
    return report;
}

// A triangle anywhere, every fifth a sliver, that crosses none so far; masses over six orders, every tenth point held.
static void throw_in(sample *m, bool own_part, double radius, bool equal)
{
    for (int tries = 0; tries < 50; tries++) {
        sample before = *m;
        double q[9], centre[3], w = uniform(0, 1), thin = pow(10, uniform(-9, -3));
        for (int k = 0; k < 3; k++)
            centre[k] = uniform(-1, 1);
        for (int k = 0; k < 9; k++)
            q[k] = centre[k % 3] + uniform(-0.5, 0.5);
        if (uniform(0, 1) < 0.2)
            for (int k = 0; k < 3; k++)
                q[6 + k] = w * q[k] + (1 - w) * q[3 + k] + thin * uniform(-1, 1);
        if (own_part)
            add_part(m, radius);
        for (int k = 0; k < 3; k++) {
            double mass = equal ? 1 : pow(10, uniform(-3, 3));
            add_point(m, q[3 * k], q[3 * k + 1], q[3 * k + 2], !equal && uniform(0, 1) < 0.1 ? 0 : 1 / mass);
        }
        uint32_t last = m->s.point_count;
        add_triangle(m, last - 3, last - 2, last - 1);
        if (crossings(close_sample(m, true), m->x) == 0)
            return;
        m->s.point_count = before.s.point_count;
        m->s.edge_count = before.s.edge_count;
        m->s.triangle_count = before.s.triangle_count;
        m->s.part_count = before.s.part_count;
        memcpy(m->parts, before.parts, sizeof m->parts);
    }
}

// Each triangle flies its own way and its points a little theirs.
static void throw_velocities(const tide_contact_surface *s, double fast, double *v)
{
    for (uint32_t i = 0; i < 3 * s->point_count; i++)
        v[i] = uniform(-0.3, 0.3) * fast;
    for (uint32_t t = 0; t < s->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            double own = uniform(-fast, fast);
            for (uint32_t n = 0; n < 3; n++)
                v[3 * s->triangles[3 * t + n] + k] += own;
        }
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t k = 0; k < 3 && s->inverse_masses[i] == 0; k++)
            v[3 * i + k] = 0;
}

// In the kinetic norm, and linear.
static void add_up(const tide_contact_surface *s, const double *from, const double *to, double *energy,
                   double momentum[3], double *size)
{
    *energy = *size = momentum[0] = momentum[1] = momentum[2] = 0;
    for (uint32_t i = 0; i < s->point_count; i++)
        for (uint32_t k = 0; k < 3 && s->inverse_masses[i] > 0; k++) {
            double u = to[3 * i + k] - from[3 * i + k], mass = 1 / s->inverse_masses[i];
            momentum[k] += mass * u;
            *size += mass * (fabs(u) + 1e-3);
            *energy += 0.5 * mass * u * u;
        }
}

static void storm(int seed, uint32_t triangles, int steps, uint32_t counts[3])
{
    random_state = tide_random_seed((uint64_t)seed);
    sample m = { 0 };
    bool one_part = seed % 2, equal = seed % 3 == 0;
    double radius = seed % 4 < 2 ? 0 : 0.001, fast = pow(10, uniform(-1.5, 1));
    if (one_part)
        add_part(&m, radius);
    for (uint32_t i = 0; i < triangles; i++)
        throw_in(&m, !one_part, radius, equal);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *x = malloc(n * sizeof *x), *v = malloc(n * sizeof *v), *to = malloc(n * sizeof *to);
    double *on = malloc(n * sizeof *on);
    memcpy(x, m.x, n * sizeof *x);
    throw_velocities(s, fast, v);
    for (int step = 0; step < steps; step++) {
        for (size_t i = 0; i < n; i++)
            to[i] = x[i] + v[i];
        double energy[2], momentum[2][3], size;
        add_up(s, x, to, &energy[0], momentum[0], &size);
        tide_continuous_report report = resolve(s, x, to);
        add_up(s, x, to, &energy[1], momentum[1], &size);
        if (crossings(s, to) > 0)
            fail_msg("seed %d step %d: crossings", seed, step);
        assert_int_equal(report.unresolved, 0);
        for (int k = 1; k < 12 && report.parts == 1; k++) {
            for (size_t i = 0; i < n; i++)
                on[i] = x[i] + (to[i] - x[i]) * k / 12;
            assert_int_equal(crossings(s, on), 0);
        }
        bool free = true;
        for (uint32_t i = 0; i < s->point_count; i++)
            free = free && s->inverse_masses[i] > 0;
        for (int k = 0; k < 3 && free; k++)
            assert_near(momentum[1][k], momentum[0][k], 1e-12 * size);
        counts[0] += report.impacts;
        counts[1] += report.zones;
        counts[2] += report.rigid_zones;
        for (size_t i = 0; i < n; i++) {
            assert_true(isfinite(to[i]));
            v[i] = to[i] - x[i];
            x[i] = to[i];
            if (s->inverse_masses[i / 3] > 0) // drawn together, so that they meet again
                v[i] += 0.2 * uniform(-fast, fast) - 0.1 * x[i];
        }
    }
    free(x);
    free(v);
    free(to);
    free(on);
    free_sample(&m);
}

// SPRINGTIDE_STORMS asks for more of them.
static void test_storms_of_triangles(void **state)
{
    (void)state;
    const char *asked = getenv("SPRINGTIDE_STORMS");
    int storms = asked ? atoi(asked) : 60;
    uint32_t counts[3] = { 0 };
    for (int seed = 0; seed < storms; seed++)
        storm(seed, seed % 10 == 9 ? 40 : 14, 4, counts);
    assert_true(counts[0] > 1000 && counts[1] > 100 && counts[2] > 0); // impacts, zones, rigid zones
}

static void test_a_bullet_stops_at_a_sheet(void **state)
{
    (void)state;
    for (int held = 0; held < 2; held++) {
        sample m = { 0 };
        add_sheet(&m, 0.001, 9, 0.1, 0, 0, 0);
        for (uint32_t i = 0; i < m.s.point_count && held; i++)
            m.s.inverse_masses[i] = 0;
        double corner[3] = { 0.31, 2, 0.33 }, size[3] = { 0.01, 0.01, 0.01 };
        add_box(&m, 0.001, corner, size);
        tide_contact_surface *s = close_sample(&m, false);
        size_t n = 3 * s->point_count;
        double *to = malloc(n * sizeof *to);
        for (size_t i = 0; i < n; i++)
            to[i] = m.x[i] - (i / 3 >= 81 && i % 3 == 1 ? 1000 : 0);
        tide_continuous_report report = resolve(s, m.x, to);
        assert_true(report.impacts > 0 && report.unresolved == 0);
        assert_int_equal(crossings(s, to), 0);
        for (uint32_t i = 81; i < s->point_count && held; i++)
            assert_true(to[3 * i + 1] > 0);
        for (uint32_t i = 0; i < 3 * 81 && held; i++)
            assert_true(to[i] == m.x[i]);
        free(to);
        free_sample(&m);
    }
}

// A wall with inverse mass 0 carries along particles of any mass in its path.
static void test_what_moves_without_inverse_mass_pushes(void **state)
{
    (void)state;
    sample m = { 0 };
    add_sheet(&m, 0.002, 4, 1, -1, 0, -1);
    for (uint32_t i = 0; i < m.s.point_count; i++)
        m.s.inverse_masses[i] = 0;
    m.parts[0].fixed = true;
    for (int i = 0; i < 5; i++)
        add_sheet(&m, 0.002, 4, 0.2, 0.1, 0.01 * (i + 1), 0.1);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *to = malloc(n * sizeof *to);
    for (size_t i = 0; i < n; i++)
        to[i] = m.x[i] + (i / 3 < 16 && i % 3 == 1 ? 0.5 + 0.1 * m.x[i - 1] : 0); // rises, and tilts
    double *wall = malloc(48 * sizeof *wall);
    memcpy(wall, to, 48 * sizeof *wall);
    tide_continuous_report report = resolve(s, m.x, to);
    assert_int_equal(report.unresolved, 0);
    assert_int_equal(crossings(s, to), 0);
    assert_memory_equal(wall, to, 48 * sizeof *wall);
    for (uint32_t i = 16; i < s->point_count; i++)
        assert_true(to[3 * i + 1] > 0.5 + 0.1 * m.x[3 * i]);
    free(wall);
    free(to);
    free_sample(&m);
}

// A floor that heaves and bends without inverse mass under three sheets: what rigid zones cannot follow is cut.
static void test_what_bends_without_inverse_mass_pushes(void **state)
{
    (void)state;
    uint32_t zones = 0, cut = 0;
    for (int seed = 19; seed < 25; seed++) {
        random_state = tide_random_seed((uint64_t)seed);
        sample m = { 0 };
        add_sheet(&m, 0.001, 8, 0.15, 0, 0, 0);
        for (uint32_t i = 0; i < 64; i++)
            m.s.inverse_masses[i] = 0;
        m.parts[0].fixed = true;
        for (int k = 1; k < 4; k++)
            add_sheet(&m, 0.001, 8, 0.12, 0.05, 0.004 * k, 0.05);
        tide_contact_surface *s = close_sample(&m, true);
        double *to = malloc(3 * s->point_count * sizeof *to), wall[192], height = uniform(0.1, 1.5);
        memcpy(to, m.x, 3 * s->point_count * sizeof *to);
        for (uint32_t i = 0; i < 64; i++)
            to[3 * i + 1] +=
                height * (1 + sin(6 * m.x[3 * i] + seed) * cos(5 * m.x[3 * i + 2])) + uniform(0, 0.3 * height);
        for (uint32_t i = 192; i < 3 * s->point_count; i++)
            to[i] += uniform(-0.3, 0.3) * height;
        memcpy(wall, to, sizeof wall);
        tide_continuous_report report = resolve(s, m.x, to);
        assert_int_equal(report.unresolved, 0);
        assert_int_equal(crossings(s, to), 0);
        assert_memory_equal(wall, to, sizeof wall);
        zones += report.zones;
        cut += report.parts > 1;
        free(to);
        free_sample(&m);
    }
    assert_true(zones > 0 && cut > 0);
}

// Each impulse acts where the features touch: no couple.
static void test_an_impulse_keeps_both_momenta(void **state)
{
    (void)state;
    random_state = tide_random_seed(11);
    int met = 0;
    for (int i = 0; i < 4000; i++) {
        sample m = { 0 };
        double from[4][3], to[4][3], x[12];
        add_part(&m, 0);
        for (int k = 0; k < 4; k++) {
            for (int d = 0; d < 3; d++) {
                from[k][d] = uniform(-1, 1);
                x[3 * k + d] = to[k][d] = uniform(-1, 1);
            }
            add_point(&m, 0, 0, 0, pow(10, uniform(-3, 3)));
        }
        tide_contact_surface *s = close_sample(&m, true);
        tide_impact impact = { .points = { 0, 1, 2, 3 },
                               .target = 1e-3,
                               .kind = i % 2 ? TIDE_PAIR_EDGES : TIDE_PAIR_TRIANGLE };
        bool moved[4] = { false };
        if (tide_impact_find(impact.kind, from, to, &impact)) {
            met++;
            double length = 0, sum = 0;
            for (int k = 0; k < 3; k++)
                length += impact.normal[k] * impact.normal[k];
            assert_near(length, 1, 1e-12);
            tide_impacts_push(s, &impact, 1, 10, x, moved, NULL);
            double linear[3] = { 0 }, angular[3] = { 0 }, size = 0, gap = 0, rounding = 0;
            for (uint32_t k = 0; k < 4; k++) {
                double r[3], p[3];
                sum += impact.weights[k];
                rounding += 1e-15 / s->inverse_masses[k]; // of positions about 1
                for (uint32_t d = 0; d < 3; d++) {
                    r[d] = from[k][d] + impact.time * (to[k][d] - from[k][d]);
                    p[d] = (x[3 * k + d] - to[k][d]) / s->inverse_masses[k];
                    linear[d] += p[d];
                    size += fabs(p[d]);
                    gap += impact.weights[k] * impact.normal[d] * x[3 * k + d];
                }
                for (int d = 0; d < 3; d++)
                    angular[d] += r[(d + 1) % 3] * p[(d + 2) % 3] - r[(d + 2) % 3] * p[(d + 1) % 3];
            }
            assert_near(sum, 0, 1e-12);
            assert_true(gap > 1e-3 * (1 - 1e-6));
            for (int d = 0; d < 3; d++) {
                assert_near(linear[d], 0, 1e-12 * size + rounding);
                assert_near(angular[d], 0, 1e-9 * size + rounding); // as exact as the time of the meeting
            }
        }
        free_sample(&m);
    }
    assert_true(met > 200);
}

static void test_rigid_zones_keep_both_momenta(void **state)
{
    (void)state;
    random_state = tide_random_seed(12);
    for (int i = 0; i < 300; i++) {
        sample m = { 0 };
        add_part(&m, 0);
        double x[24], to[24];
        bool moved[8] = { false };
        for (uint32_t k = 0; k < 8; k++)
            add_point(&m, uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), pow(10, uniform(-3, 3)));
        for (int k = 0; k < 24; k++)
            x[k] = to[k] = m.x[k] + uniform(-2, 2);
        tide_contact_surface *s = close_sample(&m, true);
        tide_zones *zones = NULL;
        tide_error error;
        assert_ok(tide_zones_create(s, &zones, &error), error);
        tide_zones_clear(zones);
        tide_impact impacts[2] = { { .points = { 0, 1, 2, 3 } }, { .points = { 3, 4, 5, 6 } } };
        assert_int_equal(tide_zones_join(zones, impacts, 2), 1);
        tide_zones_move(zones, m.x, x, moved);
        double momentum[2][6] = { { 0 } }, size = 0, before = 0, after = 0;
        for (uint32_t k = 0; k < 7; k++) {
            double mass = 1 / s->inverse_masses[k], u[2][3];
            for (uint32_t d = 0; d < 3; d++) {
                u[0][d] = mass * (to[3 * k + d] - m.x[3 * k + d]);
                u[1][d] = mass * (x[3 * k + d] - m.x[3 * k + d]);
                before += u[0][d] * u[0][d] / mass;
                after += u[1][d] * u[1][d] / mass;
                size += fabs(u[0][d]) + fabs(u[1][d]);
            }
            for (int n = 0; n < 2; n++)
                for (uint32_t d = 0; d < 3; d++) {
                    uint32_t a = (d + 1) % 3, b = (d + 2) % 3;
                    momentum[n][d] += u[n][d];
                    momentum[n][3 + d] += m.x[3 * k + a] * u[n][b] - m.x[3 * k + b] * u[n][a];
                }
        }
        for (int k = 0; k < 6; k++)
            assert_near(momentum[0][k], momentum[1][k], 1e-12 * size);
        assert_true(after <= before * (1 + 1e-12)); // a projection in the kinetic norm
        for (int k = 21; k < 24; k++)
            assert_true(x[k] == to[k]);
        // No two come nearer, on the way neither.
        for (uint32_t a = 0; a < 7; a++)
            for (uint32_t b = 0; b < a; b++) {
                double d0 = 0, d1 = 0;
                for (uint32_t d = 0; d < 3; d++) {
                    d0 += pow(m.x[3 * a + d] - m.x[3 * b + d], 2);
                    d1 += pow(x[3 * a + d] - x[3 * b + d], 2);
                }
                assert_true(d1 >= d0 * (1 - 1e-9));
            }
        tide_free(zones);
        free_sample(&m);
    }
}

// The change is least in the kinetic norm: the remaining motion is orthogonal to the constraint.
static void test_pushes_converge_to_the_least_change(void **state)
{
    (void)state;
    random_state = tide_random_seed(13);
    for (int i = 0; i < 100; i++) {
        sample m = { 0 };
        add_part(&m, 0);
        for (uint32_t k = 0; k < 6; k++)
            add_point(&m, uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(0.5, 2));
        tide_contact_surface *s = close_sample(&m, true);
        tide_impact impacts[3];
        bool moved[6] = { false };
        double x[18];
        memcpy(x, m.x, sizeof x);
        for (uint32_t n = 0; n < 3; n++) {
            double a = uniform(0, 1), b = uniform(0, 1), length = 0;
            impacts[n] = (tide_impact) { .points = { n, n + 1, n + 2, n + 3 }, .target = 1e-2 };
            impacts[n].weights[0] = a;
            impacts[n].weights[1] = 1 - a;
            impacts[n].weights[2] = -b;
            impacts[n].weights[3] = b - 1;
            for (int d = 0; d < 3; d++) {
                impacts[n].normal[d] = uniform(-1, 1);
                length += impacts[n].normal[d] * impacts[n].normal[d];
            }
            for (int d = 0; d < 3; d++)
                impacts[n].normal[d] /= sqrt(length);
        }
        tide_impacts_push(s, impacts, 3, 1000, x, moved, NULL);
        for (int n = 0; n < 3; n++) {
            double gap = -impacts[n].target;
            for (uint32_t k = 0; k < 4; k++)
                for (uint32_t d = 0; d < 3; d++)
                    gap += impacts[n].weights[k] * impacts[n].normal[d] * x[3 * impacts[n].points[k] + d];
            assert_true(impacts[n].push >= 0 && gap > -1e-4);
            assert_true(impacts[n].push < 1e-9 || fabs(gap) < 1e-4); // pushes only where it touches
        }
        for (uint32_t k = 0; k < 18; k++) { // the change is what the pushes make of it, and no more
            double change = x[k] - m.x[k];
            for (int n = 0; n < 3; n++)
                for (int p = 0; p < 4; p++)
                    if (impacts[n].points[p] == k / 3)
                        change -= impacts[n].push * impacts[n].weights[p] * impacts[n].normal[k % 3] *
                                  s->inverse_masses[k / 3];
            assert_near(change, 0, 1e-10);
        }
        free_sample(&m);
    }
}

static void test_it_allocates_once_and_repeats_itself(void **state)
{
    (void)state;
    random_state = tide_random_seed(14);
    sample m = { 0 };
    for (int i = 0; i < 4; i++)
        add_sheet(&m, 0.001, 8, 0.1, 0.03 * i, 0.02 * i, 0.02 * i);
    tide_contact_surface *s = close_sample(&m, true);
    size_t n = 3 * s->point_count;
    double *to = malloc(n * sizeof *to), *first = malloc(n * sizeof *first), *second = malloc(n * sizeof *second);
    for (size_t i = 0; i < n; i++)
        to[i] = m.x[i] + uniform(-0.05, 0.05);
    tide_continuous *c = NULL;
    tide_continuous_report report;
    tide_error error;
    assert_ok(tide_continuous_create(s, &c, &error), error);
    memcpy(first, to, n * sizeof *to);
    assert_ok(tide_continuous_resolve(c, m.x, first, &report, &error), error);
    assert_true(report.impacts > 0);
    uint64_t before = tide_memory_count().allocations;
    memcpy(second, to, n * sizeof *to);
    assert_ok(tide_continuous_resolve(c, m.x, second, NULL, &error), error);
    assert_int_equal(tide_memory_count().allocations, before);
    assert_memory_equal(first, second, n * sizeof *to);
    assert_int_equal(crossings(s, first), 0);
    to[5] = NAN;
    assert_fails(tide_continuous_resolve(c, m.x, to, NULL, &error), error, "finite");
    tide_free(c);
    free(to);
    free(first);
    free(second);
    free_sample(&m);
}

// The candidates of a cubic cover every time at which it may be 0: where its value is within a third of `error`, of
// which rounding takes no more (contact/README.md, "What the sweep guarantees", 3 and 4). Errors are made large enough
// to see.
static void test_candidates_cover_roots(void **state)
{
    (void)state;
    enum { TIMES = 4000 };
    tide_random random = tide_random_seed(41);
    uint32_t covered = 0;
    for (int round = 0; round < 20000; round++) {
        tide_cubic c = { .magnitude = 1 };
        double times[TIDE_CUBIC_CANDIDATES], doubt[TIDE_CUBIC_CANDIDATES],
            flat = pow(10, -8 * tide_random_uniform(&random));
        double root = tide_random_uniform(&random),
               other = root + (round % 2 ? flat : 1) * tide_random_uniform(&random);
        double last = other + (round % 4 < 2 ? flat : 1) * tide_random_uniform(&random);
        for (int k = 0; k < 4; k++) // (t - root) (t - other) (t - last) by its polar form; or anything
            c.b[k] = 2 * tide_random_uniform(&random) - 1;
        if (round % 3) {
            double r[3] = { root, other, last };
            for (int k = 0; k < 4; k++) { // the mean over the orders of the roots, at k ones and 3 - k zeros
                double sum = 0;
                for (int o = 0; o < 6; o++) {
                    double product = 1;
                    for (int i = 0; i < 3; i++)
                        product *= (i < k) - r[(o / 2 + (o % 2 ? 2 * i : i) + o % 2) % 3];
                    sum += product / 6;
                }
                c.b[k] = sum;
            }
        }
        c.error = pow(10, -2 - 8 * tide_random_uniform(&random));
        int count = tide_cubic_candidates(&c, times, doubt);
        for (int i = 0; i <= TIMES; i++) {
            double t = (double)i / TIMES;
            if (i % 2) // near the roots too
                t = fmin(
                    1, fmax(0, (i % 4 == 1 ? root : other) + pow(10, -10 * (double)i / TIMES) * (i % 8 < 4 ? 1 : -1)));
            if (fabs(tide_cubic_value(&c, t)) > c.error / 3)
                continue;
            bool found = false;
            for (int k = 0; k < count && !found; k++)
                found = fabs(t - times[k]) <= doubt[k];
            assert_true(found);
            covered++;
        }
    }
    assert_true(covered > 100000);
}

// Points go through triangles of a millimetre, and edges through edges, a thousand kilometres from the origin: places
// on the way are rounded to 10^-7 of an edge there. Ends are doubles, so that each motion is exact.
static void test_meetings_far_from_the_origin(void **state)
{
    (void)state;
    tide_random random = tide_random_seed(43);
    for (int round = 0; round < 20000; round++) {
        tide_pair_kind kind = round % 2 ? TIDE_PAIR_TRIANGLE : TIDE_PAIR_EDGES;
        double at[4][3], a[4][3], b[4][3], w[3] = { 0.2 + 0.6 * tide_random_uniform(&random), 0, 0 };
        for (int i = 1; i < 4; i++)
            for (int k = 0; k < 3; k++)
                at[i][k] = 1e-3 * between(&random, -1, 1);
        w[1] = (1 - w[0]) * (0.2 + 0.6 * tide_random_uniform(&random));
        w[2] = 1 - w[0] - w[1];
        for (int k = 0; k < 3; k++) { // point 0 on the triangle, or the line from it to point 1 through the other edge
            double on = w[0] * at[1][k] + w[1] * at[2][k] + w[2] * at[3][k];
            double through = w[0] * at[2][k] + (1 - w[0]) * at[3][k];
            at[0][k] = kind == TIDE_PAIR_TRIANGLE ? on : through + 0.7 * (through - at[1][k]);
        }
        tide_vec3 u = tide_vec3_subtract(tide_vec3_load(at[2]), tide_vec3_load(at[1]));
        tide_vec3 v =
            tide_vec3_subtract(tide_vec3_load(at[3]), tide_vec3_load(kind == TIDE_PAIR_EDGES ? at[2] : at[1]));
        tide_vec3 across = tide_vec3_cross(u, v);
        double height[3];
        if (tide_vec3_length(across) < 1e-7) // thin
            continue;
        tide_vec3_store(height, tide_vec3_scale(tide_vec3_normalize(across), 1e-3 * between(&random, 0.1, 1)));
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                bool moves = kind == TIDE_PAIR_TRIANGLE ? i == 0 : i < 2;
                a[i][k] = 1e6 + at[i][k] + (moves ? height[k] : 0);
                b[i][k] = 1e6 + at[i][k] - (moves ? height[k] : 0);
            }
        tide_impact impact;
        assert_true(tide_impact_find(kind, (const double(*)[3])a, (const double(*)[3])b, &impact));
        assert_true(impact.time > 0 && impact.time < 1);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(test_storms_of_triangles),
    cmocka_unit_test(test_a_bullet_stops_at_a_sheet),
    cmocka_unit_test(test_what_moves_without_inverse_mass_pushes),
    cmocka_unit_test(test_what_bends_without_inverse_mass_pushes),
    cmocka_unit_test(test_an_impulse_keeps_both_momenta),
    cmocka_unit_test(test_rigid_zones_keep_both_momenta),
    cmocka_unit_test(test_pushes_converge_to_the_least_change),
    cmocka_unit_test(test_it_allocates_once_and_repeats_itself),
    cmocka_unit_test(test_candidates_cover_roots),
    cmocka_unit_test(test_meetings_far_from_the_origin),
};
TIDE_TEST_SUITE(contact_impacts, tests)
