//! Buffers in their regions: a band per region with its bytes, arrows of data down to the scalar function, of results up.
//!
//! With the nest that the schedule becomes, shapes, bytes and counts are the nest's; without it, where fields are open, they
//! are what the tokens say.

mod flow;

use super::parts::{MONO, SMALL, chars, label, marked, round};
use super::{Columns, LINE};
use crate::captions::{count, depth_of, grouped, region_of, shape};
use crate::document::Document;
use crate::nest::{Nest, Role};
use crate::traffic;
use flow::Flow;
use svg::Node;
use svg::node::element::{Group, Path, Rectangle, Title};
use terrace_devices::Region;

/// Height of a band, of a box in it, and between bands
const BAND: f64 = 56.0;
const BOX: f64 = 40.0;
const GAP: f64 = 30.0;
/// Where boxes begin
pub(super) const LEFT: f64 = 196.0;

/// A buffer in a region
struct Home {
    name: String,
    region: String,
    shape: Vec<Option<i64>>,
    bytes: Option<i64>,
    /// What it is to the computation
    role: Option<Role>,
    /// Step whose tile it holds
    step: Option<i64>,
    /// Is it there while the others are? Of a tile in several copies of the nest, the largest
    counts: bool,
}

/// What goes from a buffer to another; `None` is the scalar function
struct Arrow {
    from: Option<usize>,
    to: Option<usize>,
    elements: Option<f64>,
    /// Are they partial results?
    merged: bool,
}

/// All bytes together, if they are known
fn total(bytes: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    bytes.into_iter().try_fold(0_i64, |all, one| all.checked_add(one?))
}

/// Buffers and arrows as the nest has them
fn carried_out(nest: &Nest) -> (Vec<Home>, Vec<Arrow>) {
    let own: Vec<usize> = nest.own().collect();
    let homes = own.iter().map(|n| {
        let buffer = &nest.traffic.buffers[*n];
        Home {
            name: buffer.name.clone(),
            region: buffer.memory.clone(),
            shape: buffer.shape.iter().map(|n| Some(*n)).collect(),
            bytes: Some(buffer.bytes),
            role: nest.roles[*n],
            step: buffer.step,
            counts: traffic::is_largest(&nest.traffic.buffers, *n),
        }
    });
    let place = |n: Option<usize>| n.and_then(|n| own.iter().position(|other| *other == n));
    let arrows = nest.traffic.flows.iter().map(|flow| Arrow {
        from: place(flow.from),
        to: place(flow.to),
        elements: Some(flow.elements),
        merged: flow.merged,
    });
    (homes.collect(), arrows.collect())
}

/// Buffers and arrows as the tokens say
fn as_said(document: &Document) -> (Vec<Home>, Vec<Arrow>) {
    let steps = &document.draft.steps;
    let far = if document.on_grid() { Region::Dm } else { Region::Mm };
    let (mut homes, mut arrows) = (Vec::new(), Vec::new());
    for (out, buffers) in [(false, &document.ins), (true, &document.outs)] {
        for (number, buffer) in buffers.iter().enumerate() {
            let role = Some(Role { out, number });
            let whole = buffer.reach(&document.tile(0));
            let bytes = whole.iter().try_fold(buffer.bytes as i64, |all, n| all.checked_mul((*n)?));
            let mut last = homes.len();
            homes.push(Home {
                name: buffer.name.clone(),
                region: far.word().into(),
                shape: whole,
                bytes,
                role,
                step: None,
                counts: true,
            });
            for (n, step) in steps.iter().enumerate() {
                let entry = if out { step.outs.get(number) } else { document.entry_of(step, number) };
                let Some(entry) = entry else { continue };
                let region = &entry.region.to_string();
                if entry.region.known() == Some(&None) || depth_of(region) == depth_of(&homes[last].region) {
                    continue;
                }
                let shape = buffer.reach(&document.tile(n + 1));
                let (here, name) = (homes.len(), format!("{} in {region}", buffer.name));
                homes.push(Home {
                    name,
                    region: region.clone(),
                    shape,
                    bytes: None,
                    role,
                    step: Some(n as i64 + 1),
                    counts: true,
                });
                let (from, to) = if out { (here, last) } else { (last, here) };
                arrows.push(Arrow { from: Some(from), to: Some(to), elements: None, merged: false });
                last = here;
            }
            let (from, to) = if out { (None, Some(last)) } else { (Some(last), None) };
            arrows.push(Arrow { from, to, elements: None, merged: false });
        }
    }
    (homes, arrows)
}

/// Buffers side by side: a column for each input and output, with all its tiles
fn columns_of(homes: &[Home]) -> Vec<Vec<usize>> {
    let mut columns: Vec<(Option<Role>, Vec<usize>)> = Vec::new();
    for (n, home) in homes.iter().enumerate() {
        match columns.iter_mut().find(|(role, _)| role.is_some() && *role == home.role) {
            Some((_, members)) => members.push(n),
            None => columns.push((home.role, vec![n])),
        }
    }
    // Inputs, then what only starts a result, then results.
    let place = |role: &Option<Role>| role.map_or((1, 0), |role| (if role.out { 2 } else { 0 }, role.number));
    columns.sort_by_key(|(role, _)| place(role));
    let columns: Vec<Vec<usize>> = columns.into_iter().map(|(_, members)| members).collect();
    alike(homes, columns)
}

/// Many inputs that go the same way share a column
fn alike(homes: &[Home], columns: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    if columns.len() <= MOST {
        return columns;
    }
    let way = |column: &Vec<usize>| -> (bool, Vec<(String, Option<i64>)>) {
        let role = column.first().and_then(|n| homes[*n].role);
        let regions = column.iter().map(|n| (homes[*n].region.clone(), homes[*n].step));
        (role.is_some_and(|role| role.out), regions.collect())
    };
    let mut groups: Vec<Vec<Vec<usize>>> = Vec::new();
    for column in columns {
        match groups.iter_mut().find(|group| way(&group[0]) == way(&column)) {
            Some(group) => group.push(column),
            None => groups.push(vec![column]),
        }
    }
    groups.into_iter().map(|group| group.concat()).collect()
}

/// Columns before inputs share them
const MOST: usize = 6;

/// Where a box stands
struct BoxPosition {
    x: f64,
    width: f64,
    /// Top of the box
    y: f64,
    /// Members of its column in its region, which share it
    members: Vec<usize>,
    /// Number among the boxes side by side, and how many they are
    beside: (usize, usize),
}

/// The bands, and how high they are
pub(super) fn draw(document: &Document, nest: Option<&Nest>, columns: &Columns) -> (Group, f64) {
    let (homes, arrows) = match nest.filter(|nest| nest.own().next().is_some()) {
        Some(nest) => carried_out(nest),
        None => as_said(document),
    };
    let mut group = Group::new().set("id", "memory");
    group.append(label(20.0, 18.0, "section", "Where data are, and what moves"));
    let mut regions: Vec<&str> = homes.iter().map(|home| home.region.as_str()).collect();
    regions.sort_by_key(|region| (depth_of(region), region.to_string()));
    regions.dedup();
    let sides = columns_of(&homes);
    let across = (columns.width - LEFT - 20.0) / sides.len().max(1) as f64;
    let wide = (across - 22.0).clamp(44.0, 170.0);
    let top = |band: usize| 34.0 + band as f64 * (BAND + GAP);
    let mut places: Vec<BoxPosition> = Vec::new();
    let mut of: Vec<usize> = vec![0; homes.len()];
    for (side, members) in sides.iter().enumerate() {
        let middle = LEFT + (side as f64 + 0.5) * across;
        for (band, region) in regions.iter().enumerate() {
            let here: Vec<usize> = members.iter().copied().filter(|n| homes[*n].region == **region).collect();
            // Several tiles of one buffer in one region stand side by side, several buffers in one box.
            let apart = here.iter().any(|n| here.iter().any(|m| n != m && homes[*n].role == homes[*m].role));
            let boxes: Vec<Vec<usize>> = if apart {
                here.iter().map(|n| vec![*n]).collect()
            } else {
                vec![here].into_iter().filter(|all| !all.is_empty()).collect()
            };
            let (number, width) =
                (boxes.len(), if boxes.len() > 1 { (wide - 6.0) / boxes.len() as f64 } else { wide });
            for (k, members) in boxes.into_iter().enumerate() {
                let x = middle - wide / 2.0 + k as f64 * (width + if number > 1 { 6.0 } else { 0.0 });
                members.iter().for_each(|n| of[*n] = places.len());
                places.push(BoxPosition {
                    x,
                    width,
                    y: top(band) + (BAND - BOX) / 2.0,
                    members,
                    beside: (k, number),
                });
            }
        }
    }
    for (band, region) in regions.iter().enumerate() {
        group.append(ground(region, &homes, columns.width, top(band)));
    }
    let floor = top(regions.len());
    let lines = document.body.len().max(1) as f64;
    let carried = nest.map_or(0.0, |nest| nest.traffic.carried);
    group.append(scalar(document, columns.width, floor, carried));
    let mut drawn: Vec<(usize, Option<usize>, bool)> = Vec::new();
    for arrow in &arrows {
        let ends = (arrow.from.map(|n| of[n]), arrow.to.map(|n| of[n]));
        let results =
            arrow.to.is_none_or(|n| homes[n].role.is_some_and(|role| role.out)) && arrow.to.is_some();
        let (Some(first), key) = (ends.0.or(ends.1), if ends.0.is_some() { ends.1 } else { None }) else {
            continue;
        };
        if ends.0 == ends.1 || drawn.contains(&(first, key, results)) {
            continue;
        }
        drawn.push((first, key, results));
        let same = |other: &&Arrow| (other.from.map(|n| of[n]), other.to.map(|n| of[n])) == ends;
        let all = arrows.iter().filter(same).map(|arrow| arrow.elements).sum::<Option<f64>>();
        let merged = results && arrows.iter().filter(same).any(|arrow| arrow.merged);
        let (from, to) = (ends.0.map(|n| &places[n]), ends.1.map(|n| &places[n]));
        let flow = Flow { from, to, elements: all, results, merged };
        group.append(flow.draw(&operators(document), columns, floor));
    }
    for place in &places {
        group.append(buffer(&homes, place));
    }
    (group, floor + 16.0 + LINE * lines + 16.0)
}

/// A region's band: name, bytes at a time, and how its buffers share them
fn ground(region: &str, homes: &[Home], width: f64, y: f64) -> Group {
    let (class, name) = region_of(region);
    let mut band = Group::new().set("class", format!("region {class}"));
    let rect = Rectangle::new().set("class", format!("band {class}")).set("x", 14).set("y", round(y));
    band.append(rect.set("width", round(width - 28.0)).set("height", BAND).set("rx", 8));
    band.append(label(26.0, y + 20.0, "region-name", region));
    band.append(label(26.0 + MONO * chars(region) + 10.0, y + 20.0, "small", name));
    let here = || homes.iter().filter(|home| home.region == region && home.counts);
    if let Some(all) = total(here().map(|home| home.bytes)) {
        band.append(label(26.0, y + 37.0, "bytes", &format!("{} bytes", grouped(all))));
        let (mut x, room) = (26.0, 148.0);
        for home in here() {
            let share = room * home.bytes.unwrap_or(0) as f64 / all.max(1) as f64;
            let bar = Rectangle::new().set("class", "share").set("x", round(x)).set("y", round(y + 44.0));
            let bar = bar.set("width", round((share - 1.0).max(0.5))).set("height", 5);
            let text =
                format!("{}: {} of {} bytes", home.name, grouped(home.bytes.unwrap_or(0)), grouped(all));
            band.append(Group::new().add(Title::new(text)).add(bar));
            x += share;
        }
    }
    band
}

/// The scalar function, below all memory
fn scalar(document: &Document, width: f64, y: f64, carried: f64) -> Group {
    let mut group = Group::new().set("id", "scalar");
    let height = 16.0 + LINE * document.body.len().max(1) as f64;
    let rect = Rectangle::new().set("class", "band scalar").set("x", 14).set("y", round(y));
    group.append(rect.set("width", round(width - 28.0)).set("height", round(height)).set("rx", 8));
    group.append(label(26.0, y + 20.0, "region-name", "scalar phase"));
    for (n, line) in document.body.iter().enumerate() {
        group.append(label(LEFT, y + 20.0 + n as f64 * LINE, "small map", line));
    }
    if carried > 0.0 {
        // Partial results that loops hand from iteration to iteration, and on to the loop around.
        let text = format!("{} by {}, as values", count(carried), operators(document));
        let (x, y) = (width - 34.0, y + 16.0);
        let arc =
            format!("M{} {}A7 7 0 1 1 {} {}", round(x + 5.0), round(y + 5.0), round(x + 7.0), round(y - 1.0));
        let tip = format!("M{0} {1}l-4 -3.5l7.5 -.8Z", round(x + 7.0), round(y + 4.0));
        let long = format!(
            "{} partial results, merged by {} as values of loops",
            count(carried),
            operators(document)
        );
        let mut merging = Group::new().set("class", "carried").add(Title::new(long));
        merging.append(Path::new().set("class", "flow result").set("d", arc));
        merging.append(Path::new().set("class", "flow result tip").set("d", tip));
        merging.append(label(x - 12.0, y + 4.0, "tiny end", &text));
        group.append(merging);
    }
    group
}

/// A box with its name, shape and bytes; several buffers in one box have their names only
fn buffer(homes: &[Home], place: &BoxPosition) -> Group {
    let mut group = Group::new().set("class", "home");
    let rect = Rectangle::new().set("class", "buffer").set("x", round(place.x)).set("y", round(place.y));
    group.append(rect.set("width", round(place.width)).set("height", BOX).set("rx", 5));
    let members: Vec<&Home> = place.members.iter().map(|n| &homes[*n]).collect();
    let names: Vec<&str> = members.iter().map(|home| home.name.as_str()).collect();
    let room = ((place.width - 10.0) / MONO) as usize;
    let bytes = total(members.iter().map(|home| home.bytes));
    let sizes = match members.as_slice() {
        [one] => shape(&one.shape),
        _ => bytes.map_or(String::new(), |bytes| format!("{} B", grouped(bytes))),
    };
    let title = match members.as_slice() {
        [_] => names.join(", "),
        _ => format!("{} buffers", names.len()),
    };
    let own = bytes.map_or(String::new(), |bytes| format!(", {} bytes", grouped(bytes)));
    group.append(Title::new(format!("{}: {sizes}{own}", names.join(", "))));
    let middle = place.x + place.width / 2.0;
    group.append(label(middle, place.y + 17.0, "buffer-name middle", &short(&title, room)));
    let room = ((place.width - 6.0) / (SMALL * 0.92)) as usize;
    group.append(label(middle, place.y + 32.0, "tiny middle", &short(&sizes, room)));
    let (mut is, mut marks) = (Vec::new(), Vec::new());
    for home in members {
        let Some(role) = home.role else { continue };
        let all = format!("B{}.{}", role.side(), role.number);
        let one = home.step.map(|step| format!("M{step}.{}.{}", role.side(), role.number));
        marks.push(one.clone().unwrap_or_else(|| all.clone()));
        is.push(all);
        is.extend(one);
    }
    marked(group, &is.join(" "), &marks.join(" "))
}

/// As much of a text as there is room for
fn short(text: &str, room: usize) -> String {
    let tight: String = text.replace(" × ", "×");
    match (text.chars().count() <= room, tight.chars().count() <= room) {
        (true, _) => text.to_owned(),
        (_, true) => tight,
        _ => tight.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// Operators of reduced dimensions
fn operators(document: &Document) -> String {
    let mut all: Vec<&str> =
        document.dims.iter().filter(|dim| !dim.kept).map(|dim| dim.operator.as_str()).collect();
    all.dedup();
    all.join(", ")
}
