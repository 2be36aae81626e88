// Analysis of matrices with rows that split: panels for the pattern with spare rows.
#include "factor/cholesky_state.h"

#include "base/clock.h"
#include "base/memory.h"

// Largest ratio of the entries of a factor with spare rows to those of the factor before any split.
static const double most_with_spares = 2;

// Finds the ordering and the supernodes of the pattern before any split.
static tide_status find_nodes(tide_cholesky *c, tide_error *error)
{
    TIDE_SCOPED void *memory = tide_allocate(0);
    const tide_sparse *base = &c->split.base;
    tide_factor_pattern pattern;
    tide_supernodes nodes;
    cholmod_factor *factor = tide_analyse_kept(&c->common, base, tide_cholesky_metis_up_to(c), &c->kept);
    if (!factor)
        return tide_cholesky_fail(c, error);
    bool made = memory && tide_factor_pattern_make(base->rows, base->column_start, base->row, factor->Perm,
                                                   factor->ColCount, &pattern);
    if (made) {
        made = tide_supernodes_find(&pattern.view, memory, &nodes) &&
               tide_split_pattern_set_nodes(&c->split, factor->Perm, &nodes);
        tide_factor_pattern_free(&pattern);
    }
    cholmod_free_factor(&factor, &c->common);
    c->split.nonzeros = c->kept.nonzeros;
    if (made)
        return TIDE_OK;
    tide_cholesky_forget(c);
    return tide_fail_memory(error, tide_factorisation);
}

// Returns true if each task of the panels begins with a row that right-hand sides have: an idle position writes to the
// row of the one before it.
static bool begins_with_rows(const tide_cholesky *c)
{
    const tide_panels *p = &c->panels.panels;
    for (uint32_t t = 0; t < p->supernodes.task_count; t++)
        if (p->tasks[t].first_position < p->tasks[t].end_position &&
            (uint32_t)c->panels.order[p->column[p->tasks[t].first_position]] >= c->split.base.rows)
            return false;
    return true;
}

// Lays out panels for the pattern with spare rows. *laid is not set when they would be too large.
static tide_status lay_split(tide_cholesky *c, bool *laid, tide_error *error)
{
    tide_sparse *matrix = &c->split.matrix;
    cholmod_sparse view = tide_cholmod_view(matrix->columns, matrix->column_start, matrix->row, NULL);
    cholmod_factor *factor = tide_analyse_in_order(&c->common, &view, c->split.order);
    *laid = false;
    if (!factor)
        return tide_cholesky_fail(c, error);
    bool small = tide_analysed_nonzeros(factor) <= most_with_spares * c->split.nonzeros;
    bool made = !small || tide_cholesky_lay_panels(c, &view, factor->Perm, factor->ColCount);
    cholmod_free_factor(&factor, &c->common);
    if (!made) {
        tide_cholesky_forget(c);
        return tide_fail_memory(error, tide_factorisation);
    }
    *laid = small && !c->iterates && begins_with_rows(c);
    return TIDE_OK;
}

// Makes the pattern with spare rows for a matrix and maps the matrix to it, if its factor is not too large.
static tide_status analyse_split(tide_cholesky *c, const tide_sparse *base, const tide_sparse *matrix,
                                 const tide_splits *splits, tide_split_fit fit, tide_error *error)
{
    bool laid = false, made = true;
    double start = tide_clock_seconds();
    tide_cholesky_forget_factor(c);
    if (fit == TIDE_SPLIT_NEEDS_BASE) {
        made = tide_split_pattern_join(&c->split, base, splits);
        if (made)
            TIDE_TRY(find_nodes(c, error));
    }
    made = made && tide_split_pattern_make_room(&c->split, matrix, splits);
    if (made)
        TIDE_TRY(lay_split(c, &laid, error));
    fit = laid ? tide_split_pattern_map(&c->split, base, matrix, splits) : TIDE_SPLIT_NEEDS_ROOM;
    if (!made || fit == TIDE_SPLIT_NO_MEMORY) {
        tide_cholesky_forget(c);
        return tide_fail_memory(error, tide_factorisation);
    }
    c->info.analyse_seconds = tide_clock_seconds() - start;
    c->info.analyses += laid;
    c->info.split = c->analysed = laid && fit == TIDE_SPLIT_FITS;
    return TIDE_OK;
}

tide_status tide_cholesky_adopt_split(tide_cholesky *c, const tide_sparse *base, const tide_sparse *matrix,
                                      const tide_splits *splits, uint64_t pattern, tide_error *error)
{
    tide_split_fit fit = tide_split_pattern_map(&c->split, base, matrix, splits);
    if (fit == TIDE_SPLIT_NO_MEMORY)
        return tide_fail_memory(error, tide_factorisation);
    if (!c->info.split || c->factor || fit != TIDE_SPLIT_FITS)
        TIDE_TRY(analyse_split(c, base, matrix, splits, fit, error));
    if (!c->info.split)
        return TIDE_OK;
    tide_free(c->trial); // of another number of rows
    c->trial = NULL;
    c->info.rows = matrix->rows;
    c->key.pattern = pattern;
    tide_panel_solve_map(&c->panels, c->split.row_of, matrix->rows);
    return TIDE_OK;
}
