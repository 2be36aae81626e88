// From one factor to the next without a stop: the new one is made in a thread of its own, while solves go by conjugate
// gradients with the new matrix, preconditioned by the old factor.
//
// What comes out depends on no clock. The old factor stays in use until solves have applied it so often that this took
// as many operations, about, as the new one takes; should the thread be later than that, it is waited for. So a change
// is told whole by the old matrix, the new one, and how many applications are left (tide_changeover_save).
#ifndef TIDE_LINEAR_CHANGEOVER_H
#define TIDE_LINEAR_CHANGEOVER_H

#include "linear/cholesky.h"

typedef struct tide_changeover tide_changeover;

// Whether it is worth it to make the factor of a matrix of this key in the background: it has the pattern of the factor
// there is and other values, and factoring takes so long that it would be seen. `always`: however long.
bool tide_changeover_pays(const tide_cholesky *cholesky, const tide_cholesky_key *key, bool always);
enum { TIDE_CHANGEOVER_ROWS = 16384 }; // that a matrix has at least where it is

// Begins to factor `matrix`, which is copied with its base. Until it is ended nothing else may be done with `cholesky`,
// which has the factor of a matrix with the values `before`, of the same pattern. False when there is no memory: all is
// as it was.
bool tide_changeover_begin(tide_changeover **change, tide_cholesky *cholesky, const double *before,
                           const tide_sparse *base, const tide_sparse *matrix);
// The same, begun anew, with another matrix of the pattern in place of the one that was being factored. When there is
// no memory the change is over, false, and there is no factor.
bool tide_changeover_restart(tide_changeover **change, const tide_sparse *base, const tide_sparse *matrix);

// Ends it and frees it; *change is then NULL. TAKE waits for the new factor, BACK has the old one again, DROP has none,
// which is the quickest. The first two have none, either, where making the new one failed: factoring once more, which
// costs nothing where there is a factor, tells why.
typedef enum tide_changeover_end {
    TIDE_CHANGEOVER_TAKE,
    TIDE_CHANGEOVER_BACK,
    TIDE_CHANGEOVER_DROP
} tide_changeover_end;
void tide_changeover_finish(tide_changeover **change, tide_changeover_end end);

bool tide_changeover_is_to(const tide_changeover *change, const tide_cholesky_key *key);       // is being factored
bool tide_changeover_is_from(const tide_changeover *change, const tide_cholesky_key *key);     // has been
bool tide_changeover_has_pattern(const tide_changeover *change, const tide_cholesky_key *key); // of the matrices
bool tide_changeover_is_due(const tide_changeover *change); // the old factor has been in use for long enough
tide_cholesky_info tide_changeover_describe(const tide_changeover *change); // of the old factor

// Solves A X = B for three interleaved right-hand sides with the new matrix, in place allowed, until the residual is
// `tolerance` of the right-hand side. False where it does not come to that: x is as it was.
bool tide_changeover_solve(tide_changeover *change, double tolerance, const double *b, double *x, uint32_t *iterations);

// Applies the old factor to three interleaved right-hand sides, for methods that are content with a matrix near by.
void tide_changeover_precondition(tide_changeover *change, const double *b, double *x);

// For contacts: W = f A0^-1 with the old matrix A0 and f such that W is at least the new one's inverse, so that forces
// come up to what they must be from below. False where no f up to 16 is known to do; the others are for where it is.
bool tide_changeover_yields(const tide_changeover *change);
void tide_changeover_yield(tide_changeover *change, const double *b, double *x); // X = W B, three right-hand sides
struct tide_inverse_root *tide_changeover_root(tide_changeover *change);         // what entries of W are had by

void tide_changeover_count(tide_changeover *change, uint32_t applications); // for what takes time without solves

// A change as bytes. Of others' bytes, which it may stand at the end of, the size is what of them is a change; 0: none.
size_t tide_changeover_size(const tide_changeover *change);
void tide_changeover_save(const tide_changeover *change, void *bytes);
size_t tide_changeover_find(const void *bytes, size_t size);
// What is saved at such an end: where its values are, of which there are `nonzeros`.
typedef struct tide_changeover_saved {
    tide_cholesky_key from, to;
    uint64_t left, nonzeros;
} tide_changeover_saved;
tide_changeover_saved tide_changeover_read(const void *bytes, size_t size, const void **values);
void tide_changeover_set_left(tide_changeover *change, uint64_t left);

#endif
