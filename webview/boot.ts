import type { ready } from '../src/panel-port/index.ts';
import type { Early } from './early.ts';

/*
 * Loaded before the page itself, and small: the snapshot is on its way while the page's code is still being read. What
 * comes before the page listens is kept for it.
 */
const arrived: unknown[] = [];
const keep = ({ data }: MessageEvent<unknown>): void => void arrived.push(data);
window.addEventListener('message', keep);

const api = acquireVsCodeApi();
// Written out: what makes messages would bring their schemas along.
const first: ReturnType<typeof ready> = { parley: 'parley/1', name: 'ready', body: {} };
api.postMessage(first);

const early: Early = {
  api,
  take() {
    window.removeEventListener('message', keep);
    return arrived;
  },
};
Object.assign(globalThis, { parleyEarly: early });
