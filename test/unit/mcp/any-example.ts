import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ensure, run, until } from 'effection';
import { bookFlight } from '#examples/workspace/.parley/tools/book-flight/tool.ts';
import { fieldKinds } from '#examples/workspace/.parley/tools/field-kinds.ts';
import { pickCard } from '#examples/workspace/.parley/tools/pick-card/tool.ts';
import { ticTacToe } from '#examples/workspace/.parley/tools/tictactoe/tool.ts';
import { type Ids, IdsContext } from '#src/core/world/ids.ts';
import { type McpServerOptions, useMcpServer } from '#src/mcp/index.ts';

const tools = [bookFlight, pickCard, ticTacToe, fieldKinds];

/** A call of each example. */
export const calls: readonly (readonly [string, object])[] = [
  ['book_flight', { from: 'Amsterdam', destination: 'Lisbon' }],
  ['pick_card', { cards: 5 }],
  ['tictactoe', { first: 'user' }],
  ['field_kinds', {}],
];

/** A server of the examples that lives for as long as `use` takes. What a tool draws by chance comes from the id of its call. */
export function once<T>(
  next: Ids['next'],
  options: Partial<McpServerOptions>,
  use: (url: URL) => Promise<T>,
): Promise<T> {
  return run(function* () {
    yield* IdsContext.set({ next });
    const server = yield* useMcpServer({ name: 'test', version: '1.0.0', tools, ...options });
    const http = createServer(server.createHandler());
    yield* ensure(() => void http.close());
    yield* ensure(() => http.closeAllConnections());
    yield* until(new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready)));
    const { port } = http.address() as AddressInfo;
    return yield* until(use(new URL(`http://127.0.0.1:${port}/mcp`)));
  });
}
