import { createBridge } from './bridge.ts';
import type { EarlyApp } from './early-app.ts';
import { letHeldPartsCount } from './held-parts.ts';

/** Milliseconds that the page's code waits for a host that does not answer: then the page is drawn without it. */
const PATIENCE = 300;

/*
 * Stands at the head of the document, and is small: the page has shaken hands with its host before its own code is even read.
 * The bridge keeps what the host says until the page listens.
 */
const bridge = createBridge(window.parent, window);
const early: EarlyApp = { bridge, host: bridge.initialize() };
Object.assign(globalThis, { parleyEarlyApp: early });

const answered = early.host.catch(() => {
  // Whoever waits for it hears of a failure.
});
const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
const read = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
// In a turn of its own: what was said to the host is on its way.
void Promise.all([Promise.race([answered, patience]), read]).then(() =>
  setTimeout(() => letHeldPartsCount(document)),
);
