// What the test was started with; door.mjs says what each of these is.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How long the test waits for anything that must happen: far longer than a busy machine needs. */
export const WAIT_MS = 120_000;

export const given = JSON.parse(process.env.DOOR_TEST);
export const { codes } = given;
export const origin = new URL(given.url).origin;
export const folder = mkdtempSync(join(tmpdir(), 'door-test-'));
