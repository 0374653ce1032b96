"""References of 60 digits for functions of f64: python3 reference.py > doubles.txt (needs mpmath)

A line is a function, the bits of its arguments, and the result as a sum of two f64: the nearest, and what it leaves.
"""
import random, struct, sys
from mpmath import mp, mpf
import mpmath as m
mp.dps = 60
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 48

def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]

def power(low, high):
    return lambda: random.choice((-1, 1)) * 2.0 ** random.uniform(low, high)

def positive(low, high):
    return lambda: 2.0 ** random.uniform(low, high)

def between(low, high):
    return lambda: random.uniform(low, high)

FUNCTIONS = [
    ("acos", m.acos, power(-20, 0)), ("acosh", m.acosh, lambda: 1 + positive(-30, 600)()),
    ("asin", m.asin, power(-30, 0)), ("asinh", m.asinh, power(-30, 600)), ("atan", m.atan, power(-30, 60)),
    ("atanh", m.atanh, power(-30, 0)), ("cbrt", lambda x: m.sign(x) * m.cbrt(abs(x)), power(-1070, 1023)),
    ("cos", m.cos, power(-20, 20)), ("cosh", m.cosh, power(-20, 9.4)), ("erf", m.erf, power(-30, 2.5)),
    ("erfc", m.erfc, power(-30, 4.6)), ("erfc", m.erfc, between(20, 26.4)),
    ("exp", m.exp, power(-20, 9.4)), ("exp2", lambda x: m.mpf(2) ** x, power(-20, 9.9)),
    ("expm1", m.expm1, power(-60, 9.4)), ("log", m.log, positive(-1070, 1023)),
    ("log", m.log, between(0.5, 2)), ("log10", m.log10, positive(-1070, 1023)), ("log10", m.log10, between(0.5, 2)),
    ("log1p", m.log1p, positive(-60, 1000)), ("log1p", m.log1p, between(-0.9, 2)),
    ("log2", lambda x: m.log(x, 2), positive(-1070, 1023)), ("log2", lambda x: m.log(x, 2), between(0.5, 2)),
    ("sin", m.sin, power(-30, 20)), ("sinh", m.sinh, power(-20, 9.4)), ("tan", m.tan, power(-30, 20)),
    ("tanh", m.tanh, power(-30, 4)), ("atan2", m.atan2, power(-300, 300), power(-300, 300)),
    ("atan2", m.atan2, power(-3, 3), power(-3, 3)),
    ("powf", lambda x, y: x ** y, positive(-1070, 1023), between(-0.99, 0.99)),
    ("powf", lambda x, y: x ** y, between(0.5, 2), power(-10, 9.9)),
]

random.seed(1)
for name, function, *arguments in FUNCTIONS:
    for _ in range(COUNT):
        args = [argument() for argument in arguments]
        exact = function(*[mpf(x) for x in args])
        high = float(exact)
        print(name, *[f"{bits(x):x}" for x in args], f"{bits(high):x}", f"{bits(float(exact - mpf(high))):x}")
