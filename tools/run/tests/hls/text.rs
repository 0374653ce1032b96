//! The text of code for FPGAs, read back: functions, loops with their pragmas, arrays, calls.

/// Something in a function
#[derive(Clone, Debug)]
pub enum Node {
    Loop(Loop),
    Array(Array),
    Call(String),
    /// An element is written
    Store,
}

/// A loop whose bounds are numbers
#[derive(Clone, Debug)]
pub struct Loop {
    pub trips: i64,
    pub pragmas: Vec<String>,
    pub body: Vec<Node>,
}

/// An array on the chip
#[derive(Clone, Debug)]
pub struct Array {
    pub name: String,
    pub dims: Vec<i64>,
    /// Banks of each dimension
    pub banks: Vec<i64>,
}

/// A function
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub pragmas: Vec<String>,
    pub body: Vec<Node>,
}

/// All functions of a text
pub fn functions(text: &str) -> Vec<Function> {
    let mut lines = text.lines().peekable();
    let mut all = Vec::new();
    while let Some(line) = lines.next() {
        // A head may have several lines.
        let begins = !line.starts_with([' ', '#', '/', '}']) && line.contains('(') && !line.ends_with(';');
        if !begins {
            continue;
        }
        let name = line.split('(').next().and_then(|head| head.split(' ').next_back()).expect("a name");
        let mut head = line;
        while !head.ends_with(['{', ';']) {
            head = lines.next().expect("a body follows");
        }
        // Functions are declared before they are called.
        if head.ends_with(';') {
            continue;
        }
        let (pragmas, body) = block(&mut lines);
        all.push(Function { name: name.into(), pragmas, body });
    }
    all
}

/// What is in braces
fn block<'t>(lines: &mut std::iter::Peekable<impl Iterator<Item = &'t str>>) -> (Vec<String>, Vec<Node>) {
    let (mut pragmas, mut body) = (Vec::new(), Vec::new());
    // Loops without braces of their own: `for (…)` and `for (…) {`.
    while let Some(line) = lines.next() {
        let line = line.trim();
        if let Some(pragma) = line.strip_prefix("#pragma HLS ") {
            match pragma.strip_prefix("ARRAY_PARTITION ") {
                Some(words) => partition(words, &mut body),
                None => pragmas.push(pragma.to_owned()),
            }
        } else if line.starts_with('}') {
            if !line.ends_with('{') {
                return (pragmas, body);
            }
        } else if line.starts_with("for ") {
            let trips = trips(line);
            let (pragmas, inside) = block(lines);
            body.push(Node::Loop(Loop { trips, pragmas, body: inside }));
        } else if line.ends_with('{') {
            let (_, inside) = block(lines);
            body.extend(inside);
        } else if let Some(array) = array(line) {
            body.push(Node::Array(array));
        } else if line
            .split_once("] = ")
            .and_then(|(place, _)| place.split_once('['))
            .is_some_and(|(name, _)| !name.contains(' '))
        {
            body.push(Node::Store);
        } else if let Some(name) = line.strip_suffix(");").and_then(|call| call.split('(').next())
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            body.push(Node::Call(name.to_owned()));
        }
    }
    (pragmas, body)
}

/// `variable=a cyclic factor=4 dim=2`, of the array that was declared last
fn partition(words: &str, body: &mut [Node]) {
    let word = |key: &str| {
        let found = words.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        found.unwrap_or_else(|| panic!("no {key} in {words}"))
    };
    let Some(Node::Array(array)) = body.last_mut() else { panic!("{words}: behind no array") };
    assert_eq!(word("variable"), array.name, "{words}");
    assert!(words.contains(" cyclic "), "{words}");
    let (dim, factor): (usize, i64) =
        (word("dim").parse().expect("a number"), word("factor").parse().expect("a number"));
    array.banks[dim - 1] = factor;
}

/// `float a[8][20];`
fn array(line: &str) -> Option<Array> {
    let (ty, rest) = line.strip_suffix("];")?.split_once(' ')?;
    let (name, dims) = rest.split_once('[')?;
    if rest.contains(['=', '(']) || ty == "static" || ty == "return" {
        return None;
    }
    let dims: Vec<i64> = dims.split("][").map(|size| size.parse().ok()).collect::<Option<_>>()?;
    Some(Array { name: name.into(), banks: vec![1; dims.len()], dims })
}

/// Iterations of `for (int64_t i = 0; i < 8; i += 2) {`; 0 where the bounds are no numbers
fn trips(line: &str) -> i64 {
    let parts: Vec<&str> = line.split(';').collect();
    let number =
        |text: &str, mark: &str| text.split(mark).nth(1)?.trim().trim_end_matches(") {").parse::<i64>().ok();
    let counted = || {
        let (first, end) = (number(parts[0], "= ")?, number(parts[1], "< ")?);
        let step = if parts[2].contains("++") { 1 } else { number(parts[2], "+= ")? };
        Some((end - first + step - 1) / step)
    };
    counted().unwrap_or(0)
}

impl Loop {
    /// Does it have a pragma of this word?
    pub fn has(&self, word: &str) -> bool {
        self.pragmas.iter().any(|pragma| pragma.split(' ').next() == Some(word))
    }

    /// The interval of its pipeline
    pub fn interval(&self) -> Option<i64> {
        self.pragmas.iter().find_map(|pragma| pragma.strip_prefix("PIPELINE II=")?.parse().ok())
    }
}

/// All loops that are pipelined, each with the trip counts of those around and of itself, and the copies inside
pub fn pipelines(body: &[Node]) -> Vec<(Loop, i64, i64)> {
    let mut all = Vec::new();
    find(body, 1, &mut all);
    all
}

fn find(body: &[Node], around: i64, all: &mut Vec<(Loop, i64, i64)>) {
    for node in body {
        let Node::Loop(one) = node else { continue };
        let steps = around * one.trips;
        match one.interval() {
            Some(_) => all.push((one.clone(), steps, copies(&one.body))),
            None => find(&one.body, steps, all),
        }
    }
}

/// Iterations that run at once
fn copies(body: &[Node]) -> i64 {
    let inner = body.iter().filter_map(|node| match node {
        Node::Loop(one) => {
            assert!(one.has("UNROLL"), "a loop in a pipelined one is none of copies: {one:?}");
            Some(one.trips * copies(&one.body))
        }
        _ => None,
    });
    inner.max().unwrap_or(1)
}

/// The arrays of a function, whichever loop they are in
pub fn arrays(body: &[Node]) -> Vec<Array> {
    let mut all = Vec::new();
    for node in body {
        match node {
            Node::Array(array) => all.push(array.clone()),
            Node::Loop(one) => all.extend(arrays(&one.body)),
            Node::Call(_) | Node::Store => {}
        }
    }
    all
}

/// Elements that are written
pub fn stores(body: &[Node]) -> i64 {
    let each = |node: &Node| match node {
        Node::Loop(one) => one.trips * stores(&one.body),
        Node::Store => 1,
        Node::Array(_) | Node::Call(_) => 0,
    };
    body.iter().map(each).sum()
}
