import { describe, expect, it } from 'vitest';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { initialState } from '#src/panel/model/state.ts';
import { createPanelStore } from '#src/panel/panel-store.ts';
import type { ElicitAsk } from '#src/runtime/session/ask.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { createCallList } from '#src/vscode/calls/call-list.ts';
import { waitingCalls, waitingNext } from '#src/vscode/calls/notices/waiting-calls.ts';
import type { CallPanel } from '#src/vscode/calls/panel/call-panel.ts';

const question: ElicitAsk = {
  kind: 'elicit',
  id: 'elicit-1',
  wireKey: 'name#1',
  depth: 0,
  ref: { toolName: 't', key: 'name', callId: 'c1', seq: 1 },
  attempt: 1,
  declared: true,
  request: { message: 'Your name?', requestedSchema: { type: 'object', properties: {} } },
};

function entry(
  id: string,
  open = false,
  visible = open,
): CallEntry & { closed(): boolean; end(): void; ask(): void } {
  const store = createPanelStore(initialState({ callId: id, toolName: 't', title: id }));
  let isOpen = open;
  const panel = {
    store,
    visible,
    get open() {
      return isOpen;
    },
    subscribe: () => () => {},
    close: () => {
      isOpen = false;
    },
  } as unknown as CallPanel;
  return {
    id,
    tool: {} as AnyTool,
    toolName: 't',
    record: () => undefined,
    title: id,
    asker: { kind: 'person' },
    panel,
    session: () => undefined,
    waiting: () => undefined,
    *attach() {
      return undefined;
    },
    act() {},
    abort() {},
    closed: () => !isOpen,
    ask: () =>
      store.dispatch({ type: 'event', event: { at: 1, time: 1, type: 'elicit_request', ask: question } }),
    end: () => store.dispatch({ type: 'event', event: { at: 1, time: 1, type: 'result', value: 1 } }),
  };
}
const idsOf = (list: ReturnType<typeof createCallList>) => list.list().map(({ id }) => id);

describe('the list of calls', () => {
  it('has the newest first and tells of every change', () => {
    const list = createCallList();
    let changes = 0;
    const stop = list.subscribe(() => changes++);
    const [a, b] = [entry('a'), entry('b')];
    list.add(a);
    list.add(b);
    expect(idsOf(list)).toEqual(['b', 'a']);
    a.end();
    expect(changes).toBe(3);
    stop();
    list.remove(b);
    expect(changes).toBe(3);
    expect(list.get('b')).toBeUndefined();
  });

  it('tells that a call pauses, and nothing of one that was taken away', () => {
    const list = createCallList();
    const call = entry('a');
    list.add(call);
    let changes = 0;
    list.subscribe(() => changes++);
    const pause = (message: string) =>
      call.panel.store.dispatch({ type: 'pause', pause: { message, actions: [] }, waits: false, time: 1 });
    pause('It waits.');
    expect(changes).toBe(1);
    list.remove(call);
    expect(changes).toBe(2);
    pause('It waits on.');
    expect(changes).toBe(2);
  });

  it('keeps what runs and what is being read, and forgets old ends', () => {
    const list = createCallList();
    const running = entry('running');
    list.add(running);
    const read = entry('read', true);
    list.add(read);
    read.end();
    for (let at = 0; at < 40; at++) {
      const ended = entry(`ended ${at}`);
      list.add(ended);
      ended.end();
    }
    expect(idsOf(list)).toContain('running');
    expect(idsOf(list)).toContain('read');
    // Whoever was added last had not ended then.
    expect(list.list().length).toBe(2 + 30 + 1);
    expect(idsOf(list)).not.toContain('ended 0');
  });

  it('clears what has ended and closes its panels', () => {
    const list = createCallList();
    const [ended, running] = [entry('ended', true), entry('running', true)];
    list.add(ended);
    list.add(running);
    ended.end();
    list.clearEnded();
    expect(idsOf(list)).toEqual(['running']);
    expect(ended.closed()).toBe(true);
    expect(running.closed()).toBe(false);
  });
});

describe('questions that wait', () => {
  it('lead to the one that nobody sees and that has waited longest, else to the oldest of all', () => {
    const list = createCallList();
    const calls = [entry('seen', true), entry('oldest'), entry('silent'), entry('newest')];
    for (const one of calls) list.add(one);
    for (const one of calls) if (one.id !== 'silent') one.ask();
    expect(waitingCalls(list).map(({ id }) => id)).toEqual(['seen', 'oldest', 'newest']);
    expect(waitingNext(list).map(({ id }) => id)).toEqual(['oldest', 'newest']);
    for (const one of calls) if (one.id !== 'seen') one.end();
    expect(waitingNext(list).map(({ id }) => id)).toEqual(['seen']);
  });
});
