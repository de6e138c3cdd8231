import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { folder, WAIT_MS } from './given.mjs';

/** The last processes of a killed browser may still be writing: what they add meanwhile is removed with the next try. */
export async function clearUp() {
  for (const deadline = Date.now() + WAIT_MS; ; ) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await setTimeout(100);
    }
  }
}
