import { writeSync } from 'node:fs';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

/** Holds up its whole process, as code that computes does, and says so before. */
export const hold = createMcpTool('hold')
  .description('Holds up its process')
  .parameters(z.object({ milliseconds: z.number() }))
  .elicits({})
  .execute(function* ({ milliseconds }) {
    writeSync(2, 'holding\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    return 'held';
  });
