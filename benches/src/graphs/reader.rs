//! A sub-graph as a function of Python, a line for each op.
//!
//! The frontend `composite` is the reader that checks; this one writes what libraries call, and refuses the ops that it does not write.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// Why a sub-graph has no function
type Wrong = String;

/// A library, or the reference
#[derive(Clone, Copy, PartialEq, Eq)]
enum Library {
    Numpy,
    Torch,
    Jax,
    Reference,
}

use Library::{Jax, Numpy, Reference, Torch};

/// Libraries by the words of the peers' process
const LIBRARIES: [(&str, Library); 4] =
    [("numpy", Numpy), ("torch", Torch), ("jax", Jax), ("reference", Reference)];

/// Types: as the format names them, as the peers' process does, their bytes
const TYPES: [(&str, &str, u64); 7] = [
    ("float16", "f16", 2),
    ("float32", "f32", 4),
    ("float64", "f64", 8),
    ("int8", "i8", 1),
    ("int32", "i32", 4),
    ("int64", "i64", 8),
    ("bool", "i1", 1),
];

/// Largest difference from the reference, relative to its largest element, where f16 takes part
const TOLERANCE_F16: f64 = 4e-3;

/// And where it does not
const TOLERANCE: f64 = 1e-4;

/// Names that the written functions use for something else, and words of Python
const RESERVED: [&str; 12] =
    ["np", "jnp", "jax", "torch", "return", "lambda", "def", "import", "None", "True", "False", "in"];

/// A tensor where it is named
#[derive(Clone, PartialEq, Debug)]
struct Tensor {
    name: String,
    elem: String,
    shape: Vec<u64>,
}

impl Tensor {
    fn read(node: &Value) -> Result<Self, Wrong> {
        let word = |name: &str| {
            node[name].as_str().map(String::from).ok_or_else(|| format!("a tensor has no `{name}`"))
        };
        let name = word("tensor_name")?;
        if !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            return Err(format!("`{name}` is no name of Python"));
        }
        let sizes = node["shape"].as_array().ok_or("a tensor has no `shape`")?;
        let shape: Option<Vec<u64>> = sizes.iter().map(Value::as_u64).collect();
        if RESERVED.contains(&name.as_str()) {
            return Err(format!("`{name}` has a meaning in Python"));
        }
        let tensor = Self { name, elem: word("data_type")?, shape: shape.ok_or("a shape is not fixed")? };
        // Its type becomes text of a program.
        tensor.kind()?;
        Ok(tensor)
    }

    fn bytes(&self) -> u64 {
        let width = TYPES.iter().find(|(name, ..)| *name == self.elem).map_or(4, |row| row.2);
        self.shape.iter().product::<u64>() * width
    }

    fn kind(&self) -> Result<&'static str, Wrong> {
        let row = TYPES.iter().find(|(name, ..)| *name == self.elem);
        row.map(|row| row.1).ok_or_else(|| format!("type `{}` is not known", self.elem))
    }

    fn sizes(&self) -> String {
        tuple(&self.shape)
    }
}

/// `(3, 4,)`
fn tuple<N: ToString>(numbers: &[N]) -> String {
    let all: Vec<String> = numbers.iter().map(N::to_string).collect();
    if all.is_empty() { "()".into() } else { format!("({},)", all.join(", ")) }
}

/// An op: its inputs may be numbers
struct Op {
    name: String,
    attrs: BTreeMap<String, Value>,
    tensors: Vec<Tensor>,
    inputs: Vec<String>,
    output: Tensor,
}

impl Op {
    fn read(node: &Value) -> Result<Self, Wrong> {
        let name = node["name"].as_str().ok_or("an op has no `name`")?.to_owned();
        let attrs = node["attr"].as_array().into_iter().flatten();
        let attrs = attrs.filter_map(|a| Some((a["name"].as_str()?.to_owned(), a["value"].clone())));
        let mut tensors = vec![];
        let mut inputs = vec![];
        for one in nested(&node["input_desc"]) {
            let tensor = Tensor::read(one)?;
            inputs.push(one["value"].as_f64().map_or(tensor.name.clone(), |number| format!("{number:?}")));
            tensors.push(tensor);
        }
        let output = Tensor::read(&node["output_desc"][0])?;
        Ok(Self { name, attrs: attrs.collect(), tensors, inputs, output })
    }

    fn input(&self, n: usize) -> Result<&str, Wrong> {
        self.inputs.get(n).map(String::as_str).ok_or_else(|| format!("`{}` has too few inputs", self.name))
    }

    /// Numbers of the dimensions that are reduced: all if the list is empty
    fn axes(&self) -> Result<Vec<i64>, Wrong> {
        let rank = self.tensors.first().map_or(0, |tensor| tensor.shape.len() as i64);
        let axes = match self.attrs.get("axis") {
            Some(Value::Array(list)) => list.iter().map(Value::as_i64).collect::<Option<Vec<i64>>>(),
            None | Some(Value::Null) => Some(vec![]),
            Some(number) => number.as_i64().map(|number| vec![number]),
        };
        let axes = axes.ok_or_else(|| format!("`axis` of `{}` is no list of numbers", self.name))?;
        let axes: Vec<i64> = axes.into_iter().map(|axis| if axis < 0 { axis + rank } else { axis }).collect();
        Ok(if axes.is_empty() { (0..rank).collect() } else { axes })
    }

    /// What it becomes in a library
    fn expression(&self, library: Library) -> Result<String, Wrong> {
        let space = match library {
            Numpy | Reference => "np",
            Torch => "torch",
            Jax => "jnp",
        };
        let binary = |op: &str| Ok(format!("{} {op} {}", self.input(0)?, self.input(1)?));
        let call = |name: &str| Ok(format!("{space}.{name}({})", self.inputs.join(", ")));
        let reduce = |name: &str| {
            let (value, axes) = (self.input(0)?, tuple(&self.axes()?));
            // numpy and torch name a result of one number in another way: its shape is that of the file.
            Ok(format!("{space}.{name}({value}, {axes}).reshape({})", self.output.sizes()))
        };
        match self.name.as_str() {
            "Add" => binary("+"),
            "Sub" => binary("-"),
            "Mul" => binary("*"),
            "Div" | "RealDiv" => binary("/"),
            "Neg" => Ok(format!("-{}", self.input(0)?)),
            "Abs" => call("abs"),
            "Exp" => call("exp"),
            "Sqrt" => call("sqrt"),
            "Maximum" => call("maximum"),
            "Minimum" => call("minimum"),
            "Cast" => self.cast(library),
            "ExpandDims" | "Flatten" | "Reshape" | "Squeeze" => {
                Ok(format!("{}.reshape({})", self.input(0)?, self.output.sizes()))
            }
            "ReduceMax" => reduce(if library == Torch { "amax" } else { "max" }),
            "ReduceMin" => reduce(if library == Torch { "amin" } else { "min" }),
            "ReduceSum" => reduce("sum"),
            other => Err(format!("`{other}` is not written for libraries")),
        }
    }

    fn cast(&self, library: Library) -> Result<String, Wrong> {
        let (value, to) = (self.input(0)?, &self.output.elem);
        Ok(match library {
            Torch => format!("{value}.to(torch.{to})"),
            Jax => format!("{value}.astype(jnp.{to})"),
            Numpy => format!("{value}.astype(np.{to})"),
            // All else is computed in f64.
            Reference if to.starts_with("float") => format!("{value}.astype(np.{to}).astype(np.float64)"),
            Reference => format!("{value}.astype(np.{to})"),
        })
    }

    /// The new content of the first input; the output is the third input, or the second
    fn assignment(&self, library: Library) -> Result<String, Wrong> {
        let (to, from) = (self.input(0)?, self.input(1)?);
        let assigned = match library {
            Numpy => format!("{to}[...] = {from}"),
            Torch => format!("{to}.copy_({from})"),
            Jax | Reference => format!("{to} = {from}"),
        };
        let last = self.input(self.inputs.len() - 1)?;
        Ok(format!("{assigned}\n{} = {last}", self.output.name))
    }

    fn assigns(&self) -> bool {
        matches!(self.name.as_str(), "Assign" | "InplaceAssign")
    }

    fn line(&self, library: Library) -> Result<String, Wrong> {
        if self.assigns() {
            return self.assignment(library);
        }
        Ok(format!("{} = {}", self.output.name, self.expression(library)?))
    }
}

/// Members of lists of lists
fn nested(node: &Value) -> impl Iterator<Item = &Value> {
    node.as_array().into_iter().flatten().flat_map(|list| list.as_array().into_iter().flatten())
}

/// A sub-graph
pub(super) struct Graph {
    name: String,
    inputs: Vec<Tensor>,
    outputs: Vec<Tensor>,
    ops: Vec<Op>,
    /// Inputs, outputs and expressions as the peers' process reads them
    written: Value,
}

impl Graph {
    /// The graph that a file has; lines that begin with `//` are none of it
    pub fn read(text: &str) -> Result<Self, Wrong> {
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let node: Value = serde_json::from_str(&lines.join("\n")).map_err(|e| e.to_string())?;
        let ops = node["op_desc"].as_array().ok_or("there is no `op_desc`")?;
        let outputs = node["output_desc"].as_array().ok_or("there is no `output_desc`")?;
        let mut graph = Self {
            name: node["op"].as_str().ok_or("there is no `op`")?.to_owned(),
            inputs: nested(&node["input_desc"]).map(Tensor::read).collect::<Result<_, _>>()?,
            outputs: outputs.iter().map(Tensor::read).collect::<Result<_, _>>()?,
            ops: ops.iter().map(Op::read).collect::<Result<_, _>>()?,
            written: Value::Null,
        };
        graph.written = graph.write()?;
        Ok(graph)
    }

    /// Its name, and type and shape of the first input
    pub fn title(&self) -> String {
        let shape = |tensor: &Tensor| tensor.shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
        let first = self.inputs.first();
        let first =
            first.map_or(String::new(), |one| format!(" {} {}", one.kind().unwrap_or("?"), shape(one)));
        format!("{}{first}", self.name)
    }

    /// Inputs that are assigned to
    fn assigned(&self) -> impl Iterator<Item = &Tensor> {
        self.ops.iter().filter(|op| op.assigns()).filter_map(|op| op.tensors.first())
    }

    /// Terrace's names of the results; contents of inputs that were assigned to come last, and have none
    pub fn results(&self) -> Vec<String> {
        let named = self.outputs.iter().map(|tensor| tensor.name.clone());
        let assigned = self.assigned().enumerate().map(|(n, _)| (self.outputs.len() + n).to_string());
        named.chain(assigned).collect()
    }

    /// Bytes that are read and written at least
    pub fn traffic(&self) -> (u64, u64) {
        let assigned: Vec<&str> = self.assigned().map(|tensor| tensor.name.as_str()).collect();
        let read = self.inputs.iter().filter(|tensor| !assigned.contains(&tensor.name.as_str()));
        let read = read.map(Tensor::bytes).sum();
        let written = self.outputs.iter().chain(self.assigned()).map(Tensor::bytes).sum();
        (read, written)
    }

    /// Inputs, outputs and a function for each library
    pub fn request(&self) -> Value {
        json!({ "written": self.written })
    }

    fn write(&self) -> Result<Value, Wrong> {
        let results: Vec<&Tensor> = self.outputs.iter().chain(self.assigned()).collect();
        let names: Vec<&str> = results.iter().map(|tensor| tensor.name.as_str()).collect();
        let mut expressions = serde_json::Map::new();
        for (word, library) in LIBRARIES {
            let lines = self.ops.iter().map(|op| op.line(library)).collect::<Result<Vec<_>, _>>()?;
            let text = format!("{}\nreturn [{}]", lines.join("\n"), names.join(", "));
            expressions.insert(word.to_owned(), text.into());
        }
        let inputs: Vec<Value> = self
            .inputs
            .iter()
            .map(|tensor| Ok(json!([tensor.name, tensor.kind()?, tensor.shape])))
            .collect::<Result<_, Wrong>>()?;
        let outputs = results.iter().map(|tensor| tensor.kind()).collect::<Result<Vec<_>, _>>()?;
        let narrow = self.ops.iter().any(|op| op.output.elem == "float16");
        Ok(json!({
            "inputs": inputs, "outputs": outputs, "sizes": {}, "expressions": expressions, "ranges": {},
            "tolerance": if narrow { TOLERANCE_F16 } else { TOLERANCE },
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cast, a sum into an input
    const TEXT: &str = r#"// a comment
{ "op": "Fused_3", "input_desc": [[{"data_type": "float16", "shape": [4, 5], "tensor_name": "a"}],
    [{"data_type": "float32", "shape": [1], "tensor_name": "b"}]],
  "op_desc": [
    {"name": "Cast", "attr": [{"name": "dst_type", "value": "float32"}],
      "input_desc": [[{"data_type": "float16", "shape": [4, 5], "tensor_name": "a"}]],
      "output_desc": [{"data_type": "float32", "shape": [4, 5], "tensor_name": "c"}]},
    {"name": "ReduceSum", "attr": [{"name": "axis", "value": []}],
      "input_desc": [[{"data_type": "float32", "shape": [4, 5], "tensor_name": "c"}]],
      "output_desc": [{"data_type": "float32", "shape": [1], "tensor_name": "d"}]},
    {"name": "InplaceAssign", "attr": null,
      "input_desc": [[{"data_type": "float32", "shape": [1], "tensor_name": "b"}],
        [{"data_type": "float32", "shape": [1], "tensor_name": "d"}],
        [{"data_type": "float32", "shape": [1], "tensor_name": "d"}]],
      "output_desc": [{"data_type": "float32", "shape": [1], "tensor_name": "e"}]}],
  "output_desc": [{"data_type": "float32", "shape": [1], "tensor_name": "e"}] }"#;

    #[test]
    fn each_op_is_a_line_of_each_library() {
        let graph = Graph::read(TEXT).expect("it is read");
        let expressions = &graph.request()["written"]["expressions"];
        let wanted = [
            "c = a.to(torch.float32)",
            "d = torch.sum(c, (0, 1,)).reshape((1,))",
            "b.copy_(d)",
            "e = d",
            "return [e, b]",
        ];
        assert_eq!(expressions["torch"], wanted.join("\n"));
        let reference = expressions["reference"].as_str().expect("there is one");
        assert!(reference.starts_with("c = a.astype(np.float32).astype(np.float64)\n"), "{reference}");
        assert!(reference.contains("\nb = d\n"), "{reference}");
    }

    #[test]
    fn an_input_that_is_assigned_is_a_result_without_a_name() {
        let graph = Graph::read(TEXT).expect("it is read");
        assert_eq!(graph.title(), "Fused_3 f16 4x5");
        assert_eq!(graph.results(), ["e", "1"]);
        assert_eq!(graph.traffic(), (40, 8));
    }

    #[test]
    fn ops_that_are_not_written_are_refused_by_name() {
        let wrong = Graph::read(&TEXT.replace("\"Cast\"", "\"Erf\"")).err();
        assert_eq!(wrong.as_deref(), Some("`Erf` is not written for libraries"));
    }
}
