//! Running on a device: the host function runs in the interpreter, and what it launches runs as device code.
//!
//! A launch uploads the buffers it names, runs the kernel, and brings back what it left; the time reported is the device's
//! own, of the kernels alone. Repetitions, which only give times, launch the same kernels on the buffers that the first run
//! left, where these fit together. One mechanism for all drivers: [`Driver`].

pub(crate) mod cuda;
pub(crate) mod opencl;
pub(crate) mod ptx;

use crate::data::Input;
use crate::interp;
use crate::job::{Failed, Job, Outcome};
use crate::signature::Signature;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;
use terrace_diag::{Diagnostic, Diags};
use terrace_interp::{Device, KernelLaunch, MemRef, Memory, RtValue, Trap, codes};
use terrace_ir::{FloatKind, Ir};
use terrace_lowering_c::{Flavor, Options, Param, Part, Scalar};

/// What a driver has to do
pub(crate) trait Driver {
    /// Memory of the device
    type Buffer;
    /// Take memory with these bytes
    fn upload(&mut self, bytes: &[u8]) -> Result<Self::Buffer, String>;
    /// Bytes of such memory
    fn read(&self, buffer: &Self::Buffer, bytes: &mut [u8]) -> Result<(), String>;
    /// Run a kernel of the text and wait
    fn launch(
        &mut self,
        name: &str,
        sizes: Sizes,
        args: &[Arg<'_, Self::Buffer>],
    ) -> Result<Duration, String>;
}

/// What a launch says beside its arguments
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    /// Blocks
    pub grid: [u64; 3],
    /// Threads of a block
    pub block: [u64; 3],
    /// Bytes of dynamic shared memory
    pub shared: u64,
}

/// An argument of a kernel's text
pub(crate) enum Arg<'b, B> {
    Buffer(&'b B),
    /// Bits of a number of so many bytes, and whether it is a float
    Number {
        bits: u64,
        bytes: u32,
        float: bool,
    },
}

/// The device code of a module; the driver compiles its text
pub(crate) fn print(ir: &Ir, flavor: Flavor) -> Result<terrace_lowering_c::Printed, Failed> {
    let mut diags = Diags::default();
    let printed = terrace_lowering_c::print(ir, flavor, &Options::default(), &mut diags);
    printed.ok_or_else(|| Failed(diags.into_vec()))
}

/// Run the host function; `start` gives a driver ready to launch
pub(crate) fn run<D: Driver + 'static>(
    job: &Job<'_>,
    ir: &Ir,
    signature: &Signature,
    inputs: &[Input],
    kernels: Vec<terrace_lowering_c::Signature>,
    start: impl FnOnce() -> Result<D, Diagnostic>,
) -> Result<Outcome, Failed> {
    let launcher = Launcher { driver: start()?, kernels, launches: Vec::new(), kept: None };
    let driver = Rc::new(RefCell::new(launcher));
    let job = Job { ir, ..*job };
    let once = |job: &Job<'_>| -> Result<Outcome, Failed> {
        driver.borrow_mut().launches.clear();
        let handle = Handle(driver.clone());
        let mut outcome = interp::run_with(job, signature, inputs, Box::new(handle))?;
        let launches = std::mem::take(&mut driver.borrow_mut().launches);
        outcome.times_ns = vec![launches.iter().fold(0, |sum: u64, (_, ns)| sum.saturating_add(*ns))];
        outcome.launches = vec![launches];
        Ok(outcome)
    };
    // The first run warms up: drivers compile late.
    driver.borrow_mut().kept =
        job.bench.map(|_| Kept { buffers: Vec::new(), launches: Vec::new(), bytes: 0 });
    let mut outcome = once(&Job { bench: None, ..job })?;
    (outcome.times_ns, outcome.launches) = (Vec::new(), Vec::new());
    for _ in 0..job.bench.unwrap_or(0) {
        let again = driver.borrow_mut().again();
        match again {
            Some(launches) => {
                let launches =
                    launches.map_err(|why| Diagnostic::error(&terrace_opt::codes::BACKEND, why))?;
                outcome.times_ns.push(launches.iter().fold(0, |sum: u64, (_, ns)| sum.saturating_add(*ns)));
                outcome.launches.push(launches);
            }
            None => {
                let run = once(&Job { bench: None, ..job })?;
                outcome.times_ns.extend(run.times_ns);
                outcome.launches.extend(run.launches);
            }
        }
    }
    Ok(outcome)
}

struct Launcher<D: Driver> {
    driver: D,
    kernels: Vec<terrace_lowering_c::Signature>,
    /// Kernels of this run, with the device's own time of each
    launches: Vec<(String, u64)>,
    /// What has been launched, to do it again; none if nobody will ask, or it is too much
    kept: Option<Kept<D::Buffer>>,
}

/// Launches with their buffers on the device
struct Kept<B> {
    buffers: Vec<B>,
    launches: Vec<Launched>,
    bytes: usize,
}

struct Launched {
    name: String,
    sizes: Sizes,
    args: Vec<Word>,
}

/// An argument that is kept: a buffer by place, or a number
#[derive(Clone, Copy)]
enum Word {
    Buffer(usize),
    Number { bits: u64, bytes: u32, float: bool },
}

/// Most bytes that stay on a device for repetitions
const MOST_KEPT: usize = 2 << 30;

/// What the interpreter holds
struct Handle<D: Driver>(Rc<RefCell<Launcher<D>>>);

impl<D: Driver> Device for Handle<D> {
    fn launch(&mut self, launch: &KernelLaunch<'_>, memory: &mut Memory) -> Result<(), Trap> {
        self.0.borrow_mut().launch(launch, memory)
    }
}

/// Byte of elements that have no value: what still has it after the launch was not written
const UNWRITTEN: u8 = 0xC5;

/// A buffer on both sides
struct Shared<B> {
    view: MemRef,
    ty: Scalar,
    bytes: Vec<u8>,
    buffer: B,
}

fn refused(message: impl Into<String>) -> Trap {
    Trap::new(&codes::DEVICE, message)
}

impl<D: Driver> Launcher<D> {
    /// The launches so far once more, with the time of each; `None` if they were not kept
    fn again(&mut self) -> Option<Result<Vec<(String, u64)>, String>> {
        let kept = self.kept.as_ref()?;
        let mut times = Vec::new();
        for launched in &kept.launches {
            let arg = |word: &Word| match *word {
                Word::Buffer(n) => Arg::Buffer(&kept.buffers[n]),
                Word::Number { bits, bytes, float } => Arg::Number { bits, bytes, float },
            };
            let args: Vec<Arg<'_, D::Buffer>> = launched.args.iter().map(arg).collect();
            match self.driver.launch(&launched.name, launched.sizes, &args) {
                Ok(time) => {
                    let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                    times.push((launched.name.clone(), time));
                }
                Err(why) => return Some(Err(why)),
            }
        }
        Some(Ok(times))
    }

    /// Keep a launch and its buffers, or give up keeping
    fn keep(&mut self, launched: Launched, buffers: Vec<D::Buffer>, bytes: usize) {
        let Some(kept) = &mut self.kept else { return };
        kept.bytes = kept.bytes.saturating_add(bytes);
        if kept.bytes > MOST_KEPT {
            self.kept = None;
            return;
        }
        kept.buffers.extend(buffers);
        kept.launches.push(launched);
    }

    fn launch(&mut self, launch: &KernelLaunch<'_>, memory: &mut Memory) -> Result<(), Trap> {
        let symbol = launch.kernel;
        let kernel = self.kernels.iter().find(|kernel| kernel.kernel && kernel.symbol == symbol);
        let kernel = kernel.ok_or_else(|| refused(format!("the device's text has no kernel @{symbol}")))?;
        let value = |param: &Param| {
            let value = launch.args.get(param.arg);
            value.ok_or_else(|| refused(format!("@{symbol} is launched with too few arguments")))
        };
        let view = |param: &Param| match value(param)? {
            RtValue::MemRef(view) => Ok(view),
            _ => Err(refused(format!("argument {} of @{symbol} is no memory", param.arg))),
        };
        // One buffer per allocation: kernels may be given several views of it.
        let mut shared: BTreeMap<usize, Shared<D::Buffer>> = BTreeMap::new();
        for param in
            kernel.params.iter().filter(|param| matches!(param.part, Part::Pointer | Part::Allocated))
        {
            let view = view(param)?;
            if let std::collections::btree_map::Entry::Vacant(vacant) = shared.entry(view.alloc) {
                let before = memory.elements(view)?;
                let bytes = bytes_of(&before, param.ty).map_err(refused)?;
                let buffer = self.driver.upload(&bytes).map_err(refused)?;
                vacant.insert(Shared { view: view.clone(), ty: param.ty, bytes, buffer });
            }
        }
        let word = |value: i64| Arg::Number { bits: value as u64, bytes: 8, float: false };
        let mut args = Vec::new();
        for param in &kernel.params {
            args.push(match param.part {
                Part::Pointer | Part::Allocated => Arg::Buffer(&shared[&view(param)?.alloc].buffer),
                Part::Offset => word(view(param)?.offset),
                Part::Size(d) => word(view(param)?.sizes.get(d).copied().unwrap_or(0)),
                Part::Stride(d) => word(view(param)?.strides.get(d).copied().unwrap_or(0)),
                Part::Value => {
                    let float = matches!(param.ty, Scalar::F32 | Scalar::F64);
                    let bits = bits_of(value(param)?).ok_or_else(|| refused("an argument has no value"))?;
                    Arg::Number { bits, bytes: param.ty.bytes(), float }
                }
            });
        }
        let sizes = Sizes { grid: launch.grid, block: launch.block, shared: launch.dynamic };
        let name = kernel.name.clone();
        let time = self.driver.launch(&name, sizes, &args).map_err(refused)?;
        self.launches.push((name.clone(), u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)));
        let first = self.kept.as_ref().map_or(0, |kept| kept.buffers.len());
        let places: BTreeMap<usize, usize> =
            shared.keys().enumerate().map(|(n, alloc)| (*alloc, first + n)).collect();
        let mut words = Vec::new();
        for (param, arg) in kernel.params.iter().zip(&args) {
            words.push(match *arg {
                Arg::Buffer(_) => Word::Buffer(places[&view(param)?.alloc]),
                Arg::Number { bits, bytes, float } => Word::Number { bits, bytes, float },
            });
        }
        drop(args);
        let (mut buffers, mut bytes) = (Vec::new(), 0usize);
        for shared in shared.into_values() {
            let mut after = vec![0; shared.bytes.len()];
            self.driver.read(&shared.buffer, &mut after).map_err(refused)?;
            let size = shared.ty.bytes() as usize;
            let written = after.chunks(size).zip(shared.bytes.chunks(size)).enumerate();
            let written = written.filter(|(_, (after, before))| after != before);
            let written = written.map(|(at, (after, _))| (at, element(shared.ty, after)));
            memory.set_elements(&shared.view, written.collect::<Vec<_>>())?;
            bytes = bytes.saturating_add(shared.bytes.len());
            buffers.push(shared.buffer);
        }
        self.keep(Launched { name, sizes, args: words }, buffers, bytes);
        Ok(())
    }
}

fn bits_of(value: &RtValue) -> Option<u64> {
    match value {
        RtValue::Int { bits, .. } => Some(*bits as u64),
        RtValue::Float { bits, .. } => Some(*bits),
        _ => None,
    }
}

/// Elements as a device holds them
fn bytes_of(elements: &[Option<RtValue>], ty: Scalar) -> Result<Vec<u8>, String> {
    let size = ty.bytes() as usize;
    let mut bytes = Vec::with_capacity(elements.len() * size);
    for element in elements {
        match element {
            None | Some(RtValue::Poison) => bytes.extend(std::iter::repeat_n(UNWRITTEN, size)),
            Some(value) => {
                let bits = bits_of(value).ok_or("a buffer has elements that are no numbers")?;
                bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
    }
    Ok(bytes)
}

/// An element that a kernel has written; `index` and `i64` are told apart by nobody
fn element(ty: Scalar, bytes: &[u8]) -> RtValue {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    match ty {
        Scalar::Bool => RtValue::bool(bits != 0),
        Scalar::Int(width) => RtValue::Int { bits: bits.into(), width },
        Scalar::F16 => RtValue::float(bits, FloatKind::F16),
        Scalar::F32 => RtValue::float(bits, FloatKind::F32),
        Scalar::F64 => RtValue::float(bits, FloatKind::F64),
    }
}
