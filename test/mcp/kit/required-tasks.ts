import { appendFile } from 'node:fs/promises';
import { suspend, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Asks, and fails when it is told to. */
export const greet = createMcpTool('greet')
  .description('Greets')
  .parameters(z.object({ fails: z.boolean().default(false) }))
  .task({ required: true })
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* ({ fails }, ctx) {
    if (fails) throw new Error('no greeting today');
    const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
    return `hello ${name}`;
  });

/** Never ends, and writes what became of it. */
export const endless = createMcpTool('endless')
  .description('Never ends')
  .parameters(z.object({ log: z.string() }))
  .task({ required: true })
  .elicits({})
  .execute(function* ({ log }) {
    try {
      // It may be halted as soon as others read this.
      yield* until(appendFile(log, 'begun\n'));
      yield* suspend();
    } finally {
      yield* until(appendFile(log, 'halted\n'));
    }
    return 'ended';
  });
