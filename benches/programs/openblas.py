"""Times sgemm of the OpenBLAS inside numpy's wheel: a request per line in, an answer per line out.

Request: {"m": M, "n": N, "k": K, "threads": T, "runs": R}. Answer: {"median_ns": ..., "min_ns": ..., "max_ns": ...}.
The first line out says what was found, or {"error": ...}. The routine is called directly: no Python array
arithmetic is inside the clock.
"""

import ctypes
import glob
import json
import os
import statistics
import sys
import time


def say(answer):
    print(json.dumps(answer), flush=True)


try:
    import numpy
except ImportError as error:
    say({"error": str(error)})
    sys.exit(0)

folder = os.path.join(os.path.dirname(os.path.dirname(numpy.__file__)), "numpy.libs")
found = sorted(glob.glob(os.path.join(folder, "libscipy_openblas64_*")))
if not found:
    say({"error": "this numpy brings no OpenBLAS of its own"})
    sys.exit(0)
blas = ctypes.CDLL(found[0])
gemm = blas.scipy_cblas_sgemm64_
gemm.restype = None
size, flag, real, pointer = ctypes.c_int64, ctypes.c_int, ctypes.c_float, ctypes.c_void_p
gemm.argtypes = [flag, flag, flag, size, size, size, real, pointer, size, pointer, size, real, pointer, size]
blas.scipy_openblas_get_config64_.restype = ctypes.c_char_p
blas.scipy_openblas_get_corename64_.restype = ctypes.c_char_p
config = blas.scipy_openblas_get_config64_().decode().split()
core = blas.scipy_openblas_get_corename64_().decode()
say({"version": f"numpy {numpy.__version__}, {' '.join(config[:2])}, core {core}"})

ROW_MAJOR, NO_TRANSPOSE = 101, 111
arrays = {}


def prepare(m, n, k):
    random = numpy.random.default_rng(1)
    a = random.uniform(-1, 1, (m, k)).astype(numpy.float32)
    b = random.uniform(-1, 1, (k, n)).astype(numpy.float32)
    c = numpy.empty((m, n), numpy.float32)
    call(m, n, k, a, b, c)
    if not numpy.allclose(c, a.astype(numpy.float64) @ b.astype(numpy.float64), atol=1e-3):
        raise RuntimeError("wrong product: the routine is bound wrongly")
    return a, b, c


def call(m, n, k, a, b, c):
    gemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, m, n, k, 1.0, a.ctypes.data, k, b.ctypes.data, n, 0.0, c.ctypes.data, n)


for line in sys.stdin:
    request = json.loads(line)
    m, n, k = shape = request["m"], request["n"], request["k"]
    blas.scipy_openblas_set_num_threads64_(request["threads"])
    try:
        if shape not in arrays:
            arrays[shape] = prepare(*shape)
        for _ in range(3):
            call(m, n, k, *arrays[shape])
        times = []
        for _ in range(request["runs"]):
            start = time.perf_counter_ns()
            call(m, n, k, *arrays[shape])
            times.append(time.perf_counter_ns() - start)
        say({"median_ns": statistics.median(times), "min_ns": min(times), "max_ns": max(times)})
    except (RuntimeError, MemoryError) as error:
        say({"error": str(error)})
