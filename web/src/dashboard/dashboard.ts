// What the dashboard's pages do beyond plain HTML. Every page works without it.

import './dashboard.css';
import './htmx-settings';
import { offerToCopy } from './copy';
import { listenToMenus } from './menus';
import { sendFormsOnce } from './send-once';
import { offerToPrint } from './print';
import { submitAtOnce } from './submit-at-once';
import { submitOnChange } from './submit-on-change';

offerToCopy();
listenToMenus();
sendFormsOnce();
submitAtOnce();
submitOnChange();
offerToPrint();
