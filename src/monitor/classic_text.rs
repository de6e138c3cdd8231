//! The text format that Prometheus had before OpenMetrics, for whoever does not ask for the new one: other scrapers, curl,
//! and `promtool check metrics`.

/// Writes OpenMetrics anew in the older format. There the description of a counter has its whole name, `_total` included,
/// and there is neither a type for facts (`info`) nor an end mark.
pub fn classic(open_metrics: &str) -> String {
    let mut text = String::with_capacity(open_metrics.len() + open_metrics.len() / 8);
    let mut help = "";
    for line in open_metrics.lines() {
        if let Some(told) = line.strip_prefix("# HELP ") {
            help = told.split_once(' ').map_or("", |(_, help)| help);
        } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|told| told.split_once(' ')) {
            let (ending, kind) = match kind {
                "counter" => ("_total", "counter"),
                "info" => ("_info", "gauge"),
                other => ("", other),
            };
            text += &format!("# HELP {name}{ending} {help}\n# TYPE {name}{ending} {kind}\n");
        } else if !line.starts_with('#') {
            text += line;
            text.push('\n');
        }
    }
    text
}
