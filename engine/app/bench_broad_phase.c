// The searches for what is near by themselves: that their time grows with the number of vertices and no faster.
#include "app/bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "contact/box_tree.h"
#include "contact/point_pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const uint32_t counts[] = { 1000, 3162, 10000, 31623, 100000, 316228, 1000000 };
enum { COUNTS = sizeof counts / sizeof *counts, MOST = 1000000 };

// refit_ms: of a tree whose boxes have moved, which is what it takes from frame to frame; total_ms: what a frame takes.
static const char *const columns[] = { "search",   "order", "vertices",       "build_ms",    "refit_ms",     "query_ms",
                                       "total_ms", "pairs", "pairs_a_vertex", "ns_a_vertex", "reference_ms", "ratio" };

typedef struct point {
    double position[3]; // m
    uint64_t code;
} point;

typedef struct clouds {
    point *points;        // (MOST)
    double *boxes;        // (6 * MOST)
    uint32_t *found;      // (MOST)
    double *reference;    // (TIDE_BENCH_REFERENCE_COUNT)
    double *places;       // (3 * MOST), as `points`
    double *margins;      // (MOST) 0
    uint32_t *numbers;    // (MOST) 0, 1, ...
    uint32_t *part_of;    // (MOST) 0
    uint32_t *neighbours; // (MOST + 1) 0: rows without any
    tide_spatial_hash *hash;
    tide_box_tree *tree;
} clouds;

typedef struct timing {
    double build, refit, query, total; // s of the processor, of the run with the least total; NAN: it has no such part
    double reference;
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
static void scatter(const clouds *c, uint32_t count, bool sorted, uint32_t seed)
{
    tide_random random = tide_random_seed(seed);
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
            c->places[3 * i + k] = c->points[i].position[k];
            c->boxes[6 * i + k] = c->points[i].position[k] - 0.5;
            c->boxes[6 * i + 3 + k] = c->points[i].position[k] + 0.5;
        }
}

static tide_status time_hash(const clouds *c, uint32_t count, timing *t, tide_error *error)
{
    double start = tide_bench_processor_seconds();
    tide_status status = tide_spatial_hash_build(c->hash, count, c->boxes, error);
    double built = tide_bench_processor_seconds();
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++)
        t->pairs += tide_spatial_hash_query(c->hash, c->boxes + 6 * (size_t)i, i + 1, c->found);
    t->build += built - start;
    t->query += tide_bench_processor_seconds() - built;
    t->total = t->build + t->query;
    return status;
}

static tide_status time_tree(const clouds *c, uint32_t count, timing *t, tide_error *error)
{
    tide_status status = tide_box_tree_fit(c->tree, 0, c->boxes, NULL, error); // so that no order is left
    double start = tide_bench_processor_seconds();
    if (status == TIDE_OK)
        status = tide_box_tree_fit(c->tree, count, c->boxes, NULL, error);
    double built = tide_bench_processor_seconds();
    if (status == TIDE_OK)
        status = tide_box_tree_fit(c->tree, count, c->boxes, NULL, error);
    double refitted = tide_bench_processor_seconds();
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++)
        t->pairs += tide_box_tree_query(c->tree, c->boxes + 6 * (size_t)i, i + 1, c->found);
    t->build += built - start;
    t->refit += refitted - built;
    t->query += tide_bench_processor_seconds() - refitted;
    t->total = t->refit + t->query;
    return status;
}

// Balls instead of cubes: of the pairs of cubes that overlap, those whose middles are within 1 m.
static tide_status time_points(const clouds *c, uint32_t count, timing *t, tide_error *error)
{
    bool touching = true;
    tide_contact_part part = { .point_count = count, .radius = 0.5 };
    tide_contact_surface surface = {
        .point_count = count, .part_count = 1, .parts = &part, .part_of = c->part_of, .touching = &touching
    };
    const double drift[3] = { 0, 0, 0 };
    tide_point_pairs *pairs;
    tide_status status =
        tide_point_pairs_create(&surface, c->numbers, count, c->neighbours, c->neighbours, &pairs, error);
    if (status != TIDE_OK)
        return status;
    // The first time makes room, with the cloud in a mirror.
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        c->boxes[i] = -c->places[i];
    status = tide_point_pairs_find(pairs, c->boxes, c->boxes, c->margins, drift, error);
    double start = tide_bench_processor_seconds();
    if (status == TIDE_OK)
        status = tide_point_pairs_find(pairs, c->places, c->places, c->margins, drift, error);
    t->total = t->query += tide_bench_processor_seconds() - start;
    uint32_t found;
    tide_point_pairs_found(pairs, &found);
    t->pairs += found;
    tide_point_pairs_destroy(pairs);
    return status;
}

static const struct search {
    const char *name;
    bool builds, refits;
    tide_status (*time)(const clouds *c, uint32_t count, timing *t, tide_error *error); // adds to t
} searches[] = { { "hash", true, false, time_hash },
                 { "tree", true, true, time_tree },
                 { "points", false, false, time_points } };
enum { SEARCHES = sizeof searches / sizeof *searches };

// The mean of so many clouds, each another: of one small cloud over and over the processor would foresee every branch,
// in half the time, and nothing that moves is like that.
static tide_status time_clouds(const clouds *c, const struct search *search, uint32_t count, bool sorted, timing *mean,
                               tide_error *error)
{
    uint32_t times = 1 + 100000 / count;
    timing sum = { .build = search->builds ? 0 : NAN, .refit = search->refits ? 0 : NAN };
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < times && status == TIDE_OK; i++) {
        scatter(c, count, sorted, count + i);
        status = search->time(c, count, &sum, error);
    }
    *mean = (timing) { sum.build / times, sum.refit / times, sum.query / times, sum.total / times,
                       .pairs = (sum.pairs + times / 2) / times };
    return status;
}

// The first time is for memory and caches.
static tide_status measure(const clouds *c, const struct search *search, uint32_t count, bool sorted, uint32_t runs,
                           timing *best, tide_error *error)
{
    double reference = tide_bench_reference(c->reference);
    *best = (timing) { .total = INFINITY };
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; status == TIDE_OK && i <= runs; i++) {
        timing now;
        status = time_clouds(c, search, count, sorted, &now, error);
        if (i > 0 && status == TIDE_OK && now.total < best->total)
            *best = now;
    }
    best->reference = fmin(reference, tide_bench_reference(c->reference));
    return status;
}

// Of time = a count^b by least squares of the logarithms.
static double exponent(const timing *timings)
{
    double n = COUNTS, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < COUNTS; i++) {
        double a = log(counts[i]), b = log(timings[i].total);
        x += a, y += b, xx += a * a, xy += a * b;
    }
    return (n * xy - x * y) / (n * xx - x * x);
}

static void add_row(tide_bench_table *table, const char *search, bool sorted, uint32_t count, const timing *t)
{
    tide_bench_text(table, search);
    tide_bench_text(table, sorted ? "as a mesh's" : "random");
    tide_bench_count(table, count);
    tide_bench_seconds(table, t->build);
    tide_bench_seconds(table, t->refit);
    tide_bench_seconds(table, t->query);
    tide_bench_seconds(table, t->total);
    tide_bench_count(table, t->pairs);
    tide_bench_value(table, (double)t->pairs / count);
    tide_bench_value(table, 1e9 * t->total / count);
    tide_bench_seconds(table, t->reference);
    tide_bench_value(table, t->total / t->reference);
}

static tide_status measure_all(const clouds *c, const tide_arguments *arguments, tide_bench_table *table,
                               tide_error *error)
{
    timing timings[COUNTS];
    double growth[SEARCHES][2];
    tide_status status = TIDE_OK;
    for (int s = 0; s < SEARCHES; s++)
        for (int order = 0; order < 2; order++) {
            for (int i = 0; status == TIDE_OK && i < COUNTS; i++) {
                status =
                    measure(c, &searches[s], counts[i], order == 0, tide_bench_runs(arguments), &timings[i], error);
                if (status == TIDE_OK)
                    add_row(table, searches[s].name, order == 0, counts[i], &timings[i]);
            }
            growth[s][order] = exponent(timings);
        }
    if (status == TIDE_OK)
        snprintf(table->about[1], sizeof table->about[1],
                 "cubes of 1 m around points at random (for `points` balls), one a cubic metre; the processor's time "
                 "grows as vertices^b "
                 "with vertices in an order as a mesh's, neighbours near one another, and in no order: hash %.3f and "
                 "%.3f, tree %.3f and %.3f, points %.3f and %.3f",
                 growth[0][0], growth[0][1], growth[1][0], growth[1][1], growth[2][0], growth[2][1]);
    return status;
}

tide_exit tide_bench_broad_phase(const tide_arguments *arguments)
{
    clouds c = { .points = tide_allocate_array(MOST, sizeof *c.points),
                 .boxes = tide_allocate_array(MOST, 6 * sizeof *c.boxes),
                 .found = tide_allocate_array(MOST, sizeof *c.found),
                 .reference = tide_allocate_zeroed(TIDE_BENCH_REFERENCE_COUNT, sizeof *c.reference),
                 .places = tide_allocate_array(MOST, 3 * sizeof *c.places),
                 .margins = tide_allocate_zeroed(MOST, sizeof *c.margins),
                 .numbers = tide_allocate_array(MOST, sizeof *c.numbers),
                 .part_of = tide_allocate_zeroed(MOST, sizeof *c.part_of),
                 .neighbours = tide_allocate_zeroed(MOST + 1, sizeof *c.neighbours) };
    tide_bench_table table;
    tide_error error;
    tide_bench_table_begin(&table, columns, sizeof columns / sizeof *columns);
    bool room = c.points && c.boxes && c.found && c.reference && c.places && c.margins && c.numbers && c.part_of &&
                c.neighbours;
    tide_status status = room ? tide_spatial_hash_create(&c.hash, &error) : tide_fail_memory(&error, "bench");
    if (status == TIDE_OK)
        status = tide_box_tree_create(MOST, &c.tree, &error);
    for (uint32_t i = 0; i < MOST && status == TIDE_OK; i++)
        c.numbers[i] = i;
    if (status == TIDE_OK)
        status = measure_all(&c, arguments, &table, &error);
    tide_spatial_hash_destroy(c.hash);
    tide_box_tree_destroy(c.tree);
    void *const blocks[] = { c.points,  c.boxes,   c.found,   c.reference, c.places,
                             c.margins, c.numbers, c.part_of, c.neighbours };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        tide_free(blocks[i]);
    tide_exit exit = status == TIDE_OK ? TIDE_EXIT_DONE : tide_report_error(&error);
    return tide_bench_table_end(&table, arguments, exit);
}
