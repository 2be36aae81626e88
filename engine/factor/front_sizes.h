// Sizes and places of a front (fronts.h), shared by front_layout.c and fronts.c.
#ifndef TIDE_FACTOR_FRONT_SIZES_H
#define TIDE_FACTOR_FRONT_SIZES_H

#include "factor/fronts.h"

static inline uint32_t tide_round_up(uint32_t number, uint32_t unit)
{
    return (number + unit - 1) / unit * unit;
}

static inline uint32_t tide_front_width(const tide_panels *p, uint32_t supernode)
{
    return p->supernodes.member_start[supernode + 1] - p->supernodes.member_start[supernode];
}

static inline uint32_t tide_front_height(const tide_fronts *f, uint32_t supernode)
{
    return (uint32_t)(f->row_start[supernode + 1] - f->row_start[supernode]);
}

static inline uint32_t tide_front_position(const tide_panels *p, uint32_t supernode)
{
    return p->panels[p->first_panel[supernode]].first;
}

// Return the stride of a block's rows, and of the rows of a front's update matrix.
static inline uint32_t tide_front_stride(const tide_panels *p, uint32_t supernode)
{
    return tide_round_up(tide_front_width(p, supernode), TIDE_DENSE_COLUMNS);
}

static inline uint32_t tide_update_stride(const tide_fronts *f, uint32_t supernode)
{
    return tide_round_up(tide_front_height(f, supernode), TIDE_DENSE_COLUMNS);
}

static inline size_t tide_update_size(const tide_fronts *f, uint32_t supernode)
{
    size_t stride = tide_update_stride(f, supernode);
    return stride * stride;
}

// Returns the position of a row that may be given as a slot of the task.
static inline uint32_t tide_position_of(const tide_panels *p, const tide_panel_task *task, uint32_t place)
{
    return place < p->positions ? place : p->touched[task->first_touched + place - task->first_slot - 4];
}

static inline void tide_front_set_local(const tide_fronts *f, uint32_t supernode)
{
    const tide_panels *p = f->panels;
    uint32_t width = tide_front_width(p, supernode), first = tide_front_position(p, supernode),
             below = tide_front_height(f, supernode);
    const uint32_t *rows = f->rows + f->row_start[supernode];
    for (uint32_t i = 0; i < width; i++)
        p->local[first + i] = i;
    for (uint32_t i = 0; i < below; i++)
        p->local[rows[i]] = width + i;
}

#endif
