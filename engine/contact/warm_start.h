// The first guess of impulses under vbd (warm start): impulses carry over from substep to substep.
//
// Contacts that are solved one after another take back an excess slowly: it goes through a stack of N bodies in about
// N^2 sweeps. A guess with an excess therefore feeds energy into slow motions of a high stack. So where more than five
// bodies are one on another, the guess changes in two ways.
//
// 1. A substep with more pressure than the next, as when a stack lands, leaves impulses that throw bodies up. They are
//    reduced for bodies as wholes. All contacts of two sides are a group. Group e has the sum p_e of its impulses and
//    a factor f_e for all its contacts. The factors minimise
//
//        F(f) = sum over bodies of 1/2 M |v|^2,   v = u + (sum of f_e p_e on the body) / M,   0 <= f_e <= 1
//
//    where M is the mass of a body, and u is the displacement of its centre in the substep without contact. F is h^2
//    times the kinetic energy. Elastic forces are absent, because they do not move the centre of a free body. Sides
//    that are held move as they do, and their work is added to F. Projected gradients from f = 1, in the metric of the
//    row sums of F's Hessian, are accelerated (Nesterov 1983; O'Donoghue and Candes 2015). They keep pressure that
//    moves no body, as in a ball between two walls.
//
// 2. Let a substep solve the part a of a slow motion's gap g. Impulses that carry over in full are a sum of gaps, s' =
//    s - a g, which accelerates the motion, g'' = s. Such a control is unstable: the roots r of r^3 + a r + a = 0, with
//    g = exp(r n) in substep n, have the sum 0. So only the part k = 5 / N of the change of an impulse carries over.
//    Then r^3 + a r^2 + a (1 + k) r + a k = 0, whose roots all decay for a (1 + k) > k (Routh's criterion).
#ifndef TIDE_CONTACT_WARM_START_H
#define TIDE_CONTACT_WARM_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_contacts tide_contacts;

#define TIDE_HELD UINT32_MAX

// All contacts between two sides.
typedef struct tide_contact_group {
    uint32_t sides[2];  // free bodies, or above them a part or a collider; the first is a body
    uint32_t next[2];   // the next group of each of these bodies
    double impulse[3];  // kg m, p_e on the first side
    double held;        // kg m^2, product of the impulses and the motion of sides that are held
    double row_sum;     // kg m^2, of F's Hessian
    double factor, old; // f_e, and that of the iteration before
} tide_contact_group;

typedef struct tide_warm_start {
    uint32_t body_count; // that move freely
    uint32_t *body_of;   // (particle_count); TIDE_HELD: of none of them. NULL: not known yet
    double *masses;      // (body_count) kg
    double *motions;     // (3 * body_count) m, u
    double *velocities;  // (3 * body_count) m, v
    uint32_t *heights;   // (body_count) bodies one on another up to this one, itself included
    uint32_t *path;      // (body_count) workspace
    double carried;      // k of this substep
    double *loads;       // (body_count) kg m, the sum of the sizes of p_e
    uint32_t *first;     // (body_count) group; TIDE_HELD: none
    tide_contact_group *groups;
    size_t group_count, group_capacity;
    uint32_t *group_of; // of each contact with a collider, then of each pair; TIDE_HELD: it keeps its impulse
    size_t contact_capacity;
} tide_warm_start;

// Reduces the accumulated impulses for a substep that would lead to y without contact.
void tide_warm_start_reduce(tide_contacts *c, const double *y);
// Ends a substep: sets the impulses that carry over.
void tide_warm_start_end(tide_contacts *c);

#endif
