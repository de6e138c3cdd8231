// An open menu closes on Escape and on a press elsewhere.

const OPEN_MENU = 'details.menu[open]';

export function listenToMenus(): void {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN_MENU)) {
      const hadFocus = menu.contains(document.activeElement);
      menu.open = false;
      if (hadFocus) menu.querySelector('summary')?.focus();
    }
  });
  document.addEventListener('click', ({ target }) => {
    for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN_MENU)) {
      if (!(target instanceof Node && menu.contains(target))) menu.open = false;
    }
  });
}
