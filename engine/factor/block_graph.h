// The graph of a symmetric matrix of 3 x 3 blocks (tide_sparse.block), with a vertex for each three rows. The matrix's
// ordering and column counts follow from those of the graph, which are a ninth of the work.
#ifndef TIDE_FACTOR_BLOCK_GRAPH_H
#define TIDE_FACTOR_BLOCK_GRAPH_H

#include "linear/sparse.h"

typedef struct tide_block_graph {
    uint32_t columns;
    void *memory;                // owns the arrays
    int32_t *column_start, *row; // lower triangle with the diagonal
} tide_block_graph;              // { 0 } is empty

// Makes the graph. Returns false when there is no memory; *graph is then empty.
bool tide_block_graph_make(const tide_sparse *matrix, tide_block_graph *graph);
void tide_block_graph_free(tide_block_graph *graph);
// Expands the graph's order and the counts of entries in its factor's columns, (columns) each, to those of the matrix,
// (3 * graph->columns).
void tide_block_graph_expand(const tide_block_graph *graph, const int32_t *order, const int32_t *counts,
                             int32_t *matrix_order, int32_t *matrix_counts);

#endif
