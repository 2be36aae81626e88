// A sparse Cholesky factor as dense panels, so that each sweep of a solve reads it once.
//
// The columns of a supernode are cut into panels of at most TIDE_PANEL_COLUMNS. Let [D; B] be the part of L in a
// panel's columns, with D the lower triangular diagonal block. The panel stores -B D^-1 and D^-1. Each sweep is then
// one product with the panel (partitioned inverse: Alvarado, Pothen and Schreiber 1993), without the dependencies of a
// substitution.
//
// Each column of L has a position. The positions of a supernode are consecutive, start at a multiple of 4, and are
// padded with idle ones to the next multiple of 4. The work vector has 4 numbers for each position: three right-hand
// sides, and one idle. A task adds to rows of the top in slots of its own, which follow the positions: 4 idle slots,
// then one for each row of the top that the task touches.
//
// Values are stored in tiles of 4 rows by 4 columns, row by row, so that vectors of 4, 8 and 16 numbers read them in
// order.
#ifndef TIDE_FACTOR_FACTOR_PANELS_H
#define TIDE_FACTOR_FACTOR_PANELS_H

#include "factor/supernodes.h"

#include <stddef.h>

enum { TIDE_PANEL_COLUMNS = 32, TIDE_TILE = 16 };

typedef struct tide_panel {
    uint32_t first;  // position of its first column
    uint32_t groups; // groups of 4 columns
    uint32_t inner;  // groups of 4 rows whose positions directly follow the panel's own
    uint32_t full;   // groups of 4 rows with 4 consecutive positions or slots
    uint32_t blocks; // groups of 4 rows with arbitrary positions
    size_t rows;     // index of its first row: the first row of each `full` group, then 4 for each of the `blocks`
    size_t values;   // index of its first value: the tiles of each four rows, then the lower half of the tiles of D^-1
} tide_panel;

// Return the number of values before D^-1, and of all values.
static inline size_t tide_panel_values_below(const tide_panel *panel)
{
    return (size_t)TIDE_TILE * panel->groups * ((size_t)panel->inner + panel->full + panel->blocks);
}

static inline size_t tide_panel_values(const tide_panel *panel)
{
    return tide_panel_values_below(panel) + (size_t)TIDE_TILE * panel->groups * (panel->groups + 1) / 2;
}

typedef struct tide_panel_task {
    uint32_t first_panel, end_panel, first_position, end_position, first_slot;
    uint32_t first_touched, end_touched;
} tide_panel_task;

typedef struct tide_panels {
    tide_supernodes supernodes;
    uint32_t positions, slots; // the work vector has (4 * (positions + slots)) numbers
    uint32_t panel_count;
    size_t value_count, row_count;
    uint32_t *position;     // (columns) position of each column of L
    uint32_t *column;       // (positions) column of L, UINT32_MAX for an idle position
    uint32_t *first_panel;  // (supernodes + 1)
    tide_panel *panels;     // (panel_count)
    uint32_t *rows;         // (row_count) positions and slots
    tide_panel_task *tasks; // (supernodes.task_count) the top is last
    uint32_t *touched;      // positions in the top that tasks touch, task by task
    // Workspace of layouts and factorisations
    uint32_t *local, *slot; // (positions + slots), (positions)
} tide_panels;

// Lays out the panels for factors of this pattern. `memory` owns the arrays. Returns false when there is no memory.
bool tide_panels_make(const tide_factor_view *factor, void *memory, tide_panels *panels);

#define TIDE_NO_POSITION UINT32_MAX
// Returns the position that a row of the task's panels stands for, or TIDE_NO_POSITION for an idle one.
static inline uint32_t tide_panel_position(const tide_panels *panels, const tide_panel_task *task, uint32_t row)
{
    uint32_t slot = row - task->first_slot - 4; // wraps round for idle slots
    if (row < panels->positions)
        return row;
    return slot < task->end_touched - task->first_touched ? panels->touched[task->first_touched + slot]
                                                          : TIDE_NO_POSITION;
}

#endif
