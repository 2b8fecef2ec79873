use tracesmith::{OPTION_TABLE, OptionKind, OptionSpec};

/// The engine's option table as a JSON array.
pub(crate) fn json() -> String {
    let rows: Vec<String> = OPTION_TABLE.iter().map(row).collect();
    format!("[{}]", rows.join(","))
}

// Written by hand: a JSON crate would add more to the module than the table does.
fn row(spec: &OptionSpec) -> String {
    let kind = match spec.kind {
        OptionKind::Choice { choices, .. } => {
            let words: Vec<String> = choices.iter().map(|word| quote(word)).collect();
            format!(r#""type":"choice","choices":[{}],"default":{}"#, words.join(","), words[0])
        }
        OptionKind::Number { min, max, default, unit, .. } => {
            // All of them are whole, as the engine's tests say; writing any double would take 20 kB of the module.
            let [min, max, default] = [min, max, default].map(|number| number as i64);
            format!(r#""type":"number","min":{min},"max":{max},"default":{default},"unit":{}"#, quote(unit))
        }
        // A new kind needs its words here; the test of the generated types then fails for want of them.
        _ => String::new(),
    };
    format!(r#"{{"name":{},{kind},"meaning":{}}}"#, quote(spec.name), quote(spec.meaning))
}

fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c < ' ' => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
