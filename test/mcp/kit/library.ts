import { suspend } from 'effection';
import {
  type AnyPrompt,
  createMcpPrompt,
  createMcpRegistry,
  createMcpResource,
  createMcpResourceTemplate,
  createMcpTool,
} from 'parley-mcp';
import * as z from 'zod';

/*
 * What two servers of one test both offer under the same names. OWNER says whose it is.
 */

const owner = process.env.OWNER ?? 'nobody';
const watchers = new Set<() => void>();
let shelved = 0;

export const shelf = createMcpResource('app://shelf', `The shelf of ${owner}`)
  .watch(function* (_uri, changed) {
    watchers.add(changed);
    try {
      yield* suspend();
    } finally {
      watchers.delete(changed);
    }
  })
  .read(function* () {
    return `${shelved} at ${owner}`;
  });

export const book = createMcpResourceTemplate('app://books/{id}', `A book of ${owner}`)
  .completes({ id: [`${owner}-1`] })
  .read(function* ({ id }) {
    return `${id} of ${owner}`;
  });

const greet = createMcpPrompt('greet')
  .description(`Greets ${owner}`)
  .arguments(z.object({ name: z.string() }))
  .completes({ name: [`Ada of ${owner}`] })
  .elicits({})
  .messages(function* ({ name }) {
    const resource = { uri: 'app://books/7', text: name };
    return { messages: [{ role: 'user', content: { type: 'resource', resource } }] };
  });

export const prompts = createMcpRegistry<AnyPrompt>([greet]);

export const leave = createMcpTool('leave')
  .description('Ends the server as if somebody had killed it.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    process.kill(process.pid, 'SIGKILL');
    yield* suspend();
  });

export const put = createMcpTool('put')
  .description('Puts a book on the shelf: the shelf reads differently, and there is one more prompt.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    shelved += 1;
    for (const changed of watchers) changed();
    prompts.set([
      greet,
      createMcpPrompt('again')
        .description('Is new')
        .arguments(z.object({}))
        .elicits({})
        .messages(function* () {
          return 'again';
        }),
    ]);
    return {
      content: [
        { type: 'resource_link', uri: 'app://shelf', name: 'shelf' },
        { type: 'resource_link', uri: 'https://example.com/shelf', name: 'page' },
      ],
    };
  });
