// What matrix_class.c gives to the functions of tide.linear.
#ifndef TIDE_SCRIPT_MATRIX_BINDING_H
#define TIDE_SCRIPT_MATRIX_BINDING_H

#include "linear/sparse.h"
#include "script/binding.h"

// Pushes the matrix of the triplets; returns 1.
int tide_matrix_finish(lua_State *L, const tide_triplets *triplets, uint32_t rows, uint32_t columns, bool symmetric);
// Returns how many interleaved vectors of `rows` numbers make `size` numbers. A matrix without rows, as of a scene
// whose particles are all pinned, takes one empty vector.
uint32_t tide_check_width(lua_State *L, size_t size, uint32_t rows, const char *object, const char *field);

#endif
