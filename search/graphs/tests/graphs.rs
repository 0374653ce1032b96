//! Nodes, edges, orders and counts.

use crate::common::{file, mlir, tensor};
use terrace_search_graphs::{Graph, Loop, Origin, text};

fn operator(name: &str, sizes: &str) -> Graph {
    let path = file(&format!("benches/operators/flextensor/{name}.tensor"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    tensor(name, &text, sizes)
}

fn names(graph: &Graph) -> Vec<&str> {
    graph.nodes.iter().map(|node| node.name.as_str()).collect()
}

/// Names of the tensors with these numbers
fn tensors<'g>(graph: &'g Graph, edges: &[usize]) -> Vec<&'g str> {
    edges.iter().map(|edge| graph.edges[*edge].name.as_str()).collect()
}

#[test]
fn d6_a_matrix_product_has_the_values_of_figure_3c() {
    let graph = operator("gmm", "M=1024 N=1024 K=1024");
    let one = |name: &str, reduce| Loop { name: name.into(), trip: 1024, reduce };
    let [node] = &graph.nodes[..] else { panic!("{graph:?}") };
    assert_eq!(node.loops, [one("i", false), one("j", false), one("k", true)]);
    assert_eq!(node.counts(), [2, 1]);
    assert_eq!((node.reads.len(), node.makes.len(), node.consumers.len()), (2, 1, 0));
    assert_eq!((tensors(&graph, &node.reads), tensors(&graph, &node.makes)), (vec!["A", "B"], vec!["C"]));
    assert_eq!(graph.edges.iter().filter(|edge| edge.from == Origin::Argument).count(), 2);
    assert_eq!((node.points, node.operations), (Some(1 << 30), Some(2 << 30)));
}

#[test]
fn d5_padding_and_zero_expansion_are_nodes() {
    let graph = operator("t1d", "C=2 L=5 K=3 R=7 S=2 P=0");
    assert_eq!(names(&graph), ["e", "z", "y"]);
    let consumers: Vec<&[usize]> = graph.nodes.iter().map(|node| &node.consumers[..]).collect();
    assert_eq!(consumers, [&[1][..], &[2], &[]]);
    let from: Vec<&Origin> = graph.edges.iter().map(|edge| &edge.from).collect();
    let node = Origin::Node;
    assert_eq!(from, [&Origin::Argument, &node(0), &node(1), &Origin::Argument, &node(2)]);
    assert_eq!(graph.edges.iter().filter(|edge| edge.leaves).count(), 1);
    assert_eq!(graph.main(), Some(2));
}

#[test]
fn d5_each_node_of_every_operator_has_one_output() {
    for name in ["gmv", "bil", "c2d", "t3d", "grp", "dep", "dil", "bcm", "sho"] {
        let graph = operator(name, "");
        assert!(graph.nodes.iter().all(|node| node.makes.len() == 1), "{name}");
    }
}

#[test]
fn d23_producers_come_first_and_ties_follow_the_program() {
    // `d` reads what is written last first; nothing reads `w`.
    let text = "X : f32 [4]; b[i] = X[i] + 1; w[i] = X[i] * 2; a[i] = X[i] - 1; c[i] = a[i] * a[i]; d[i] = c[i] + b[i];";
    let graph = tensor("branches", text, "");
    assert_eq!(names(&graph), ["b", "w", "a", "c", "d"]);
    let consumers: Vec<&[usize]> = graph.nodes.iter().map(|node| &node.consumers[..]).collect();
    assert_eq!(consumers, [&[4][..], &[], &[3], &[4], &[]]);
    assert_eq!(tensors(&graph, &graph.nodes[4].reads), ["c", "b"]);
    // Blocks are in any order of text.
    let blocks = mlir(BLOCKS);
    assert_eq!((names(&blocks), blocks.nodes[0].consumers.as_slice()), (vec!["first", "second"], &[1][..]));
    for (n, node) in graph.nodes.iter().enumerate() {
        assert!(node.consumers.iter().all(|consumer| *consumer > n), "{graph:?}");
    }
}

#[test]
fn a_tensor_that_is_read_twice_is_one_edge() {
    let graph = tensor("twice", "X : f32 [5]; y[i in 4] = X[i] * X[i + 1]; z[i] = y[i] + y[3 - i];", "");
    assert_eq!(graph.nodes[0].reads.len(), 1);
    assert_eq!((graph.nodes[1].reads.len(), graph.nodes[0].consumers.as_slice()), (1, &[1][..]));
}

#[test]
fn prefixes_and_folds_are_reduce_loops() {
    let graph = tensor("prefixes", "X : f32 [3, 5]; s[i] = sum{j; i} X[i, j];", "");
    assert_eq!(graph.nodes[0].counts(), [0, 2]);
}

const BLOCKS: &str = "
func.func @blocks(%X: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^one
^two:
  %b = mdh.compute \"second\" (i in 4) ins(%x = %a[i]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
^one:
  %a = mdh.compute \"first\" (i in 4) ins(%x = %X[i]) outs([i]) {
    mdh.yield %x : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^two
}";

const MOVED: &str = "
func.func @moved(%X: tensor<4x6xf32>, %I: tensor<24xf32>) -> (tensor<24xf32>, tensor<4x6xf32>) {
  %a = mdh.compute (i in 4, j in 6) ins(%x = %X[i, j]) outs([i, j]) {
    %s = arith.addf %x, %x : f32
    mdh.yield %s : f32
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %b = mdh.compute (i in 24) ins(%x = %flat[i], %y = %I[i]) outs([i]) {
    %s = arith.mulf %x, %y : f32
    mdh.yield %s : f32
  } : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  return %b, %a : tensor<24xf32>, tensor<4x6xf32>
}";

#[test]
fn ops_that_move_elements_are_part_of_an_edge() {
    let graph = mlir(MOVED);
    assert_eq!(names(&graph), ["a", "b"]);
    assert_eq!(
        (graph.nodes[0].consumers.as_slice(), tensors(&graph, &graph.nodes[1].reads)),
        (&[1][..], vec!["a", "I"])
    );
    let leaving: Vec<&str> =
        graph.edges.iter().filter(|edge| edge.leaves).map(|edge| edge.name.as_str()).collect();
    assert_eq!(leaving, ["a", "b"]);
}

#[test]
fn what_a_loop_carries_is_an_input_and_no_cycle() {
    let text = "
func.func @steps(%X: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 5 : index
  %r = scf.for %t = %zero to %n step %one iter_args(%u = %X) -> (tensor<8xf32>) {
    %v = mdh.compute (i in 8) ins(%x = %u[i]) outs([i]) {
      %s = arith.mulf %x, %x : f32
      mdh.yield %s : f32
    } : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}";
    let graph = mlir(text);
    let [node] = &graph.nodes[..] else { panic!("{graph:?}") };
    assert_eq!((&graph.edges[node.reads[0]].from, node.consumers.len()), (&Origin::Carried, 0));
    assert!(graph.edges[node.makes[0]].leaves);
}

/// Arrays as C has them: `%t` is written twice, `%y` is an argument
const ARRAYS: &str = "
func.func @arrays(%x: memref<4xf32>, %y: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  %u = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %a = mdh.compute \"a\" (i in 4) ins(%e = %u[i]) outs([i]) {
    mdh.yield %e : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %a in restrict writable %t : (tensor<4xf32>, memref<4xf32>) -> ()
  %v = bufferization.to_tensor %t restrict : memref<4xf32> to tensor<4xf32>
  %0 = mdh.compute \"b\" (i in 4) ins(%e = %v[i]) outs([i]) {
    mdh.yield %e : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %0 in restrict writable %t : (tensor<4xf32>, memref<4xf32>) -> ()
  %w = bufferization.to_tensor %t restrict : memref<4xf32> to tensor<4xf32>
  %1 = mdh.compute \"c\" (i in 4) ins(%e = %w[i]) outs([i]) {
    mdh.yield %e : f32
  } : (tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %1 in restrict writable %y : (tensor<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %t : memref<4xf32>
  return
}";

#[test]
fn an_array_that_is_written_and_read_as_a_whole_is_an_edge() {
    let graph = mlir(ARRAYS);
    assert_eq!(names(&graph), ["a", "b", "c"]);
    let consumers: Vec<&[usize]> = graph.nodes.iter().map(|node| &node.consumers[..]).collect();
    assert_eq!(consumers, [&[1][..], &[2], &[]]);
    let edges: Vec<(&str, bool)> = graph.edges.iter().map(|edge| (edge.name.as_str(), edge.leaves)).collect();
    assert_eq!(edges, [("x", false), ("a", false), ("t", false), ("y", true)]);
    // Where a part of it is written, it is a tensor of its own.
    let part = "  %p = memref.subview %t[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>\n  %u =";
    let graph = mlir(&ARRAYS.replacen("  %u =", part, 1));
    let origins: Vec<&Origin> = graph.edges.iter().map(|edge| &edge.from).collect();
    assert_eq!(graph.nodes.iter().map(|node| node.consumers.len()).sum::<usize>(), 0);
    assert!(origins.contains(&&Origin::Op("memref.alloc".into())), "{graph:?}");
    assert!(graph.nodes.iter().all(|node| graph.edges[node.makes[0]].leaves));
}

#[test]
fn chains_of_shared_operands_are_read_once() {
    // Each step doubles the ways to the first tensor.
    let mut lines = String::from(
        "func.func @f(%X: tensor<1xf32>) -> tensor<1xf32> {\n  %c0 = arith.constant 0 : index\n",
    );
    lines += "  %v0 = mdh.compute (i in 1) ins(%x = %X[i]) outs([i]) {\n    mdh.yield %x : f32\n  } : (tensor<1xf32>) -> tensor<1xf32>\n";
    for n in 0..64 {
        lines += &format!(
            "  %v{} = tensor.insert_slice %v{n} into %v{n}[0] [1] [1] : tensor<1xf32> into tensor<1xf32>\n",
            n + 1
        );
    }
    lines += "  %w = mdh.compute (i in 1) ins(%x = %v64[i]) outs([i]) {\n    mdh.yield %x : f32\n  } : (tensor<1xf32>) -> tensor<1xf32>\n";
    let graph = mlir(&(lines + "  return %w : tensor<1xf32>\n}"));
    assert_eq!((graph.nodes[0].consumers.as_slice(), graph.nodes[1].reads.len()), (&[1][..], 1));
}

#[test]
fn d6_the_text_shows_what_the_json_has() {
    let json = operator("c2d", "B=2 C=3 H=5 W=7 K=4 R=3 S=1 P=1").to_json();
    assert_eq!(json["loops"]["graph"], serde_json::json!({ "#sl": 8, "#rl": 3 }));
    assert_eq!(json["nodes"][1]["rtc"], serde_json::json!([3, 3, 3]));
    let wanted = "\
func @main: #node 2, #sl/#rl 8/3 by graph, 4/3 by node (2)
  node  name  #sl  #rl  stc      rtc    order          #in  #out  #cs  in   out  cs  points  operations
     1  z       4    0  2,3,7,9  –      b,c,y,x          1     1    1  X    Z    2      378           0
     2  y       4    3  2,4,5,7  3,3,3  b,k,y,x,c,r,s    2     1    0  Z,F  Y    –     7560       15120
  name  type                 from      to  result
  X     tensor<2x3x5x7xf32>  argument  1   –
  Z     tensor<2x3x7x9xf32>  1         2   –
  F     tensor<4x3x3x3xf32>  argument  2   –
  Y     tensor<2x4x5x7xf32>  2         –   yes
";
    assert_eq!(text(&json), wanted);
}
