/** A page that has one thing to send and nothing to ask, such as the way from a link in an e-mail, goes on by itself. */
export function submitAtOnce(): void {
  document.querySelector<HTMLFormElement>('form[data-submit-at-once]')?.requestSubmit();
}
