// Orderings and symbolic analyses by CHOLMOD, for cholesky.c. Only CHOLMOD's modules under the LGPL are called: Core,
// Check and the simplicial half of Cholesky.
#ifndef TIDE_FACTOR_ORDERINGS_H
#define TIDE_FACTOR_ORDERINGS_H

#include "linear/sparse.h"

#include <suitesparse/cholmod.h>

// An ordering on which others are grafted. `pattern` is the hash of its matrix's pattern.
typedef struct tide_kept_order {
    int32_t *order; // (count) owned
    uint32_t count;
    uint64_t pattern;
    double nonzeros; // of its factor
    uint32_t *tree;  // tide_graft_tree, made when first needed; owned
} tide_kept_order;   // { 0 }: none

void tide_kept_order_free(tide_kept_order *kept);

void tide_orderings_begin(cholmod_common *common); // sets CHOLMOD's options
bool tide_orderings_lack_memory(const cholmod_common *common);
// Returns a view of a symmetric matrix's lower triangle; with `value` NULL, of its pattern.
cholmod_sparse tide_cholmod_view(uint32_t columns, int32_t *column_start, int32_t *row, double *value);
double tide_analysed_nonzeros(const cholmod_factor *factor);

// The following return an analysed factor, or NULL with the reason in common->status.
cholmod_factor *tide_analyse_by_amd(cholmod_common *common, cholmod_sparse *view);
// Uses METIS where it gives fewer entries than AMD. METIS is tried only when AMD's fill-in is large and AMD's factor
// has at most `metis_up_to` entries.
cholmod_factor *tide_analyse_best(cholmod_common *common, cholmod_sparse *view, double metis_up_to);
// Does the same and keeps the ordering.
cholmod_factor *tide_analyse_and_keep(cholmod_common *common, cholmod_sparse *view, uint64_t pattern,
                                      double metis_up_to, tide_kept_order *kept);
// Uses base's ordering, which is found and kept if it is not there yet, with rows moved (graft.h). Returns NULL without
// an error status when the factor would have more than 1.25 times the entries of base's.
cholmod_factor *tide_analyse_grafted(cholmod_common *common, const tide_sparse *base, const tide_sparse *matrix,
                                     double metis_up_to, tide_kept_order *kept);

// Analyses with a given order.
cholmod_factor *tide_analyse_in_order(cholmod_common *common, cholmod_sparse *view, int32_t *order);
// Does so with base's ordering, which is found and kept if it is not there yet.
cholmod_factor *tide_analyse_kept(cholmod_common *common, const tide_sparse *base, double metis_up_to,
                                  tide_kept_order *kept);

#endif
