//! What dashboards expect of every process, under the names that all of them use.

use std::{fs, time::SystemTime};

use rustix::{
    param::{clock_ticks_per_second, page_size},
    process::{Resource, getrlimit},
};

use super::gathered::Gathered;

/// Tells of this process what the system knows. Where there is no `/proc`, that is less.
pub fn gather(gathered: &mut Gathered<'_>, started: SystemTime) {
    let since_1970 = started.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let help = "When the server began, in seconds since 1970";
    gathered.gauge("process_start_time_seconds", help, since_1970.as_secs_f64());
    let limit = getrlimit(Resource::Nofile).current.map(|limit| limit as f64);
    gathered.known("process_max_fds", "How many files the process may open", limit);
    // One of them is the folder that is read here.
    let open = fs::read_dir("/proc/self/fd").ok().map(|files| files.count().saturating_sub(1) as f64);
    gathered.known("process_open_fds", "Files that the process has open", open);
    let Some(used) = fs::read_to_string("/proc/self/stat").ok().as_deref().and_then(Used::read) else { return };
    gathered.gauge("process_resident_memory_bytes", "Memory of the process", used.resident_bytes);
    gathered.gauge("process_virtual_memory_bytes", "Address space of the process", used.virtual_bytes);
    gathered.seconds("process_cpu_seconds", "Time that the process has worked on processors", used.cpu_s);
}

struct Used {
    cpu_s: f64,
    virtual_bytes: f64,
    resident_bytes: f64,
}

impl Used {
    /// Reads a line of `/proc/…/stat`. The name of the program comes second, in brackets, and may have any characters.
    fn read(stat: &str) -> Option<Self> {
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        // proc(5) counts from 1, and the first of these fields is its third.
        let number = |place: usize| fields.get(place - 3)?.parse::<f64>().ok();
        Some(Self {
            cpu_s: (number(14)? + number(15)?) / clock_ticks_per_second() as f64,
            virtual_bytes: number(23)?,
            resident_bytes: number(24)? * page_size() as f64,
        })
    }
}
