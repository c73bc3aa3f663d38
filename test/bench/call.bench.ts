import type { Operation } from 'effection';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Client as SessionClient } from '#src/runtime/session/client.ts';
import { type Measured, measure } from './measure.ts';
import { inMicroseconds, type Row, spread, timeRows } from './report.ts';
import { managerScope } from './rig.ts';

const params = z.object({ text: z.string() });
const answer = z.object({ colour: z.string() });

const echo = createMcpTool('echo')
  .description('Echoes')
  .parameters(params)
  .elicits({})
  .execute(function* ({ text }) {
    return text;
  });

const ask = createMcpTool('ask')
  .description('Asks')
  .parameters(params)
  .elicits({ colour: answer })
  .execute(function* ({ text }, ctx) {
    const result = yield* ctx.elicit('colour', { message: text });
    return result.action === 'accept' ? result.content.colour : result.action;
  });

const scripted: SessionClient = {
  name: 'script',
  capabilities: () => ({ elicitation: { form: true } }),
  can: (asked) => asked.kind === 'elicit',
  *elicit() {
    return { action: 'accept', content: { colour: 'blue' } };
  },
};

/**
 * A call through a session, against what the author of a tool would write without Parley: the same generator with Effection alone, which
 * checks what comes in and what is answered. What is between them is what a session adds: its events, its journal, its bounds.
 */
export async function callRows(): Promise<readonly Row[]> {
  const { manager, scope, close } = await managerScope();
  try {
    const through = (tool: typeof echo | typeof ask) => () =>
      scope.run(function* (): Operation<unknown> {
        const session = yield* manager.create({
          tool,
          params: { text: 'hi' },
          capabilities: scripted.capabilities(),
        });
        return yield* drive(session, scripted, 'end');
      });
    const echoes = await measure([
      { name: 'Effection alone', run: () => scope.run(bareEcho) },
      { name: 'a session', run: through(echo) },
    ]);
    const asks = await measure([
      { name: 'Effection alone', run: () => scope.run(bareAsk) },
      { name: 'a session', run: through(ask) },
    ]);
    return [...addedRows('echo', echoes), ...addedRows('one elicitation', asks)];
  } finally {
    await close();
  }
}

/** Both, and what the second adds to the first. A ratio would say more of the first, which is next to nothing. */
function addedRows(job: string, measured: readonly Measured[]): readonly Row[] {
  const [bare, session] = measured.map(({ ms }) => ms);
  const added = (session ?? []).map((ms, round) => ms - (bare?.[round] ?? Number.NaN));
  return [
    ...timeRows(job, measured),
    { what: `${job}: what a session adds`, figure: `${spread(inMicroseconds(added), 1)} µs` },
  ];
}

function* bareEcho(): Operation<string> {
  return params.parse({ text: 'hi' }).text;
}

function* bareAsk(): Operation<string> {
  params.parse({ text: 'hi' });
  const { content } = yield* answering();
  return answer.parse(content).colour;
}

/** Answers as `scripted` does. */
function* answering(): Operation<{ readonly content: unknown }> {
  return { content: { colour: 'blue' } };
}
