// The spatial hash by itself: that its time grows with the number of vertices and no faster.
#include "app/bench.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "contact/spatial_hash.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const uint32_t counts[] = { 1000, 3162, 10000, 31623, 100000, 316228, 1000000 };
enum { COUNTS = sizeof counts / sizeof *counts, MOST = 1000000 };

static const char *const columns[] = { "order", "vertices",       "build_ms",    "query_ms",     "total_ms",
                                       "pairs", "pairs_a_vertex", "ns_a_vertex", "reference_ms", "ratio" };

typedef struct point {
    double position[3]; // m
    uint64_t code;
} point;

typedef struct clouds {
    point *points;     // (MOST)
    double *boxes;     // (6 * MOST)
    uint32_t *found;   // (MOST)
    double *reference; // (TIDE_BENCH_REFERENCE_COUNT)
    tide_spatial_hash *hash;
} clouds;

typedef struct timing {
    double build, query, reference; // s, of the run with the least sum of the first two
    uint64_t pairs;
} timing;

// The bits of three numbers in turn: points in the order of these codes are mostly near to those before and after them,
// as a mesh's vertices are.
static uint64_t morton(const double position[3])
{
    uint64_t code = 0;
    for (unsigned bit = 0; bit < 21; bit++)
        for (unsigned k = 0; k < 3; k++)
            code |= ((uint64_t)(16 * position[k]) >> bit & 1) << (3 * bit + k);
    return code;
}

static int compare(const void *a, const void *b)
{
    uint64_t first = ((const point *)a)->code, second = ((const point *)b)->code;
    return (first > second) - (first < second);
}

// One vertex a cubic metre on average, each with a cube of 1 m around it.
static void scatter(const clouds *c, uint32_t count, bool sorted)
{
    tide_random random = tide_random_seed(count);
    double side = cbrt(count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3; k++)
            c->points[i].position[k] = side * tide_random_uniform(&random);
        c->points[i].code = morton(c->points[i].position);
    }
    if (sorted)
        qsort(c->points, count, sizeof *c->points, compare);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < 3; k++) {
            c->boxes[6 * i + k] = c->points[i].position[k] - 0.5;
            c->boxes[6 * i + 3 + k] = c->points[i].position[k] + 0.5;
        }
}

static tide_status time_once(const clouds *c, uint32_t count, timing *best, tide_error *error)
{
    double start = tide_clock_seconds();
    tide_status status = tide_spatial_hash_build(c->hash, count, c->boxes, error);
    double built = tide_clock_seconds();
    uint64_t pairs = 0;
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++)
        pairs += tide_spatial_hash_query(c->hash, c->boxes + 6 * (size_t)i, i + 1, c->found);
    double end = tide_clock_seconds();
    if (end - start < best->build + best->query) {
        best->build = built - start;
        best->query = end - built;
    }
    best->pairs = pairs;
    return status;
}

// Small clouds are gone through often enough for the clock. The first time is for memory and caches.
static tide_status measure(const clouds *c, uint32_t count, bool sorted, uint32_t runs, timing *best, tide_error *error)
{
    timing unused = { 0 };
    uint32_t repeats = runs * (1 + 100000 / count);
    double reference = tide_bench_reference(c->reference);
    scatter(c, count, sorted);
    *best = (timing) { .build = INFINITY };
    tide_status status = time_once(c, count, &unused, error);
    for (uint32_t i = 0; status == TIDE_OK && i < repeats; i++)
        status = time_once(c, count, best, error);
    best->reference = fmin(reference, tide_bench_reference(c->reference));
    return status;
}

// Of time = a count^b by least squares of the logarithms.
static double exponent(const timing *timings)
{
    double n = COUNTS, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < COUNTS; i++) {
        double a = log(counts[i]), b = log(timings[i].build + timings[i].query);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

static void add_row(tide_bench_table *table, bool sorted, uint32_t count, const timing *t)
{
    double total = t->build + t->query;
    tide_bench_text(table, sorted ? "as a mesh's" : "random");
    tide_bench_count(table, count);
    tide_bench_seconds(table, t->build);
    tide_bench_seconds(table, t->query);
    tide_bench_seconds(table, total);
    tide_bench_count(table, t->pairs);
    tide_bench_value(table, (double)t->pairs / count);
    tide_bench_value(table, 1e9 * total / count);
    tide_bench_seconds(table, t->reference);
    tide_bench_value(table, total / t->reference);
}

static tide_status measure_all(const clouds *c, const tide_arguments *arguments, tide_bench_table *table,
                               tide_error *error)
{
    timing timings[2][COUNTS];
    tide_status status = TIDE_OK;
    for (int order = 0; order < 2; order++)
        for (int i = 0; status == TIDE_OK && i < COUNTS; i++) {
            status = measure(c, counts[i], order == 0, tide_bench_runs(arguments), &timings[order][i], error);
            if (status == TIDE_OK)
                add_row(table, order == 0, counts[i], &timings[order][i]);
        }
    if (status == TIDE_OK)
        snprintf(
            table->about[1], sizeof table->about[1],
            "cubes of 1 m around points at random, one a cubic metre; time grows as vertices^%.3f with vertices in "
            "an order as a mesh's, neighbours near one another, and as vertices^%.3f in no order",
            exponent(timings[0]), exponent(timings[1]));
    return status;
}

tide_exit tide_bench_broad_phase(const tide_arguments *arguments)
{
    clouds c = { .points = tide_allocate_array(MOST, sizeof *c.points),
                 .boxes = tide_allocate_array(MOST, 6 * sizeof *c.boxes),
                 .found = tide_allocate_array(MOST, sizeof *c.found),
                 .reference = tide_allocate_zeroed(TIDE_BENCH_REFERENCE_COUNT, sizeof *c.reference) };
    tide_bench_table table;
    tide_error error;
    tide_bench_table_begin(&table, columns, sizeof columns / sizeof *columns);
    tide_status status = c.points && c.boxes && c.found && c.reference ? tide_spatial_hash_create(&c.hash, &error)
                                                                       : tide_fail_memory(&error, "bench");
    if (status == TIDE_OK)
        status = measure_all(&c, arguments, &table, &error);
    tide_spatial_hash_destroy(c.hash);
    tide_free(c.points);
    tide_free(c.boxes);
    tide_free(c.found);
    tide_free(c.reference);
    tide_exit exit = status == TIDE_OK ? TIDE_EXIT_DONE : tide_report_error(&error);
    return tide_bench_table_end(&table, arguments, exit);
}
