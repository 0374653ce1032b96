//! The page in a real browser: it is whole at several widths, pointing marks what belongs together, fields are clicked and typed into,
//! the picture is saved, and reads back to the schedule.

use crate::browser::{Page, browser};
use crate::tool;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PROGRAM: &str = "test-files/lowering/mdh/listing5.mlir";
const COMPUTE: &str = "--compute=matmul";

fn view(args: &[&str]) -> String {
    tool::text(tool::view(args))
}

/// A new folder of a test
fn folder(name: &str) -> PathBuf {
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&own);
    std::fs::create_dir_all(&own).expect("the test's folder can be written");
    own.canonicalize().expect("it is there")
}

#[test]
fn fields_are_edited_in_a_browser() {
    let Some(program) = browser() else {
        return println!("skipped: fields_are_edited_in_a_browser (needs chromium)");
    };
    let own = folder("page");
    let file = own.join("listing5.html");
    std::fs::write(&file, view(&[PROGRAM, COMPUTE, "--to=html"])).expect("the test's folder can be written");
    let steps = view(&[PROGRAM, COMPUTE, "--to=text"]);

    let mut page = Page::open(&program, &own, &file);
    let saved = |page: &mut Page| {
        let picture = own.join("schedule.svg");
        let _ = std::fs::remove_file(&picture);
        page.click("#save");
        for _ in 0..600 {
            if std::fs::read_to_string(&picture).is_ok_and(|text| text.contains("</svg>")) {
                let name = picture.to_str().expect("UTF-8");
                return view(&[PROGRAM, COMPUTE, "--apply", name, "--to=text"]);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("no picture was saved");
    };
    // As it is.
    assert_eq!(saved(&mut page), steps);
    // A size; a core, whose two axes change together; words of a buffer; an edit that is given up.
    page.edit("[data-field='step.4.size.3']", "512", "Enter");
    page.edit("[data-field='step.1.core.1'][data-side='out']", "BLK.z", "Enter");
    page.edit("[data-field='step.4.in.2.words']", "stages=2, swizzle=1", "Enter");
    page.edit("[data-field='step.5.size.3']", "7", "Escape");
    let both = page.value(
        "[...document.querySelectorAll(\"[data-field='step.1.core.1']\")].map(e => e.textContent).join()",
    );
    assert_eq!(both, "BLK.z,BLK.z");
    assert!(page.value("document.getElementById('state').textContent").to_string().contains("changed"));
    let wanted = steps
        .replace("(^,^,256) (SM,SM ;", "(^,^,512) (SM,SM stages 2 swizzle 1 ;")
        .replace("(BLK.y,BLK.x,BLK.z)", "(BLK.z,BLK.x,BLK.z)");
    assert_ne!(wanted, steps);
    assert_eq!(saved(&mut page), wanted);
}

/// What is wrong with the page as it is laid out: one line for each thing that is cut off, lies on another, or leaves its ground
const MEASURE: &str = r#"(() => {
  const wrong = [], edge = document.documentElement.clientWidth, root = document.getElementById('schedule');
  const seen = e => e.getClientRects().length > 0;
  if (document.documentElement.scrollWidth > edge) wrong.push('the page is wider than the window');
  const paper = document.getElementById('figure').getBoundingClientRect();
  const texts = [...root.querySelectorAll('text')].filter(seen).map(e => [e.textContent.trim(), e.getBoundingClientRect()]);
  for (const [text, b] of texts) {
    if (b.left < paper.left || b.right > paper.right || b.top < paper.top || b.bottom > paper.bottom) wrong.push('cut off: ' + text);
    for (const [other, c] of texts) {
      const across = Math.min(b.right, c.right) - Math.max(b.left, c.left), down = Math.min(b.bottom, c.bottom) - Math.max(b.top, c.top);
      if (b !== c && across > 1.5 && down > 3) wrong.push(text + ' lies on ' + other);
    }
  }
  for (const field of root.querySelectorAll('.field, .card-of, .home')) {
    const ground = field.querySelector('rect').getBoundingClientRect();
    for (const text of field.querySelectorAll('text')) {
      const b = text.getBoundingClientRect();
      if (b.left < ground.left || b.right > ground.right) wrong.push('leaves its ground: ' + text.textContent.trim());
    }
  }
  for (const e of document.querySelectorAll('header *, aside *')) {
    const b = e.getBoundingClientRect();
    const scrolls = getComputedStyle(e).display !== 'inline' && e.scrollWidth > e.clientWidth + 1;
    if (b.width > 0 && (b.right > edge || scrolls)) wrong.push('too wide: ' + e.textContent.slice(0, 40));
  }
  return wrong.join('\n');
})()"#;

/// Contrasts of texts with what they stand on
const COLORS: &str = r#"
  const fill = e => getComputedStyle(e).fill, paper = fill(document.querySelector('#schedule .paper'));
  const all = ['.prose', '.small', '.head', '.op'].map(c => ratio(fill(document.querySelector('#schedule ' + c)), paper));
  const field = document.querySelector('#schedule .field');
  all.push(ratio(fill(field.querySelector('text')), fill(field.querySelector('rect'))));
  return all;
"#;

/// Schedules of several kinds: names of files, and further requests
const KINDS: [(&str, &[&str]); 10] = [
    ("listing5", &[PROGRAM, COMPUTE, "--target=cuda"]),
    ("matmul", &["test-files/demo/matmul.mlir", "--target=x86-64-v4"]),
    ("conv2d", &["test-files/demo/conv2d.mlir", "--target=x86-64-v4"]),
    ("dot", &["test-files/demo/dot.mlir", "--target=x86-64-v4"]),
    ("jacobi", &["test-files/demo/jacobi.mlir", "--target=x86-64-v3"]),
    ("softmax", &["test-files/demo/softmax.mlir", "--compute=sum"]),
    ("argmax", &["test-files/programs/mdh/map_reduce.mlir", "--compute=argmax"]),
    ("prl", &["test-files/programs/mdh/prl.mlir"]),
    ("capsule", &["test-files/programs/mdh/mcc_capsule.mlir"]),
    ("words", &["test-files/lowering/mdh/words.mlir", "--compute=words"]),
];

#[test]
fn pages_are_whole_at_every_width_light_and_dark() {
    let Some(program) = browser() else {
        return println!("skipped: pages_are_whole_at_every_width_light_and_dark (needs chromium)");
    };
    let own = folder("whole");
    let mut files = Vec::new();
    for (name, args) in KINDS {
        let file = own.join(format!("{name}.html"));
        std::fs::write(&file, view(&[args, &["--to=html"]].concat()))
            .expect("the test's folder can be written");
        files.push((name, file));
    }
    let open = own.join("open.txt");
    let steps = "1: (8,20,^) (^,^ ; ^) (BLK.y,BLK.x,BLK.z)\n2: (?,1,^) (^,{SM,RM} ; C:RM[?,?]) (THR.y,THR.?,THR.z)\n\
                 ?: (^,^,{128,256}) (SM[2,1],? ; ^) (?,^,FOR.?)\n4: (1,1,1) (^,^ ; ^) (FOR.1,FOR.2,FOR.3)\n";
    std::fs::write(&open, steps).expect("the test's folder can be written");
    let file = own.join("open.html");
    let page = view(&[PROGRAM, COMPUTE, "--apply", open.to_str().expect("UTF-8"), "--to=html"]);
    std::fs::write(&file, page).expect("the test's folder can be written");
    files.push(("open", file));
    // Names that are longer than anyone expects.
    let long = own.join("long.mlir");
    let computation = "func.func @f(%all_images_of_the_batch: tensor<12x1024xf32>, %weights_of_the_last_layer: tensor<1024x640xf32>) -> tensor<12x640xf32> {\n\
        %scores_of_all_images = mdh.compute \"scores_of_the_last_layer_before_softmax\" (image_of_batch in 12, class in 640, input_channel in 1024 pw add) \
        ins(%value = %all_images_of_the_batch[image_of_batch, input_channel], %weight = %weights_of_the_last_layer[input_channel, class]) outs([image_of_batch, class]) {\n\
        %product_of_both = arith.mulf %value, %weight : f32\nmdh.yield %product_of_both : f32\n} : (tensor<12x1024xf32>, tensor<1024x640xf32>) -> tensor<12x640xf32>\n\
        return %scores_of_all_images : tensor<12x640xf32>\n}\n";
    std::fs::write(&long, computation).expect("the test's folder can be written");
    let file = own.join("long.html");
    let page = view(&[long.to_str().expect("UTF-8"), "--target=x86-64-v4", "--to=html"]);
    std::fs::write(&file, page).expect("the test's folder can be written");
    files.push(("long", file));
    let mut page = Page::open(&program, &own, &files[0].1);
    for (name, file) in &files {
        for (width, scheme) in [(1280, "light"), (1280, "dark"), (800, "light"), (800, "dark")] {
            page.show(file, width, scheme);
            let wrong = page.value(MEASURE);
            assert_eq!(wrong, "", "{name} at {width}, {scheme}");
            let contrast = page.least_contrast(COLORS);
            assert!(contrast >= 4.5, "{name}, {scheme}: {contrast}");
            // The figure is read without a glass.
            let scale = page.value("document.getElementById('schedule').getBoundingClientRect().width / document.getElementById('schedule').viewBox.baseVal.width");
            let least = if *name == "long" { 0.5 } else { 0.8 };
            assert!(scale.as_f64().is_some_and(|scale| scale > least), "{name} at {width}: {scale}");
        }
        // On a wide window the nest stands beside the figure, and at every place of the page both are in sight.
        page.show(file, 1280, "light");
        for part in [0.0, 0.5, 1.0] {
            page.value(&format!("scrollTo(0, {part} * document.documentElement.scrollHeight)"));
            for side in ["#figure", "aside"] {
                let sight = format!(
                    "(() => {{ const b = document.querySelector('{side}').getBoundingClientRect(); return [b.left, (Math.min(b.bottom, innerHeight) - Math.max(b.top, 0)) / innerHeight]; }})()"
                );
                let place = page.value(&sight);
                assert_eq!(
                    place[0].as_f64().is_some_and(|left| left > 640.0),
                    side == "aside",
                    "{name} {side}"
                );
                assert!(
                    place[1].as_f64().is_some_and(|share| share > 0.55),
                    "{name} {side} at {part}: {place}"
                );
            }
        }
    }
}

/// What has the class of what is marked, as a list of texts
fn marked(page: &mut Page, within: &str) -> Vec<String> {
    let found = page.value(&format!(
        "[...document.querySelectorAll({})].filter(e => e.matches('.on, .on *')).map(e => e.textContent.trim())",
        json!(within)
    ));
    found.as_array().expect("a list").iter().filter_map(|text| text.as_str().map(String::from)).collect()
}

#[test]
fn pointing_marks_both_ways() {
    let Some(program) = browser() else {
        return println!("skipped: pointing_marks_both_ways (needs chromium)");
    };
    let own = folder("pointing");
    let file = own.join("listing5.html");
    std::fs::write(&file, view(&[PROGRAM, COMPUTE, "--to=html"])).expect("the test's folder can be written");
    let mut page = Page::open(&program, &own, &file);
    page.show(&file, 1280, "light");
    assert!(marked(&mut page, "[data-is]").is_empty());
    let field = |page: &mut Page| marked(page, "#schedule [data-field]");
    // A size: its loop, and nothing else of the nest; the size and cores of the dimension in the picture.
    page.point("[data-field='step.4.size.3']");
    assert_eq!(marked(&mut page, "#nest .loop"), ["%k4 in 2048 by 256 dim 2 pw add"]);
    assert_eq!(field(&mut page), ["FOR.1", "256", "FOR.1"]);
    // The loop: the same the other way round.
    page.point("#nest .loop[data-is~='L4.2']");
    assert_eq!(field(&mut page), ["FOR.1", "256", "FOR.1"]);
    page.point("#nest .loop[data-is~='L1.1']");
    assert_eq!(field(&mut page), ["BLK.x", "20", "BLK.x"]);
    // A region: the tile, in the nest, the table and its band, and not the matrix that it is of.
    page.point("[data-field='step.4.in.1.region']");
    let names = marked(&mut page, "#nest [data-is]");
    assert!(names.len() >= 3 && names.iter().all(|name| name == "%A_sm"), "{names:?}");
    assert_eq!(marked(&mut page, "#buffers td.name"), ["A_sm 8×256"]);
    assert_eq!(marked(&mut page, "#memory .buffer-name"), ["A_sm"]);
    // The tile in the nest: its fields.
    page.point("#nest [data-is~='M4.in.1']");
    assert_eq!(marked(&mut page, "#memory .buffer-name"), ["B_sm"]);
    assert_eq!(field(&mut page), ["SM", "^", "^"]);
    // A row of the table, and a matrix with all its tiles.
    page.point("#buffers tr[data-marks='Bout.0'] td");
    let names = marked(&mut page, "#nest [data-is]");
    assert!(names.iter().any(|name| name == "%C") && names.iter().any(|name| name == "%C_rm"), "{names:?}");
    // A step: all its loops. Elsewhere nothing is marked.
    page.point("[data-field='step.1.label']");
    let loops = ["%j1 in 1000 by 20 dim 1 : block.x", "%i1 in 16 by 8 dim 0 : block.y"];
    assert_eq!(marked(&mut page, "#nest .loop"), loops);
    page.point("#state");
    assert!(marked(&mut page, "[data-is]").is_empty());
    // By keyboard, too.
    page.value("document.querySelector('[data-field=\"step.4.size.3\"]').parentElement.focus()");
    assert_eq!(marked(&mut page, "#nest .loop"), ["%k4 in 2048 by 256 dim 2 pw add"]);
}
