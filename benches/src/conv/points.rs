//! Where a layer is run: at a point of the table, one that is given, or the best of a search's log.

use std::error::Error;
use std::fmt;
use std::path::Path;

use terrace_search_explore::log::{self, Entry, Header};

use super::layers::{Layer, Point};
use crate::Done;

/// A strategy with its numbers, and levels of maps
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// Rows of a strip, windows of a tile, kernels of a panel, channels of a part if there are parts, lanes
    numbers: Vec<String>,
    /// `map=level`, with commas between
    pub levels: String,
}

impl Chosen {
    /// The table's
    pub fn of(layer: &Layer, threads: usize) -> Self {
        let Point { h, q, o, c, tasks } = layer.point(threads);
        let numbers = h.into_iter().chain([q, o]).chain(c).map(|number| number.to_string());
        Self::with(numbers.collect(), tasks)
    }

    /// `7,14,32,blocks`, or `28,14,32,64,panels` with parts of channels, `14,32,direct` and `14,32,128,direct` without strips:
    /// sixteen lanes, tasks
    pub fn parse(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split(',').map(str::trim).collect();
        let (tasks, numbers) = words.split_last()?;
        let all = numbers.iter().all(|number| number.parse::<u64>().is_ok());
        let least = if *tasks == "direct" { 2 } else { 3 };
        (all && (least..=least + 1).contains(&numbers.len()))
            .then(|| Self::with(numbers.iter().map(|number| (*number).to_owned()).collect(), tasks))
    }

    fn with(mut numbers: Vec<String>, tasks: &str) -> Self {
        // What tasks share is written by tasks too.
        let levels = match (tasks, numbers.len()) {
            ("direct", 2) => "panels=task".to_owned(),
            ("direct", _) => "panels=task,starts=task".to_owned(),
            ("packed", _) => "blocks=task,packs=task".to_owned(),
            ("panels", 3) => "panels=task,strip=task".to_owned(),
            ("panels", _) => "panels=task,strip=task,starts=task".to_owned(),
            _ => format!("{tasks}=task"),
        };
        numbers.push("16".to_owned());
        Self { numbers, levels }
    }

    /// As a pipeline writes it
    pub fn strategy(&self) -> String {
        let has = |map: &str| self.levels.contains(map);
        let name = match self.numbers.len() {
            3 => "convHostDirect",
            4 if has("starts=") => "convHostDirectParts",
            5 => "convHostParts",
            _ if has("strip=") => "convHostShared",
            _ if has("packs=") => "convHostPacked",
            _ => "convHost",
        };
        format!("{name}({})", self.numbers.join(", "))
    }

    /// Who works
    fn tasks(&self) -> &str {
        let all = self.levels.split(',').filter_map(|one| one.split_once('='));
        let tasks: Vec<&str> = all.filter(|(_, level)| *level == "task").map(|(map, _)| map).collect();
        let known = ["packs", "blocks", "panels"].into_iter().find(|map| tasks.contains(map));
        let direct = self.strategy().starts_with("convHostDirect");
        match known.or(tasks.first().copied()) {
            _ if direct => "direct",
            Some("packs") => "packed",
            other => other.unwrap_or("nobody"),
        }
    }

    /// As the table shows it
    pub fn text(&self) -> String {
        format!("{}, {}", self.numbers.join(", "), self.tasks())
    }

    /// The fastest point of a log of `terrace-tune` that holds at most `within` times the least memory
    pub fn best(log: &str, within: Option<f64>) -> Done<Self> {
        let (Header { names, least, .. }, entries) = log::read(log)?;
        let fits = |entry: &&Entry| match (within, entry.bytes, least) {
            (Some(times), Some(bytes), Some(least)) => bytes as f64 <= times * least as f64,
            (Some(_), ..) => false,
            (None, ..) => true,
        };
        let words = |entry: &Entry| entry.point.iter().map(ToString::to_string).collect::<Vec<String>>();
        let timed = entries.iter().filter(fits).filter_map(|entry| Some((entry.cost()?, words(entry))));
        let best = timed.min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, point) = best.ok_or("no point of it ran in so much memory")?;
        let pairs = || names.iter().zip(&point);
        // A search has them in the order in which they hang on each other.
        let number = |name: &str| pairs().find(|(other, _)| *other == name).map(|(_, value)| value.clone());
        let mut numbers: Vec<String> = ["h", "q", "o", "c", "v"].into_iter().filter_map(number).collect();
        if numbers.len() < 4 {
            return Err("it has no `h`, `q`, `o` and `v`".into());
        }
        let levels: Vec<String> = pairs()
            .filter_map(|(name, value)| Some(format!("{}={value}", name.strip_prefix("m.")?)))
            .collect();
        if levels.is_empty() {
            // Numbers alone were searched, as of one thread.
            let tasks = if numbers.len() > 4 { "panels" } else { "blocks" };
            numbers.pop().filter(|lanes| *lanes == "16").ok_or("its best point has other lanes than 16")?;
            return Ok(Self::with(numbers, tasks));
        }
        Ok(Self { numbers, levels: levels.join(",") })
    }
}

/// `2=conv2.jsonl`, or `2@4=conv2-four.jsonl` for four threads alone
#[derive(Clone, Debug)]
pub struct Log {
    layer: String,
    threads: Option<usize>,
    file: String,
}

/// A word of the command line that is not a [`Log`]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoLog;

impl fmt::Display for NoLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected LAYER=FILE or LAYER@THREADS=FILE, as 2=conv2.jsonl")
    }
}

impl Error for NoLog {}

impl Log {
    /// From the command line
    pub fn parse(text: &str) -> Result<Self, NoLog> {
        let (at, file) = text.split_once('=').ok_or(NoLog)?;
        let (layer, threads) = match at.split_once('@') {
            Some((layer, threads)) => (layer, Some(threads.parse().map_err(|_| NoLog)?)),
            None => (at, None),
        };
        Ok(Self { layer: layer.to_owned(), threads, file: file.to_owned() })
    }

    /// The best point of the log for this layer, if there is a log for it
    pub fn best(all: &[Self], layer: &Layer, threads: usize, within: Option<f64>) -> Done<Option<Chosen>> {
        let fits = |log: &&Self| log.layer == layer.first() && log.threads.is_none_or(|of| of == threads);
        // A log for this number of threads counts more than one for any.
        let log = all.iter().filter(fits).max_by_key(|log| log.threads);
        let Some(Self { file, .. }) = log else { return Ok(None) };
        let text = std::fs::read_to_string(Path::new(file)).map_err(|e| format!("{file}: {e}"))?;
        Chosen::best(&text, within).map(Some).map_err(|e| format!("{file}: {e}").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conv::layers::ALL;

    const LOG: &str = "\
{\"space\":\"\",\"technique\":\"random\",\"seed\":1,\"least\":100,\"log\":\"terrace-tune/1\",\"names\":[\"h\",\"q\",\"o\",\"v\",\"m.blocks\",\"m.panels\"]}
{\"at\":1,\"bytes\":120,\"n\":1,\"point\":[\"8\",\"14\",\"32\",\"16\",\"task\",\"seq\"],\"seconds\":0.1}
{\"at\":1,\"failed\":\"wrong\",\"n\":2,\"point\":[\"1\",\"14\",\"32\",\"16\",\"task\",\"seq\"]}
{\"at\":1,\"bytes\":105,\"n\":3,\"point\":[\"4\",\"7\",\"32\",\"16\",\"seq\",\"task\"],\"seconds\":0.2}
{\"byt";

    #[test]
    fn the_best_of_a_log() {
        let best = Chosen::best(LOG, None).expect("there is one");
        assert_eq!(
            (best.strategy().as_str(), best.levels.as_str()),
            ("convHost(8, 14, 32, 16)", "blocks=task,panels=seq")
        );
        let parts = "{\"space\":\"\",\"technique\":\"random\",\"seed\":1,\"log\":\"terrace-tune/1\",\"names\":[\"h\",\"q\",\"o\",\"v\",\"c\"]}\n\
                     {\"at\":1,\"n\":1,\"point\":[\"28\",\"14\",\"32\",\"16\",\"64\"],\"seconds\":0.1}";
        let parts = Chosen::best(parts, None).expect("there is one");
        assert_eq!(parts.strategy(), "convHostParts(28, 14, 32, 64, 16)");
        let typed = "{\"space\":\"\",\"technique\":\"random\",\"seed\":1,\"log\":\"terrace-tune/2\",\"names\":[\"h\",\"q\",\"o\",\"v\",\"m.panels\"]}\n\
                     {\"at\":1,\"n\":1,\"point\":[28,14,32,16,{\"level\":\"task\"}],\"seconds\":0.1}";
        assert_eq!(Chosen::best(typed, None).expect("there is one").text(), "28, 14, 32, 16, panels");
        let small = Chosen::best(LOG, Some(1.1)).expect("there is one");
        assert_eq!(small.text(), "4, 7, 32, 16, panels");
        assert!(Chosen::best(LOG, Some(1.0)).is_err() && Chosen::best("{}", None).is_err());
    }

    #[test]
    fn points_as_text() {
        let parts = Chosen::parse("28,14,32,64,panels").expect("it is one");
        assert_eq!(parts.strategy(), "convHostParts(28, 14, 32, 64, 16)");
        assert_eq!(parts.levels, "panels=task,strip=task,starts=task");
        let packed = Chosen::parse("7,14,32,packed").expect("it is one");
        assert_eq!(packed.strategy(), "convHostPacked(7, 14, 32, 16)");
        assert_eq!(packed.text(), "7, 14, 32, 16, packed");
        let direct = Chosen::parse("14,32,direct").expect("it is one");
        assert_eq!(direct.strategy(), "convHostDirect(14, 32, 16)");
        assert_eq!((direct.levels.as_str(), direct.text().as_str()), ("panels=task", "14, 32, 16, direct"));
        let direct = Chosen::parse("14,32,128,direct").expect("it is one");
        assert_eq!(direct.strategy(), "convHostDirectParts(14, 32, 128, 16)");
        assert!(Chosen::parse("7,14,panels").is_none() && Chosen::parse("a,14,32,panels").is_none());
        assert_eq!(
            Chosen::parse("7,14,32,blocks").map(|point| point.text()),
            Some("7, 14, 32, 16, blocks".into())
        );
        assert_eq!(Chosen::of(&ALL[0], 1).text(), "4, 4, 64, 16, blocks");
    }

    #[test]
    fn logs_for_threads() {
        assert!(Log::parse("2").is_err() && Log::parse("2@x=a").is_err());
        let all = [Log::parse("12=none").expect("it is one"), Log::parse("12@4=four").expect("it is one")];
        let layer = ALL.iter().find(|layer| layer.first() == "12").expect("it is there");
        let shown =
            |threads| Log::best(&all, layer, threads, None).expect_err("there are no such files").to_string();
        assert!(shown(1).starts_with("none") && shown(4).starts_with("four"));
        assert!(Log::best(&all, &ALL[0], 1, None).is_ok_and(|none| none.is_none()));
    }
}
