// Sets of numbers: bits, 64 to a word, or one bool for each.
#ifndef TIDE_BASE_BIT_SET_H
#define TIDE_BASE_BIT_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline size_t tide_bit_words(uint32_t count)
{
    return ((size_t)count + 63) / 64;
}
static inline void tide_bit_put(uint64_t *words, uint32_t number)
{
    words[number / 64] |= (uint64_t)1 << number % 64;
}
static inline bool tide_bit_has(const uint64_t *words, uint32_t number)
{
    return words[number / 64] >> number % 64 & 1;
}
// Removes the lowest bit from a word that is not 0, word `index` of the set. Returns its number in the set.
static inline uint32_t tide_bit_take(uint64_t *word, size_t index)
{
    uint32_t bit = (uint32_t)__builtin_ctzll(*word);
    *word &= *word - 1;
    return (uint32_t)(64 * index) + bit;
}

// Returns the first number from `from` on that is in a set of bools, of `count` numbers; `count` where none is.
static inline uint32_t tide_next_set(const bool *set, uint32_t from, uint32_t count)
{
    const bool *at = from < count ? memchr(set + from, true, count - from) : NULL;
    return at ? (uint32_t)(at - set) : count;
}

#endif
