import { all, race } from 'effection';
import type { Straight } from 'parley-mcp/inline';
import * as z from 'zod';

const version = z.object({ version: z.string().regex(/^\d+\.\d+$/, 'a version is like 1.2') });
const ok = z.object({ ok: z.boolean() });
const number = z.object({ n: z.number() });
const branch = z.object({ branch: z.string() });
const nothing = z.object({});

/** What the tools of these tests take. */
export const shapes = {
  ...{ release: branch, pair: branch, deploy: branch, other: branch },
  ...{
    guess: nothing,
    maybe: nothing,
    both: nothing,
    limited: z.object({ within: z.number() }),
    drifts: nothing,
    slow: nothing,
  },
};

/** Handlers of every kind; `did` is what they have done to the world. */
export function handlersOf(straight: Straight, did: string[] = []) {
  return {
    release: straight(function* release(args: { branch: string }, ctx) {
      yield* ctx.log('info', `releasing ${args.branch}`);
      const said = yield* ctx.elicit.strict({ message: 'Which version?', schema: version });
      yield* ctx.notify('drafting', { value: 1, total: 2 });
      const notes = yield* ctx.sample({ prompt: 'Write notes', maxTokens: 50 });
      const last = yield* ctx.elicit.strict({ message: `Publish "${notes.text}"?`, schema: ok });
      return last.ok ? `published ${args.branch} ${said.version}` : 'not published';
    }),
    pair: straight(function* pair(args: { branch: string }, ctx) {
      const said = yield* ctx.elicit.strict({ message: 'Which version?', schema: version });
      const last = yield* ctx.elicit.strict({ message: `Publish ${said.version}?`, schema: ok });
      return `${args.branch} ${said.version} ${last.ok}`;
    }),
    deploy: straight(function* deploy(args: { branch: string }, ctx) {
      const stamp = yield* ctx.step('stamp', () => Math.random(), { reads: true });
      const said = yield* ctx.elicit.strict({ message: `Version of ${args.branch}?`, schema: version });
      const tag = yield* ctx.step('tag', () => {
        did.push(`tag ${said.version}`);
        return `v${said.version}`;
      });
      const last = yield* ctx.elicit.strict({ message: `Announce ${tag}?`, schema: ok });
      if (last.ok) yield* ctx.step('announce', () => void did.push(`announce ${tag}`));
      return { tag, announced: last.ok, drawn: stamp > 0 };
    }),
    other: straight(function* other(args: { branch: string }, ctx) {
      yield* ctx.elicit.strict({ message: `Version of ${args.branch}?`, schema: version });
      return 'other';
    }),
    guess: straight(function* guess(_: unknown, ctx) {
      for (let round = 1; ; round++) {
        const { n } = yield* ctx.elicit.strict({ message: `Round ${round}: a number?`, schema: number });
        if (n === 12) return { rounds: round };
      }
    }),
    maybe: straight(function* maybe(_: unknown, ctx) {
      return `it was ${(yield* ctx.elicit({ message: 'Well?', schema: ok })).action}`;
    }),
    both: straight(function* both(_: unknown, ctx) {
      const [said, model] = yield* all([
        ctx.elicit.strict({ message: 'Your word?', schema: z.object({ word: z.string() }) }),
        ctx.sample({ prompt: 'A word?', maxTokens: 5 }),
      ]);
      return `${said.word} ${model.text}`;
    }),
    limited: straight(function* limited(args: { within: number }, ctx) {
      return yield* race([
        ctx.elicit.strict({ message: 'Quick?', schema: ok }),
        (function* () {
          yield* ctx.sleep(args.within);
          return 'too late';
        })(),
      ]);
    }),
    drifts: straight(function* drifts(_: unknown, ctx) {
      for (let turn = 0; turn < 2; turn++)
        yield* ctx.elicit.strict({ message: `It is ${Math.random()}. Go on?`, schema: ok });
      return 'done';
    }),
    slow: straight(function* slow(_: unknown, ctx) {
      did.push('begun');
      try {
        yield* ctx.sleep(60_000);
      } finally {
        did.push('cleaned up');
      }
    }),
  };
}

export type Handlers = ReturnType<typeof handlersOf>;
