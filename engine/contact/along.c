#include "contact/along.h"

#include "base/avx2.h"
#include "base/memory.h"
#include "contact/collider_near.h"

#include <string.h>

enum { COMMON_SAMPLE = 16, AT_ONCE = 4 };

tide_status tide_along_create(tide_contacts *c, tide_error *error)
{
    size_t words = tide_bit_words(c->particle_count);
    c->leeways = tide_allocate_zeroed(c->particle_count, sizeof *c->leeways);
    c->beyond = tide_allocate_zeroed(words, sizeof *c->beyond);
    c->looks = tide_allocate_zeroed(words, sizeof *c->looks);
    c->stirred = tide_allocate_zeroed(words, sizeof *c->stirred);
    return c->leeways && c->beyond && c->looks && c->stirred ? TIDE_OK : tide_fail_memory(error, "contact");
}

void tide_along_destroy(tide_contacts *c)
{
    tide_free(c->leeways);
    tide_free(c->beyond);
    tide_free(c->looks);
    tide_free(c->stirred);
}

static double middle_of(double *list, int count)
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

// How far most points have gone to x: the median of a sample of those that can be moved, which a few that are held up
// do not change.
static void find_common_move(const tide_contacts *c, const double *x, double by[3])
{
    double sample[3][COMMON_SAMPLE];
    int count = 0;
    uint32_t stride = 1 + c->particle_count / COMMON_SAMPLE;
    for (uint32_t p = stride / 2; p < c->particle_count; p += stride) {
        if (c->surface->inverse_masses[p] == 0)
            continue;
        for (int k = 0; k < 3; k++)
            sample[k][count] = x[3 * (size_t)p + (size_t)k] - c->to[3 * (size_t)p + (size_t)k];
        count++;
    }
    for (int k = 0; k < 3; k++)
        by[k] = middle_of(sample[k], count);
}

// What one pass reads and writes, see tide_contacts and tide_collider_near. Ways are counted along the axes together:
// no less than the way, and quicker than its length.
typedef struct along {
    const double *x, *leeways, *centres, *limits;
    double *to, *ways, by[3];
    uint64_t *beyond, *looks;
} along;

static void follow_few(const along *a, uint32_t first, uint32_t end)
{
    for (uint32_t p = first; p < end; p++) {
        size_t n = 3 * (size_t)p;
        double way = 0, square = 0;
        for (size_t k = 0; k < 3; k++) {
            double off = a->x[n + k] - a->centres[n + k];
            way += fabs(a->x[n + k] - a->to[n + k] - a->by[k]);
            square += off * off;
            a->to[n + k] = a->x[n + k];
        }
        a->ways[p] += way;
        a->beyond[p / 64] |= (uint64_t) !(a->ways[p] <= a->leeways[p]) << p % 64;
        a->looks[p / 64] |= (uint64_t) !(square < a->limits[p]) << p % 64;
    }
}

#if defined(__x86_64__)
// Of four points' coordinates, as they lie in three vectors, the sum of each point's three.
TIDE_AVX2_INLINE __m256d sums_of(__m256d a, __m256d b, __m256d c)
{
    __m256d ab = _mm256_blend_pd(a, b, 12), ac = _mm256_permute2f128_pd(a, c, 0x21), bc = _mm256_blend_pd(b, c, 12);
    return _mm256_add_pd(_mm256_add_pd(_mm256_shuffle_pd(ab, ac, 10), _mm256_shuffle_pd(ab, bc, 5)),
                         _mm256_shuffle_pd(ac, bc, 10));
}

TIDE_AVX2_INLINE __m256d size_of(__m256d v)
{
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), v);
}

// Four points at a time; returns how many points it has followed.
TIDE_AVX2 static uint32_t follow_vectors(const along *a, uint32_t count)
{
    const double *by = a->by;
    const __m256d by0 = _mm256_setr_pd(by[0], by[1], by[2], by[0]), by1 = _mm256_setr_pd(by[1], by[2], by[0], by[1]),
                  by2 = _mm256_setr_pd(by[2], by[0], by[1], by[2]);
    uint32_t p = 0;
    for (; p + AT_ONCE <= count; p += AT_ONCE) {
        const double *x = a->x + 3 * (size_t)p, *q = a->centres + 3 * (size_t)p;
        double *to = a->to + 3 * (size_t)p;
        __m256d x0 = _mm256_loadu_pd(x), x1 = _mm256_loadu_pd(x + 4), x2 = _mm256_loadu_pd(x + 8);
        __m256d d0 = _mm256_sub_pd(_mm256_sub_pd(x0, _mm256_loadu_pd(to)), by0),
                d1 = _mm256_sub_pd(_mm256_sub_pd(x1, _mm256_loadu_pd(to + 4)), by1),
                d2 = _mm256_sub_pd(_mm256_sub_pd(x2, _mm256_loadu_pd(to + 8)), by2);
        _mm256_storeu_pd(to, x0);
        _mm256_storeu_pd(to + 4, x1);
        _mm256_storeu_pd(to + 8, x2);
        __m256d way = _mm256_add_pd(_mm256_loadu_pd(a->ways + p), sums_of(size_of(d0), size_of(d1), size_of(d2)));
        _mm256_storeu_pd(a->ways + p, way);
        x0 = _mm256_sub_pd(x0, _mm256_loadu_pd(q));
        x1 = _mm256_sub_pd(x1, _mm256_loadu_pd(q + 4));
        x2 = _mm256_sub_pd(x2, _mm256_loadu_pd(q + 8));
        __m256d square = sums_of(_mm256_mul_pd(x0, x0), _mm256_mul_pd(x1, x1), _mm256_mul_pd(x2, x2));
        __m256d gone = _mm256_cmp_pd(way, _mm256_loadu_pd(a->leeways + p), _CMP_NLE_UQ);
        __m256d look = _mm256_cmp_pd(square, _mm256_loadu_pd(a->limits + p), _CMP_NLT_UQ);
        a->beyond[p / 64] |= (uint64_t)(unsigned)_mm256_movemask_pd(gone) << p % 64;
        a->looks[p / 64] |= (uint64_t)(unsigned)_mm256_movemask_pd(look) << p % 64;
    }
    return p;
}
#endif

// As many as vectors can take, and are there for: how many.
static uint32_t follow_many(const along *a, uint32_t count)
{
#if defined(__x86_64__)
    if (tide_vector_bits(256) == 256)
        return follow_vectors(a, count);
#endif
    (void)a, (void)count;
    return 0;
}

// Whether all that have gone farther than their leeway are within their margins after all; then they have more of it.
static bool lengthen_leeways(tide_contacts *c)
{
    bool within = true;
    for (size_t w = 0; w < tide_bit_words(c->particle_count); w++)
        for (uint64_t rest = c->beyond[w]; rest;) {
            uint32_t p = tide_bit_take(&rest, w);
            double square = 0;
            for (size_t k = 0, n = 3 * (size_t)p; k < 3; k++, n++) {
                double off = c->to[n] - c->found_to[n] - c->frame[k];
                square += off * off;
            }
            if (square <= c->margins[p] * c->margins[p]) {
                c->leeways[p] = c->ways[p] + (c->margins[p] - sqrt(square));
                c->beyond[w] &= ~((uint64_t)1 << p % 64);
            } else
                within = false;
        }
    return within;
}

bool tide_along_follow(tide_contacts *c, const double *x)
{
    size_t size = tide_bit_words(c->particle_count) * sizeof *c->looks;
    along a = {
        x, c->leeways, c->near->centres, c->near->limits, c->to, c->ways, .beyond = c->beyond, .looks = c->looks
    };
    find_common_move(c, x, a.by);
    for (int k = 0; k < 3; k++)
        c->frame[k] += a.by[k];
    memset(c->beyond, 0, size);
    memset(c->looks, 0, size);
    follow_few(&a, follow_many(&a, c->particle_count), c->particle_count);
    return lengthen_leeways(c);
}

void tide_along_aimed(tide_contacts *c, uint32_t point)
{
    c->leeways[point] = c->ways[point] + c->margins[point];
}

void tide_along_begin(tide_contacts *c)
{
    memcpy(c->leeways, c->margins, c->particle_count * sizeof *c->leeways);
}
