import { tokenIn } from '../links';
import { part, show, write } from '../page-parts';

/** For somebody without a link, or with one that no longer works. */
export function showWelcomeScreen(onToken: (token: string) => void): void {
  const field = part('link', HTMLInputElement);
  field.value = '';
  write('link-message', '');
  part('link-form', HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    const token = tokenIn(field.value);
    if (token === null) {
      write('link-message', 'That is not a door link. Copy the whole link from the message you got.');
      return;
    }
    onToken(token);
  };
  show('welcome');
}
