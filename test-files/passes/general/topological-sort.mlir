// test: opt --allow-unregistered-dialect --pipeline=topological-sort

// Ops of a module are in no order: each goes after what it uses. Where a ring leaves none, the first goes ahead.
"foo.uses"(%a, %b) : (i32, i32) -> ()
%b = "foo.b"(%a) : (i32) -> i32
%a = "foo.a"() : () -> i32
%c = "foo.ring"(%d) : (i32) -> i32
%d = "foo.back"(%c) : (i32) -> i32
// check: %a = "foo.a"()
// next: %b = "foo.b"(%a)
// next: "foo.uses"(%a, %b)
// next: %c = "foo.ring"(%d)
// next: %d = "foo.back"(%c)
