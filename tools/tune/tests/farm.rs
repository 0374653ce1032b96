//! Many workers: scripts whose times follow from the program, so that every search sees the same costs, and whose answers come in any order.
//!
//! Whatever happens to workers and to the search, its log is that of one worker with the same lag.

use crate::course::course;
use crate::search::{OPEN, PROGRAM, fresh, scratch, text};
use serde_json::Value;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// What all of these workers do; `HOW` says what else
const WORKER: &str = r#"
cd "$(dirname "$0")"
down() { [ "$1" = down ] && [ -e down ] && { echo "no route to it" >&2; exit 1; }; }
down "$1"
case $2 in another) machine=another;; *) machine=p;; esac
about='"about":{"machine":{"processor":"'$machine'","cores":1,"features":"f"},"compiler":{"version":"v","build":"b"}}'
echo '{"greeting":2,"process":1,'$about'}'
n=0
while read -r line; do
  down "$1"
  id=${line#*'"id":"'}; id=${id%%'"'*}
  program=${line#*'"program":"'}; program=${program%%'","call"'*}
  sum=$(printf %s "$program" | cksum); time=$((${sum%% *} % 1000000 + 1000))
  answer='{"trial":2,"id":"'$id'","status":"ran","times_ns":['$time']}'
  n=$((n + 1))
  if [ $1 != plain ] && [ $((id % 4)) = 3 ] && mkdir "$1-$id" 2>/dev/null; then
    case $1 in
      kill) kill -KILL $$;;
      garbage) echo 'Segmentation fault';;
      half) printf '{"trial":2,"id":"'; exit 0;;
      huge) head -c 17000000 /dev/zero | tr '\0' x; echo;;
      twice) echo "$answer";;
      stop) [ $id = 3 ] && kill -STOP $$;;
      down) [ $id = 11 ] && { touch down; exit 1; };;
    esac
  fi
  [ "$2" = slow ] && sleep 0.2
  [ $1 != plain ] && sleep 0.0$((($$ * 7 + n * 13) % 5))
  echo "$answer"
done
"#;

/// A search of 48 points with such workers
struct Farm {
    folder: PathBuf,
    args: Vec<String>,
    script: String,
}

impl Farm {
    fn new(name: &str) -> Farm {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("farm-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let script = folder.join("worker.sh");
        std::fs::write(&script, WORKER).expect("a file");
        let wide = OPEN.replace("(?,4,?)", "(?,?,?)");
        let program = scratch(&format!("farm-{name}.mlir"), PROGRAM);
        let schedule = format!("--schedule={}", scratch(&format!("farm-{name}.txt"), &wide));
        let fixed = ["--on=interp", "--prune=2", "--drawn=4", "--budget=16", "--bench=1"].map(String::from);
        let args = [vec![program, schedule], fixed.to_vec()].concat();
        Farm { folder, args, script: script.to_str().expect("UTF-8").to_owned() }
    }

    fn log(&self, name: &str) -> String {
        self.folder.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Workers of one kind
    fn through(&self, how: &str) -> String {
        format!("--through=sh {} {how}", self.script)
    }

    fn command(&self, log: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_terrace-tune"));
        command.args(&self.args).arg(format!("--log={}", self.log(log))).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, log: &str, more: &[&str]) -> Output {
        self.command(log, more).output().expect("the tool runs")
    }

    /// The same, to a good end
    fn search(&self, log: &str, more: &[&str]) {
        let output = self.run(log, more);
        assert!(output.status.success(), "{more:?}: {}{}", text(&output).0, text(&output).1);
    }

    /// Two searches whose logs are the same but for the time of day and their command lines
    fn assert_same(&self, one: &str, other: &str) {
        let head = |log: &str| {
            let text = std::fs::read_to_string(self.log(log)).expect("it is there");
            let mut head: Value = serde_json::from_str(text.lines().next().expect("a head")).expect("JSON");
            head.as_object_mut().and_then(|head| head.remove("command")).expect("it has its command line");
            head
        };
        assert_eq!(head(one), head(other));
        let (one, other) = (course(&self.log(one)), course(&self.log(other)));
        assert_eq!(one.len(), 16);
        assert!(one == other, "{one:#?} {other:#?}");
    }

    fn lines(&self, log: &str) -> usize {
        std::fs::read_to_string(self.log(log)).map_or(0, |text| text.lines().count())
    }
}

/// Answers in any order, from as many workers as the lag allows
fn any_order(technique: &str) {
    let farm = Farm::new(technique);
    for lag in ["1", "2", "4"] {
        let technique = format!("--technique={technique}");
        let with = |log: &str, how: &str, jobs: &str| {
            let (lag, jobs) = (format!("--lag={lag}"), format!("--jobs={jobs}"));
            farm.search(log, &[&technique, &lag, &jobs, &farm.through(how)]);
        };
        let (serial, shuffled) = (format!("serial-{lag}"), format!("shuffled-{lag}"));
        with(&serial, "plain", "1");
        with(&shuffled, "late", lag);
        farm.assert_same(&serial, &shuffled);
    }
}

#[test]
fn exhaustive_walks_do_not_depend_on_the_order_of_answers() {
    any_order("exhaustive");
}

#[test]
fn random_draws_do_not_depend_on_the_order_of_answers() {
    any_order("random");
}

#[test]
fn annealing_does_not_depend_on_the_order_of_answers() {
    any_order("anneal");
}

#[test]
fn the_p_method_does_not_depend_on_the_order_of_answers() {
    any_order("p-method");
}

#[test]
fn the_q_method_does_not_depend_on_the_order_of_answers() {
    any_order("q-method");
}

/// Workers that die, write garbage, halves of lines, too much or everything twice, at every fourth trial
#[test]
fn workers_that_break_change_no_log() {
    let farm = Farm::new("broken");
    farm.search("serial", &["--lag=2", &farm.through("plain")]);
    for how in ["kill", "garbage", "half", "huge", "twice"] {
        farm.search(how, &["--jobs=2", &farm.through(how)]);
        farm.assert_same("serial", how);
    }
}

/// One of two nodes stops, and the other one goes on
#[test]
fn a_node_that_stops_changes_no_log() {
    let farm = Farm::new("stopped");
    farm.search("serial", &["--lag=2", &farm.through("plain")]);
    farm.search("stop", &["--jobs=2", &farm.through("stop")]);
    farm.assert_same("serial", "stop");
}

/// Nothing measures for a while: the search waits, and goes on
#[test]
fn a_farm_that_comes_back_changes_no_log() {
    let farm = Farm::new("back");
    farm.search("serial", &["--lag=2", &farm.through("plain")]);
    let mut child = farm.command("back", &["--jobs=2", &farm.through("down")]).spawn().expect("the tool");
    let (down, start) = (farm.folder.join("down"), Instant::now());
    while !down.exists() {
        assert!(start.elapsed() < Duration::from_secs(100) && child.try_wait().expect("ours").is_none());
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().expect("it is ours").is_none(), "it waits");
    std::fs::remove_file(down).expect("it is there");
    assert!(child.wait().expect("it is ours").success());
    farm.assert_same("serial", "back");
}

/// Nothing measures for too long: the log is kept, and gone on with later
#[test]
fn a_farm_that_stays_away_ends_the_search() {
    let farm = Farm::new("away");
    farm.search("serial", &["--lag=2", &farm.through("plain")]);
    let through = farm.through("down");
    let output = farm.run("away", &["--jobs=2", "--patience=500ms", &through]);
    let said = text(&output).1;
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("nothing could be measured for") && said.contains("no route to it"), "{said}");
    assert!(said.contains("`--resume` goes on with it"), "{said}");
    let before = farm.lines("away");
    assert!((5..17).contains(&before), "{before}");
    std::fs::remove_file(farm.folder.join("down")).expect("it is there");
    farm.search("away", &["--jobs=2", &through, "--resume"]);
    farm.assert_same("serial", "away");
    // What never was a worker is none, and nothing is waited for.
    let output = farm.run("never", &["--through=false"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).1.contains("`false` is no worker: "), "{}", text(&output).1);
}

/// Times of another machine are none of this search
#[test]
fn workers_of_another_machine_are_refused() {
    let farm = Farm::new("machines");
    let one = farm.through("plain");
    // Slow enough for the other one to be heard.
    let (slow, other) = (format!("{one} slow"), format!("{one} another"));
    farm.search("serial", &["--lag=2", &one]);
    let output = farm.run("both", &["--jobs=2", &slow, &other]);
    let said = text(&output).0;
    assert!(
        output.status.success() && said.contains("a worker was missing: `sh` is no worker: its machine is"),
        "{said}"
    );
    farm.assert_same("serial", "both");
    // The log is that of the machine that measured.
    let head = std::fs::read_to_string(farm.log("both")).expect("it is there");
    assert!(head.lines().next().is_some_and(|line| line.contains(r#""processor":"p""#)), "{head}");
    let output = farm.run("both", &["--jobs=2", &other, "--resume"]);
    let said = text(&output).1;
    assert!(said.contains("processor: p then, another now"), "{said}");
}

/// The search itself is killed, with trials under way
#[test]
fn a_search_that_is_killed_goes_on() {
    let farm = Farm::new("killed");
    let through = farm.through("late");
    farm.search("serial", &["--lag=4", &farm.through("plain")]);
    let mut child = farm.command("killed", &["--jobs=4", &through]).spawn().expect("the tool runs");
    let start = Instant::now();
    while farm.lines("killed") < 6 {
        assert!(start.elapsed() < Duration::from_secs(100));
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("it is ours");
    child.wait().expect("it is ours");
    assert!(farm.lines("killed") < 17, "it was too fast");
    // Another number of workers makes no difference, another lag does.
    let output = farm.run("killed", &["--jobs=2", &through, "--resume"]);
    assert!(text(&output).1.contains("lag: 4 then, 2 now"), "{}", text(&output).1);
    farm.search("killed", &["--jobs=2", "--lag=4", &through, "--resume"]);
    farm.assert_same("serial", "killed");
}

/// No room for the log: it ends at a whole line, and is gone on with
#[test]
fn a_full_disk_ends_a_search_and_keeps_the_log() {
    let farm = Farm::new("full");
    let through = farm.through("plain");
    farm.search("serial", &["--lag=2", &through]);
    let command = farm.command("full", &["--jobs=2", &through]);
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$@\"", "sh"]).arg(command.get_program());
    let output = limited.args(command.get_args()).output().expect("a shell");
    let said = text(&output).1;
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write the log: ") && said.contains("`--resume` goes on"), "{said}");
    let log = std::fs::read_to_string(farm.log("full")).expect("it is there");
    assert!(log.ends_with('\n') && (2..17).contains(&log.lines().count()), "{log}");
    farm.search("full", &["--jobs=2", &through, "--resume"]);
    farm.assert_same("serial", "full");
}

/// A candidate waits for its turn, for as long as it takes, and is measured then
#[test]
fn timings_take_turns() {
    let line = crate::trials::drawn("turns", 1).remove(0);
    for on in ["interp", "host"] {
        if on == "host" && terrace_native_client::client::find().is_err() {
            println!("skipped: timings_take_turns/host (needs llvm)");
            continue;
        }
        let turn = fresh(&format!("turn-{on}"));
        let held = File::create(&turn).expect("a file");
        held.lock().expect("it is free");
        let mut line = line.clone();
        line["call"]["on"] = serde_json::json!(on);
        line["call"]["pipeline"] = serde_json::Value::Null;
        line["reference"] = serde_json::Value::Null;
        line["policy"] = serde_json::json!({"runs": 3, "build_s": 30, "run_s": 0.5});
        if on == "interp" {
            // Its limits count together.
            line["policy"]["build_s"] = serde_json::json!(0.5);
        }
        let mut asked = crate::workers::Asked::start_with(&["worker", "--turn", &turn]);
        asked.read().expect("a greeting");
        asked.write(&line);
        let start = Instant::now();
        let mut beats = 0;
        while start.elapsed() < Duration::from_millis(3500) {
            let said = asked.said().expect("it lives");
            assert!(!said["beat"].is_null(), "{on}: it did not wait: {said}");
            beats += 1;
        }
        assert!(beats > 1);
        held.unlock().expect("it is ours");
        let answer = asked.read().expect("an answer");
        assert_eq!(answer["status"], "ran", "{answer}");
        let times = &answer["stages_ns"];
        assert!(times["build"].as_u64() < Some(3_000_000_000), "{times}");
    }
}
