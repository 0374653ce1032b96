//! What the picture draws: tiles in scale, regions with bytes, arrows, and a legend of the signs that there are.

use crate::tool;
use roxmltree::{Document, Node};
use std::path::Path;
use terrace_diag::Diags;
use terrace_dialect_mdh::schedule::OpenSchedule;
use terrace_ir::Context;
use terrace_view::program::Program;
use terrace_view::{document as view_of, picture, reading};

fn view(args: &[&str]) -> String {
    tool::text(tool::view(args))
}

fn listing_5() -> String {
    view(&["test-files/lowering/mdh/listing5.mlir", "--compute=matmul", "--target=cuda"])
}

fn with_id<'a>(picture: &'a Document<'a>, id: &str) -> Node<'a, 'a> {
    picture.descendants().find(|node| node.attribute("id") == Some(id)).expect("a part of the picture")
}

fn has(node: &Node<'_, '_>, class: &str) -> bool {
    node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
}

fn all<'a>(within: Node<'a, 'a>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    within.descendants().filter(move |node| has(node, class))
}

fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).expect("a number")
}

fn text(node: Node<'_, '_>) -> String {
    node.text().unwrap_or("").trim().to_owned()
}

/// Corners of a path
fn corners(node: Node<'_, '_>) -> Vec<(f64, f64)> {
    let path = node.attribute("d").expect("a path");
    let points = path.split(['M', 'L', 'Z']).filter(|part| !part.is_empty());
    points
        .map(|point| {
            let (x, y) = point.split_once(' ').expect("two numbers");
            (x.parse().expect("x"), y.parse().expect("y"))
        })
        .collect()
}

/// Share of a face that another one takes, across and down
fn share(part: Node<'_, '_>, whole: Node<'_, '_>) -> (f64, f64) {
    let size = |node| {
        let points = corners(node);
        (points[1].0 - points[0].0, points[2].1 - points[1].1)
    };
    let (part, whole) = (size(part), size(whole));
    (part.0 / whole.0, part.1 / whole.1)
}

#[test]
fn tiles_are_drawn_inside_of_each_other_in_scale() {
    let text = listing_5();
    let picture = Document::parse(&text).expect("XML");
    // Tiles of steps 2 to 6 along columns and rows of what is around them; the first step's are 20 of 1000.
    for (step, across, down) in [(2, 1.0, 0.5), (3, 0.05, 0.25), (4, 0.125, 1.0), (6, 0.5, 1.0)] {
        let band = with_id(&picture, &format!("s{step}"));
        let solid = all(band, "solid").next().expect("a box");
        let face = |class| all(solid, class).find(|node| !has(node, "above") && !has(node, "beside"));
        let (tile, whole) = (face("tile").expect("a tile"), face("whole").expect("what is around"));
        let found = share(tile, whole);
        assert!((found.0 - across).abs() < 0.02 && (found.1 - down).abs() < 0.02, "step {step}: {found:?}");
        let (tile, whole) = (corners(tile), corners(whole));
        assert_eq!(tile[0], whole[0], "step {step}: a tile begins where what is around does");
    }
    // Layers have their colors; what runs at the same time is tinted as a whole, of what runs in order only the first.
    for (step, class, busy) in
        [(1, "blk", (1.0, 1.0)), (2, "seq", (1.0, 0.5)), (3, "thr", (1.0, 1.0)), (4, "seq", (0.125, 1.0))]
    {
        let band = with_id(&picture, &format!("s{step}"));
        let solid = all(band, "solid").next().expect("a box");
        let front = |class: &'static str| {
            all(solid, class).find(|node| !has(node, "above") && !has(node, "beside")).expect("a face")
        };
        assert!(has(&front("tile"), class) && has(&front("busy"), class), "step {step}");
        let found = share(front("busy"), front("whole"));
        assert!((found.0 - busy.0).abs() < 0.02 && (found.1 - busy.1).abs() < 0.02, "step {step}: {found:?}");
    }
    // Along each dimension: 8 of 16, 20 of 1000 (two points at least, so that it is seen), all of 2048.
    let rulers: Vec<Node<'_, '_>> = all(with_id(&picture, "s1"), "ruler").collect();
    let parts: Vec<Option<f64>> = rulers
        .iter()
        .map(|ruler| {
            let width = |class| all(*ruler, class).next().map(|bar| number(bar, "width"));
            Some(width("tile")? / width("whole")?)
        })
        .collect();
    assert!(parts[0].is_some_and(|share| (share - 0.5).abs() < 0.01), "{parts:?}");
    assert!(parts[1].is_some_and(|share| (share - 0.02).abs() < 0.01) && parts[2].is_none(), "{parts:?}");
    // Each box but the first is the enlargement of a tile.
    assert_eq!(all(picture.root(), "funnel").count(), 6);
}

#[test]
fn remainders_are_said_and_drawn() {
    let text_of = view(&["test-files/demo/matmul.mlir", "--target=x86-64-v4"]);
    let picture = Document::parse(&text_of).expect("XML");
    let said: Vec<String> = all(with_id(&picture, "s1"), "split").map(text).collect();
    assert!(said.contains(&"528 + 472".to_owned()), "{said:?}");
    // The tile of the last columns has a nest of its own: it is never there with the other one.
    let bytes: Vec<String> = all(with_id(&picture, "memory"), "bytes").map(text).collect();
    assert_eq!(bytes, ["8,387,072 bytes", "1,536 bytes"]);
}

/// Where points lie outside of an image nothing is read: a tile's part of it is not larger than it is
#[test]
fn what_a_tile_reaches_ends_with_the_buffer() {
    let own = view(&["test-files/demo/conv2d.mlir", "--target=x86-64-v4"]);
    let picture = Document::parse(&own).expect("XML");
    let said: Vec<String> = all(with_id(&picture, "s0"), "small").map(text).collect();
    assert!(said.contains(&"1×56×56×64 · 802,816 B".to_owned()), "{said:?}");
    let said: Vec<String> = all(with_id(&picture, "s1"), "small").map(text).collect();
    assert!(said.contains(&"1×30×56×64".to_owned()), "{said:?}");
}

#[test]
fn regions_are_bands_with_bytes_and_arrows_between() {
    let own = listing_5();
    let picture = Document::parse(&own).expect("XML");
    let memory = with_id(&picture, "memory");
    let names: Vec<String> = all(memory, "region-name").map(text).collect();
    assert_eq!(names, ["DM", "SM", "RM", "scalar phase"]);
    let bytes: Vec<String> = all(memory, "bytes").map(text).collect();
    assert_eq!(bytes, ["8,387,072 bytes", "28,672 bytes", "8 bytes"]);
    let buffers: Vec<String> = all(memory, "buffer-name").map(text).collect();
    assert_eq!(buffers, ["A", "A_sm", "B", "B_sm", "C", "C_rm"]);
    // Data go down, from DM to SM to the function; partial results go up.
    let arrows: Vec<String> = all(memory, "tiny")
        .map(text)
        .filter(|text| ["copied", "reads", "by"].iter().any(|word| text.contains(word)))
        .collect();
    for wanted in
        ["1,638,400 copied", "4,096,000 copied", "32,768,000 reads", "32,768,000 by +", "16,000 copied"]
    {
        assert!(arrows.iter().any(|text| text == wanted), "{wanted}: {arrows:?}");
    }
    let count = |class| all(memory, class).filter(|node| has(node, "tip")).count();
    assert_eq!((count("data"), count("result")), (4, 2));
    // Bytes of a band are in scale: A is 131,072 of 8,387,072.
    let band = all(memory, "region").next().expect("a band");
    let widths: Vec<f64> = all(band, "share").map(|bar| number(bar, "width")).collect();
    assert!(widths.len() == 3 && widths[1] > 40.0 * widths[0] && widths[0] > widths[2], "{widths:?}");
    // Where partial results are merged: the three steps that split k.
    let merging = (0..7).filter(|n| all(with_id(&picture, &format!("s{n}")), "merge").count() == 1);
    assert_eq!(merging.collect::<Vec<_>>(), [4, 5, 6]);
}

#[test]
fn the_legend_has_the_signs_that_there_are() {
    let signs = |args: &[&str]| {
        let own = view(args);
        let picture = Document::parse(&own).expect("XML");
        all(with_id(&picture, "legend"), "sign").map(text).collect::<Vec<_>>()
    };
    let own = signs(&["test-files/lowering/mdh/listing5.mlir", "--compute=matmul"]);
    for wanted in ["^", "++", "+", "FOR.1", "BLK.y", "THR.y", "SM", "RM", "DM"] {
        assert!(own.iter().any(|sign| sign == wanted), "{wanted}: {own:?}");
    }
    assert!(
        !own.iter().any(|sign| sign.starts_with("VEC") || sign.starts_with("UNR") || sign == "REG"),
        "{own:?}"
    );
    let host = signs(&["test-files/demo/conv2d.mlir", "--target=x86-64-v4"]);
    for wanted in ["VEC.x", "UNR.2", "REG", "~peel"] {
        assert!(host.iter().any(|sign| sign == wanted), "{wanted}: {host:?}");
    }
}

/// What a reduction hands from iteration to iteration is a partial result, too
#[test]
fn results_that_loops_carry_are_counted() {
    let own = view(&["test-files/demo/dot.mlir", "--target=x86-64-v4"]);
    let picture = Document::parse(&own).expect("XML");
    let carried = all(picture.root(), "carried").next().expect("an arrow");
    assert_eq!(all(carried, "tiny").map(text).collect::<Vec<_>>(), ["16,777,216 by +, as values"]);
    assert!(own.contains("512 tasks along k at the same time"));
}

/// The paper's matrix product, with its schedule
fn matmul() -> view_of::Document {
    let cx = Context::new(&terrace_opt::all_dialects());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = root.join("test-files/lowering/mdh/listing5.mlir");
    let program =
        Program::load(&cx, file.to_str().expect("UTF-8"), Some("matmul"), &[], &mut Diags::default());
    program.ok().flatten().expect("a program").document().expect("a document")
}

/// Names and texts of the program may have signs that XML has, and others than ASCII's
#[test]
fn names_of_any_signs_are_drawn_and_come_back() {
    for sign in ["<&\">", "</svg>", "é×✓", "a'b", "]]>", "&amp;"] {
        let mut document = matmul();
        let mut given = 0;
        let mut put = |text: &mut String| {
            given += 1;
            *text = format!("{sign}{given}");
            text.clone()
        };
        let mut shown = vec![put(&mut document.compute), put(document.target.get_or_insert_default())];
        for dim in &mut document.dims {
            shown.extend([put(&mut dim.name), put(&mut dim.operator)]);
        }
        for buffer in document.ins.iter_mut().chain(&mut document.outs) {
            shown.push(put(&mut buffer.name));
            shown.extend(buffer.maps.iter_mut().map(&mut put));
        }
        shown.extend(document.body.iter_mut().map(&mut put));
        let drawn = picture::draw(&document, None);
        let xml = Document::parse(&drawn).unwrap_or_else(|why| panic!("{sign}: {why}"));
        let texts: Vec<&str> = xml.descendants().filter_map(|node| node.text()).collect();
        for wanted in &shown {
            assert!(texts.iter().any(|text| text.contains(wanted.as_str())), "{wanted} in {drawn}");
        }
        let root = xml.root_element();
        assert_eq!(root.attribute("data-compute"), Some(document.compute.as_str()));
        assert_eq!(root.attribute("data-dims"), Some(document.dim_names().as_str()));
        let back = reading::read(&drawn, &document).unwrap_or_else(|why| panic!("{sign}: {why}"));
        assert_eq!(back, document.draft);
    }
}

/// Whatever stands in a field, it is drawn inside of the picture, and comes back
#[test]
fn any_token_is_drawn_and_comes_back() {
    let document = matmul();
    let long = format!("?{}", "N123456789".repeat(12));
    let tokens = [
        "9223372036854775807",
        "?",
        "{1,2}",
        "^~",
        "{1,2..4,div}~{peel,pad}",
        "7~peel",
        "L1",
        "{^,L2,REG}",
        "FOR.?",
        "THR.x(partials)",
        long.as_str(),
    ];
    let places: Vec<_> = document.draft.fields().into_iter().map(|(place, _)| place).collect();
    // Each field has each text that it can have, beside others that have others.
    for turn in 0..tokens.len() {
        let mut draft = document.draft.clone();
        for (n, place) in places.iter().enumerate() {
            let own = (0..tokens.len()).map(|k| tokens[(n * 3 + turn + k) % tokens.len()]);
            let read = own.map(|text| draft.read_at(*place, text)).find(Result::is_ok);
            assert!(read.is_some(), "{place}");
        }
        let changed = view_of::Document { draft, ..document.clone() };
        let drawn = picture::draw(&changed, None);
        let back = reading::read(&drawn, &changed).unwrap_or_else(|why| panic!("{turn}: {why}"));
        assert_eq!(back.to_string(), changed.draft.to_string());
    }
    // Steps with other numbers of entries than the computation has.
    for steps in ["1: () ( ; ) ()", "1: (8) (^ ; ^) (^)", "1: (8,8,8,8) (^,^,^ ; ^,^) (^,^,^,^)"] {
        let draft = OpenSchedule::read(steps).expect("steps");
        picture::draw(&view_of::Document { draft, ..document.clone() }, None);
    }
}

/// A loop nest with copies for edges has tiles several times; the table has them once, with their digits in groups
#[test]
fn tables_have_no_row_twice() {
    for (file, buffers) in [("conv2d", 5), ("matmul", 5), ("jacobi", 2)] {
        let page = view(&[&format!("test-files/demo/{file}.mlir"), "--target=x86-64-v4", "--to=html"]);
        let table =
            page.split("<table id=\"buffers\">").nth(1).and_then(|rest| rest.split("</table>").next());
        let rows: Vec<&str> = table.expect("a table").split("<tr").skip(2).collect();
        let cells = |row: &&str| {
            let parts =
                row.split("<td").skip(1).map(|cell| cell.split_once('>').map_or("", |(_, text)| text));
            parts
                .map(|text| text.replace("</td>", "").replace("</tr>", "").trim().to_owned())
                .collect::<Vec<_>>()
        };
        let mut told: Vec<Vec<String>> = rows.iter().map(|row| cells(row)[1..].to_vec()).collect();
        assert_eq!(
            rows.iter().filter(|row| !row.contains("class=\"total\"")).count(),
            buffers,
            "{file}: {told:?}"
        );
        let number = told.len();
        told.sort();
        told.dedup();
        assert_eq!(told.len(), number, "{file}: {told:?}");
        let digits = |text: &str| text.split(|c: char| !c.is_ascii_digit()).all(|run| run.len() <= 3);
        assert!(told.iter().all(|row| row.iter().all(|cell| digits(cell))), "{file}: {told:?}");
    }
}
