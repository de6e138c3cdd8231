/** What follows the `#` of an address never reaches the server. A door link has its secret there, so the way on keeps it. */
export function keepFragment(): void {
  const onward = document.querySelector<HTMLAnchorElement>('a[data-keep-fragment]');
  if (!onward) return;
  const keep = (): void => {
    onward.hash = location.hash;
  };
  keep();
  window.addEventListener('hashchange', keep);
}
