//! `static` variables of functions and constant tables become variables of the file.

use crate::ast::{Elem, Expr, ExprKind, File, Object, Stmt, StmtKind};

/// `static` variables of functions, and tables in them that never change, become variables of the file
///
/// What two scopes of one function call the same stays where it is.
pub fn lifted(file: &mut File) {
    let mut all = Vec::new();
    for function in &mut file.functions {
        let mut names: Vec<String> =
            crate::ast::declared(&function.body).into_iter().map(String::from).collect();
        names.extend(function.params.iter().map(|param| param.name.clone()));
        let changed = crate::ast::assigned(&function.body);
        let mut found: Vec<(String, String)> = Vec::new();
        let mut stack: Vec<&mut Stmt> = function.body.iter_mut().collect();
        while let Some(stmt) = stack.pop() {
            match &mut stmt.kind {
                StmtKind::Decl(objects) => objects.retain(|object| {
                    let table = object.constant
                        && !object.dims.is_empty()
                        && !changed.contains(&object.name)
                        && object.init.as_ref().is_some_and(plain);
                    let once = names.iter().filter(|name| **name == object.name).count() == 1;
                    if !once || !(object.fixed || table) || matches!(object.elem, Elem::Struct(_)) {
                        return true;
                    }
                    let name = format!("{}.{}", function.name, object.name);
                    found.push((object.name.clone(), name.clone()));
                    all.push(Object { name, ..object.clone() });
                    false
                }),
                StmtKind::For(one) => stack.extend(one.init.iter_mut().chain(&mut one.body)),
                StmtKind::While(one) => stack.extend(one.body.iter_mut().chain(&mut one.step)),
                StmtKind::If(_, yes, no) => stack.extend(yes.iter_mut().chain(no)),
                StmtKind::Block(all) => stack.extend(all),
                _ => {}
            }
        }
        crate::ast::change(&mut function.body, &mut |e| {
            if let ExprKind::Name(name) = &mut e.kind
                && let Some((_, new)) = found.iter().find(|(old, _)| old == name)
            {
                name.clone_from(new);
            }
        });
    }
    file.variables.extend(all);
}

/// Is it a list of numbers that are written out?
fn plain(list: &Expr) -> bool {
    let mut found = true;
    list.walk(&mut |e| {
        found &= matches!(
            e.kind,
            ExprKind::List(..)
                | ExprKind::Int(..)
                | ExprKind::Float(..)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
        );
    });
    found
}
