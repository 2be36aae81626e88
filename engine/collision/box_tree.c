#include "collision/box_tree.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 4, MAX_LEVELS = 16 };
enum { MANY = 8 }; // boxes / MANY changed: all nodes are fitted
enum { AXIS_BITS = 10, DIGIT_BITS = 10, DIGITS = 3 };
#define FARTHEST 1e37 // coordinates are clamped to this
#define MIXED 1.3     // nodes that have grown by this factor since they were sorted are sorted again

// --- boxes in single precision, four numbers at a time by GCC's vectors

#define WIDER 1.2e-7f // relative; more than the error of rounding to a float
#define LEAST 1e-37f

// Bounds of the number that was rounded to f: no more than it, and no less.
static inline float round_down(float f)
{
    return f - (fabsf(f) * WIDER + LEAST);
}
static inline float round_up(float f)
{
    return f + (fabsf(f) * WIDER + LEAST);
}

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bools __attribute__((vector_size(16)));
typedef int64_t two __attribute__((vector_size(16)));

static inline four load(const float *numbers)
{
    four loaded;
    memcpy(&loaded, numbers, sizeof loaded);
    return loaded;
}

// Boxes rounded outward; an empty place has lower > upper.
typedef struct node {
    float lower[3][WIDTH], upper[3][WIDTH];
} node;

// A query box in the layout of the nodes.
typedef struct question {
    four lower[3], upper[3];
} question;

enum { LOW = 3, NEAR = TIDE_BOX_FINGER_NODES }; // the nodes of a finger are of level LOW
#define SPAN 4                                  // of a finger around a query, in widths of the query, to either side

// Level 0 holds the boxes themselves, in order, WIDTH to a node. Each further level holds the nodes of the level
// before.
struct tide_box_tree {
    uint32_t most, count, level_count;
    uint32_t starts[MAX_LEVELS + 1]; // of each level in `nodes`
    node *nodes;                     // of all levels
    uint32_t *order, *places;        // (most) boxes in order, and the place of each
    uint32_t *codes, *other_codes, *other_order;
    const double *boxes;
    double spread; // width of nodes relative to boxes when last sorted; 0: not sorted
    tide_box_finger finger;
};

// Lays out the levels for `count` boxes. Returns the number of nodes.
static uint32_t set_levels(tide_box_tree *tree, uint32_t count)
{
    tree->count = count;
    tree->level_count = 0;
    for (uint32_t left = count; left > 0 && (tree->level_count == 0 || left > 1); tree->level_count++) {
        left = (left + WIDTH - 1) / WIDTH;
        tree->starts[tree->level_count + 1] = tree->starts[tree->level_count] + left;
    }
    return tree->starts[tree->level_count];
}

tide_status tide_box_tree_create(void *owner, uint32_t most, tide_box_tree **out, tide_error *error)
{
    tide_box_tree *tree = tide_allocate_zeroed(1, sizeof *tree);
    if (tree) {
        tree->most = most;
        tree->nodes = tide_own_array(tree, set_levels(tree, most), sizeof *tree->nodes);
        tree->order = tide_own_array(tree, most, sizeof *tree->order);
        tree->places = tide_own_array(tree, most, sizeof *tree->places);
        tree->codes = tide_own_array(tree, most, sizeof *tree->codes);
        tree->other_codes = tide_own_array(tree, most, sizeof *tree->other_codes);
        tree->other_order = tide_own_array(tree, most, sizeof *tree->other_order);
    }
    if (!tide_owns_all(tree)) {
        tide_free(tree);
        return tide_fail_memory(error, "tree of boxes");
    }
    *out = owner ? tide_own(owner, tree) : tree;
    return TIDE_OK;
}

// --- boxes ----------------------------------------------------------------------------------------------------------

static inline float to_float(double x)
{
    return (float)(x < -FARTHEST ? -FARTHEST : x > FARTHEST ? FARTHEST : x);
}

static inline void put_box(node *nodes, uint32_t place, const double *box)
{
    node *n = &nodes[place / WIDTH];
    for (int k = 0; k < 3; k++) {
        n->lower[k][place % WIDTH] = round_down(to_float(box[k]));
        n->upper[k][place % WIDTH] = round_up(to_float(box[3 + k]));
    }
}

static const node nothing = { { { INFINITY, INFINITY, INFINITY, INFINITY },
                                { INFINITY, INFINITY, INFINITY, INFINITY },
                                { INFINITY, INFINITY, INFINITY, INFINITY } },
                              { { -INFINITY, -INFINITY, -INFINITY, -INFINITY },
                                { -INFINITY, -INFINITY, -INFINITY, -INFINITY },
                                { -INFINITY, -INFINITY, -INFINITY, -INFINITY } } };

static inline float least(const float of[WIDTH])
{
    float a = of[0] < of[1] ? of[0] : of[1], b = of[2] < of[3] ? of[2] : of[3];
    return a < b ? a : b;
}

static inline float most(const float of[WIDTH])
{
    float a = of[0] > of[1] ? of[0] : of[1], b = of[2] > of[3] ? of[2] : of[3];
    return a > b ? a : b;
}

// Fits all levels but the lowest. Returns the sum of the widths of the nodes.
static double fit_levels(tide_box_tree *tree)
{
    double sum = 0;
    node *nodes = tree->nodes;
    for (uint32_t level = 1; level < tree->level_count; level++) {
        uint32_t below = tree->starts[level - 1], own = tree->starts[level], count = own - below;
        nodes[tree->starts[level + 1] - 1] = nothing;
        for (uint32_t i = 0; i < count; i++) {
            const node *from = &nodes[below + i];
            node *to = &nodes[own + i / WIDTH];
            for (int k = 0; k < 3; k++) {
                float lower = least(from->lower[k]), upper = most(from->upper[k]);
                to->lower[k][i % WIDTH] = lower;
                to->upper[k][i % WIDTH] = upper;
                sum += (double)upper - (double)lower;
            }
        }
    }
    return sum;
}

// Of boxes: the sum of their widths; 0 unless some number is not finite; whether lower <= upper.
typedef struct measures {
    double width, any;
    bool ordered;
} measures;

static inline void measure_box(measures *m, const double *box)
{
    for (int k = 0; k < 3; k++) {
        m->ordered &= box[k] <= box[k + 3];
        m->width += box[k + 3] - box[k];
        m->any += 0 * box[k];
    }
}

// Fails unless all measured boxes are finite and lower <= upper.
static tide_status check(const measures *m, tide_error *error)
{
    if (m->ordered && isfinite(m->width + m->any))
        return TIDE_OK;
    return tide_fail(error, TIDE_ERROR_NUMERIC, "tree of boxes", "boxes", NULL,
                     "a box is not finite or its lower corner is above its upper one; positions have diverged");
}

// --- order ----------------------------------------------------------------------------------------------------------

// Inserts two zeros before each of ten bits.
static inline uint32_t spread_bits(uint32_t x)
{
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

// Returns the index on Hilbert's curve of three numbers of AXIS_BITS bits (Skilling 2004). Neighbours on this curve are
// adjacent in space. In Morton's order they may be far apart; nodes would be larger and meet more queries.
static inline uint32_t along_curve(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t at[3] = { x, y, z };
    for (uint32_t bit = 1u << (AXIS_BITS - 1); bit > 1; bit >>= 1) {
        uint32_t below = bit - 1;
        for (int k = 0; k < 3; k++) {
            uint32_t set = 0 - (uint32_t)((at[k] & bit) != 0), swapped = (at[0] ^ at[k]) & below & ~set;
            at[0] ^= swapped ^ (below & set);
            at[k] ^= swapped;
        }
    }
    at[1] ^= at[0];
    at[2] ^= at[1];
    uint32_t turned = 0;
    for (uint32_t bit = 1u << (AXIS_BITS - 1); bit > 1; bit >>= 1)
        turned ^= (0 - (uint32_t)((at[2] & bit) != 0)) & (bit - 1);
    return spread_bits(at[0] ^ turned) << 2 | spread_bits(at[1] ^ turned) << 1 | spread_bits(at[2] ^ turned);
}

static void find_codes(tide_box_tree *tree, const double *boxes)
{
    double lower[3], per[3], extent = 0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t i = (size_t)k; i < 6 * (size_t)tree->count; i += 6) {
            double middle = 0.5 * boxes[i] + 0.5 * boxes[i + 3];
            low = middle < low ? middle : low;
            high = middle > high ? middle : high;
        }
        lower[k] = low;
        extent = fmax(extent, high - low);
    }
    for (int k = 0; k < 3; k++)
        per[k] = extent > 0 ? ((1 << AXIS_BITS) - 1) / extent : 0;
    for (uint32_t i = 0; i < tree->count; i++) {
        const double *box = boxes + 6 * (size_t)i;
        uint32_t cell[3];
        for (int k = 0; k < 3; k++) {
            double at = (0.5 * box[k] + 0.5 * box[3 + k] - lower[k]) * per[k];
            cell[k] = at > 0 ? (uint32_t)fmin(at, (1 << AXIS_BITS) - 1) : 0;
        }
        tree->codes[i] = along_curve(cell[0], cell[1], cell[2]);
        tree->order[i] = i;
    }
}

// Sorts the boxes along the curve: a radix sort by digits from the lowest on (Knuth 1998, sec. 5.2.5).
static void put_in_order(tide_box_tree *tree, const double *boxes)
{
    find_codes(tree, boxes);
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        uint32_t counts[1 << DIGIT_BITS] = { 0 }, sum = 0;
        unsigned shift = digit * DIGIT_BITS, mask = (1u << DIGIT_BITS) - 1;
        for (uint32_t i = 0; i < tree->count; i++)
            counts[tree->codes[i] >> shift & mask]++;
        for (uint32_t i = 0; i <= mask; i++) {
            uint32_t count = counts[i];
            counts[i] = sum;
            sum += count;
        }
        for (uint32_t i = 0; i < tree->count; i++) {
            uint32_t to = counts[tree->codes[i] >> shift & mask]++;
            tree->other_codes[to] = tree->codes[i];
            tree->other_order[to] = tree->order[i];
        }
        uint32_t *codes = tree->codes, *order = tree->order;
        tree->codes = tree->other_codes;
        tree->order = tree->other_order;
        tree->other_codes = codes;
        tree->other_order = order;
    }
    for (uint32_t i = 0; i < tree->count; i++)
        tree->places[tree->order[i]] = i;
}

static double fit_all(tide_box_tree *tree, const double *boxes)
{
    tree->nodes[tree->starts[1] - 1] = nothing;
    for (uint32_t i = 0; i < tree->count; i++)
        put_box(tree->nodes, i, boxes + 6 * (size_t)tree->order[i]);
    return fit_levels(tree);
}

// Fits the nodes above a place of the lowest level, as far as they change.
static void fit_above(tide_box_tree *tree, uint32_t place)
{
    for (uint32_t level = 1; level < tree->level_count; level++) {
        place /= WIDTH;
        const node *from = &tree->nodes[tree->starts[level - 1] + place];
        node *to = &tree->nodes[tree->starts[level] + place / WIDTH];
        bool changes = false;
        for (int k = 0; k < 3; k++) {
            float lower = least(from->lower[k]), upper = most(from->upper[k]);
            changes |= lower != to->lower[k][place % WIDTH] || upper != to->upper[k][place % WIDTH];
            to->lower[k][place % WIDTH] = lower;
            to->upper[k][place % WIDTH] = upper;
        }
        if (!changes)
            break;
    }
}

static tide_status fit_changed(tide_box_tree *tree, const double *boxes, const bool *changed, tide_error *error)
{
    measures m = { .ordered = true };
    uint32_t count = 0;
    for (uint32_t i = 0; i < tree->count; i++)
        count += changed[i];
    bool few = count < tree->count / MANY;
    for (uint32_t i = 0; i < tree->count; i++) {
        if (!changed[i])
            continue;
        measure_box(&m, boxes + 6 * (size_t)i);
        put_box(tree->nodes, tree->places[i], boxes + 6 * (size_t)i);
        if (few)
            fit_above(tree, tree->places[i]);
    }
    if (!few)
        fit_levels(tree);
    return check(&m, error);
}

static tide_status fit_anew(tide_box_tree *tree, const double *boxes, tide_error *error)
{
    measures m = { .ordered = true };
    for (size_t i = 0; i < tree->count; i++)
        measure_box(&m, boxes + 6 * i);
    TIDE_TRY(check(&m, error));
    double spread = tree->spread > 0 ? fit_all(tree, boxes) / m.width : INFINITY;
    if (!(spread <= MIXED * tree->spread)) {
        put_in_order(tree, boxes);
        tree->spread = fit_all(tree, boxes) / m.width;
    }
    return TIDE_OK;
}

tide_status tide_box_tree_fit(tide_box_tree *tree, uint32_t count, const double *boxes, const bool *changed,
                              tide_error *error)
{
    bool before = tree->boxes != NULL && count == tree->count;
    tree->boxes = NULL;
    tree->finger.known = false;
    if (count > tree->most)
        return tide_fail(error, TIDE_ERROR_ARGUMENT, "tree of boxes", "count", NULL,
                         "there are %u boxes, and room for %u", count, tree->most);
    if (count != tree->count)
        tree->spread = 0;
    set_levels(tree, count);
    if (count == 0)
        return TIDE_OK;
    if (changed && before)
        TIDE_TRY(fit_changed(tree, boxes, changed, error));
    else
        TIDE_TRY(fit_anew(tree, boxes, error));
    tree->boxes = boxes;
    return TIDE_OK;
}

// --- queries --------------------------------------------------------------------------------------------------------

// Returns a bit for each child that overlaps.
static inline unsigned inside(const question *q, const node *n)
{
    four_bools out = (load(n->lower[0]) > q->upper[0]) | (q->lower[0] > load(n->upper[0]));
    out |= (load(n->lower[1]) > q->upper[1]) | (q->lower[1] > load(n->upper[1]));
    out |= (load(n->lower[2]) > q->upper[2]) | (q->lower[2] > load(n->upper[2]));
    two bits = (two)(~out & (four_bools) { 1, 2, 4, 8 });
    uint64_t both = (uint64_t)(bits[0] | bits[1]);
    return (unsigned)(both | both >> 32) & 15;
}

// Lists the children of some nodes of a level that overlap the query. There is no branch on the overlap, which is
// unpredictable, and distant memory is fetched together. `below` has room for WIDTH * count + 1.
static inline uint32_t go_down(const tide_box_tree *tree, const question *q, uint32_t level, const uint32_t *nodes,
                               uint32_t count, uint32_t *below)
{
    const node *of_level = tree->nodes + tree->starts[level];
    uint32_t met = 0;
    for (uint32_t i = 0; i < count; i++) {
        unsigned in = inside(q, &of_level[nodes[i]]);
        for (unsigned k = 0; k < WIDTH; k++) {
            below[met] = WIDTH * nodes[i] + k;
            met += in >> k & 1;
        }
    }
    return met;
}

typedef struct answer {
    const double *box;
    uint32_t first, room, count, *found;
    bool full;
} answer;

// Checks the boxes in double precision: floats are conservative.
static inline void add(const tide_box_tree *tree, answer *a, const uint32_t *places, uint32_t count)
{
    a->full |= a->room - a->count < count;
    for (uint32_t i = 0; i < count && !a->full; i++) {
        uint32_t index = tree->order[places[i]];
        const double *box = tree->boxes + 6 * (size_t)index, *q = a->box;
        bool in = (index >= a->first) & (box[0] <= q[3]) & (q[0] <= box[3]) & (box[1] <= q[4]) & (q[1] <= box[4]) &
                  (box[2] <= q[5]) & (q[2] <= box[5]);
        a->found[a->count] = index;
        a->count += in;
    }
}

enum { TOGETHER = 64 };
static void descend(const tide_box_tree *tree, const question *q, uint32_t level, const uint32_t *nodes, uint32_t count,
                    answer *a)
{
    uint32_t below[WIDTH * TOGETHER + 1], met = go_down(tree, q, level, nodes, count, below);
    if (level == 0)
        add(tree, a, below, met);
    for (uint32_t i = 0; i < met && level > 0; i += TOGETHER)
        descend(tree, q, level - 1, below + i, met - i < TOGETHER ? met - i : TOGETHER, a);
}

static inline question ask(const float box[6])
{
    question q;
    for (int k = 0; k < 3; k++) {
        float lower = box[k], upper = box[3 + k];
        q.lower[k] = (four) { lower, lower, lower, lower };
        q.upper[k] = (four) { upper, upper, upper, upper };
    }
    return q;
}

// Tells whether the finger is around the query; queries are mostly near the previous one.
static inline bool holds(const tide_box_finger *finger, const float q[6])
{
    const float *a = finger->around;
    return finger->known & (a[0] <= q[0]) & (a[1] <= q[1]) & (a[2] <= q[2]) & (q[3] <= a[3]) & (q[4] <= a[4]) &
           (q[5] <= a[5]);
}

// Finds the nodes of the finger. Returns false if there are too many.
static bool look_around(const tide_box_tree *tree, tide_box_finger *finger)
{
    const question around = ask(finger->around);
    uint32_t lists[2][WIDTH * NEAR + 1] = { { 0 } }, count = 1;
    for (uint32_t level = tree->level_count - 1; level > LOW && count <= NEAR; level--)
        count = go_down(tree, &around, level, lists[level & 1], count, lists[~level & 1]);
    finger->count = count <= NEAR ? count : 0;
    memcpy(finger->nodes, lists[LOW & 1], finger->count * sizeof *finger->nodes);
    return count <= NEAR;
}

uint32_t tide_box_tree_query_from(const tide_box_tree *tree, tide_box_finger *finger, const double box[6],
                                  uint32_t first, uint32_t room, uint32_t *found)
{
    if (!tree->boxes)
        return 0;
    float rounded[6], around[6];
    for (int k = 0; k < 3; k++) {
        rounded[k] = round_down(to_float(box[k]));
        rounded[3 + k] = round_up(to_float(box[3 + k]));
        float margin = SPAN * (rounded[3 + k] - rounded[k]);
        around[k] = rounded[k] - margin;
        around[3 + k] = rounded[3 + k] + margin;
    }
    const question q = ask(rounded);
    answer a = { .box = box, .first = first, .room = room, .found = found };
    uint32_t level = tree->level_count - 1;
    const uint32_t root = 0;
    if (level <= LOW)
        descend(tree, &q, level, &root, 1, &a);
    else if (holds(finger, rounded)) {
        if (finger->fresh) {
            finger->fresh = false;
            finger->wide = !look_around(tree, finger);
        }
        if (finger->wide)
            descend(tree, &q, level, &root, 1, &a);
        else if (finger->count)
            descend(tree, &q, LOW, finger->nodes, finger->count, &a);
    } else {
        memcpy(finger->around, around, sizeof around);
        finger->known = finger->fresh = true;
        descend(tree, &q, level, &root, 1, &a);
    }
    return a.full ? TIDE_BOX_TREE_FULL : a.count;
}

uint32_t tide_box_tree_query(tide_box_tree *tree, const double box[6], uint32_t first, uint32_t *found)
{
    return tide_box_tree_query_from(tree, &tree->finger, box, first, UINT32_MAX, found);
}
