#include "factor/cholesky_state.h"

#include "base/memory.h"
#include "linear/multigrid.h"

const char tide_factorisation[] = "Cholesky factorisation";

// When an ordering's factor exceeds the memory limit by this factor, no other ordering helps.
static const double hopeless = 8;

static void free_panels(tide_cholesky *c)
{
    tide_panel_solve_free(&c->panels);
    tide_multigrid_destroy(c->multigrid);
    c->multigrid = NULL;
    tide_free(c->trial);
    c->trial = NULL;
}

void tide_cholesky_forget_factor(tide_cholesky *c)
{
    free_panels(c);
    cholmod_free_factor(&c->factor, &c->common);
    cholmod_free_work(&c->common);
    tide_ordered_free(&c->ordered);
    tide_cholmod_columns_free(&c->columns, &c->common);
    tide_split_pattern_free_room(&c->split);
    c->analysed = c->factored = c->iterates = false;
    uint64_t analyses = c->info.analyses, factorizations = c->info.factorizations;
    c->info = (tide_cholesky_info) { .analyses = analyses, .factorizations = factorizations };
}

void tide_cholesky_forget(tide_cholesky *c)
{
    tide_cholesky_forget_factor(c);
    tide_kept_order_free(&c->kept);
    tide_split_pattern_free(&c->split);
}

tide_status tide_cholesky_fail(tide_cholesky *c, tide_error *error)
{
    int status = c->common.status;
    bool out_of_memory = tide_orderings_lack_memory(&c->common);
    tide_cholesky_forget(c);
    if (out_of_memory)
        return tide_fail_memory(error, tide_factorisation);
    return tide_fail(error, TIDE_ERROR_NUMERIC, tide_factorisation, NULL, NULL,
                     "CHOLMOD refused the matrix (status %d)", status);
}

double tide_cholesky_metis_up_to(const tide_cholesky *c)
{
    return c->method == TIDE_CHOLESKY_REFERENCE ? 0
                                                : hopeless * (double)c->memory_limit / TIDE_CHOLESKY_BYTES_A_NONZERO;
}

bool tide_cholesky_lay_panels(tide_cholesky *c, const cholmod_sparse *view, const int *order, const int *counts)
{
    tide_factor_pattern pattern;
    if (!tide_factor_pattern_make((uint32_t)view->nrow, view->p, view->i, order, counts, &pattern))
        return false;
    c->info.nonzeros = (size_t)pattern.nonzeros;
    c->info.operations = pattern.operations;
    bool made = tide_panel_solve_make(&c->panels, &pattern, order, c->bits, c->sides);
    tide_factor_pattern_free(&pattern);
    c->info.predicted_bytes = made ? (double)tide_panel_solve_most_bytes(&c->panels) : 0;
    c->iterates = c->sides == 3 && c->info.predicted_bytes > (double)c->memory_limit;
    if (c->iterates)
        tide_panel_solve_free(&c->panels);
    return made;
}
