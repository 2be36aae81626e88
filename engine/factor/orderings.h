// Orderings and symbolic analyses by CHOLMOD, for cholesky.c. Of CHOLMOD only the modules under the LGPL are called:
// Core, Check and the simplicial half of Cholesky.
#ifndef TIDE_FACTOR_ORDERINGS_H
#define TIDE_FACTOR_ORDERINGS_H

#include "linear/sparse.h"

#include <suitesparse/cholmod.h>

// An ordering that others are grafted on, of the matrix whose pattern has this hash.
typedef struct tide_kept_order {
    int32_t *order; // (count) owned
    uint32_t count;
    uint64_t pattern;
    double nonzeros; // of its factor
    uint32_t *tree;  // tide_graft_tree, once it was needed; owned
} tide_kept_order;   // { 0 }: none

void tide_kept_order_free(tide_kept_order *kept);

void tide_orderings_begin(cholmod_common *common); // says what is called for
bool tide_orderings_lack_memory(const cholmod_common *common);
// Of a symmetric matrix's lower triangle; without values, of its pattern.
cholmod_sparse tide_cholmod_view(uint32_t columns, int32_t *column_start, int32_t *row, double *value);
double tide_analysed_nonzeros(const cholmod_factor *factor);

// Each of these returns a factor that has been analysed, or NULL: see common->status.
cholmod_factor *tide_analyse_by_amd(cholmod_common *common, cholmod_sparse *view);
// By METIS where that leaves fewer entries; it is tried where AMD fills in a lot, but not beyond this number of them.
cholmod_factor *tide_analyse_best(cholmod_common *common, cholmod_sparse *view, double metis_up_to);
// The same, and keeps the ordering.
cholmod_factor *tide_analyse_and_keep(cholmod_common *common, cholmod_sparse *view, uint64_t pattern,
                                      double metis_up_to, tide_kept_order *kept);
// In the order of base's, which is found and kept unless it is there, with rows moved (graft.h). NULL with a status
// that is no error where the factor would have more than 1.25 times the entries of base's.
cholmod_factor *tide_analyse_grafted(cholmod_common *common, const tide_sparse *base, const tide_sparse *matrix,
                                     double metis_up_to, tide_kept_order *kept);

#endif
