# Listing 3 of the paper, with what it leaves out for brevity: the schedule that TVM's search found for the matrix product
# of ResNet-50's last layer on a GPU. As steps it is Listing 5 (test-files/lowering/mdh/listing5.mlir).
import tvm
from tvm import te

I, J, K = 16, 1000, 2048
A = te.placeholder((I, K), dtype="float32")
B = te.placeholder((K, J), dtype="float32")
k = te.reduce_axis((0, K))
matmul = te.compute((I, J), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k))
s = te.create_schedule(matmul.op)

# exploiting fast memory resources for "C":
matmul_local, = s.cache_write([matmul], "local")
matmul_1, matmul_2, matmul_3 = tuple(matmul_local.op.axis) + tuple(matmul_local.op.reduce_axis)
SHR_1, REG_1 = s[matmul_local].split(matmul_1, factor=1)
THR_1, SHR_1 = s[matmul_local].split(SHR_1, factor=1)
DEV_1, THR_1 = s[matmul_local].split(THR_1, factor=4)
BLK_1, DEV_1 = s[matmul_local].split(DEV_1, factor=2)
SHR_2, REG_2 = s[matmul_local].split(matmul_2, factor=1)
THR_2, SHR_2 = s[matmul_local].split(SHR_2, factor=1)
DEV_2, THR_2 = s[matmul_local].split(THR_2, factor=20)
BLK_2, DEV_2 = s[matmul_local].split(DEV_2, factor=1)
SHR_3, REG_3 = s[matmul_local].split(matmul_3, factor=2)
DEV_3, SHR_3 = s[matmul_local].split(SHR_3, factor=128)
s[matmul_local].reorder(
    BLK_1, BLK_2, DEV_1, DEV_2, THR_1, THR_2, DEV_3, SHR_3, SHR_1, SHR_2, REG_3, REG_1, REG_2
)
DEV_3_of_local = DEV_3

# tiling:
matmul_1, matmul_2, matmul_3 = tuple(matmul.op.axis) + tuple(matmul.op.reduce_axis)
THR_1, SHR_REG_1 = s[matmul].split(matmul_1, factor=1)
DEV_1, THR_1 = s[matmul].split(THR_1, factor=4)
BLK_1, DEV_1 = s[matmul].split(DEV_1, factor=2)
THR_2, SHR_REG_2 = s[matmul].split(matmul_2, factor=1)
DEV_2, THR_2 = s[matmul].split(THR_2, factor=20)
BLK_2, DEV_2 = s[matmul].split(DEV_2, factor=1)
s[matmul].reorder(BLK_1, BLK_2, DEV_1, DEV_2, THR_1, THR_2, SHR_REG_1, SHR_REG_2)
s[matmul_local].compute_at(s[matmul], THR_2)

# block/thread assignments; loops over tiles of a block are virtual threads:
BLK_fused = s[matmul].fuse(BLK_1, BLK_2)
s[matmul].bind(BLK_fused, te.thread_axis("blockIdx.x"))
DEV_fused = s[matmul].fuse(DEV_1, DEV_2)
s[matmul].bind(DEV_fused, te.thread_axis("vthread"))
THR_fused = s[matmul].fuse(THR_1, THR_2)
s[matmul].bind(THR_fused, te.thread_axis("threadIdx.x"))

# exploiting fast memory resources for "A":
A_shared = s.cache_read(A, "shared", [matmul_local])
A_shared_ax0, A_shared_ax1 = tuple(A_shared.op.axis)
A_shared_ax0_ax1_fused = s[A_shared].fuse(A_shared_ax0, A_shared_ax1)
A_shared_ax0_ax1_fused_o, A_shared_ax0_ax1_fused_i = s[A_shared].split(A_shared_ax0_ax1_fused, factor=1)
s[A_shared].vectorize(A_shared_ax0_ax1_fused_i)
s[A_shared].compute_at(s[matmul_local], DEV_3_of_local)

# exploiting fast memory resources for "B":
B_shared = s.cache_read(B, "shared", [matmul_local])
B_shared_ax0, B_shared_ax1 = tuple(B_shared.op.axis)
B_shared_ax0_ax1_fused = s[B_shared].fuse(B_shared_ax0, B_shared_ax1)
B_shared_ax0_ax1_fused_o, B_shared_ax0_ax1_fused_i = s[B_shared].split(B_shared_ax0_ax1_fused, factor=4)
s[B_shared].vectorize(B_shared_ax0_ax1_fused_i)
s[B_shared].compute_at(s[matmul_local], DEV_3_of_local)
