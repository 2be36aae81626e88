// The loops of spring_products.h in vectors of LANES numbers. Included after spring_vectors_template.h, whose names it
// uses.
#ifndef TIDE_MODEL_SPRING_PRODUCTS_TEMPLATE_H
#define TIDE_MODEL_SPRING_PRODUCTS_TEMPLATE_H

// Returns where the numbers of a slot are from lane `first` on: u's x, y, z and w, TIDE_SLICE apart.
TARGET INLINE double *NAME(block_at)(const tide_product_job *job, uint32_t slot, uint32_t first)
{
    return job->blocks + 4 * TIDE_SLICE * (size_t)slot + first;
}

// Computes B = a k [n n' + c (I - n n')] + b k I at the positions in `quads`, as `compact` of model/spring.c does.
TARGET static void NAME(linearise)(const tide_product_job *job, uint32_t begin, uint32_t end)
{
    const tide_spring_slices *s = job->slices;
    const VEC zero = V(setzero)(), one = V(set1)(1), least = V(set1)(job->project ? 0 : -INFINITY);
    const VEC a = V(set1)(job->a), b = V(set1)(job->b), coincident = V(set1)(TIDE_SPRING_COINCIDENT);
    for (uint32_t slice = begin; slice < end; slice++)
        for (uint32_t first = 0; first < TIDE_SLICE; first += LANES) {
            NAME(triple) x = NAME(fetch)(job->quads, 4, s->particles + TIDE_SLICE * (size_t)slice + first);
            for (uint32_t slot = s->start[slice]; slot < s->start[slice + 1]; slot++) {
                size_t at = TIDE_SLICE * (size_t)slot + first;
                VEC k = LOAD(s->stiffnesses + at), r = LOAD(s->rest_lengths + at);
                NAME(triple) d = NAME(minus)(x, NAME(fetch)(job->quads, 1, s->others + at));
                VEC square = NAME(square)(d);
                unsigned none = BELOW(square, coincident);
                if (__builtin_expect(none != 0, 0)) {
                    unsigned some = ~none;
                    d = (NAME(triple)) { V(add)(KEEP(none, one), KEEP(some, d.x)), KEEP(some, d.y), KEEP(some, d.z) };
                }
                VEC shortest = V(fmadd)(V(set1)(TIDE_SPRING_SHORTEST), r, V(set1)(DBL_MIN));
                VEC length = V(max)(shortest, V(sqrt)(square));
                VEC along = V(max)(least, k), across = V(max)(least, V(sub)(k, V(div)(V(mul)(k, r), length)));
                VEC squared = V(add)(KEEP(none, one), KEEP(~none, square));
                VEC dyad = V(div)(V(mul)(a, V(sub)(along, across)), squared);
                unsigned negative = BELOW(dyad, zero);
                VEC root = V(sqrt)(V(max)(V(sub)(zero, dyad), dyad));
                double *to = NAME(block_at)(job, slot, first);
                V(storeu)(to, V(mul)(root, d.x));
                V(storeu)(to + TIDE_SLICE, V(mul)(root, d.y));
                V(storeu)(to + 2 * TIDE_SLICE, V(mul)(root, d.z));
                V(storeu)(to + 3 * TIDE_SLICE, V(fmadd)(a, across, V(mul)(b, k)));
                uint8_t before = first ? job->negative[slot] : 0;
                job->negative[slot] = (uint8_t)(before | negative << first);
            }
        }
}

TARGET static void NAME(multiply)(const tide_product_job *job, uint32_t begin, uint32_t end)
{
    const tide_spring_slices *s = job->slices;
    const unsigned all = (1u << LANES) - 1;
    const VEC m = V(set1)(job->m);
    for (uint32_t slice = begin; slice < end; slice++)
        for (uint32_t first = 0; first < TIDE_SLICE; first += LANES) {
            const uint32_t *particles = s->particles + TIDE_SLICE * (size_t)slice + first;
            NAME(triple) v = NAME(fetch)(job->quads, 4, particles);
            VEC mass = V(mul)(m, LOAD(s->masses + TIDE_SLICE * (size_t)slice + first));
            NAME(triple) sum = { V(mul)(mass, v.x), V(mul)(mass, v.y), V(mul)(mass, v.z) };
            for (uint32_t slot = s->start[slice]; slot < s->start[slice + 1]; slot++) {
                const uint32_t *others = s->others + TIDE_SLICE * (size_t)slot + first;
                const double *from = NAME(block_at)(job, slot, first);
                NAME(triple) u = { LOAD(from), LOAD(from + TIDE_SLICE), LOAD(from + 2 * TIDE_SLICE) };
                NAME(triple) d = NAME(minus)(v, NAME(fetch)(job->quads, 1, others));
                VEC along = V(fmadd)(u.x, d.x, V(fmadd)(u.y, d.y, V(mul)(u.z, d.z)));
                unsigned negative = (unsigned)job->negative[slot] >> first & all;
                if (__builtin_expect(negative != 0, 0))
                    along = V(sub)(KEEP(~negative, along), KEEP(negative, along));
                sum = NAME(multiple)(along, u, NAME(multiple)(LOAD(from + 3 * TIDE_SLICE), d, sum));
            }
            if (job->others)
                sum = NAME(multiple)(V(set1)(1), sum, NAME(fetch_packed)(job->others, particles));
            unsigned is_free = (unsigned)s->free[slice] >> first & all;
            sum = (NAME(triple)) { KEEP(is_free, sum.x), KEEP(is_free, sum.y), KEEP(is_free, sum.z) };
            NAME(store_packed)(sum, particles, (unsigned)s->present[slice] >> first & all, job->out);
        }
}

TARGET static void NAME(diagonal)(const tide_product_job *job, uint32_t begin, uint32_t end)
{
    const tide_spring_slices *s = job->slices;
    for (uint32_t slice = begin; slice < end; slice++)
        for (uint32_t first = 0; first < TIDE_SLICE; first += LANES) {
            VEC sums[6] = { V(setzero)(), V(setzero)(), V(setzero)(), V(setzero)(), V(setzero)(), V(setzero)() };
            for (uint32_t slot = s->start[slice]; slot < s->start[slice + 1]; slot++) {
                const double *from = NAME(block_at)(job, slot, first);
                VEC x = LOAD(from), y = LOAD(from + TIDE_SLICE), z = LOAD(from + 2 * TIDE_SLICE);
                VEC w = LOAD(from + 3 * TIDE_SLICE);
                unsigned negative = (unsigned)job->negative[slot] >> first;
                VEC sign = V(sub)(KEEP(~negative, V(set1)(1)), KEEP(negative, V(set1)(1)));
                VEC sx = V(mul)(sign, x), sy = V(mul)(sign, y), sz = V(mul)(sign, z);
                sums[0] = V(fmadd)(sx, x, V(add)(sums[0], w));
                sums[1] = V(fmadd)(sy, y, V(add)(sums[1], w));
                sums[2] = V(fmadd)(sz, z, V(add)(sums[2], w));
                sums[3] = V(fmadd)(sx, y, sums[3]);
                sums[4] = V(fmadd)(sx, z, sums[4]);
                sums[5] = V(fmadd)(sy, z, sums[5]);
            }
            double numbers[6][LANES];
            for (int k = 0; k < 6; k++)
                V(storeu)(numbers[k], sums[k]);
            for (uint32_t lane = 0; lane < LANES; lane++) {
                static const unsigned char entry[9] = { 0, 3, 4, 3, 1, 5, 4, 5, 2 };
                double *to = job->out + 9 * (size_t)s->particles[TIDE_SLICE * (size_t)slice + first + lane];
                if (s->present[slice] >> (first + lane) & 1)
                    for (int k = 0; k < 9; k++)
                        to[k] = s->free[slice] >> (first + lane) & 1 ? numbers[entry[k]][lane] : 0;
            }
        }
}

static const tide_product_vectors NAME(product_vectors) = { NAME(linearise), NAME(multiply), NAME(diagonal) };

#undef LANES
#undef NAME
#undef TARGET
#undef VEC
#undef QUAD
#undef V
#undef LOAD
#undef KEEP
#undef BELOW
#undef TIDE_MODEL_SPRING_PRODUCTS_TEMPLATE_H

#endif
