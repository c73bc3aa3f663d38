import { createScope, type Operation, type Scope, sleep, suspend, type Task, withResolvers } from 'effection';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { CallMessage, CallSnapshot } from '#src/calls/messages.ts';
import { CallRefused } from '#src/calls/port.ts';
import { StoreUnavailableError } from '#src/core/errors/store-errors.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { CallName, CallStore } from '#src/runtime/journal/call-store.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { createMemoryStore } from '#src/stores/index.ts';
import { accept, away, type CallRig, callRig, leg, said } from './call-rig.ts';

/** What the tool asks, one after the other, and an answer that fits, and one that does not. */
const KEYS = ['day', 'row', 'sure'] as const;
const RIGHT = accept({ n: 7 });
const WRONG = accept({ n: 99 });
const form = z.object({ n: z.number().max(30) });

/** How the call should stand: no process, no lease, no store, nothing but what was asked and said. */
class Model {
  at = 0;
  attempt = 1;
  /** How often each was asked, not counting attempts. */
  asked = [1, 0, 0];
  early = new Set<string>();
  /** It has gone back since its client was answered last. */
  wentBack = false;
  /** What its client saw last. */
  seen = { key: 'day', attempt: 1 };
  closed: CallMessage | undefined;
  /** What has opened the round in which it ended. */
  opened: CallMessage | undefined;
  end: 'result' | 'aborted' | undefined;
  /** Messages that wait until somebody is attached. */
  inbox: { readonly key: string; readonly attempt: number; readonly isRight: boolean }[] = [];
  /** It was let go: what is early may be given at any time from then on. */
  isLetGo = false;
  /** In which process a panel is attached. */
  panel: number | undefined;

  key(at = this.at): string {
    const times = this.asked[at] ?? 0;
    return times > 1 ? `${KEYS[at]}#${times}` : String(KEYS[at]);
  }

  answer(key: string, isRight: boolean, attempt = this.attempt): void {
    if (this.end || key !== this.key() || attempt !== this.attempt) return;
    if (!isRight) {
      this.attempt += 1;
      return;
    }
    this.at += 1;
    this.attempt = 1;
    if (this.at === KEYS.length) {
      this.end = 'result';
      return;
    }
    this.asked[this.at] = (this.asked[this.at] ?? 0) + 1;
  }

  /** A client that is asked by what its request comes back with has said this before. */
  answerEarly(): void {
    while (!this.end && this.attempt === 1 && this.early.delete(this.key())) this.answer(this.key(), true);
  }

  attached(): void {
    for (const { key, isRight, attempt } of this.inbox.splice(0)) this.answer(key, isRight, attempt);
  }

  goBack(): void {
    Object.assign(this, { at: 0, attempt: 1, wentBack: true });
    this.asked[0] = (this.asked[0] ?? 0) + 1;
    this.early.clear();
  }

  stands() {
    if (this.end) return { status: 'ended', end: this.end };
    return { status: 'waiting', asks: [[this.key(), this.attempt]] };
  }
}

interface Process {
  readonly rig: CallRig;
  readonly scope: Scope;
  /** From here on it writes nothing. */
  die(): void;
  close(): Promise<void>;
}

/** The processes, with what they have in common. */
class World {
  readonly #store: CallStore | undefined;
  #ahead = 0;
  readonly processes: Process[] = [];
  name!: CallName;
  round = '';
  readonly older: string[] = [];
  panel: { readonly task: Task<unknown>; say: (wire: unknown) => void } | undefined;
  messages = 0;
  ran = 0;
  readonly tool = createMcpTool('plan')
    .description('Asks three times')
    .parameters(z.object({}))
    .durable()
    .elicits({ day: form, row: form, sure: form })
    .execute((_, ctx) => {
      const world = this;
      return (function* () {
        yield* ctx.elicit.strict('day', { message: 'When?' });
        yield* ctx.step('count', () => ++world.ran, { reads: true });
        yield* ctx.elicit.strict('row', { message: 'Where?' });
        yield* ctx.elicit.strict('sure', { message: 'Sure?' });
        return 'done';
      })();
    });

  constructor(isShared: boolean) {
    const now = () => Date.now() + this.#ahead;
    this.#store = isShared ? createMemoryStore({ now }) : undefined;
  }

  async begin(): Promise<void> {
    for (let at = 0; at < (this.#store ? 2 : 1); at++) this.processes.push(await this.#process());
    const { scope, rig } = this.at(0);
    const begun = await scope.run(() => rig.calls.start(rig.beginning(this.tool), leg('', {})));
    this.name = begun.name;
    this.round = String(begun.round);
  }

  at(index: number): Process {
    const found = this.processes[index % this.processes.length];
    if (!found) throw new Error('there is no process');
    return found;
  }

  async kill(index: number): Promise<void> {
    const { die, close } = this.at(index);
    die();
    await close().catch(() => {});
    // What it held lapses.
    this.#ahead += 31_000;
    this.processes[index % this.processes.length] = await this.#process();
  }

  async close(): Promise<void> {
    for (const { close } of this.processes) await close().catch(() => {});
  }

  async #process(): Promise<Process> {
    const [scope, destroy] = createScope();
    let isDead = false;
    const store = this.#store;
    const own =
      store &&
      new Proxy(store, {
        get: (target, name: keyof CallStore) => {
          const operation = target[name]?.bind(target) as ((...given: unknown[]) => unknown) | undefined;
          if (!operation || name === 'watch') return operation;
          return function* (...given: unknown[]) {
            if (isDead) throw new StoreUnavailableError({ where: 'memory', problem: 'its process is dead.' });
            return yield* operation(...given) as Operation<unknown>;
          };
        },
      });
    const made = Promise.withResolvers<CallRig>();
    scope
      .run(function* () {
        made.resolve(yield* callRig({ store: own }));
        yield* suspend();
      })
      .catch(() => {});
    return {
      ...{ rig: await made.promise, scope },
      die: () => {
        isDead = true;
      },
      close: async () => {
        await destroy();
      },
    };
  }
}

type Command = fc.AsyncCommand<Model, World>;

/** What is seen of a call, in every process. */
function seenIn({ status, asks, end }: CallSnapshot): object {
  if (end) return { status, end: end.type };
  return { status, asks: asks.map(({ wireKey, attempt }) => [wireKey, attempt]) };
}

/** Everybody who looks sees the call as it should stand, before long. */
async function agreed(model: Model, world: World): Promise<void> {
  for (const [at, { scope, rig }] of world.processes.entries()) {
    await expect
      .poll(
        async () => {
          const found = await scope.run(() => rig.calls.get(world.name));
          return found && seenIn(found);
        },
        { message: `process ${at}`, interval: 5, timeout: 20_000 },
      )
      .toEqual(model.stands());
  }
}

const what = fc.constantFrom('right', 'wrong', 'nothing', 'early');
const index = fc.integer({ min: 0, max: 1 });

/** A client of 2026 comes back: with the round that it has, one of before, or one that it made up. */
class Leg implements Command {
  readonly process: number;
  readonly which: 'current' | 'same' | 'other' | 'older' | 'forged';
  readonly says: 'right' | 'wrong' | 'nothing' | 'early';

  constructor(
    process: number,
    which: 'current' | 'same' | 'other' | 'older' | 'forged',
    says: 'right' | 'wrong' | 'nothing' | 'early',
  ) {
    this.process = process;
    this.which = which;
    this.says = says;
  }

  check({ closed, attempt, inbox, isLetGo }: Readonly<Model>): boolean {
    if (this.says === 'early' && isLetGo) return false;
    if (this.which === 'same' || this.which === 'other') return closed !== undefined;
    return this.says !== 'wrong' || attempt + inbox.length < 3;
  }

  async run(model: Model, world: World): Promise<void> {
    const { scope, rig } = world.at(this.process);
    const message = this.#message(model, world);
    const attachment = { ...rig.beginning(world.tool), isGone: () => false };
    const going = scope.run(() => rig.calls.attach(world.name, attachment, 'blocked', message));
    const [outcome] = await Promise.allSettled([going]);
    if (this.which === 'current' && !model.end) this.#taken(model, world, message, outcome);
    else {
      const expected = this.#judged(model, message);
      if (expected === 'again')
        expect(seenIn((outcome as PromiseFulfilledResult<CallSnapshot>).value)).toMatchObject(
          model.end ? model.stands() : { status: 'waiting' },
        );
      else {
        const { reason } = outcome as PromiseRejectedResult;
        expect(reason).toBeInstanceOf(CallRefused);
        expect(reason).toMatchObject({ why: expected });
      }
    }
    await agreed(model, world);
  }

  toString(): string {
    return `leg in ${this.process}: ${this.which}, ${this.says}`;
  }

  #message(model: Model, world: World): CallMessage {
    const answers = {
      ...(this.says === 'right' || this.says === 'early' ? { [model.key()]: RIGHT } : {}),
      ...(this.says === 'wrong' ? { [model.key()]: WRONG } : {}),
      ...(this.says === 'early' ? { sure: RIGHT } : {}),
    };
    if (this.which === 'same' && model.closed) return model.closed;
    if (this.which === 'other' && model.closed) return leg(model.closed.id, { other: WRONG });
    if (this.which === 'older') return leg(world.older.at(-1) ?? 'none', answers);
    if (this.which === 'forged') return leg(`${world.round.slice(0, -1)}?`, answers);
    return leg(world.round, answers);
  }

  #judged(model: Model, message: CallMessage): string {
    if (this.which === 'same') return 'again';
    if (this.which === 'other') return 'other';
    if (this.which !== 'current') return 'closed';
    return model.opened && model.opened.digest !== message.digest ? 'other' : 'again';
  }

  #taken(
    model: Model,
    world: World,
    message: CallMessage,
    outcome: PromiseSettledResult<CallSnapshot>,
  ): void {
    expect(outcome).toMatchObject({ status: 'fulfilled' });
    const { value } = outcome as PromiseFulfilledResult<CallSnapshot>;
    const [key, before] = [model.key(), model.seen];
    model.attached();
    const isEarly =
      this.says === 'early' && !model.wentBack && model.key() !== 'sure' && model.asked[2] === 0;
    if (isEarly) model.early.add('sure');
    // Of those that are open by now; the one that its client saw counts for the attempt that it saw.
    const open = model.key();
    const isSaid = open === key ? this.says !== 'nothing' : this.says === 'early' && open === 'sure';
    if (isSaid) model.answer(open, this.says !== 'wrong', before.key === open ? before.attempt : undefined);
    if (!isSaid || model.key() !== open) model.answerEarly();
    expect(seenIn(value)).toEqual(model.stands());
    if (model.end) {
      model.opened = message;
      return;
    }
    if (model.closed) world.older.push(model.closed.id);
    Object.assign(model, { closed: message, wentBack: false });
    model.seen = { key: model.key(), attempt: model.attempt };
    world.round = String(value.round);
  }
}

/** Somebody beside says something: an inbox, another program. */
class Send implements Command {
  readonly process: number;
  readonly isRight: boolean;

  constructor(process: number, isRight: boolean) {
    this.process = process;
    this.isRight = isRight;
  }

  check({ end, attempt, inbox }: Readonly<Model>): boolean {
    return end === undefined && (this.isRight || attempt + inbox.length < 3);
  }

  async run(model: Model, world: World): Promise<void> {
    const { scope, rig } = world.at(this.process);
    const [key, attempt] = [model.key(), model.attempt];
    const now = await scope.run(() => rig.calls.get(world.name));
    const id = String(now?.asks[0]?.id);
    const message = said(`m${++world.messages}`, { [key]: this.isRight ? RIGHT : WRONG }, { [id]: attempt });
    expect(await scope.run(() => rig.calls.send(world.name, message))).toBe('left');
    model.inbox.push({ key, attempt, isRight: this.isRight });
    // Where somebody is attached, and where a call is pinned, it is taken at once.
    if (model.panel !== undefined || world.processes.length === 1) model.attached();
    await agreed(model, world);
    expect(await scope.run(() => rig.calls.send(world.name, message))).toBe('again');
    const other = { ...message, digest: 'other' };
    if (!model.end) expect(await scope.run(() => rig.calls.send(world.name, other))).toBe('other');
  }

  toString(): string {
    return `send in ${this.process}: ${this.isRight ? 'right' : 'wrong'}`;
  }
}

class Stop implements Command {
  readonly process: number;

  constructor(process: number) {
    this.process = process;
  }

  check({ end }: Readonly<Model>): boolean {
    return end === undefined;
  }

  async run(model: Model, world: World): Promise<void> {
    const { scope, rig } = world.at(this.process);
    const stop: CallMessage = { id: 'stop', digest: '', stop: 'enough' };
    expect(await scope.run(() => rig.calls.send(world.name, stop))).toBe('left');
    Object.assign(model, { end: 'aborted', panel: undefined });
    await agreed(model, world);
    expect(await scope.run(() => rig.calls.send(world.name, stop))).toBe('again');
  }

  toString(): string {
    return `stop in ${this.process}`;
  }
}

/** A panel: it is attached until it is closed, or the call has ended. */
class Open implements Command {
  readonly process: number;

  constructor(process: number) {
    this.process = process;
  }

  check({ end, panel }: Readonly<Model>): boolean {
    return end === undefined && panel === undefined;
  }

  async run(model: Model, world: World): Promise<void> {
    const { scope, rig } = world.at(this.process);
    const asked = { say: (_: unknown) => {} };
    const attached = withResolvers<void>();
    const panel: Client = {
      ...away,
      name: 'panel',
      *elicit() {
        attached.resolve();
        const { operation, resolve } = withResolvers<never>();
        asked.say = (wire) => resolve(wire as never);
        return yield* operation;
      },
    };
    const task = scope.run(() => rig.calls.attach(world.name, rig.beginning(world.tool, panel), 'end'));
    task.catch(() => {});
    model.attached();
    if (!model.end) await scope.run(() => attached.operation);
    world.panel = { task, say: (wire) => asked.say(wire) };
    model.panel = model.end ? undefined : this.process;
    if (model.end) expect(await task).toMatchObject({ status: 'ended' });
    await agreed(model, world);
  }

  toString(): string {
    return `panel opens in ${this.process}`;
  }
}

/** It is let go: it goes on by itself, as far as it goes, and can be looked at. */
class LetGo implements Command {
  readonly process: number;

  constructor(process: number) {
    this.process = process;
  }

  check({ end, early }: Readonly<Model>): boolean {
    return end === undefined && early.size === 0;
  }

  async run(model: Model, world: World): Promise<void> {
    model.isLetGo = true;
    const { scope, rig } = world.at(this.process);
    const isElsewhere = model.panel !== undefined && world.at(model.panel) !== world.at(this.process);
    const keeps = { beside: { looked: true }, until: Date.now() + 3_600_000 };
    const attachment = { ...rig.beginning(world.tool), keeps, isGone: () => isElsewhere };
    const [outcome] = await Promise.allSettled([
      scope.run(() => rig.calls.attach(world.name, attachment, 'begun')),
    ]);
    expect(outcome.status).toBe(isElsewhere ? 'rejected' : 'fulfilled');
    if (!isElsewhere) model.attached();
    // Nobody has it once it only waits, but who is attached, and where it cannot be given back.
    if (model.panel === undefined && world.processes.length > 1)
      await expect.poll(() => rig.manager.listActive(), { interval: 1 }).toEqual([]);
    await agreed(model, world);
    const seen = await scope.run(() => rig.calls.get(world.name));
    if (!isElsewhere && !model.end) expect(seen).toMatchObject({ beside: { looked: true } });
  }

  toString(): string {
    return `let go in ${this.process}`;
  }
}

class Answer implements Command {
  readonly isRight: boolean;

  constructor(isRight: boolean) {
    this.isRight = isRight;
  }

  check({ panel, attempt }: Readonly<Model>): boolean {
    return panel !== undefined && (this.isRight || attempt < 3);
  }

  async run(model: Model, world: World): Promise<void> {
    const { scope } = world.at(Number(model.panel));
    // It is asked by now, or in a moment.
    await scope.run(() => sleep(1));
    world.panel?.say(this.isRight ? RIGHT : WRONG);
    model.answer(model.key(), this.isRight);
    if (model.end) model.panel = undefined;
    await agreed(model, world);
  }

  toString(): string {
    return `panel answers ${this.isRight ? 'right' : 'wrong'}`;
  }
}

class Close implements Command {
  check({ panel }: Readonly<Model>): boolean {
    return panel !== undefined;
  }

  async run(model: Model, world: World): Promise<void> {
    await world.panel?.task.halt();
    const { rig } = world.at(Number(model.panel));
    model.panel = undefined;
    if (world.processes.length > 1)
      await expect.poll(() => rig.manager.listActive(), { interval: 1 }).toEqual([]);
    await agreed(model, world);
  }

  toString(): string {
    return 'panel closes';
  }
}

class GoBack implements Command {
  check({ panel, at }: Readonly<Model>): boolean {
    return panel !== undefined && at > 0;
  }

  async run(model: Model, world: World): Promise<void> {
    const { scope, rig } = world.at(Number(model.panel));
    const session = rig.manager.get(world.name);
    if (!session) throw new Error('it is not here');
    const first = session.journal().lines.findLast((line) => line.t === 'open' && line.key.startsWith('day'));
    await scope.run(() => session.rewind(String(Object(first).id)));
    model.goBack();
    await agreed(model, world);
  }

  toString(): string {
    return 'goes back';
  }
}

class Kill implements Command {
  readonly process: number;

  constructor(process: number) {
    this.process = process;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, world: World): Promise<void> {
    if (world.processes.length < 2) return;
    if (model.panel !== undefined && model.panel !== this.process) return;
    await world.kill(this.process);
    model.panel = undefined;
    await agreed(model, world);
  }

  toString(): string {
    return `kill ${this.process}`;
  }
}

const commands = [
  fc
    .tuple(index, fc.constantFrom('current', 'current', 'current', 'same', 'other', 'older', 'forged'), what)
    .map(([process, which, says]) => new Leg(process, which as 'current', says as 'right')),
  fc.tuple(index, fc.boolean()).map((given) => new Send(...given)),
  index.map((process) => new Stop(process)),
  index.map((process) => new Open(process)),
  index.map((process) => new LetGo(process)),
  fc.boolean().map((isRight) => new Answer(isRight)),
  fc.constant(new Close()),
  fc.constant(new GoBack()),
  index.map((process) => new Kill(process)),
] as const;

describe.each([
  ['in a store of two processes', true],
  ['in one process', false],
])('a call %s', (_, isShared) => {
  it('stands as what was said of it tells, whoever says it, whatever ends in between', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands([...commands], { maxCommands: 12 }), async (made) => {
        const world = new World(isShared);
        await world.begin();
        try {
          await fc.asyncModelRun(() => ({ model: new Model(), real: world }), made);
        } finally {
          await world.close();
        }
      }),
      { numRuns: 40 },
    );
  });
});

it('a call that was let go is seen with its last attempt where a panel closes right after it', async () => {
  const [model, world] = [new Model(), new World(true)];
  await world.begin();
  for (const command of [new Open(0), new LetGo(0), new Send(0, false), new Close()])
    await command.run(model, world);
  await world.close();
});
