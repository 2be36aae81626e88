// A pattern with room for rows that split, so that a factor is updated in place when a mesh tears.
//
// A row that splits keeps its index in the factor; its copy takes a spare row. Spare rows belong to a supernode of the
// factor before any split (a node). A spare row has entries with all rows of its node, with all their neighbours, and
// with the spare rows of the neighbours' nodes: every entry that a copy of a row of the node can have. It is eliminated
// directly after its node. Unused spare rows have a diagonal entry alone. A split then changes values only, and
// fronts.h factors again what depends on them.
//
// Nodes that hold copies, and those next to them, have spare rows; when one runs out, the pattern is made anew with
// twice as many there. The pattern depends on the matrix and on the origins of its rows, not on the order of events.
#ifndef TIDE_FACTOR_SPLIT_PATTERN_H
#define TIDE_FACTOR_SPLIT_PATTERN_H

#include "factor/splits.h"
#include "factor/supernodes.h"
#include "linear/sparse.h"

typedef struct tide_split_pattern {
    // Before any split
    void *base_memory;               // owns the arrays
    tide_sparse base;                // pattern; its values are not used
    uint32_t *node_of;               // (base.rows) node of each row
    uint32_t *member_start, *member; // (nodes + 1), (base.rows) rows of each node
    int32_t *base_order;             // (base.rows) elimination order
    uint32_t *last;                  // (nodes) row of each that is eliminated last
    uint32_t *link_start, *link;     // (base.rows + 1), (links) neighbours of each row, without itself
    uint32_t nodes;
    double nonzeros; // of the base's factor
    // With room
    void *memory;          // owns the arrays
    uint32_t *first_spare; // (nodes + 1) first spare row of each node
    tide_sparse matrix;    // rows of the base, then spare rows; with the values that are to be factored
    int32_t *order;        // (matrix.rows) elimination order
    bool *late;            // (entries of matrix) neither of the base nor of a spare row
    // The matrix that it was mapped to last
    uint32_t *row_of; // (matrix.rows) row of the mapped matrix; UINT32_MAX for an unused spare row
    uint32_t *place;  // (mapped rows) row in `matrix`; owned by itself, like the next
    int32_t *at;      // (mapped entries) index of the entry in `matrix`
    size_t entry_count, place_capacity, at_capacity;
} tide_split_pattern; // { 0 } is empty

// Makes the base: the pattern of `pattern` (symmetric, lower triangle) with each copy joined to its origin. Frees
// what there was before. Returns false when there is no memory.
bool tide_split_pattern_join(tide_split_pattern *split, const tide_sparse *pattern, const tide_splits *splits);
// Sets the base's elimination order and its nodes, the supernodes of its factor in that order. Returns false when there
// is no memory.
bool tide_split_pattern_set_nodes(tide_split_pattern *split, const int32_t *order, const tide_supernodes *nodes);

// Makes room for a matrix whose rows without copies are the base's. Entries of it that the base lacks are late ones:
// the order stays that of the base and its spare rows. Returns false when there is no memory.
bool tide_split_pattern_make_room(tide_split_pattern *split, const tide_sparse *matrix, const tide_splits *splits);

typedef enum tide_split_fit {
    TIDE_SPLIT_FITS,
    TIDE_SPLIT_NEEDS_ROOM, // the base is right
    TIDE_SPLIT_NEEDS_BASE,
    TIDE_SPLIT_NO_MEMORY
} tide_split_fit;
// Maps a matrix to the pattern. `pattern` is the one that the base is to be of: the matrix's, or that without its late
// entries.
tide_split_fit tide_split_pattern_map(tide_split_pattern *split, const tide_sparse *pattern, const tide_sparse *matrix,
                                      const tide_splits *splits);
void tide_split_pattern_fill(tide_split_pattern *split, const double *value); // copies the mapped matrix's values in

void tide_split_pattern_free(tide_split_pattern *split);      // leaves { 0 }
void tide_split_pattern_free_room(tide_split_pattern *split); // keeps the base

#endif
