//! What the system knows: sizes of caches, cores, memory, and what else runs.

use std::fs;
use std::path::Path;

use terrace_devices::{Memory, Region};

use super::refusal::Refusal;

/// A machine as its system describes it
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// Cores that this process may use
    pub cores: i64,
    /// Bytes of a line
    pub line: i64,
    /// Caches of data from small to large
    pub caches: Vec<Memory>,
    /// Bytes of memory that are free
    pub free: i64,
}

const CACHES: &str = "/sys/devices/system/cpu/cpu0/cache";

impl System {
    /// This machine
    pub fn read() -> Result<System, Refusal> {
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        let (line, caches) = caches(Path::new(CACHES))?;
        let text = text(Path::new("/proc/meminfo"))?;
        let free = text.lines().find_map(|line| line.strip_prefix("MemAvailable:")).and_then(kibibytes);
        let free = free.ok_or_else(|| Refusal::Unknown { file: "/proc/meminfo".into() })?;
        Ok(System { cores, line, caches, free })
    }

    /// Size of a cache by number, from the nearest
    pub fn bytes(&self, cache: usize) -> i64 {
        self.caches.get(cache).map_or(0, |cache| cache.bytes)
    }

    /// Bytes that the third cache has and the second has not
    pub fn within_third(&self) -> i64 {
        (8 * self.bytes(1)).min(self.bytes(2) / 2).max(2 * self.bytes(1))
    }

    /// Bytes that no cache has
    pub fn beyond(&self) -> i64 {
        let last = self.caches.last().map_or(0, |cache| cache.bytes);
        (2 * last).max(64 << 20)
    }
}

/// Line and caches of data, of a folder as Linux has it
fn caches(folder: &Path) -> Result<(i64, Vec<Memory>), Refusal> {
    let (mut line, mut found) = (0, Vec::new());
    for index in 0.. {
        let own = folder.join(format!("index{index}"));
        if !own.is_dir() {
            break;
        }
        let word = |name: &str| Ok(text(&own.join(name))?.trim().to_owned());
        let number = |name: &str| -> Result<i64, Refusal> {
            let file = own.join(name);
            let unknown = || Refusal::Unknown { file: file.display().to_string() };
            word(name)?.parse().ok().filter(|number| *number > 0).ok_or_else(unknown)
        };
        if word("type")? == "Instruction" {
            continue;
        }
        line = number("coherency_line_size")?;
        let level = number("level")?;
        let size = own.join("size");
        let bytes =
            bytes(&word("size")?).ok_or_else(|| Refusal::Unknown { file: size.display().to_string() })?;
        let region = Region::Cache(u8::try_from(level).unwrap_or(u8::MAX));
        found.push(Memory { region, bytes, ways: number("ways_of_associativity")?, opt_in: bytes });
    }
    found.sort_by_key(|cache| cache.bytes);
    if found.len() < 3 {
        return Err(Refusal::Unknown { file: folder.display().to_string() });
    }
    Ok((line, found))
}

/// `48K`, `2M`
fn bytes(word: &str) -> Option<i64> {
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &word[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<i64>().ok()?.checked_mul(unit).filter(|bytes| *bytes > 0)
}

/// `  123 kB`
fn kibibytes(rest: &str) -> Option<i64> {
    rest.trim().strip_suffix(" kB")?.parse::<i64>().ok()?.checked_mul(1024)
}

fn text(file: &Path) -> Result<String, Refusal> {
    fs::read_to_string(file).map_err(|_| Refusal::Unknown { file: file.display().to_string() })
}

/// Time of all processors so far, in ticks of the system
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Load {
    /// Of everything
    all: f64,
    /// In which something ran
    busy: f64,
    /// In which a hypervisor let something else run
    stolen: f64,
    /// Of this process and of those that it has waited for
    own: f64,
}

impl Load {
    /// Now
    pub fn now() -> Result<Load, Refusal> {
        let (all, own) = (Path::new("/proc/stat"), Path::new("/proc/self/stat"));
        let unknown = |file: &Path| Refusal::Unknown { file: file.display().to_string() };
        Load::parse(&text(all)?, &text(own)?).ok_or_else(|| unknown(all))
    }

    fn parse(all: &str, own: &str) -> Option<Load> {
        let numbers: Vec<f64> =
            all.lines().next()?.split_whitespace().skip(1).map_while(|word| word.parse().ok()).collect();
        let [user, nice, system, idle, waiting, irq, soft, stolen, ..] = numbers[..] else { return None };
        let busy = user + nice + system + irq + soft;
        // The name may hold anything; the numbers follow its bracket.
        let (_, rest) = own.rsplit_once(')')?;
        let own: f64 =
            rest.split_whitespace().skip(11).take(4).map_while(|word| word.parse::<f64>().ok()).sum();
        Some(Load { all: busy + idle + waiting + stolen, busy, stolen, own })
    }

    /// Shares of the time since that others used, and that a hypervisor took, in percent
    pub fn since(self, before: Load) -> (f64, f64) {
        let all = (self.all - before.all).max(1.0);
        let others = (self.busy - before.busy) - (self.own - before.own);
        (100.0 * others.max(0.0) / all, 100.0 * (self.stolen - before.stolen) / all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!([bytes("48K"), bytes("480M"), bytes("512")], [Some(49152), Some(480 << 20), Some(512)]);
        assert_eq!([bytes(""), bytes("K"), bytes("0K"), bytes("3T"), bytes("99999999999999999G")], [None; 5]);
        assert_eq!(kibibytes("  123 kB"), Some(123 << 10));
    }

    #[test]
    fn loads_are_shares() {
        let own = |ticks: u32| format!("7 (a name) x) S 1 1 1 0 -1 0 0 0 0 0 {ticks} 0 0 0 20 0");
        let load = |all: &str, ticks| Load::parse(all, &own(ticks)).expect("well formed");
        let before = load("cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 1", 10);
        let after = load("cpu  150 0 0 140 0 0 0 10 0 0\ncpu0 1", 40);
        assert_eq!(after.since(before), (20.0, 10.0));
        assert_eq!(Load::parse("cpu 1 2", &own(1)), None);
        assert_eq!(Load::parse("", ""), None);
    }

    #[test]
    fn caches_that_are_not_there_are_an_error() {
        assert!(matches!(caches(Path::new("/nowhere")), Err(Refusal::Unknown { .. })));
    }
}
