/** Buttons that print the page are of use only where a script runs. */
export function offerToPrint(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }
}
