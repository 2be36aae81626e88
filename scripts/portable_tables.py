#!/usr/bin/env python3
"""Writes engine/base/portable_tables.h, the constants of the portable elementary functions, by decimal arithmetic of 70
digits and integers of any length: scripts/portable_tables.py >engine/base/portable_tables.h"""
from decimal import Decimal, getcontext
import math

getcontext().prec = 70
DIGITS = 420  # of the integer arithmetic that gives pi


def arctan_of_inverse(n, one):
    """Returns arctan(1 / n) times `one`, by its series."""
    power = one // n
    total, k = 0, 1
    while power:
        total += power // k if k % 4 == 1 else -(power // k)
        power //= n * n
        k += 2
    return total


ONE = 10 ** DIGITS
PI_SCALED = 4 * (4 * arctan_of_inverse(5, ONE) - arctan_of_inverse(239, ONE))  # Machin 1706
PI = Decimal(PI_SCALED) / Decimal(ONE)
LN2 = Decimal(2).ln()


def series(first, ratio):
    """Sums a series from its first term; ratio(n) is that of the terms n + 1 and n."""
    term = total = first
    n = 0
    while term and abs(term) > Decimal(10) ** -75:
        term *= ratio(n)
        total += term
        n += 1
    return total


def sine(x):
    return series(x, lambda n: -x * x / ((2 * n + 2) * (2 * n + 3)))


def cosine(x):
    return series(Decimal(1), lambda n: -x * x / ((2 * n + 1) * (2 * n + 2)))


def arctan(x):
    """The series after six halvings of the angle: arctan x = 2 arctan(x / (1 + sqrt(1 + x^2)))."""
    y = x
    for _ in range(6):
        y = y / (1 + (1 + y * y).sqrt())
    power, total, n = y, Decimal(0), 0
    while abs(power) > Decimal(10) ** -75:
        total += power / (2 * n + 1)
        power *= -y * y
        n += 1
    return total * 64


def rounded(x, bits):
    """Returns x rounded down to so many significant bits."""
    if x == 0:
        return 0.0
    exponent = math.frexp(float(x))[1]
    scaled = int(x * Decimal(2) ** (bits - exponent))
    return math.ldexp(scaled, exponent - bits)


def pair(x):
    high = float(x)
    return high, float(x - Decimal(high))


def write_parts(name, help_text, x, bits):
    """Defines NAME_1, NAME_2, ...: parts of x with so many bits, 0 for a whole double."""
    print(f"// {help_text}")
    for i, width in enumerate(bits, 1):
        part = rounded(x, width) if width else float(x)
        print(f"#define {name}_{i} {part.hex()}")
        x -= Decimal(part)
    print()


def write_table(name, help_text, rows, pairs=True):
    print(f"// {help_text}")
    print(f"static const {'tide_pair' if pairs else 'double'} {name}[] = {{")
    texts = [f"{{ {high.hex()}, {low.hex()} }}" if pairs else high.hex() for high, low in map(pair, rows)]
    for i in range(0, len(texts), 2):
        print("    " + ", ".join(texts[i:i + 2]) + ",")
    print("};\n")


print("""// Constants of the portable elementary functions. Written by scripts/portable_tables.py; not changed by hand.
#ifndef TIDE_BASE_PORTABLE_TABLES_H
#define TIDE_BASE_PORTABLE_TABLES_H

#include "base/double_pair.h"

#include <stdint.h>

// clang-format off
""")
write_parts("TIDE_LN2", "ln 2: products of its first part with whole numbers below 2^11 are exact.", LN2, (42, 0))
write_parts("TIDE_LN2_128TH", "ln(2) / 128: products of its first part with whole numbers below 2^20 are exact.",
            LN2 / 128, (33, 0))
write_parts("TIDE_HALF_PI", "pi / 2: products of the first and the second part with whole numbers below 2^20 are exact.",
            PI / 2, (33, 33, 0))
write_parts("TIDE_PI", "pi as a pair of doubles.", PI, (0, 0))
write_parts("TIDE_LOG2_E", "1 / ln 2 as a pair of doubles.", 1 / LN2, (0, 0))
write_parts("TIDE_LOG10_E", "1 / ln 10 as a pair of doubles.", 1 / Decimal(10).ln(), (0, 0))
write_table("tide_powers_of_two", "2^(j / 128) for j from 0 to 127.",
            [(LN2 * j / 128).exp() for j in range(128)])
write_table("tide_logarithms", "ln(j / 128) for j from 90 to 182.",
            [(Decimal(j) / 128).ln() if j != 128 else Decimal(0) for j in range(90, 183)])
write_table("tide_inverses", "128 / j for j from 90 to 182.", [Decimal(128) / j for j in range(90, 183)], False)
write_table("tide_sines", "sin(j / 128) for j from 0 to 101.", [sine(Decimal(j) / 128) for j in range(102)])
write_table("tide_cosines", "cos(j / 128) for j from 0 to 101.", [cosine(Decimal(j) / 128) for j in range(102)])
write_table("tide_arctangents", "arctan(j / 128) for j from 0 to 128.",
            [arctan(Decimal(j) / 128) for j in range(129)])

BITS = 40 * 32
print(f"// The first {BITS} binary digits of 2 / pi, which is 0.101....")
print("static const uint32_t tide_two_over_pi[] = {")
value = 2 * ONE * 2 ** BITS // PI_SCALED
words = [value >> (BITS - 32 * (i + 1)) & 0xffffffff for i in range(BITS // 32)]
for i in range(0, len(words), 8):
    print("    " + ", ".join(f"0x{w:08x}" for w in words[i:i + 8]) + ",")
print("};\n\n// clang-format on\n\n#endif")
