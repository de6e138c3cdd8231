// Buttons that copy a text of the page: data-copy is the id of its element, data-copied what to say afterwards.

import { announce, stopAnnouncing } from './announce';

const SHOWN_MS = 2000;

export function offerToCopy(): void {
  // Browsers give the clipboard to pages of safe connections only. Elsewhere the buttons stay hidden.
  if (!navigator.clipboard) return;
  showButtons(document);
  // Parts of the page that htmx puts in later have buttons too.
  document.addEventListener('htmx:load', (event) => {
    if (event.target instanceof Element) showButtons(event.target);
  });
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element && event.target.closest<HTMLButtonElement>('button[data-copy]');
    if (button) void copy(button);
  });
}

function showButtons(part: ParentNode): void {
  for (const button of part.querySelectorAll<HTMLButtonElement>('button[data-copy]')) button.hidden = false;
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '');
  if (!source) return;
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
  } catch {
    // The browser refuses: the text is selected, and the person copies it by hand.
    getSelection()?.selectAllChildren(source);
    return;
  }
  say(button, button.dataset.copied ?? '✓');
}

function say(button: HTMLButtonElement, words: string): void {
  if ('usualWords' in button.dataset) return;
  const usual = button.textContent;
  button.dataset.usualWords = usual;
  // The button keeps its width, so that nothing beside it moves.
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = words;
  announce(words);
  setTimeout(() => {
    button.textContent = usual;
    delete button.dataset.usualWords;
    stopAnnouncing();
  }, SHOWN_MS);
}
