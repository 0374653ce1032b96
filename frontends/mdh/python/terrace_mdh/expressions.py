"""Tensor expressions as decorated Python functions, turned into text of tensor expressions.

A function under `@tensor` has annotated tensors and assignments. Each assignment is a computation, so a function is a graph of them. Source is
read with `ast`; nothing inside of a computation is run.

Invariant: text is a function of the source and of the sizes and types in scope; functions come in the order of decoration.
"""

import ast

import terrace_mdh as base

# Reductions, and functions of numbers as the text knows them
FOLDS = {"sum", "prod", "min", "max", "argmax", "argmin"}
CALLS = {
    "abs", "atan", "atan2", "ceil", "cos", "cosh", "erf", "exp", "exp2", "expm1", "floor", "fma", "log", "log10", "log1p", "log2", "max", "min",
    "pow", "relu", "round", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
}
TYPES = {"f16", "f32", "f64", "i8", "i16", "i32", "i64"}


class Tensor:
    """`f32[B, C]`; `i32[C] < 9` has elements from 0 to 8"""

    def __init__(self, elem, sizes, below=None):
        self.elem, self.sizes, self.below = elem, sizes, below

    def __lt__(self, bound):
        return Tensor(self.elem, self.sizes, bound)

    def text(self):
        sizes = f" [{', '.join(map(str, self.sizes))}]" if self.sizes else ""
        return f"{self.elem.name}{sizes}" + (f" < {self.below}" if self.below is not None else "")


class Program:
    """A function of tensors: `.name`, `.text`"""

    all = []

    def __init__(self, name, text):
        self.name, self.text = name, text
        Program.all.append(self)


class Reader(base.Expr):
    """Expressions and statements of one function as text"""

    def __init__(self, source, numbers):
        super().__init__(source, self.element, {name: name for name in numbers})

    def text(self, node):
        match node:
            case ast.BinOp(op=ast.FloorDiv()):
                return f"({self.text(node.left)} / {self.text(node.right)})"
            case ast.Call(func=ast.Name(id="otherwise"), args=[ast.Subscript() as element, other], keywords=[]):
                return f"({self.element(element)} else {self.number(other)})"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), keywords=[]) if name in CALLS | TYPES:
                return f"{name}({', '.join(self.text(arg) for arg in node.args)})"
            case ast.Call(func=ast.Subscript()):
                self.source.fail(node, "a reduction is the whole right side: `y[i] = sum[j](…)`")
            case ast.Call():
                self.source.fail(node, "this function is not known in a computation: " + " ".join(sorted(CALLS)))
        return super().text(node)

    def number(self, node):
        value = self.source.value(node)
        if not isinstance(value, (int, float)):
            self.source.fail(node, "what stands for elements outside is a number")
        return repr(value)

    def element(self, node):
        if not isinstance(node.value, ast.Name):
            self.source.fail(node, "an element is `T[i, j]`")
        for part in ast.walk(node.slice):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
                self.source.fail(part, "a subscript divides by `//`")
        return f"{node.value.id}[{', '.join(base.plain(self.text(e)) for e in base.subscripts(node))}]"

    def ids(self, all):
        """`b, y in 16` of `b, y:16`; the names stand for themselves from now on"""
        made = []
        for node in all:
            match node:
                case ast.Name(id=name):
                    made.append(name)
                case ast.Slice(lower=ast.Name(id=name), upper=upper, step=None) if upper is not None:
                    made.append(f"{name} in {self.source.size(upper)}")
                case _:
                    self.source.fail(node if hasattr(node, "lineno") else all[0], "an index is a name, or `name:size`")
            self.names[name] = name
        return ", ".join(made)

    def target(self, node):
        match node:
            case ast.Name(id=name):
                return name
            case ast.Subscript(value=ast.Name(id=name)):
                return f"{name}[{self.ids(base.subscripts(node))}]"
        self.source.fail(node, "computed is a tensor: `Y[i, j] = …`, or a number: `s = …`")

    def fold(self, node):
        """Reduction, values and condition of a right side"""
        match node:
            case ast.Call(func=ast.Subscript(value=ast.Name(id=word)) as fold, args=args, keywords=keywords) if word in FOLDS and args:
                head = f"{word}{{{self.ids(base.subscripts(fold))}}} "
                where = [base.plain(self.text(key.value)) for key in keywords if key.arg == "where"]
                if len(where) < len(keywords):
                    self.source.fail(node, "a reduction has values and `where=…`")
                return head, args, "".join(f" where {one}" for one in where)
        return "", node.elts if isinstance(node, ast.Tuple) else [node], ""

    def statement(self, node):
        around = dict(self.names)
        match node:
            case ast.Assign(targets=[left], value=right):
                sign = "="
            case ast.AugAssign(target=left, op=ast.Add(), value=right):
                sign = "+="
            case _:
                self.source.fail(node, "a function of tensors assigns: `Y[i, j] = …`, `Y[i, j] += …`")
        outs = left.elts if isinstance(left, ast.Tuple) else [left]
        places = ", ".join(self.target(out) for out in outs)
        head, values, where = self.fold(right)
        # Indices that only the right side has are reduced, so a name that is no number is one of them.
        for name in ast.walk(right):
            if isinstance(name, ast.Name) and not isinstance(self.source.around.get(name.id), (int, float)):
                self.names.setdefault(name.id, name.id)
        values = [base.plain(self.text(value)) for value in values]
        body = values[0] if len(values) == 1 else f"({', '.join(values)})"
        # Numbers that were computed are there for what follows; indices are not.
        self.names = around | {out.id: out.id for out in outs if isinstance(out, ast.Name)}
        return f"{places} {sign} {head}{body}{where};\n"


def tensor(function):
    """Above `f(X: f32[B, C], …)`: each assignment of the body is a computation"""
    source = base.Source(function, "tensor")
    declared, numbers = [], []
    for arg in source.tree.args.args:
        kind = function.__annotations__.get(arg.arg)
        kind = source.value(ast.parse(kind, mode="eval").body) if isinstance(kind, str) else kind
        if isinstance(kind, base.Type):
            kind = Tensor(kind, ())
            numbers.append(arg.arg)
        if not isinstance(kind, Tensor):
            source.fail(arg, f"{arg.arg} has a type: `{arg.arg}: f32[16, 8]`")
        for size in [*kind.sizes, *([] if kind.below is None else [kind.below])]:
            if not isinstance(size, int) or size < 0:
                source.fail(arg, f"{size!r} is no size")
        declared.append(f"{arg.arg} : {kind.text()};\n")
    reader = Reader(source, numbers)
    text = lambda node: isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    lines = [reader.statement(node) for node in source.tree.body if not text(node)]
    if not lines:
        source.fail(source.tree, "nothing is computed")
    return Program(function.__name__, f"fn {function.__name__};\n{''.join(declared)}{''.join(lines)}")
