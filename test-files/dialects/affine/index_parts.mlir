// An index in parts and put together again.
// test: opt --pipeline="func.func(canonicalize)"
// test: opt --pipeline="func.func(lower-affine)"

// Without a first basis number the first part is not bounded.
func.func @no_outer_bound(%i: index) -> (index, index, index) {
  %a, %b, %c = affine.delinearize_index %i into (4, 5) : index, index, index
  return %a, %b, %c : index, index, index
}
// eval: @no_outer_bound(0) == (0, 0, 0)
// eval: @no_outer_bound(19) == (0, 3, 4)
// eval: @no_outer_bound(20) == (1, 0, 0)
// eval: @no_outer_bound(1000) == (50, 0, 0)
// eval: @no_outer_bound(-1) == (-1, 3, 4)
// eval: @no_outer_bound(-20) == (-1, 0, 0)

func.func @with_outer_bound(%i: index) -> (index, index, index) {
  %a, %b, %c = affine.delinearize_index %i into (3, 4, 5) : index, index, index
  return %a, %b, %c : index, index, index
}
// eval: @with_outer_bound(59) == (2, 3, 4)
// eval: @with_outer_bound(7) == (0, 1, 2)

func.func @dynamic(%i: index, %n: index, %m: index) -> (index, index) {
  %a, %b = affine.delinearize_index %i into (%n, %m) : index, index
  return %a, %b : index, index
}
// eval: @dynamic(13, 3, 5) == (2, 3)
// eval: @dynamic(13, 14, 1) == (13, 0)

func.func @linear(%a: index, %b: index, %c: index) -> (index, index) {
  %i = affine.linearize_index [%a, %b, %c] by (3, 4, 5) : index
  %j = affine.linearize_index [%a, %b, %c] by (4, 5) : index
  return %i, %j : index, index
}
// eval: @linear(0, 0, 0) == (0, 0)
// eval: @linear(2, 3, 4) == (59, 59)
// eval: @linear(1, 0, 0) == (20, 20)
// eval: @linear(-1, 0, 3) == (-17, -17)

func.func @there_and_back(%i: index, %n: index) -> index {
  %a, %b, %c = affine.delinearize_index %i into (7, %n) : index, index, index
  %j = affine.linearize_index [%a, %b, %c] by (7, %n) : index
  return %j : index
}
// eval: @there_and_back(1234, 3) == 1234
// eval: @there_and_back(-1234, 3) == -1234
// eval: @there_and_back(5, 1) == 5

func.func @dimension_of_one(%i: index) -> (index, index, index) {
  %a, %b, %c = affine.delinearize_index %i into (1, 6, 1) : index, index, index
  return %a, %b, %c : index, index, index
}
// eval: @dimension_of_one(4) == (0, 4, 0)

func.func @only_one(%i: index) -> (index, index) {
  %a = affine.delinearize_index %i into (9) : index
  %b = affine.linearize_index [%i] by (9) : index
  return %a, %b : index, index
}
// eval: @only_one(5) == (5, 5)
