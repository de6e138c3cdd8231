// What the test was started with; door.mjs says what each of these is.

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const given = JSON.parse(process.env.DOOR_TEST);
export const { codes } = given;
export const origin = new URL(given.url).origin;
export const folder = mkdtempSync(join(tmpdir(), 'door-test-'));
