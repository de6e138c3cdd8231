import htmx from 'htmx.org';

// The content security policy allows neither styles nor scripts in the page, and nothing of other servers.
htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.selfRequestsOnly = true;
// A page may show a secret, so no copy of it is kept in the browser's storage.
htmx.config.historyCacheSize = 0;
