"""The peers of `terrace-benches cpu`: one process, a request per line in, an answer per line out (JSON).

{"op": "prepare", "what": {"kind": K, "sizes": {...}}, "dir": D} makes the inputs, writes them to D as .npy and answers with
their names, the peers that can do K, the time of one call of each, and why others are left out. {"written": {...}} instead of a
kind has inputs, and an expression for each library and maybe for the reference; {"whole": {...}} names a function of JAX in a file, maybe
with the same function of torch in another, and the folder of its arrays. {"op": "time", "peer": P, "runs": R} answers
with times in nanoseconds. {"op": "check", "files": [...]} compares arrays with the reference, {"op": "check", "peer": P}
what a peer's last call gave. The first line says what was found. Buffers are used again, inputs and outputs start at huge
pages where the system gives them.

TVM is measured where it is asked for by name: the fastest of as many programs of its own search's generator as the variable
TERRACE_TVM_TRIALS says, random ones from a fixed seed; with 0 what it compiles without a schedule.

The argument says where: `cpu` (also if there is none), or a device of torch's, whose own clock is read then; on devices only torch
(cuBLAS, cuDNN, CUB) and what TorchInductor makes (Triton) take part, in f32 throughout.
"""

import contextlib
import ctypes
import glob
import json
import os
import re
import runpy
import statistics
import sys
import time
import warnings

warnings.filterwarnings("ignore")
threads = len(os.sched_getaffinity(0))
device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def say(answer):
    print(json.dumps(answer), file=answers, flush=True)


try:
    import numpy as np
except ImportError as error:
    say({"error": str(error)})
    sys.exit(0)

versions = [f"numpy {np.__version__}"]
folder = os.path.join(os.path.dirname(os.path.dirname(np.__file__)), "numpy.libs")
found = sorted(glob.glob(os.path.join(folder, "libscipy_openblas64_*")))
blas = None
if found:
    blas = ctypes.CDLL(found[0])
    blas.scipy_openblas_get_config64_.restype = ctypes.c_char_p
    blas.scipy_openblas_get_corename64_.restype = ctypes.c_char_p
    blas.scipy_openblas_set_num_threads64_(threads)
    config = blas.scipy_openblas_get_config64_().decode().split()
    versions.append(f"{' '.join(config[:2])} ({blas.scipy_openblas_get_corename64_().decode()})")
    integer, flag, real, pointer = ctypes.c_int64, ctypes.c_int, ctypes.c_float, ctypes.c_void_p
    gemm = blas.scipy_cblas_sgemm64_
    gemm.restype = None
    gemm.argtypes = [flag] * 3 + [integer] * 3 + [real, pointer, integer, pointer, integer, real, pointer, integer]
    gemv = blas.scipy_cblas_sgemv64_
    gemv.restype = None
    gemv.argtypes = [flag] * 2 + [integer] * 2 + [real, pointer, integer, pointer, integer, real, pointer, integer]
    dot = blas.scipy_cblas_sdot64_
    dot.restype = real
    dot.argtypes = [integer, pointer, integer, pointer, integer]

torch = jax = None
with contextlib.suppress(ImportError):
    import torch

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    versions.append(f"torch {torch.__version__}")
    if device != "cpu":
        # Products of 10 bits are another computation.
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True
        try:
            versions.append(torch.cuda.get_device_name(device))
        except Exception as error:
            say({"error": f"torch has no device {device}: {error}"})
            sys.exit(0)
with contextlib.suppress(ImportError):
    if device != "cpu":
        raise ImportError
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax
    import jax.numpy as jnp

    versions.append(f"jax {jax.__version__}")
say({"version": ", ".join(versions)})

random = np.random.default_rng(1)


def fresh(*shape, dtype=np.float32):
    """An array at a huge page: numpy asks for those from 4 MiB on, and pages are touched here"""
    array = np.empty(shape, dtype)
    array.fill(0)
    return array


def uniform(*shape):
    array = fresh(*shape)
    random.random(out=array, dtype=np.float32)
    array *= 2
    array -= 1
    return array


def given(array):
    """A tensor on the device with what is in the array; on the CPU the array's own memory"""
    return torch.from_numpy(array).to(device)


class Case:
    """Inputs by name, peers by name, what the result should be"""

    def __init__(self, inputs, reference, tolerance=1e-5):
        self.inputs = inputs
        self.reference = reference
        self.tolerance = tolerance
        self.peers = {}
        self.last = {}
        # Types of the results where these are not numpy's own
        self.kinds = []
        self.wanted = None

    def add(self, name, call, needs=True):
        if needs and (device == "cpu" or name.startswith(("torch", "inductor", "cuDNN"))):
            self.peers[name] = call

    def jit(self, function, *arrays):
        """What jax makes of a function, and what TorchInductor makes of it"""
        if jax:
            compiled, values = jax.jit(function(jnp)), [jnp.asarray(a) for a in arrays]
            self.add("jax", lambda: compiled(*values).block_until_ready())

    def inductor(self, function, *arrays):
        if torch:
            compiled, values = torch.compile(function), [given(a) for a in arrays]
            self.add("inductor", lambda: compiled(*values))


def matmul(M, N, K):
    a, b, c = uniform(M, K), uniform(K, N), fresh(M, N)
    case = Case({"A": a, "B": b}, lambda: a.astype(np.float64) @ b.astype(np.float64))
    args = [101, 111, 111, M, N, K, 1.0, a.ctypes.data, K, b.ctypes.data, N, 0.0, c.ctypes.data, N]
    case.add("OpenBLAS", lambda: gemm(*args), blas)
    if torch:
        x, y, z = map(given, (a, b, c))
        case.add("torch", lambda: torch.mm(x, y, out=z))
    return case


def bmm(B, M, N, K):
    a, b, c = uniform(B, M, K), uniform(B, K, N), fresh(B, M, N)
    case = Case({"A": a, "B": b}, lambda: a.astype(np.float64) @ b.astype(np.float64))
    case.add("numpy", lambda: np.matmul(a, b, out=c))
    if torch:
        x, y, z = map(given, (a, b, c))
        case.add("torch", lambda: torch.bmm(x, y, out=z))
    case.jit(lambda m: m.matmul, a, b)
    return case


def conv(N, H, C, K, R, P, T, O, groups=1):
    x, w = uniform(N, H, H, C), uniform(R, R, C // groups, K)
    images = given(x).permute(0, 3, 1, 2)
    weights = given(w).permute(3, 2, 0, 1).contiguous(memory_format=torch.channels_last)
    plain = lambda: torch.nn.functional.conv2d(images, weights, None, T, P, 1, groups)
    inputs = {"A": x, "B": w if groups == 1 else np.ascontiguousarray(w[:, :, 0, :])}
    case = Case(inputs, lambda: plain().permute(0, 2, 3, 1).contiguous().cpu().numpy(), 1e-4)
    case.add("oneDNN" if device == "cpu" else "cuDNN", plain)
    with contextlib.suppress(Exception):
        if device != "cpu":
            raise NotImplementedError
        packed = torch.ops.mkldnn._reorder_convolution_weight(
            weights.to_mkldnn(), [P, P], [T, T], [1, 1], groups, list(images.shape))
        call = lambda: torch.ops.mkldnn._convolution_pointwise(
            images, packed, None, [P, P], [T, T], [1, 1], groups, "none", [], "")
        call()
        case.add("oneDNN packed", call)
    if groups == 1 and untuned:
        with contextlib.suppress(Exception):
            case.add("TVM", tvm_conv(x, w, P, T))
    return case


def tvm_conv(x, w, P, T):
    """What TVM makes of a convolution on this CPU"""
    # Its pool asks neither affinity nor the others' variables, and would pin threads to all cores.
    os.environ["TVM_NUM_THREADS"], os.environ["TVM_BIND_THREADS"] = str(threads), "0"
    import tvm

    with open("/proc/cpuinfo") as facts:
        wide = "avx512f" in facts.read()
    target = tvm.target.Target(
        {"kind": "llvm", "mcpu": "x86-64-v4" if wide else "x86-64-v3", "num-cores": threads})
    given = [tvm.runtime.tensor(x), tvm.runtime.tensor(w)]
    trials = int(os.environ.get("TERRACE_TVM_TRIALS", "0"))
    if trials:
        return tvm_best(tvm, target, given, P, T, trials)
    from tvm import relax

    build = relax.BlockBuilder()
    a, b = (relax.Var(name, relax.TensorType(of.shape, "float32")) for name, of in (("a", x), ("b", w)))
    with build.function("main", [a, b]):
        with build.dataflow():
            call = relax.op.nn.conv2d(a, b, strides=T, padding=P, data_layout="NHWC", kernel_layout="HWIO")
            out = build.emit_output(build.emit(call))
        build.emit_func_output(out)
    machine = relax.VirtualMachine(tvm.compile(build.get(), target), tvm.cpu())
    return lambda: machine["main"](*given)


def tvm_best(tvm, target, given, P, T, trials):
    """The fastest of so many programs that TVM's search would try"""
    from tvm.s_tir import meta_schedule as search

    places = [tvm.te.placeholder(one.shape, name=name) for name, one in zip("ab", given)]
    result = tvm.topi.nn.conv2d_nhwc(*places, T, P, 1)
    out = tvm.runtime.tensor(fresh(*map(int, result.shape)))
    function = tvm.te.create_prim_func([*places, result]).with_attr("global_symbol", "main")
    space = search.TuneContext(
        mod=tvm.IRModule({"main": function}), target=target, space_generator="post-order-apply",
        search_strategy="replay-trace", task_name="main", rand_state=1, num_threads=1)
    space.pre_tuning(trials, trials, space.generate_design_space(), search.database.MemoryDatabase(), None)
    best = None
    for candidate in space.generate_measure_candidates() or []:
        main = tvm.compile(candidate.sch.mod, target)["main"]
        main(*given, out)
        spent = once(lambda: main(*given, out))
        if best is None or spent < best[0]:
            best = (spent, main)

    def call():
        best[1](*given, out)
        return out

    return call


def depthwise(N, H, C, R, P, T, O):
    return conv(N, H, C, C, R, P, T, O, groups=C)


def softmax(M, N):
    a, c = uniform(M, N), fresh(M, N)

    def reference():
        e = np.exp(a.astype(np.float64) - a.max(1, keepdims=True))
        return e / e.sum(1, keepdims=True)

    case = Case({"A": a}, reference)
    if torch:
        x, z = map(given, (a, c))
        case.add("torch", lambda: torch.softmax(x, 1, out=z))
        case.inductor(lambda x: torch.softmax(x, 1), a)
    if jax:
        case.jit(lambda m: lambda x: jax.nn.softmax(x, 1), a)
    return case


def fused(I, J, K):
    a, b, c = uniform(I, J, K), uniform(I, J, K), uniform(I, J, K)
    case = Case({"A": a, "B": b, "C": c}, lambda: ((a + b).astype(np.float64) * c).sum((0, 1)))
    if torch:
        x, y, z = map(given, (a, b, c))
        case.add("torch", lambda: ((x + y) * z).sum((0, 1)))
    case.inductor(lambda x, y, z: ((x + y) * z).sum((0, 1)), a, b, c)
    case.jit(lambda m: lambda x, y, z: ((x + y) * z).sum((0, 1)), a, b, c)
    return case


def gauss(H, O):
    a, c = uniform(H, H), fresh(H - 2, H - 2)
    kernel = np.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]], np.float32) / 16

    def stencil(x):
        h = x[:, :-2] + 2 * x[:, 1:-1] + x[:, 2:]
        return (h[:-2] + 2 * h[1:-1] + h[2:]) / 16

    case = Case({"A": a}, lambda: stencil(a.astype(np.float64)))
    if torch:
        image, weights = given(a)[None, None], given(kernel)[None, None]
        case.add("torch", lambda: torch.nn.functional.conv2d(image, weights))
    case.inductor(stencil, a)
    case.jit(lambda m: stencil, a)
    return case


def jacobi2d(H, O):
    a = uniform(H, H)
    step = lambda x: (x[1:-1, 1:-1] + x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) * 0.2
    case = Case({"A": a}, lambda: step(a.astype(np.float64)))
    case.inductor(step, a)
    case.jit(lambda m: step, a)
    return case


def jacobi3d(H, O):
    a = uniform(H, H, H)
    mid = slice(1, -1)
    step = lambda x: (x[mid, mid, mid] + x[:-2, mid, mid] + x[2:, mid, mid] + x[mid, :-2, mid] + x[mid, 2:, mid]
                      + x[mid, mid, :-2] + x[mid, mid, 2:]) * (1 / 7)
    case = Case({"A": a}, lambda: step(a.astype(np.float64)))
    case.inductor(step, a)
    case.jit(lambda m: step, a)
    return case


def dot_product(N):
    a, b = uniform(N), uniform(N)
    case = Case({"A": a, "B": b}, lambda: a.astype(np.float64) @ b.astype(np.float64), 1e-4)
    case.add("OpenBLAS", lambda: dot(N, a.ctypes.data, 1, b.ctypes.data, 1), blas)
    if torch:
        x, y = map(given, (a, b))
        case.add("torch", lambda: torch.dot(x, y))
    return case


def matvec(M, N):
    a, b, c = uniform(M, N), uniform(N), fresh(M)
    case = Case({"A": a, "B": b}, lambda: a.astype(np.float64) @ b.astype(np.float64))
    args = [101, 111, M, N, 1.0, a.ctypes.data, N, b.ctypes.data, 1, 0.0, c.ctypes.data, 1]
    case.add("OpenBLAS", lambda: gemv(*args), blas)
    if torch:
        x, y, z = map(given, (a, b, c))
        case.add("torch", lambda: torch.mv(x, y, out=z))
    return case


def sums(axis):
    def make(M, N):
        a = uniform(M, N)
        case = Case({"A": a}, lambda: a.astype(np.float64).sum(axis), 1e-4)
        if torch:
            x = given(a)
            case.add("torch", lambda: x.sum() if axis is None else x.sum(axis))
        case.add("numpy", lambda: a.sum(axis))
        case.inductor(lambda x: x.sum() if axis is None else x.sum(axis), a)
        case.jit(lambda m: lambda x: x.sum(axis), a)
        return case

    return make


def contraction(X, Y, Z, **sizes):
    a = uniform(*[int(sizes[i]) for i in X.split(", ")])
    b = uniform(*[int(sizes[i]) for i in Y.split(", ")])
    plain = lambda s: s.replace(", ", "")
    spec = f"{plain(X)},{plain(Y)}->{plain(Z)}"
    x, y = given(a), given(b)
    case = Case({"A": a, "B": b}, lambda: torch.einsum(spec, x, y).cpu().numpy())
    case.add("torch", lambda: torch.einsum(spec, x, y))
    case.add("torch contiguous", lambda: torch.einsum(spec, x, y).contiguous())
    case.jit(lambda m: lambda x, y: m.einsum(spec, x, y), a, b)
    return case


def histogram(N, B):
    a = fresh(N, dtype=np.int32)
    a[:] = random.integers(0, B, N)
    case = Case({"A": a}, lambda: np.bincount(a, minlength=B))
    case.add("numpy", lambda: np.bincount(a, minlength=B))
    if torch:
        x = given(a)
        case.add("torch", lambda: torch.bincount(x, minlength=B))
    case.jit(lambda m: lambda x: m.bincount(x, length=B), a)
    return case


def scan(N):
    a, c = uniform(N), fresh(N)
    case = Case({"A": a}, lambda: np.cumsum(a, dtype=np.float64), 1e-4)
    case.add("numpy", lambda: np.cumsum(a, out=c))
    if torch:
        x, z = map(given, (a, c))
        case.add("torch", lambda: torch.cumsum(x, 0, out=z))
    return case


def mbbs(M, N):
    a = uniform(M, N)
    best = lambda x: x.sum(1).cumsum(0).max()
    case = Case({"A": a}, lambda: best(a.astype(np.float64)), 1e-4)
    case.add("numpy", lambda: best(a))
    if torch:
        x = given(a)
        case.add("torch", lambda: best(x))
    case.inductor(best, a)
    case.jit(lambda m: best, a)
    return case


def prl(M, N):
    a, b = (fresh(4, n, dtype=np.int32) for n in (M, N))
    for array in (a, b):
        array[:] = random.integers(0, 50, array.shape)
    values = [9, 7, 5, 3]

    def link(m, a, b):
        weight = sum(v * (a[f][:, None] == b[f][None, :]) for f, v in enumerate(values))
        best = weight.argmax(1)
        return best

    def reference():
        weight = sum(v * (a[f][:, None] == b[f][None, :]) for f, v in enumerate(values))
        return [weight.max(1), weight.argmax(1)]

    case = Case({"A": a, "B": b}, reference)
    case.inductor(lambda a, b: link(torch, a, b), a, b)
    case.jit(lambda m: lambda a, b: link(m, a, b), a, b)
    return case


# Differences that a type leaves, relative to the largest element
PRECISION = {"f64": 1e-10, "f32": 1e-4, "f16": 4e-3, "bf16": 3e-2}
DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.uint16, "i1": np.bool_, "i8": np.int8,
          "i16": np.int16, "i32": np.int32, "i64": np.int64, "index": np.int64}


def drawn(kind, shape, bounds):
    """Random elements of a type; a bf16 is its bits"""
    array = fresh(*shape, dtype=DTYPES[kind])
    if kind in PRECISION:
        low, high = bounds or (-1, 1)
        numbers = (random.random(shape) * (high - low) + low).astype(np.float32 if kind == "bf16" else array.dtype)
        array[...] = numbers.view(np.uint32) >> 16 if kind == "bf16" else numbers
    else:
        array[...] = random.integers(*(bounds or ((-128, 128) if kind == "i8" else (0, 2 if kind == "i1" else 100))), shape)
    return array


def widened(array, kind):
    """The same numbers as f64, integers as they are"""
    if kind == "bf16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64) if kind in PRECISION else array.copy()


def function(text, names, space):
    """A library's expression, or the body of a function, of the inputs by name"""
    if "return " not in text:
        return eval(f"lambda {', '.join(names)}: ({text})", space)
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    exec(f"def written_by_its_user({', '.join(names)}):\n{lines}", space)
    return space["written_by_its_user"]


def written(inputs, outputs, sizes, expressions, ranges, tolerance):
    kinds = {name: kind for name, kind, _ in inputs}
    space = {"np": np, "jax": jax, "torch": torch, **sizes}
    if torch:
        space["F"] = torch.nn.functional
    if jax:
        space["jnp"] = jnp
        jax.config.update("jax_enable_x64", "f64" in [*kinds.values(), *outputs])
    arrays = {name: drawn(kind, shape, name in ranges and eval(ranges[name], dict(sizes))) for name, kind, shape in inputs}
    calls = {library: function(text, arrays, dict(space)) for library, text in expressions.items()}
    wide = [widened(array, kinds[name]) for name, array in arrays.items()]
    exact = calls.get("reference", calls.get("numpy"))
    if exact:
        reference = lambda: exact(*wide)
    elif torch:
        reference = lambda: calls["torch"](*map(torch.from_numpy, wide))
    else:
        raise RuntimeError("its reference is torch's, which is not here")
    least = max((PRECISION[kind] for kind in [*kinds.values(), *outputs] if kind in PRECISION), default=0.0)
    case = Case(arrays, reference, least if tolerance is None else tolerance)
    case.kinds = outputs
    if "numpy" in calls and "bf16" not in kinds.values():
        case.add("numpy", lambda: calls["numpy"](*arrays.values()))
    if torch and "torch" in calls:
        tensors = [given(a).view(torch.bfloat16) if kinds[name] == "bf16" else given(a) for name, a in arrays.items()]
        case.add("torch", lambda: calls["torch"](*tensors))
        compiled = torch.compile(calls["torch"], dynamic=False)
        case.add("inductor", lambda: compiled(*tensors))
    if jax and "jax" in calls:
        bits = lambda name, a: a.view(jnp.bfloat16) if kinds[name] == "bf16" else a
        values = [jnp.asarray(bits(name, a)) for name, a in arrays.items()]
        jitted = jax.jit(calls["jax"])
        case.add("jax", lambda: jax.block_until_ready(jitted(*values)))
    return case


def whole(functions, in_torch, name, folder):
    """A function of a file of programs of JAX, and maybe of one of torch; its arguments, and the results that JAX gave, lie in the folder"""
    if jax is None:
        raise RuntimeError("jax is not here")
    sys.argv = [functions, "--large"]
    call, specs, _ = runpy.run_path(functions, run_name="programs")["PROGRAMS"][name]
    arrays = [np.load(os.path.join(folder, f"{name}.in{n}.npy")) for n in range(len(specs))]
    files = sorted(glob.glob(os.path.join(glob.escape(folder), f"{name}.out*.npy")), key=lambda file: int(re.findall(r"\d+", file)[-1]))
    wanted = [np.load(file) for file in files]
    kinds = ["bf16" if array.dtype == np.uint16 else "f32" for array in wanted]
    reference = lambda: [widened(array, kind) if kind == "bf16" else array for array, kind in zip(wanted, kinds)]
    case = Case({str(n): array for n, array in enumerate(arrays)}, reference, max(PRECISION[kind] for kind in kinds))
    case.kinds = kinds
    values = [jnp.asarray(array.view(jnp.dtype(spec.dtype))) for array, spec in zip(arrays, specs)]
    compiled = jax.jit(call, keep_unused=True)
    case.add("jax", lambda: jax.block_until_ready(compiled(*values)))
    eager = torch and runpy.run_path(in_torch, run_name="programs")["PROGRAMS"].get(name)
    if eager:
        bits = lambda a, spec: given(a).view(torch.bfloat16) if spec.dtype == "bfloat16" else given(a)
        tensors = [bits(a, spec) for a, spec in zip(arrays, specs)]
        case.add("torch", lambda: eager(*tensors))
        fused = torch.compile(eager, dynamic=False)
        case.add("inductor", lambda: fused(*tensors))
    return case


def network(script, name, folder):
    """A network that a script writes as an ONNX model, by onnxruntime and by torch; the reference is onnxruntime's"""
    import onnx
    import onnxruntime

    model = runpy.run_path(script)["NETWORKS"][name]()
    file = os.path.join(folder, f"{name}.onnx")
    onnx.save(model, file)
    shape = [size.dim_value or 1 for size in model.graph.input[0].type.tensor_type.shape.dim]
    x = uniform(*shape)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    run = lambda: session.run(["logits"], {"x": x})
    case = Case({"x": x}, run, 1e-3)
    case.add("onnxruntime", run)
    if torch:
        call = in_torch(onnx, model)
        for kind, form in [("torch", torch.contiguous_format), ("torch channels last", torch.channels_last)]:
            images = given(x).contiguous(memory_format=form)
            case.add(kind, lambda images=images, form=form: call(images, form))
    return case


def in_torch(onnx, model):
    """The nodes of a model one after the other, its weights as tensors"""
    f = torch.nn.functional
    known = {one.name: given(onnx.numpy_helper.to_array(one).copy()) for one in model.graph.initializer}
    eps = 1e-5
    ops = {
        "Conv": lambda a, x, w, b=None: f.conv2d(x, w, b, a["strides"], a["pads"][:2]),
        "BatchNormalization": lambda a, x, s, t, m, v: f.batch_norm(x, m, v, s, t, False, 0.0, eps),
        "Relu": lambda a, x: f.relu(x),
        "LeakyRelu": lambda a, x: f.leaky_relu(x, a["alpha"]),
        "MaxPool": lambda a, x: f.max_pool2d(x, a["kernel_shape"], a["strides"], a["pads"][:2]),
        "GlobalAveragePool": lambda a, x: x.mean((2, 3), keepdim=True),
        "Flatten": lambda a, x: x.flatten(1),
        "Gemm": lambda a, x, w, b: f.linear(x, w, b),
        "Add": lambda a, x, y: x + y,
        "Softmax": lambda a, x: f.softmax(x, a["axis"]),
    }
    nodes = [(ops[node.op_type], {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}, node) for node in model.graph.node]
    formed = {}

    def call(x, form):
        if form not in formed:
            formed[form] = {name: one.contiguous(memory_format=form) if one.dim() == 4 else one for name, one in known.items()}
        values = dict(formed[form], x=x)
        for op, attributes, node in nodes:
            values[node.output[0]] = op(attributes, *(values[name] for name in node.input))
        return values["logits"]

    return call


KINDS = {
    "matmul": matmul, "bmm": bmm, "conv": conv, "depthwise": depthwise, "softmax": softmax, "fused": fused,
    "gauss": gauss, "jacobi2d": jacobi2d, "jacobi3d": jacobi3d, "dot": dot_product, "gemv": matvec,
    "sum_all": sums(None), "sum_rows": sums(1), "sum_columns": sums(0), "contraction": contraction,
    "histogram": histogram, "scan": scan, "mbbs": mbbs, "prl": prl,
}


def once(call):
    if device != "cpu":
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        call()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) * 1e6
    start = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - start


case = None
# Compilers that may take seconds for a call, where they are asked for by name
untuned = False


def prepare(request):
    global case, untuned
    case, untuned = None, "TVM" in request["only"]
    random.bit_generator.state = np.random.default_rng(1).bit_generator.state
    number = lambda text: int(text) if text.isdigit() else text
    what = request["what"]
    if "written" in what:
        case = written(**what["written"])
    elif "whole" in what:
        case = whole(**what["whole"])
    elif "network" in what:
        case = network(**what["network"], folder=request["dir"])
    else:
        case = KINDS[what["kind"]](**{name: number(size) for name, size in what["sizes"].items()})
    for name, array in case.inputs.items():
        np.save(os.path.join(request["dir"], name + ".npy"), array)
    peers, left_out = {}, {}
    for name, call in case.peers.items():
        if request["only"] and not any(name.startswith(wanted) for wanted in request["only"]):
            continue
        try:
            start = time.perf_counter_ns()
            case.last[name] = call()
            first = time.perf_counter_ns() - start
            # What JAX computed is the reference of whole programs.
            if ("written" in what or "whole" in what) and not (verdict := check({"peer": name}))["right"]:
                left_out[name] = f"its values differ by {verdict['worst']:.0e}"
                continue
            # What takes seconds is called once; the first call of a compiler is no call.
            peers[name] = first if first > 5e8 and name != "inductor" and "written" not in what else min(once(call), once(call))
        except Exception as error:
            left_out[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return {"inputs": list(case.inputs), "peers": peers, "left_out": left_out}


def arrays_of(result):
    """What a call gave, as a list of arrays"""
    results = result if isinstance(result, (list, tuple)) else [result]
    plain = lambda one: (one.double() if one.is_floating_point() else one).cpu().numpy()
    return [plain(one) if hasattr(one, "is_floating_point") else np.asarray(one) for one in results]


def check(request):
    if case.wanted is None:
        case.wanted = arrays_of(case.reference())
    worst = 0.0
    if "files" in request:
        kinds = case.kinds or [None] * len(request["files"])
        found = [widened(np.load(file), kind) for file, kind in zip(request["files"], kinds)]
    else:
        found = arrays_of(case.last[request["peer"]])
    if len(found) != len(case.wanted):
        return {"worst": 1e9, "right": False}
    for ours, right in zip(found, case.wanted):
        ours, right = ours.astype(np.float64), right.astype(np.float64)
        if ours.shape != right.shape:
            return {"worst": 1e9, "right": False}
        # Equal infinities and values that are no numbers are no difference.
        same = (ours == right) | (np.isnan(ours) & np.isnan(right))
        scale = float(np.abs(right[np.isfinite(right)]).max(initial=0)) or 1.0
        apart = float(np.abs(np.where(same, 0, ours) - np.where(same, 0, right)).max(initial=0)) / scale
        # What is no number is as far apart as can be.
        worst = max(worst, apart if apart == apart else 1e9)
    return {"worst": worst, "right": bool(worst <= case.tolerance)}


def timed(request):
    call = case.peers[request["peer"]]
    call()
    times = [once(call) for _ in range(request["runs"])]
    return {"median_ns": statistics.median(times), "min_ns": min(times)}


for line in sys.stdin:
    request = json.loads(line)
    try:
        say({"prepare": prepare, "check": check, "time": timed}[request["op"]](request))
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}"})
