//! Messages show the line, and carets below what is wrong.

use terrace_devices::Device;

#[track_caller]
fn wrong(text: &str) -> String {
    Device::parse("own", text).expect_err(text).to_string()
}

/// Line, column and number of carets of a message
#[track_caller]
fn place(text: &str) -> (usize, usize, usize) {
    let message = wrong(text);
    let arrow = message.lines().nth(1).unwrap_or("").trim_start();
    let mut numbers =
        arrow.trim_start_matches("--> own.toml:").split(':').map(|n| n.parse().expect("a number"));
    let carets = message.lines().last().unwrap_or("").matches('^').count();
    (numbers.next().expect("a line"), numbers.next().expect("a column"), carets)
}

#[test]
fn the_value_that_is_wrong() {
    assert_eq!(place("kind = \"host\"\nunits = -12\nregisters = 1\n"), (2, 9, 3));
    assert_eq!(place("kind = \"fast\"\n"), (1, 8, 6));
}

#[test]
fn the_key_that_is_not_known() {
    assert_eq!(place("kind = \"host\"\nunits = 4\n  lanes = 4\n"), (3, 3, 5));
}

#[test]
fn the_word_of_a_list() {
    let base = "kind = \"grid\"\nunits = 4\nregisters = 16\n";
    assert_eq!(place(&format!("{base}barriers = [\"block\", \"world\"]\n")), (4, 22, 7));
}

#[test]
fn a_memory_on_a_line_of_its_own() {
    let text = "kind = \"host\"\nunits = 4\nregisters = 16\nmemory = [\n  { region = \"L1\", bytes = 64 },\n  { region = \"L1\", bytes = 128 },\n]\n";
    assert_eq!(place(text), (6, 14, 4));
    assert!(wrong(text).starts_with("there are two memories `L1`\n"));
}

#[test]
fn what_is_missing_is_shown_at_the_start() {
    assert_eq!(place("kind = \"host\"\n").0, 1);
    assert_eq!(place("").0, 1);
}

#[test]
fn columns_count_characters() {
    assert_eq!(place("description = \"Gerät\" # größer\nkind = \"schnell\"\n"), (2, 8, 9));
    // The comment behind the value is no part of the mistake.
    assert_eq!(place("kind = \"schnell\" # Gerät\n"), (1, 8, 9));
}

#[test]
fn text_that_is_no_toml() {
    for text in
        ["kind", "kind = ", "kind = \"host", "= 3", "[kind", "kind = \"host\"\nkind = \"grid\"\n", "\u{0}"]
    {
        let message = wrong(text);
        assert!(message.contains("--> own.toml:") && message.contains('^'), "{text:?}: {message}");
    }
}

#[test]
fn lines_that_end_as_on_other_systems() {
    let device = Device::parse("own", "kind = \"host\"\r\nunits = 4\r\nregisters = 16\r\n");
    assert_eq!(device.map(|device| device.units), Ok(4));
    assert_eq!(place("kind = \"host\"\r\nunits = 0\r\nregisters = 16\r\n"), (2, 9, 1));
}
