"""The programs of `generate.py` as functions of torch: the same arguments and results, as one would write them there.

`terrace-benches jax` measures them as they are (`torch`) and by TorchInductor. Each is compared with what JAX has computed before it is
timed. What has no counterpart is left out: loops until a condition holds, JAX's random numbers, conditions on values.
"""

import math

import torch
import torch.nn.functional as nn
from torch.func import grad, grad_and_value

PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


# Matrix products and their kin

@program
def mlp(x, w1, b1, w2, b2):
    return torch.softmax(torch.relu(x @ w1 + b1) @ w2 + b2, -1)


@program
def matmul_chain(a, b, c, d):
    return a @ b @ c @ d


@program
def einsums(a, b, m, v):
    return (
        torch.einsum("bik,bjk->bij", a, b),
        torch.einsum("ii->", m),
        torch.einsum("i,j->ij", v, v),
        torch.einsum("i,ij,j->", v, m, v),
        torch.einsum("bik->kb", a),
    )


# Attention

def attend(q, k, v):
    s = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
    mask = torch.tril(torch.ones((q.shape[1], k.shape[1]), dtype=torch.bool))
    p = torch.softmax(torch.where(mask, s, -1e30), -1)
    return torch.einsum("bhqk,bkhd->bqhd", p, v)


@program
def attention(q, k, v):
    return attend(q, k, v)


@program
def attention_gradient(q, k, v):
    return grad(lambda *a: torch.sum(attend(*a) ** 2), argnums=(0, 1, 2))(q, k, v)


@program
def decode_step(x, keys, values, wq, wk, wv, at):
    q, k, v = x @ wq, x @ wk, x @ wv
    places = torch.arange(keys.shape[1])
    here = (places == at)[None, :, None]
    keys = torch.where(here, k[:, None, :], keys)
    values = torch.where(here, v[:, None, :], values)
    s = torch.einsum("bd,btd->bt", q, keys) / math.sqrt(x.shape[-1])
    s = torch.where(places[None, :] <= at, s, -torch.inf)
    return torch.einsum("bt,btd->bd", torch.softmax(s, -1), values), keys, values


@program
def rope(x, at):
    d = x.shape[-1]
    rate = 1.0 / (10000.0 ** (torch.arange(0, d, 2) / d))
    angle = at[:, None, None] * rate
    a, b = torch.chunk(x, 2, -1)
    return torch.cat([a * torch.cos(angle) - b * torch.sin(angle), b * torch.cos(angle) + a * torch.sin(angle)], -1)


@program
def feed_forward(x, w1, w2, g, b):
    y = nn.layer_norm(x, x.shape[-1:], g, b, 1e-5)
    return x + nn.gelu(y @ w1, approximate="tanh") @ w2


# Norms and activations

@program
def layer_norm(x, g, b):
    return nn.layer_norm(x, x.shape[-1:], g, b, 1e-5)


@program
def rms_norm(x, g):
    return x * torch.rsqrt(torch.mean(x * x, -1, keepdim=True) + 1e-6) * g


@program
def batch_norm(x, g, b, mean, var):
    v, m = torch.var_mean(x, (0, 1, 2), correction=0)
    y = (x - m) * torch.rsqrt(v + 1e-5) * g + b
    return y, 0.9 * mean + 0.1 * m, 0.9 * var + 0.1 * v


@program
def group_norm(x, g, b):
    return nn.group_norm(x.permute(0, 3, 1, 2), 4, g, b, 1e-5).permute(0, 2, 3, 1)


@program
def activations(x):
    return (nn.gelu(x), nn.silu(x), nn.softplus(x), nn.leaky_relu(x), nn.elu(x), torch.tanh(x), torch.sigmoid(x), nn.relu6(x),
            torch.sign(x) * torch.floor(x))


@program
def softmaxes(x):
    return torch.softmax(x, 0), torch.log_softmax(x, 1), torch.logsumexp(x, (0, 1)), torch.logsumexp(x, 1)


# Convolutions and pooling

def images(x):
    return x.permute(0, 3, 1, 2)


def filters(w):
    return w.permute(3, 2, 0, 1)


def back(y):
    return y.permute(0, 2, 3, 1)


@program
def conv_relu(x, w, b):
    return torch.relu(back(nn.conv2d(images(x), filters(w), b, padding=1)))


@program
def conv_strided(x, w):
    return nn.conv2d(nn.pad(x, (0, 1, 1, 1)), w, stride=2), nn.conv2d(x, w, dilation=2)


@program
def conv_depthwise(x, w):
    return back(nn.conv2d(images(x), filters(w), padding=1, groups=x.shape[-1]))


@program
def conv_transposed(x, w):
    return back(nn.conv_transpose2d(images(x), filters(w), stride=2)[:, :, :-1, :-1])


@program
def conv_gradient(x, w):
    def loss(x, w):
        y = nn.conv1d(nn.pad(x.permute(0, 2, 1), (2, 0)), w.permute(2, 1, 0))
        return torch.sum(torch.tanh(y))
    return grad(loss, argnums=(0, 1))(x, w)


@program
def resnet_block(x, w1, w2, g1, g2):
    conv = lambda x, w: nn.conv2d(x, filters(w), padding=1)
    norm = lambda y, g: nn.instance_norm(y, weight=g, eps=1e-5)
    x = images(x)
    return back(torch.relu(x + norm(conv(torch.relu(norm(conv(x, w1), g1)), w2), g2)))


@program
def pooling(x):
    x = images(x)
    padded = nn.pad(x, (0, 1, 0, 1))
    return (
        back(nn.max_pool2d(x, 3, 2)),
        back(nn.avg_pool2d(padded, 3, 2)),
        back(-nn.max_pool2d(-x, 2, 2)),
        x.mean((2, 3)),
    )


@program
def max_pool_gradient(x):
    def loss(x):
        b, h, w, c = x.shape
        return torch.sum(torch.sin(torch.amax(x.reshape(b, h // 2, 2, w // 2, 2, c), (2, 4))))
    return grad(loss)(x)


# Recurrences

def cell(state, x, w, u, b):
    h, c = state
    i, f, g, o = torch.chunk(x @ w / x.shape[-1] + h @ u / h.shape[-1] + b, 4, -1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


@program
def lstm_cell(h, c, x, w, u, b):
    return cell((h, c), x, w, u, b)


@program
def lstm_scan(xs, w, u, b):
    h = c = torch.zeros((xs.shape[1], u.shape[0]))
    outputs = []
    for x in xs:
        h, c = cell((h, c), x, w, u, b)
        outputs.append(h)
    return h, c, torch.stack(outputs)


@program
def rnn_unrolled(xs, w, u):
    h, outputs = torch.zeros(u.shape[0]), []
    for x in xs:
        h = torch.tanh(x @ w + h @ u / u.shape[0])
        outputs.append(h)
    return torch.stack(outputs)


@program
def rnn_gradient(xs, w, u):
    def loss(w, u):
        h, total = torch.zeros(u.shape[0]), 0.0
        for x in xs:
            h = torch.tanh(x @ w + h @ u / u.shape[0])
            total = total + torch.sum(h)
        return total
    return grad(loss, argnums=(0, 1))(w, u)


@program
def state_space(xs, a, b, c):
    def run(xs):
        h, outputs = torch.zeros(a.shape[0]), []
        for x in xs:
            h = 0.25 * (h @ a) + x @ b
            outputs.append(h @ c)
        return torch.stack(outputs)
    return run(xs), run(xs.flip(0)).flip(0)


# Loops

@program
def power_iteration(a, v):
    for _ in range(6):
        w = a @ v
        v = w / torch.sqrt(torch.sum(w * w))
    return v


@program
def heat(u):
    for _ in range(10):
        p = nn.pad(u, (1, 1, 1, 1))
        u = u + 0.1 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * u)
    return u


@program
def runge_kutta(x, v, dt):
    f = lambda x, v: (v, -x - 0.1 * v)
    for _ in range(5):
        a = f(x, v)
        b = f(x + dt / 2 * a[0], v + dt / 2 * a[1])
        c = f(x + dt / 2 * b[0], v + dt / 2 * b[1])
        d = f(x + dt * c[0], v + dt * c[1])
        x, v = (s + dt * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) / 6 for i, s in enumerate((x, v)))
    return x, v


# Losses and steps of training

@program
def cross_entropy_one_hot(x, label):
    y = nn.one_hot(label.long(), x.shape[1]) * 0.9 + 0.1 / x.shape[1]
    slope, value = grad_and_value(lambda x: -torch.mean(torch.sum(y * torch.log_softmax(x, -1), -1)))(x)
    return value, slope


@program
def sgd_step(x, y, w, b):
    loss = lambda w, b: torch.mean((x @ w + b - y) ** 2)
    (dw, db), value = grad_and_value(loss, argnums=(0, 1))(w, b)
    return w - 0.1 * dw, b - 0.1 * db, value


@program
def training_step(x, w1, w2, label):
    def loss(w1, w2):
        logits = torch.tanh(x @ w1) @ w2
        return nn.cross_entropy(logits, label.long())
    slopes, value = grad_and_value(loss, argnums=(0, 1))(w1, w2)
    return [p - 0.5 * g for p, g in zip((w1, w2), slopes)] + [value]


@program
def adam_step(w, g, m, v, t):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    t = t.float()
    return w - 0.01 * (m / (1 - 0.9 ** t)) / (torch.sqrt(v / (1 - 0.999 ** t)) + 1e-8), m, v


# Places: gather, slices, joins

@program
def embedding(table, ids):
    return table[ids]


@program
def joins(a, b, c):
    return (
        torch.cat([a, b]), torch.cat([a, c, a], 1), torch.stack([a, 2 * a], 1), torch.tile(b, (2, 1)),
        torch.hstack([a, c]) @ torch.vstack([b.T[:, :1], c.T[:, :1]]),
    )


@program
def masked(x, m):
    m = m.bool()
    mean = torch.sum(torch.where(m, x, 0), 1) / torch.clamp(torch.sum(m, 1), min=1)
    return mean, torch.max(torch.where(m, x, -torch.inf)), torch.any(m, 1), torch.all(m, 0), torch.count_nonzero(m)


# Order and extremes

@program
def top_1(x, k):
    best = torch.argmax(x, -1)
    rest = torch.where(torch.arange(x.shape[-1]) == best[:, None], -torch.inf, x)
    return best, torch.amax(x, -1), torch.argmax(rest, -1), torch.mean((best == k).float())


@program
def statistics(x, y):
    z = lambda v: (v - v.mean()) / v.std(correction=0)
    return x.mean(), x.var(), torch.mean(z(x) * z(y)), torch.linalg.norm(x), torch.dot(x, y), torch.prod(x), torch.max(x) - torch.min(x)


# Others

@program
def distances(a, b):
    d = torch.sqrt(torch.sum((a[:, None] - b[None]) ** 2, -1) + 1e-9)
    return d, torch.argmin(d, 1), torch.exp(-d)


@program
def jacobi_solver(a, b):
    a = a + (4.0 * a.shape[0]) * torch.eye(a.shape[0])
    d = torch.diag(a)
    x = torch.zeros_like(b)
    for _ in range(12):
        x = (b - (a @ x - d * x)) / d
    return x


@program
def bf16_product(a, b):
    return torch.relu(a.float() @ b.float()), (a * 2 + 1).float()


@program
def vmapped(a, v):
    rows = torch.sin(a @ v)[:, None] * a
    s = torch.dot(v, v)
    return rows, (torch.cos(s) * s + torch.sin(s)) * v


@program
def mixture_of_experts(x, gate, _unused, w):
    p = torch.softmax(x @ gate, -1)
    best = nn.one_hot(torch.argmax(p, -1), p.shape[-1]) * p
    return torch.einsum("te,tef->tf", best, torch.einsum("td,edf->tef", x, w))
