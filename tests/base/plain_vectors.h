// The functions of base/vectors_128.h as processors without instructions for them have them.
#ifndef TIDE_TESTS_PLAIN_VECTORS_H
#define TIDE_TESTS_PLAIN_VECTORS_H

#include <stdint.h>

void plain_root_of_four(const float a[4], float out[4]);
void plain_root_of_two(const double a[2], double out[2]);
void plain_smaller_of_four(const float a[4], const float b[4], float out[4]);
void plain_larger_of_four(const float a[4], const float b[4], float out[4]);
void plain_smaller_of_two(const double a[2], const double b[2], double out[2]);
void plain_larger_of_two(const double a[2], const double b[2], double out[2]);
uint32_t plain_signs_of_four(const int32_t a[4]);
uint32_t plain_signs_of_two(const int64_t a[2]);

#endif
