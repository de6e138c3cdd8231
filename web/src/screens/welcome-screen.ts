import { tokenIn } from '../links';
import { part, show, write } from '../page-parts';
import { texts } from '../texts/texts';

/** For somebody without a link, or with one that no longer works. */
export function showWelcomeScreen(onToken: (token: string) => void, message: string): void {
  const field = part('link', HTMLInputElement);
  field.value = '';
  write('link-message', message);
  part('link-form', HTMLFormElement).onsubmit = (event) => {
    event.preventDefault();
    const token = tokenIn(field.value);
    if (token === null) {
      write('link-message', texts().welcome.notALink);
      return;
    }
    onToken(token);
  };
  show('welcome');
}
