// Makes a part of the page like another one, and leaves alone what is the same already: what has the focus keeps it, what
// is open stays open, and nothing scrolls away.

/** What the page's own script has made is not in the other part, and stays. */
const CLIENT = 'client';

export function morph(old: Element, fresh: Element): void {
  morphAttributes(old, fresh);
  const there = [...old.childNodes].filter((node) => !(node instanceof HTMLElement && CLIENT in node.dataset));
  const wanted = [...fresh.childNodes];
  for (const [at, node] of wanted.entries()) {
    const before = there[at];
    if (before === undefined) old.append(node);
    else if (before instanceof Element && node instanceof Element && isAlike(before, node)) morph(before, node);
    else if (before.nodeType === Node.TEXT_NODE && node.nodeType === Node.TEXT_NODE) {
      if (before.nodeValue !== node.nodeValue) before.nodeValue = node.nodeValue;
    } else before.replaceWith(node);
  }
  for (const node of there.slice(wanted.length)) node.remove();
}

function isAlike(old: Element, fresh: Element): boolean {
  return old.tagName === fresh.tagName && old.id === fresh.id;
}

function morphAttributes(old: Element, fresh: Element): void {
  for (const { name } of [...old.attributes]) {
    // Whether something is open is the reader's choice.
    if (!fresh.hasAttribute(name) && name !== 'open') old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}
