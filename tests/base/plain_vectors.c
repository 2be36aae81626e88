#define TIDE_VECTORS_WITHOUT_INSTRUCTIONS
#include "base/plain_vectors.h"

#include "base/vectors_128.h"

#include <string.h>

#define OF_ONE(name, number, count)                                                                                    \
    void plain_##name(const number a[count], number out[count])                                                        \
    {                                                                                                                  \
        number v __attribute__((vector_size(16)));                                                                     \
        memcpy(&v, a, sizeof v);                                                                                       \
        v = tide_##name(v);                                                                                            \
        memcpy(out, &v, sizeof v);                                                                                     \
    }
#define OF_TWO(name, number, count)                                                                                    \
    void plain_##name(const number a[count], const number b[count], number out[count])                                 \
    {                                                                                                                  \
        number v __attribute__((vector_size(16))), w __attribute__((vector_size(16)));                                 \
        memcpy(&v, a, sizeof v);                                                                                       \
        memcpy(&w, b, sizeof w);                                                                                       \
        v = tide_##name(v, w);                                                                                         \
        memcpy(out, &v, sizeof v);                                                                                     \
    }
#define SIGNS(name, number, count)                                                                                     \
    uint32_t plain_##name(const number a[count])                                                                       \
    {                                                                                                                  \
        number v __attribute__((vector_size(16)));                                                                     \
        memcpy(&v, a, sizeof v);                                                                                       \
        return tide_##name(v);                                                                                         \
    }

OF_ONE(root_of_four, float, 4)
OF_ONE(root_of_two, double, 2)
OF_TWO(smaller_of_four, float, 4)
OF_TWO(larger_of_four, float, 4)
OF_TWO(smaller_of_two, double, 2)
OF_TWO(larger_of_two, double, 2)
SIGNS(signs_of_four, int32_t, 4)
SIGNS(signs_of_two, int64_t, 2)
