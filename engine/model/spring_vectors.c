#include "model/spring_vectors.h"

#include "base/processor.h"
#include "model/plan.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <stddef.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))
#define INLINE static inline __attribute__((always_inline)) AVX2

typedef double quad __attribute__((vector_size(32), may_alias));

enum { AT_ONCE = 4 };

bool tide_spring_vectors(void)
{
    return tide_vector_bits(256) == 256;
}

INLINE quad load(const double *from)
{
    return (quad)_mm256_loadu_pd(from);
}

INLINE quad between(const uint32_t *ends, uint32_t scale, const double *positions)
{
    return load(positions + scale * (size_t)ends[0]) - load(positions + scale * (size_t)ends[1]);
}

INLINE const double *stiffnesses(const tide_elements *springs)
{
    return springs->parameters + TIDE_SPRING_STIFFNESS * (size_t)springs->count;
}

INLINE const double *rest_lengths(const tide_elements *springs)
{
    return springs->parameters + TIDE_SPRING_REST_LENGTH * (size_t)springs->count;
}

// (x + y) + (z + 0) of each.
INLINE __m256d sums_of(const quad q[AT_ONCE])
{
    __m256d ab = _mm256_hadd_pd((__m256d)q[0], (__m256d)q[1]), cd = _mm256_hadd_pd((__m256d)q[2], (__m256d)q[3]);
    return _mm256_add_pd(_mm256_permute2f128_pd(ab, cd, 0x20), _mm256_permute2f128_pd(ab, cd, 0x31));
}

// Coincident ends take the direction (1, 0, 0).
AVX2 static __attribute__((noinline)) void fix_coincident(const double *stiffness, const double *rest_length,
                                                          int coincident, quad force[AT_ONCE])
{
    for (uint32_t i = 0; i < AT_ONCE; i++)
        if (coincident >> i & 1)
            force[i] = (quad) { -stiffness[i] * rest_length[i], 0, 0, 0 };
}

// The forces k (1 - r / |d|) d of four springs; `ends` are particles times 4 / scale.
INLINE void forces_of(const double *stiffness, const double *rest_length, const uint32_t *ends, uint32_t scale,
                      const double *positions, quad force[AT_ONCE])
{
    quad squares[AT_ONCE];
#pragma GCC unroll 4
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        force[i] = between(ends + 2 * i, scale, positions);
        squares[i] = force[i] * force[i];
    }
    __m256d squared = sums_of(squares), k = _mm256_loadu_pd(stiffness),
            kr = _mm256_mul_pd(k, _mm256_loadu_pd(rest_length));
    __m256d factor = _mm256_sub_pd(k, _mm256_div_pd(kr, _mm256_sqrt_pd(squared)));
    int coincident = _mm256_movemask_pd(_mm256_cmp_pd(squared, _mm256_set1_pd(TIDE_SPRING_COINCIDENT), _CMP_LT_OQ));
    force[0] *= (quad)_mm256_permute4x64_pd(factor, 0x00);
    force[1] *= (quad)_mm256_permute4x64_pd(factor, 0x55);
    force[2] *= (quad)_mm256_permute4x64_pd(factor, 0xaa);
    force[3] *= (quad)_mm256_permute4x64_pd(factor, 0xff);
    if (__builtin_expect(coincident, 0)) { // a copy, so that the others stay in registers
        quad copy[AT_ONCE];
        memcpy(copy, force, sizeof copy);
        fix_coincident(stiffness, rest_length, coincident, copy);
        memcpy(force, copy, sizeof copy);
    }
}

// Four springs of their own.
typedef struct last_springs {
    uint32_t vertices[2 * AT_ONCE], count;
    double parameters[TIDE_SPRING_PARAMETERS * AT_ONCE];
} last_springs;

// Those that are left at the end: the last one again and again in the places of those that are not there.
static tide_elements take_last(const tide_elements *springs, uint32_t e, uint32_t end, last_springs *to)
{
    to->count = end - e < AT_ONCE ? end - e : AT_ONCE;
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        size_t from = e + (i < to->count ? i : to->count - 1);
        memcpy(to->vertices + 2 * i, springs->vertices + 2 * from, 2 * sizeof *to->vertices);
        for (size_t p = 0; p < TIDE_SPRING_PARAMETERS; p++)
            to->parameters[p * AT_ONCE + i] = springs->parameters[p * springs->count + from];
    }
    return (tide_elements) { .count = AT_ONCE, .vertices = to->vertices, .parameters = to->parameters };
}

INLINE uint32_t last_forces_of(const tide_elements *springs, const double *positions, uint32_t e, uint32_t end,
                               quad force[AT_ONCE])
{
    last_springs own;
    const tide_elements last = take_last(springs, e, end, &own);
    forces_of(stiffnesses(&last), rest_lengths(&last), own.vertices, 4, positions, force);
    return own.count;
}

INLINE void add_force(const uint32_t *ends, quad force, double *sums)
{
    *(quad *)(sums + ends[0]) += force;
    *(quad *)(sums + ends[1]) -= force;
}

AVX2 void tide_spring_vectors_add(const tide_elements *springs, const uint32_t *ends, const double *positions,
                                  double *sums)
{
    quad force[AT_ONCE];
    uint32_t e = 0, count = AT_ONCE;
    for (; e + AT_ONCE <= springs->count; e += AT_ONCE, ends += 2 * AT_ONCE) {
        forces_of(stiffnesses(springs) + e, rest_lengths(springs) + e, ends, 1, positions, force);
#pragma GCC unroll 4
        for (uint32_t i = 0; i < AT_ONCE; i++)
            add_force(ends + 2 * i, force[i], sums);
    }
    if (e == springs->count)
        return;
    count = last_forces_of(springs, positions, e, springs->count, force);
    for (uint32_t i = 0; i < count; i++)
        add_force(ends + 2 * i, force[i], sums);
}

AVX2 void tide_spring_vectors_gradient(const tide_elements *springs, const double *positions, uint32_t begin,
                                       uint32_t end, double *out)
{
    quad force[AT_ONCE];
    for (uint32_t e = begin; e < end; e += AT_ONCE) {
        uint32_t count = AT_ONCE;
        if (e + AT_ONCE <= end)
            forces_of(stiffnesses(springs) + e, rest_lengths(springs) + e, springs->vertices + 2 * (size_t)e, 4,
                      positions, force);
        else
            count = last_forces_of(springs, positions, e, end, force);
        for (uint32_t i = 0; i < count; i++, out += 6)
            for (uint32_t c = 0; c < 3; c++) {
                out[c] = force[i][c];
                out[3 + c] = -force[i][c];
            }
    }
}

INLINE void energies_of(const tide_elements *springs, const double *positions, uint32_t e, double energy[AT_ONCE])
{
    const double *stiffness = stiffnesses(springs) + e, *rest_length = rest_lengths(springs) + e;
    quad squares[AT_ONCE];
#pragma GCC unroll 4
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        quad d = between(springs->vertices + 2 * (size_t)(e + i), 4, positions);
        squares[i] = d * d;
    }
    __m256d stretch = _mm256_sub_pd(_mm256_sqrt_pd(sums_of(squares)), _mm256_loadu_pd(rest_length));
    __m256d half = _mm256_mul_pd(_mm256_set1_pd(0.5), _mm256_loadu_pd(stiffness));
    _mm256_storeu_pd(energy, _mm256_mul_pd(_mm256_mul_pd(half, stretch), stretch));
}

AVX2 double tide_spring_vectors_energy(const tide_elements *springs, const double *positions, uint32_t begin,
                                       uint32_t end)
{
    double energy[AT_ONCE], sum = 0;
    uint32_t e = begin;
    for (; e + AT_ONCE <= end; e += AT_ONCE) {
        energies_of(springs, positions, e, energy);
        for (uint32_t i = 0; i < AT_ONCE; i++)
            sum += energy[i];
    }
    if (e < end) {
        last_springs own;
        const tide_elements last = take_last(springs, e, end, &own);
        energies_of(&last, positions, 0, energy);
        for (uint32_t i = 0; i < own.count; i++)
            sum += energy[i];
    }
    return sum;
}

AVX2 void tide_spring_vectors_spread(const double *x, uint32_t begin, uint32_t end, double *positions)
{
    for (size_t i = begin; i + 1 < end; i++) // which reads a number of the next
        *(quad *)(positions + 4 * i) = (quad)_mm256_blend_pd(_mm256_loadu_pd(x + 3 * i), _mm256_setzero_pd(), 8);
    if (begin < end)
        memcpy(positions + 4 * ((size_t)end - 1), x + 3 * ((size_t)end - 1), 3 * sizeof *x);
}

AVX2 void tide_spring_vectors_collect(const tide_system *system, double h, const double *y, const double *x,
                                      double *out)
{
    const double *sums = system->plan->sums;
    uint32_t count = system->particle_count;
    const quad squared = { h * h, h * h, h * h, h * h };
    for (size_t p = 0; p < count; p++) {
        quad result = load(sums + 4 * p);
        bool last = p + 1 == count; // the others read and write a number of the next, which is written after
        double one[2][4] = { 0 };
        for (size_t k = 0; k < 3 && last && y; k++) {
            one[0][k] = x[3 * p + k];
            one[1][k] = y[3 * p + k];
        }
        if (y) {
            quad mass = (quad)_mm256_set1_pd(system->masses[p]);
            quad away = last ? load(one[0]) - load(one[1]) : load(x + 3 * p) - load(y + 3 * p);
            result = mass * away + squared * result;
        }
        if (system->rows[p] == TIDE_PINNED)
            result = (quad) { 0 };
        if (last)
            memcpy(out + 3 * p, &result, 3 * sizeof *out);
        else
            _mm256_storeu_pd(out + 3 * p, (__m256d)result);
    }
}

#else

bool tide_spring_vectors(void)
{
    return false;
}

void tide_spring_vectors_add(const tide_elements *springs, const uint32_t *ends, const double *positions, double *sums)
{
    (void)springs, (void)ends, (void)positions, (void)sums;
}

void tide_spring_vectors_spread(const double *x, uint32_t begin, uint32_t end, double *positions)
{
    (void)x, (void)begin, (void)end, (void)positions;
}

void tide_spring_vectors_collect(const tide_system *system, double h, const double *y, const double *x, double *out)
{
    (void)system, (void)h, (void)y, (void)x, (void)out;
}

void tide_spring_vectors_gradient(const tide_elements *springs, const double *positions, uint32_t begin, uint32_t end,
                                  double *out)
{
    (void)springs, (void)positions, (void)begin, (void)end, (void)out;
}

double tide_spring_vectors_energy(const tide_elements *springs, const double *positions, uint32_t begin, uint32_t end)
{
    (void)springs, (void)positions, (void)begin, (void)end;
    return 0;
}

#endif
