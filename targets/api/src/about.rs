//! What a back end says of itself, as a row.

use crate::Emission;

/// What a back end is called, goes through and makes
#[derive(Clone, Copy)]
pub struct About {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) device: &'static str,
    pub(crate) pipeline: Option<&'static str>,
    pub(crate) launches_kernels: bool,
    pub(crate) emissions: &'static [Emission],
}

impl About {
    /// A back end of this processor that takes a program of any level and makes no form of output
    ///
    /// `name` is the word for it: in `--on` and `--compare`, in lists and messages. `help` is one line for `--help`.
    pub const fn new(name: &'static str, help: &'static str) -> About {
        About { name, help, device: "host", pipeline: None, launches_kernels: false, emissions: &[] }
    }

    /// The named pipeline that takes a program of any level to what [`Target::run`](crate::Target::run) takes
    #[must_use]
    pub const fn through(self, pipeline: &'static str) -> About {
        About { pipeline: Some(pipeline), ..self }
    }

    /// It runs kernels on a device, by the name of its description, and the host's function in the interpreter
    #[must_use]
    pub const fn kernels_on(self, device: &'static str) -> About {
        About { device, launches_kernels: true, ..self }
    }

    /// The forms of output that it makes
    #[must_use]
    pub const fn makes(self, emissions: &'static [Emission]) -> About {
        About { emissions, ..self }
    }
}
