//! A page as a browser reads it: elements with their attributes and texts, by a parser that does what the standard of HTML says.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// An element
#[derive(Default, Debug)]
pub(crate) struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// All text in it
    pub text: String,
    /// Positions of the elements that it is in, the outermost first
    within: Vec<usize>,
}

impl Element {
    /// An attribute's value
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Is it what a word of a path says: a name, or `#` and an id?
    fn is(&self, word: &str) -> bool {
        match word.strip_prefix('#') {
            Some(id) => self.attribute("id") == Some(id),
            None => self.name == word,
        }
    }
}

/// A page
pub(crate) struct Html {
    /// In the order of the text
    pub elements: Vec<Element>,
    /// What is not well formed
    pub errors: Vec<String>,
}

impl Html {
    pub(crate) fn read(text: &str) -> Html {
        let dom = parse_document(RcDom::default(), ParseOpts::default()).one(text);
        let mut html = Html { elements: Vec::new(), errors: Vec::new() };
        html.errors.extend(dom.errors.borrow().iter().map(ToString::to_string));
        html.add(&dom.document, &[]);
        html
    }

    fn add(&mut self, node: &Handle, within: &[usize]) {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let attribute =
                    |one: &html5ever::Attribute| (one.name.local.to_string(), one.value.to_string());
                let own = [within, &[self.elements.len()]].concat();
                self.elements.push(Element {
                    name: name.local.to_string(),
                    attributes: attrs.borrow().iter().map(attribute).collect(),
                    text: String::new(),
                    within: within.to_vec(),
                });
                node.children.borrow().iter().for_each(|child| self.add(child, &own));
            }
            NodeData::Text { contents } => {
                for element in within {
                    self.elements[*element].text.push_str(&contents.borrow());
                }
            }
            _ => node.children.borrow().iter().for_each(|child| self.add(child, within)),
        }
    }

    /// Elements at the end of a path: `#effects tbody td`
    pub(crate) fn all(&self, path: &str) -> Vec<&Element> {
        let words: Vec<&str> = path.split(' ').collect();
        let Some((last, outer)) = words.split_last() else { return Vec::new() };
        let fits = |element: &&Element| {
            let mut left = outer.iter().peekable();
            for at in &element.within {
                left.next_if(|word| self.elements[*at].is(word));
            }
            element.is(last) && left.peek().is_none()
        };
        self.elements.iter().filter(fits).collect()
    }

    /// Their texts
    pub(crate) fn texts(&self, path: &str) -> Vec<String> {
        self.all(path).iter().map(|element| element.text.trim().to_owned()).collect()
    }
}

#[test]
fn paths_lead_to_elements() {
    let html = Html::read(
        "<!doctype html><html><body><ul id=a><li>1<b>2</b></li></ul><ul><li>3</li></ul></body></html>",
    );
    assert_eq!(html.errors, [""; 0]);
    assert_eq!(html.texts("li"), ["12", "3"]);
    assert_eq!(html.texts("#a li"), ["12"]);
    assert_eq!(html.texts("#a b"), ["2"]);
    assert!(html.texts("#b li").is_empty());
    // What is wrong is known.
    assert!(!Html::read("<!doctype html><p><b></p></i>").errors.is_empty());
}
