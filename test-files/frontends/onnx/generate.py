"""Writes the models of this folder, with inputs and with what ONNX's own reference evaluator computes from them.

    python3 generate.py [FOLDER]

`cases/*.onnx` are small models, one an operator or a form of it. `values.jsonl` has a line for each: inputs, outputs, and how far
results may be apart. `invalid/*.onnx` are models that are refused. Needs the packages `onnx` and `numpy`, and
`onnxruntime` where the evaluator cannot compute a case (some pools and transposed convolutions)
or does not as the operator says (`Softmax` before version 13, `LRN` of a batch of one). Numbers are drawn by a
generator with a fixed seed, so the files are the same each time.
"""

import json
import math
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
DRAW = np.random.RandomState(7)
LINES = []


def numbers(*shape, low=-2.0, high=2.0, kind=np.float32):
    """Numbers with few digits: they are short in text, and all different"""
    count = max(1, int(np.prod(shape)))
    steps = np.linspace(low, high, count)
    return DRAW.permutation(np.round(steps, 2)).reshape(shape).astype(kind)


def integers(*shape, low=0, high=9, kind=np.int64):
    return DRAW.randint(low, high + 1, size=shape).astype(kind)


def as_json(array):
    def one(x):
        if isinstance(x, (bool, np.bool_)):
            return int(x)
        if isinstance(x, (int, np.integer)):
            return int(x)
        # The shortest text that is this number in its own type.
        x = float(str(x))
        return x if math.isfinite(x) else str(x)

    kind = {"float16": "f16", "float32": "f32", "float64": "f64", "bool": "i1"}.get(array.dtype.name)
    kind = kind or array.dtype.name.replace("uint", "i").replace("int", "i")
    if array.dtype.kind == "u":
        array = array.view(array.dtype.name[1:])
    return {"type": kind, "shape": list(array.shape), "data": [one(x) for x in array.reshape(-1)]}


def model_of(nodes, inputs, outputs, inits=None, opset=17, name="main", runtime=False):
    """A model whose outputs have the types that the reference evaluator gives them"""
    inits = inits or {}
    ins = [helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(a.dtype), a.shape) for n, a in inputs.items()]
    tensors = [numpy_helper.from_array(np.asarray(a), n) for n, a in inits.items()]
    # Types of outputs are not known yet; the runtime wants them, and has those of inputs here.
    kind = helper.np_dtype_to_tensor_dtype(next(iter(inputs.values())).dtype) if runtime else TensorProto.FLOAT
    outs = [helper.make_tensor_value_info(n, kind, None) for n in outputs]
    graph = helper.make_graph(nodes, name, ins, outs, tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    if runtime:
        import onnxruntime

        results = onnxruntime.InferenceSession(model.SerializeToString()).run(None, inputs)
    else:
        results = ReferenceEvaluator(model).run(None, inputs)
    del graph.output[:]
    results = [np.asarray(r) for r in results]
    for n, r in zip(outputs, results):
        graph.output.append(helper.make_tensor_value_info(n, helper.np_dtype_to_tensor_dtype(r.dtype), r.shape))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    onnx.checker.check_model(model)
    return model, dict(zip(outputs, results))


def case(name, nodes, inputs, outputs=("y",), inits=None, opset=17, tolerance=2e-6, runtime=False):
    nodes = nodes if isinstance(nodes, list) else [nodes]
    model, results = model_of(nodes, inputs, list(outputs), inits, opset, name, runtime)
    onnx.save(model, FOLDER / "cases" / f"{name}.onnx")
    LINES.append(
        {
            "model": name,
            "tolerance": tolerance,
            "inputs": {n: as_json(a) for n, a in inputs.items()},
            "outputs": {n: as_json(a) for n, a in results.items()},
        }
    )


def node(op, inputs="x", outputs="y", **attrs):
    return helper.make_node(op, inputs.split(), outputs.split(), name=f"{op.lower()}_1", **attrs)


def elementwise():
    x = numbers(3, 4)
    for op in "Abs Ceil Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish LeakyRelu Mish Neg Relu Round Selu Sigmoid Sign Sin Sinh Softplus Softsign Tanh Celu ThresholdedRelu".split():
        case(op, node(op), {"x": x}, opset=20, tolerance=4e-6)
    case("Gelu_tanh", node("Gelu", approximate="tanh"), {"x": x}, opset=20, tolerance=4e-6)
    case("LeakyRelu_steep", node("LeakyRelu", alpha=1.5), {"x": x})
    unit = numbers(3, 4, low=-0.9, high=0.9)
    for op in "Acos Asin Atan Atanh Asinh Tan".split():
        case(op, node(op), {"x": unit}, tolerance=4e-6)
    more = numbers(3, 4, low=1.1, high=4.0)
    for op in "Acosh Log Reciprocal Sqrt".split():
        case(op, node(op), {"x": more}, tolerance=4e-6)
    case("Not", node("Not"), {"x": x > 0})
    case("IsNaN", node("IsNaN"), {"x": np.array([1, np.nan, np.inf], np.float32)})
    a, b = numbers(2, 1, 4), numbers(3, 1)
    for op in "Add Sub Mul Div Max Min PRelu".split():
        case(op, node(op, "a b"), {"a": a, "b": b} if op != "PRelu" else {"a": numbers(2, 3, 4), "b": b})
    i, j = integers(2, 3, low=-9, kind=np.int32), integers(3, low=1, kind=np.int32)
    case("Div_integers", node("Div", "a b"), {"a": i, "b": j})
    case("Mod", node("Mod", "a b"), {"a": i, "b": -j})
    case("Mod_floats", node("Mod", "a b", fmod=1), {"a": a, "b": b + np.float32(5)}, tolerance=1e-5)
    for op in "Equal Greater GreaterOrEqual Less LessOrEqual".split():
        case(op, node(op, "a b"), {"a": i, "b": j})
    p, q = i > 0, j > 4
    for op in "And Or Xor".split():
        case(op, node(op, "a b"), {"a": p, "b": q})
    for op in "BitwiseAnd BitwiseOr BitwiseXor".split():
        case(op, node(op, "a b"), {"a": i, "b": j}, opset=18)
    case("BitwiseNot", node("BitwiseNot"), {"x": i}, opset=18)
    case("Pow", node("Pow", "a b"), {"a": more, "b": numbers(4)}, tolerance=1e-5)
    case("Pow_integer_exponent", node("Pow", "a b"), {"a": x, "b": integers(4, high=3)}, tolerance=1e-5)
    case("Sum", node("Sum", "a b c"), {"a": numbers(2, 3, 4), "b": b, "c": numbers(1)})
    case("Mean", node("Mean", "a b c"), {"a": numbers(2, 3, 4), "b": b, "c": numbers(1)})
    case("Where", node("Where", "p a b"), {"p": p, "a": numbers(3), "b": numbers(2, 1)})
    case("Clip", node("Clip", "x low high"), {"x": x}, inits={"low": np.float32(-1), "high": np.float32(0.5)})
    case("Clip_above", node("Clip", "x low", "y"), {"x": x, "low": np.array(0.25, np.float32)})
    case("Clip_6", node("Clip", min=-0.5, max=0.75), {"x": x}, opset=6 + 1)
    for name, to in [("i32", TensorProto.INT32), ("bool", TensorProto.BOOL), ("f16", TensorProto.FLOAT16), ("u8", TensorProto.UINT8)]:
        case(f"Cast_{name}", node("Cast", to=to), {"x": np.abs(x) if name == "u8" else x})
    case("CastLike", node("CastLike", "x z"), {"x": x, "z": np.zeros(1, np.float64)})


def shapes():
    x = numbers(2, 3, 4)
    case("Flatten", node("Flatten", axis=2), {"x": x})
    case("Flatten_end", node("Flatten", axis=-1), {"x": x})
    case("Reshape", node("Reshape", "x s"), {"x": x}, inits={"s": np.array([0, -1, 2])})
    case("Reshape_zero", node("Reshape", "x s", allowzero=1), {"x": np.zeros((2, 0, 3), np.float32)}, inits={"s": np.array([3, 0])})
    case("Squeeze", node("Squeeze", "x a"), {"x": numbers(1, 3, 1)}, inits={"a": np.array([-1])})
    case("Squeeze_11", node("Squeeze", axes=[0]), {"x": numbers(1, 3, 1)}, opset=11)
    case("Squeeze_all", node("Squeeze"), {"x": numbers(1, 3, 1)})
    case("Unsqueeze", node("Unsqueeze", "x a"), {"x": x}, inits={"a": np.array([0, -1])})
    case("Unsqueeze_11", node("Unsqueeze", axes=[1]), {"x": x}, opset=11)
    case("Expand", node("Expand", "x s"), {"x": numbers(3, 1)}, inits={"s": np.array([2, 1, 4])})
    case("Tile", node("Tile", "x s"), {"x": numbers(2, 3)}, inits={"s": np.array([2, 2])})
    case("Transpose", node("Transpose", perm=[2, 0, 1]), {"x": x})
    case("Transpose_all", node("Transpose"), {"x": x})
    case("Concat", node("Concat", "a b", axis=-2), {"a": x, "b": numbers(2, 1, 4)})
    case("Split", node("Split", "x s", "y z", axis=1), {"x": x}, ("y", "z"), {"s": np.array([1, 2])})
    case("Split_uneven", node("Split", "x", "a b", axis=1, num_outputs=2), {"x": x}, ("a", "b"), opset=18)
    case("Split_11", node("Split", "x", "y z", axis=2, split=[3, 1]), {"x": x}, ("y", "z"), opset=11)
    to = {"b": np.array([2, 0]), "e": np.array([-1, 100]), "a": np.array([-1, 0]), "s": np.array([1, 1])}
    case("Slice", node("Slice", "x b e a s"), {"x": x}, inits=to)
    to = {"b": np.array([-1, 2]), "e": np.array([-100, 0]), "a": np.array([2, 1]), "s": np.array([-2, -1])}
    case("Slice_backwards", node("Slice", "x b e a s"), {"x": x}, inits=to)
    case("Slice_9", node("Slice", starts=[1], ends=[3], axes=[1]), {"x": x}, opset=9)
    case("Pad", node("Pad", "x p v"), {"x": numbers(2, 3)}, inits={"p": np.array([1, 0, 0, 2]), "v": np.float32(1.5)})
    case("Pad_axes", node("Pad", "x p v a"), {"x": numbers(2, 3)}, inits={"p": np.array([1, 2]), "v": np.float32(0), "a": np.array([-1])}, opset=18)
    case("Gather", node("Gather", "x i", axis=1), {"x": x, "i": np.array([[0, -1], [2, 1]])})
    case("DepthToSpace", node("DepthToSpace", blocksize=2), {"x": numbers(1, 8, 2, 3)})
    case("DepthToSpace_CRD", node("DepthToSpace", blocksize=2, mode="CRD"), {"x": numbers(1, 8, 2, 3)})
    case("SpaceToDepth", node("SpaceToDepth", blocksize=2), {"x": numbers(1, 2, 4, 6)})
    case("Identity", node("Identity"), {"x": x})
    case("Dropout", node("Dropout", "x r t", "y m"), {"x": x}, ("y", "m"), {"r": np.float32(0.5), "t": np.array(False)})
    case("Constant", [node("Constant", "", "c", value_floats=[1.0, 2.0, 3.0]), node("Add", "x c")], {"x": numbers(2, 3)})
    case("ConstantOfShape", [node("ConstantOfShape", "s", "c", value=numpy_helper.from_array(np.array([3], np.float32))), node("Add", "x c")], {"x": numbers(3)}, inits={"s": np.array([2, 3])})
    case("Size", node("Size"), {"x": x})
    chain = [
        node("Shape", "x", "s"),
        helper.make_node("Gather", ["s", "zero"], ["n"], name="batch"),
        helper.make_node("Unsqueeze", ["n", "zeros"], ["n1"], name="list"),
        helper.make_node("Mul", ["n1", "two"], ["n2"], name="double"),
        helper.make_node("Concat", ["n2", "rest"], ["t"], name="shape", axis=0),
        helper.make_node("Reshape", ["x", "t"], ["y"], name="reshape"),
    ]
    case("Shape_chain", chain, {"x": x}, inits={"zero": np.array(0), "zeros": np.array([0]), "two": np.array([2]), "rest": np.array([-1])})
    case("Shape_part", node("Shape", start=-2), {"x": x})


def reductions():
    x = numbers(2, 3, 4, low=0.1, high=2.0)
    for op in "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSumSquare".split():
        case(op, node(op, axes=[-1, 0]), {"x": x}, opset=13, tolerance=1e-5)
    case("ReduceSum", node("ReduceSum", "x a", keepdims=0), {"x": x}, inits={"a": np.array([1])}, tolerance=1e-5)
    case("ReduceSum_all", node("ReduceSum"), {"x": x}, tolerance=1e-5)
    case("ReduceSum_none", node("ReduceSum", "x a", noop_with_empty_axes=1), {"x": x}, inits={"a": np.array([], np.int64)})
    case("ReduceMean_18", node("ReduceMean", "x a"), {"x": x}, inits={"a": np.array([2])}, opset=18, tolerance=1e-5)
    case("ReduceMean_integers", node("ReduceMean", axes=[1], keepdims=0), {"x": integers(2, 3, kind=np.int32) * 3}, opset=13)
    case("Softmax", node("Softmax", axis=1), {"x": x})
    case("Softmax_11", node("Softmax", axis=1), {"x": x}, opset=11, runtime=True)
    case("LogSoftmax", node("LogSoftmax"), {"x": x})
    case("LayerNormalization", node("LayerNormalization", "x s b", axis=-2), {"x": x, "s": numbers(3, 4), "b": numbers(3, 4)}, tolerance=1e-5)
    case("InstanceNormalization", node("InstanceNormalization", "x s b"), {"x": numbers(2, 3, 4), "s": numbers(3), "b": numbers(3)}, tolerance=1e-5)
    lists = {"s": numbers(3), "b": numbers(3), "m": numbers(3), "v": numbers(3, low=0.5, high=1.5)}
    case("BatchNormalization", node("BatchNormalization", "x s b m v"), {"x": numbers(2, 3, 2, 2)}, inits=lists, tolerance=1e-5)
    case("BatchNormalization_data", node("BatchNormalization", "x s b m v", epsilon=0.01), {"x": numbers(2, 3, 2), **lists}, tolerance=1e-5)


def products():
    case("MatMul", node("MatMul", "a b"), {"a": numbers(3, 4), "b": numbers(4, 2)})
    case("MatMul_batches", node("MatMul", "a b"), {"a": numbers(2, 1, 3, 4), "b": numbers(3, 4, 2)})
    case("MatMul_one_matrix", node("MatMul", "a b"), {"a": numbers(2, 3, 4), "b": numbers(4, 2)})
    case("MatMul_list_left", node("MatMul", "a b"), {"a": numbers(4), "b": numbers(2, 4, 3)})
    case("MatMul_list_right", node("MatMul", "a b"), {"a": numbers(2, 3, 4), "b": numbers(4)})
    case("MatMul_lists", node("MatMul", "a b"), {"a": numbers(4), "b": numbers(4)})
    case("Gemm", node("Gemm", "a b c", alpha=0.5, beta=2.0), {"a": numbers(3, 4), "b": numbers(4, 2), "c": numbers(2)}, tolerance=1e-5)
    case("Gemm_turned", node("Gemm", "a b c", transA=1, transB=1), {"a": numbers(4, 3), "b": numbers(2, 4), "c": numbers(3, 1)}, tolerance=1e-5)
    case("Gemm_alone", node("Gemm", "a b", transB=1), {"a": numbers(3, 4), "b": numbers(2, 4)}, tolerance=1e-5)


def convolutions():
    image = numbers(1, 4, 6, 5)
    case("Conv", node("Conv", "x w b", pads=[1, 0, 2, 1]), {"x": image}, inits={"w": numbers(3, 4, 3, 2), "b": numbers(3)}, tolerance=1e-5)
    case("Conv_1d", node("Conv", "x w", strides=[2], pads=[1, 1]), {"x": numbers(2, 2, 7)}, inits={"w": numbers(2, 2, 3)}, tolerance=1e-5)
    case("Conv_3d", node("Conv", "x w"), {"x": numbers(1, 2, 3, 4, 3)}, inits={"w": numbers(2, 2, 2, 2, 2)}, tolerance=1e-5)
    case("Conv_groups", node("Conv", "x w", group=2, strides=[2, 1]), {"x": image}, inits={"w": numbers(6, 2, 2, 2)}, tolerance=1e-5)
    case("Conv_depth", node("Conv", "x w", group=4), {"x": image}, inits={"w": numbers(8, 1, 2, 2)}, tolerance=1e-5)
    case("Conv_dilations", node("Conv", "x w", dilations=[2, 3]), {"x": image}, inits={"w": numbers(2, 4, 2, 2)}, tolerance=1e-5)
    for auto in "SAME_UPPER SAME_LOWER VALID".split():
        case(f"Conv_{auto}", node("Conv", "x w", auto_pad=auto, strides=[2, 2]), {"x": image}, inits={"w": numbers(2, 4, 3, 4)}, tolerance=1e-5)
    case("ConvTranspose", node("ConvTranspose", "x w b", strides=[2, 3], pads=[1, 0, 0, 1], output_padding=[1, 0]), {"x": numbers(1, 2, 3, 2)}, inits={"w": numbers(2, 3, 3, 2), "b": numbers(3)}, tolerance=1e-5)
    case("ConvTranspose_groups", node("ConvTranspose", "x w", group=2, dilations=[2]), {"x": numbers(1, 4, 3)}, inits={"w": numbers(4, 3, 2)}, tolerance=1e-5, runtime=True)
    case("MaxPool", node("MaxPool", kernel_shape=[3, 2], strides=[2, 2], pads=[1, 1, 1, 0]), {"x": image})
    case("MaxPool_ceil", node("MaxPool", kernel_shape=[3, 2], strides=[2, 2], ceil_mode=1), {"x": image})
    case("MaxPool_dilations", node("MaxPool", kernel_shape=[2, 2], dilations=[2, 3]), {"x": image})
    case("MaxPool_1d", node("MaxPool", kernel_shape=[3], auto_pad="SAME_LOWER", strides=[2]), {"x": numbers(1, 2, 8)}, runtime=True)
    case("MaxPool_bytes", node("MaxPool", kernel_shape=[2], pads=[1, 0]), {"x": integers(1, 2, 5, low=-9, kind=np.int8)}, runtime=True)
    case("AveragePool", node("AveragePool", kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 1]), {"x": image})
    case("AveragePool_border", node("AveragePool", kernel_shape=[3, 2], pads=[1, 1, 1, 1], count_include_pad=1), {"x": image})
    case("AveragePool_ceil", node("AveragePool", kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1), {"x": image})
    case("GlobalAveragePool", node("GlobalAveragePool"), {"x": image})
    case("GlobalMaxPool", node("GlobalMaxPool"), {"x": image})
    case("LRN", node("LRN", size=3, alpha=0.1, beta=0.6, bias=1.5), {"x": image}, tolerance=1e-5, runtime=True)


def layers():
    """Models of some layers, with weights that are arguments"""
    nodes = [
        helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], name="fc1", transB=1),
        helper.make_node("Relu", ["h"], ["a"], name="act1"),
        helper.make_node("MatMul", ["a", "w2"], ["m"], name="fc2"),
        helper.make_node("Add", ["m", "b2"], ["y"], name="bias2"),
    ]
    weights = {"w1": numbers(8, 6), "b1": numbers(8), "w2": numbers(8, 3), "b2": numbers(3)}
    case("mlp", nodes, {"x": numbers(2, 6)}, inits=weights, tolerance=1e-5)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv1", pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["c", "s", "b", "m", "v"], ["n"], name="bn1"),
        helper.make_node("Relu", ["n"], ["r"], name="relu1"),
        helper.make_node("Conv", ["r", "w2"], ["c2"], name="conv2"),
        helper.make_node("Add", ["c2", "x"], ["a"], name="skip"),
        helper.make_node("GlobalAveragePool", ["a"], ["g"], name="pool"),
        helper.make_node("Flatten", ["g"], ["y"], name="flat"),
    ]
    weights = {"w": numbers(4, 3, 3, 3), "w2": numbers(3, 4, 1, 1), "s": numbers(4), "b": numbers(4), "m": numbers(4), "v": numbers(4, low=0.5, high=2)}
    case("residual", nodes, {"x": numbers(1, 3, 5, 4)}, inits=weights, tolerance=2e-5)


def invalid():
    """Models with mistakes; `tests/refusals.rs` of the front end has their messages"""
    to = FOLDER / "invalid"

    def save(name, nodes, inits=(), inputs=(("x", TensorProto.FLOAT, [2, 3]),), outputs=("y",), opset=17, ir=8):
        ins = [helper.make_tensor_value_info(*one) for one in inputs]
        outs = [helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in outputs]
        graph = helper.make_graph(list(nodes), name, ins, outs, list(inits))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=ir)
        onnx.save(model, to / f"{name}.onnx")
        return model

    good = save("open_size", [node("Relu")], inputs=[("x", TensorProto.FLOAT, ["N", 3])])
    (to / "cut_off.onnx").write_bytes(good.SerializeToString()[:-20])
    save("no_size", [node("Relu")], inputs=[("x", TensorProto.FLOAT, [None, 3])])
    save("new_opset", [node("Relu")], opset=99)
    save("old_opset", [node("Relu")], opset=6)
    save("new_format", [node("Relu")], ir=99)
    many = [helper.make_node("Fancy", ["x"], ["a"], name="f1"), helper.make_node("Fancy", ["a"], ["b"], name="f2")]
    many += [helper.make_node("Gru2", ["b"], ["c"], domain="com.example"), helper.make_node("Softmacs", ["c"], ["y"], name="s")]
    save("unknown", many)
    save("missing", [node("Relu", "xx")])
    save("missing_output", [node("Relu", "x", "z")])
    save("twice", [node("Relu"), helper.make_node("Relu", ["x"], ["y"], name="again")])
    cycle = [helper.make_node("Add", ["x", "b"], ["a"], name="one"), helper.make_node("Relu", ["a"], ["b"], name="two"), node("Relu", "a")]
    save("cycle", cycle)
    short = helper.make_tensor("w", TensorProto.FLOAT, [2, 2], [1.0, 2.0, 3.0, 4.0])
    short.float_data.pop()
    save("short_data", [node("Add", "x w")], [short])
    other = helper.make_tensor("w", TensorProto.FLOAT, [1], [1.0])
    other.ClearField("float_data")
    other.int64_data.append(3)
    save("other_field", [node("Add", "x w")], [other])
    text = helper.make_tensor("w", TensorProto.STRING, [1], [b"a"])
    save("strings", [node("Add", "x w")], [text])
    for name, location in [("external_missing", "no_such.bin"), ("external_outside", "../cases/mlp.onnx"), ("external_short", "cut_off.onnx")]:
        far = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[2, 3], data_location=TensorProto.EXTERNAL)
        far.external_data.add(key="location", value=location)
        if name == "external_short":
            far.external_data.add(key="offset", value="1000000")
            far.external_data.add(key="length", value="24")
        save(name, [node("Add", "x w")], [far])
    save("attribute_unknown", [node("Relu", shiny=1)])
    save("attribute_type", [node("Softmax", axis=1.5)])
    save("attribute_value", [node("Pad", "x p", mode="reflect")], [numpy_helper.from_array(np.array([1, 1, 1, 1]), "p")])
    save("ranks", [node("Gemm", "x x")])
    save("broadcast", [node("Add", "x w")], [numpy_helper.from_array(np.zeros(2, np.float32), "w")])
    save("types", [node("Add", "x w")], [numpy_helper.from_array(np.zeros(3, np.int64), "w")])
    save("axis", [node("Softmax", axis=2)])
    save("no_input", [node("Add")])
    save("unknown_shape", [node("Reshape", "x s")], inputs=[("x", TensorProto.FLOAT, [2, 3]), ("s", TensorProto.INT64, [1])])
    save("mask", [node("MaxPool", "x", "y i", kernel_shape=[2])], inputs=[("x", TensorProto.FLOAT, [1, 2, 4])])

    narrow = TensorProto(name="w", data_type=TensorProto.UINT8, dims=[1], int32_data=[300])
    save("narrow_field", [node("Add", "x w")], [narrow])
    both = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[1], float_data=[1.0], raw_data=bytes(4))
    save("raw_and_field", [node("Add", "x w")], [both])
    save("product_axes", [node("ReduceProd", "w", axes=[5])], [numpy_helper.from_array(np.array([2, 3]), "w")])
    image = [("x", TensorProto.FLOAT, [1, 1, 2, 2])]
    weights = numpy_helper.from_array(np.zeros((1, 1, 2, 2), np.float32), "w")
    save("output_shape", [node("ConvTranspose", "x w", output_shape=[-(2**63), 2])], [weights], inputs=image)


def edges():
    """What a plain form of an operator gets wrong: large sums of small types, infinity, places outside"""
    large = np.full((1, 1, 2, 2), 40000, np.float16)
    case("ReduceMean_f16", node("ReduceMean", axes=[2, 3]), {"x": large}, runtime=True)
    case("GlobalAveragePool_f16", node("GlobalAveragePool"), {"x": large})
    to = {"b": np.array([-100]), "e": np.array([-200]), "a": np.array([0]), "s": np.array([-1])}
    case("Slice_before", node("Slice", "x b e a s"), {"x": np.arange(6, dtype=np.float32)}, inits=to, runtime=True)
    nodes = [node("LeakyRelu", "x", "z", alpha=0.0), node("Reciprocal", "z")]
    case("LeakyRelu_flat", nodes, {"x": np.array([np.inf, 2], np.float32)}, runtime=True)


def norms():
    """Batch normalizations behind convolutions, whose weights take them unless something else reads these or the result"""
    lists = lambda count: {"s": numbers(count), "t": numbers(count), "m": numbers(count), "v": numbers(count, low=0.5, high=2)}
    norm = helper.make_node("BatchNormalization", ["c", "s", "t", "m", "v"], ["y"], name="norm")
    x = {"x": numbers(1, 4, 5, 4)}
    conv = helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv", pads=[1, 0, 1, 2], strides=[1, 2], group=2)
    case("Conv_norm", [conv, norm], x, inits={"w": numbers(18, 2, 3, 3), "b": numbers(18), **lists(18)}, tolerance=2e-5)
    up = helper.make_node("ConvTranspose", ["x", "w"], ["c"], name="up", strides=[2, 1])
    case("ConvTranspose_norm", [up, norm], x, inits={"w": numbers(4, 5, 2, 3), **lists(5)}, tolerance=2e-5, runtime=True)
    weights = {"w": numbers(4, 4, 3, 3), **lists(4)}
    conv = helper.make_node("Conv", ["x", "w"], ["c"], name="conv", pads=[1, 1, 1, 1])
    add = helper.make_node("Add", ["y", "c"], ["z"], name="sum")
    case("Conv_norm_shared", [conv, norm, add], x, ("z",), inits=weights, tolerance=2e-5)
    again = helper.make_node("Conv", ["y", "w"], ["z"], name="again")
    endless = numbers(4, 4, 3, 3)
    endless[1, 2, 0, 1] = np.inf
    case("Conv_infinite", node("Conv", "x w", pads=[1, 1, 1, 1]), x, inits={"w": endless}, tolerance=2e-5)
    case("Conv_norm_again", [conv, norm, again], x, ("z",), inits=weights, tolerance=2e-5)
    # Names of one value: the norm reads one, something else another.
    other = helper.make_node("Identity", ["c"], ["d"], name="other")
    norm = helper.make_node("BatchNormalization", ["d", "s", "t", "m", "v"], ["y"], name="norm")
    twice = helper.make_node("BatchNormalization", ["y", "s", "t", "m", "v"], ["z"], name="twice")
    case("Conv_norm_named", [conv, other, norm], x, ("c", "y"), inits=weights, tolerance=2e-5)
    many = {"w": numbers(18, 4, 1, 1), **lists(18)}
    conv = helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv")
    case("Conv_norm_passed", [conv, other, norm, twice], x, ("z",), inits={"b": numbers(18), **many}, tolerance=1e-4)
    conv = helper.make_node("Conv", ["x", "w"], ["c"], name="conv")
    add = helper.make_node("Add", ["c", "b"], ["d"], name="add")
    relu = helper.make_node("Relu", ["c"], ["z"], name="relu")
    case("Conv_norm_later", [conv, add, norm, relu], x, ("y", "z"), inits={"b": numbers(18, 1, 1), **many}, tolerance=2e-5)
    # One number for each place in a row, of which there are as many as features.
    row = {"x": numbers(1, 4, 2, 18)}
    case("Conv_norm_row", [conv, add, norm], row, inits={"b": numbers(18), **many}, tolerance=2e-5)
    # Other names of weights and of summands, which are outputs.
    widen = helper.make_node("Expand", ["w", "sizes"], ["wide"], name="widen")
    case("Conv_norm_weights", [widen, conv, add, norm], x, ("y", "wide"), inits={"b": numbers(18, 1, 1), "sizes": np.array([1]), **many}, tolerance=2e-5)
    spread = helper.make_node("Expand", ["b", "sizes"], ["e"], name="spread")
    add = helper.make_node("Add", ["c", "e"], ["d"], name="add")
    sizes = {"b": numbers(18, 1, 1), "sizes": np.array([1, 18, 5, 4])}
    case("Conv_norm_spread", [spread, conv, add, norm], x, ("y", "e"), inits={**sizes, **many}, tolerance=2e-5)
    # A border around a product of which nothing is summed
    border = node("Conv", "x w", group=18, pads=[1, 1, 1, 1])
    case("Conv_depth_border", border, {"x": numbers(1, 18, 3, 2)}, inits={"w": numbers(18, 1, 1, 1)})


def main():
    for folder in ["cases", "invalid"]:
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
    for part in [elementwise, shapes, reductions, products, convolutions, layers, edges, invalid, norms]:
        part()
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in LINES)
    (FOLDER / "values.jsonl").write_text(text)


main()
