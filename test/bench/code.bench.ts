import { createRequire } from 'node:module';
import { createScope, type Operation, suspend } from 'effection';
import * as z from 'zod';
import { createCodeMode } from '#src/code/code-mode.ts';
import { type CodeEngine, useCodeEngine } from '#src/code/sandbox/engine.ts';
import { createMcpTool } from '#src/core/index.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Client } from '#src/runtime/session/client.ts';
import { bothEras } from '../mcp/kit/edge.ts';
import { openServer } from '../mcp/kit/in-process.ts';
import { measure } from './measure.ts';
import { againstFirst, type Row } from './report.ts';
import { managerScope } from './rig.ts';

const echo = createMcpTool('echo')
  .description('Echoes')
  .parameters(z.object({ text: z.string() }))
  .annotations({ readOnlyHint: true })
  .elicits({})
  .execute(function* ({ text }) {
    return text;
  });

const PER_CALL = 100;

const many = createMcpTool('many')
  .description('Calls echo')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* (_, ctx) {
    for (let n = 0; n < PER_CALL; n++) yield* ctx.call(echo, { text: 'hi' });
  });

const nobody: Client = { name: 'nobody', capabilities: () => ({}), can: () => false };

/** What a call inside a call costs, and ten calls that code makes against ten that a client makes. */
export async function codeRows(): Promise<readonly Row[]> {
  return [...(await innerRows()), ...(await sandboxRows())];
}

async function innerRows(): Promise<readonly Row[]> {
  const { manager, scope, close } = await managerScope();
  const through = (tool: typeof echo | typeof many, params: object) => () =>
    scope.run(function* (): Operation<unknown> {
      const session = yield* manager.create({ tool, params, capabilities: {} });
      return yield* drive(session, nobody, 'end');
    });
  const alone = through(echo, { text: 'hi' });
  try {
    const measured = await measure([
      {
        name: `${PER_CALL} calls of echo`,
        async run() {
          for (let n = 0; n < PER_CALL; n++) await alone();
        },
      },
      { name: `one call that calls echo ${PER_CALL} times`, run: through(many, {}) },
    ]);
    return againstFirst('ctx.call', measured, 0.5);
  } finally {
    await close();
  }
}

async function sandboxRows(): Promise<readonly Row[]> {
  const { engine, close } = await warmEngine();
  const mode = createCodeMode({
    *engine() {
      return engine;
    },
  });
  const plain = await openServer({ tools: [echo] });
  const coded = await openServer({ tools: [echo], progressive: { code: () => mode } });
  try {
    const [client] = await bothEras(plain.url);
    const [other] = await bothEras(coded.url);
    const code = `
      const got: string[] = [];
      for (let n = 0; n < 10; n++) got.push(await tools.echo({ text: 'hi ' + n }));
      return got.length;`;
    const measured = await measure([
      {
        name: 'one after the other',
        async run() {
          for (let n = 0; n < 10; n++)
            await client.request('tools/call', { name: 'echo', arguments: { text: `hi ${n}` } });
        },
      },
      {
        name: 'execute_code, warm',
        run: () => other.request('tools/call', { name: 'execute_code', arguments: { code } }),
      },
    ]);
    return againstFirst('ten calls over HTTP', measured, 1.5);
  } finally {
    await plain.close();
    await coded.close();
    await close();
  }
}

async function warmEngine(): Promise<{ readonly engine: CodeEngine; close(): Promise<void> }> {
  const [scope, destroy] = createScope();
  const engine = await new Promise<CodeEngine>((resolve, reject) => {
    scope
      .run(function* () {
        resolve(
          yield* useCodeEngine({
            worker: new URL('../../src/code/sandbox/code-worker.ts', import.meta.url),
            wasm: createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm'),
          }),
        );
        yield* suspend();
      })
      .catch(reject);
  });
  return { engine, close: async () => destroy() };
}
