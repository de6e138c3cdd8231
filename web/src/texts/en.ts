// Every word of the page in English. Another language is a file like this one, named in texts.ts.

const TYPE_INSTEAD = 'Until then, type codes below or use a hand scanner.';

export const en = {
  /** The language's name for itself, and how it writes times and numbers. */
  name: 'English',
  locale: 'en-GB',

  title: (event: string) => `${event} · door`,
  opening: 'Opening the door…',
  codeEnding: (ending: string) => `Code ending in ${ending}`,
  close: 'Close',
  openTheDoor: 'Open the door',
  tryAgain: 'Try again',
  reload: 'Reload the page',
  scans: (count: string, isOne: boolean) => `${count} ${isOne ? 'scan' : 'scans'}`,

  welcome: {
    title: 'Scan tickets at the door',
    lead: 'Open the door link that the organiser sent you, or paste it here.',
    field: 'Door link',
    notALink: 'That is not a door link. Copy the whole link from the message you got.',
  },

  /** The way back to a link that worked on this phone, from one that does not. */
  goOn: (event: string, label: string) => `Go on with ${event} · ${label}`,

  trouble: {
    noConnection: 'No connection',
    findASignal: 'The server cannot be reached. Find a better signal and try again.',
    tooManyTries: 'Too many tries. Wait a moment.',
    waitSeconds: (seconds: string, isOne: boolean) => `Too many tries. Wait ${seconds} ${isOne ? 'second' : 'seconds'}, then try again.`,
    waitMinutes: (minutes: string) => `Too many tries. Wait ${minutes} minutes, then try again.`,
    otherTab: 'Close the other tabs',
    otherTabAdvice: 'Another tab has an older version of this page open. Close it, and this one opens by itself.',
    lostDatabase: 'The browser took away what this page had open. Nothing is lost: reload it to go on.',
    noStorage: 'This browser cannot keep what the door needs',
    noStorageAdvice:
      'It may have no space left, or may not let pages keep anything. Open the link in a normal window, not a private one.',
  },

  pin: {
    title: 'This door has a PIN',
    lead: 'Whoever sent you the link knows it.',
    field: 'PIN',
    missing: 'Type the PIN first.',
    wrong: 'That is not the PIN. Try again.',
  },

  refused: {
    title: 'This link no longer works',
    neverWorked: 'This link does not work',
    neverWorkedLead: 'It is incomplete, has ended or was withdrawn. Copy the whole link again, or ask for a new one.',
    lead: 'Ask the organiser for a new one.',
    waiting: (scans: string, isOne: boolean) =>
      `${scans} still ${isOne ? 'waits' : 'wait'} on this phone. ` +
      'Nothing is lost: open a new link of the same event to send what waits.',
    otherLink: 'Open another link',
  },

  /** How well this phone is prepared for a place without a signal. */
  list: {
    none: 'No list for offline yet: find a signal first',
    part: (codes: string, all: string) => `Only a part of the list: ${codes} of about ${all}. Find a signal to get the rest`,
    loading: (codes: string, all: string) => `Loading the list for offline: ${codes} of about ${all}`,
    ready: (codes: string, time: string) => `Ready for offline: ${codes} codes, updated ${time}`,
    pageMissing: (codes: string, time: string) =>
      `${codes} codes, updated ${time}, but the page itself is not on this phone yet. Do not close or reload it without a signal`,
    onlineOnly:
      'Online only: this browser keeps nothing for the page, so scanning needs a signal. ' +
      'It may be a private window, or have no space left.',
    shortNone: 'No list yet',
    shortOnlineOnly: 'Online only',
    shortPageMissing: 'Page not kept yet',
    shortPart: (share: string) => `List ${share}`,
    short: (codes: string, time: string) => `${codes} · ${time}`,
  },

  start: {
    brand: 'Taquilla door',
    station: 'You are at',
    button: 'Start scanning',
    noSignal: 'No signal: this phone decides by its list.',
    noSignalOnlineOnly: 'No signal, and this phone needs one to decide.',
  },

  scanning: {
    camera: 'Camera picture',
    online: 'Online',
    offline: 'Offline',
    station: 'Station: ',
    waiting: 'waiting',
    conflicts: 'to look at',
    hint: 'Point at the code',
    several: 'Several codes in view. Show one at a time.',
    wayOut: 'Scanning people out',
    wholeEvent: 'The event',
    nearlyFull: (zone: string, people: string, limit: string) => `${zone} is nearly full: ${people} of ${limit} inside.`,
    over: (zone: string, people: string, limit: string) => `${zone} is over its limit: ${people} inside, ${limit} at most.`,
    checking: 'Checking…',
    retryCamera: 'Try the camera again',
    torch: 'Light',
    switchCamera: 'Other camera',
    here: 'here',
    entered: 'entered',
    toCome: 'still to come',
    code: 'Ticket code',
    typeACode: 'Type a code',
    check: 'Check',
  },

  camera: {
    insecure: {
      title: 'The camera needs https',
      advice: `Open the link with https at the beginning. ${TYPE_INSTEAD}`,
    },
    none: {
      title: 'No camera found',
      advice: 'Type codes below, or use a hand scanner.',
    },
    refused: {
      title: 'The camera is not allowed',
      advice: `Allow the camera for this page in the browser’s settings, then try again. ${TYPE_INSTEAD}`,
    },
    unreadable: {
      title: 'The camera cannot read codes yet',
      advice: `Find a better signal, then try again. ${TYPE_INSTEAD}`,
    },
    busy: {
      title: 'The camera does not answer',
      advice: `Another app may be using it. Close that app, then try again. ${TYPE_INSTEAD}`,
    },
  },

  /** Headlines are read from an arm's length, in bad light; the rest says what it means and what to do next. */
  verdict: {
    next: 'Next',
    offline: 'Offline · decided by this phone',
    admitted: 'Come in',
    alreadyScanned: 'Already scanned',
    alreadyScannedBefore: 'Somebody has already come in with this ticket.',
    firstScan: (time: string, station: string) => `First scanned ${time}${station === '' ? '' : ` · ${station}`}`,
    letInHere: (seconds: string, isOne: boolean) => `Let in here ${seconds} ${isOne ? 'second' : 'seconds'} ago.`,
    transferred: 'Passed on',
    transferredAdvice: 'Passed on to somebody else. Ask for the new ticket.',
    cancelled: 'Cancelled',
    cancelledAdvice: 'This ticket was cancelled. The organiser can say why.',
    refunded: 'Refunded',
    refundedAdvice: 'The money for this ticket was paid back, so it no longer counts.',
    wrongLayout:
      'The hand scanner and this device do not have the same keyboard layout. ' +
      'Set the scanner to this device’s language, or this device’s keyboard to US English.',
    doubtfulLayout:
      'If a hand scanner read this, check its keyboard layout: it may be set to another language than this device.',
    unknown: 'Not a ticket',
    unknownAdvice: 'Nobody knows this code. Ask to see the ticket itself.',
    wrongEvent: 'Another event',
    wrongEventAdvice: (event: string) => `This ticket is for ${event === '' ? 'something else' : event}.`,
    notHere: 'Not for this station',
    notHereAdvice: 'The ticket is fine, but it is scanned somewhere else.',
    turnedAway: 'Turned away',
    turnedAwayAdvice: 'This person was turned away before.',
    reentered: 'Come in again',
    reenteredAdvice: 'They had gone out.',
    wentOut: 'Out',
    wentOutAdvice: 'They may come in again.',
    notInside: 'Not inside',
    notInsideAdvice: 'Nobody is inside with this ticket: it has not come in, or has gone out already.',
    noReentry: 'No way back in',
    noReentryAdvice: 'Whoever leaves with this ticket cannot come in again. Tell them before they go.',
    entryUndone: 'Entry undone',
    entryUndoneAdvice: 'The ticket is valid again.',
    notOnList: 'Not on the list',
    notOnListAdvice: (time: string) =>
      `Not on this phone’s list (updated ${time}). A ticket sold since then will be known when the signal is back.`,
    noList: 'No list yet',
    noListAdvice: 'This phone has no list of tickets yet, so it cannot decide alone. Find a signal first.',
    linkEnded: 'Link ended',
    linkEndedAdvice: (time: string) => `This link ended at ${time}. Ask for a new one.`,
    tooLong: 'Not a ticket',
    tooLongAdvice: 'That is no ticket code: it is too long.',
    failed: 'Try again',
    notes: 'Notes for the door',
    notNow: 'Not now',
    notNowAdvice: 'Nothing was written down.',
    group: (entered: string, of: string) => `${entered} of ${of} in this order`,
    notWritten: 'This phone could not write the scan down, so nothing was decided. Free some space on it.',
    onlineOnly: 'This browser keeps nothing for the page, so this phone decides with a signal only. Find one, then try again.',
    offlineNeedsHttps: 'This page can only decide without a signal when its address begins with https.',
    other: 'Do not let them in yet',
    otherAdvice: (outcome: string) =>
      `The server says “${outcome}”, which this page does not know. Ask your supervisor.`,
  },

  /** Why the server did not decide a scan, by the code of its error. */
  scanErrors: {
    invalid_body: 'The server cannot read this code.',
    scan_id_reused: 'Two scans got mixed up. Scan it once more.',
    body_too_large: 'That is no ticket code: it is too long.',
  },

  /** Why an entry was not undone, by the code of the error. */
  undoErrors: {
    not_allowed_by_link: 'This link may not undo entries.',
    not_found: 'The server does not know this entry yet. If it waits to be sent, try again afterwards.',
    ticket_valid: 'Nobody is in with this ticket: the entry was undone before.',
    ticket_cancelled: 'The ticket was cancelled meanwhile.',
    ticket_refunded: 'The ticket was refunded meanwhile.',
    changed_meanwhile: 'Somebody has come in with this ticket since. Undo that entry instead.',
  },

  history: {
    open: 'Last scans',
    title: 'Last scans on this phone',
    empty: 'Nothing was scanned on this phone yet.',
    offline: 'offline',
    byName: 'found by name',
    undo: 'Undo the entry',
    undoSure: 'Tap again to undo',
    undoOf: (name: string) => `Undo the entry of ${name}`,
    undone: 'undone',
    undoing: 'Undoing…',
    undoneNow: 'The entry is undone. The ticket is valid again.',
    undoNeedsSignal: 'Undoing an entry needs a signal. Nothing was changed; try again.',
  },

  /** Letting people in without a code, where the link allows it. */
  guests: {
    open: 'Find a guest',
    title: 'Find a guest',
    field: 'Name, whole e-mail address, or order',
    find: 'Find',
    searching: 'Looking…',
    nobody: 'Nobody of this door is found by that.',
    more: 'There are more. Type more of the name.',
    tooShort: 'Type at least three letters of a name.',
    tooOften: 'Too many searches. Wait a moment.',
    needsSignal: 'This needs a signal. Nothing was changed; try again.',
    nameless: 'Without a name',
    letIn: 'Let in',
    letInName: (name: string, ticketType: string) => `Let in ${name}, ${ticketType}`,
    states: {
      scanned: 'Has come in already',
      transferred: 'Passed on to somebody else',
      cancelled: 'Cancelled',
      refunded: 'Refunded',
    },
  },

  /** A station that asks before an entry counts. */
  asking: {
    title: 'Let in?',
    offline: 'Offline · by this phone’s list, without a name',
    letIn: 'Let in',
    notNow: 'Not now',
  },

  /** Guests who scan by themselves. */
  kiosk: {
    call: 'Hold your ticket’s code up to the camera',
    callScanner: 'Hold your ticket’s code in front of the scanner',
    welcome: 'Welcome!',
    askStaff: 'Please ask our staff.',
    sound: 'Sound',
    staff: 'Staff',
    leaveTitle: 'End self-scanning',
    pinAdvice: 'Type the PIN of this door link. It needs a signal.',
    holdAdvice: 'Hold the button for three seconds.',
    leave: 'End it',
    hold: 'Hold to end it',
  },

  /** The others of an order, after one of its tickets was scanned. */
  party: {
    offer: 'Others of this order',
    title: 'Others of this order',
    nobody: 'Nobody else of this order is still to come.',
    more: 'There are more. Scan the rest one by one.',
    letIn: (count: string) => `Let in ${count}`,
    entered: 'Let in',
    haveEntered: (count: string, isOne: boolean) => `${count} ${isOne ? 'person' : 'people'} let in.`,
  },

  doorSheet: {
    open: 'Doors, offline list, language',
    title: 'This phone',
    offline: 'Without a signal',
    offlineAdvice: 'Keep the page open where there is a signal until the list is complete. It is updated every 15 seconds.',
    doors: 'Doors on this phone',
    here: 'Open now',
    refused: 'No longer works',
    language: 'Language',
    build: (name: string) => `Version of this page: ${name}`,
  },

  stationSheet: {
    title: 'Where are you now?',
    field: 'Station',
    done: 'Done',
  },

  waitingSheet: {
    title: 'Not sent yet',
    lead: 'These scans are safe on this phone.',
    scansFor: (scans: string, event: string) => `${scans} for ${event}`,
    withASignal: 'Sent as soon as there is a signal.',
    withTheirEvent: 'The link no longer works. Sent when a link of that event is opened on this phone.',
    withAnotherLink: 'This link does not admit such tickets. Sent when one that does is opened on this phone.',
    withAnotherNetwork:
      'Something between this phone and the server blocks these or fails with them, such as a filter of this Wi-Fi. ' +
      'Use another network, such as mobile data. They are tried again and again, and hold up no other scan.',
  },

  conflictSheet: {
    title: 'Please look at these',
    lead: 'Decided here without a signal, and the server sees it differently.',
    toLookAt: (scans: string) => `${scans} to look at`,
    dismiss: 'Dismiss',
    dismissAll: 'Dismiss all',
    letIn: (time: string, station: string) => `Let in here ${time} · ${station}`,
    turnedAway: (time: string, station: string) => `Turned away here ${time} · ${station}`,
    error: 'The server could not take this scan',
    admitted: 'Turned away here, though the server let them in',
    admittedAdvice: 'If they come back, let them in.',
    alreadyScanned: 'Had already been scanned',
    transferred: 'Had been passed on to somebody else',
    cancelled: 'Had been cancelled',
    refunded: 'Had been refunded',
    wrongEvent: 'Is for another event',
    notHere: 'Is not for this station',
    unknown: 'The server does not know this code',
    wasTurnedAway: 'Had been turned away',
    letPass: (time: string, station: string) => `Let through here ${time} · ${station}`,
    passed: 'The server let them through',
    notInside: 'Was not inside',
    noReentry: 'Cannot come in again with this ticket',
    entryUndone: 'The entry was undone after this scan',
    entryUndoneAdvice: 'The ticket is valid again. If they are inside, scan it once more.',
    other: (outcome: string) => `The server says “${outcome}”`,
  },
};
