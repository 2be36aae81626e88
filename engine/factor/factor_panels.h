// A sparse Cholesky factor as dense panels, for sweeps that read it once each.
//
// A supernode's columns are cut into panels of at most TIDE_PANEL_COLUMNS. With [D; B] the part of L in a panel's
// columns, D lower triangular on the diagonal, the panel keeps -B D^-1 and D^-1: then each sweep is one product with it
// (partitioned inverse: Alvarado, Pothen and Schreiber 1993), and no substitution waits for the number before.
//
// Each column of L gets a position. Those of a supernode follow one another, start at a multiple of 4, and are filled
// up with idle ones to the next multiple of 4. The work vector has 4 numbers a position: three right-hand sides, and
// one that is idle. What a task would add to rows of the top goes to slots of its own, behind the positions: 4 idle
// ones, then one for each row of the top that it touches.
//
// Values come in tiles of 4 rows by 4 columns, row by row, which vectors of 4, 8 and 16 numbers all read in order.
#ifndef TIDE_FACTOR_FACTOR_PANELS_H
#define TIDE_FACTOR_FACTOR_PANELS_H

#include "factor/supernodes.h"

#include <stddef.h>

enum { TIDE_PANEL_COLUMNS = 32, TIDE_TILE = 16 };

typedef struct tide_panel {
    uint32_t first;  // position of its first column
    uint32_t groups; // of 4 columns
    uint32_t inner;  // of 4 rows, which are the positions that follow its own
    uint32_t full;   // of 4 rows that are 4 positions, or slots, in a row
    uint32_t blocks; // of 4 rows anywhere
    size_t rows;     // where its rows start: the first of each of the `full`, then 4 for each of the `blocks`
    size_t values;   // where its values start: the tiles of each four rows; then D^-1, of which the lower half of tiles
} tide_panel;

// Numbers of values before D^-1, and in all.
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
    uint32_t *position;     // (columns) of each column of L
    uint32_t *column;       // (positions) of L, UINT32_MAX for an idle one
    uint32_t *first_panel;  // (supernodes + 1)
    tide_panel *panels;     // (panel_count)
    uint32_t *rows;         // (row_count) positions and slots
    tide_panel_task *tasks; // (supernodes.task_count) the last is the top
    uint32_t *touched;      // positions in the top, task by task
    // For filling in
    uint32_t *local, *slot; // (positions + slots), (positions)
} tide_panels;              // { 0 } is empty

// Lays out the panels for factors of this pattern. False when there is no memory; *panels is then empty.
bool tide_panels_make(const tide_factor_view *factor, tide_panels *panels);
void tide_panels_free(tide_panels *panels);

#define TIDE_NO_POSITION UINT32_MAX
// The position that a row of the task's panels stands for; TIDE_NO_POSITION: it is idle.
static inline uint32_t tide_panel_position(const tide_panels *panels, const tide_panel_task *task, uint32_t row)
{
    uint32_t slot = row - task->first_slot - 4; // wraps round for idle ones
    if (row < panels->positions)
        return row;
    return slot < task->end_touched - task->first_touched ? panels->touched[task->first_touched + slot]
                                                          : TIDE_NO_POSITION;
}

#endif
