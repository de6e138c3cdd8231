//! Long work that staff begin and servers carry out.

use super::status::named;

named! {
    /// What kind of work it is.
    WorkKind {
        /// Refunding all orders of an event.
        Refund = "refund",
        /// Importing a file.
        Import = "import",
        /// Erasing what is held of a person.
        Erasure = "erasure",
        /// Erasing what is held of the people of events that ended long ago.
        Retention = "retention",
    }
}

named! {
    /// How far a piece of work is.
    WorkState {
        /// A file is arriving.
        Uploading = "uploading",
        /// A file is being checked; nothing is imported yet.
        Checking = "checking",
        /// A file is checked and waits for somebody to say that it is to be imported.
        Checked = "checked",
        /// It is being done.
        Running = "running",
        /// Staff stopped it; it can go on.
        Stopped = "stopped",
        /// It is done.
        Done = "done",
        /// A file has a mistake in it. Nothing was imported.
        Faulty = "faulty",
        /// Staff gave the file up. Nothing was imported.
        GivenUp = "given_up",
    }
}

impl WorkState {
    /// Whether a server works on it, or should.
    pub fn is_active(self) -> bool {
        matches!(self, Self::Checking | Self::Running)
    }
}
