#include "factor/orderings.h"

#include "base/memory.h"
#include "factor/graft.h"

#include <pthread.h>

// METIS is tried when AMD's factor has at least this many times the entries of the matrix; below, it rarely wins.
static const double filled_in_a_lot = 8;
// Largest ratio of the entries of a factor in a grafted order to those of the factor it was grafted on.
static const double most_growth = 1.25;

void tide_orderings_begin(cholmod_common *common)
{
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 1;
    common->final_asis = 1;
    common->grow2 = 0; // columns of L get exactly the room that they need
    common->nmethods = 1;
    common->postorder = 1;
    common->quick_return_if_not_posdef = 1;
    common->print = 0;
    common->error_handler = NULL;
}

bool tide_orderings_lack_memory(const cholmod_common *common)
{
    return common->status == CHOLMOD_OUT_OF_MEMORY || common->status == CHOLMOD_TOO_LARGE;
}

cholmod_sparse tide_cholmod_view(uint32_t columns, int32_t *column_start, int32_t *row, double *value)
{
    return (cholmod_sparse) { .nrow = columns,
                              .ncol = columns,
                              .nzmax = (size_t)column_start[columns],
                              .p = column_start,
                              .i = row,
                              .x = value,
                              .stype = -1,
                              .itype = CHOLMOD_INT,
                              .xtype = value ? CHOLMOD_REAL : CHOLMOD_PATTERN,
                              .dtype = CHOLMOD_DOUBLE,
                              .sorted = 1,
                              .packed = 1 };
}

double tide_analysed_nonzeros(const cholmod_factor *factor)
{
    const int *counts = factor->ColCount;
    double nonzeros = 0;
    for (size_t k = 0; k < factor->n; k++)
        nonzeros += counts[k];
    return nonzeros;
}

// Analyses the matrix. `order` is for CHOLMOD_GIVEN, otherwise NULL.
static cholmod_factor *analyse(cholmod_common *common, cholmod_sparse *view, int ordering, int32_t *order)
{
    common->method[0].ordering = ordering;
    cholmod_factor *factor = cholmod_analyze_p(view, order, NULL, 0, common);
    if (factor)
        factor->is_ll = 1;
    return factor;
}

cholmod_factor *tide_analyse_by_amd(cholmod_common *common, cholmod_sparse *view)
{
    return analyse(common, view, CHOLMOD_AMD, NULL);
}

cholmod_factor *tide_analyse_best(cholmod_common *common, cholmod_sparse *view, double metis_up_to)
{
    cholmod_factor *factor = tide_analyse_by_amd(common, view);
    double nonzeros = factor ? tide_analysed_nonzeros(factor) : 0;
    if (!factor || nonzeros < filled_in_a_lot * (double)view->nzmax || nonzeros > metis_up_to)
        return factor;
    // METIS uses the C library's global random generator, so two concurrent orderings would disturb each other.
    static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&alone);
    cholmod_factor *other = analyse(common, view, CHOLMOD_METIS, NULL);
    pthread_mutex_unlock(&alone);
    // Without METIS in CHOLMOD, AMD's ordering is used.
    bool better = other ? tide_analysed_nonzeros(other) < nonzeros : tide_orderings_lack_memory(common);
    cholmod_free_factor(better ? &factor : &other, common);
    return better ? other : factor;
}

void tide_kept_order_free(tide_kept_order *kept)
{
    tide_free(kept->order);
    tide_free(kept->tree);
    *kept = (tide_kept_order) { 0 };
}

cholmod_factor *tide_analyse_and_keep(cholmod_common *common, cholmod_sparse *view, uint64_t pattern,
                                      double metis_up_to, tide_kept_order *kept)
{
    tide_kept_order_free(kept);
    cholmod_factor *factor = tide_analyse_best(common, view, metis_up_to);
    if (!factor)
        return NULL;
    *kept = (tide_kept_order) { .order = tide_copy_bytes(factor->Perm, factor->n * sizeof *kept->order),
                                .count = (uint32_t)factor->n,
                                .pattern = pattern,
                                .nonzeros = tide_analysed_nonzeros(factor) };
    if (!kept->order) {
        cholmod_free_factor(&factor, common);
        common->status = CHOLMOD_OUT_OF_MEMORY;
    }
    return factor;
}

static bool find_order(cholmod_common *common, const tide_sparse *base, double metis_up_to, tide_kept_order *kept)
{
    uint64_t pattern = tide_sparse_pattern_hash(base);
    if (kept->order && kept->pattern == pattern)
        return true;
    cholmod_sparse view = tide_cholmod_view(base->columns, base->column_start, base->row, NULL);
    cholmod_factor *factor = tide_analyse_and_keep(common, &view, pattern, metis_up_to, kept);
    cholmod_free_factor(&factor, common);
    return kept->order;
}

cholmod_factor *tide_analyse_grafted(cholmod_common *common, const tide_sparse *base, const tide_sparse *matrix,
                                     double metis_up_to, tide_kept_order *kept)
{
    if (!find_order(common, base, metis_up_to, kept))
        return NULL;
    cholmod_sparse view = tide_cholmod_view(matrix->columns, matrix->column_start, matrix->row, NULL);
    cholmod_factor *factor = NULL;
    int32_t *order = tide_copy_bytes(kept->order, kept->count * sizeof *order);
    if (!kept->tree)
        kept->tree = tide_graft_tree(base, kept->order);
    if (order && kept->tree && tide_graft_order(base, kept->tree, matrix, order))
        factor = analyse(common, &view, CHOLMOD_GIVEN, order);
    else
        common->status = CHOLMOD_OUT_OF_MEMORY;
    tide_free(order);
    if (factor && tide_analysed_nonzeros(factor) > most_growth * kept->nonzeros)
        cholmod_free_factor(&factor, common);
    return factor;
}

cholmod_factor *tide_analyse_in_order(cholmod_common *common, cholmod_sparse *view, int32_t *order)
{
    return analyse(common, view, CHOLMOD_GIVEN, order);
}

cholmod_factor *tide_analyse_kept(cholmod_common *common, const tide_sparse *base, double metis_up_to,
                                  tide_kept_order *kept)
{
    cholmod_sparse view = tide_cholmod_view(base->columns, base->column_start, base->row, NULL);
    return find_order(common, base, metis_up_to, kept) ? tide_analyse_in_order(common, &view, kept->order) : NULL;
}
