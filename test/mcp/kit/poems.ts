import { createMcpPrompt, createMcpResource } from 'parley-mcp';
import * as z from 'zod';

/*
 * A server that has no tools.
 */

export const poem = createMcpResource('app://poem', 'A poem').read(function* () {
  return 'Roses are red';
});

export const recite = createMcpPrompt('recite')
  .description('Recites a poem')
  .arguments(z.object({}))
  .elicits({})
  .messages(function* () {
    return 'Recite it.';
  });
