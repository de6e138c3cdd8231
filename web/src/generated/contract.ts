// What the page and the server must agree on.
// `make contract` writes this file from the server's code: change it there.

/** What became of an attempt to enter. */
export const OUTCOMES = [
  'admitted',
  'already_scanned',
  'transferred',
  'cancelled',
  'refunded',
  'unknown',
  'wrong_event',
  'not_here',
  'turned_away',
  'entry_undone',
  'reentered',
  'went_out',
  'not_inside',
  'no_reentry',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** What a link may do besides scanning, if its maker allowed it. */
export const LINK_OPTIONS = [
  'by_name',
  'confirm',
  'kiosk',
  'out',
  'party',
  'undo',
] as const;
export type LinkOption = (typeof LINK_OPTIONS)[number];

/** What a scan of a listed ticket may get. */
export const LISTED_OUTCOMES = [
  'admitted',
  'already_scanned',
  'transferred',
  'cancelled',
  'refunded',
  'not_inside',
  'went_out',
  'no_reentry',
] as const;
export type ListedOutcome = (typeof LISTED_OUTCOMES)[number];

/** Error codes that turn down the link, whatever was asked. */
export const ABOUT_THE_LINK: readonly string[] = [
  'invalid_door_link',
  'pin_required',
  'wrong_pin',
];

/** Those of them that the PIN helps against. */
export const ABOUT_THE_PIN: readonly string[] = [
  'pin_required',
  'wrong_pin',
];

/** Error codes that turn down what was scanned. */
export const ABOUT_A_SCAN: readonly string[] = [
  'invalid_body',
  'scan_id_reused',
  'body_too_large',
];

/** Error codes that turn down the finding of guests, and their entry without a code. */
export const ABOUT_A_GUEST: readonly string[] = [
  'not_allowed_by_link',
  'not_found',
  'invalid_body',
  'scan_id_reused',
];

/** Error codes that turn down the taking back of an entry. */
export const ABOUT_AN_UNDO: readonly string[] = [
  'not_allowed_by_link',
  'not_found',
  'ticket_valid',
  'ticket_cancelled',
  'ticket_refunded',
  'changed_meanwhile',
  'scan_id_reused',
];

/** Error codes that turn down where a walk through the list was to go on. */
export const ABOUT_A_CURSOR: readonly string[] = [
  'invalid_cursor',
];

/** Error codes that turn down the mark of a list: what it was made from is gone. */
export const ABOUT_A_MARK: readonly string[] = [
  'mark_lost',
];

/** Error codes that turn down a parameter of a call. */
export const ABOUT_A_PARAMETER: readonly string[] = [
  'invalid_parameter',
  'unknown_parameter',
];

/** The longest code that is taken. */
export const CODE_MAX_BYTES = 4296;

/** How much of a code's hash is on the offline list. */
export const CODE_HASH_BYTES = 12;

/** The longest id that a ticket may have. */
export const ID_MAX_CHARACTERS = 128;

/** The longest PIN. */
export const PIN_MAX_DIGITS = 12;

/** The most scans in one upload. */
export const SCANS_MAX = 100;

/** From how many of a hundred that may be inside on the page warns. */
export const INSIDE_NEAR_PERCENT = 90;
