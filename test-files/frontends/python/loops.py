# Case studies as nests of loops under a decorator.
from terrace_mdh import *

T, N, I, J, K = f32, 11, 4, 5, 6


@mdh(out(result=Buffer[T]), inp(x=Buffer[T], y=Buffer[T]), combine_ops(pw(add)))
def dot(result, x, y):
    for k in range(37):
        result[()] = x[k] * y[k]


@mdh(out(w=Buffer[T]), inp(M=Buffer[T], v=Buffer[T]), combine_ops(cc, pw(add)))
def matvec(w, M, v):
    for i in range(9):
        for k in range(7):
            w[i] = M[i, k] * v[k]


def make(I, J, K):
    @mdh(out(C=Buffer[T]), inp(A=Buffer[T], B=Buffer[T]), combine_ops(cc, cc, pw(add)))
    def matmul(C, A, B):
        for i in range(I):
            for j in range(J):
                for k in range(K):
                    C[i, j] = A[i, k] * B[k, j]


make(I, J, K)


@mdh(out(y=Buffer[T]), inp(x=Buffer[T]), combine_ops(cc))
def jacobi1d(y, x):
    for i in range(N - 2):
        s = x[i] + x[i + 1]
        y[i] = (s + x[i + 2]) / 3.0


@mdh(out(h=Buffer[i32]), inp(v=Buffer[i32]), combine_ops(pw(add), cc))
def histogram(h, v):
    for e in range(29):
        for b in range(4):
            h[b] = 1 if v[e] == b else 0


@mdh(out(s=Buffer[T], m=Buffer[T]), inp(x=Buffer[T]), combine_ops(pw((add, max))))
def sum_max(s, m, x):
    for i in range(19):
        s[()] = x[i]
        m[()] = x[i]


@mdh(out(y=Buffer[T]), inp(x=Buffer[T]), combine_ops(ps(add)))
def scan(y, x):
    for i in range(13):
        y[i] = x[i]


@mdh(out(sums=Buffer[i32]), inp(x=Buffer[i32]), combine_ops(ps(add), pw(add)))
def mbbs(sums, x):
    for i in range(6):
        for j in range(5):
            sums[i] = x[i, j]


@pw_custom_func(commutative=True, exact=True, identity=0, types=i32)
def join(res, lhs, rhs):
    res["n"] = lhs["n"] * rhs["n"] + lhs["n"] + rhs["n"]


@mdh(out(h=Buffer[i32]), inp(v=Buffer[i32]), combine_ops(pw(join), cc))
def gen_histogram(h, v):
    for e in range(23):
        for b in range(5):
            h[b] = 1 if (v[e] % 8 + 8) % 8 == b else 0
