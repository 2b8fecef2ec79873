use std::fmt::Write;

use tracesmith::{OPTION_TABLE, OptionKind, OptionSpec};

/// The engine's option table as a JSON array.
pub(crate) fn json() -> String {
    let mut json = String::from("[");
    for spec in OPTION_TABLE {
        if json.len() > 1 {
            json.push(',');
        }
        append(&mut json, spec);
    }
    json.push(']');
    json
}

// Written by hand: a JSON crate would add more to the module than the table does.
fn append(json: &mut String, spec: &OptionSpec) {
    append_text(json, "{\"name\":", spec.name);
    match spec.kind {
        OptionKind::Choice { choices, .. } => {
            let mut before = ",\"type\":\"choice\",\"choices\":[";
            for word in choices {
                append_text(json, before, word);
                before = ",";
            }
            append_text(json, "],\"default\":", choices[0]);
        }
        OptionKind::Number { min, max, default, unit, .. } => {
            json.push_str(",\"type\":\"number\"");
            for (name, number) in [("min", min), ("max", max), ("default", default)] {
                // All of them are whole, as the engine's tests say; writing any double would take 20 kB of the module.
                let _ = write!(json, ",\"{name}\":{}", number as i64);
            }
            append_text(json, ",\"unit\":", unit);
        }
        // A new kind needs its words here; the test of the generated types then fails for want of them.
        _ => {}
    }
    append_text(json, ",\"meaning\":", spec.meaning);
    json.push('}');
}

/// As the engine's tests say, no text of the table has a character that JSON would have escaped.
#[inline(never)]
fn append_text(json: &mut String, before: &str, text: &str) {
    for part in [before, "\"", text, "\""] {
        json.push_str(part);
    }
}
