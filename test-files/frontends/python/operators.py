# The operators of FlexTensor's Table 1 and its section 6.4, as functions of tensors.
from terrace_mdh import *


def gmv(M, K):
    @tensor
    def gmv(A: f32[M, K], x: f32[K]):
        y[i] = sum[k](A[i, k] * x[k])


def gmm(M, N, K):
    @tensor
    def gmm(A: f32[M, K], B: f32[K, N]):
        C[i, j] = A[i, k] * B[k, j]


def bil(N, M, K, L):
    @tensor
    def bil(A: f32[N, K], B: f32[M, K, L], C: f32[N, L]):
        O[i, j] = sum[k, l](A[i, k] * B[j, k, l] * C[i, l])


def c1d(B, C, L, K, R, S, P):
    @tensor
    def c1d(X: f32[B, C, L], F: f32[K, C, R]):
        Z[b, c, x : L + 2 * P] = otherwise(X[b, c, x - P], 0)
        Y[b, k, x : (L + 2 * P - R) // S + 1] = sum[c, r](Z[b, c, S * x + r] * F[k, c, r])


def t1d(B, C, L, K, R, S, P):
    N, Q = (L - 1) * S + 1, R - 1 - P

    @tensor
    def t1d(X: f32[B, C, L], F: f32[C, K, R]):
        E[b, c, x:N] = X[b, c, x // S] if x % S == 0 else 0
        Z[b, c, x : N + 2 * Q] = otherwise(E[b, c, x - Q], 0)
        Y[b, k, x : N + 2 * Q - R + 1] = sum[c, r](Z[b, c, x + r] * F[c, k, R - 1 - r])


def c2d(B, C, H, W, K, R, S, P):
    @tensor
    def c2d(X: f32[B, C, H, W], F: f32[K, C, R, R]):
        Z[b, c, y : H + 2 * P, x : W + 2 * P] = otherwise(X[b, c, y - P, x - P], 0)
        Y[b, k, y : (H + 2 * P - R) // S + 1, x : (W + 2 * P - R) // S + 1] = sum[c, r, s](
            Z[b, c, S * y + r, S * x + s] * F[k, c, r, s]
        )


def t2d(B, C, H, W, K, R, S, P):
    M, N, Q = (H - 1) * S + 1, (W - 1) * S + 1, R - 1 - P

    @tensor
    def t2d(X: f32[B, C, H, W], F: f32[C, K, R, R]):
        E[b, c, y:M, x:N] = X[b, c, y // S, x // S] if y % S == 0 and x % S == 0 else 0
        Z[b, c, y : M + 2 * Q, x : N + 2 * Q] = otherwise(E[b, c, y - Q, x - Q], 0)
        Y[b, k, y : M + 2 * Q - R + 1, x : N + 2 * Q - R + 1] = sum[c, r, s](
            Z[b, c, y + r, x + s] * F[c, k, R - 1 - r, R - 1 - s]
        )


def c3d(B, C, D, H, W, K, R, S, P):
    @tensor
    def c3d(X: f32[B, C, D, H, W], F: f32[K, C, R, R, R]):
        Z[b, c, z : D + 2 * P, y : H + 2 * P, x : W + 2 * P] = otherwise(X[b, c, z - P, y - P, x - P], 0)
        Y[b, k, z : (D + 2 * P - R) // S + 1, y : (H + 2 * P - R) // S + 1, x : (W + 2 * P - R) // S + 1] = sum[c, q, r, s](
            Z[b, c, S * z + q, S * y + r, S * x + s] * F[k, c, q, r, s]
        )


def t3d(B, C, D, H, W, K, R, S, P):
    L, M, N, Q = (D - 1) * S + 1, (H - 1) * S + 1, (W - 1) * S + 1, R - 1 - P

    @tensor
    def t3d(X: f32[B, C, D, H, W], F: f32[C, K, R, R, R]):
        E[b, c, z:L, y:M, x:N] = X[b, c, z // S, y // S, x // S] if z % S == 0 and y % S == 0 and x % S == 0 else 0
        Z[b, c, z : L + 2 * Q, y : M + 2 * Q, x : N + 2 * Q] = otherwise(E[b, c, z - Q, y - Q, x - Q], 0)
        Y[b, k, z : L + 2 * Q - R + 1, y : M + 2 * Q - R + 1, x : N + 2 * Q - R + 1] = sum[c, q, r, s](
            Z[b, c, z + q, y + r, x + s] * F[c, k, R - 1 - q, R - 1 - r, R - 1 - s]
        )


def grp(B, C, H, W, K, R, S, P, G):
    @tensor
    def grp(X: f32[B, C, H, W], F: f32[K, C // G, R, R]):
        Z[b, c, y : H + 2 * P, x : W + 2 * P] = otherwise(X[b, c, y - P, x - P], 0)
        Y[b, k, y : (H + 2 * P - R) // S + 1, x : (W + 2 * P - R) // S + 1] = sum[c, r, s](
            Z[b, k // (K // G) * (C // G) + c, S * y + r, S * x + s] * F[k, c, r, s]
        )


def dep(B, C, H, W, M, R, S, P):
    @tensor
    def dep(X: f32[B, C, H, W], F: f32[C, M, R, R]):
        Z[b, c, y : H + 2 * P, x : W + 2 * P] = otherwise(X[b, c, y - P, x - P], 0)
        Y[b, k : C * M, y : (H + 2 * P - R) // S + 1, x : (W + 2 * P - R) // S + 1] = sum[r, s](
            Z[b, k // M, S * y + r, S * x + s] * F[k // M, k % M, r, s]
        )


def dil(B, C, H, W, K, R, S, P, D):
    @tensor
    def dil(X: f32[B, C, H, W], F: f32[K, C, R, R]):
        Z[b, c, y : H + 2 * P, x : W + 2 * P] = otherwise(X[b, c, y - P, x - P], 0)
        Y[b, k, y : (H + 2 * P - D * (R - 1) - 1) // S + 1, x : (W + 2 * P - D * (R - 1) - 1) // S + 1] = sum[c, r, s](
            Z[b, c, S * y + D * r, S * x + D * s] * F[k, c, r, s]
        )


def bcm(M, N, T):
    @tensor
    def bcm(A: f32[M, N]):
        D[i : M // T, j : N // T * T] = sum[t:T](A[T * i + t, j // T * T + (j % T + t) % T] / T)
        O[i:M, j:N] = otherwise(D[i // T, j // T * T + (j % T + T - i % T) % T], 0)


def sho(B, H, W, C, R, D):
    P = D * (R - 1) // 2

    @tensor
    def sho(X: f32[B, H, W, C], I: i32[C] < R * R):
        Z[b, y : H + 2 * P, x : W + 2 * P, c] = otherwise(X[b, y - P, x - P, c], 0)
        Y[b, y:H, x:W, c] = Z[b, y + I[c] // R * D, x + I[c] % R * D, c]


gmv(M=7, K=5)
gmm(M=5, N=7, K=3)
bil(N=3, K=5, L=7, M=2)
c1d(B=2, C=3, L=11, K=5, R=3, S=2, P=1)
t1d(B=1, C=2, L=5, K=3, R=7, S=2, P=0)
c2d(B=1, C=3, H=11, W=13, K=2, R=7, S=2, P=3)
t2d(B=1, C=2, H=5, W=3, K=3, R=3, S=2, P=1)
c3d(B=2, C=2, D=3, H=5, W=3, K=3, R=3, S=1, P=1)
t3d(B=1, C=3, D=2, H=3, W=2, K=2, R=5, S=2, P=2)
grp(B=2, C=6, H=5, W=7, K=9, R=3, S=1, P=1, G=3)
dep(B=1, C=3, H=7, W=5, M=6, R=3, S=2, P=1)
dil(B=1, C=2, H=13, W=11, K=3, R=3, S=2, P=1, D=3)
bcm(M=15, N=20, T=5)
sho(B=2, H=5, W=7, C=11, R=3, D=1)
