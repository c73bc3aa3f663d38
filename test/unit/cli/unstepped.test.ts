import { call, sleep, until } from 'effection';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { unmoved, unstepped } from '#src/cli/modules/unstepped.ts';
import { createMcpTool } from '#src/core/index.ts';

const base = () => createMcpTool('probe').description('d').parameters(z.object({}));

test('a durable tool that looks at the clock, throws dice or fetches outside of a step is warned of', () => {
  const careless = base()
    .durable()
    .elicits({})
    .execute(function* (_, ctx) {
      yield* ctx.log('info', `${Date.now()} ${Math.random()} ${new Date()}`);
      yield* ctx.step('fine', () => Date.now());
      yield* sleep(1);
      yield* ctx.sleep(1);
      return fetch.length;
    });
  expect(unstepped(careless)).toEqual([
    expect.stringMatching(/^'probe' is durable and calls Date\.now\(\) outside of ctx\.step/),
    expect.stringContaining('new Date()'),
    expect.stringContaining('Math.random()'),
    expect.stringContaining('sleep()'),
  ]);
});

test('what is in a step, in a comment or in a text is no matter, and neither is a tool that promises nothing', () => {
  const careful = base()
    .durable()
    .elicits({})
    .execute(function* (_, ctx) {
      // Date.now() is in the step
      const { at } = yield* ctx.step('now', () => ({
        at: Math.max(Date.now(), 1),
        roll: (Math.random() + 1) * 2,
      }));
      yield* ctx.log('info', 'not fetch() but Date.now()');
      return new Date(at);
    });
  const plain = base()
    .elicits({})
    .execute(function* () {
      return Date.now();
    });
  expect([...unstepped(careful), ...unstepped(plain)]).toEqual([]);
});

test('a tool that is neither durable nor read-only cannot move, and hears what would make it', () => {
  const steady = base()
    .elicits({})
    .execute(function* () {});
  const reading = base()
    .annotations({ readOnlyHint: true })
    .elicits({})
    .execute(function* () {});
  const durable = base()
    .durable()
    .elicits({})
    .execute(function* () {});
  expect([reading, durable].flatMap(unmoved)).toEqual([]);
  expect(unmoved(steady)).toEqual([
    expect.stringMatching(/^'probe' is neither durable nor read-only: .*\.durable\(\)/),
  ]);
});

test('a call of another server’s tool is written down by itself; one of a tool of ours runs its code again', () => {
  const calling = base()
    .durable()
    .elicits({})
    .execute(function* (_, ctx) {
      yield* ctx.call('github/create_issue', {});
    });
  const careless = base()
    .durable()
    .elicits({})
    .execute(function* (_, ctx) {
      yield* ctx.call('measure', {});
    });
  expect(unstepped(calling)).toEqual([]);
  expect(unstepped(careless)).toEqual([
    expect.stringMatching(/ctx\.call\(\).* in its own steps\. If it asks nothing /),
  ]);
});

test('a promise that is waited for outside of a step is warned of, whichever way it is waited for', () => {
  const pay = async () => 1;
  const careless = base()
    .durable()
    .elicits({})
    .execute(function* () {
      yield* call(() => pay());
      yield* until(pay());
    });
  const careful = base()
    .durable()
    .elicits({})
    .execute(function* (_, ctx) {
      yield* ctx.step('pay', () => call(() => pay()));
      yield* ctx.step('again', () => until(pay()));
    });
  expect(unstepped(careless)).toEqual([
    expect.stringContaining('calls call()'),
    expect.stringContaining('calls until()'),
  ]);
  expect(unstepped(careful)).toEqual([]);
});

test('what `before` does is done once, as in a step', () => {
  const timed = base()
    .durable()
    .elicits({})
    .handoff({
      *before() {
        return { at: Date.now() };
      },
      *client() {
        return Math.random();
      },
      *after({ at }) {
        return new Date(at);
      },
    });
  expect(unstepped(timed)).toEqual([expect.stringContaining('Math.random()')]);
});

test('a template is text, but for what it fills in', () => {
  const careless = base()
    .durable()
    .elicits({})
    .execute(function* (_, ctx) {
      yield* ctx.log(
        'info',
        `it's ${Date.now()}, isn't it? See https://clock.example for ${`${Math.random()}`}`,
      );
      return `${{ at: new Date() }.at} ${fetch('x').then(() => ({}))} }`;
    });
  const careful = base()
    .durable()
    .elicits({})
    .execute(function* ({ name }: { name?: string }, ctx) {
      yield* ctx.call(`github/${name}`, {});
      yield* ctx.step(`1) fetch() ${name} :-(`, () => `)${Date.now()} \` ${/[/')]/.test('x')}`);
      yield* ctx.log('info', `Math.random() and fetch() of ${name}, ${'`'} sleep()`);
      return 4 / 2 / 1;
    });
  expect(unstepped(careless).map((said) => /calls (.+?) outside/.exec(said)?.[1])).toEqual([
    'Date.now()',
    'new Date()',
    'Math.random()',
    'fetch()',
  ]);
  expect(unstepped(careful)).toEqual([]);
});
