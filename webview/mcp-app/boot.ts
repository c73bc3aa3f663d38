import { createBridge } from './bridge.ts';
import type { EarlyApp } from './early-app.ts';

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
  // The code that waits for it gets the error.
});
const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
const read = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve, { once: true }));
// In a turn of its own: what was said to the host is on its way.
void Promise.all([Promise.race([answered, patience]), read]).then(() =>
  setTimeout(() => letHeldPartsCount(document)),
);

/**
 * Lets the styles and scripts count that a document holds as plain text, in their order: until then the browser does not even
 * parse them.
 */
function letHeldPartsCount(document: Document): void {
  for (const held of document.querySelectorAll('style[type="text/plain"], script[type="text/plain"]')) {
    // With its nonce, where the host's policy goes by nonces.
    const live = held.cloneNode(true) as Element;
    live.removeAttribute('type');
    held.replaceWith(live);
  }
}
