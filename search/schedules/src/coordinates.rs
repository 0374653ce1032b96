//! What of a schedule moves by itself (paper: FlexTensor §4.2).
//!
//! The open sizes of one dimension are tiles of what stands above them: their factors move. Labels of steps, and the cores of one step,
//! also change places. Everything else is a value of its own.

use crate::parameters::Parameter;
use terrace_schedule_model::open::Item;
use terrace_schedule_model::{Decision, OpenSchedule, Place, Slot};
use terrace_search_explore::Coordinate;

/// Of the open fields of a schedule for a computation of these extents
pub(crate) fn coordinates(
    draft: &OpenSchedule,
    parameters: &[Parameter],
    extents: &[i64],
) -> Vec<Coordinate> {
    let mut all = Vec::new();
    let mut factors: Vec<usize> = Vec::new();
    for (dim, extent) in extents.iter().enumerate() {
        for coordinate in chains(draft, parameters, dim, *extent) {
            if let Coordinate::Factors { params, .. } = &coordinate {
                factors.extend(params);
            }
            all.push(coordinate);
        }
    }
    let places = |same: &dyn Fn(&Parameter) -> bool| -> Vec<usize> {
        (0..parameters.len()).filter(|n| same(&parameters[*n])).collect()
    };
    let labels = places(&|parameter| matches!(parameter.places[..], [(Place::Label(_), _)]));
    let cores = (0..draft.steps.len()).map(|step| {
        places(
            &|parameter| matches!(parameter.places[..], [(Place::Core(own, _), Slot::Core)] if own == step),
        )
    });
    all.extend(
        std::iter::once(labels).chain(cores).filter(|params| params.len() > 1).map(Coordinate::Places),
    );
    all.extend((0..parameters.len()).filter(|n| !factors.contains(n)).map(Coordinate::Value));
    all
}

/// Is it the size of one tile? One name of several sizes has no dimension of its own, and `^` in a list is a second name of a size
fn is_factor(parameter: &Parameter) -> bool {
    parameter.places.len() == 1 && !parameter.among.contains(&Item::One(Decision::Above))
}

/// Runs of open sizes of a dimension between sizes that are fixed, outermost first
fn chains(draft: &OpenSchedule, parameters: &[Parameter], dim: usize, extent: i64) -> Vec<Coordinate> {
    let mut all = Vec::new();
    let (mut above, mut params) = (extent, Vec::new());
    for (step, sizes) in draft.steps.iter().map(|step| &step.sizes[dim]).enumerate() {
        let own = parameters
            .iter()
            .position(|parameter| parameter.places.contains(&(Place::Size(step, dim), Slot::Tile)));
        match (own, sizes.tile()) {
            // Tiles that need not divide have no factors.
            (Some(own), _) if is_factor(&parameters[own]) && sizes.frame().tail.is_none() => params.push(own),
            (None, Some(None)) => {}
            (None, Some(Some(below))) => {
                let params = std::mem::take(&mut params);
                all.extend((!params.is_empty()).then_some(Coordinate::Factors { params, above, below }));
                above = below;
            }
            _ => return all,
        }
    }
    all.extend((!params.is_empty()).then_some(Coordinate::Factors { params, above, below: 1 }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameters::parameters;
    use terrace_schedule_model::Point;
    use terrace_search_explore::{Directions, Walk};

    fn of(text: &str, extents: &[i64]) -> Vec<Coordinate> {
        let draft = OpenSchedule::read(text).expect("well formed");
        coordinates(&draft, &parameters(&draft).expect("well formed"), extents)
    }

    #[test]
    fn open_sizes_of_a_dimension_are_factors() {
        let text = "1: (?,8) (^,^ ; ^) (FOR.1,FOR.2)\n2: (?,?) (^,^ ; ^) (FOR.1,FOR.2)\n3: (1,1) (^,^ ; ^) (FOR.1,FOR.2)";
        let wanted = [
            Coordinate::Factors { params: vec![0, 1], above: 96, below: 1 },
            Coordinate::Factors { params: vec![2], above: 8, below: 1 },
        ];
        assert_eq!(of(text, &[96, 40]), wanted);
        // A size in between that is fixed parts them; those with a tail, and of one name, are values.
        let text = "1: (?,?N) (^ ; ^) (FOR.1,FOR.2)\n2: (12,?N) (^ ; ^) (FOR.1,FOR.2)\n3: (?~peel,^) (^ ; ^) (FOR.1,FOR.2)\n4: (1,1) (^ ; ^) (FOR.1,FOR.2)";
        let wanted = [
            Coordinate::Factors { params: vec![0], above: 96, below: 12 },
            Coordinate::Value(1),
            Coordinate::Value(2),
        ];
        assert_eq!(of(text, &[96, 40]), wanted);
    }

    #[test]
    fn cores_and_labels_change_places() {
        let text = "?: (8,8) (^ ; ^) (?,?)\n?: (1,1) (^ ; ?) (FOR.1,FOR.2)";
        let wanted = [
            Coordinate::Places(vec![0, 4]),
            Coordinate::Places(vec![1, 2]),
            Coordinate::Value(0),
            Coordinate::Value(1),
            Coordinate::Value(2),
            Coordinate::Value(3),
            Coordinate::Value(4),
        ];
        let mut found = of(text, &[96, 40]);
        let names: Vec<String> = parameters(&OpenSchedule::read(text).expect("well formed"))
            .expect("well formed")
            .iter()
            .map(|one| one.places[0].0.to_string())
            .collect();
        assert_eq!(names.len(), 5, "{names:?}");
        // Fields are in the order of the text.
        let label = names.iter().rposition(|name| name == "step.2.label").expect("it is open");
        assert_eq!(found.remove(0), Coordinate::Places(vec![0, label]));
        assert_eq!(found.len(), wanted.len() - 1);
    }

    /// Every neighbour is a point of the space, and has the point as its own neighbour, whatever is open
    #[test]
    fn neighbours_are_points_and_symmetric() {
        let device = terrace_devices::Device::find("host").expect("built in");
        let everything = |_: &terrace_schedule_model::Schedule| Ok(());
        for (text, extents) in [
            (
                "1: (?,?) (^,^ ; ^) (FOR.1,FOR.2)\n2: (?,1) (^,^ ; ^) (FOR.1,FOR.2)\n3: (1,^) (^,^ ; ^) (FOR.1,^)",
                [12, 10],
            ),
            ("?: (?,8) (^,^ ; ^) (?,?)\n?: (1,1) (^,^ ; ?) (FOR.2,FOR.1)", [6, 8]),
            ("1: (?~peel,{^,5}) (^,^ ; ^) (FOR.1,FOR.2)\n2: (1,1) (^,^ ; ^) (FOR.1,FOR.2)", [14, 10]),
        ] {
            let draft = OpenSchedule::read(text).expect("well formed");
            let space =
                crate::ScheduleSpace::new(draft, extents.to_vec(), &device, &everything).expect("a space");
            let directions = Directions::of(&space);
            let all: Vec<Point> = Walk::new(&space).take(400).collect();
            let neighbours = |point: &Point| -> Vec<Point> {
                (0..directions.len()).filter_map(|n| directions.neighbour(&space, point, n)).collect()
            };
            let mut moves = 0;
            for point in &all {
                for other in neighbours(point) {
                    moves += 1;
                    assert!(terrace_search_explore::check(&space, &other).is_ok(), "{other:?}");
                    assert!(neighbours(&other).contains(point), "{point:?} {other:?}");
                }
            }
            assert!(moves > 2 * all.len() / 3, "{text}: {moves} moves of {} points", all.len());
        }
    }
}
