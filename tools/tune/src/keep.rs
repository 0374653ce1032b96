//! What a search writes into a store: its best point, where that was confirmed to be faster than the schedule chosen without measuring.

use crate::args::Args;
use crate::resume;
use crate::subject::Kept;
use std::time::{SystemTime, UNIX_EPOCH};
use terrace_devices::Device;
use terrace_diag::Diagnostic;
use terrace_dialect_mdh::Compute;
use terrace_ir::{Ir, OpId};
use terrace_passes_mdh::records::alone::{Alone, Functions};
use terrace_passes_mdh::records::places;
use terrace_search_records::record::FORM;
use terrace_search_records::{About, Hash, Here, Record, Store, Target, setting};
use terrace_view::program::fail;

/// Hashes of all computations of a program
pub(crate) fn hashes(root: &Ir) -> Vec<Hash> {
    let functions = Functions::of(root);
    let hash = |(path, op): (Vec<OpId>, Compute)| {
        let unit = path.iter().try_fold(root, |unit, slot| unit.child(*slot))?;
        Some(Alone::of(&functions, unit, op).hash())
    };
    places(root).into_iter().filter_map(hash).collect()
}

/// The store of the command line, before a search that may take hours
pub(crate) fn open(args: &Args) -> Result<Option<Store>, Diagnostic> {
    let Some(folder) = &args.records else { return Ok(None) };
    let store = Store::create(folder).map_err(|why| why.diagnostic())?;
    store.check_writable().map_err(|why| why.diagnostic())?;
    Ok(Some(store))
}

/// Write the best point of a search; what became of it. Times are those of the rounds at the end, in which both ran
/// alternately
pub(crate) fn keep(
    args: &Args,
    store: &Store,
    kept: Kept,
    seconds: f64,
    reference: Option<f64>,
    is_faster: bool,
) -> Result<String, Diagnostic> {
    if !kept.is_written {
        let said = "no record: schedules are chosen for another form of this computation, and that was searched; `--schedule` \
                    searches it as it is written\n";
        return Ok(said.into());
    }
    if !is_faster || reference.is_some_and(|reference| seconds >= reference) {
        return Ok("no record: nothing was faster than the schedule chosen without measuring\n".into());
    }
    if args
        .farm
        .about
        .get()
        .is_some_and(|about| resume::here().is_ok_and(|here| here.machine != about.machine))
    {
        return Ok("no record: it was measured on another kind of machine; search on one of those\n".into());
    }
    let here = Here::now();
    let device = Device::find(args.target.as_deref().unwrap_or("host")).map_err(fail)?;
    let cores = u32::try_from(here.machine.cores).unwrap_or(u32::MAX);
    let threads = args.threads.map_or(cores, u32::from);
    let target = Target { device, on: args.on.clone(), threads };
    let record = Record {
        form: FORM,
        program: kept.program,
        target: target.hash(),
        compiler: here.compiler.hash(),
        machine: setting::of_machine(&here.machine),
        schedule: kept.schedule,
        seconds,
        chosen: reference.unwrap_or(0.0),
        about: About {
            computation: kept.words,
            target: target.words(),
            compiler: here.compiler.words(),
            machine: setting::machine_words(&here.machine),
        },
        unix: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs()),
    };
    let ids = store.write(&[record]).map_err(|why| why.diagnostic())?;
    let ids: Vec<String> = ids.iter().map(Hash::short).collect();
    Ok(format!("record {} is in `{}`\n", ids.join(", "), store.folder().display()))
}
