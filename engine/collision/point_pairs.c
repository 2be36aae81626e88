#include "collision/point_pairs.h"

#include "base/avx2.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "collision/point_table.h"
#include "collision/proximity_state.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define OBJECT "contact pairs"
#define OUTWARD 2.4e-7f // relative; more than the error of rounding to a float
#define LEAST 1e-37f
#define FARTHEST 1e30f // m; floats are clamped to this

enum {
    FEW = 32,     // points / FEW moved: a new table is made
    MANY = 2,     // points / MANY changed: all pairs are searched again
    SHORT = 64,   // lists up to this length are sorted by insertion
    SCANNED = 64, // entries in one unit of work
    CROWDED = 64  // pairs for each point, above which they are sorted in two passes
};

// A search runs in batches of chunks, in parallel. A chunk that finds or tries too many pairs is searched again on one
// thread.
enum { GRAIN = 128, MOST_CHUNKS = 64, CHUNK_ROOM = 2048, MOST_TRIED = 1 << 16 };

// The range of keys and the two intervals with which the entries of a cell are compared.
typedef struct window {
    int32_t begin, end; // keys
    float low[2], high[2];
} window;

// Finds the first group of LANES entries, from i on, with any that overlap; the bits of `hits` tell which. `hits` is 0
// if there is none before the entries that begin after the window.
typedef size_t find_hits(const point_table *t, const window *own, size_t i, unsigned *hits);
static size_t find_hits_plainly(const point_table *t, const window *own, size_t i, unsigned *hits)
{
    for (*hits = 0; t->keys[i] <= own->end; i += LANES) {
        for (size_t k = 0; k < LANES; k++) {
            size_t n = i + k;
            bool hit = (t->low[0][n] <= own->high[0]) & (t->high[0][n] >= own->low[0]) &
                       (t->low[1][n] <= own->high[1]) & (t->high[1][n] >= own->low[1]) & (t->keys[n] <= own->end) &
                       (t->ends[n] >= own->begin);
            *hits |= (unsigned)hit << k;
        }
        if (*hits)
            break;
    }
    return i;
}

#if defined(__x86_64__)
TIDE_AVX2 static size_t find_hits_in_vectors(const point_table *t, const window *own, size_t i, unsigned *hits)
{
    const __m256 low0 = _mm256_set1_ps(own->low[0]), high0 = _mm256_set1_ps(own->high[0]),
                 low1 = _mm256_set1_ps(own->low[1]), high1 = _mm256_set1_ps(own->high[1]);
    const __m256i begin = _mm256_set1_epi32(own->begin), end = _mm256_set1_epi32(own->end);
    for (*hits = 0; t->keys[i] <= own->end; i += LANES) {
        __m256 in = _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(t->low[0] + i), high0, _CMP_LE_OQ),
                                  _mm256_cmp_ps(_mm256_loadu_ps(t->high[0] + i), low0, _CMP_GE_OQ));
        in = _mm256_and_ps(in, _mm256_and_ps(_mm256_cmp_ps(_mm256_loadu_ps(t->low[1] + i), high1, _CMP_LE_OQ),
                                             _mm256_cmp_ps(_mm256_loadu_ps(t->high[1] + i), low1, _CMP_GE_OQ)));
        __m256i out = _mm256_or_si256(_mm256_cmpgt_epi32(_mm256_loadu_si256((const void *)(t->keys + i)), end),
                                      _mm256_cmpgt_epi32(begin, _mm256_loadu_si256((const void *)(t->ends + i))));
        *hits = (unsigned)_mm256_movemask_ps(_mm256_andnot_ps(_mm256_castsi256_ps(out), in));
        if (*hits)
            break;
    }
    return i;
}
#endif

static find_hits *choose_find_hits(void)
{
#if defined(__x86_64__)
    if (tide_vector_bits(256) == 256)
        return find_hits_in_vectors;
#endif
    return find_hits_plainly;
}

// The pairs that a chunk of a search finds.
typedef struct gathering {
    bool alone;              // it adds to the fresh pairs, and spends work, at once
    bool full;               // there is more than it may find
    tide_near_points *pairs; // (CHUNK_ROOM) of items, not of points
    uint32_t count;
    uint64_t tried, looked; // pairs; units of work for looking
} gathering;

struct tide_point_pairs {
    const tide_contact_surface *surface;
    uint32_t count;
    const uint32_t *points, *neighbour_starts, *neighbours;
    double origin[3], shift[3]; // m: origins of the boxes at the start and at the end
    point_table table;          // of items: indices in `points`
    // Items whose boxes differ from those in the table.
    int32_t *moved;                // (moved_count)
    int32_t *item_of;              // (point_count)
    bool *has_moved, *has_changed; // (count)
    int32_t *changed;              // (changed_count) in an update
    int32_t moved_count, changed_count;
    tide_near_points *found, *fresh, *ordered, *crowd; // fresh: with item indices
    size_t found_count, found_capacity, fresh_count, fresh_capacity, ordered_capacity, crowd_capacity;
    uint32_t *rows; // (count + 1)
    find_hits *find_hits;
    gathering *chunks; // (chunk_count)
    uint32_t chunk_count;
    tide_contact_work *work; // NULL: unbounded
};

tide_status tide_point_pairs_create(const tide_contact_surface *surface, const uint32_t *points, uint32_t count,
                                    const uint32_t *neighbour_starts, const uint32_t *neighbours,
                                    tide_point_pairs **out, tide_error *error)
{
    tide_point_pairs *p = tide_allocate_zeroed(1, sizeof *p);
    if (!p)
        return tide_fail_memory(error, OBJECT);
    p->surface = surface;
    p->count = count;
    p->find_hits = choose_find_hits();
    p->points = points;
    p->neighbour_starts = neighbour_starts;
    p->neighbours = neighbours;
    p->table = (point_table) { .owner = p, .box_count = count };
    p->table.boxes = tide_own_array(p, count, sizeof *p->table.boxes);
    p->table.in = tide_own_array(p, count, sizeof *p->table.in);
    p->moved = tide_own_array(p, count, sizeof *p->moved);
    p->changed = tide_own_array(p, count, sizeof *p->changed);
    p->item_of = tide_own_zeroed(p, surface->point_count, sizeof *p->item_of);
    p->has_changed = tide_own_zeroed(p, count, sizeof *p->has_changed);
    p->has_moved = tide_own_zeroed(p, count, sizeof *p->has_moved);
    p->rows = tide_own_array(p, (size_t)count + 1, sizeof *p->rows);
    p->chunk_count = count / GRAIN + 1 < MOST_CHUNKS ? count / GRAIN + 1 : MOST_CHUNKS;
    p->chunks = tide_own_zeroed(p, p->chunk_count, sizeof *p->chunks);
    tide_near_points *pairs = tide_own_array(p, (size_t)CHUNK_ROOM * p->chunk_count, sizeof *pairs);
    if (!tide_owns_all(p)) {
        tide_free(p);
        return tide_fail_memory(error, OBJECT);
    }
    for (uint32_t i = 0; i < p->chunk_count; i++)
        p->chunks[i].pairs = pairs + (size_t)CHUNK_ROOM * i;
    for (uint32_t i = 0; i < count; i++)
        p->item_of[points[i]] = (int32_t)i;
    *out = p;
    return TIDE_OK;
}

void tide_point_pairs_limit(tide_point_pairs *p, tide_contact_work *work)
{
    p->work = work;
}

const tide_near_points *tide_point_pairs_found(const tide_point_pairs *p, uint32_t *count)
{
    *count = (uint32_t)p->found_count;
    return p->found;
}

// --- boxes and cells ------------------------------------------------------------------------------------------------

static inline float clamp(float value)
{
    return value < -FARTHEST ? -FARTHEST : value > FARTHEST ? FARTHEST : value;
}

static inline float below(double value)
{
    float f = clamp((float)value);
    return f - fabsf(f) * OUTWARD - LEAST;
}

static inline float above(double value)
{
    float f = clamp((float)value);
    return f + fabsf(f) * OUTWARD + LEAST;
}

// The motion of points in a search.
typedef struct ways {
    const double *from, *to, *skins;
} ways;

// Returns false when a number is not finite.
static inline bool make_box(tide_point_pairs *p, const ways *w, uint32_t item)
{
    const tide_contact_surface *s = p->surface;
    uint32_t point = p->points[item];
    double reach = s->parts[s->part_of[point]].radius + w->skins[point], extent = 0;
    const double *from = w->from + 3 * (size_t)point, *to = w->to + 3 * (size_t)point;
    box *own = &p->table.boxes[item];
    for (int k = 0; k < 3; k++) {
        double a = from[k] - p->origin[k], b = to[k] - p->shift[k];
        double low = (a < b ? a : b) - reach, high = (a < b ? b : a) + reach;
        own->low[k] = below(low);
        own->high[k] = above(high);
        extent += high - low;
    }
    return extent <= DBL_MAX;
}

// Makes boxes relative to the start of the first point, so that single precision is enough.
static bool make_boxes(tide_point_pairs *p, const ways *w, const double drift[3])
{
    bool finite = true;
    for (int k = 0; k < 3; k++) {
        p->origin[k] = w->from[3 * (size_t)p->points[0] + (size_t)k];
        p->shift[k] = p->origin[k] + drift[k];
    }
    for (uint32_t i = 0; i < p->count; i++)
        finite &= make_box(p, w, i);
    return finite;
}

// --- pairs ----------------------------------------------------------------------------------------------------------

// Tells whether two points may come within `limit` on their paths; conservative.
static inline bool may_come_within(const ways *w, uint32_t i, uint32_t j, double limit)
{
    const double *a = w->from + 3 * (size_t)i, *b = w->from + 3 * (size_t)j;
    const double *c = w->to + 3 * (size_t)i, *d = w->to + 3 * (size_t)j;
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    double u = c[0] - d[0] - x, v = c[1] - d[1] - y, s = c[2] - d[2] - z;
    double square = x * x + y * y + z * z, ww = u * u + v * v + s * s, along = -(x * u + y * v + z * s);
    double nearest = square;
    if (along > 0)
        nearest = along < ww ? square - along * along / ww : square - 2 * along + ww;
    return !(nearest > limit * limit * (1 + 1e-9) + 1e-12 * (square + ww));
}

static bool near_at_rest(const tide_contact_surface *s, uint32_t i, uint32_t j)
{
    double limit = REST_FACTOR * 2 * s->parts[s->part_of[i]].radius, square = 0;
    if (!s->rest)
        return false;
    for (size_t k = 0; k < 3; k++) {
        double d = s->rest[3 * (size_t)i + k] - s->rest[3 * (size_t)j + k];
        square += d * d;
    }
    return square < limit * limit;
}

static bool share_edge(const tide_point_pairs *p, uint32_t i, uint32_t j)
{
    for (uint32_t k = p->neighbour_starts[i]; k < p->neighbour_starts[i + 1]; k++)
        if (p->neighbours[k] == j)
            return true;
    return false;
}

// Adds a pair to the fresh ones. Returns false without memory or without work left.
static bool keep(tide_point_pairs *p, const tide_near_points *pair)
{
    // Each pair that is kept will cost more work later. The search ends when that would take all the work left.
    if (p->work && p->fresh_count * TIDE_WORK_PAIR >= p->work->left)
        return tide_contact_work_spend(p->work, p->work->left + 1);
    if (!tide_grow_owned(p, &p->fresh, &p->fresh_capacity, p->fresh_count + 1, sizeof *p->fresh))
        return false;
    p->fresh[p->fresh_count++] = *pair;
    return true;
}

// Tries a pair of items whose boxes overlap. Returns false without memory, without work left, or without room.
static bool try_pair(tide_point_pairs *p, const ways *w, gathering *g, int32_t first, int32_t second)
{
    const tide_contact_surface *s = p->surface;
    uint32_t low = (uint32_t)(first < second ? first : second), high = (uint32_t)(first < second ? second : first);
    uint32_t i = p->points[low], j = p->points[high], a = s->part_of[i], b = s->part_of[j];
    double distance = s->parts[a].radius + s->parts[b].radius, room = w->skins[i] + w->skins[j];
    if (g->alone ? !tide_contact_work_spend(p->work, 1) : (g->full = ++g->tried > MOST_TRIED))
        return false;
    if (!tide_contact_may_touch(s, a, b) || !may_come_within(w, i, j, distance + room) ||
        (a == b && (share_edge(p, i, j) || near_at_rest(s, i, j))) || tide_contact_joined(s, i, j))
        return true;
    const tide_contact_pair pair = {
        .kind = TIDE_PAIR_POINTS, .points = { i, j }, .distance = distance, .from = w->from
    };
    tide_near_points found = { low, high, tide_proximity_clearance(&pair, w->to, NULL) };
    if (!(found.clearance <= room))
        return true;
    if (g->alone)
        return keep(p, &found);
    g->full = g->count == CHUNK_ROOM;
    if (!g->full)
        g->pairs[g->count++] = found;
    return !g->full;
}

// Tells whether this is the cell in which the pair counts: the one in which both boxes have begun.
static inline bool counts_here(const tide_point_pairs *p, int32_t cell, int32_t first, int32_t second)
{
    const int16_t *a = p->table.in[first].first, *b = p->table.in[second].first;
    int32_t row = a[0] > b[0] ? a[0] : b[0], column = a[1] > b[1] ? a[1] : b[1];
    return cell == row * p->table.grid.cells[2] + column;
}

// Tells whether `other` is the item itself, or has also changed and comes before it.
static inline bool is_tried(const tide_point_pairs *p, int32_t item, int32_t other)
{
    return other == item || (other < item && p->has_changed[other]);
}

// Tries an item against the entries of a cell from `at` on.
static bool try_window(tide_point_pairs *p, const ways *w, gathering *g, int32_t item, const window *own, size_t at)
{
    const point_table *t = &p->table;
    unsigned hits;
    for (size_t i = at;; i += LANES) {
        i = p->find_hits(t, own, i, &hits);
        if (!hits) {
            g->looked += 1 + (i - at) / SCANNED;
            return true;
        }
        for (; hits; hits &= hits - 1) {
            int32_t other = t->items[i + (size_t)__builtin_ctz(hits)];
            if (!p->has_moved[other] && !is_tried(p, item, other) &&
                counts_here(p, own->end >> LEVEL_BITS, item, other) && !try_pair(p, w, g, item, other))
                return false;
        }
    }
}

// Tries entry n of the table against those after it.
static bool try_entry(tide_point_pairs *p, const ways *w, gathering *g, uint32_t n)
{
    const point_table *t = &p->table;
    const window own = { t->keys[n], t->ends[n], { t->low[0][n], t->low[1][n] }, { t->high[0][n], t->high[1][n] } };
    return try_window(p, w, g, t->items[n], &own, n + (size_t)1);
}

// Tries a changed item against all in the table. A pair of two changed items counts from the first.
static bool try_with_table(tide_point_pairs *p, const ways *w, gathering *g, int32_t item)
{
    const grid *grid = &p->table.grid;
    const box *b = &p->table.boxes[item];
    const cells *in = &p->table.in[item];
    int32_t first = cell_of(grid, 0, b->low[grid->axes[0]]), last = cell_of(grid, 0, b->high[grid->axes[0]]);
    for (int32_t row = in->first[0]; row <= in->last[0]; row++)
        for (int32_t column = in->first[1]; column <= in->last[1]; column++) {
            int32_t cell = row * grid->cells[2] + column, key = cell << LEVEL_BITS;
            const window own = { key | first,
                                 key | last,
                                 { b->low[grid->axes[1]], b->low[grid->axes[2]] },
                                 { b->high[grid->axes[1]], b->high[grid->axes[2]] } };
            if (!try_window(p, w, g, item, &own, (size_t)p->table.starts[cell]))
                return false;
        }
    return true;
}

static inline bool boxes_overlap(const box *a, const box *b)
{
    return (a->low[0] <= b->high[0]) & (b->low[0] <= a->high[0]) & (a->low[1] <= b->high[1]) &
           (b->low[1] <= a->high[1]) & (a->low[2] <= b->high[2]) & (b->low[2] <= a->high[2]);
}

// Tries a changed item against all other items that have moved, likewise.
static bool try_with_moved(tide_point_pairs *p, const ways *w, gathering *g, int32_t item)
{
    for (int32_t n = 0; n < p->moved_count; n++) {
        int32_t other = p->moved[n];
        if (!is_tried(p, item, other) && boxes_overlap(&p->table.boxes[item], &p->table.boxes[other]) &&
            !try_pair(p, w, g, item, other))
            return false;
    }
    return true;
}

// Tries the n-th changed item against all others.
static bool try_changed(tide_point_pairs *p, const ways *w, gathering *g, uint32_t n)
{
    return try_with_table(p, w, g, p->changed[n]) && try_with_moved(p, w, g, p->changed[n]);
}

// --- batches --------------------------------------------------------------------------------------------------------

typedef bool try_one(tide_point_pairs *p, const ways *w, gathering *g, uint32_t n);

typedef struct batch {
    tide_point_pairs *p;
    const ways *w;
    try_one *try_one;
    uint32_t begin;
} batch;

static void try_chunk(void *context, uint32_t begin, uint32_t end)
{
    const batch *b = context;
    gathering *g = &b->p->chunks[begin / GRAIN];
    g->full = false;
    g->count = 0;
    g->tried = g->looked = 0;
    for (uint32_t i = begin; i < end && b->try_one(b->p, b->w, g, b->begin + i); i++)
        ;
}

// Takes the pairs of the chunk of items [begin, end). Returns false without memory or without work left.
static bool take_chunk(const batch *b, const gathering *g, uint32_t begin, uint32_t end)
{
    tide_point_pairs *p = b->p;
    gathering alone = { .alone = true };
    bool room = g->full || tide_contact_work_spend(p->work, g->tried);
    for (uint32_t i = 0; i < g->count && !g->full && room; i++)
        room = keep(p, &g->pairs[i]);
    for (uint32_t n = begin; n < end && g->full && room; n++)
        room = b->try_one(p, b->w, &alone, n);
    return !tide_contact_work_stops(p->work, g->looked + alone.looked) && room;
}

// Finds the fresh pairs of `count` entries or changed items. Returns false without memory or without work left.
static bool try_all(tide_point_pairs *p, const ways *w, try_one *try_one, uint32_t count)
{
    bool room = true;
    batch b = { p, w, try_one, 0 };
    p->fresh_count = 0;
    for (uint32_t most = GRAIN * p->chunk_count; b.begin < count && room; b.begin += most) {
        uint32_t left = count - b.begin, here = left < most ? left : most;
        tide_parallel_for(here, GRAIN, try_chunk, &b);
        for (uint32_t i = 0; i < here && room; i += GRAIN)
            room = take_chunk(&b, &p->chunks[i / GRAIN], b.begin + i, b.begin + (here - i < GRAIN ? here : i + GRAIN));
    }
    return room;
}

// --- order ----------------------------------------------------------------------------------------------------------

static inline bool comes_after(const tide_near_points *a, const tide_near_points *b)
{
    return a->first != b->first ? a->first > b->first : a->second > b->second;
}

// Sets rows[i] to the index of the first fresh pair whose first (or second) is item i.
static void count_rows(tide_point_pairs *p, bool by_second)
{
    memset(p->rows, 0, ((size_t)p->count + 1) * sizeof *p->rows);
    for (size_t i = 0; i < p->fresh_count; i++)
        p->rows[(by_second ? p->fresh[i].second : p->fresh[i].first) + 1]++;
    for (uint32_t i = 0; i < p->count; i++)
        p->rows[i + 1] += p->rows[i];
}

// Sorts fresh pairs by their second item, when there are so many for each first that insertion would be slow. Returns
// false without memory.
static bool order_seconds(tide_point_pairs *p)
{
    if (p->fresh_count / CROWDED <= p->count)
        return true;
    if (!tide_grow_owned(p, &p->crowd, &p->crowd_capacity, p->fresh_capacity, sizeof *p->crowd))
        return false;
    count_rows(p, true);
    for (size_t i = 0; i < p->fresh_count; i++)
        p->crowd[p->rows[p->fresh[i].second]++] = p->fresh[i];
    tide_near_points *fresh = p->fresh;
    size_t capacity = p->fresh_capacity;
    p->fresh = p->crowd;
    p->fresh_capacity = p->crowd_capacity;
    p->crowd = fresh;
    p->crowd_capacity = capacity;
    return true;
}

// Writes the fresh pairs to `to` in ascending order and with points for items: by a counting sort by the first item,
// unless there are few, then by insertion.
static void put_in_order(tide_point_pairs *p, tide_near_points *to)
{
    bool count = p->fresh_count > SHORT;
    if (count)
        count_rows(p, false);
    for (size_t i = 0; i < p->fresh_count; i++) {
        const tide_near_points *fresh = &p->fresh[i];
        to[count ? p->rows[fresh->first]++ : i] =
            (tide_near_points) { p->points[fresh->first], p->points[fresh->second], fresh->clearance };
    }
    for (size_t i = 1; i < p->fresh_count; i++) {
        tide_near_points pair = to[i];
        size_t at = i;
        for (; at > 0 && comes_after(&to[at - 1], &pair); at--)
            to[at] = to[at - 1];
        to[at] = pair;
    }
}

// Merges the fresh pairs into those found before that have not changed.
static bool merge(tide_point_pairs *p, const bool *changed)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->found_count; i++)
        if (!changed[p->found[i].first] && !changed[p->found[i].second])
            p->found[kept++] = p->found[i];
    size_t fresh = p->fresh_count;
    if (!order_seconds(p) || !tide_grow_owned(p, &p->ordered, &p->ordered_capacity, fresh, sizeof *p->ordered) ||
        !tide_grow_owned(p, &p->found, &p->found_capacity, kept + fresh, sizeof *p->found))
        return false;
    put_in_order(p, p->ordered);
    p->found_count = kept + fresh;
    for (size_t to = kept + fresh; fresh > 0; to--)
        p->found[to - 1] = kept > 0 && comes_after(&p->found[kept - 1], &p->ordered[fresh - 1]) ? p->found[--kept]
                                                                                                : p->ordered[--fresh];
    return true;
}

static tide_status fail_finite(tide_error *error)
{
    return tide_fail(error, TIDE_ERROR_NUMERIC, OBJECT, "positions", NULL,
                     "a point's position is not finite; the step before has diverged");
}

static bool fill_table(tide_point_pairs *p)
{
    for (int32_t i = 0; i < p->moved_count; i++)
        p->has_moved[p->moved[i]] = false;
    p->moved_count = 0;
    return tide_point_table_fill(&p->table);
}

static tide_status search(tide_point_pairs *p, const ways *w, tide_error *error)
{
    p->found_count = p->fresh_count = 0;
    if (!fill_table(p) || !try_all(p, w, try_entry, p->table.count > 0 ? (uint32_t)p->table.count - 1 : 0) ||
        !order_seconds(p) || !tide_grow_owned(p, &p->found, &p->found_capacity, p->fresh_count, sizeof *p->found))
        return tide_fail_memory(error, OBJECT);
    put_in_order(p, p->found);
    p->found_count = p->fresh_count;
    return TIDE_OK;
}

tide_status tide_point_pairs_find(tide_point_pairs *p, const double *from, const double *to, const double *skins,
                                  const double drift[3], tide_error *error)
{
    const ways w = { from, to, skins };
    p->found_count = 0;
    if (p->count < 2)
        return TIDE_OK;
    return make_boxes(p, &w, drift) ? search(p, &w, error) : fail_finite(error);
}

// Records the changed items and their boxes. Returns false when a number is not finite.
static bool note_changed(tide_point_pairs *p, const ways *w, const bool *changed)
{
    const bool *at = changed + p->points[0], *end = changed + p->points[p->count - 1] + 1;
    bool finite = true;
    for (at = memchr(at, true, (size_t)(end - at)); at; at = memchr(at + 1, true, (size_t)(end - at - 1))) {
        int32_t item = p->item_of[at - changed];
        if (p->points[item] != (uint32_t)(at - changed))
            continue;
        finite &= make_box(p, w, (uint32_t)item);
        p->changed[p->changed_count++] = item;
        p->has_changed[item] = true;
        if (!p->has_moved[item])
            p->moved[p->moved_count++] = item;
        p->has_moved[item] = true;
    }
    return finite;
}

static void forget_changed(tide_point_pairs *p)
{
    for (int32_t n = 0; n < p->changed_count; n++)
        p->has_changed[p->changed[n]] = false;
    p->changed_count = 0;
}

static tide_status search_changed(tide_point_pairs *p, const ways *w, const bool *changed, tide_error *error)
{
    if (p->changed_count > (int32_t)(p->count / MANY)) {
        forget_changed(p);
        return search(p, w, error);
    }
    bool room = p->moved_count <= (int32_t)(p->count / FEW) || fill_table(p);
    for (int32_t n = 0; n < p->changed_count && room; n++)
        find_cells(&p->table, (uint32_t)p->changed[n]);
    if (room && try_all(p, w, try_changed, (uint32_t)p->changed_count) && merge(p, changed))
        return TIDE_OK;
    p->found_count = 0;
    return tide_fail_memory(error, OBJECT);
}

tide_status tide_point_pairs_update(tide_point_pairs *p, const double *from, const double *to, const double *skins,
                                    const bool *changed, tide_error *error)
{
    const ways w = { from, to, skins };
    if (p->count < 2)
        return TIDE_OK;
    tide_status status = note_changed(p, &w, changed) ? TIDE_OK : fail_finite(error);
    if (status == TIDE_OK)
        status = search_changed(p, &w, changed, error);
    forget_changed(p);
    return status;
}
