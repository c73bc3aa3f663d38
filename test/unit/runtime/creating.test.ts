import { run, scoped, spawn, suspend } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { callContext } from '#src/core/world/call-context.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { advance, clientOf, endOf, rejects, row, tool, waits, withManager } from './session-kit.ts';

describe('a session that is created', () => {
  it(
    'outlives whoever created it, and keeps the contexts that were in force there',
    withManager(function* ({ manager }) {
      const Place = callContext<string>('test.place', 'nowhere');
      const where = tool(function* (ctx) {
        yield* ctx.elicit('seat', { message: 'Where?' });
        return yield* Place.expect();
      });
      let session: Session | undefined;
      yield* scoped(function* () {
        yield* Place.set('Lisbon');
        session = yield* manager.create({ tool: where, params: {} });
      });
      expect(session?.status()).toBe('awaiting_elicit');
      session?.respondToElicit('elicit-1', row(1));
      expect(yield* endOf(session as Session)).toMatchObject({ type: 'result', value: 'Lisbon' });
    }),
  );

  it(
    'is found by principal, conversation and callId together',
    withManager(function* ({ manager }) {
      const idle = tool(() => suspend());
      const name = { principal: 'ada', conversation: 'c1', callId: 'x' };
      const mine = yield* manager.create({ tool: idle, params: {}, ...name });
      const yours = yield* manager.create({ tool: idle, params: {}, ...name, principal: 'bob' });
      expect(manager.get(name)).toBe(mine);
      expect(manager.get({ ...name, principal: 'bob' })).toBe(yours);
      expect(manager.get({ ...name, conversation: 'c2' })).toBeUndefined();
      expect(manager.listActive()).toEqual([mine, yours]);
    }),
  );

  it(
    'is found and aborted by its callId alone where it has no principal and no conversation',
    withManager(function* ({ manager }) {
      const idle = tool(() => suspend());
      yield* manager.create({ tool: idle, params: {}, principal: 'ada', callId: 'y' });
      const session = yield* manager.create({ tool: idle, params: {}, callId: 'x' });
      expect([manager.get('x'), manager.get('y')]).toEqual([session, undefined]);
      expect(yield* manager.abort('x')).toBe(true);
      expect(yield* manager.abort('y')).toBe(false);
    }),
  );

  it(
    'is refused while another of its name is live, and takes its name once that has ended',
    withManager(function* ({ manager }) {
      const idle = tool(() => suspend());
      yield* manager.create({ tool: idle, params: {}, callId: 'x' });
      const second = () => manager.create({ tool: idle, params: {}, callId: 'x' });
      yield* rejects(second, 'SESSION_EXISTS');
      expect(yield* manager.abort({ callId: 'x' })).toBe(true);
      expect(yield* manager.abort({ callId: 'x' })).toBe(false);
      expect((yield* second()).status()).toBe('running');
    }),
  );

  it(
    'gets an id when it is given none',
    withManager(function* ({ manager }) {
      const done = tool(function* (ctx) {
        return ctx.callId;
      });
      const session = yield* manager.create({ tool: done, params: {} });
      expect(session.id).toBe('call_1');
      expect(session.ended()).toMatchObject({ type: 'result', value: 'call_1' });
    }),
  );

  it(
    'is refused before any of its code for parameters and capabilities',
    withManager(function* ({ manager }) {
      let ran = 0;
      const strict = createMcpTool('strict')
        .description('d')
        .parameters(z.object({ n: z.int().default(3) }))
        .requires({ sampling: { tools: true }, roots: true })
        .elicits({})
        .execute(function* ({ n }) {
          ran += 1;
          return n;
        });
      const create = (params: unknown, capabilities: object) => () =>
        manager.create({ tool: strict, params, capabilities });
      yield* rejects(create({ n: 'x' }, { sampling: { tools: true }, roots: true }), 'PARAMS_INVALID');
      yield* rejects(create({}, {}), 'CAPABILITY');
      yield* rejects(create({}, { sampling: { tools: false }, roots: true }), 'CAPABILITY');
      yield* rejects(create({}, { sampling: { tools: true } }), 'CAPABILITY');
      expect(ran).toBe(0);
      expect(manager.listActive()).toEqual([]);
      const session = yield* manager.create({ tool: strict, params: {} });
      expect(session.ended()).toMatchObject({ type: 'result', value: 3 });
    }),
  );

  it(
    'is refused when as many run as may',
    withManager(
      function* ({ manager }) {
        const busy = tool(() => suspend());
        yield* manager.create({ tool: busy, params: {} });
        yield* manager.create({ tool: busy, params: {} });
        yield* rejects(() => manager.create({ tool: busy, params: {} }), 'SESSION_LIMIT');
        expect(manager.listActive()).toHaveLength(2);
      },
      { limits: { maxSessions: 2 } },
    ),
  );

  it(
    'is told of to whoever subscribes, and one that fails harms nobody',
    withManager(function* ({ manager, diagnostics }) {
      const changes: string[] = [];
      manager.subscribe(() => {
        throw new Error('broken list');
      });
      const stop = manager.subscribe(({ type, session }) => void changes.push(`${type} ${session.id}`));
      const done = tool(function* () {});
      yield* manager.create({ tool: done, params: {}, callId: 'a' });
      stop();
      yield* manager.create({ tool: done, params: {}, callId: 'b' });
      expect(changes).toEqual(['started a', 'ended a']);
      expect(diagnostics.map(({ message }) => message)).toContain('a listener of the manager threw');
    }),
  );

  it(
    'is kept for its result only when that was asked for, until it is forgotten or nobody comes',
    withManager(
      function* ({ manager, clock }) {
        const done = tool(function* () {
          return 7;
        });
        yield* manager.create({ tool: done, params: {}, callId: 'gone' });
        expect(manager.get({ callId: 'gone' })).toBeUndefined();
        yield* manager.create({ tool: done, params: {}, callId: 'a', retain: true });
        yield* manager.create({ tool: done, params: {}, callId: 'b', retain: true });
        expect(manager.get({ callId: 'a' })?.ended()).toMatchObject({ value: 7 });
        expect(manager.listActive()).toEqual([]);
        manager.forget({ callId: 'a' });
        expect(manager.get({ callId: 'a' })).toBeUndefined();
        yield* eventLoopTurn();
        yield* advance(clock, 1_000);
        expect(manager.get({ callId: 'b' })).toBeUndefined();
      },
      { limits: { waitingTtl: 1_000 } },
    ),
  );
});

describe('the manager', () => {
  it.each([
    ['the session manager was closed', {}],
    ['the window was closed', { closed: 'the window was closed' }],
  ])('ends every call with itself, and their cleanup runs: %s', async (reason, options) => {
    const log: string[] = [];
    let session: Session | undefined;
    await run(function* () {
      yield* scoped(function* () {
        const manager = yield* createSessionManager(options);
        const code = tool(function* (ctx) {
          try {
            yield* ctx.elicit('seat', { message: '?' });
          } finally {
            log.push('cleaned up');
          }
        });
        session = yield* manager.create({ tool: code, params: {} });
        yield* spawn(() => drive(session as Session, clientOf({ elicit: waits }), 'end'));
        yield* eventLoopTurn();
      });
    });
    expect(log).toEqual(['cleaned up']);
    expect(session?.ended()).toMatchObject({ type: 'aborted', reason });
  });
});
