/** A choice that decides what the rest of the page is about is sent as soon as it is made. */
export function submitOnChange(): void {
  document.addEventListener('change', (event) => {
    if (event.target instanceof HTMLSelectElement && 'submitOnChange' in event.target.dataset) event.target.form?.requestSubmit();
  });
}
