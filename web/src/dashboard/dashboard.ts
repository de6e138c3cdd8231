// What the dashboard's pages do beyond plain HTML. Every page works without it.

import './dashboard.css';
import './htmx-settings';
import { showCharts } from './chart';
import { offerToCopy } from './copy';
import { keepForms } from './keep-form';
import { keepFragment } from './keep-fragment';
import { followLive } from './live';
import { listenToMenus } from './menus';
import { tellByOwnClocks } from './own-clocks';
import { offerToPrint } from './print';
import { sendFormsOnce } from './send-once';
import { submitAtOnce } from './submit-at-once';
import { submitOnChange } from './submit-on-change';
import { showTotals } from './till';

offerToCopy();
keepForms();
keepFragment();
listenToMenus();
offerToPrint();
sendFormsOnce();
showCharts();
followLive();
submitAtOnce();
submitOnChange();
showTotals();
tellByOwnClocks();
