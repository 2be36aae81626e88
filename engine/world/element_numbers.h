// Numbers of elements that change while a world runs: part of its state. One flat array has, for each kind of number,
// one for each element of all bodies, in the order of the bodies; all are 1 at first, and those beyond the array's end
// are 1. Snapshots store the array up to the last number that is not 1. Private to world/.
#ifndef TIDE_WORLD_ELEMENT_NUMBERS_H
#define TIDE_WORLD_ELEMENT_NUMBERS_H

#include "world/world_state.h"

typedef enum tide_element_number {
    TIDE_NUMBER_REST,      // factor of the rest length or area (contractions.c); TIDE_CUT: the element is cut
    TIDE_NUMBER_STIFFNESS, // factor of the stiffness
    TIDE_NUMBER_FLOW,      // 1 + accumulated plastic strain
    TIDE_NUMBER_SHIFT,     // 1 + plastic strain of kinds with a strain_parameter, whose size at rest may be 0
    // 1 + the first entry of F_p - 1 of a solid or a membrane (model/solid_flow.h, model/membrane_flow.h); the other
    // eight follow. Or 1 + the first of three plastic strains of a rod that twists (model/rod_twist.h)
    TIDE_NUMBER_PLASTIC,
    TIDE_NUMBER_KINDS = TIDE_NUMBER_PLASTIC + 9
} tide_element_number;

#define TIDE_CUT 0.0

// Elements of all bodies, and the index of a body's first element among them.
size_t tide_world_element_total(const tide_world *world);
size_t tide_world_first_element(const tide_world *world, const tide_body *body);

// Makes room for this kind of number of all elements, so that tide_world_put_number and setting as many cannot fail.
tide_status tide_world_reserve_numbers(tide_world *world, tide_element_number kind, tide_error *error);
// F_p of an element, row-major.
void tide_world_get_plastic(const tide_world *world, size_t element, double plastic[9]);
void tide_world_put_plastic(tide_world *world, size_t element, const double plastic[9]);
tide_status tide_world_reserve_number_count(tide_world *world, size_t count, tide_error *error);
double tide_world_number(const tide_world *world, tide_element_number kind, size_t element);
void tide_world_put_number(tide_world *world, tide_element_number kind, size_t element, double value);

size_t tide_world_number_count(const tide_world *world); // up to the last number that is not 1
// Sets all numbers; those beyond `count` are 1. The system changes if elements are cut or whole again, or if their
// stiffness changes.
void tide_world_set_numbers(tide_world *world, const double *numbers, size_t count);
bool tide_world_numbers_are_valid(const double *numbers, size_t count, size_t element_total); // from a file

// A body was added: moves the numbers of the kinds apart. `before`: the total without the body.
tide_status tide_world_extend_numbers(tide_world *world, size_t before, tide_error *error);
// Reconciling: carries over the numbers of the groups that still have the same kind and number of elements.
void tide_world_carry_numbers(tide_world *world, const tide_body *body, const tide_world *old, const tide_body *before);

#endif
