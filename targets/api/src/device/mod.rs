//! Running on devices: the host function runs in the interpreter, and what it launches runs as device code.
//!
//! `gpu.set_default_device` says on which device (numbers beyond the last begin again at the first); asynchronous launches on several run at the same time, each on a copy of the
//! buffers that it names, until the host waits for their tokens: then what each has changed comes back, in the order of the
//! launches.
//!
//! A launch uploads the buffers it names, runs the kernel, and brings back what it left; the time reported is the device's
//! own, of the kernels alone. Repetitions, which only give times, launch the same kernels on the buffers that the first run
//! left, where these fit together. One mechanism for all drivers: [`Driver`].

#![allow(unsafe_code)]

mod kernels;

pub use kernels::signatures;
pub use terrace_runtime_buffers::Arg;

use crate::interp;
use crate::job::{Failed, Job, Outcome};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;
use terrace_diag::Diagnostic;
use terrace_dialect_gpu::SetDefaultDevice;
use terrace_interp::{Device, KernelLaunch, MemRef, Memory, RtValue, Trap, codes};
use terrace_ir::{FloatKind, Ir};
use terrace_lowering_c::{Param, Part, Scalar};

/// What a driver has to do
pub trait Driver {
    /// What the device or its driver refuses
    type Error: std::error::Error;
    /// Memory of the device
    type Buffer;
    /// Take memory with these bytes
    fn upload(&mut self, bytes: &[u8]) -> Result<Self::Buffer, Self::Error>;
    /// Bytes of such memory
    fn read(&self, buffer: &Self::Buffer, bytes: &mut [u8]) -> Result<(), Self::Error>;
    /// A kernel under way
    type Running;
    /// Put a kernel of the text into the device's queue
    ///
    /// # Safety
    /// The buffers must live until the kernel has been waited for.
    unsafe fn start(
        &mut self,
        name: &str,
        sizes: Sizes,
        args: &[Arg<'_, Self::Buffer>],
    ) -> Result<Self::Running, Self::Error>;
    /// Wait for its end
    fn wait(&self, running: Self::Running) -> Result<Duration, Self::Error>;
    /// Run a kernel of the text and wait
    fn launch(
        &mut self,
        name: &str,
        sizes: Sizes,
        args: &[Arg<'_, Self::Buffer>],
    ) -> Result<Duration, Self::Error> {
        // SAFETY: the buffers are borrowed until the end of the wait.
        let running = unsafe { self.start(name, sizes, args) }?;
        self.wait(running)
    }
}

/// What a launch states besides its arguments
#[derive(Clone, Copy)]
pub struct Sizes {
    /// Blocks
    pub grid: [u64; 3],
    /// Threads of a block
    pub block: [u64; 3],
    /// Bytes of dynamic shared memory
    pub shared: u64,
}

/// Run the host function; `start` gives a driver ready to launch
pub fn run<D: Driver + 'static>(
    job: &Job<'_>,
    kernels: Vec<terrace_lowering_c::Signature>,
    start: impl FnOnce(bool) -> Result<Vec<D>, Diagnostic>,
) -> Result<Outcome, Failed> {
    let several = chooses(job.ir);
    let (drivers, flying) = (start(several)?, Vec::new());
    let launcher = Launcher { drivers, chosen: 0, flying, kernels, launches: Vec::new(), kept: None };
    let driver = Rc::new(RefCell::new(launcher));
    let once = |job: &Job<'_>| -> Result<Outcome, Failed> {
        driver.borrow_mut().launches.clear();
        driver.borrow_mut().chosen = 0;
        let handle = Handle(driver.clone());
        let mut outcome = interp::run_with(job, Box::new(handle))?;
        let launches = std::mem::take(&mut driver.borrow_mut().launches);
        outcome.times_ns = vec![launches.iter().fold(0, |sum: u64, (_, ns)| sum.saturating_add(*ns))];
        outcome.launches = vec![launches];
        Ok(outcome)
    };
    // The first run warms up: drivers compile late.
    driver.borrow_mut().kept =
        job.bench.map(|_| Kept { buffers: Vec::new(), launches: Vec::new(), bytes: 0 });
    let mut outcome = once(&Job { bench: None, ..*job })?;
    (outcome.times_ns, outcome.launches) = (Vec::new(), Vec::new());
    for _ in 0..job.bench.unwrap_or(0) {
        let again = driver.borrow_mut().again();
        match again {
            Some(launches) => {
                let launches =
                    launches.map_err(|error| Diagnostic::error(&crate::codes::BACKEND, error.to_string()))?;
                outcome.times_ns.push(launches.iter().fold(0, |sum: u64, (_, ns)| sum.saturating_add(*ns)));
                outcome.launches.push(launches);
            }
            None => {
                let run = once(&Job { bench: None, ..*job })?;
                outcome.times_ns.extend(run.times_ns);
                outcome.launches.extend(run.launches);
            }
        }
        if terrace_native_client::protocol::is_slow(&outcome.times_ns, job.stop_ns) {
            break;
        }
    }
    Ok(outcome)
}

/// Does the program choose among devices?
fn chooses(ir: &Ir) -> bool {
    let own = ir.walk().any(|op| ir.is(op, SetDefaultDevice::DEF));
    own || ir.walk().filter_map(|op| ir.child(op)).any(chooses)
}

struct Launcher<D: Driver> {
    drivers: Vec<D>,
    /// Number of the device that launches go to
    chosen: usize,
    /// Kernels that have not been waited for, in order
    flying: Vec<Flying<D>>,
    kernels: Vec<terrace_lowering_c::Signature>,
    /// Kernels of this run, with the device's own time of each
    launches: Vec<(String, u64)>,
    /// What has been launched, to repeat it; none if it will not be repeated, or is too much
    kept: Option<Kept<D::Buffer>>,
}

impl<D: Driver> Drop for Launcher<D> {
    /// Kernels that have not been waited for still use their buffers
    fn drop(&mut self) {
        for flying in std::mem::take(&mut self.flying) {
            let _ = self.drivers[flying.launched.device].wait(flying.running);
        }
    }
}

/// A kernel under way, with what it will leave
struct Flying<D: Driver> {
    /// Number of the launch
    number: u64,
    running: D::Running,
    launched: Launched,
    /// By allocation
    shared: BTreeMap<usize, Shared<D::Buffer>>,
    /// Allocation behind each buffer among the arguments
    behind: Vec<Option<usize>>,
}

/// Launches with their buffers on the device
struct Kept<B> {
    buffers: Vec<B>,
    launches: Vec<Launched>,
    bytes: usize,
}

struct Launched {
    device: usize,
    name: String,
    sizes: Sizes,
    args: Vec<Word>,
}

/// An argument that is kept: a buffer by place, or a number
#[derive(Clone, Copy)]
enum Word {
    Buffer(usize),
    Number(Arg<'static, ()>),
}

/// Most bytes that stay on a device for repetitions
const MOST_KEPT: usize = 2 << 30;

/// What the interpreter holds
struct Handle<D: Driver>(Rc<RefCell<Launcher<D>>>);

impl<D: Driver> Device for Handle<D> {
    fn launch(&mut self, launch: &KernelLaunch<'_>, memory: &mut Memory) -> Result<(), Trap> {
        self.0.borrow_mut().launch(launch, memory)
    }

    fn choose(&mut self, number: u64) -> Result<(), Trap> {
        let mut launcher = self.0.borrow_mut();
        let count = launcher.drivers.len();
        // A program for more devices than there are runs on those that there are.
        launcher.chosen = usize::try_from(number).unwrap_or(0) % count.max(1);
        Ok(())
    }

    fn wait_for(&mut self, launches: &[u64], memory: &mut Memory) -> Result<(), Trap> {
        self.0.borrow_mut().land(memory, |number| launches.contains(&number))
    }

    fn wait(&mut self, memory: &mut Memory) -> Result<(), Trap> {
        self.0.borrow_mut().land(memory, |_| true)
    }
}

/// Byte of elements that have no value: what still has it after the launch was not written
const UNWRITTEN: u8 = 0xC5;

/// Elements of so many bytes are that number by chance so seldom that it is taken for none
const TELLING: usize = 4;

/// A buffer on both sides
struct Shared<B> {
    view: MemRef,
    ty: Scalar,
    bytes: Vec<u8>,
    /// Elements of few bytes that have no value
    missing: Vec<usize>,
    buffer: B,
}

impl<B> Shared<B> {
    fn new(view: &MemRef, ty: Scalar, before: &[Option<RtValue>], bytes: Vec<u8>, buffer: B) -> Shared<B> {
        let few = view.bytes.is_none() && (ty.bytes() as usize) < TELLING;
        let none = |n: &usize| matches!(before[*n], None | Some(RtValue::Poison));
        let missing = (0..before.len()).filter(|n| few && none(n)).collect();
        Shared { view: view.clone(), ty, bytes, missing, buffer }
    }

    /// The bytes of an element
    fn of(&self, n: usize) -> std::ops::Range<usize> {
        let size = self.ty.bytes() as usize;
        n * size..(n + 1) * size
    }

    /// Elements that had no value and look as before: not written, or written as this number
    fn unclear<'a>(&'a self, after: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
        self.missing.iter().copied().filter(|n| after[self.of(*n)] == self.bytes[self.of(*n)])
    }
}

fn refused(message: impl std::fmt::Display) -> Trap {
    Trap::new(&codes::DEVICE, message)
}

/// A trap for what the driver refused
fn failed(error: impl std::error::Error) -> Trap {
    refused(error.to_string())
}

impl<D: Driver> Launcher<D> {
    /// The launches so far once more, with the time of each; `None` if they were not kept
    fn again(&mut self) -> Option<Result<Vec<(String, u64)>, D::Error>> {
        let kept = self.kept.as_ref()?;
        let mut times = Vec::new();
        for launched in &kept.launches {
            let arg = |word: &Word| match *word {
                Word::Buffer(n) => Arg::Buffer(&kept.buffers[n]),
                Word::Number(number) => number.elsewhere().unwrap_or(Arg::I64(0)),
            };
            let args: Vec<Arg<'_, D::Buffer>> = launched.args.iter().map(arg).collect();
            match self.drivers[launched.device].launch(&launched.name, launched.sizes, &args) {
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
                let ty = if view.bytes.is_some() { Scalar::Int(8) } else { param.ty };
                if view.bytes.is_some_and(|bytes| bytes.first != 0) {
                    return Err(refused("a kernel sees bytes of a buffer from its first one on only"));
                }
                let bytes = bytes_of(&before, ty)?;
                let buffer = self.drivers[self.chosen].upload(&bytes).map_err(failed)?;
                vacant.insert(Shared::new(view, ty, &before, bytes, buffer));
            }
        }
        let word = Arg::I64;
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
                    Arg::number(bits, param.ty.bytes(), float)
                }
            });
        }
        let sizes = Sizes { grid: launch.grid, block: launch.block, shared: launch.dynamic };
        let name = kernel.name.clone();
        let mut behind = Vec::new();
        let mut words = Vec::new();
        for (param, arg) in kernel.params.iter().zip(&args) {
            let alloc = match param.part {
                Part::Pointer | Part::Allocated => Some(view(param)?.alloc),
                _ => None,
            };
            behind.push(alloc);
            // A buffer's place is known when the buffers are kept.
            words.push(arg.elsewhere().map_or(Word::Buffer(0), Word::Number));
        }
        // SAFETY: the buffers are kept with the running kernel, and dropped after it has been waited for.
        let running = unsafe { self.drivers[self.chosen].start(&name, sizes, &args) }.map_err(failed)?;
        drop(args);
        let launched = Launched { device: self.chosen, name, sizes, args: words };
        self.flying.push(Flying { number: launch.number, running, launched, shared, behind });
        if launch.asynchronous { Ok(()) } else { self.land(memory, |_| true) }
    }

    /// What a launch leaves where elements without a value are another number before it
    fn once_more(
        &mut self,
        launched: &Launched,
        shared: &BTreeMap<usize, Shared<D::Buffer>>,
        first: usize,
    ) -> Result<Vec<Vec<u8>>, Trap> {
        let driver = &mut self.drivers[launched.device];
        let mut buffers = Vec::new();
        for one in shared.values() {
            let mut bytes = one.bytes.clone();
            one.missing.iter().for_each(|n| bytes[one.of(*n)].fill(!UNWRITTEN));
            buffers.push(driver.upload(&bytes).map_err(failed)?);
        }
        let arg = |word: &Word| match *word {
            Word::Buffer(n) => Arg::Buffer(&buffers[n - first]),
            Word::Number(number) => number.elsewhere().unwrap_or(Arg::I64(0)),
        };
        let args: Vec<Arg<'_, D::Buffer>> = launched.args.iter().map(arg).collect();
        driver.launch(&launched.name, launched.sizes, &args).map_err(failed)?;
        drop(args);
        let mut all = Vec::new();
        for (one, buffer) in shared.values().zip(&buffers) {
            let mut after = vec![0; one.bytes.len()];
            driver.read(buffer, &mut after).map_err(failed)?;
            all.push(after);
        }
        Ok(all)
    }

    /// Wait for kernels under way, those of these numbers, in order, and put back what they left
    fn land(&mut self, memory: &mut Memory, which: impl Fn(u64) -> bool) -> Result<(), Trap> {
        let all = std::mem::take(&mut self.flying);
        let (flying, others) = all.into_iter().partition(|flying| which(flying.number));
        self.flying = others;
        let flying: Vec<Flying<D>> = flying;
        // All of them are waited for before the first buffer goes, also where one has failed.
        let mut landed = Vec::new();
        for Flying { running, launched, shared, behind, .. } in flying {
            let time = self.drivers[launched.device].wait(running);
            landed.push((time, launched, shared, behind));
        }
        for (time, mut launched, shared, behind) in landed {
            let time = u64::try_from(time.map_err(failed)?.as_nanos()).unwrap_or(u64::MAX);
            self.launches.push((launched.name.clone(), time));
            let first = self.kept.as_ref().map_or(0, |kept| kept.buffers.len());
            let places: BTreeMap<usize, usize> =
                shared.keys().enumerate().map(|(n, alloc)| (*alloc, first + n)).collect();
            for (word, alloc) in launched.args.iter_mut().zip(&behind) {
                if let Some(alloc) = alloc {
                    *word = Word::Buffer(places[alloc]);
                }
            }
            let (mut buffers, mut bytes) = (Vec::new(), 0usize);
            let mut afters = Vec::new();
            for shared in shared.values() {
                let mut after = vec![0; shared.bytes.len()];
                self.drivers[launched.device].read(&shared.buffer, &mut after).map_err(failed)?;
                afters.push(after);
            }
            let unclear =
                shared.values().zip(&afters).any(|(one, after)| one.unclear(after).next().is_some());
            let others = if unclear { self.once_more(&launched, &shared, first)? } else { Vec::new() };
            for (n, (shared, after)) in shared.into_values().zip(afters).enumerate() {
                let size = shared.ty.bytes() as usize;
                // A byte may be written that looks as before; then its neighbours in a number don't.
                let together = if shared.view.bytes.is_some() { 8 } else { 1 };
                let mut written = Vec::new();
                let groups = after.chunks(size * together).zip(shared.bytes.chunks(size * together));
                for (n, (after, _)) in groups.enumerate().filter(|(_, (after, before))| after != before) {
                    let elements = after.chunks(size).enumerate();
                    written
                        .extend(elements.map(|(at, bytes)| (n * together + at, element(shared.ty, bytes))));
                }
                if let Some(other) = others.get(n) {
                    let there = |at: &usize| other[shared.of(*at)].iter().any(|byte| *byte != !UNWRITTEN);
                    let found = shared.unclear(&after).filter(there);
                    written.extend(found.map(|at| (at, element(shared.ty, &after[shared.of(at)]))));
                }
                memory.set_elements(&shared.view, written)?;
                bytes = bytes.saturating_add(shared.bytes.len());
                buffers.push(shared.buffer);
            }
            self.keep(launched, buffers, bytes);
        }
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
fn bytes_of(elements: &[Option<RtValue>], ty: Scalar) -> Result<Vec<u8>, Trap> {
    let size = ty.bytes() as usize;
    let mut bytes = Vec::with_capacity(elements.len() * size);
    for element in elements {
        match element {
            None | Some(RtValue::Poison) => bytes.extend(std::iter::repeat_n(UNWRITTEN, size)),
            Some(value) => {
                let bits =
                    bits_of(value).ok_or_else(|| refused("a buffer has elements that are no numbers"))?;
                bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
    }
    Ok(bytes)
}

/// An element that a kernel has written; `index` and `i64` are not distinguished
fn element(ty: Scalar, bytes: &[u8]) -> RtValue {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(word);
    match ty {
        Scalar::Bool => RtValue::bool(bits != 0),
        Scalar::Int(width) => RtValue::Int { bits: bits.into(), width },
        Scalar::F16 => RtValue::float(bits, FloatKind::F16),
        Scalar::Bf16 => RtValue::float(bits, FloatKind::BF16),
        Scalar::F32 => RtValue::float(bits, FloatKind::F32),
        Scalar::F64 => RtValue::float(bits, FloatKind::F64),
    }
}
