import { type Operation, run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/tool/create-mcp-tool.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { createMockMcpClient } from '#src/testing/index.ts';
import { countAnswers, remembering } from '#src/vscode/calls/remembering.ts';

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

const accepted = (text: string) => ({ action: 'accept', content: { text } }) as const;
const said = (text: string) => ({ content: { type: 'text', text }, model: 'm' }) as const;

function* runWith(second: string, client: Client): Operation<{ value: unknown; lines: never }> {
  const manager = yield* createSessionManager();
  const session = yield* manager.create({ tool: toolAsking(second), params: {}, capabilities });
  const end = yield* drive(session, client, 'end');
  return { value: end.type === 'result' ? end.value : end, lines: session.journal().lines as never };
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
      const { value } = yield* runWith('Second?', remembering(client, { lines, person: true, model: false }));
      expect(value).toEqual(['one', 'better', 'two']);
    }));

  it('keeps those of the model, too, and asks nobody then', () =>
    run(function* () {
      const lines = yield* firstCall();
      const client = createMockMcpClient({});
      const { value } = yield* runWith('Second?', remembering(client, { lines, person: true, model: true }));
      expect(value).toEqual(['one', 'fine', 'two']);
    }));

  it('asks what is not the same question any more', () =>
    run(function* () {
      const lines = yield* firstCall();
      const client = createMockMcpClient({ elicitResponses: [accepted('new')] });
      const { value } = yield* runWith(
        'Now what?',
        remembering(client, { lines, person: true, model: true }),
      );
      expect(value).toEqual(['one', 'fine', 'new']);
    }));
});
