// Tells those who listen what others see change.

const region = document.createElement('div');
region.className = 'unseen';
region.setAttribute('role', 'status');
// The region has to be in the page before it has words, or they are not read out.
document.body.append(region);

export function announce(words: string): void {
  region.textContent = words;
}

export function stopAnnouncing(): void {
  region.textContent = '';
}
