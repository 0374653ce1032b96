# The same case studies as views and scalar functions.
from terrace_mdh import *

T = f32


@mdh()
def dot():
    @scalar_function
    def f(out, inp):
        out["result"] = inp["x"] * inp["y"]

    return (
        out_view[T](result=[lambda k: ()]),
        md_hom[37](f, (pw(add))),
        inp_view[T, T](x=[lambda k: (k)], y=[lambda k: (k)]),
    )


@mdh()
def matvec():
    @scalar_function()
    def f(out, inp):
        out["w"] = inp["M"] * inp["v"]

    return (
        out_view[T](w=[lambda i, k: (i)]),
        md_hom[9, 7](f, (cc, pw(add))),
        inp_view[T, T](M=[lambda i, k: (i, k)], v=[lambda i, k: (k)]),
    )


def make(T, I, J, K):
    @mdh()
    def matmul():
        @scalar_function
        def f(out, inp):
            out["C"] = inp["A"] * inp["B"]

        return (
            out_view[T](C=[lambda i, j, k: (i, j)]),
            md_hom[I, J, K](f, (cc, cc, pw(add))),
            inp_view[T, T](A=[lambda i, j, k: (i, k)], B=[lambda i, j, k: (k, j)]),
        )


make(f32, 4, 5, 6)


@mdh()
def jacobi1d():
    @scalar_function
    def f(out, inp):
        out["y"] = (inp["x", 1] + inp["x", 2] + inp["x", 3]) / 3.0

    return (
        out_view[T](y=[lambda i: (i)]),
        md_hom[9](f, (cc)),
        inp_view[T](x=[lambda i: (i + 0), lambda i: (i + 1), lambda i: (i + 2)]),
    )


@mdh()
def sum_max():
    @scalar_function
    def f(out, inp):
        out["s"] = inp["x"]
        out["m"] = inp["x"]

    return (
        out_view[T, T](s=[lambda i: ()], m=[lambda i: ()]),
        md_hom[19](f, (pw((add, max)))),
        inp_view[T](x=[lambda i: (i)]),
    )


@mdh()
def mbbs():
    @scalar_function
    def f(out, inp):
        out["sums"] = inp["x"]

    return (
        out_view[i32](sums=[lambda i, j: (i)]),
        md_hom[6, 5](f, (ps(add), pw(add))),
        inp_view[i32](x=[lambda i, j: (i, j)]),
    )


@pw_custom_func(commutative=True, exact=True, identity=(-2147483648, float("-inf")), types=(i32, f32))
def better(res, lhs, rhs):
    later = rhs["id"] if rhs["w"] > lhs["w"] else max(lhs["id"], rhs["id"])
    res["id"] = lhs["id"] if lhs["w"] > rhs["w"] else later
    res["w"] = max(lhs["w"], rhs["w"])


@mdh()
def prl():
    @scalar_function
    def f(out, inp):
        name = abs(inp["N_name"] - inp["E_name"])
        day = abs(inp["N_day"] - inp["E_day"])
        out["best_id"] = inp["E_id"]
        out["best_weight"] = 2.0 - name - day if name < 0.5 else -day

    return (
        out_view[i32, f32](best_id=[lambda i, j: (i)], best_weight=[lambda i, j: (i)]),
        md_hom[5, 8](f, (cc, pw(better))),
        inp_view[i32, f32, f32, f32, f32](
            E_id=[lambda i, j: (j)],
            N_name=[lambda i, j: (i)],
            N_day=[lambda i, j: (i)],
            E_name=[lambda i, j: (j)],
            E_day=[lambda i, j: (j)],
        ),
    )
