import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventLog } from '#src/runtime/session/event-log.ts';
import type { SessionEvent, SessionHappening } from '#src/runtime/session/events.ts';

const ask = (id: string, attempt = 1): SessionHappening => ({
  type: 'sample_request',
  ask: {
    kind: 'sample',
    id,
    wireKey: id,
    depth: 0,
    ref: { toolName: 't', key: 'sample', callId: 'c', seq: 1 },
    attempt,
    request: { messages: [], maxTokens: 1 },
  },
});
const log = (message: string): SessionHappening => ({ type: 'log', level: 'info', message, depth: 0 });
const progress = (message: string, depth = 0): SessionHappening => ({ type: 'progress', message, depth });

function logOf(capacity: number, open = new Set<string>()) {
  return new EventLog({
    time: { now: () => 0 },
    maxLogEvents: capacity,
    isOpen: (id) => open.has(id),
    diagnose: () => {},
  });
}

function readAll(events: EventLog, after = 0): SessionEvent[] {
  const read: SessionEvent[] = [];
  for (let at = after; ; ) {
    const event = events.peek(at);
    if (!event || event.at <= at) return read;
    read.push(event);
    at = event.at;
  }
}

function lengthOf(events: readonly SessionEvent[]): number {
  const said = events.map((event) => [
    'message' in event ? event.message : '',
    event.type === 'log' ? event.data : [],
  ]);
  return said.flat(3).join('').length;
}

describe('the event log', () => {
  it('reads the same one by one as all at once, from any cursor', () => {
    const events = logOf(5);
    for (let n = 0; n < 40; n++) events.add(n % 3 === 0 ? progress(`${n}`) : log(`${n}`));
    for (let cursor = 0; cursor <= 41; cursor++) {
      expect(readAll(events, cursor)).toEqual(events.after(cursor));
    }
  });

  it('tells each listener what happens while it listens, whoever has gone before', () => {
    const events = logOf(5);
    const heard: string[] = [];
    const listen = (name: string) =>
      events.subscribe((event) => heard.push(`${name} ${event.type === 'log' ? event.message : ''}`));
    const leave = listen('one');
    events.add(log('a'));
    leave();
    events.add(log('b'));
    const leaveAgain = listen('two');
    const stay = listen('three');
    // Gone already.
    leave();
    events.add(log('c'));
    leaveAgain();
    events.add(log('d'));
    stay();
    expect(heard).toEqual(['one a', 'two c', 'three c', 'three d']);
  });

  it('never drops open asks, nor the end', () => {
    const events = logOf(3, new Set(['open']));
    events.add(ask('open'));
    events.add(ask('closed'));
    for (let n = 0; n < 100; n++) events.add(log(`${n}`));
    events.add({ type: 'result', value: 1 });
    events.add(log('after the end'));
    const kept = events.after();
    expect(kept[0]).toMatchObject({ at: 1, type: 'sample_request' });
    expect(kept.at(-1)).toMatchObject({ type: 'result' });
    expect(kept.filter((event) => 'ask' in event)).toHaveLength(1);
    expect(kept.length).toBeLessThan(12);
  });

  it('keeps of an open ask that was asked again only the last', () => {
    const events = logOf(2, new Set(['a']));
    for (let attempt = 1; attempt <= 20; attempt++) events.add(ask('a', attempt));
    const asks = events.after().flatMap((event) => ('ask' in event ? [event.ask.attempt] : []));
    expect(asks.at(-1)).toBe(20);
    expect(asks.length).toBeLessThanOrEqual(5);
  });

  it('lets superseded progress go without a gap, and keeps the last of each depth', () => {
    const events = logOf(100);
    events.add(progress('deep', 3));
    for (let n = 0; n < 1_000; n++) events.add(progress(`${n}`));
    const kept = events.after();
    expect(kept.some(({ type }) => type === 'gap')).toBe(false);
    expect(kept[0]).toMatchObject({ message: 'deep' });
    expect(kept.at(-1)).toMatchObject({ message: '999' });
    expect(kept.length).toBeLessThan(320);
  });

  it('keeps of long lines what takes up no more than 2 MiB, and always the newest', () => {
    const events = logOf(1_000);
    const sizes: number[] = [];
    for (let n = 1; n <= 300; n++) {
      events.add(log(`${n} `.padEnd(50_000, 'x')));
      if (n % 3 === 0)
        events.add({ type: 'log', level: 'info', message: '', data: ['y'.repeat(50_000)], depth: 0 });
      if (n % 5 === 0) events.add(progress(`${n} `.padEnd(50_000, 'z')));
      sizes.push(lengthOf(events.after()));
    }
    expect(Math.max(...sizes)).toBeLessThan(2 * 1024 * 1024 + 100_000);
    expect(Math.max(...sizes)).toBeGreaterThan(1024 * 1024);
    const kept = events.after();
    expect(kept[0]).toMatchObject({ type: 'gap' });
    events.add(log('x'.repeat(5_000_000)));
    expect(events.after().at(-1)).toMatchObject({ message: expect.stringContaining('xxx') });
    events.add({ type: 'result', value: 1 });
    expect(
      events
        .after()
        .map(({ type }) => type)
        .slice(-2),
    ).toEqual(['log', 'result']);
  });

  it('says how many a consumer missed, and to one that read half of them, how many of the rest', () => {
    const events = logOf(10);
    for (let n = 1; n <= 100; n++) events.add(log(`${n}`));
    const total = (read: readonly SessionEvent[]) =>
      read.reduce((sum, event) => sum + (event.type === 'gap' ? event.dropped : 1), 0);
    for (const cursor of [0, 1, 17, 50, 80, 95, 100]) {
      expect(total(events.after(cursor))).toBe(100 - cursor);
    }
  });

  it('loses nothing but what a gap counts, whatever happens', () => {
    const happening = fc.oneof(
      fc.constant('log' as const),
      fc.constant('progress' as const),
      fc.nat(5).map((n) => `ask${n}`),
    );
    fc.assert(
      fc.property(
        fc.array(happening, { maxLength: 300 }),
        fc.integer({ min: 1, max: 8 }),
        (all, capacity) => {
          const open = new Set<string>();
          const events = logOf(capacity, open);
          let progresses = 0;
          for (const one of all) {
            if (one === 'log') events.add(log('x'));
            else if (one === 'progress') {
              progresses += 1;
              events.add(progress('x'));
            } else if (open.has(one)) {
              open.delete(one);
              events.add({ type: 'ask_closed', id: one, how: 'answered' });
            } else {
              open.add(one);
              events.add(ask(one));
            }
          }
          const kept = events.after();
          const counted = kept.reduce((sum, event) => sum + (event.type === 'gap' ? event.dropped : 1), 0);
          expect(counted).toBeLessThanOrEqual(all.length);
          expect(counted).toBeGreaterThanOrEqual(all.length - progresses);
          for (const id of open)
            expect(kept.some((event) => 'ask' in event && event.ask.id === id)).toBe(true);
          expect(kept.map(({ at }) => at)).toEqual([...kept.map(({ at }) => at)].sort((a, b) => a - b));
          expect(readAll(events)).toEqual(kept);
        },
      ),
    );
  });
});
