//! Codes of ONNX models, E0860 to E0870.

terrace_diag::codes! {
    /// The bytes are no ONNX model, or a damaged one.
    ///
    /// Wrong: A file that was cut off on its way.
    ///
    /// Right: A file that `onnx.checker.check_model` accepts.
    pub FORMAT: "E0860" Input "not an ONNX model, or a damaged one";
    /// The model says a version of the format or of the operators that is not known.
    ///
    /// Wrong: `opset_import: [99]`.
    ///
    /// Right: `opset_import: [13]`. `onnx.version_converter` converts models.
    pub VERSION: "E0861" Input "version is not accepted";
    /// Operators that are not known. All of a model are in one message, each with its number of nodes.
    ///
    /// Wrong: `y = FancyRelu(x)`.
    ///
    /// Right: `y = Relu(x)`.
    pub OPERATOR: "E0862" Input "operators are not known";
    /// A node reads a tensor that neither the graph takes nor a node makes, or a tensor is made twice.
    ///
    /// Wrong: `y = Relu(z)` where nothing makes `z`.
    ///
    /// Right: Each tensor is an input, an initializer, or an output of one node.
    pub TENSOR: "E0863" Input "tensor is missing or there twice";
    /// Nodes wait for each other: each reads what another one of them makes.
    ///
    /// Wrong: `a = Relu(b)` and `b = Relu(a)`.
    ///
    /// Right: A graph without cycles.
    pub CYCLE: "E0864" Input "nodes of a cycle";
    /// A size of an input is not a number.
    ///
    /// Wrong: An input of shape `[N, 3, 224, 224]` alone.
    ///
    /// Right: The same with `--set N=1`.
    pub SIZE: "E0865" Input "size is open";
    /// A tensor of the file has other bytes than its type and shape need, or a type that is not known.
    ///
    /// Wrong: An initializer of shape `[2, 2]` with 3 numbers.
    ///
    /// Right: One with 4.
    pub DATA: "E0866" Input "tensor's data do not fit";
    /// Data in another file: it is missing, too short, or outside of the model's folder.
    ///
    /// Wrong: `location: "../weights.bin"`.
    ///
    /// Right: `location: "weights.bin"`, a file in the folder of the model.
    pub EXTERNAL: "E0867" Input "data in another file cannot be read";
    /// An attribute that the operator does not have here, of another type, or with a value that has no form here.
    ///
    /// Wrong: `y = Pad <mode = "reflect"> (x, pads)`.
    ///
    /// Right: `y = Pad <mode = "constant"> (x, pads)`.
    pub ATTRIBUTE: "E0868" Input "attribute has no form here";
    /// Ranks, sizes or types of tensors do not fit their operator.
    ///
    /// Wrong: `MatMul` of shapes `[2, 3]` and `[4, 5]`.
    ///
    /// Right: `MatMul` of shapes `[2, 3]` and `[3, 5]`.
    pub SHAPE: "E0869" Input "type or shape does not fit";
    /// An input that decides shapes is not known before the program runs.
    ///
    /// Wrong: `y = Reshape(x, s)` where `s` is an input of the graph.
    ///
    /// Right: `s` is an initializer, or follows from one and from shapes.
    pub UNKNOWN: "E0870" Input "value must be known beforehand";
}
