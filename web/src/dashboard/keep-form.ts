// A form that is sent after the session has ended gets a page that asks to sign in, and would lose what was typed. It is kept
// in this tab's own storage, which is never sent and ends with the tab, and comes back to the same user and to nobody else.
// What is secret (passwords, codes), files and what the server put into the form are not kept.

const PLACE = 'taquilla-form';
// Long enough to find one's password, short enough that a tab that was left open does not keep a buyer's name for a day.
const KEPT_FOR_MS = 60 * 60 * 1000;
// As much as the server takes of a form.
const LARGEST = 64 * 1024;
const SECRET = ['current-password', 'new-password', 'one-time-code'];
/** The pages that may come in the place of a form's answer, until the form can be sent. */
const GATES = ['/dashboard/sign-in', '/dashboard/second-factor', '/dashboard/confirm'];

interface KeptForm {
  user: string;
  /** The page that the form is on, and where it sends to. */
  page: string;
  action: string;
  at: number;
  /** Somebody had to sign in, so it was not sent. */
  interrupted: boolean;
  fields: [name: string, value: string][];
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function keepForms(): void {
  const isGate = GATES.includes(location.pathname);
  const kept = read();
  if (isGate) {
    if (kept !== null) wait(kept);
    return;
  }
  if (kept?.interrupted && kept.user === document.body.dataset.user) giveBack(kept);
  else write(null);
  document.addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement && posts(target)) keep(target);
  });
}

function keep(form: HTMLFormElement): void {
  const { user } = document.body.dataset;
  const fields = typedFields(form).flatMap((field) => valuesOf(field).map((value): [string, string] => [field.name, value]));
  if (user === undefined || fields.length === 0) {
    write(null);
    return;
  }
  write({ user, page: pageNow(), action: form.action, at: Date.now(), interrupted: false, fields });
}

function wait(kept: KeptForm): void {
  write({ ...kept, interrupted: true });
  for (const note of document.querySelectorAll<HTMLElement>('[data-form-kept]')) note.hidden = false;
}

function giveBack(kept: KeptForm): void {
  const form = [...document.forms].find((each) => posts(each) && each.action === kept.action);
  // On another page it waits for its own.
  if (kept.page !== pageNow() || form === undefined) return;
  write(null);
  const left = new Map<string, string[]>();
  for (const [name, value] of kept.fields) left.set(name, [...(left.get(name) ?? []), value]);
  for (const field of typedFields(form)) fill(field, left);
  for (const note of document.querySelectorAll<HTMLElement>('[data-form-back]')) note.hidden = false;
}

function fill(field: Field, left: Map<string, string[]>): void {
  const values = left.get(field.name) ?? [];
  const isTicked = field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type);
  if (isTicked) field.checked = values.includes(field.value);
  else if (field instanceof HTMLSelectElement) for (const option of field.options) option.selected = values.includes(option.value);
  else field.value = values.shift() ?? field.value;
  // What is folded away would not be seen.
  if (!isTicked && field.value !== '') field.closest('details')?.setAttribute('open', '');
}

function valuesOf(field: Field): string[] {
  if (field instanceof HTMLSelectElement) return [...field.selectedOptions].map(({ value }) => value);
  if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) return field.checked ? [field.value] : [];
  return [field.value];
}

function typedFields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter((element): element is Field => {
    if (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return element.name !== '';
    if (!(element instanceof HTMLInputElement) || element.name === '') return false;
    const isTyped = !['hidden', 'password', 'file', 'submit', 'button', 'image'].includes(element.type);
    return isTyped && !SECRET.includes(element.autocomplete);
  });
}

/** A form's field that is called `method` hides the form's own. */
function posts(form: HTMLFormElement): boolean {
  return form.getAttribute('method') === 'post';
}

function pageNow(): string {
  return location.pathname + location.search;
}

/** Null where there is none, or where it was kept for too long. */
function read(): KeptForm | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? 'null') as KeptForm | null;
    const isFresh = kept !== null && Date.now() - kept.at < KEPT_FOR_MS;
    return isFresh ? kept : null;
  } catch {
    // A browser that keeps nothing, or something that is not ours.
    return null;
  }
}

function write(kept: KeptForm | null): void {
  try {
    const text = kept === null ? '' : JSON.stringify(kept);
    if (text === '' || text.length > LARGEST) sessionStorage.removeItem(PLACE);
    else sessionStorage.setItem(PLACE, text);
  } catch {
    // A browser that keeps nothing: the form is typed again.
  }
}
