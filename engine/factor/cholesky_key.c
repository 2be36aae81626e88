#include "base/hash.h"
#include "factor/cholesky.h"

tide_cholesky_key tide_cholesky_key_of(const tide_sparse *base, const tide_sparse *matrix)
{
    tide_cholesky_key key = { tide_sparse_pattern_hash(matrix), tide_sparse_value_hash(matrix) };
    if (base) {
        uint64_t bases = tide_sparse_pattern_hash(base);
        key.pattern = tide_hash_bytes(key.pattern, &bases, sizeof bases);
    }
    return key;
}
