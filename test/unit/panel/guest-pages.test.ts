import { createScope, type Scope } from 'effection';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '#src/core/messages/json.ts';
import { GuestPages } from '#src/panel/guest-pages.ts';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore, type PanelStore } from '#src/panel/panel-store.ts';
import { ready } from '#src/panel-port/index.ts';
import { createEdge } from '#src/vscode/bridge.ts';

let scope: Scope;
let destroy: () => PromiseLike<void>;
let store: PanelStore;
let pages: GuestPages;
let left: number;

const end = () =>
  store.dispatch({ type: 'event', event: { at: 1, time: 2000, type: 'result', value: 'done' }, ending: {} });

/** A page that somebody shows: it says that it is ready, and keeps what it is told. */
function joined() {
  const posted: JsonObject[] = [];
  let over = false;
  const page = pages.join({ post: (message) => posted.push(message), ended: () => (over = true) });
  page.receive(ready({}));
  const kinds = () => posted.map((message) => message.name);
  return { ...page, posted, kinds, over: () => over };
}

beforeEach(() => {
  [scope, destroy] = createScope();
  left = 0;
  store = createPanelStore(initialState({ callId: 'c', toolName: 't', title: 'T' }));
  store.dispatch({ type: 'started', callId: 'c', time: 1000, params: undefined });
  pages = new GuestPages({
    edge: createEdge(scope, (_what, error) => {
      throw error;
    }),
    title: 'T',
    store,
    listen: (onReady) => () => onReady(),
    left: () => {
      left += 1;
    },
  });
});
afterEach(() => destroy());

describe('a page of a call that others show', () => {
  it('is told all there is, and of the end before it hears that it was the last', async () => {
    const page = joined();
    await vi.waitFor(() => expect(page.kinds()).toEqual(['snapshot']));
    end();
    await vi.waitFor(() => expect(page.over()).toBe(true));
    expect(JSON.stringify(page.posted.at(-1))).toContain('done');
  });

  it('that joins after the end is told of it all the same', async () => {
    end();
    const page = joined();
    await vi.waitFor(() => expect(page.over()).toBe(true));
    expect(JSON.stringify(page.posted)).toContain('done');
  });

  it('is one of several, and the panel hears when the last is gone', async () => {
    const [one, two] = [joined(), joined()];
    await vi.waitFor(() => expect([...one.kinds(), ...two.kinds()]).toEqual(['snapshot', 'snapshot']));
    expect(pages.any).toBe(true);
    one.close();
    await vi.waitFor(() => expect(pages.any).toBe(true));
    two.close();
    await vi.waitFor(() => expect(pages.any).toBe(false));
    expect(left).toBe(1);
  });
});
