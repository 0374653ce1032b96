#!/usr/bin/env python3
"""Makes the MLIR files of this folder: functions of JAX, their text as users have it, and what JAX computes.

    python3 -m venv venv && venv/bin/pip install jax==0.10.2 iree-base-compiler==3.13.0
    venv/bin/python test-files/frontends/jax/generate.py [--large] [--stablehlo] [--to FOLDER] [NAME…]

Each function goes through `jax.jit(f).lower(…).as_text()` and IREE's input conversion
(`iree-compile --compile-to=input`); of what comes out, `util.func` is renamed to `func.func` and the module around it
dropped, nothing else. Arguments are multiples of 1/16, so that their decimals are exact. Programs in which ops of other
dialects are left are counted in `foreign.txt`. `--stablehlo` writes the text as JAX prints it, without any conversion,
for all programs (to the folder `stablehlo` next to this one). `--large` takes the sizes of real use; its files go to another folder, with
arrays as .npy files beside them. Not run by the tests: they read the files.
"""

import argparse
import collections
import functools
import pathlib
import re
import subprocess
import sys

import numpy as np
import jax
import jax.numpy as jnp
from jax import lax

parser = argparse.ArgumentParser()
parser.add_argument("--large", action="store_true")
parser.add_argument("--stablehlo", action="store_true")
parser.add_argument("--to")
parser.add_argument("names", nargs="*")
options = parser.parse_args()
here = pathlib.Path(__file__).parent
options.to = options.to or str(here.parent / "stablehlo" if options.stablehlo else here)

PROGRAMS = {}


def n(small, large):
    """A size: of the tests, or of real use"""
    return large if options.large else small


class F:
    """An argument of floats, multiples of 1/16 between low and high"""

    def __init__(self, *shape, low=-2, high=2, dtype="float32"):
        self.shape, self.low, self.high, self.dtype = shape, low, high, dtype

    def make(self, random):
        return (random.integers(self.low * 16, self.high * 16 + 1, self.shape) / 16).astype(self.dtype)


class I:
    """An argument of integers, from low up to below high"""

    def __init__(self, *shape, low=0, high=10, dtype="int32"):
        self.shape, self.low, self.high, self.dtype = shape, low, high, dtype

    def make(self, random):
        return random.integers(self.low, self.high, self.shape).astype(self.dtype)


def program(*args, nan=None):
    """A function with its arguments; `nan` says which argument gets one"""

    def add(function):
        PROGRAMS[function.__name__] = (function, args, nan)
        return function

    return add


# Matrix products and their kin

@program(F(n(4, 64), n(6, 256)), F(n(6, 256), n(8, 256)), F(n(8, 256)), F(n(8, 256), n(3, 10)), F(n(3, 10)))
def mlp(x, w1, b1, w2, b2):
    """Two layers with relu and softmax"""
    return jax.nn.softmax(jax.nn.relu(x @ w1 + b1) @ w2 + b2)


@program(F(n(3, 100), n(5, 120)), F(n(5, 120), n(7, 90)), F(n(7, 90), n(2, 110)), F(n(2, 110), n(3, 80)))
def matmul_chain(a, b, c, d):
    return a @ b @ c @ d


@program(F(n(2, 8), n(3, 64), n(4, 32)), F(n(2, 8), n(5, 48), n(4, 32)), F(n(3, 64), n(3, 64)), F(n(3, 64)))
def einsums(a, b, m, v):
    """A batched product, a trace, an outer product, a bilinear form"""
    return (
        jnp.einsum("bik,bjk->bij", a, b),
        jnp.einsum("ii->", m),
        jnp.einsum("i,j->ij", v, v),
        jnp.einsum("i,ij,j->", v, m, v),
        jnp.einsum("bik->kb", a),
    )


# Attention

def attend(q, k, v):
    s = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(jnp.float32(q.shape[-1]))
    mask = jnp.tril(jnp.ones((q.shape[1], k.shape[1]), bool))
    p = jax.nn.softmax(jnp.where(mask, s, -1e30), axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", p, v)


QKV = [F(n(1, 2), n(5, 64), n(2, 4), n(3, 32)) for _ in range(3)]


@program(*QKV)
def attention(q, k, v):
    """Causal, several heads"""
    return attend(q, k, v)


@program(*QKV)
def attention_gradient(q, k, v):
    return jax.grad(lambda *a: jnp.sum(attend(*a) ** 2), argnums=(0, 1, 2))(q, k, v)


@program(F(n(2, 4), n(8, 256)), F(n(2, 4), n(6, 128), n(8, 256)), F(n(2, 4), n(6, 128), n(8, 256)), F(n(8, 256), n(8, 256)), F(n(8, 256), n(8, 256)),
         F(n(8, 256), n(8, 256)), I(high=n(6, 128)))
def decode_step(x, keys, values, wq, wk, wv, at):
    """One token: the cache grows at a place that is an argument"""
    q, k, v = x @ wq, x @ wk, x @ wv
    keys = lax.dynamic_update_slice(keys, k[:, None, :], (0, at, 0))
    values = lax.dynamic_update_slice(values, v[:, None, :], (0, at, 0))
    s = jnp.einsum("bd,btd->bt", q, keys) / np.sqrt(x.shape[-1]).astype("float32")
    s = jnp.where(jnp.arange(keys.shape[1])[None, :] <= at, s, -jnp.inf)
    return jnp.einsum("bt,btd->bd", jax.nn.softmax(s), values), keys, values


@program(F(n(5, 64), n(2, 8), n(6, 64)), I(n(5, 64), high=n(9, 512)))
def rope(x, at):
    """Rotary places: halves are turned and joined again"""
    d = x.shape[-1]
    rate = 1.0 / (10000.0 ** (jnp.arange(0, d, 2) / d))
    angle = at[:, None, None] * rate
    a, b = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([a * jnp.cos(angle) - b * jnp.sin(angle), b * jnp.cos(angle) + a * jnp.sin(angle)], -1)


@program(F(n(4, 32), n(6, 128)), F(n(6, 128), n(12, 512)), F(n(12, 512), n(6, 128)), F(n(6, 128)), F(n(6, 128)))
def feed_forward(x, w1, w2, g, b):
    """Layer norm, gelu, and what came in added"""
    m = x.mean(-1, keepdims=True)
    y = (x - m) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * g + b
    return x + jax.nn.gelu(y @ w1) @ w2


# Norms and activations

@program(F(n(4, 64), n(7, 768)), F(n(7, 768)), F(n(7, 768)))
def layer_norm(x, g, b):
    m = x.mean(-1, keepdims=True)
    return (x - m) / jnp.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b


@program(F(n(4, 64), n(7, 768)), F(n(7, 768)))
def rms_norm(x, g):
    return x * lax.rsqrt(jnp.mean(jnp.square(x), -1, keepdims=True) + 1e-6) * g


@program(F(n(3, 8), n(4, 32), n(4, 32), n(6, 64)), F(n(6, 64)), F(n(6, 64)), F(n(6, 64)), F(n(6, 64), low=0))
def batch_norm(x, g, b, mean, var):
    """In training: the output and the running numbers"""
    m, v = x.mean((0, 1, 2)), x.var((0, 1, 2))
    y = (x - m) * lax.rsqrt(v + 1e-5) * g + b
    return y, 0.9 * mean + 0.1 * m, 0.9 * var + 0.1 * v


@program(F(n(2, 8), n(3, 16), n(3, 16), n(8, 64)), F(n(8, 64)), F(n(8, 64)))
def group_norm(x, g, b):
    y = x.reshape(*x.shape[:3], 4, -1)
    m, v = y.mean((1, 2, 4), keepdims=True), y.var((1, 2, 4), keepdims=True)
    return ((y - m) / jnp.sqrt(v + 1e-5)).reshape(x.shape) * g + b


@program(F(n(17, 100003)))
def activations(x):
    return (jax.nn.gelu(x, approximate=False), jax.nn.silu(x), jax.nn.softplus(x), jax.nn.leaky_relu(x), jax.nn.elu(x),
            jnp.tanh(x), jax.nn.sigmoid(x), jax.nn.relu6(x), jnp.sign(x) * jnp.floor(x))


@program(F(n(3, 100), n(11, 1000)))
def softmaxes(x):
    return jax.nn.softmax(x, 0), jax.nn.log_softmax(x, 1), jax.nn.logsumexp(x), jax.nn.logsumexp(x, 1)


# Convolutions and pooling

@program(F(n(1, 4), n(6, 28), n(6, 28), n(2, 32)), F(3, 3, n(2, 32), n(3, 64)), F(n(3, 64)))
def conv_relu(x, w, b):
    """With a border, NHWC"""
    y = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return jax.nn.relu(y + b)


@program(F(n(1, 4), n(2, 16), n(9, 33), n(9, 33)), F(n(3, 32), n(2, 16), 3, 3))
def conv_strided(x, w):
    """NCHW, every second place, and with holes in the filter"""
    return (
        lax.conv_general_dilated(x, w, (2, 2), ((1, 1), (0, 1))),
        lax.conv_general_dilated(x, w, (1, 1), "VALID", rhs_dilation=(2, 2)),
    )


@program(F(n(1, 4), n(6, 28), n(6, 28), n(3, 32)), F(3, 3, 1, n(3, 32)))
def conv_depthwise(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=x.shape[-1])


@program(F(n(1, 4), n(4, 14), n(4, 14), n(2, 32)), F(3, 3, n(3, 16), n(2, 32)))
def conv_transposed(x, w):
    return lax.conv_transpose(x, w, (2, 2), "SAME", transpose_kernel=True)


@program(F(n(2, 8), n(9, 200), n(3, 16)), F(3, n(3, 16), n(4, 32)))
def conv_gradient(x, w):
    """Of a causal convolution over time, for both operands"""
    def loss(x, w):
        y = lax.conv_general_dilated(x, w, (1,), ((2, 0),), dimension_numbers=("NWC", "WIO", "NWC"))
        return jnp.sum(jnp.tanh(y))
    return jax.grad(loss, argnums=(0, 1))(x, w)


@program(F(n(1, 4), n(6, 32), n(6, 32), n(4, 32)), F(3, 3, n(4, 32), n(4, 32)), F(3, 3, n(4, 32), n(4, 32)), F(n(4, 32)), F(n(4, 32)))
def resnet_block(x, w1, w2, g1, g2):
    conv = functools.partial(lax.conv_general_dilated, window_strides=(1, 1), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    norm = lambda y, g: (y - y.mean((1, 2), keepdims=True)) * lax.rsqrt(y.var((1, 2), keepdims=True) + 1e-5) * g
    return jax.nn.relu(x + norm(conv(jax.nn.relu(norm(conv(x, w1), g1)), w2), g2))


@program(F(n(1, 4), n(6, 32), n(6, 32), n(2, 32)))
def pooling(x):
    """Largest, mean, with a border, and over all places"""
    window = (1, 3, 3, 1), (1, 2, 2, 1)
    return (
        lax.reduce_window(x, -jnp.inf, lax.max, *window, "VALID"),
        lax.reduce_window(x, 0.0, lax.add, *window, "SAME") / 9.0,
        lax.reduce_window(x, jnp.inf, lax.min, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
        x.mean((1, 2)),
    )


@program(F(n(1, 4), n(4, 32), n(4, 32), n(2, 16)))
def max_pool_gradient(x):
    """Of windows that do not overlap, as a reduction of a reshape"""
    def loss(x):
        b, h, w, c = x.shape
        return jnp.sum(jnp.sin(x.reshape(b, h // 2, 2, w // 2, 2, c).max((2, 4))))
    return jax.grad(loss)(x)


# Recurrences

def cell(state, x, w, u, b):
    h, c = state
    i, f, g, o = jnp.split(x @ w / x.shape[-1] + h @ u / h.shape[-1] + b, 4, axis=-1)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c


LSTM = [F(n(2, 16), n(3, 128)), F(n(3, 128), n(16, 512)), F(n(4, 128), n(16, 512)), F(n(16, 512))]


@program(F(n(2, 16), n(4, 128)), F(n(2, 16), n(4, 128)), *LSTM)
def lstm_cell(h, c, x, w, u, b):
    return cell((h, c), x, w, u, b)


@program(F(n(5, 50), n(2, 16), n(3, 128)), *LSTM[1:])
def lstm_scan(xs, w, u, b):
    """A sequence by `lax.scan`: the last state and all outputs"""
    zero = jnp.zeros((xs.shape[1], u.shape[0]))
    def step(state, x):
        state = cell(state, x, w, u, b)
        return state, state[0]
    return lax.scan(step, (zero, zero), xs)


@program(F(n(4, 20), n(3, 64)), F(n(3, 64), n(5, 128), low=-1, high=1), F(n(5, 128), n(5, 128), low=-1, high=1))
def rnn_unrolled(xs, w, u):
    """The loop is Python's: each step is there"""
    h, all = jnp.zeros(u.shape[0]), []
    for x in xs:
        h = jnp.tanh(x @ w + h @ u / u.shape[0])
        all.append(h)
    return jnp.stack(all)


@program(F(n(4, 30), n(3, 64)), F(n(3, 64), n(5, 128), low=-1, high=1), F(n(5, 128), n(5, 128), low=-1, high=1))
def rnn_gradient(xs, w, u):
    """Back through time, by the gradient of a scan"""
    def loss(w, u):
        def step(h, x):
            h = jnp.tanh(x @ w + h @ u / u.shape[0])
            return h, jnp.sum(h)
        return jnp.sum(lax.scan(step, jnp.zeros(u.shape[0]), xs)[1])
    return jax.grad(loss, argnums=(0, 1))(w, u)


@program(F(n(6, 64), n(2, 16)), F(n(3, 128), n(3, 128), low=-1, high=1), F(n(2, 16), n(3, 128)), F(n(3, 128), n(2, 16)))
def state_space(xs, a, b, c):
    """A linear system in time, backwards too"""
    def step(h, x):
        h = 0.25 * (h @ a) + x @ b
        return h, h @ c
    zero = jnp.zeros(a.shape[0])
    return lax.scan(step, zero, xs)[1], lax.scan(step, zero, xs, reverse=True)[1]


# Loops

@program(F(n(5, 1000), low=1, high=9))
def newton(x):
    """Square roots until all of them are near enough: `lax.while_loop`"""
    far = lambda s: jnp.logical_and(s[1] < 50, jnp.max(jnp.abs(s[0] * s[0] - x)) > 1e-3)
    return lax.while_loop(far, lambda s: (0.5 * (s[0] + x / s[0]), s[1] + 1), (x, 0))


@program(F(n(5, 200), n(5, 200)), F(n(5, 200)))
def power_iteration(a, v):
    """`lax.fori_loop` of a product and a norm"""
    def step(_, v):
        w = a @ v
        return w / jnp.sqrt(jnp.sum(w * w))
    return lax.fori_loop(0, 6, step, v)


@program(F(n(4, 16), n(4, 16)))
def heat(u):
    """Steps in time over a plate: slices and padding in a loop"""
    def step(_, u):
        p = jnp.pad(u, 1)
        return u + 0.1 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)
    return lax.fori_loop(0, 10, step, u)


@program(F(n(6, 60)), I(high=n(6, 60)), I(low=-1, high=2))
def branches(x, at, way):
    """`lax.cond` and `lax.switch`"""
    a = lax.cond(way > 0, jnp.sin, lambda x: x * x, x)
    b = lax.switch(at, [jnp.cos, jnp.exp, lambda x: -x], x)
    return a + b


@program(I(low=1, high=30000))
def collatz(x):
    """A loop over numbers without arrays: steps to 1"""
    def step(s):
        v, count = s
        return jnp.where(v % 2 == 0, v // 2, 3 * v + 1), count + 1
    return lax.while_loop(lambda s: s[0] != 1, step, (x, 0))[1]


@program(F(n(3, 30)), F(n(3, 30)), F(low=0, high=1))
def runge_kutta(x, v, dt):
    """Four stages a step, in a loop; the state is a tuple"""
    f = lambda x, v: (v, -x - 0.1 * v)
    def step(_, s):
        x, v = s
        a = f(x, v)
        b = f(x + dt / 2 * a[0], v + dt / 2 * a[1])
        c = f(x + dt / 2 * b[0], v + dt / 2 * b[1])
        d = f(x + dt * c[0], v + dt * c[1])
        mix = lambda i: (a[i] + 2 * b[i] + 2 * c[i] + d[i]) / 6
        return x + dt * mix(0), v + dt * mix(1)
    return lax.fori_loop(0, 5, step, (x, v))


# Losses and steps of training

@program(F(n(4, 64), n(7, 1000)), I(n(4, 64), high=n(7, 1000)))
def cross_entropy(x, label):
    """By a gather of the right class, and its gradient"""
    def loss(x):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), label[:, None], axis=1))
    return jax.value_and_grad(loss)(x)


@program(F(n(4, 64), n(7, 1000)), I(n(4, 64), high=n(7, 1000)))
def cross_entropy_one_hot(x, label):
    """With smoothed labels"""
    y = jax.nn.one_hot(label, x.shape[1]) * 0.9 + 0.1 / x.shape[1]
    return jax.value_and_grad(lambda x: -jnp.mean(jnp.sum(y * jax.nn.log_softmax(x), -1)))(x)


@program(F(n(6, 64), n(3, 32)), F(n(6, 64)), F(n(3, 32)), F())
def sgd_step(x, y, w, b):
    """Of linear regression: gradient and step in one"""
    loss = lambda w, b: jnp.mean((x @ w + b - y) ** 2)
    value, (dw, db) = jax.value_and_grad(loss, argnums=(0, 1))(w, b)
    return w - 0.1 * dw, b - 0.1 * db, value


@program(F(n(4, 64), n(3, 32)), F(n(3, 32), n(5, 64)), F(n(5, 64), n(2, 10)), I(n(4, 64), high=n(2, 10)))
def training_step(x, w1, w2, label):
    """Two layers, cross entropy, gradient, step"""
    def loss(params):
        logits = jnp.tanh(x @ params[0]) @ params[1]
        return -jnp.mean(jnp.sum(jax.nn.one_hot(label, logits.shape[1]) * jax.nn.log_softmax(logits), -1))
    value, grads = jax.value_and_grad(loss)((w1, w2))
    return [p - 0.5 * g for p, g in zip((w1, w2), grads)], value


@program(F(n(13, 10007)), F(n(13, 10007)), F(n(13, 10007)), F(n(13, 10007), low=0), I(low=1, high=100))
def adam_step(w, g, m, v, t):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    t = t.astype(jnp.float32)
    return w - 0.01 * (m / (1 - 0.9 ** t)) / (jnp.sqrt(v / (1 - 0.999 ** t)) + 1e-8), m, v


# Places: gather, slices, joins

@program(F(n(9, 1000), n(4, 64)), I(n(2, 8), n(3, 32), high=n(9, 1000)))
def embedding(table, ids):
    return table[ids]


@program(F(n(9, 1000), n(4, 64)), I(n(2, 8), n(3, 32), high=n(9, 1000)))
def embedding_gradient(table, ids):
    """Adds rows at places that are data"""
    return jax.grad(lambda table: jnp.sum(jnp.sin(table[ids])))(table)


@program(F(n(5, 100), n(4, 30)), I(n(3, 20), high=n(5, 100)), I(high=n(5, 100)))
def gather_rows(x, rows, row):
    return x[rows], x[row], jnp.take(x, rows % 3, axis=1), lax.dynamic_slice(x, (row, 1), (2, 2)), x[::-1, ::2]


@program(F(n(8, 100)), I(n(5, 50), high=n(8, 100)), F(n(5, 50)), I(n(8, 100), high=3), F(n(8, 100)))
def scatter(x, at, y, segment, z):
    """Set, add, the largest, and sums of segments"""
    return x.at[at].add(y), x.at[at].max(y), jax.ops.segment_sum(z, segment, 3)


@program(F(n(3, 30), n(4, 40)), F(n(2, 20), n(4, 40)), F(n(3, 30), n(1, 10)))
def joins(a, b, c):
    return (
        jnp.concatenate([a, b]), jnp.concatenate([a, c, a], axis=1), jnp.stack([a, 2 * a], axis=1), jnp.tile(b, (2, 1)),
        jnp.hstack([a, c]) @ jnp.vstack([b.T[:, :1], c.T[:, :1]]),
    )


@program(F(n(3, 30), n(5, 40)))
def moves(x):
    """Padding of all kinds, turns, rolls, triangles"""
    return (
        jnp.pad(x, ((1, 0), (0, 2)), constant_values=3.0), jnp.pad(x, ((0, 0), (2, 1)), mode="edge"),
        jnp.pad(x, ((1, 1), (1, 1)), mode="reflect"), x[::-1], jnp.flip(x, 1), jnp.roll(x, 2, axis=1), jnp.rot90(x),
        jnp.tril(x), jnp.triu(x, 1), x.T.reshape(-1), jnp.swapaxes(x[None], 0, 2),
        lax.pad(x, jnp.float32(0), ((1, 2, 1), (0, -1, 0))), jnp.repeat(x, 2, axis=0),
    )


@program(F(n(6, 60), n(4, 40)), I(n(6, 60), n(4, 40), high=2))
def masked(x, m):
    m = m.astype(bool)
    mean = jnp.sum(jnp.where(m, x, 0), 1) / jnp.maximum(jnp.sum(m, 1), 1)
    return mean, jnp.max(jnp.where(m, x, -jnp.inf)), jnp.any(m, 1), jnp.all(m, 0), jnp.count_nonzero(m)


@program(I(n(7, 1000), high=5))
def one_hot(ids):
    return jax.nn.one_hot(ids, 5), jnp.eye(4), jnp.bincount(ids, length=5)


# Order, prefixes, extremes

@program(F(n(4, 100), n(9, 1000)), nan=0)
def argmax(x):
    """The place of the largest of each row, of NaN if there is one; of the smallest of each column"""
    return jnp.argmax(x, 1), jnp.argmin(x, 0), jnp.nanmax(x, 1), jnp.max(x)


@program(F(n(4, 64), n(9, 512)), I(n(4, 64), high=9))
def top_1(x, k):
    """The best and the second best without a sort"""
    best = jnp.argmax(x, -1)
    rest = jnp.where(jnp.arange(x.shape[-1]) == best[:, None], -jnp.inf, x)
    return best, jnp.max(x, -1), jnp.argmax(rest, -1), jnp.mean(best == k)


@program(F(n(3, 16), n(7, 256)))
def prefixes(x):
    return jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, axis=1), jnp.cumsum(x[:, ::-1], 1)


@program(F(n(3, 20), n(9, 200)))
def sorted_rows(x):
    return jnp.sort(x, axis=1), lax.top_k(x, 2)


@program(F(n(7, 1000)), F(n(7, 1000)))
def statistics(x, y):
    z = lambda v: (v - v.mean()) / v.std()
    return x.mean(), x.var(ddof=1), jnp.mean(z(x) * z(y)), jnp.linalg.norm(x), jnp.dot(x, y), jnp.prod(x), jnp.ptp(x)


# Others

@program(F(n(5, 100), n(3, 16)), F(n(4, 80), n(3, 16)))
def distances(a, b):
    """Each to each, and which is nearest"""
    d = jnp.sqrt(jnp.sum((a[:, None] - b[None]) ** 2, -1) + 1e-9)
    return d, jnp.argmin(d, 1), jnp.exp(-d)


@program(F(n(4, 60), n(4, 60)), F(n(4, 60)))
def jacobi_solver(a, b):
    """Ax = b, A made strong on the diagonal"""
    a = a + (4.0 * a.shape[0]) * jnp.eye(a.shape[0])
    d = jnp.diag(a)
    return lax.fori_loop(0, 12, lambda _, x: (b - (a @ x - d * x)) / d, jnp.zeros_like(b))


@program(F(n(3, 30), n(4, 40), dtype="bfloat16"), F(n(4, 40), n(2, 20), dtype="bfloat16"))
def bf16_product(a, b):
    """Small floats, summed up in f32"""
    return jax.nn.relu(jnp.matmul(a, b, preferred_element_type=jnp.float32)), (a * 2 + 1).astype(jnp.float32)


@program(I(n(7, 1000), low=-100, high=100), I(n(7, 1000), low=1, high=9))
def integers(x, y):
    """Division as Python has it, remainders, shifts, bits"""
    u = x.astype(jnp.uint32)
    return x // y, x % y, x & y, x ^ y, x << (y % 5), x >> 1, u >> 3, jnp.abs(x), jnp.clip(x, -5, 5), lax.population_count(x)


@program(I(2, low=0, high=1 << 30, dtype="uint32"))
def random_numbers(key):
    """Threefry's bits as numbers from 0 to 1"""
    return jax.random.uniform(key, (n(5, 1000),))


@program(F(n(3, 30), n(8, 64)))
def fourier(x):
    return jnp.abs(jnp.fft.rfft(x, axis=1))


@program(F(n(4, 32), n(4, 32)), F(n(4, 32)))
def vmapped(a, v):
    """`vmap` of a function of one row; `jvp` of it"""
    f = lambda row: jnp.sin(jnp.dot(row, v)) * row
    return jax.vmap(f)(a), jax.jvp(f, (v,), (v,))[1]


@program(F(n(3, 10)))
def hessian(x):
    return jax.hessian(lambda x: jnp.sum(jnp.sin(x) * x ** 3) + jnp.prod(x))(x)


@program(F(n(4, 32), n(6, 64)), F(n(6, 64), n(3, 16)), F(n(6, 64), n(3, 16)), F(n(3, 16), n(6, 64), n(6, 64)))
def mixture_of_experts(x, gate, _unused, w):
    """The best expert for each token; all are computed"""
    p = jax.nn.softmax(x @ gate)
    best = jax.nn.one_hot(jnp.argmax(p, -1), p.shape[-1]) * p
    return jnp.einsum("te,tef->tf", best, jnp.einsum("td,edf->tef", x, w))


# Text

def number(value):
    """As short as says it"""
    if isinstance(value, (bool, np.bool_)):
        return "1" if value else "0"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    return np.format_float_positional(np.float32(value), unique=True, trim="-") if 1e-3 <= abs(value) < 1e7 or value == 0 else f"{value:.7e}" if np.isfinite(value) else str(float(value))


def kind(array):
    name = {"float32": "f32", "bfloat16": "bf16", "bool": "i1", "int32": "i32", "uint32": "i32", "int64": "i64"}[str(array.dtype)]
    return "x".join([*map(str, array.shape), name])


def lines(word, array):
    signed = array.view("int32") if str(array.dtype) == "uint32" else array
    words = [number(value) for value in np.ravel(signed.astype("float32") if str(array.dtype) == "bfloat16" else signed)]
    out, line = [], f"// {word} {kind(array)}:"
    for text in words:
        if len(line) + 1 + len(text) > 140:
            out.append(line)
            line = "//  "
        line += " " + text
    return [*out, line]


OURS = {"affine", "arith", "bufferization", "func", "linalg", "math", "memref", "scf", "tensor"}
OPS = re.compile(r"^ *(?:%[\w:, %]+ = )?([a-z_]+\.[a-z_.]+)", re.M)


def convert(text):
    """IREE's input conversion, and the module around it gone"""
    tool = pathlib.Path(sys.executable).parent / "iree-compile"
    ran = subprocess.run([tool, "--iree-input-type=stablehlo", "--compile-to=input", "-"], input=text, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip().splitlines()[0])
    out = re.sub(r"util\.func (public|private)", lambda m: "func.func" + (" private" if m[1] == "private" else ""), ran.stdout)
    out = out.replace("util.return", "return").replace("util.call", "call")
    inner, body = out.strip().splitlines(), []
    for line in inner:
        if not re.match(r"module|}$", line):
            body.append(line.removeprefix("  ") if not line.startswith("#") else line)
    return "\n".join(body) + "\n"


def main():
    folder = pathlib.Path(options.to)
    folder.mkdir(parents=True, exist_ok=True)
    foreign = []
    for seed, (name, (function, specs, nan)) in enumerate(PROGRAMS.items()):
        if options.names and name not in options.names:
            continue
        random = np.random.default_rng(seed)
        args = [spec.make(random) for spec in specs]
        if nan is not None:
            args[nan][1, 3] = np.nan
        args = [jnp.asarray(arg) for arg in args]
        text = jax.jit(function, keep_unused=True).lower(*args).as_text()
        try:
            text = text if options.stablehlo else convert(text)
        except RuntimeError as error:
            print(f"{name}: {error}")
            continue
        others = collections.Counter(op for op in OPS.findall(text) if op.split(".")[0] not in OURS and not op.endswith(".yield"))
        if others and not options.large and not options.stablehlo:
            foreign.append(name + ": " + ", ".join(f"{op} {count}" for op, count in sorted(others.items())))
            continue
        results = [np.asarray(result) for result in jax.tree_util.tree_leaves(jax.jit(function)(*args))]
        doc = " ".join((function.__doc__ or "").split())
        head = ["// test: round-trip", f"// {name.replace('_', ' ')}" + (f": {doc}" if doc else "")]
        if options.stablehlo:
            head += [f"// From JAX {jax.__version__}; `generate.py --stablehlo` in the folder `jax` made it."]
        else:
            head += [f"// From JAX {jax.__version__} by IREE's input conversion; `generate.py` beside this made it."]
        if options.large:
            for word, arrays in (("in", args), ("out", results)):
                for at, array in enumerate(arrays):
                    array = np.asarray(array)
                    if str(array.dtype) == "bfloat16":
                        array = array.view("uint16")
                    np.save(folder / f"{name}.{word}{at}.npy", array.view("int32") if str(array.dtype) == "uint32" else array)
        else:
            for word, arrays in (("in", args), ("out", results)):
                for array in arrays:
                    head += lines(word, np.asarray(array))
        (folder / f"{name}.mlir").write_text("\n".join(head) + "\n" + text)
        print(f"{name}: {len(text.splitlines())} lines")
    if not options.names and not options.large and not options.stablehlo:
        (folder / "foreign.txt").write_text("\n".join(foreign) + "\n")


if __name__ == "__main__":
    main()
