use tracesmith::{OPTION_TABLE, OptionKind, OptionSpec, push_numbers};

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

// Not serde_json: it would add more to the module than the table itself.
fn append(json: &mut String, spec: &OptionSpec) {
    append_text(json, "{\"name\":", spec.name);
    match spec.kind {
        OptionKind::Choice { choices, .. } => {
            let mut before = ",\"type\":\"choice\",\"choices\":[";
            for choice in choices {
                append_text(json, before, choice);
                before = ",";
            }
            append_text(json, "],\"default\":", choices[0]);
        }
        OptionKind::Number { min, max, default, unit, .. } => {
            // The engine's tests check that all are whole.
            let [min, max, default] = [min, max, default].map(|number| number as u64);
            let before = ",\"type\":\"number\",\"min\":";
            push_numbers(json, &[(before, min), (",\"max\":", max), (",\"default\":", default)]);
            append_text(json, ",\"unit\":", unit);
        }
        OptionKind::Flag => json.push_str(",\"type\":\"flag\",\"default\":false"),
        // OptionKind is non-exhaustive. The test of the generated option types fails if a new kind is not added here.
        _ => {}
    }
    append_text(json, ",\"meaning\":", spec.meaning);
    json.push('}');
}

/// Does not escape: the engine's tests check that the table has no characters that JSON must escape.
#[inline(never)]
fn append_text(json: &mut String, before: &str, text: &str) {
    for part in [before, "\"", text, "\""] {
        json.push_str(part);
    }
}
