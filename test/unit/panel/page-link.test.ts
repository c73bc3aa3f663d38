import { createScope, type Scope, suspend } from 'effection';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { initialState } from '#src/panel/model/state.ts';
import { type PageLink, usePageLink } from '#src/panel/page-link.ts';
import { createPanelStore, type PanelStore } from '#src/panel/panel-store.ts';
import { focus, patch, ready, snapshot } from '#src/panel-port/index.ts';
import { start } from '#src/vscode/bridge.ts';
import { createFakePage, type FakePage } from './fake-page.ts';

let scope: Scope;
let destroy: () => PromiseLike<void>;
let store: PanelStore;
let page: FakePage;
let link: PageLink;
let at = 0;

const log = (message: string) =>
  store.dispatch({
    type: 'event',
    event: { at: ++at, time: 1000 + at, type: 'log', level: 'info', message, depth: 0 },
  });
const messages = () => page.snapshot().rows.flatMap((row) => (row.type === 'log' ? [row.message] : []));

beforeEach(() => {
  [scope, destroy] = createScope();
  at = 0;
  store = createPanelStore(initialState({ callId: 'c', toolName: 't', title: 'T' }));
  store.dispatch({ type: 'started', callId: 'c', time: 1000, params: undefined });
  page = createFakePage();
  start(scope, function* () {
    link = yield* usePageLink({ store, post: page.post, now: () => 5000 });
    page.connect((message) => {
      if (ready.is(message)) link.ready();
    });
    yield* suspend();
  });
});

afterEach(async () => {
  await destroy();
});

describe('a page link', () => {
  it('posts nothing before the page is ready, then everything', () => {
    log('early');
    expect(page.posted).toEqual([]);
    page.send(ready({}));
    expect(messages()).toEqual(['early']);
  });

  it('brings changes, and thousands of them in a few posts', async () => {
    page.send(ready({}));
    for (let line = 1; line <= 3000; line++) log(`line ${line}`);
    await vi.waitFor(() => expect(messages().at(-1)).toBe('line 3000'));
    expect(page.snapshot().rows).toHaveLength(500);
    expect(page.posted.length).toBeLessThan(20);
    expect(page.posted.filter((message) => snapshot.is(message))).toHaveLength(1);
  });

  it('answers a page that has lost step with a snapshot', async () => {
    page.send(ready({}));
    log('one');
    await vi.waitFor(() => expect(messages()).toEqual(['one']));
    // A post is lost, as happens on the way to a page that is being hidden.
    const post = page.posted.length;
    page.post(patch({ from: 77, version: 78 }));
    expect(page.posted.slice(post).some((message) => snapshot.is(message))).toBe(true);
    log('two');
    await vi.waitFor(() => expect(messages()).toEqual(['one', 'two']));
  });

  it('keeps still while the page is hidden, and shows all when it is back', async () => {
    page.send(ready({}));
    link.hidden();
    log('unseen');
    page.send(ready({}));
    expect(messages()).toEqual(['unseen']);
    log('seen');
    await vi.waitFor(() => expect(messages()).toEqual(['unseen', 'seen']));
    expect(page.posted.map(({ name }) => name)).toEqual([snapshot.kind, snapshot.kind, patch.kind]);
  });

  it('calls for the keyboard now or never: later the person may be elsewhere', () => {
    link.focus();
    page.send(ready({}));
    expect(page.posted.map(({ name }) => name)).toEqual([snapshot.kind]);
    link.focus();
    expect(page.posted.map(({ name }) => name)).toEqual([snapshot.kind, focus.kind]);
  });

  it('is still after its end', async () => {
    page.send(ready({}));
    await destroy();
    const before = page.posted.length;
    log('late');
    expect(page.posted).toHaveLength(before);
  });
});
