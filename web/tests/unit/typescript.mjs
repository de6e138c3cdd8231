// Lets Node run the page's sources as they are.

import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
