//! What a caller states of schedules, as options of the passes that choose them.

use terrace_pass::{OptionError, Pipeline};

/// What a caller states of schedules; by default nothing
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Scheduling {
    /// Threads that schedules are chosen for on processors; without a number those of the device's file
    pub units: Option<u16>,
    /// Records of searches, whose schedules are taken
    pub records: Option<Records>,
}

/// Records of searches
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Records {
    /// The folder of the store
    pub store: String,
    /// Whose records are taken besides those of this machine and compiler: words for the option `from` of `mdh-apply-records`
    pub from: Vec<String>,
    /// Threads that the program runs with; without a number as many as this process may use
    pub threads: Option<u16>,
}

impl Scheduling {
    /// Set options of all steps that schedule; how many steps apply records
    pub fn set(&self, pipeline: &mut Pipeline) -> Result<usize, OptionError> {
        if let Some(units) = self.units {
            for pass in ["mdh-schedule", "mdh-apply-records"] {
                pipeline.set(pass, "units", &units.to_string())?;
            }
        }
        let Some(Records { store, from, threads }) = &self.records else { return Ok(0) };
        if let Some(threads) = threads {
            pipeline.set("mdh-apply-records", "threads", &threads.to_string())?;
        }
        pipeline.set("mdh-apply-records", "from", &from.join("+"))?;
        // At the end, since a step opens the store with each option that is set behind it.
        pipeline.set("mdh-apply-records", "store", store)
    }
}
