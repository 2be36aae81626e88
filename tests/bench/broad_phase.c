#include "bench/bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "collision/box_tree.h"
#include "collision/point_pairs.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const uint32_t counts[] = { 1000, 3162, 10000, 31623, 100000, 316228, 1000000 };
enum { COUNTS = sizeof counts / sizeof *counts };

typedef struct point {
    double position[3]; // m
    uint64_t code;
} point;

typedef struct clouds {
    uint32_t most;        // points
    point *points;        // (most)
    double *boxes;        // (6 * most)
    uint32_t *found;      // (most)
    double *places;       // (3 * most), as `points`
    double *skins;        // (most), all 0
    uint32_t *numbers;    // (most), 0, 1, ...
    uint32_t *part_of;    // (most), all 0
    uint32_t *neighbours; // (most + 1), all 0: no point has neighbours
    tide_box_tree *tree;
} clouds;

// Seconds of processor time. refit: of a tree whose boxes have moved. total: of a frame, which refits a tree.
typedef struct timing {
    double build, refit, query, total;
    uint64_t pairs;
} timing;

static double processor_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

// The Morton code of a position. In the order of these codes most points are near to those before and after them, as
// the vertices of a mesh are.
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

static tide_status time_tree(const clouds *c, uint32_t count, timing *t, tide_error *error)
{
    tide_status status = tide_box_tree_fit(c->tree, 0, c->boxes, NULL, error); // the next fit builds it anew
    double start = processor_seconds();
    if (status == TIDE_OK)
        status = tide_box_tree_fit(c->tree, count, c->boxes, NULL, error);
    double built = processor_seconds();
    if (status == TIDE_OK)
        status = tide_box_tree_fit(c->tree, count, c->boxes, NULL, error);
    double refitted = processor_seconds();
    for (uint32_t i = 0; status == TIDE_OK && i < count; i++)
        t->pairs += tide_box_tree_query(c->tree, c->boxes + 6 * (size_t)i, i + 1, c->found);
    t->build += built - start;
    t->refit += refitted - built;
    t->query += processor_seconds() - refitted;
    t->total = t->refit + t->query;
    return status;
}

// Finds balls instead of cubes: of the pairs of cubes that overlap, those whose centres are within 1 m.
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
    // The first search, of the mirrored cloud, allocates memory.
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        c->boxes[i] = -c->places[i];
    status = tide_point_pairs_find(pairs, c->boxes, c->boxes, c->skins, drift, error);
    double start = processor_seconds();
    if (status == TIDE_OK)
        status = tide_point_pairs_find(pairs, c->places, c->places, c->skins, drift, error);
    t->total = t->query += processor_seconds() - start;
    uint32_t found;
    tide_point_pairs_found(pairs, &found);
    t->pairs += found;
    tide_free(pairs);
    return status;
}

static const struct search {
    const char *name;
    tide_status (*time)(const clouds *c, uint32_t count, timing *t, tide_error *error); // adds to t
} searches[] = { { "tree", time_tree }, { "points", time_points } };
enum { SEARCHES = sizeof searches / sizeof *searches };

// The mean over several different clouds: with one small cloud again and again the processor would predict every branch
// and take half the time, which it does not for points that move.
static tide_status time_clouds(const clouds *c, const struct search *search, uint32_t count, bool sorted, timing *mean,
                               tide_error *error)
{
    uint32_t times = 1 + 100000 / count;
    timing sum = { 0 };
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; i < times && status == TIDE_OK; i++) {
        scatter(c, count, sorted, count + i);
        status = search->time(c, count, &sum, error);
    }
    *mean = (timing) { sum.build / times, sum.refit / times, sum.query / times, sum.total / times,
                       .pairs = (sum.pairs + times / 2) / times };
    return status;
}

// The first time fills memory and caches and does not count.
static tide_status measure(const clouds *c, const struct search *search, uint32_t count, bool sorted, uint32_t runs,
                           tide_error *error)
{
    timing best = { .total = INFINITY };
    tide_status status = TIDE_OK;
    for (uint32_t i = 0; status == TIDE_OK && i <= runs; i++) {
        timing now;
        status = time_clouds(c, search, count, sorted, &now, error);
        if (i > 0 && status == TIDE_OK && now.total < best.total)
            best = now;
    }
    if (status == TIDE_OK)
        printf("%s,%s,%" PRIu32 ",%.9g,%.9g,%.9g,%.9g,%" PRIu64 "\n", search->name, sorted ? "mesh" : "random", count,
               1e3 * best.build, 1e3 * best.refit, 1e3 * best.query, 1e3 * best.total, best.pairs);
    return status;
}

static tide_status measure_all(const clouds *c, uint32_t runs, tide_error *error)
{
    tide_status status = TIDE_OK;
    puts("search,order,vertices,build_ms,refit_ms,query_ms,total_ms,pairs");
    for (int s = 0; s < SEARCHES; s++)
        for (int order = 0; order < 2; order++)
            for (int i = 0; status == TIDE_OK && i < COUNTS && counts[i] <= c->most; i++)
                status = measure(c, &searches[s], counts[i], order == 0, runs, error);
    return status;
}

tide_status bench_broad_phase(uint32_t runs, uint32_t most, tide_error *error)
{
    clouds c = { .most = most,
                 .points = tide_allocate_array(most, sizeof *c.points),
                 .boxes = tide_allocate_array(most, 6 * sizeof *c.boxes),
                 .found = tide_allocate_array(most, sizeof *c.found),
                 .places = tide_allocate_array(most, 3 * sizeof *c.places),
                 .skins = tide_allocate_zeroed(most, sizeof *c.skins),
                 .numbers = tide_allocate_array(most, sizeof *c.numbers),
                 .part_of = tide_allocate_zeroed(most, sizeof *c.part_of),
                 .neighbours = tide_allocate_zeroed(most + 1, sizeof *c.neighbours) };
    bool room = c.points && c.boxes && c.found && c.places && c.skins && c.numbers && c.part_of && c.neighbours;
    tide_status status = room ? tide_box_tree_create(NULL, most, &c.tree, error) : tide_fail_memory(error, "bench");
    for (uint32_t i = 0; i < most && status == TIDE_OK; i++)
        c.numbers[i] = i;
    if (status == TIDE_OK)
        status = measure_all(&c, runs, error);
    tide_free(c.tree);
    void *const blocks[] = { c.points, c.boxes, c.found, c.places, c.skins, c.numbers, c.part_of, c.neighbours };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        tide_free(blocks[i]);
    return status;
}
