"""Computations as decorated Python functions, turned into MDH text; functions of tensors (`@tensor`) become tensor expressions.

Two forms, as the authors of MDH have them: a nest of loops under `@mdh(out(…), inp(…), combine_ops(…))`, and views with a
scalar function under `@mdh()`. Source is read with `ast`; nothing inside of a computation is run.

Invariant: text is a function of the source and of the sizes and types in scope; definitions come in the order of decoration.
"""

import ast
import functools
import inspect
import textwrap

__all__ = [
    "Buffer", "MdhError", "add", "cc", "combine_ops", "f16", "f32", "f64", "i8", "i16", "i32", "i64", "inp", "inp_view",
    "max", "md_hom", "mdh", "min", "mul", "out", "out_view", "ps", "pw", "pw_custom_func", "scalar_function", "schedule", "tensor",
]


class MdhError(Exception):
    """What can't be said, with its place"""


class Type:
    """A type of elements"""

    def __init__(self, name):
        self.name = name

    def __getitem__(self, sizes):
        return expressions.Tensor(self, sizes if isinstance(sizes, tuple) else (sizes,))


f16, f32, f64 = Type("f16"), Type("f32"), Type("f64")
i8, i16, i32, i64 = Type("i8"), Type("i16"), Type("i32"), Type("i64")


class Buffer:
    """`Buffer[T]`"""

    def __init__(self, elem):
        self.elem = elem

    def __class_getitem__(cls, elem):
        return cls(checked(elem))


def checked(elem):
    if not isinstance(elem, Type):
        raise MdhError(f"{elem!r} is no type of elements: f16 f32 f64 i8 i16 i32 i64")
    return elem


class Operator:
    """How a dimension combines: its text, and the definition it needs"""

    def __init__(self, text, definition=None):
        self.text = text
        self.definition = definition


class Function:
    """A function that is read, not run"""

    def __init__(self, function, word):
        self.name = function.__name__
        self.source = Source(function, word)


add, mul, min, max = Operator("+"), Operator("*"), Operator("min"), Operator("max")
cc = ("++", [])


def operators(what, all):
    """Text of one operator or of a tuple of them, and definitions"""
    parts = all if isinstance(all, tuple) else (all,)
    for part in parts:
        if not isinstance(part, Operator):
            raise MdhError(f"{what}: {part!r} is no operator: add mul min max, or a function under @pw_custom_func")
    text = ", ".join(part.text for part in parts)
    definitions = [part.definition for part in parts if part.definition]
    return (f"({text})" if len(parts) > 1 else text), definitions


def pw(operator):
    """Point-wise"""
    return operators("pw", operator)


def ps(operator):
    """Prefixes"""
    text, definitions = operators("ps", operator)
    return f"ps({text})", definitions


def named(**buffers):
    for name, buffer in buffers.items():
        if not isinstance(buffer, Buffer):
            raise MdhError(f"{name}: expected Buffer[T]")
    return buffers


def out(**buffers):
    """Outputs of a nest of loops"""
    return ("out", named(**buffers))


def inp(**buffers):
    """Inputs of a nest of loops"""
    return ("inp", named(**buffers))


def schedule(steps):
    """(De/re)-composition steps of the computation: `1: (8,^) (^ ; ^) (THR.x,^) 2: …`"""
    if not isinstance(steps, str) or steps.count("(") != steps.count(")") or not steps.strip():
        raise MdhError(f"schedule({steps!r}): expected steps as a text, such as '1: (8,^) (^ ; ^) (THR.x,^)'")
    return ("schedule", steps)


def combine_ops(*kinds):
    """One per loop, outermost first"""
    return ("combine_ops", list(kinds))


class Source:
    """A function's syntax, and the values of names around it"""

    def __init__(self, function, word):
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError) as error:
            raise MdhError(f"{function!r}: its source can't be found") from error
        text = textwrap.dedent("".join(lines))
        self.shift = len(lines[0]) - len(lines[0].lstrip())
        self.file, self.first = inspect.getsourcefile(function), first
        tree = ast.parse(text).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise MdhError(f"@{word} stands above a function")
        self.tree = tree
        closure = inspect.getclosurevars(function)
        self.around = {**closure.builtins, **closure.globals, **closure.nonlocals}
        # Names that the body uses only inside of lambdas are in the globals.
        self.globals = function.__globals__

    def fail(self, node, message):
        line = self.first + node.lineno - 1
        raise MdhError(f"{self.file}:{line}:{node.col_offset + self.shift + 1}: {message}")

    def value(self, node):
        """What an expression outside of the computation stands for"""
        code = compile(ast.Expression(node), self.file, "eval")
        try:
            return eval(code, {**self.globals, **self.around})
        except Exception as error:
            self.fail(node, f"not known here: {error}")

    def size(self, node):
        value = self.value(node)
        if not isinstance(value, int) or value < 0:
            self.fail(node, "a size is a number that is known here")
        return value


BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%"}
COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
CALLS = {"exp", "log", "sqrt", "abs", "min", "max", "sin", "cos", "tanh", "floor", "ceil"}


class Expr:
    """Expressions as MDH text; `leaf` says what subscripts stand for, `names` what names do"""

    def __init__(self, source, leaf, names):
        self.source, self.leaf, self.names = source, leaf, names

    def text(self, node):
        fail = self.source.fail
        match node:
            case ast.Constant(value=bool()):
                return "1" if node.value else "0"
            case ast.Constant(value=int() | float()):
                return repr(node.value)
            case ast.Name(id=name):
                if name in self.names:
                    return self.names[name]
                if name in self.source.around and isinstance(self.source.around[name], (int, float)):
                    value = self.source.around[name]
                    return repr(value) if value >= 0 else f"({value!r})"
                fail(node, f"{name} is no dimension, no number and nothing assigned before")
            case ast.Subscript():
                return self.leaf(node)
            case ast.BinOp(op=op) if type(op) in BINARY:
                return f"({self.text(node.left)} {BINARY[type(op)]} {self.text(node.right)})"
            case ast.UnaryOp(op=ast.USub()):
                return f"(-{self.text(node.operand)})"
            case ast.Compare(ops=[op]) if type(op) in COMPARE:
                return f"({self.text(node.left)} {COMPARE[type(op)]} {self.text(node.comparators[0])})"
            case ast.BoolOp():
                sign = " && " if isinstance(node.op, ast.And) else " || "
                return "(" + sign.join(self.text(value) for value in node.values) + ")"
            case ast.IfExp():
                return f"({self.text(node.test)} ? {self.text(node.body)} : {self.text(node.orelse)})"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), keywords=[]) if name in CALLS:
                return f"{name}({', '.join(self.text(arg) for arg in node.args)})"
            case ast.Call():
                fail(node, "this function is not known in a computation: " + " ".join(sorted(CALLS)))
            case _:
                fail(node, "this expression has no place in a computation")


def plain(text):
    """Without parentheses around the whole"""
    if not text.startswith("("):
        return text
    depth = 0
    for at, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return text[1:-1] if at == len(text) - 1 else text
    return text


def subscripts(node):
    index = node.slice
    return index.elts if isinstance(index, ast.Tuple) else [index]


def index_function(source, dims, all):
    """`(i,k)->(i+1,k)`"""
    def no_leaf(node):
        source.fail(node, "an index function depends on loop variables alone, not on data")

    expr = Expr(source, no_leaf, {dim: dim for dim in dims})
    return f"({','.join(dims)})->({','.join(plain(expr.text(e)) for e in all)})"


def body_values(source, statements, expr, target):
    """The values of assignments to outputs; other names stand for their values"""
    values = []
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                expr.names[name] = expr.text(value)
            case ast.Assign(targets=[ast.Subscript() as place], value=value):
                values.append((target(place), expr.text(value)))
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                source.fail(statement, "a body assigns to outputs and to names of its own")
    return values


class Mdh:
    """A computation: `.name`, `.text`"""

    all = []

    def __init__(self, name, dims, sizes, kinds, outs, inps, scalar, definitions):
        self.name = name
        self.definitions = definitions
        types = lambda views: ",".join(elem for elem, _ in views.values())
        view = lambda views: ", ".join(f"{name}: {', '.join(maps)}" for name, (_, maps) in views.items())
        self.body = (
            f"{name} :=\n  out_view<{types(outs)}>( {view(outs)} )\n"
            f"  o md_hom<{','.join(map(str, sizes))}>( {scalar}, ({', '.join(kinds)}) )\n"
            f"  o inp_view<{types(inps)}>( {view(inps)} )\n"
        )
        Mdh.all.append(self)

    @property
    def text(self):
        return "".join(unique(self.definitions)) + self.body


def unique(all):
    return list(dict.fromkeys(all))


def mdh(*parts):
    """Above a nest of loops: `@mdh(out(…), inp(…), combine_ops(…))`; above views: `@mdh()`; `schedule(…)` may stand in both"""
    parts = dict(parts)
    steps = parts.pop("schedule", None)
    read = functools.partial(from_loops, parts) if parts else from_views

    def decorate(function):
        made = read(function)
        if steps is not None:
            made.body += f"  schedule({steps})\n"
        return made

    return decorate


def split_kinds(source, node, kinds, count):
    if len(kinds) != count:
        source.fail(node, f"{count} dimensions, {len(kinds)} operators")
    definitions = [definition for _, all in kinds for definition in all]
    return [text for text, _ in kinds], definitions


def from_loops(parts, function):
    source = Source(function, "mdh")
    missing = [word for word in ("out", "inp", "combine_ops") if word not in parts]
    if missing:
        source.fail(source.tree, f"{missing[0]}(…) is missing in the decorator")
    outs, inps = parts["out"], parts["inp"]
    for arg in source.tree.args.args:
        if arg.arg not in outs and arg.arg not in inps:
            source.fail(arg, f"{arg.arg} is neither in out(…) nor in inp(…)")
    dims, sizes, statements = [], [], source.tree.body
    while True:
        statements = [s for s in statements if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        loops = [s for s in statements if isinstance(s, ast.For)]
        if not loops:
            break
        if len(statements) > 1:
            odd = next(s for s in statements if s is not loops[0])
            source.fail(odd, "not perfect: a loop stands alone in the loop around it")
        loop = loops[0]
        match loop:
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[size]), orelse=[]):
                if name in dims:
                    source.fail(loop.target, f"{name} is the variable of two loops")
                if any(isinstance(n, ast.Name) and n.id in dims for n in ast.walk(size)):
                    source.fail(size, "the bound depends on an outer loop")
                dims.append(name)
                sizes.append(source.size(size))
            case _:
                source.fail(loop, "a loop is `for i in range(N)`")
        statements = loop.body
    if not dims:
        source.fail(source.tree, "there is no loop")
    kinds, definitions = split_kinds(source, source.tree, parts["combine_ops"], len(dims))
    accesses = {name: [] for name in inps}
    places = {name: [] for name in outs}

    def leaf(node):
        if not isinstance(node.value, ast.Name) or node.value.id not in inps:
            name = ast.unparse(node.value)
            why = "an output is not read" if name in outs else f"{name} is not in inp(…)"
            source.fail(node, why)
        all = accesses[node.value.id]
        text = index_function(source, dims, subscripts(node))
        if text not in all:
            all.append(text)
        # Named when all accesses are known.
        return f"\0{node.value.id}\1{all.index(text)}\0"

    def target(node):
        if not isinstance(node.value, ast.Name) or node.value.id not in outs:
            source.fail(node, f"{ast.unparse(node.value)} is not in out(…)")
        empty = ast.unparse(node.slice) in ("()", "None", "...")
        text = index_function(source, dims, [] if empty else subscripts(node))
        places[node.value.id].append(text)
        return node.value.id

    expr = Expr(source, leaf, {dim: dim for dim in dims})
    values = body_values(source, statements, expr, target)
    for name in outs:
        if not places[name]:
            source.fail(source.tree, f"nothing is written to {name}")
    for name in inps:
        if not accesses[name]:
            source.fail(source.tree, f"{name} is not read")
    params = {f"\0{name}\1{n}\0": f"x{name}_{n}" for name, all in accesses.items() for n in range(len(all))}
    ordered = [text for name in outs for place, text in values if place == name]
    scalar = scalar_text(params, ordered)
    views = lambda buffers, maps: {name: (buffer.elem.name, maps[name]) for name, buffer in buffers.items()}
    return Mdh(function.__name__, dims, sizes, kinds, views(outs, places), views(inps, accesses), scalar, definitions)


def scalar_text(params, values):
    values = [plain(value) for value in values]
    for mark, name in params.items():
        values = [value.replace(mark, name) for value in values]
    body = values[0] if len(values) == 1 else f"({', '.join(values)})"
    return f"({', '.join(params.values())}) -> {body}"


def scalar_function(*nothing):
    """Above `f(out, inp)`: a scalar function of a computation in views"""
    if len(nothing) == 1 and callable(nothing[0]):
        return Function(nothing[0], "scalar_function")
    return lambda function: Function(function, "scalar_function")


def pw_custom_func(associative=True, commutative=False, exact=False, identity=None, types=None):
    """Above `f(res, lhs, rhs)`: an operator; what it declares is checked on random values by `check-operators`"""
    def decorate(function):
        source = Source(function, "pw_custom_func")
        args = [arg.arg for arg in source.tree.args.args]
        if len(args) != 3:
            source.fail(source.tree, "an operator is f(res, lhs, rhs)")
        elems = types if isinstance(types, tuple) else (types or f32,)
        fields = []

        def field(node):
            match node:
                case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=str() as key)):
                    return key
                case _:
                    source.fail(node, "fields are `lhs['name']`")

        res, lhs, rhs = args
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == res:
                fields.append(field(node))
        if len(fields) != len(elems):
            source.fail(source.tree, f"{len(elems)} types, but {len(fields)} results")

        def leaf(node):
            if not isinstance(node.value, ast.Name) or node.value.id not in (lhs, rhs):
                source.fail(node, f"{ast.unparse(node.value)} is neither {lhs} nor {rhs}")
            key = field(node)
            if key not in fields:
                source.fail(node, f"{res}[{key!r}] is never set")
            return ("l_" if node.value.id == lhs else "r_") + key

        expr = Expr(source, leaf, {})
        values = dict(body_values(source, source.tree.body, expr, field))
        params = [side + key for side in ("l_", "r_") for key in fields]
        body = [plain(values[key]) for key in fields]
        words = [("associative", associative), ("commutative", commutative), ("exact", exact)]
        words = [word for word, holds in words if holds]
        if identity is not None:
            all = identity if isinstance(identity, tuple) else (identity,)
            number = lambda x: {float("inf"): "inf", float("-inf"): "-inf"}.get(x, repr(x))
            words.append("identity " + ", ".join(map(number, all)))
        text = body[0] if len(body) == 1 else f"({', '.join(body)})"
        head = f"op {function.__name__}<{', '.join(checked(elem).name for elem in elems)}>({', '.join(params)})"
        return Operator(function.__name__, f"{head} := {text} : {', '.join(words)}\n")

    return decorate


class Subscripted:
    """`word[…](…)`: what stands in the brackets and in the parentheses"""

    def __init__(self, word):
        self.word = word

    def __getitem__(self, items):
        items = items if isinstance(items, tuple) else (items,)
        return lambda *args, **views: (self.word, items, args, views)


out_view, md_hom, inp_view = Subscripted("out_view"), Subscripted("md_hom"), Subscripted("inp_view")


def from_views(function):
    source = Source(function, "mdh")
    result = function()
    names = [part[0] for part in result] if isinstance(result, tuple) else []
    if names != ["out_view", "md_hom", "inp_view"]:
        source.fail(source.tree, "expected `return out_view[…](…), md_hom[…](…), inp_view[…](…)`")
    (_, out_types, _, outs), (_, sizes, hom, _), (_, inp_types, _, inps) = result
    if len(hom) != 2 or not isinstance(hom[0], Function):
        source.fail(source.tree, "md_hom[…](f, (…)): f is a function under @scalar_function")
    scalar, kinds = hom
    # `(cc)` is a pair itself, a tuple of kinds a tuple of pairs.
    kinds = [kinds] if isinstance(kinds[0], str) else list(kinds)
    kinds, definitions = split_kinds(source, source.tree, kinds, len(sizes))
    dims = None

    def views(types, buffers):
        nonlocal dims
        if len(types) != len(buffers):
            source.fail(source.tree, f"{len(types)} types, {len(buffers)} buffers")
        made = {}
        for elem, (name, maps) in zip(types, buffers.items()):
            all = []
            for map in maps if isinstance(maps, list) else [maps]:
                params, node, place = lambda_of(source, map)
                if len(params) != len(sizes):
                    place.fail(node, f"{len(sizes)} dimensions, {len(params)} parameters")
                dims = dims or params
                renamed = {param: dim for param, dim in zip(params, dims)}
                body = node.body
                all.append(renamed_function(place, dims, renamed, body.elts if isinstance(body, ast.Tuple) else [body]))
            made[name] = (checked(elem).name, all)
        return made

    outs, inps = views(out_types, outs), views(inp_types, inps)
    text = scalar_function_text(scalar.source, dims, outs, inps)
    return Mdh(function.__name__, dims, list(sizes), kinds, outs, inps, text, definitions)


def renamed_function(source, dims, names, all):
    def no_leaf(node):
        source.fail(node, "an index function depends on loop variables alone, not on data")

    expr = Expr(source, no_leaf, names)
    return f"({','.join(dims)})->({','.join(plain(expr.text(e)) for e in all)})"


def lambda_of(source, function):
    """Parameters, syntax and source of a lambda: the one at its place"""
    if not callable(function) or not hasattr(function, "__code__"):
        source.fail(source.tree, f"{function!r} is no index function; expected `lambda i, k: (i, k)`")
    code = function.__code__
    params = list(code.co_varnames[: code.co_argcount])
    wanted = code.co_firstlineno - source.first + 1
    found = [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Lambda) and [arg.arg for arg in node.args.args] == params
        and (node.lineno <= wanted <= node.end_lineno)
    ]
    same = [node for node in found if compiled(node, source) == (code.co_code, code.co_consts, code.co_names)]
    if not same:
        source.fail(source.tree, "an index function stands in the view itself: `w=[lambda i, k: (i)]`")
    place = Place(source, function)
    return params, same[0], place


def compiled(node, source):
    code = compile(ast.Expression(node), source.file, "eval").co_consts[0]
    return code.co_code, code.co_consts, code.co_names


class Place:
    """A lambda's surroundings: the function's source, the lambda's own values"""

    def __init__(self, source, function):
        self.source = source
        closure = inspect.getclosurevars(function)
        self.around = {**closure.globals, **closure.nonlocals}

    def fail(self, node, message):
        self.source.fail(node, message)


def scalar_function_text(source, dims, outs, inps):
    args = [arg.arg for arg in source.tree.args.args]
    if len(args) != 2:
        source.fail(source.tree, "a scalar function is f(out, inp)")
    out, inp = args
    params = {(name, n): f"x{name}_{n}" for name, (_, maps) in inps.items() for n in range(len(maps))}

    def key(node, of, views, what):
        match node.slice:
            case ast.Constant(value=str() as name):
                n = 1
            case ast.Tuple(elts=[ast.Constant(value=str() as name), ast.Constant(value=int() as n)]):
                pass
            case _:
                source.fail(node, f"{what} are `{of}['name']` or `{of}['name', 2]`")
        if name not in views or not 1 <= n <= len(views[name][1]):
            source.fail(node, f"{what}: {name}, {n} is in no view")
        return name, n - 1

    def leaf(node):
        if not isinstance(node.value, ast.Name) or node.value.id != inp:
            source.fail(node, f"{ast.unparse(node.value)} is not {inp}")
        return params[key(node, inp, inps, "inputs")]

    def target(node):
        if not isinstance(node.value, ast.Name) or node.value.id != out:
            source.fail(node, f"{ast.unparse(node.value)} is not {out}")
        return key(node, out, outs, "outputs")

    expr = Expr(source, leaf, {dim: dim for dim in dims})
    values = dict(body_values(source, source.tree.body, expr, target))
    ordered = []
    for name, (_, maps) in outs.items():
        for n in range(len(maps)):
            if (name, n) not in values:
                source.fail(source.tree, f"{out}[{name!r}, {n + 1}] is never set")
            ordered.append(values[name, n])
    return scalar_text({text: text for text in params.values()}, ordered)


# It builds on what is above.
from terrace_mdh import expressions  # noqa: E402
from terrace_mdh.expressions import tensor  # noqa: E402
