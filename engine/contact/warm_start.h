// The first guess of impulses under vbd (warm start): impulses carry over from substep to substep.
//
// Contacts are solved one after another. They remove an excess of impulses slowly: a stack of N bodies needs about N^2
// sweeps. An excess in the guess therefore adds energy to slow motions of a high stack. So the guess changes in two
// ways where more than five bodies are stacked.
//
// 1. A substep with high pressure, as when a stack lands, leaves impulses that would throw the bodies up in the next
//    substep. All contacts of two sides form a group. Group e has the sum p_e of its impulses, which are multiplied by
//    one factor f_e. The factors minimise
//
//        F(f) = sum over bodies of 1/2 M |v|^2,   v = u + (sum of f_e p_e on the body) / M,   0 <= f_e <= 1
//
//    where M is the mass of a body, and u is the displacement of its centre in the substep without contact. F is h^2
//    times the kinetic energy of the centres. It has no elastic forces, because they do not move the centre of a free
//    body. Held bodies and colliders keep their motion, and F includes their work. The minimisation uses projected
//    gradients with acceleration (Nesterov 1983; O'Donoghue and Candes 2015), which start at f = 1. The row sums of F's
//    Hessian scale the steps. Pressure that moves no body stays, as in a ball between two walls.
//
// 2. If a slow motion leaves a gap g, a substep changes its impulse s by -a g. Of this change, the part k carries over
//    to the next substep. With g'' = s in units of the substep, the gap is g = z^n in substep n, where
//
//        w^3 + a ((1 - k) w + k) = 0,   w = 1 - 1 / z
//
//    All |z| are below 1 for a > k (found numerically). Otherwise the motion grows: for a = 0.02 by 12 % a substep for
//    k = 1, and by 3 % for k = 0.1, unless damping removes as much. A high stack has slow motions with a small a. So k
//    is 5 / N for N bodies in the highest stack.
#ifndef TIDE_CONTACT_WARM_START_H
#define TIDE_CONTACT_WARM_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tide_contacts tide_contacts;

#define TIDE_HELD UINT32_MAX     // no body that moves freely
#define TIDE_NO_GROUP UINT32_MAX // also without memory

// All contacts between two sides.
typedef struct tide_contact_group {
    uint32_t sides[2];  // free bodies, or above them a part or a collider; the first is a body
    uint32_t next[2];   // the next group of each of these bodies
    double impulse[3];  // kg m, p_e on the first side
    double held;        // kg m^2, product of the impulses and the motion of sides that are held
    double row_sum;     // kg m^2, of F's Hessian
    double factor, old; // where the next iteration begins, ahead of f_e; and f_e itself
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
    uint32_t *first;     // (body_count) the last group of each; TIDE_NO_GROUP: none
    tide_contact_group *groups;
    size_t group_count, group_capacity;
    uint32_t *group_of; // of each contact; TIDE_NO_GROUP: it keeps its impulse
    size_t contact_capacity;
} tide_warm_start;

// Reduces the accumulated impulses for a substep that would lead to y without contact.
void tide_warm_start_reduce(tide_contacts *c, const double *y);
// Ends a substep: sets the impulses that carry over.
void tide_warm_start_end(tide_contacts *c);

#endif
