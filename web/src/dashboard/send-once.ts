// A form that changes something is sent once, however often its button is pressed.

const disabled = new Set<HTMLButtonElement>();

export function sendFormsOnce(): void {
  document.addEventListener('submit', (event) => {
    // Asking twice does no harm, and a form that downloads a file leaves the page where it is.
    if (!(event.target instanceof HTMLFormElement) || event.target.method === 'get') return;
    const form = event.target;
    // Only once the browser has read the form: a disabled button's own value would not be sent.
    setTimeout(() => {
      if (!event.defaultPrevented) disableButtons(form);
    });
  });
  // The browser may bring the page back as it was left.
  addEventListener('pageshow', () => {
    for (const button of disabled) button.disabled = false;
    disabled.clear();
  });
}

function disableButtons(form: HTMLFormElement): void {
  for (const element of form.elements) {
    if (!(element instanceof HTMLButtonElement) || element.type !== 'submit' || element.disabled) continue;
    element.disabled = true;
    disabled.add(element);
  }
}
