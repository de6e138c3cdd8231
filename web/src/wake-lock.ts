// A phone that falls asleep between two guests holds up the queue.

let lock: WakeLockSentinel | null = null;

export async function stayAwake(): Promise<void> {
  if (!('wakeLock' in navigator) || document.hidden || (lock !== null && !lock.released)) return;
  // A phone low on battery may refuse, and then the door works all the same.
  lock = await navigator.wakeLock.request('screen').catch(() => null);
}

export async function mayFallAsleep(): Promise<void> {
  await lock?.release();
  lock = null;
}
