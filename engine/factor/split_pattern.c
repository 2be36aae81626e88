#include "factor/split_pattern.h"

#include "base/memory.h"
#include "factor/graft.h"

#include <string.h>

#define NONE UINT32_MAX

enum { FIRST_ROOM = 2 }; // spare rows of a node whose rows may split; doubled until there is one for each copy

// --- the base --------------------------------------------------------------------------------------------------------

// Sets the row of the base of each row: its own, or its origin's. Returns the number of rows of the base.
static uint32_t number_base(const uint32_t *origin, uint32_t rows, uint32_t *base_of)
{
    uint32_t count = 0;
    for (uint32_t row = 0; row < rows; row++)
        base_of[row] = origin[row] == row ? count++ : base_of[origin[row]];
    return count;
}

static bool list_links(tide_split_pattern *s)
{
    const tide_sparse *base = &s->base;
    s->link_start = tide_own_zeroed(s->base_memory, (size_t)base->rows + 2, sizeof *s->link_start);
    s->link = tide_own_array(s->base_memory, 2 * (size_t)base->column_start[base->columns], sizeof *s->link);
    if (!s->link_start || !s->link)
        return false;
    uint32_t *next = s->link_start + 2; // one entry ahead: filling moves each start to its final place
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t column = 0; column < base->columns; column++)
            for (int32_t k = base->column_start[column] + 1; k < base->column_start[column + 1]; k++) {
                uint32_t row = (uint32_t)base->row[k];
                if (pass == 0) {
                    next[row]++;
                    next[column]++;
                } else {
                    s->link[s->link_start[row + 1]++] = column;
                    s->link[s->link_start[column + 1]++] = row;
                }
            }
        for (uint32_t row = 1; pass == 0 && row < base->rows; row++)
            next[row] += next[row - 1];
    }
    return true;
}

bool tide_split_pattern_join(tide_split_pattern *split, const tide_sparse *pattern, const tide_splits *splits)
{
    tide_split_pattern *s = split;
    tide_split_pattern_free(s);
    TIDE_SCOPED uint32_t *base_of = tide_allocate_array(pattern->rows, sizeof *base_of);
    s->base_memory = tide_allocate(0);
    if (!base_of || !s->base_memory)
        return false;
    uint32_t rows = number_base(splits->origin, pattern->rows, base_of);
    tide_triplets triplets = { 0 };
    for (uint32_t column = 0; column < pattern->columns; column++)
        for (int32_t k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++) {
            uint32_t a = base_of[column], b = base_of[pattern->row[k]];
            tide_triplets_add(&triplets, a > b ? a : b, a > b ? b : a, 0);
        }
    bool made = tide_sparse_from_triplets(&triplets, rows, rows, true, &s->base, NULL) == TIDE_OK && list_links(s);
    tide_triplets_free(&triplets);
    return made;
}

bool tide_split_pattern_set_nodes(tide_split_pattern *split, const int32_t *order, const tide_supernodes *nodes)
{
    tide_split_pattern *s = split;
    uint32_t rows = s->base.rows;
    void *memory = s->base_memory;
    s->nodes = nodes->count;
    s->node_of = tide_own_array(memory, rows, sizeof *s->node_of);
    s->member = tide_own_array(memory, rows, sizeof *s->member);
    s->member_start =
        tide_own(memory, tide_copy_bytes(nodes->member_start, (nodes->count + (size_t)1) * sizeof *s->member_start));
    s->last = tide_own_array(memory, nodes->count, sizeof *s->last);
    s->base_order = tide_own(memory, tide_copy_bytes(order, rows * sizeof *s->base_order));
    if (!tide_owns_all(memory))
        return false;
    for (uint32_t n = 0; n < nodes->count; n++)
        for (uint32_t m = nodes->member_start[n]; m < nodes->member_start[n + 1]; m++) {
            s->last[n] = s->member[m] = (uint32_t)order[nodes->member[m]]; // members ascend
            s->node_of[s->member[m]] = n;
        }
    return true;
}

// --- spare rows ------------------------------------------------------------------------------------------------------

// A matrix that is mapped to the pattern.
typedef struct mapping {
    tide_split_pattern *split;
    const tide_sparse *matrix;
    const tide_splits *splits;
    uint32_t *base_of;         // (rows)
    uint32_t *copies, *spares; // (nodes)
} mapping;

// Makes the arrays and numbers the rows. Returns the number of rows of the base; 0: there is no memory.
static uint32_t make_mapping(mapping *m, void *memory)
{
    m->base_of = tide_own_array(memory, m->matrix->rows, sizeof *m->base_of);
    m->copies = tide_own_zeroed(memory, m->split->nodes, sizeof *m->copies);
    m->spares = tide_own_zeroed(memory, m->split->nodes, sizeof *m->spares);
    return tide_owns_all(memory) ? number_base(m->splits->origin, m->matrix->rows, m->base_of) : 0;
}

// Sets the number of spare rows of each node whose rows may split, from its number of copies. Widths become multiples
// of 4, which costs panels nothing.
static void choose_spares(const mapping *m)
{
    const tide_split_pattern *s = m->split;
    for (uint32_t row = 0; row < m->matrix->rows; row++) {
        uint32_t node = s->node_of[m->base_of[row]];
        m->copies[node] += m->splits->origin[row] != row;
        if (m->splits->may_split[row])
            m->spares[node] = 1;
    }
    for (uint32_t n = 0; n < s->nodes; n++) {
        uint32_t width = s->member_start[n + 1] - s->member_start[n];
        for (uint32_t room = FIRST_ROOM; m->spares[n] && (room == FIRST_ROOM || m->spares[n] < m->copies[n]); room *= 2)
            m->spares[n] = room + (4 - (width + room) % 4) % 4;
    }
}

// Adds the entries of a node's spare rows. `seen` (rows) and `met` (nodes) hold the last node for which a row and a
// node were listed.
static void add_spare_rows(const tide_split_pattern *s, uint32_t node, uint32_t *seen, uint32_t *met,
                           tide_triplets *triplets)
{
    uint32_t begin = s->first_spare[node], end = s->first_spare[node + 1];
    for (uint32_t m = s->member_start[node]; begin < end && m < s->member_start[node + 1]; m++) {
        uint32_t member = s->member[m];
        for (uint32_t l = s->link_start[member]; l <= s->link_start[member + 1]; l++) {
            uint32_t row = l < s->link_start[member + 1] ? s->link[l] : member, other = s->node_of[row];
            if (seen[row] != node)
                for (uint32_t spare = begin; spare < end; spare++)
                    tide_triplets_add(triplets, spare, row, 0);
            seen[row] = node;
            if (met[other] != node)
                for (uint32_t spare = begin; spare < end; spare++)
                    for (uint32_t its = s->first_spare[other]; its <= spare && its < s->first_spare[other + 1]; its++)
                        tide_triplets_add(triplets, spare, its, 0);
            met[other] = node;
        }
    }
}

static bool make_order(tide_split_pattern *s)
{
    int32_t *to = s->order = tide_own_array(s->memory, s->matrix.rows, sizeof *s->order);
    for (uint32_t k = 0; to && k < s->base.rows; k++) {
        uint32_t row = (uint32_t)s->base_order[k], node = s->node_of[row];
        *to++ = (int32_t)row;
        for (uint32_t spare = s->first_spare[node]; row == s->last[node] && spare < s->first_spare[node + 1]; spare++)
            *to++ = (int32_t)spare;
    }
    return to;
}

// --- places ----------------------------------------------------------------------------------------------------------

// Gives each row its place: the base's row, or the next spare row of its origin's node.
static void place_rows(const mapping *m)
{
    tide_split_pattern *s = m->split;
    memset(m->copies, 0, s->nodes * sizeof *m->copies);
    for (uint32_t row = 0; row < s->matrix.rows; row++)
        s->row_of[row] = NONE;
    for (uint32_t row = 0; row < m->matrix->rows; row++) {
        uint32_t base = m->base_of[row], node = s->node_of[base];
        s->place[row] = m->splits->origin[row] == row ? base : s->first_spare[node] + m->copies[node]++;
        s->row_of[s->place[row]] = row;
    }
}

// Returns the index of the entry of two rows of a symmetric matrix, or -1. *next is where to look first.
static int32_t find_entry(const tide_sparse *matrix, uint32_t a, uint32_t b, int32_t *next)
{
    uint32_t row = a > b ? a : b, column = a > b ? b : a;
    if (*next >= matrix->column_start[column] && *next < matrix->column_start[column + 1] &&
        (uint32_t)matrix->row[*next] == row)
        return (*next)++;
    int32_t at = tide_sparse_find(matrix, row, column);
    *next = at < 0 ? *next : at + 1;
    return at;
}

// Finds the matrix's entries. Those that are not there become late entries in `late`, or without it, end the search.
// Returns whether all were found.
static bool map_entries(const mapping *m, tide_triplets *late)
{
    tide_split_pattern *s = m->split;
    bool found = true;
    for (uint32_t column = 0; column < m->matrix->columns; column++) {
        uint32_t a = s->place[column];
        int32_t next = s->matrix.column_start[a];
        for (int32_t k = m->matrix->column_start[column]; k < m->matrix->column_start[column + 1]; k++) {
            uint32_t b = s->place[m->matrix->row[k]];
            s->at[k] = find_entry(&s->matrix, a, b, &next);
            if (s->at[k] >= 0)
                continue;
            if (!late)
                return false;
            tide_triplets_add(late, a > b ? a : b, a > b ? b : a, 1);
            found = false;
        }
    }
    return found;
}

// Returns whether the base is what the pattern's rows make when copies are joined to their origins. `hit` (entries of
// the base) is workspace, all false.
static bool has_base(const mapping *m, const tide_sparse *pattern, bool *hit)
{
    const tide_sparse *base = &m->split->base;
    for (uint32_t column = 0; column < pattern->columns; column++) {
        uint32_t a = m->base_of[column];
        int32_t next = base->column_start[a];
        for (int32_t k = pattern->column_start[column]; k < pattern->column_start[column + 1]; k++) {
            int32_t at = find_entry(base, a, m->base_of[pattern->row[k]], &next);
            if (at < 0)
                return false;
            hit[at] = true;
        }
    }
    return !memchr(hit, false, (size_t)base->column_start[base->columns]);
}

static bool uses_late_entries(const tide_split_pattern *s, const tide_sparse *matrix, bool *hit)
{
    for (int32_t k = 0; k < matrix->column_start[matrix->columns]; k++)
        hit[s->at[k]] = true;
    for (int32_t k = 0; k < s->matrix.column_start[s->matrix.columns]; k++)
        if (s->late[k] && !hit[k])
            return false;
    return true;
}

// --- room ------------------------------------------------------------------------------------------------------------

static bool reserve_map(tide_split_pattern *s, const tide_sparse *matrix)
{
    return tide_grow(&s->place, &s->place_capacity, matrix->rows, sizeof *s->place) &&
           tide_grow(&s->at, &s->at_capacity, (size_t)matrix->column_start[matrix->columns], sizeof *s->at);
}

static void add_base_entries(const tide_split_pattern *s, tide_triplets *triplets)
{
    for (uint32_t column = 0; column < s->base.columns; column++)
        for (int32_t k = s->base.column_start[column]; k < s->base.column_start[column + 1]; k++)
            tide_triplets_add(triplets, (uint32_t)s->base.row[k], column, 0);
}

static bool compress(tide_split_pattern *s, const tide_triplets *triplets)
{
    uint32_t rows = s->first_spare[s->nodes];
    if (tide_sparse_from_triplets(triplets, rows, rows, true, &s->matrix, NULL) != TIDE_OK)
        return false;
    size_t entries = (size_t)s->matrix.column_start[rows];
    tide_free(s->late);
    s->late = tide_own_array(s->memory, entries, sizeof *s->late);
    for (size_t k = 0; s->late && k < entries; k++)
        s->late[k] = s->matrix.value[k] != 0;
    return s->late;
}

// Adds the late entries. The order becomes one for them too.
static bool add_late_entries(tide_split_pattern *s, const tide_triplets *triplets)
{
    tide_sparse plain = s->matrix;
    s->matrix = (tide_sparse) { 0 };
    uint32_t *tree = tide_graft_tree(&plain, s->order);
    bool made = tree && compress(s, triplets) && tide_graft_order(&plain, tree, &s->matrix, s->order);
    tide_free(tree);
    tide_sparse_free(&plain);
    return made;
}

// Makes the pattern with the entries that all have, and then again with the late ones, if there are any.
static bool make_pattern(const mapping *m, void *memory)
{
    tide_split_pattern *s = m->split;
    tide_triplets triplets = { 0 };
    uint32_t *seen = tide_own_array(memory, s->base.rows, sizeof *seen),
             *met = tide_own_array(memory, s->nodes, sizeof *met);
    if (!seen || !met)
        return false;
    memset(seen, 0xff, s->base.rows * sizeof *seen);
    memset(met, 0xff, s->nodes * sizeof *met);
    add_base_entries(s, &triplets);
    for (uint32_t n = 0; n < s->nodes; n++)
        add_spare_rows(s, n, seen, met, &triplets);
    s->row_of = tide_own_array(s->memory, s->first_spare[s->nodes], sizeof *s->row_of);
    bool made = s->row_of && compress(s, &triplets) && make_order(s) && reserve_map(s, m->matrix);
    if (made) {
        place_rows(m);
        made = map_entries(m, &triplets) || add_late_entries(s, &triplets);
    }
    tide_triplets_free(&triplets);
    return made;
}

bool tide_split_pattern_make_room(tide_split_pattern *split, const tide_sparse *matrix, const tide_splits *splits)
{
    tide_split_pattern *s = split;
    TIDE_SCOPED void *memory = tide_allocate(0);
    mapping m = { .split = s, .matrix = matrix, .splits = splits };
    tide_split_pattern_free_room(s);
    s->memory = tide_allocate(0);
    s->first_spare = tide_own_array(s->memory, (size_t)s->nodes + 1, sizeof *s->first_spare);
    if (!s->first_spare || !make_mapping(&m, memory))
        return false;
    choose_spares(&m);
    s->first_spare[0] = s->base.rows;
    for (uint32_t n = 0; n < s->nodes; n++)
        s->first_spare[n + 1] = s->first_spare[n] + m.spares[n];
    return make_pattern(&m, memory);
}

// Returns whether the room is that which these copies get.
static bool has_room(const mapping *m)
{
    const tide_split_pattern *s = m->split;
    bool same = s->memory;
    choose_spares(m);
    for (uint32_t n = 0; n < s->nodes && same; n++)
        same = s->first_spare[n + 1] - s->first_spare[n] == m->spares[n];
    return same;
}

tide_split_fit tide_split_pattern_map(tide_split_pattern *split, const tide_sparse *pattern, const tide_sparse *matrix,
                                      const tide_splits *splits)
{
    tide_split_pattern *s = split;
    TIDE_SCOPED void *memory = tide_allocate(0);
    mapping m = { .split = s, .matrix = matrix, .splits = splits };
    if (!s->node_of)
        return TIDE_SPLIT_NEEDS_BASE;
    size_t entries = s->memory ? (size_t)s->matrix.column_start[s->matrix.columns] : 0,
           base_entries = (size_t)s->base.column_start[s->base.columns];
    bool *hit = tide_own_zeroed(memory, entries > base_entries ? entries : base_entries, sizeof *hit);
    uint32_t rows = make_mapping(&m, memory);
    if (!rows || !reserve_map(s, matrix))
        return TIDE_SPLIT_NO_MEMORY;
    if (rows != s->base.rows || !has_base(&m, pattern, hit))
        return TIDE_SPLIT_NEEDS_BASE;
    if (!has_room(&m))
        return TIDE_SPLIT_NEEDS_ROOM;
    place_rows(&m);
    s->entry_count = (size_t)matrix->column_start[matrix->columns];
    memset(hit, 0, entries * sizeof *hit);
    return map_entries(&m, NULL) && uses_late_entries(s, matrix, hit) ? TIDE_SPLIT_FITS : TIDE_SPLIT_NEEDS_ROOM;
}

void tide_split_pattern_fill(tide_split_pattern *split, const double *value)
{
    tide_split_pattern *s = split;
    double *to = s->matrix.value;
    memset(to, 0, (size_t)s->matrix.column_start[s->matrix.columns] * sizeof *to);
    for (size_t k = 0; k < s->entry_count; k++)
        to[s->at[k]] = value[k];
    // Unused spare rows get a diagonal like their neighbours', so that their scale is not new when they are used.
    for (uint32_t n = 0; n < s->nodes; n++)
        for (uint32_t spare = s->first_spare[n]; spare < s->first_spare[n + 1]; spare++)
            if (s->row_of[spare] == NONE)
                to[s->matrix.column_start[spare]] = to[s->matrix.column_start[s->last[n]]];
}

// --- life ------------------------------------------------------------------------------------------------------------

void tide_split_pattern_free_room(tide_split_pattern *split)
{
    tide_free(split->memory);
    tide_sparse_free(&split->matrix);
    tide_free(split->place);
    tide_free(split->at);
    split->memory = NULL;
    split->first_spare = split->row_of = split->place = NULL;
    split->order = split->at = NULL;
    split->late = NULL;
    split->place_capacity = split->at_capacity = 0;
}

void tide_split_pattern_free(tide_split_pattern *split)
{
    tide_split_pattern_free_room(split);
    tide_sparse_free(&split->base);
    tide_free(split->base_memory);
    *split = (tide_split_pattern) { 0 };
}
