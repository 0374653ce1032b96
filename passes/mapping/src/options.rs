//! Options that the passes share: device, constraints, sizes of blocks and grids.

use terrace_devices::Device;
use terrace_pass::{OptionError, OptionKind, OptionSpec, PassInfo, PassOptions};
use terrace_search_mapping::Limits;
use terrace_search_mapping::joint::Said;
use terrace_search_mapping::rules::PAPER;
use terrace_search_mapping::{MapLevels, Options, Tag, Uses, demand, legality};

const fn text(name: &'static str, default: &'static str, docs: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Text, default, docs }
}

const fn list(name: &'static str, default: &'static str, docs: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::List, default, docs }
}

const fn flag(name: &'static str, default: &'static str, docs: &'static str) -> OptionSpec {
    OptionSpec { name, kind: OptionKind::Bool, default, docs }
}

pub(crate) const DEVICE: OptionSpec =
    text("device", "opencl", "whose levels maps may have: a device of `mdh-schedule`'s, or a file");
pub(crate) const TAGS: OptionSpec =
    list("tags", "printed,heuristic,beyond,type,user", "constraints that hold, by where they come from");
pub(crate) const RULES: OptionSpec = list(
    "rules",
    "",
    "only these rules, whatever their tags: `paper` (its eight, on maps as the program has them, where any map may be fused), \
           numbers of single ones, or names such as NEST and SYNC",
);
pub(crate) const STRICT: OptionSpec =
    flag("strict-local", "false", "local memory is owned by blocks: no buffer for each thread");
pub(crate) const USES: OptionSpec =
    text("local-uses", "scope", "which maps use a buffer: all in its `scope`, or the `leaves`");

pub(crate) const BLOCK: OptionSpec = list(
    "block",
    "",
    "threads of a block along x, y, z where the program has no `array.block`: maps of more iterations go round",
);
pub(crate) const GRID: OptionSpec =
    list("grid", "", "blocks of a grid along x, y, z where the program has no `array.grid`");

/// Up to three sizes; 0 where the user gives none
fn three(name: &str, items: &[String]) -> Result<[i64; 3], OptionError> {
    let wrong = || OptionError::because(format!("`{name}` takes one to three numbers from 0: {name}=16,8"));
    let mut out = [0; 3];
    if items.len() > out.len() {
        return Err(wrong());
    }
    for (own, item) in out.iter_mut().zip(items) {
        *own = item
            .trim()
            .parse()
            .ok()
            .filter(|size| (0..=i64::from(u32::MAX)).contains(size))
            .ok_or_else(wrong)?;
    }
    Ok(out)
}

/// Names of rules, those of the paper for its name
fn rules(words: &[String]) -> Result<Vec<String>, OptionError> {
    let mut out: Vec<String> = Vec::new();
    let beyond = legality::NAMES.iter().chain(&demand::WHOLE).copied();
    let known: Vec<&str> = PAPER.iter().copied().filter(|rule| *rule != "4,5").chain(beyond).collect();
    for word in words.iter().map(|word| word.trim()) {
        let plain = word.trim_start_matches('(').trim_end_matches(')');
        match known.iter().find(|rule| rule.eq_ignore_ascii_case(plain)) {
            Some(rule) => out.push((*rule).into()),
            None if word == "paper" => out.extend(PAPER.iter().map(|rule| (*rule).to_string())),
            None => {
                return Err(OptionError::because(format!(
                    "`{word}` is no rule; there are paper (all of 1 to 8), {}",
                    known.join(", ")
                )));
            }
        }
    }
    if ["4", "5"].iter().all(|rule| out.iter().any(|own| own == rule)) {
        out.push("4,5".into());
    }
    out.sort();
    out.dedup();
    Ok(out)
}

pub(crate) fn options(
    info: &'static PassInfo,
    given: &PassOptions,
) -> Result<(Options, String), OptionError> {
    let name = given.text(info, "device");
    let device = Device::find(&name).map_err(OptionError::because)?;
    let mut tags = Vec::new();
    for word in given.list(info, "tags") {
        let Some(tag) = Tag::from_word(&word) else {
            let near = terrace_diag::nearest(&word, Tag::WORDS.iter().map(|(_, word)| *word));
            let why = format!("`{word}` is no tag; did you mean `{}`?", near.unwrap_or("printed".into()));
            return Err(why.into());
        };
        tags.push(tag);
    }
    let rules = rules(&given.list(info, "rules"))?;
    let uses = match given.text(info, "local-uses").as_str() {
        "scope" => Uses::Scope,
        "leaves" => Uses::Leaves,
        word => return Err(format!("`local-uses` is `scope` or `leaves`, not `{word}`").into()),
    };
    let levels = MapLevels::of(&device);
    let limits = Limits::of(&device);
    let said = Said {
        block: three("block", &given.list(info, "block"))?,
        grid: three("grid", &given.list(info, "grid"))?,
    };
    let strict_local = given.flag(info, "strict-local");
    Ok((Options { uses, tags, rules, levels, strict_local, limits, said }, name))
}

pub(crate) const MAPPING: OptionSpec =
    list("mapping", "", "level of each map: A=block.x,B=L0,C=0; those that are not named are sequential");
