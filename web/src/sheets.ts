import { goInside } from './back';

/** The sheet that lies over the screen now, if any. */
export function openSheet(): HTMLDialogElement | null {
  return document.querySelector('dialog[open]');
}

/** Lays a sheet over the screen. The phone's back button takes it away again. */
export function raise(sheet: HTMLDialogElement): void {
  goInside();
  sheet.showModal();
  sheet.scrollTop = 0;
}

/** Every sheet has a button that closes it. */
export function listenToCloseButtons(): void {
  for (const button of document.querySelectorAll<HTMLElement>('dialog [data-close]')) {
    button.addEventListener('click', () => button.closest('dialog')?.close());
  }
}
