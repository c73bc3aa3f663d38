// A durable call, kept in a folder, that calls a tool of another server. As a process it begins it: FOLDER KEY LOG.
import { join } from 'node:path';
import { type Operation, run, suspend } from 'effection';
import * as z from 'zod';
import { type AnyTool, createMcpTool } from '#src/core/index.ts';
import { foreignTool, useMcpConnection } from '#src/mcp/client/index.ts';
import { asJson } from '#src/mcp/wire/as-json.ts';
import { ToolDirectoryContext } from '#src/runtime/context/tool-directory.ts';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import { ClaimedCall } from '#src/runtime/manager/claimed-call.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { createSqliteStore } from '#src/stores/index.ts';
import { nodeServer } from './foreign.ts';
import { cli } from './parley-serve.ts';

const name = { principal: '', conversation: '', callId: 'interrupted' };

const release = createMcpTool('release')
  .description('Calls a tool of another server, then asks')
  .parameters(z.object({ log: z.string() }))
  .durable()
  .elicits({ sure: z.object({ sure: z.boolean() }) })
  .execute(function* (params, ctx) {
    let tagged = 'tagged';
    try {
      yield* ctx.call('git/tag', params);
    } catch (error) {
      tagged = (error as Error).name;
    }
    const { sure } = yield* ctx.elicit.strict('sure', { message: tagged });
    return [tagged, sure];
  });

/** The server whose tool it calls, in a process of its own. */
function* useServer(): Operation<void> {
  const entry = nodeServer('git', cli, 'serve', '--stdio', join(import.meta.dirname, 'slow-tool.ts'));
  const connection = yield* useMcpConnection(entry, {});
  yield* connection.client();
  const tools = new Map<string, AnyTool>(
    connection.offers().tools.map((tool) => [`git/${tool.name}`, foreignTool(connection, tool)]),
  );
  yield* ToolDirectoryContext.set((wanted, given) => given ?? tools.get(wanted));
}

/** Begins the call. */
export function* begin(store: CallStore, log: string): Operation<void> {
  yield* useServer();
  const manager = yield* createSessionManager();
  yield* manager.create({
    tool: release,
    params: { log },
    callId: name.callId,
    *keep(header) {
      return new ClaimedCall(store, yield* store.begin({ name, header: asJson(header) }), 0).sink;
    },
  });
}

/** Takes it up in this process. */
export function* takeUp(store: CallStore): Operation<Session> {
  yield* useServer();
  const outcome = yield* store.claim(name);
  const call = yield* store.read(name);
  if (outcome.type !== 'claimed' || !call) throw new Error(outcome.type);
  const { header, lines, lineCount } = call;
  const { sink } = new ClaimedCall(store, outcome.claim, lineCount);
  const manager = yield* createSessionManager();
  return yield* manager.resume({ tool: release, journal: { header, lines }, sink });
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', key = '', log = ''] = process.argv.slice(2);
  const store = createSqliteStore({ folder, keys: [Buffer.from(key, 'base64url')] });
  await run(function* () {
    yield* begin(store, log);
    yield* suspend();
  });
}
