// What the dashboard's pages do beyond plain HTML. Every page works without it.

import './dashboard.css';
import './htmx-settings';
import { showCharts } from './chart';
import { offerToCopy } from './copy';
import { listenToMenus } from './menus';
import { sendFormsOnce } from './send-once';
import { submitAtOnce } from './submit-at-once';

offerToCopy();
listenToMenus();
sendFormsOnce();
showCharts();
submitAtOnce();
