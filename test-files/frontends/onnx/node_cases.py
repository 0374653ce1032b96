"""Writes the node cases of the package `onnx` as models, with inputs and outputs: `FOLDER/*.onnx` and `FOLDER/values.jsonl`.

    python3 node_cases.py FOLDER

What decides shapes must be known before a program runs, and the cases have it as inputs: such inputs become initializers. Cases with
sequences, optional values, texts, or types of fewer than 8 bits are left out and counted: `values.jsonl` begins with a line that says how many.
"""

import json
import math
import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

FOLDER = pathlib.Path(sys.argv[1])
TYPES = {"float16": "f16", "float32": "f32", "float64": "f64", "bool": "i1"}
TYPES |= {f"{sign}int{width}": f"i{width}" for sign in ["", "u"] for width in [8, 16, 32, 64]}
# Inputs that must be known, by operator: shapes, axes, borders, sizes of parts, and whether it trains.
KNOWN = {"Reshape": [1], "Expand": [1], "Tile": [1], "Squeeze": [1], "Unsqueeze": [1], "Slice": [1, 2, 3, 4], "Pad": [1, 3], "Split": [1], "ConstantOfShape": [0], "Dropout": [2]}


def as_json(array):
    if array.dtype.kind == "u":
        array = array.view(array.dtype.name[1:])

    def one(x):
        if array.dtype.kind in "ib":
            return int(x)
        x = float(str(x))
        return x if math.isfinite(x) else str(x)

    return {"type": TYPES[array.dtype.name], "shape": list(array.shape), "data": [one(x) for x in array.reshape(-1)]}


def main():
    lines, left = [], 0
    for case in collect_testcases(None):
        model = case.model
        inputs, outputs = case.data_sets[0]
        arrays = [*inputs, *outputs]
        if not all(isinstance(a, np.ndarray) and a.dtype.name in TYPES for a in arrays):
            left += 1
            continue
        named = dict(zip((i.name for i in model.graph.input), inputs))
        known = {n.input[k] for n in model.graph.node for k in KNOWN.get(n.op_type, []) if k < len(n.input)}
        known |= {n.input[1] for n in model.graph.node if n.op_type.startswith("Reduce") and len(n.input) > 1}
        for name in sorted(known & set(named)):
            model.graph.initializer.append(numpy_helper.from_array(named.pop(name), name))
        outputs = dict(zip((o.name for o in model.graph.output), outputs))
        onnx.save(model, FOLDER / f"{case.name}.onnx")
        line = {"model": case.name, "tolerance": max(case.rtol, 1e-5)}
        line |= {"inputs": {n: as_json(a) for n, a in named.items()}, "outputs": {n: as_json(a) for n, a in outputs.items()}}
        lines.append(json.dumps(line, separators=(",", ":")))
    head = json.dumps({"left_out": left})
    (FOLDER / "values.jsonl").write_text("\n".join([head, *lines]) + "\n")


main()
