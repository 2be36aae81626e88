// The loops over spring slices in vectors of LANES numbers. spring_vectors.c and spring_vectors_128.c include it once
// for each width and first define NAME(x), TARGET, VEC, V(x) for the intrinsic of a name, LOAD(from), KEEP(bits, v) for
// v with 0 in the other lanes, BELOW(a, b) for the lanes with a < b as bits, QUAD for the x, y, z, 0 of a particle, and
// the functions load_quad, load_three (without reading a fourth number), inverse_root, turn (quads to a triple),
// turn_back and store_three (the first three numbers of a quad). spring_products_template.h is included after it and
// undefines these.
#ifndef TIDE_MODEL_SPRING_VECTORS_TEMPLATE_H
#define TIDE_MODEL_SPRING_VECTORS_TEMPLATE_H

#include "base/unroll.h"

#ifndef MOST_SLOTS
#define MOST_SLOTS 2 // slots that are summed side by side
#define INLINE static inline __attribute__((always_inline))
#endif

typedef struct NAME(triple) {
    VEC x, y, z;
} NAME(triple);

TARGET INLINE VEC NAME(inverse_root)(VEC s);
TARGET INLINE QUAD NAME(load_quad)(const double *from);
TARGET INLINE QUAD NAME(load_three)(const double *from);
TARGET INLINE NAME(triple) NAME(turn)(const QUAD quads[LANES]);
TARGET INLINE void NAME(turn_back)(NAME(triple) t, QUAD quads[LANES]);
TARGET INLINE void NAME(store_three)(QUAD quad, double *at);

// Loads the quads at `scale` times the given places.
TARGET INLINE NAME(triple) NAME(fetch)(const double *from, uint32_t scale, const uint32_t *places)
{
    QUAD quads[LANES];
    TIDE_UNROLL(8)
    for (int lane = 0; lane < LANES; lane++)
        quads[lane] = NAME(load_quad)(from + scale * (size_t)places[lane]);
    return NAME(turn)(quads);
}

TARGET INLINE NAME(triple) NAME(fetch_packed)(const double *from, const uint32_t *particles)
{
    QUAD quads[LANES];
    TIDE_UNROLL(8)
    for (int lane = 0; lane < LANES; lane++)
        quads[lane] = NAME(load_three)(from + 3 * (size_t)particles[lane]);
    return NAME(turn)(quads);
}

TARGET INLINE void NAME(store_packed)(NAME(triple) t, const uint32_t *particles, unsigned present, double *to)
{
    QUAD quads[LANES];
    NAME(turn_back)(t, quads);
    if (present == (1u << LANES) - 1) {
        TIDE_UNROLL(8)
        for (int lane = 0; lane < LANES; lane++)
            NAME(store_three)(quads[lane], to + 3 * (size_t)particles[lane]);
        return;
    }
    TIDE_UNROLL(8)
    for (int lane = 0; lane < LANES; lane++)
        if (present >> lane & 1)
            NAME(store_three)(quads[lane], to + 3 * (size_t)particles[lane]);
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

// The springs of one slot in lanes first ... first + LANES - 1.
typedef struct NAME(springs) {
    size_t at;
    uint32_t slot, first;
    NAME(triple) d;
    VEC square, force; // force: N for each metre of d
} NAME(springs);

typedef struct NAME(sums) {
    NAME(triple) gradient; // dE/dx
    VEC energy;            // k (l - r)^2
    VEC least;             // smallest squared length
} NAME(sums);

TARGET INLINE NAME(sums) NAME(no_sums)(void)
{
    return (NAME(sums)) { { V(setzero)(), V(setzero)(), V(setzero)() }, V(setzero)(), V(set1)(1) };
}

TARGET INLINE NAME(springs) NAME(find)(const tide_spring_slices *s, uint32_t slot, uint32_t first, NAME(triple) x)
{
    NAME(springs) of = { .at = TIDE_SLICE * (size_t)slot + first, .slot = slot, .first = first };
    of.d = NAME(minus)(x, NAME(fetch)(s->positions, 1, s->others + of.at));
    of.square = NAME(square)(of.d);
    return of;
}

TARGET INLINE void NAME(stretch)(const tide_spring_slices *s, bool alike, VEC square, NAME(springs) * of,
                                 NAME(sums) * sums)
{
    VEC stiffness, rest_length = LOAD(s->rest_lengths + of->at);
    if (alike)
        stiffness =
            KEEP((unsigned)s->filled[of->slot] >> of->first & ((1u << LANES) - 1), V(set1)(s->common[of->slot]));
    else
        stiffness = LOAD(s->stiffnesses + of->at);
    VEC inverse = NAME(inverse_root)(square), stretch = V(fmsub)(square, inverse, rest_length);
    of->force = V(mul)(stiffness, V(fnmadd)(rest_length, inverse, V(set1)(1)));
    sums->energy = V(fmadd)(V(mul)(stiffness, stretch), stretch, sums->energy);
}

// Works stage by stage, so that one slot is processed while another waits for results.
TARGET INLINE void NAME(add_slots)(const tide_spring_slices *s, bool alike, uint32_t slot, uint32_t count,
                                   uint32_t first, NAME(triple) x, NAME(sums) * sums)
{
    NAME(springs) of[MOST_SLOTS];
    TIDE_UNROLL(2)
    for (uint32_t i = 0; i < count; i++)
        of[i] = NAME(find)(s, slot + i, first, x);
    TIDE_UNROLL(2)
    for (uint32_t i = 0; i < count; i++)
        NAME(stretch)(s, alike, of[i].square, of + i, sums);
    TIDE_UNROLL(2)
    for (uint32_t i = 0; i < count; i++) {
        sums->least = V(min)(sums->least, of[i].square);
        sums->gradient = NAME(multiple)(of[i].force, of[i].d, sums->gradient);
    }
}

// The same where ends coincide: their direction is (1, 0, 0).
TARGET static __attribute__((noinline)) void NAME(add_up_coincident)(const tide_spring_slices *s, uint32_t slice,
                                                                     uint32_t first, const NAME(triple) * x,
                                                                     NAME(sums) * sums)
{
    const VEC least = V(set1)(TIDE_SPRING_COINCIDENT);
    *sums = NAME(no_sums)();
    for (uint32_t slot = s->start[slice]; slot < s->start[slice + 1]; slot++) {
        NAME(springs) of = NAME(find)(s, slot, first, *x);
        NAME(stretch)(s, false, V(max)(least, of.square), &of, sums);
        unsigned coincident = BELOW(of.square, least);
        double forces[LANES], along[LANES];
        V(storeu)(forces, of.force);
        V(storeu)(along, sums->gradient.x);
        for (uint32_t lane = 0; lane < LANES; lane++)
            if (coincident >> lane & 1) {
                double force = s->stiffnesses[of.at + lane] * s->rest_lengths[of.at + lane];
                forces[lane] = 0;
                along[lane] += s->seconds[slot] >> (first + lane) & 1 ? force : -force;
            }
        sums->gradient.x = V(loadu)(along);
        sums->gradient = NAME(multiple)(V(loadu)(forces), of.d, sums->gradient);
    }
}

TARGET INLINE NAME(sums)
    NAME(add_all)(const tide_spring_slices *s, bool alike, uint32_t slice, uint32_t first, NAME(triple) x)
{
    NAME(sums) sums = NAME(no_sums)();
    uint32_t slot = s->start[slice], end = s->start[slice + 1];
    for (; slot + MOST_SLOTS <= end; slot += MOST_SLOTS)
        NAME(add_slots)(s, alike, slot, MOST_SLOTS, first, x, &sums);
    if (slot < end)
        NAME(add_slots)(s, alike, slot, 1, first, x, &sums);
    return sums;
}

// Sums over lanes first ... first + LANES - 1 of a slice.
TARGET INLINE NAME(sums) NAME(add_up)(const tide_spring_slices *s, uint32_t slice, uint32_t first, NAME(triple) x)
{
    NAME(sums)
    sums = s->alike[slice] ? NAME(add_all)(s, true, slice, first, x) : NAME(add_all)(s, false, slice, first, x);
    if (__builtin_expect(BELOW(sums.least, V(set1)(TIDE_SPRING_COINCIDENT)) != 0, 0)) {
        NAME(triple) copy = x; // keeps x itself in registers
        NAME(sums) others;
        NAME(add_up_coincident)(s, slice, first, &copy, &others);
        return others;
    }
    return sums;
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
            NAME(sums) sums = NAME(add_up)(s, slice, first, x);
            NAME(triple) sum = sums.gradient, away = x;
            energy = V(add)(energy, sums.energy);
            VEC mass = LOAD(s->masses + TIDE_SLICE * (size_t)slice + first);
            if (job->y) {
                away = NAME(minus)(x, NAME(fetch_packed)(job->y, particles));
                inertia = V(fmadd)(mass, NAME(square)(away), inertia);
            }
            if (!gradient)
                continue;
            if (job->others)
                sum = NAME(multiple)(V(set1)(1), sum, NAME(fetch)(job->others, 4, particles));
            if (job->y) {
                NAME(triple) force = { V(mul)(mass, away.x), V(mul)(mass, away.y), V(mul)(mass, away.z) };
                sum = NAME(multiple)(squared, sum, force);
            }
            unsigned lanes = (1u << LANES) - 1, is_free = (unsigned)s->free[slice] >> first & lanes;
            sum = (NAME(triple)) { KEEP(is_free, sum.x), KEEP(is_free, sum.y), KEEP(is_free, sum.z) };
            NAME(store_packed)(sum, particles, (unsigned)s->present[slice] >> first & lanes, job->out);
        }
    return 0.5 * NAME(sum)(inertia) + 0.25 * job->squared * NAME(sum)(energy); // each spring is counted at both ends
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
