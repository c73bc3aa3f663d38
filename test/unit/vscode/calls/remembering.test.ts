import { type Operation, run, sleep, spawn, suspend, until } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '#src/core/messages/json.ts';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { JournalLine } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { countAnswers, type Remembered, remembering } from '#src/vscode/calls/remembering.ts';
import { type RemoteKit, source, useRemoteKit } from '../../isolation/remote-kit.ts';

const capabilities = { elicitation: { form: true }, sampling: { tools: true } } as const;

function toolAsking(second: string) {
  return createMcpTool('ask')
    .description('Asks twice, and the model.')
    .parameters(z.object({}))
    .elicits({ first: z.object({ text: z.string() }), second: z.object({ text: z.string() }) })
    .execute(function* (_, ctx) {
      const one = yield* ctx.elicit.strict('first', { message: 'First?' });
      const said = yield* ctx.sample({ prompt: `About ${one.text}` });
      const two = yield* ctx.elicit.strict('second', { message: second });
      return [one.text, said.text, two.text];
    });
}

/** Asks three times by one name. */
function readingThree(last: string) {
  return createMcpTool('read')
    .description('Asks three times.')
    .parameters(z.object({}))
    .annotations({ readOnlyHint: true })
    .elicits({ text: z.object({ text: z.string() }) })
    .execute(function* (_, ctx) {
      const texts: string[] = [];
      for (const message of ['First?', 'Second?', last])
        texts.push((yield* ctx.elicit.strict('text', { message })).text);
      return texts;
    });
}

const accepted = (text: string) => ({ action: 'accept', content: { text } }) as const;
const said = (text: string) => ({ content: { type: 'text', text }, model: 'm' }) as const;

type Lines = readonly JournalLine[];

/** Runs a tool, with the answers of a call that left these lines. */
function* runTool(
  tool: AnyTool,
  params: JsonObject,
  client: Client,
  kept?: Remembered,
  options?: Parameters<typeof createSessionManager>[0],
): Operation<{ value: unknown; lines: Lines }> {
  const manager = yield* createSessionManager(options);
  const session = yield* manager.create({ tool, params, capabilities });
  const end = yield* drive(session, kept ? remembering(client, session, kept) : client, 'end');
  return { value: end.type === 'result' ? end.value : end, lines: session.journal().lines };
}

function runWith(second: string, client: Client, kept?: Remembered) {
  return runTool(toolAsking(second), {}, client, kept);
}

function* firstCall() {
  const client = createMockMcpClient({
    elicitResponses: [accepted('one'), accepted('two')],
    sampleResponses: [said('fine')],
  });
  return (yield* runWith('Second?', client)).lines;
}

describe('running a tool again', () => {
  it('keeps the answers of the person, and asks the model again', () =>
    run(function* () {
      const lines = yield* firstCall();
      expect(countAnswers(lines)).toEqual({ person: 2, model: 1 });
      const client = createMockMcpClient({ sampleResponses: [said('better')] });
      const { value } = yield* runWith('Second?', client, { lines, person: true, model: false });
      expect(value).toEqual(['one', 'better', 'two']);
    }));

  it('keeps those of the model, too, and asks nobody then', () =>
    run(function* () {
      const lines = yield* firstCall();
      const client = createMockMcpClient({});
      const { value } = yield* runWith('Second?', client, { lines, person: true, model: true });
      expect(value).toEqual(['one', 'fine', 'two']);
    }));

  it('keeps what was answered after a Back, and asks again what the person goes back to in the new call', () =>
    run(function* () {
      const manager = yield* createSessionManager();
      const begun = (last: string) => manager.create({ tool: readingThree(last), params: {}, capabilities });
      const answered = function* (session: Session, text: string) {
        yield* until(vi.waitFor(() => expect(session.openAsks()).toHaveLength(1)));
        yield* session.respond(session.openAsks()[0]?.id ?? '', accepted(text));
      };
      const session = yield* begun('Third?');
      for (const text of ['gone', 'gone, too']) yield* answered(session, text);
      yield* session.rewind('elicit-1');
      for (const text of ['one', 'two', 'three']) yield* answered(session, text);
      yield* until(vi.waitFor(() => expect(session.ended()).toBeDefined()));
      const { lines } = session.journal();

      const again = yield* begun('Third, really?');
      const asked: string[] = [];
      const person: Client = {
        ...createMockMcpClient({}),
        *elicit({ request }) {
          asked.push(request.message);
          if (asked.length === 1) yield* spawn(() => again.rewind('elicit-1'));
          if (asked.length === 1) yield* suspend();
          return accepted(`new ${asked.length}`);
        },
      };
      const end = yield* drive(
        again,
        remembering(person, again, { lines, person: true, model: true }),
        'end',
      );
      expect(asked).toEqual(['Third, really?', 'First?', 'Second?', 'Third, really?']);
      expect(end).toMatchObject({ value: ['new 2', 'new 3', 'new 4'] });

      const third = yield* begun('Third?');
      const told: string[] = [];
      const nobody = remembering(
        createMockMcpClient({}),
        third,
        { lines, person: true, model: true },
        (askId) => told.push(askId),
      );
      expect(yield* drive(third, nobody, 'end')).toMatchObject({ value: ['one', 'two', 'three'] });
      expect(told).toEqual(['elicit-1', 'elicit-2', 'elicit-3']);
    }));

  it('keeps answers where the journal of the new call is written late, as on a disk', () =>
    run(function* () {
      const lines = yield* firstCall();
      const all = { lines, person: true, model: true };
      const options = {
        *keep() {
          return { append: () => sleep(5) };
        },
      };
      const { value } = yield* runTool(toolAsking('Second?'), {}, createMockMcpClient({}), all, options);
      expect(value).toEqual(['one', 'fine', 'two']);
    }));

  it('asks what is not the same question any more', () =>
    run(function* () {
      const lines = yield* firstCall();
      const client = createMockMcpClient({ elicitResponses: [accepted('new')] });
      const { value } = yield* runWith('Now what?', client, { lines, person: true, model: true });
      expect(value).toEqual(['one', 'fine', 'new']);
    }));
});

const asksOfParams = source(
  `const meal = yield* ctx.elicit.strict('meal', { message: 'Which?', dishes: params.dishes });
   const said = yield* ctx.sample({ prompt: params.prompt, temperature: params.temperature });
   return [meal.dish, said.text];`,
);

const before = { dishes: ['soup', 'fish'], prompt: `${'word '.repeat(100)}soup`, temperature: 0.5 };

/** What comes of running a tool again with other parameters, all answers kept: `new` is answered to what is asked. */
function* again({ tool: load }: RemoteKit, params: JsonObject): Operation<unknown> {
  const tool = (yield* load(asksOfParams)) as AnyTool;
  const answers = (text: string) =>
    createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: { dish: text } }],
      sampleResponses: [said(text)],
    });
  const { lines } = yield* runTool(tool, before, answers('old'));
  const kept = { lines, person: true, model: true };
  return (yield* runTool(tool, { ...before, ...params }, answers('new'), kept)).value;
}

describe.each(['host', 'linked'] as const)('whether a tool in the realm “%s” asks the same', (place) => {
  it('is so where nothing that it says differs', () =>
    run(function* () {
      expect(yield* again(yield* useRemoteKit(place), {})).toEqual(['old', 'old']);
    }));

  it('is not so where what is shown with the message differs', () =>
    run(function* () {
      const dishes = ['poison', 'fish'];
      expect(yield* again(yield* useRemoteKit(place), { dishes })).toEqual(['new', 'old']);
    }));

  it('is not so where a prompt differs after its first words', () =>
    run(function* () {
      const prompt = `${'word '.repeat(100)}fish`;
      expect(yield* again(yield* useRemoteKit(place), { prompt })).toEqual(['old', 'new']);
    }));

  it('is not so where the model is asked with other options', () =>
    run(function* () {
      expect(yield* again(yield* useRemoteKit(place), { temperature: 0.9 })).toEqual(['old', 'new']);
    }));
});
