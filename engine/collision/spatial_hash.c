#include "collision/spatial_hash.h"

#include "base/memory.h"
#include "collision/float_boxes.h"

#include <math.h>
#include <string.h>

// A box is in the cell of its lower corner, on the first level where it is at most one cell wide. The widest is at most
// `count` times as wide as the mean, which bounds the levels.
enum { MAX_LEVELS = 32, MAX_CELL = 1 << 20 };
#define CELL_PER_MEAN 1.25
#define PLACES_PER_BOX 2 // at least
// TAG_BITS bits of the place of a row along y, and as many along z, identify it in a query of at most MAX_ROWS rows
// each way.
enum { TAG_BITS = 16, MAX_ROWS = 1 << TAG_BITS };
enum { INDEX_BITS = 26 };

// Half a cache line.
typedef struct entry {
    float lower[3]; // relative to the lowest corner of all boxes, rounded outward
    uint32_t row;
    float upper[3];
    uint32_t index; // and the level, in the bits above INDEX_BITS
} entry;

struct tide_spatial_hash {
    uint32_t count;
    double lower[3], upper[3];
    double scale;                 // of entries: 1, or less where coordinates exceed the range of floats
    double per_cell[MAX_LEVELS];  // 1 / width
    double widest[MAX_LEVELS][3]; // along each axis, for the boxes of a level, with slack for rounding
    bool used[MAX_LEVELS];

    uint32_t mask; // table size - 1, a power of two
    uint32_t *starts;
    size_t start_capacity;
    entry *entries; // (count) in the order of the table
    size_t entry_capacity;
    uint32_t *places; // (count) place of the cell of each box in the table
    size_t place_capacity;
    double *boxes; // (6 * count) the boxes as given
    size_t box_capacity;
};

tide_status tide_spatial_hash_create(tide_spatial_hash **out, tide_error *error)
{
    tide_spatial_hash *hash = tide_allocate_zeroed(1, sizeof *hash);
    if (!hash)
        return tide_fail_memory(error, "spatial hash");
    *out = hash;
    return TIDE_OK;
}

void tide_spatial_hash_destroy(tide_spatial_hash *hash)
{
    if (!hash)
        return;
    tide_free(hash->starts);
    tide_free(hash->entries);
    tide_free(hash->places);
    tide_free(hash->boxes);
    tide_free(hash);
}

// The cells of a row along x follow one another in the table: neighbours are near in memory, and a query reads one run.
static inline uint32_t row_of(int32_t level, int32_t y, int32_t z)
{
    uint32_t h = (uint32_t)y * 0x9e3779b1u + (uint32_t)z * 0x85ebca77u + (uint32_t)level * 0xc2b2ae3du;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13);
}

static inline uint32_t row_tag(int32_t y, int32_t z)
{
    return ((uint32_t)y & (MAX_ROWS - 1)) | (uint32_t)z << TAG_BITS;
}

static inline int32_t cell_at(const tide_spatial_hash *hash, int32_t level, int axis, double x)
{
    double cell = (x - hash->lower[axis]) * hash->per_cell[level];
    return cell > 0 ? cell < MAX_CELL ? (int32_t)cell : MAX_CELL : 0;
}

static inline double width_of(const double *box)
{
    double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
    y = y > z ? y : z;
    return x > y ? x : y;
}

// Computes the bounds of all boxes and their mean width. A finite sum proves that all numbers are finite.
static tide_status measure(tide_spatial_hash *hash, const double *boxes, double *mean, tide_error *error)
{
    double sum = 0, lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
    bool ordered = true;
    for (uint32_t i = 0; i < hash->count; i++) {
        const double *box = boxes + 6 * (size_t)i;
        sum += width_of(box);
        for (int k = 0; k < 3; k++) {
            ordered = ordered && box[k] <= box[3 + k];
            lower[k] = box[k] < lower[k] ? box[k] : lower[k];
            upper[k] = box[3 + k] > upper[k] ? box[3 + k] : upper[k];
        }
    }
    double extent = upper[0] - lower[0] + upper[1] - lower[1] + upper[2] - lower[2];
    if (!ordered || !isfinite(sum) || !isfinite(extent))
        return tide_fail(error, TIDE_ERROR_NUMERIC, "spatial hash", "boxes", NULL,
                         "a box is not finite or its lower corner is above its upper one; positions have diverged");
    memcpy(hash->lower, lower, sizeof lower);
    memcpy(hash->upper, upper, sizeof upper);
    hash->scale = extent > 1e30 ? 1 / extent : 1;
    *mean = sum / hash->count;
    return TIDE_OK;
}

static void choose_cells(tide_spatial_hash *hash, double mean)
{
    double extent = 0;
    for (int k = 0; k < 3; k++)
        extent = fmax(extent, hash->upper[k] - hash->lower[k]);
    // The width for boxes without extent follows from their number. More than MAX_CELL cells along an axis could not be
    // distinguished.
    double cell = mean > 0 ? CELL_PER_MEAN * mean : extent / cbrt(hash->count);
    cell = fmax(cell, extent / (MAX_CELL / 2));
    if (!(cell > 1e-300))
        cell = 1;
    for (int level = 0; level < MAX_LEVELS; level++, cell *= 2) {
        hash->per_cell[level] = 1 / cell;
        hash->used[level] = false;
        for (int k = 0; k < 3; k++)
            hash->widest[level][k] = 0;
    }
}

static inline int32_t level_of(const tide_spatial_hash *hash, double width)
{
    int32_t level = 0;
    while (level < MAX_LEVELS - 1 && width * hash->per_cell[level] > 1)
        level++;
    return level;
}

static inline entry entry_of(const tide_spatial_hash *hash, const double *box, uint32_t index)
{
    int32_t level = level_of(hash, width_of(box));
    entry e = { .row = row_tag(cell_at(hash, level, 1, box[1]), cell_at(hash, level, 2, box[2])),
                .index = index | (uint32_t)level << INDEX_BITS };
    for (int k = 0; k < 3; k++) {
        e.lower[k] = round_down((float)((box[k] - hash->lower[k]) * hash->scale));
        e.upper[k] = round_up((float)((box[3 + k] - hash->lower[k]) * hash->scale));
    }
    return e;
}

static void count_entries(tide_spatial_hash *hash, const double *boxes)
{
    for (uint32_t i = 0; i < hash->count; i++) {
        const double *box = boxes + 6 * (size_t)i;
        int32_t level = level_of(hash, width_of(box));
        uint32_t x = (uint32_t)cell_at(hash, level, 0, box[0]);
        hash->places[i] =
            (row_of(level, cell_at(hash, level, 1, box[1]), cell_at(hash, level, 2, box[2])) + x) & hash->mask;
        hash->starts[hash->places[i]]++;
        hash->used[level] = true;
        double *most = hash->widest[level];
        for (int k = 0; k < 3; k++)
            most[k] = box[3 + k] - box[k] > most[k] ? box[3 + k] - box[k] : most[k];
    }
    for (int level = 0; level < MAX_LEVELS; level++)
        for (int k = 0; k < 3; k++)
            hash->widest[level][k] += 1e-15 * (fabs(hash->lower[k]) + fabs(hash->upper[k]));
}

// Goes from the last box to the first, so that each place of the table lists its boxes in ascending order. Afterwards
// place i has the entries starts[i] up to, not including, starts[i + 1].
static void fill_entries(tide_spatial_hash *hash, const double *boxes)
{
    for (uint32_t i = hash->count; i-- > 0;)
        hash->entries[--hash->starts[hash->places[i]]] = entry_of(hash, boxes + 6 * (size_t)i, i);
}

tide_status tide_spatial_hash_build(tide_spatial_hash *hash, uint32_t count, const double *boxes, tide_error *error)
{
    hash->count = 0;
    if (count > TIDE_SPATIAL_HASH_MAX)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "spatial hash", "count", NULL,
                         "there are %u boxes, and at most %d are possible", count, TIDE_SPATIAL_HASH_MAX);
    if (count == 0)
        return TIDE_OK;
    uint32_t size = 64;
    while (size < PLACES_PER_BOX * count)
        size *= 2;
    if (!tide_grow(&hash->starts, &hash->start_capacity, (size_t)size + 1, sizeof *hash->starts) ||
        !tide_grow(&hash->places, &hash->place_capacity, count, sizeof *hash->places) ||
        !tide_grow(&hash->boxes, &hash->box_capacity, 6 * (size_t)count, sizeof *hash->boxes) ||
        !tide_grow(&hash->entries, &hash->entry_capacity, count, sizeof *hash->entries))
        return tide_fail_memory(error, "spatial hash");
    hash->mask = size - 1;
    memset(hash->starts, 0, ((size_t)size + 1) * sizeof *hash->starts);

    hash->count = count;
    double mean = 0;
    tide_status status = measure(hash, boxes, &mean, error);
    if (status != TIDE_OK) {
        hash->count = 0;
        return status;
    }
    choose_cells(hash, mean);
    count_entries(hash, boxes);
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= size; i++)
        hash->starts[i] = sum += hash->starts[i];
    fill_entries(hash, boxes);
    memcpy(hash->boxes, boxes, 6 * (size_t)count * sizeof *boxes);
    return TIDE_OK;
}

// A query: the box as given, and in the layout of the entries.
typedef struct question {
    const double *box;
    float lower[4], upper[4];             // rounded outward
    float inner_lower[4], inner_upper[4]; // rounded inward
    uint32_t first;
    int32_t level;
} question;

// Tells whether none of the first three is set. All are tested at once, as a branch on each would be unpredictable.
static inline bool none(four_bools of)
{
    two halves = (two)(of & (four_bools) { -1, -1, -1, 0 });
    return (halves[0] | halves[1]) == 0;
}

static inline bool is_near(const question *q, const entry *e)
{
    return none((load(e->lower) > load(q->upper)) | (load(q->lower) > load(e->upper)));
}

// Tells whether an entry that is near overlaps. Where rounding leaves doubt, it reads the box as given, which is far in
// memory.
static inline bool overlaps(const tide_spatial_hash *hash, const question *q, const entry *e)
{
    four lower = load(e->lower) * (1 + 4 * WIDER) + 10 * LEAST, upper = load(e->upper) * (1 - 4 * WIDER) - 10 * LEAST;
    if (none((lower > load(q->inner_upper)) | (load(q->inner_lower) > upper)))
        return true;
    return tide_boxes_overlap(hash->boxes + 6 * (size_t)(e->index & ((1u << INDEX_BITS) - 1)), q->box);
}

// Rows of cells may share places in the table. Only the boxes of the row itself are taken, so that each is found once.
static inline uint32_t search(const tide_spatial_hash *hash, const question *q, uint32_t row, uint32_t begin,
                              uint32_t end, uint32_t *found)
{
    uint32_t count = 0, level = (uint32_t)q->level;
    for (const entry *e = hash->entries + begin, *last = hash->entries + end; e < last; e++) {
        uint32_t index = e->index & ((1u << INDEX_BITS) - 1);
        if (is_near(q, e) && index >= q->first && e->row == row && e->index >> INDEX_BITS == level &&
            overlaps(hash, q, e))
            found[count++] = index;
    }
    return count;
}

static uint32_t search_all(const tide_spatial_hash *hash, const question *q, uint32_t *found)
{
    uint32_t count = 0;
    for (const entry *e = hash->entries, *last = e + hash->count; e < last; e++) {
        uint32_t index = e->index & ((1u << INDEX_BITS) - 1);
        if (e->index >> INDEX_BITS == (uint32_t)q->level && index >= q->first && is_near(q, e) && overlaps(hash, q, e))
            found[count++] = index;
    }
    return count;
}

// Some of the rows of a query.
enum { ROWS = 32 };
typedef struct rows {
    uint32_t begins[ROWS], tags[ROWS], count;
} rows;

static uint32_t search_rows(const tide_spatial_hash *hash, const question *q, const rows *rows, uint32_t across,
                            uint32_t *found)
{
    const uint32_t *starts = hash->starts, size = hash->mask + 1;
    uint32_t count = 0;
    // Prefetches distant memory for all rows at once.
    for (uint32_t i = 0; i < rows->count; i++)
        __builtin_prefetch(hash->entries + starts[rows->begins[i]]);
    for (uint32_t i = 0; i < rows->count; i++) {
        uint32_t begin = rows->begins[i], end = begin + across;
        if (end <= size)
            count += search(hash, q, rows->tags[i], starts[begin], starts[end], found + count);
        else { // wraps around the end of the table
            count += search(hash, q, rows->tags[i], starts[begin], starts[size], found + count);
            count += search(hash, q, rows->tags[i], 0, starts[end - size], found + count);
        }
    }
    return count;
}

static uint32_t search_level(const tide_spatial_hash *hash, const question *q, uint32_t *found)
{
    int32_t lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = cell_at(hash, q->level, k, q->box[k] - hash->widest[q->level][k]);
        upper[k] = cell_at(hash, q->level, k, q->box[3 + k]);
    }
    int32_t y_rows = upper[1] - lower[1] + 1, z_rows = upper[2] - lower[2] + 1;
    uint32_t across = (uint32_t)(upper[0] - lower[0] + 1), count = 0;
    if (across > hash->mask || (uint64_t)y_rows * (uint64_t)z_rows > hash->count || y_rows > MAX_ROWS ||
        z_rows > MAX_ROWS)
        return search_all(hash, q, found);
    rows some = { .count = 0 };
    for (int32_t z = lower[2]; z <= upper[2]; z++)
        for (int32_t y = lower[1]; y <= upper[1]; y++) {
            uint32_t begin = (row_of(q->level, y, z) + (uint32_t)lower[0]) & hash->mask;
            __builtin_prefetch(hash->starts + begin);
            some.begins[some.count] = begin;
            some.tags[some.count++] = row_tag(y, z);
            if (some.count == ROWS) {
                count += search_rows(hash, q, &some, across, found + count);
                some.count = 0;
            }
        }
    return count + search_rows(hash, q, &some, across, found + count);
}

uint32_t tide_spatial_hash_query(const tide_spatial_hash *hash, const double box[6], uint32_t first, uint32_t *found)
{
    if (hash->count == 0)
        return 0;
    for (int k = 0; k < 3; k++)
        if (!(box[k] <= hash->upper[k] && hash->lower[k] <= box[3 + k]))
            return 0;
    question q = { .box = box, .first = first };
    for (int k = 0; k < 3; k++) {
        q.lower[k] = round_down((float)((box[k] - hash->lower[k]) * hash->scale));
        q.upper[k] = round_up((float)((box[3 + k] - hash->lower[k]) * hash->scale));
        q.inner_lower[k] = round_up((float)((box[k] - hash->lower[k]) * hash->scale));
        q.inner_upper[k] = round_down((float)((box[3 + k] - hash->lower[k]) * hash->scale));
    }
    uint32_t count = 0;
    for (q.level = 0; q.level < MAX_LEVELS; q.level++)
        if (hash->used[q.level])
            count += search_level(hash, &q, found + count);
    return count;
}
