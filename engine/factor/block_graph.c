#include "factor/block_graph.h"

#include "base/memory.h"

bool tide_block_graph_make(const tide_sparse *matrix, tide_block_graph *graph)
{
    uint32_t columns = matrix->columns / 3;
    // With n blocks in a block column, of which the diagonal one is triangular, its first column has 3 n entries.
    size_t blocks = ((size_t)matrix->column_start[matrix->columns] + 3 * (size_t)columns) / 9;
    *graph = (tide_block_graph) { .columns = columns, .memory = tide_allocate(0) };
    graph->column_start = tide_own_zeroed(graph->memory, (size_t)columns + 1, sizeof *graph->column_start);
    graph->row = tide_own_array(graph->memory, blocks, sizeof *graph->row);
    if (!tide_owns_all(graph->memory)) {
        tide_block_graph_free(graph);
        return false;
    }
    int32_t next = 0;
    for (uint32_t c = 0; c < columns; c++) {
        for (int32_t k = matrix->column_start[3 * c]; k < matrix->column_start[3 * c + 1]; k += 3)
            graph->row[next++] = matrix->row[k] / 3;
        graph->column_start[c + 1] = next;
    }
    return true;
}

void tide_block_graph_free(tide_block_graph *graph)
{
    tide_free(graph->memory);
    *graph = (tide_block_graph) { 0 };
}

void tide_block_graph_expand(const tide_block_graph *graph, const int32_t *order, const int32_t *counts,
                             int32_t *matrix_order, int32_t *matrix_counts)
{
    for (uint32_t k = 0; k < graph->columns; k++)
        for (int32_t i = 0; i < 3; i++) {
            *matrix_order++ = 3 * order[k] + i;
            *matrix_counts++ = 3 * counts[k] - i;
        }
}
