//! Starting kernels.
//!
//! State of a launch: the buffers of the current block. Shared by a block's threads: its dynamic memory, and the sizes of its cluster.

use super::super::{DynamicSharedMemory, Func, Launch, LaunchFunc};
use super::{end, thread};
use std::sync::Arc;
use terrace_interp::{Interpret, KernelLaunch, Level, Machine, RtValue, Step, TeamSpec, Trap, codes};
use terrace_ir::{DYNAMIC, Ir, Type, Value};

fn unsupported(message: &str) -> Trap {
    Trap::new(&codes::UNSUPPORTED, message)
}

/// Buffers of these types for the current member
fn buffers(m: &mut Machine<'_>, types: &[Type]) -> Result<Vec<RtValue>, Trap> {
    let one = |ty: &Type| {
        let shape = ty.shape(m.cx()).filter(|shape| !shape.contains(&DYNAMIC));
        let shape = shape.ok_or_else(|| unsupported("an attribution has no fixed size"))?.to_vec();
        Ok(RtValue::MemRef(m.alloc_for_member(&shape)?))
    };
    types.iter().map(one).collect()
}

fn types(ir: &Ir, values: &[Value]) -> Vec<Type> {
    values.iter().map(|value| ir.ty(*value)).collect()
}

fn sizes(m: &Machine<'_>, values: [Value; 3]) -> Result<Vec<u64>, Trap> {
    let one = |value| {
        let size = m.decide_i64(value, "a size of the launch")?;
        u64::try_from(size).map_err(|_| Trap::new(&codes::BOUNDS, "a size of the launch is negative"))
    };
    values.into_iter().map(one).collect()
}

fn indices(all: impl IntoIterator<Item = u64>) -> impl Iterator<Item = RtValue> {
    all.into_iter().map(|value| RtValue::index(value as i64))
}

/// Blocks of a cluster; one by default
fn cluster_sizes(m: &Machine<'_>, cluster: Option<[Value; 3]>) -> Result<Vec<u64>, Trap> {
    cluster.map_or(Ok(vec![1; 3]), |cluster| sizes(m, cluster))
}

/// Open the team of blocks
fn open(m: &mut Machine<'_>, grid: [Value; 3], cluster: Option<[Value; 3]>) -> Result<(), Trap> {
    let (grid, cluster) = (sizes(m, grid)?, cluster_sizes(m, cluster)?);
    if let Some((blocks, own)) = grid.iter().zip(&cluster).find(|(blocks, own)| !blocks.is_multiple_of(**own))
    {
        let message = format!("{blocks} blocks of the grid are no whole clusters of {own}");
        return Err(Trap::new(&codes::ARGUMENTS, message));
    }
    m.open_team(TeamSpec::first_fastest(Level::Grid, "block", grid))
}

/// On to the next block, if there is one
fn next(
    m: &mut Machine<'_>,
    block: [Value; 3],
    (dynamic, cluster): (Option<Value>, Option<[Value; 3]>),
    workgroup: &[Type],
) -> Result<Option<Step>, Trap> {
    let threads = sizes(m, block)?;
    let cluster = cluster_sizes(m, cluster)?;
    if m.next_member().is_none() {
        return Ok(None);
    }
    let bytes = match dynamic {
        Some(size) => m.decide_i64(size, "the size of dynamic memory")?,
        None => 0,
    };
    let dynamic = RtValue::MemRef(m.alloc_for_member(&[bytes])?);
    m.set_shared(std::iter::once(dynamic).chain(indices(cluster)).collect());
    *m.state() = buffers(m, workgroup)?;
    Ok(Some(Step::Fork(TeamSpec::first_fastest(Level::Block, "thread", threads))))
}

impl Launch {
    fn go(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let workgroup = types(ir, self.workgroup_attributions(ir));
        let step =
            next(m, self.block(ir), (self.dynamic_shared_memory_size(ir), self.cluster(ir)), &workgroup)?;
        Ok(step.unwrap_or_else(|| {
            end(m, self.0, self.async_token(ir).is_some(), 0);
            Step::Next
        }))
    }

    fn thread(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (grid, block) = (super::place(m, Level::Grid)?, thread(m)?);
        let mut args: Vec<RtValue> = indices(grid.coordinates())
            .chain(indices(block.coordinates()))
            .chain(indices(grid.spec.sizes.iter().copied()))
            .chain(indices(block.spec.sizes.iter().copied()))
            .collect();
        if let Some(cluster) = self.cluster(ir) {
            let own = sizes(m, cluster)?;
            let ids: Vec<u64> = grid.coordinates().iter().zip(&own).map(|(at, own)| at / own).collect();
            args.extend(indices(ids).chain(indices(own)));
        }
        args.extend_from_slice(m.outer_state());
        args.extend(buffers(m, &types(ir, self.private_attributions(ir)))?);
        Ok(Step::Enter { region: self.body(ir), args })
    }
}

impl Interpret for Launch {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        let ir = m.ir();
        let tokens = m.values(self.async_dependencies(ir));
        m.begin_work(&tokens, self.async_token(ir).is_some(), "launch");
        open(m, self.grid(ir), self.cluster(ir)).and_then(|()| self.go(m)).into()
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        self.go(m).into()
    }

    fn member(self, m: &mut Machine<'_>) -> Step {
        self.thread(m).into()
    }
}

impl LaunchFunc {
    /// Name and unit of the kernel
    fn callee<'a>(self, m: &Machine<'a>) -> Result<(Arc<str>, &'a Ir, Func), Trap> {
        let cx = m.cx();
        let path = self.kernel(m.ir()).as_symbol(cx).map(|(root, nested)| {
            let names = std::iter::once(&root).chain(nested).map(|name| cx.str(*name));
            names.collect::<Vec<_>>().join("::")
        });
        let name: Arc<str> = path.unwrap_or_default().into();
        let missing = || Trap::new(&codes::CALLEE, format!("there is no kernel @{name}"));
        let unit = m.function(&name).ok_or_else(missing)?;
        let func = Func::cast(unit, unit.root()).filter(|func| func.is_kernel(unit)).ok_or_else(missing)?;
        Ok((name, unit, func))
    }

    fn go(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (_, unit, func) = self.callee(m)?;
        let workgroup = types(unit, func.workgroup_attributions(unit));
        let step =
            next(m, self.block(ir), (self.dynamic_shared_memory_size(ir), self.cluster(ir)), &workgroup)?;
        Ok(step.unwrap_or_else(|| {
            end(m, self.0, self.async_token(ir).is_some(), 0);
            Step::Next
        }))
    }

    fn thread(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        let (symbol, unit, func) = self.callee(m)?;
        let mut args = m.values(self.kernel_operands(ir));
        args.extend_from_slice(m.outer_state());
        args.extend(buffers(m, &types(unit, func.private_attributions(unit)))?);
        Ok(Step::Invoke { symbol, args })
    }

    /// Sizes that the kernel was promised
    fn check_known(self, m: &Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        let (_, unit, func) = self.callee(m)?;
        let promised =
            [(func.known_grid_size(unit), self.grid(ir)), (func.known_block_size(unit), self.block(ir))];
        for (known, given) in promised {
            let Some(known) = known.and_then(|known| known.as_dense_array(m.cx())) else { continue };
            let given = sizes(m, given)?;
            if !known.iter().zip(&given).all(|(known, given)| *known == *given as i64) {
                let message = "the kernel is promised to be launched with other sizes";
                return Err(Trap::new(&codes::ARGUMENTS, message));
            }
        }
        Ok(())
    }

    /// Let the device run it
    fn hand_over(self, m: &mut Machine<'_>) -> Result<(), Trap> {
        let ir = m.ir();
        if self.cluster(ir).is_some() {
            return Err(unsupported("devices are given no clusters of blocks"));
        }
        let (kernel, ..) = self.callee(m)?;
        let three = |sizes: Vec<u64>| [sizes[0], sizes[1], sizes[2]];
        let (grid, block) = (three(sizes(m, self.grid(ir))?), three(sizes(m, self.block(ir))?));
        let dynamic = match self.dynamic_shared_memory_size(ir) {
            Some(size) => u64::try_from(m.decide_i64(size, "the size of dynamic memory")?).unwrap_or(0),
            None => 0,
        };
        let args = m.values(self.kernel_operands(ir));
        let asynchronous = self.async_token(ir).is_some();
        // Buffers are taken over when it starts: what it waits for has put back its own by then.
        match asynchronous {
            true => {
                let tokens = m.values(self.async_dependencies(ir));
                m.wait_for_tokens(&tokens)?;
            }
            false => m.wait_for_all()?,
        }
        let number = m.number_launch();
        m.launch(&KernelLaunch { kernel: &kernel, grid, block, dynamic, args: &args, asynchronous, number })?;
        super::give_token_of(m, self.0, 0, &[number]);
        Ok(())
    }

    fn start(self, m: &mut Machine<'_>) -> Result<Step, Trap> {
        let ir = m.ir();
        self.check_known(m)?;
        if m.has_device() {
            self.hand_over(m)?;
            return Ok(Step::Next);
        }
        let tokens = m.values(self.async_dependencies(ir));
        m.begin_work(&tokens, self.async_token(ir).is_some(), "launch");
        open(m, self.grid(ir), self.cluster(ir))?;
        self.go(m)
    }
}

impl Interpret for LaunchFunc {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        self.start(m).into()
    }

    fn resume(self, m: &mut Machine<'_>, _: Vec<RtValue>) -> Step {
        self.go(m).into()
    }

    fn member(self, m: &mut Machine<'_>) -> Step {
        self.thread(m).into()
    }
}

impl Interpret for DynamicSharedMemory {
    fn interpret(self, m: &mut Machine<'_>) -> Step {
        match super::place(m, Level::Grid) {
            Ok(block) => {
                let view = block.shared.first().cloned().unwrap_or(RtValue::Poison);
                m.set_result(0, view);
                Step::Next
            }
            Err(trap) => Step::Trap(trap),
        }
    }
}
