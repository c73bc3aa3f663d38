import { createBridge } from './bridge.ts';
import type { EarlyApp } from './early-app.ts';

/*
 * Stands at the head of the document, and is small: the page has shaken hands with its host before its own code is even read.
 * The bridge keeps what the host says until the page listens.
 */
const bridge = createBridge(window.parent, window);
const early: EarlyApp = { bridge, host: bridge.initialize() };
// Whoever waits for it hears of a failure.
early.host.catch(() => {});
Object.assign(globalThis, { parleyEarlyApp: early });
