"""Writes YOLO-v1, OverFeat, VGG-16 or ResNet-50 as an ONNX model, with an input and with the output that onnxruntime computes.

    python3 networks.py NETWORK FOLDER [--width=8] [--image=4] [--time]

Layers are those of the papers: YOLO-v1 (Redmon and others, CVPR 2016, figure 3), OverFeat (Sermanet and others, ICLR 2014, with the input of
FlexTensor's artifact), VGG-16 (Simonyan and Zisserman, ICLR 2015, configuration D), ResNet-50 (He and others, CVPR 2016, table 1, with the
stride in the 3 by 3 convolution). `--width` divides the channels of all layers but the first input and the last output, `--image` the
height and width of the input. Weights are drawn with a fixed seed, each filter with others, so that exchanged channels show; they are scaled so that
numbers keep their size from layer to layer. The folder gets `NETWORK.onnx`, `x.npy`, and `logits.npy`, what comes before the softmax if
there is one. `--time` prints the median time of onnxruntime on one thread.
"""

import pathlib
import sys
import time

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPTIONS = dict(word[2:].split("=") for word in sys.argv[3:] if "=" in word)
WIDTH, IMAGE = int(OPTIONS.get("width", 1)), int(OPTIONS.get("image", 1))


class Network:
    """Nodes one behind the other; `at` is the tensor that the next layer reads, of shape `shape` (without the batch)"""

    def __init__(self, size):
        self.draw = np.random.default_rng(2016)
        self.nodes, self.weights = [], []
        self.at, self.shape = "x", (3, size // IMAGE, size // IMAGE)
        self.input = self.shape

    def weight(self, name, shape, scale, middle=0.0):
        array = self.draw.standard_normal(shape, np.float32) * np.float32(scale) + np.float32(middle)
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def node(self, op, inputs, **attrs):
        name = f"{op.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], name=name, **attrs))
        self.at = name
        return name

    def conv(self, channels, kernel, stride=1, pad=0, bias=True):
        depth, h, w = self.shape
        channels = max(1, channels // WIDTH)
        n = len(self.nodes)
        inputs = [self.at, self.weight(f"w{n}", (channels, depth, kernel, kernel), (2 / (depth * kernel * kernel)) ** 0.5)]
        if bias:
            inputs.append(self.weight(f"b{n}", (channels,), 0.1))
        self.node("Conv", inputs, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)
        self.shape = (channels, *((size + 2 * pad - kernel) // stride + 1 for size in (h, w)))

    def norm(self, factor):
        n, channels = len(self.nodes), self.shape[0]
        lists = [("s", 0.1, factor), ("t", 0.1, 0.0), ("m", 0.1, 0.0)]
        inputs = [self.weight(f"{name}{n}", (channels,), scale, middle) for name, scale, middle in lists]
        variance = 0.5 + self.draw.random(channels, np.float32)
        self.weights.append(numpy_helper.from_array(variance, f"v{n}"))
        self.node("BatchNormalization", [self.at, *inputs, f"v{n}"], epsilon=1e-5)

    def pool(self, kernel, stride, pad=0):
        self.node("MaxPool", [self.at], kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)
        self.shape = (self.shape[0], *((size + 2 * pad - kernel) // stride + 1 for size in self.shape[1:]))

    def act(self, slope=None):
        self.node("Relu", [self.at]) if slope is None else self.node("LeakyRelu", [self.at], alpha=slope)

    def full(self, outputs, last=False):
        if len(self.shape) > 1:
            self.node("Flatten", [self.at])
            self.shape = (int(np.prod(self.shape)),)
        outputs = outputs if last else max(1, outputs // WIDTH)
        n, depth = len(self.nodes), self.shape[0]
        inputs = [self.at, self.weight(f"w{n}", (outputs, depth), (2 / depth) ** 0.5), self.weight(f"b{n}", (outputs,), 0.1)]
        self.node("Gemm", inputs, transB=1)
        self.shape = (outputs,)

    def model(self, name, softmax):
        logits = self.at
        for node in self.nodes:
            node.output[:] = ["logits" if one == logits else one for one in node.output]
        outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, *self.shape])]
        if softmax:
            self.nodes.append(helper.make_node("Softmax", ["logits"], ["y"], name="softmax", axis=1))
            outputs.append(helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, *self.shape]))
        x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", *self.input])
        graph = helper.make_graph(self.nodes, name, [x], outputs, self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model)
        return model


def yolo():
    net = Network(448)

    def conv(*args):
        net.conv(*args)
        net.act(0.1)

    conv(64, 7, 2, 3)
    net.pool(2, 2)
    conv(192, 3, 1, 1)
    net.pool(2, 2)
    for channels, kernel in [(128, 1), (256, 3), (256, 1), (512, 3)]:
        conv(channels, kernel, 1, kernel // 2)
    net.pool(2, 2)
    for channels, kernel in [(256, 1), (512, 3)] * 4 + [(512, 1), (1024, 3)]:
        conv(channels, kernel, 1, kernel // 2)
    net.pool(2, 2)
    for channels, kernel in [(512, 1), (1024, 3)] * 2 + [(1024, 3)]:
        conv(channels, kernel, 1, kernel // 2)
    conv(1024, 3, 2, 1)
    conv(1024, 3, 1, 1)
    conv(1024, 3, 1, 1)
    net.full(4096)
    net.act(0.1)
    net.full(1470, last=True)
    return net.model("yolo", softmax=False)


def overfeat():
    net = Network(192)
    for channels, kernel, stride, pad, pool in [(96, 11, 4, 5, 1), (256, 5, 1, 2, 1), (512, 3, 1, 1, 0), (1024, 3, 1, 1, 0), (1024, 3, 1, 1, 1)]:
        net.conv(channels, kernel, stride, pad)
        net.act()
        if pool:
            net.pool(2, 2)
    for outputs in [3072, 4096]:
        net.full(outputs)
        net.act()
    net.full(1000, last=True)
    return net.model("overfeat", softmax=True)


def vgg():
    net = Network(224)
    for channels, count in [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)]:
        for _ in range(count):
            net.conv(channels, 3, 1, 1)
            net.act()
        net.pool(2, 2)
    for _ in range(2):
        net.full(4096)
        net.act()
    net.full(1000, last=True)
    return net.model("vgg", softmax=True)


def resnet():
    net = Network(224)

    def conv(*args, factor=1.0):
        net.conv(*args, bias=False)
        net.norm(factor)

    conv(64, 7, 2, 3)
    net.act()
    net.pool(3, 2, 1)
    for stage, (channels, count) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)]):
        for block in range(count):
            stride = 2 if stage > 0 and block == 0 else 1
            start, shape = net.at, net.shape
            conv(channels, 1)
            net.act()
            conv(channels, 3, stride, 1)
            net.act()
            # Sums of blocks do not grow so.
            conv(4 * channels, 1, factor=0.3)
            end, end_shape = net.at, net.shape
            if block == 0:
                net.at, net.shape = start, shape
                conv(4 * channels, 1, stride, factor=0.8)
                start = net.at
            net.shape = end_shape
            net.node("Add", [end, start])
            net.act()
    net.node("GlobalAveragePool", [net.at])
    net.shape = (net.shape[0], 1, 1)
    net.full(1000, last=True)
    return net.model("resnet", softmax=True)


NETWORKS = {"yolo": yolo, "overfeat": overfeat, "vgg": vgg, "resnet": resnet}


def main():
    import onnxruntime

    name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    model = NETWORKS[name]()
    file = folder / f"{name}.onnx"
    onnx.save(model, file)
    shape = [dim.dim_value or 1 for dim in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(448).standard_normal(shape, np.float32)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    logits = session.run(["logits"], {"x": x})[0]
    np.save(folder / "x.npy", x)
    np.save(folder / "logits.npy", logits)
    if "--time" in sys.argv:
        times = []
        for _ in range(10):
            start = time.perf_counter()
            session.run(["logits"], {"x": x})
            times.append(time.perf_counter() - start)
        print(f"{name}: {1e3 * sorted(times)[len(times) // 2]:.2f} ms with onnxruntime {onnxruntime.__version__} on one thread")


if __name__ == "__main__":
    main()
