import { part, show, write } from '../page-parts';

/** The link is dead. What waits on this phone is not lost, and the person is told so. */
export function showRefusedScreen(waiting: number, onOtherLink: () => void): void {
  const scans = waiting === 1 ? '1 scan still waits' : `${waiting} scans still wait`;
  const advice = 'Nothing is lost: open a new link of the same event to send what waits.';
  write('refused-waiting', waiting === 0 ? '' : `${scans} on this phone. ${advice}`);
  part('other-link').onclick = onOtherLink;
  show('refused');
}
