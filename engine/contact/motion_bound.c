#include "contact/motion_bound.h"

#include "base/avx2.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "contact/collider_near.h"

#include <string.h>

enum { SAMPLES = 16, LANES = 4 };
enum { FOLLOWED = 2048 }; // points of one task: whole words of the sets

tide_status tide_motion_bound_create(tide_contacts *c, tide_error *error)
{
    size_t words = tide_bit_words(c->particle_count);
    c->search.slacks = tide_own_zeroed(c, c->particle_count, sizeof *c->search.slacks);
    c->search.exceeded = tide_own_zeroed(c, words, sizeof *c->search.exceeded);
    c->search.to_test = tide_own_zeroed(c, words, sizeof *c->search.to_test);
    c->copy.dirty = tide_own_zeroed(c, words, sizeof *c->copy.dirty);
    return tide_owns_all(c) ? TIDE_OK : tide_fail_memory(error, "contact");
}

static double median_of(double *list, int count)
{
    for (int i = 1; i < count; i++) {
        double value = list[i];
        int k = i;
        for (; k > 0 && list[k - 1] > value; k--)
            list[k] = list[k - 1];
        list[k] = value;
    }
    return count > 0 ? list[count / 2] : 0;
}

// The motion of most points to x: the median over a sample of the free points. A few points that something holds back
// do not change it.
static void find_common_motion(const tide_contacts *c, const double *x, double by[3])
{
    double sample[3][SAMPLES];
    int count = 0;
    uint32_t stride = 1 + c->particle_count / SAMPLES;
    for (uint32_t p = stride / 2; p < c->particle_count; p += stride) {
        if (c->surface->inverse_masses[p] == 0)
            continue;
        for (int k = 0; k < 3; k++)
            sample[k][count] = x[3 * (size_t)p + (size_t)k] - c->to[3 * (size_t)p + (size_t)k];
        count++;
    }
    for (int k = 0; k < 3; k++)
        by[k] = median_of(sample[k], count);
}

// The arrays of one pass, see tide_contacts and tide_collider_near. Paths are measured in the 1-norm |dx| + |dy| +
// |dz|: it is no less than the length, and cheaper.
typedef struct motion_pass {
    const double *x, *slacks, *centres, *limits;
    double *to, *paths, by[3];
    uint64_t *exceeded, *to_test;
} motion_pass;

static void update_range(const motion_pass *a, uint32_t first, uint32_t end)
{
    for (uint32_t p = first; p < end; p++) {
        size_t n = 3 * (size_t)p;
        double length = 0, square = 0;
        for (size_t k = 0; k < 3; k++) {
            double off = a->x[n + k] - a->centres[n + k];
            length += fabs(a->x[n + k] - a->to[n + k] - a->by[k]);
            square += off * off;
            a->to[n + k] = a->x[n + k];
        }
        a->paths[p] += length;
        a->exceeded[p / 64] |= (uint64_t) !(a->paths[p] <= a->slacks[p]) << p % 64;
        a->to_test[p / 64] |= (uint64_t) !(square < a->limits[p]) << p % 64;
    }
}

#if defined(__x86_64__)
// Sums the three coordinates of each of four points, which lie interleaved in three vectors.
TIDE_AVX2_INLINE __m256d sum_coordinates(__m256d a, __m256d b, __m256d c)
{
    __m256d ab = _mm256_blend_pd(a, b, 12), ac = _mm256_permute2f128_pd(a, c, 0x21), bc = _mm256_blend_pd(b, c, 12);
    return _mm256_add_pd(_mm256_add_pd(_mm256_shuffle_pd(ab, ac, 10), _mm256_shuffle_pd(ab, bc, 5)),
                         _mm256_shuffle_pd(ac, bc, 10));
}

TIDE_AVX2_INLINE __m256d absolute(__m256d v)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v);
}

// Updates points from `p` on, four at a time. Returns the first that it has not updated.
TIDE_AVX2 static uint32_t update_avx2(const motion_pass *a, uint32_t p, uint32_t end)
{
    const double *by = a->by;
    const __m256d by0 = _mm256_setr_pd(by[0], by[1], by[2], by[0]), by1 = _mm256_setr_pd(by[1], by[2], by[0], by[1]),
                  by2 = _mm256_setr_pd(by[2], by[0], by[1], by[2]);
    for (; p + LANES <= end; p += LANES) {
        const double *x = a->x + 3 * (size_t)p, *q = a->centres + 3 * (size_t)p;
        double *to = a->to + 3 * (size_t)p;
        __m256d x0 = _mm256_loadu_pd(x), x1 = _mm256_loadu_pd(x + 4), x2 = _mm256_loadu_pd(x + 8);
        __m256d d0 = _mm256_sub_pd(_mm256_sub_pd(x0, _mm256_loadu_pd(to)), by0),
                d1 = _mm256_sub_pd(_mm256_sub_pd(x1, _mm256_loadu_pd(to + 4)), by1),
                d2 = _mm256_sub_pd(_mm256_sub_pd(x2, _mm256_loadu_pd(to + 8)), by2);
        _mm256_storeu_pd(to, x0);
        _mm256_storeu_pd(to + 4, x1);
        _mm256_storeu_pd(to + 8, x2);
        __m256d length =
            _mm256_add_pd(_mm256_loadu_pd(a->paths + p), sum_coordinates(absolute(d0), absolute(d1), absolute(d2)));
        _mm256_storeu_pd(a->paths + p, length);
        x0 = _mm256_sub_pd(x0, _mm256_loadu_pd(q));
        x1 = _mm256_sub_pd(x1, _mm256_loadu_pd(q + 4));
        x2 = _mm256_sub_pd(x2, _mm256_loadu_pd(q + 8));
        __m256d square = sum_coordinates(_mm256_mul_pd(x0, x0), _mm256_mul_pd(x1, x1), _mm256_mul_pd(x2, x2));
        __m256d gone = _mm256_cmp_pd(length, _mm256_loadu_pd(a->slacks + p), _CMP_NLE_UQ);
        __m256d look = _mm256_cmp_pd(square, _mm256_loadu_pd(a->limits + p), _CMP_NLT_UQ);
        a->exceeded[p / 64] |= (uint64_t)(unsigned)_mm256_movemask_pd(gone) << p % 64;
        a->to_test[p / 64] |= (uint64_t)(unsigned)_mm256_movemask_pd(look) << p % 64;
    }
    return p;
}
#endif

static void update_some(void *context, uint32_t begin, uint32_t end)
{
    const motion_pass *a = context;
#if defined(__x86_64__)
    if (tide_vector_bits(256) == 256)
        begin = update_avx2(a, begin, end);
#endif
    update_range(a, begin, end);
}

// Renews the slack of points whose path exceeds it but that are still within their skins. Returns whether all are.
static bool renew_slacks(tide_contacts *c)
{
    bool within = true;
    for (size_t w = 0; w < tide_bit_words(c->particle_count); w++)
        for (uint64_t rest = c->search.exceeded[w]; rest;) {
            uint32_t p = tide_bit_take(&rest, w);
            double square = 0;
            for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++) {
                double off = c->to[n] - c->search.skin_centres[n] - c->search.frame[k];
                square += off * off;
            }
            if (square <= c->search.skins[p] * c->search.skins[p]) {
                c->search.slacks[p] = c->search.paths[p] + (c->search.skins[p] - sqrt(square));
                c->search.exceeded[w] &= ~((uint64_t)1 << p % 64);
            } else
                within = false;
        }
    return within;
}

bool tide_motion_bound_update(tide_contacts *c, const double *x)
{
    size_t size = tide_bit_words(c->particle_count) * sizeof *c->search.to_test;
    motion_pass a = { x,
                      c->search.slacks,
                      c->near->centres,
                      c->near->limits,
                      c->to,
                      c->search.paths,
                      .exceeded = c->search.exceeded,
                      .to_test = c->search.to_test };
    find_common_motion(c, x, a.by);
    for (int k = 0; k < 3; k++)
        c->search.frame[k] += a.by[k];
    memset(c->search.exceeded, 0, size);
    memset(c->search.to_test, 0, size);
    tide_parallel_for(c->particle_count, FOLLOWED, update_some, &a);
    return renew_slacks(c);
}

void tide_motion_bound_reset_point(tide_contacts *c, uint32_t point)
{
    c->search.slacks[point] = c->search.paths[point] + c->search.skins[point];
}

void tide_motion_bound_reset(tide_contacts *c)
{
    memcpy(c->search.slacks, c->search.skins, c->particle_count * sizeof *c->search.slacks);
}
