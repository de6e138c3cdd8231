//! Staff and the dashboard.

use std::time::Duration;

use super::lengths::days;

/// The name that authenticator apps show beside their codes.
pub const SERVICE_NAME: &str = "Taquilla";
/// Characters of an e-mail address: the longest that mail can be sent to.
pub const EMAIL_MAX: usize = 254;
/// The shortest and the longest password, in characters. Longer ones are no safer, and hashing them costs time.
pub const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=128;
/// Memory that hashing a password takes, in KiB, and how often it goes through it: OWASP's first choice for argon2id.
pub const ARGON2_MEMORY_KIB: u32 = 19 * 1024;
/// See [`ARGON2_MEMORY_KIB`].
pub const ARGON2_PASSES: u32 = 2;
/// Passwords that one server hashes at the same time, each on a thread of its own. Whoever tries to sign in meanwhile waits.
pub const PASSWORDS_AT_ONCE: usize = 4;
/// Passwords that may wait to be hashed on one server before further ones get 503.
pub const PASSWORDS_WAITING: usize = 64;
/// Failed attempts to sign in that one account may have, and one address, before further ones must wait.
pub const SIGN_INS_MAX: u32 = 10;
/// After [`SIGN_INS_MAX`], one more attempt may be made each time this has passed.
pub const SIGN_IN_EVERY: Duration = Duration::from_secs(60);
/// Attempts beyond [`SIGN_INS_MAX`] that an address is charged for while it is refused, so that one who goes on and on does not
/// take every attempt that an account gets back: an hour of [`SIGN_IN_EVERY`].
pub const REFUSED_SIGN_INS_MAX: u32 = 60;
/// How long a browser is known after somebody has signed in with it.
pub const BROWSER_KNOWN: Duration = days(180);
/// Users that one browser is known for: those who share a machine. One more replaces whoever signed in there longest ago.
pub const BROWSER_USERS_MAX: usize = 8;
/// How often a server writes down that a member was refused the same page. Repeats say nothing new, any member can cause them by
/// the thousand, and the history is kept for ever.
pub const REFUSAL_NOTED_EVERY: Duration = Duration::from_hours(1);
/// A session ends when it was not used for this long: a working day with its breaks.
pub const SESSION_IDLE: Duration = Duration::from_hours(12);
/// A session ends after this time, however often it is used.
pub const SESSION_LONGEST: Duration = days(14);
/// How often the use of a session is written down at most.
pub const SESSION_SEEN_EVERY: Duration = Duration::from_mins(1);
/// Sessions of one user. Signing in once more ends the oldest.
pub const SESSIONS_MAX: usize = 50;
/// How long after showing the password a page may be opened that changes keys, payments, the team or secrets.
pub const CONFIRMED_FOR: Duration = Duration::from_mins(15);
/// How much longer than [`CONFIRMED_FOR`] the form on such a page may be sent, so that nobody loses what they have written.
pub const CONFIRMED_GRACE: Duration = Duration::from_mins(30);
/// How long an invitation can be accepted.
pub const INVITATION_LASTS: Duration = days(7);
/// How long a link to choose a new password, or to begin the service, works.
pub const RESET_LASTS: Duration = Duration::from_hours(24);
/// How long the second factor may be shown after the password was right.
pub const SECOND_FACTOR_LASTS: Duration = Duration::from_mins(10);
/// Recovery codes that a user gets.
pub const RECOVERY_CODES: usize = 10;
/// Members of one producer's team, and invitations that are open.
pub const TEAM_MAX: usize = 500;
/// Roles that one producer can make.
pub const ROLES_MAX: usize = 50;
/// Producers that one user sees in the dashboard.
pub const MEMBERSHIPS_MAX: i64 = 500;
/// Bytes of a form that the dashboard takes.
pub const FORM_MAX: usize = 64 * 1024;
/// Bytes of a file that is imported through the dashboard. A larger one is for the command line.
pub const UPLOAD_MAX: i64 = 512 * 1024 * 1024;
/// Files of one producer that wait to be imported at the same time, those that are arriving included. Somebody who looks at
/// what each brings has a few open; more are for the command line, which keeps none.
pub const UPLOADS_WAITING: usize = 10;
/// Bytes of all these files together: two of the largest. They are kept for a week and are in every backup.
pub const UPLOADS_BYTES: i64 = 2 * UPLOAD_MAX;
/// Bytes of a file that are kept as one row: small enough that no sale waits for it.
pub const UPLOAD_PART: usize = 256 * 1024;
/// How long a file may take to arrive.
pub const UPLOAD_LASTS: Duration = Duration::from_hours(1);
/// How long a file is kept that nobody has imported or given up.
pub const UPLOAD_KEPT: Duration = Duration::from_hours(7 * 24);
/// How often a server looks for work to take up.
pub const WORK_POLL: Duration = Duration::from_millis(500);
/// How long a piece of work belongs to a server that says nothing more of it.
pub const WORK_LEASE: Duration = Duration::from_secs(20);
/// How often a server says that it still works.
pub const WORK_ALIVE: Duration = Duration::from_secs(2);
/// Pieces of work that one server does at the same time. A producer has a second place only while no other producer waits.
pub const WORK_TOGETHER: usize = 2;
/// Orders that could not be refunded which one piece of work remembers. More would say that something else is wrong.
pub const WORK_FAILED_MAX: i64 = 1_000;
/// How many times an order is tried that a busy or failing database does not decide, before the work goes on without it.
pub const WORK_TRIES: u32 = 3;
/// Orders, or tickets, whose people one move erases: few enough that no sale waits for long.
pub const ERASED_TOGETHER: usize = 50;
/// Orders, or tickets, that are looked for at once before those that were found are erased.
pub const ERASED_AT_ONCE: usize = 5_000;
/// After such a move whoever erases rests this many times as long as it took, so that sales have most of the time.
pub const ERASED_REST: u32 = 2;
/// Rows that are compared at a time when people are looked for.
pub const PEOPLE_EXAMINED: i64 = 500;
/// Orders and tickets of one person that the dashboard takes out at once. More are for the command line.
pub const PERSON_ROWS_MAX: usize = 5_000;
/// The most days after an event's end for which a producer can set people to be kept: ten years.
pub const RETENTION_DAYS_MAX: i64 = 3_650;
/// By so much people may be kept too long before a check says so: servers look once an hour, and erase step by step.
pub const RETENTION_LATE: Duration = days(2);
/// The most people whose sums of one day are shown together: more than sell in one house in years. Each costs two reads.
pub const TILL_PEOPLE_MAX: usize = 200;
/// Rows on a page of the dashboard.
pub const DASHBOARD_ROWS: i64 = 50;
