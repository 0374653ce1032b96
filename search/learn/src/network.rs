//! The network that values directions, and its copy that gives targets.
//!
//! | what | value | from |
//! |---|---|---|
//! | layers | 4, fully connected, ReLU behind the first three, one output for each direction | paper |
//! | width | 64 | the paper's artifact |
//! | first parameters | uniform in ±1/√inputs, as PyTorch has them | |
//! | loss | mean squared error of the direction that was taken; other outputs get no gradient | paper, with the direction it leaves out |
//! | optimizer | AdaDelta, rate 0.02, ρ 0.9, ε 10⁻⁶ | paper; the rate from the artifact |
//! | training | 20 passes over all samples in order, then the copy is renewed | artifact; paper |

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::{Linear, Module, Optimizer};
use candle_optimisers::adadelta::{Adadelta, ParamsAdaDelta};
use std::fmt;
use terrace_support::Random;

/// Neurons of a layer
const WIDTH: usize = 64;
/// Layers
const LAYERS: usize = 4;
/// Passes over all samples in one training
const EPOCHS: usize = 20;
/// Numbers of the optimizer
const OPTIMIZER: ParamsAdaDelta = ParamsAdaDelta { lr: 0.02, rho: 0.9, eps: 1e-6, weight_decay: None };

/// The network library refused: a fault of this crate, or no memory
#[derive(Debug)]
pub struct NetworkError(candle_core::Error);

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the network that values directions: {}", self.0)
    }
}

impl std::error::Error for NetworkError {}

impl From<candle_core::Error> for NetworkError {
    fn from(error: candle_core::Error) -> NetworkError {
        NetworkError(error)
    }
}

/// A move that was measured, with what its direction is worth
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// Features of the point that was left
    pub from: Vec<f64>,
    /// The direction
    pub direction: usize,
    /// The value that the network is to give it
    pub target: f64,
}

/// X and Y of the paper
pub struct Network {
    inputs: usize,
    outputs: usize,
    /// Weights and biases of each layer of X
    own: Vec<Var>,
    /// Those of Y
    copy: Vec<Tensor>,
    optimizer: Adadelta,
}

impl Network {
    /// For points of so many features and so many directions; a seed has one set of first parameters
    pub fn new(inputs: usize, outputs: usize, seed: u64) -> Result<Network, NetworkError> {
        let mut own = Vec::new();
        for layer in 0..LAYERS {
            let (rows, columns) = shape(layer, inputs, outputs);
            let bound = 1.0 / (columns.max(1) as f64).sqrt();
            for (sequence, shape) in [(0, vec![rows, columns]), (1, vec![rows])] {
                let mut rng = Random::of(&[seed, layer as u64, sequence]);
                let count = shape.iter().product();
                let values: Vec<f64> = (0..count).map(|_| (2.0 * rng.unit() - 1.0) * bound).collect();
                own.push(Var::from_tensor(&Tensor::from_vec(values, shape, &Device::Cpu)?)?);
            }
        }
        let copy = copies(&own)?;
        let optimizer = Adadelta::new(own.clone(), OPTIMIZER)?;
        Ok(Network { inputs, outputs, own, copy, optimizer })
    }

    /// What X gives each direction from a point
    pub fn values(&self, features: &[f64]) -> Result<Vec<f64>, NetworkError> {
        let own: Vec<Tensor> = self.own.iter().map(|var| var.as_tensor().clone()).collect();
        let input = Tensor::from_slice(features, (1, self.inputs), &Device::Cpu)?;
        Ok(layers(&own, &input)?.flatten_all()?.to_vec1()?)
    }

    /// What Y gives each direction from each of some points
    pub fn targets(&self, points: &[&[f64]]) -> Result<Vec<Vec<f64>>, NetworkError> {
        if points.is_empty() {
            return Ok(Vec::new());
        }
        let input = Tensor::from_vec(points.concat(), (points.len(), self.inputs), &Device::Cpu)?;
        Ok(layers(&self.copy, &input)?.to_vec2()?)
    }

    /// Teach X all samples, in order; the copy stays as it is until [`Network::renew`]. The mean squared error before each pass
    pub fn train(&mut self, samples: &[Sample]) -> Result<Vec<f64>, NetworkError> {
        let rows = samples.len();
        let from: Vec<f64> = samples.iter().flat_map(|sample| sample.from.iter().copied()).collect();
        let from = Tensor::from_vec(from, (rows, self.inputs), &Device::Cpu)?;
        let mut taken = vec![0.0; rows * self.outputs];
        for (row, sample) in samples.iter().enumerate() {
            taken[row * self.outputs + sample.direction] = 1.0;
        }
        let taken = Tensor::from_vec(taken, (rows, self.outputs), &Device::Cpu)?;
        let targets: Vec<f64> = samples.iter().map(|sample| sample.target).collect();
        let targets = Tensor::from_vec(targets, rows, &Device::Cpu)?;
        let mut losses = Vec::new();
        for _ in 0..EPOCHS {
            let own: Vec<Tensor> = self.own.iter().map(|var| var.as_tensor().clone()).collect();
            let values = layers(&own, &from)?.mul(&taken)?.sum(1)?;
            let loss = values.sub(&targets)?.sqr()?.mean_all()?;
            losses.push(loss.to_scalar()?);
            self.optimizer.backward_step(&loss)?;
        }
        Ok(losses)
    }

    /// Make Y what X is
    pub fn renew(&mut self) -> Result<(), NetworkError> {
        self.copy = copies(&self.own)?;
        Ok(())
    }

    /// Parameters of X, layer by layer: weights by rows, then biases
    pub fn parameters(&self) -> Result<Vec<Vec<f64>>, NetworkError> {
        let values = |var: &Var| Ok(var.flatten_all()?.to_dtype(DType::F64)?.to_vec1()?);
        self.own.iter().map(values).collect()
    }
}

/// Outputs and inputs of a layer
fn shape(layer: usize, inputs: usize, outputs: usize) -> (usize, usize) {
    let columns = if layer == 0 { inputs } else { WIDTH };
    (if layer + 1 == LAYERS { outputs } else { WIDTH }, columns)
}

fn copies(own: &[Var]) -> candle_core::Result<Vec<Tensor>> {
    own.iter().map(|var| Ok(var.as_tensor().copy()?.detach())).collect()
}

fn layers(parameters: &[Tensor], input: &Tensor) -> candle_core::Result<Tensor> {
    let mut values = input.clone();
    for (layer, pair) in parameters.chunks_exact(2).enumerate() {
        values = Linear::new(pair[0].clone(), Some(pair[1].clone())).forward(&values)?;
        if layer + 1 < LAYERS {
            values = values.relu()?;
        }
    }
    Ok(values)
}
