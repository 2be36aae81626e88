#include "contact/spatial_hash.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

// A box is in the cell of its lower corner, on the first level where it is at most one cell wide. The widest is at most
// `count` times as wide as the mean, which bounds the levels.
enum { MAX_LEVELS = 32, MAX_CELL = 1 << 20 };
#define CELL_PER_MEAN 1.25

typedef struct entry { // a cache line
    double box[6];
    uint32_t index;
    int32_t level, y, z; // its row of cells
} entry;

struct tide_spatial_hash {
    uint32_t count;
    double lower[3], upper[3];
    double per_cell[MAX_LEVELS];  // 1 / width
    double widest[MAX_LEVELS][3]; // along each axis, of the level's boxes and what rounding may add
    bool used[MAX_LEVELS];

    uint32_t mask; // table size - 1, a power of two
    uint32_t *starts;
    size_t start_capacity;
    entry *entries; // (count) in the order of the table
    size_t entry_capacity;
    uint32_t *places; // (count) of each box's cell in the table
    size_t place_capacity;
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
    tide_free(hash);
}

// The cells of a row along x follow one another in the table: neighbours are near in memory, and a query reads a run.
static inline uint32_t row_of(int32_t level, int32_t y, int32_t z)
{
    uint32_t h = (uint32_t)y * 0x9e3779b1u + (uint32_t)z * 0x85ebca77u + (uint32_t)level * 0xc2b2ae3du;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13);
}

static inline int32_t cell_at(const tide_spatial_hash *hash, int32_t level, int axis, double x)
{
    double cell = (x - hash->lower[axis]) * hash->per_cell[level];
    return cell > 0 ? cell < MAX_CELL ? (int32_t)cell : MAX_CELL : 0;
}

static inline double width_of(const double *box)
{
    double x = box[3] - box[0], y = box[4] - box[1], z = box[5] - box[2];
    return fmax(x, fmax(y, z));
}

// Bounds of all boxes and their mean width, which a finite sum proves to be of finite numbers.
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
                         "a box is not finite or its lower corner is above its upper one; positions have gone astray");
    memcpy(hash->lower, lower, sizeof lower);
    memcpy(hash->upper, upper, sizeof upper);
    *mean = sum / hash->count;
    return TIDE_OK;
}

static void choose_cells(tide_spatial_hash *hash, double mean)
{
    double extent = 0;
    for (int k = 0; k < 3; k++)
        extent = fmax(extent, hash->upper[k] - hash->lower[k]);
    // Boxes without extent share cells by their number; beyond MAX_CELL cells an axis, cells would be told apart no
    // more.
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

static inline entry locate(const tide_spatial_hash *hash, const double *box, uint32_t index)
{
    int32_t level = level_of(hash, width_of(box));
    return (entry) { .box = { box[0], box[1], box[2], box[3], box[4], box[5] },
                     .index = index,
                     .level = level,
                     .y = cell_at(hash, level, 1, box[1]),
                     .z = cell_at(hash, level, 2, box[2]) };
}

static void count_entries(tide_spatial_hash *hash, const double *boxes)
{
    for (uint32_t i = 0; i < hash->count; i++) {
        const double *box = boxes + 6 * (size_t)i;
        entry e = locate(hash, box, i);
        uint32_t x = (uint32_t)cell_at(hash, e.level, 0, box[0]);
        hash->places[i] = (row_of(e.level, e.y, e.z) + x) & hash->mask;
        hash->starts[hash->places[i]]++;
        hash->used[e.level] = true;
        double *most = hash->widest[e.level];
        for (int k = 0; k < 3; k++)
            most[k] = box[3 + k] - box[k] > most[k] ? box[3 + k] - box[k] : most[k];
    }
    for (int level = 0; level < MAX_LEVELS; level++)
        for (int k = 0; k < 3; k++)
            hash->widest[level][k] += 1e-15 * (fabs(hash->lower[k]) + fabs(hash->upper[k]));
}

// From the last box to the first, so that each place of the table lists its boxes in ascending order; then starts[i] is
// where place i begins, and starts[i + 1] where it ends.
static void fill_entries(tide_spatial_hash *hash, const double *boxes)
{
    for (uint32_t i = hash->count; i-- > 0;)
        hash->entries[--hash->starts[hash->places[i]]] = locate(hash, boxes + 6 * (size_t)i, i);
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
    while (size < 2 * count)
        size *= 2;
    if (!tide_grow(&hash->starts, &hash->start_capacity, (size_t)size + 1, sizeof *hash->starts) ||
        !tide_grow(&hash->places, &hash->place_capacity, count, sizeof *hash->places) ||
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
    return TIDE_OK;
}

// Rows of cells may share places in the table: only a row's own boxes are found in it, hence each once.
static inline uint32_t search(const tide_spatial_hash *hash, const double *box, const entry *row, uint32_t begin,
                              uint32_t end, uint32_t first, uint32_t *found)
{
    uint32_t count = 0;
    for (const entry *e = hash->entries + begin, *last = hash->entries + end; e < last; e++) {
        if (e->index < first || (e->box[1] > box[4]) | (box[1] > e->box[4]))
            continue;
        // All at once: whether one holds is too even a chance for a branch each.
        int apart = (e->box[0] > box[3]) | (box[0] > e->box[3]) | (e->box[2] > box[5]) | (box[2] > e->box[5]);
        if (!apart && e->y == row->y && e->z == row->z && e->level == row->level)
            found[count++] = e->index;
    }
    return count;
}

static uint32_t search_all(const tide_spatial_hash *hash, const double *box, int32_t level, uint32_t first,
                           uint32_t *found)
{
    uint32_t count = 0;
    for (const entry *e = hash->entries, *last = e + hash->count; e < last; e++)
        if (e->level == level && e->index >= first && tide_boxes_overlap(e->box, box))
            found[count++] = e->index;
    return count;
}

static uint32_t search_level(const tide_spatial_hash *hash, const double *box, int32_t level, uint32_t first,
                             uint32_t *found)
{
    int32_t lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = cell_at(hash, level, k, box[k] - hash->widest[level][k]);
        upper[k] = cell_at(hash, level, k, box[3 + k]);
    }
    uint64_t rows = (uint64_t)(upper[1] - lower[1] + 1) * (uint64_t)(upper[2] - lower[2] + 1);
    uint32_t across = (uint32_t)(upper[0] - lower[0] + 1), count = 0;
    if (across > hash->mask || rows > hash->count)
        return search_all(hash, box, level, first, found);
    entry row = { .level = level };
    const uint32_t *starts = hash->starts;
    for (row.z = lower[2]; row.z <= upper[2]; row.z++)
        for (row.y = lower[1]; row.y <= upper[1]; row.y++) {
            uint32_t begin = (row_of(level, row.y, row.z) + (uint32_t)lower[0]) & hash->mask, end = begin + across;
            if (end <= hash->mask + 1)
                count += search(hash, box, &row, starts[begin], starts[end], first, found + count);
            else { // past the table's end, on from its beginning
                count += search(hash, box, &row, starts[begin], starts[hash->mask + 1], first, found + count);
                count += search(hash, box, &row, 0, starts[end & hash->mask], first, found + count);
            }
        }
    return count;
}

uint32_t tide_spatial_hash_query(const tide_spatial_hash *hash, const double box[6], uint32_t first, uint32_t *found)
{
    if (hash->count == 0)
        return 0;
    for (int k = 0; k < 3; k++)
        if (!(box[k] <= hash->upper[k] && hash->lower[k] <= box[3 + k]))
            return 0;
    uint32_t count = 0;
    for (int32_t level = 0; level < MAX_LEVELS; level++)
        if (hash->used[level])
            count += search_level(hash, box, level, first, found + count);
    return count;
}
