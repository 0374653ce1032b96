//! A launch of a kernel taken apart, to be put together again with something changed.

use super::launch::{Launch, LaunchFunc};
use terrace_ir::{Attr, Builder, Ir, Type, Value};

/// All operands and attributes of `gpu.launch_func`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchParts {
    /// What it waits for
    pub dependencies: Vec<Value>,
    /// Blocks
    pub grid: [Value; 3],
    /// Threads of a block
    pub block: [Value; 3],
    /// Blocks of a cluster
    pub cluster: Option<[Value; 3]>,
    /// Bytes of dynamic shared memory
    pub dynamic: Option<Value>,
    /// Arguments of the kernel
    pub args: Vec<Value>,
    /// Queue that it is submitted to
    pub object: Option<Value>,
    /// Symbol of the kernel
    pub kernel: Attr,
    /// Type of its token, if it is asynchronous
    pub token: Option<Type>,
}

impl LaunchFunc {
    /// Its operands and attributes
    pub fn parts(self, ir: &Ir) -> LaunchParts {
        LaunchParts {
            dependencies: self.async_dependencies(ir),
            grid: self.grid(ir),
            block: self.block(ir),
            cluster: self.cluster(ir),
            dynamic: self.dynamic_shared_memory_size(ir),
            args: self.kernel_operands(ir),
            object: self.async_object(ir),
            kernel: self.kernel(ir),
            token: self.async_token(ir).map(|token| ir.ty(token)),
        }
    }

    /// A launch of these parts
    pub fn of(b: &mut Builder<'_>, parts: &LaunchParts) -> LaunchFunc {
        let ([gx, gy, gz], [bx, by, bz]) = (parts.grid, parts.block);
        let cluster = |n: usize| parts.cluster.map(|all| all[n]);
        let (dynamic, object) = (parts.dynamic, parts.object);
        LaunchFunc::build(
            b,
            &parts.dependencies,
            gx,
            gy,
            gz,
            bx,
            by,
            bz,
            cluster(0),
            cluster(1),
            cluster(2),
            dynamic,
            &parts.args,
            object,
            parts.kernel,
            parts.token,
        )
    }
}

impl Launch {
    /// Operands and attributes of the launch of this body as a kernel
    pub fn parts(self, ir: &Ir, kernel: Attr, args: &[Value]) -> LaunchParts {
        LaunchParts {
            dependencies: self.async_dependencies(ir),
            grid: self.grid(ir),
            block: self.block(ir),
            cluster: self.cluster(ir),
            dynamic: self.dynamic_shared_memory_size(ir),
            args: args.to_vec(),
            object: None,
            kernel,
            token: self.async_token(ir).map(|token| ir.ty(token)),
        }
    }
}
