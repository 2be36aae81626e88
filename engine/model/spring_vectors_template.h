// Springs in slices, in vectors of LANES numbers: included by spring_vectors.c once for each width, which defines
// NAME(x), TARGET, VEC, V(x) for the intrinsic of a name, LOAD(from), KEEP(bits, v) for v with 0 in the other lanes,
// BELOW(a, b) for the lanes with a < b as bits, and the functions inverse_root, turn (quads to a triple) and turn_back.
// spring_products_template.h, which comes after it, ends these definitions.
#ifndef TIDE_MODEL_SPRING_VECTORS_TEMPLATE_H
#define TIDE_MODEL_SPRING_VECTORS_TEMPLATE_H

typedef struct NAME(triple) {
    VEC x, y, z;
} NAME(triple);

TARGET INLINE VEC NAME(inverse_root)(VEC s);
TARGET INLINE NAME(triple) NAME(turn)(const __m256d quads[LANES]);
TARGET INLINE void NAME(turn_back)(NAME(triple) t, __m256d quads[LANES]);

// Quads at places `scale` times the numbers given.
TARGET INLINE NAME(triple) NAME(fetch)(const double *from, uint32_t scale, const uint32_t *places)
{
    __m256d quads[LANES];
#pragma GCC unroll 8
    for (int lane = 0; lane < LANES; lane++)
        quads[lane] = _mm256_loadu_pd(from + scale * (size_t)places[lane]);
    return NAME(turn)(quads);
}

TARGET INLINE NAME(triple) NAME(fetch_packed)(const double *from, const uint32_t *particles)
{
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d quads[LANES];
#pragma GCC unroll 8
    for (int lane = 0; lane < LANES; lane++)
        quads[lane] = _mm256_maskload_pd(from + 3 * (size_t)particles[lane], three);
    return NAME(turn)(quads);
}

TARGET INLINE void NAME(store_packed)(NAME(triple) t, const uint32_t *particles, unsigned present, double *to)
{
    __m256d quads[LANES];
    NAME(turn_back)(t, quads);
#pragma GCC unroll 8
    for (int lane = 0; lane < LANES; lane++) {
        double *at = to + 3 * (size_t)particles[lane];
        if (present >> lane & 1) {
            _mm_storeu_pd(at, _mm256_castpd256_pd128(quads[lane]));
            _mm_store_sd(at + 2, _mm256_extractf128_pd(quads[lane], 1));
        }
    }
}

TARGET INLINE NAME(triple) NAME(minus)(NAME(triple) a, NAME(triple) b)
{
    return (NAME(triple)) { V(sub)(a.x, b.x), V(sub)(a.y, b.y), V(sub)(a.z, b.z) };
}

// f a + b
TARGET INLINE NAME(triple) NAME(multiple)(VEC f, NAME(triple) a, NAME(triple) b)
{
    return (NAME(triple)) { V(fmadd)(f, a.x, b.x), V(fmadd)(f, a.y, b.y), V(fmadd)(f, a.z, b.z) };
}

TARGET INLINE VEC NAME(square)(NAME(triple) a)
{
    return V(fmadd)(a.x, a.x, V(fmadd)(a.y, a.y, V(mul)(a.z, a.z)));
}

TARGET INLINE double NAME(sum)(VEC v)
{
    double lanes[LANES], sum = 0;
    V(storeu)(lanes, v);
    for (int lane = 0; lane < LANES; lane++)
        sum += lanes[lane];
    return sum;
}

// Ends that coincide take the direction (1, 0, 0) and nothing else: from copies, so that the others stay in registers.
TARGET static __attribute__((noinline)) void NAME(part)(const tide_spring_slices *s, uint32_t slot, uint32_t first,
                                                        unsigned coincident, double *force, double *sum)
{
    for (uint32_t lane = 0; lane < LANES; lane++) {
        if (!(coincident >> lane & 1))
            continue;
        size_t at = TIDE_SLICE * (size_t)slot + first + lane;
        double along = s->stiffnesses[at] * s->rest_lengths[at];
        force[lane] = 0;
        sum[lane] += s->seconds[slot] >> (first + lane) & 1 ? along : -along;
    }
}

// Adds up over the springs of lanes first ... first + LANES - 1 of a slice: dE/dx, and k (l - r)^2 to *energy.
TARGET INLINE NAME(triple) NAME(add_up)(const tide_spring_slices *s, uint32_t slice, uint32_t first, NAME(triple) x,
                                        bool gradient, VEC *energy)
{
    const VEC least = V(set1)(TIDE_SPRING_COINCIDENT);
    VEC e = *energy;
    NAME(triple) sum = { V(setzero)(), V(setzero)(), V(setzero)() };
    for (uint32_t slot = s->start[slice]; slot < s->start[slice + 1]; slot++) {
        size_t at = TIDE_SLICE * (size_t)slot + first;
        NAME(triple) d = NAME(minus)(x, NAME(fetch)(s->positions, 1, s->others + at));
        VEC square = NAME(square)(d), bounded = V(max)(least, square), inverse = NAME(inverse_root)(bounded);
        VEC stretch = V(fmsub)(bounded, inverse, LOAD(s->rest_lengths + at));
        VEC tension = V(mul)(LOAD(s->stiffnesses + at), stretch), force = V(mul)(tension, inverse);
        e = V(fmadd)(tension, stretch, e);
        unsigned coincident = BELOW(square, least);
        if (gradient && __builtin_expect(coincident, 0)) {
            double forces[LANES], sums[LANES];
            V(storeu)(forces, force);
            V(storeu)(sums, sum.x);
            NAME(part)(s, slot, first, coincident, forces, sums);
            force = V(loadu)(forces);
            sum.x = V(loadu)(sums);
        }
        sum = NAME(multiple)(force, d, sum);
    }
    *energy = e;
    return sum;
}

TARGET INLINE double NAME(evaluate)(const tide_spring_job *job, uint32_t begin, uint32_t end, bool gradient)
{
    const tide_spring_slices *s = job->slices;
    const VEC squared = V(set1)(job->squared);
    VEC energy = V(setzero)(), inertia = energy;
    for (uint32_t slice = begin; slice < end; slice++)
        for (uint32_t first = 0; first < TIDE_SLICE; first += LANES) {
            const uint32_t *particles = s->particles + TIDE_SLICE * (size_t)slice + first;
            NAME(triple) x = NAME(fetch)(s->positions, 4, particles);
            NAME(triple) sum = NAME(add_up)(s, slice, first, x, gradient, &energy), away = x;
            VEC mass = LOAD(s->masses + TIDE_SLICE * (size_t)slice + first);
            if (job->y) {
                away = NAME(minus)(x, NAME(fetch_packed)(job->y, particles));
                inertia = V(fmadd)(mass, NAME(square)(away), inertia);
            }
            if (!gradient)
                continue;
            if (job->others)
                sum = NAME(multiple)(V(set1)(1), sum, NAME(fetch_packed)(job->others, particles));
            if (job->y) {
                NAME(triple) force = { V(mul)(mass, away.x), V(mul)(mass, away.y), V(mul)(mass, away.z) };
                sum = NAME(multiple)(squared, sum, force);
            }
            unsigned lanes = (1u << LANES) - 1, is_free = (unsigned)s->free[slice] >> first & lanes;
            sum = (NAME(triple)) { KEEP(is_free, sum.x), KEEP(is_free, sum.y), KEEP(is_free, sum.z) };
            NAME(store_packed)(sum, particles, (unsigned)s->present[slice] >> first & lanes, job->out);
        }
    return 0.5 * NAME(sum)(inertia) + 0.25 * job->squared * NAME(sum)(energy); // each spring has come twice
}

TARGET static void NAME(gradient)(const tide_spring_job *job, uint32_t begin, uint32_t end)
{
    NAME(evaluate)(job, begin, end, true);
}

TARGET static double NAME(value)(const tide_spring_job *job, uint32_t begin, uint32_t end)
{
    return NAME(evaluate)(job, begin, end, false);
}

TARGET static double NAME(both)(const tide_spring_job *job, uint32_t begin, uint32_t end)
{
    return NAME(evaluate)(job, begin, end, true);
}

static const tide_spring_vectors NAME(vectors) = { NAME(gradient), NAME(value), NAME(both) };

#undef TIDE_MODEL_SPRING_VECTORS_TEMPLATE_H

#endif
