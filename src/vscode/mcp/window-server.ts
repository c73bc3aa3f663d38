import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Operation } from 'effection';
import { bearerOf, newToken, sameToken } from '../../mcp/http/token.ts';
import { fromThenable } from '../bridge.ts';
import type { CallDesk } from '../calls/desk.ts';
import { useEdge, useHome, useLog } from '../contexts.ts';
import { type Lazy, useLazy } from '../lazy.ts';
import { type Access, loadAccess } from './access.ts';
import type { Endpoint } from './client-configs.ts';
import type { McpHandlerParts } from './handler.ts';
import { useListening } from './listen.ts';

/** What the server of a window works with. */
export interface WindowServerParts extends Pick<McpHandlerParts, 'registry' | 'surfaces'> {
  readonly desk: Lazy<CallDesk>;
  /** Hears that another program has the port that clients were told, and that their token is worth nothing any more. */
  onTaken(port: number): void;
}

type Proofs = typeof import('./same-window.ts');

/** The MCP server of a window. It listens from the first use on, and loads what speaks MCP with the first request. */
export interface WindowServer {
  /** For this window's own Copilot: tools that the manifest does not declare. The token lives as long as the window. */
  forCopilot(): Operation<Endpoint>;
  /** For every other client: all tools. */
  forOthers(): Operation<Endpoint>;
  /** Listens, for clients that have an address of earlier. */
  listen(): Operation<void>;
  /** Makes the token of other clients worthless and ends their connections. */
  resetToken(): Operation<void>;
}

/** A server that lives as long as the caller, and does nothing yet. */
export function* useWindowServer(parts: WindowServerParts): Operation<WindowServer> {
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { workspaceState, secrets } = yield* useHome();
  const copilotToken = newToken();
  const others = new Set<ServerResponse>();
  let access: Access | undefined;
  let proofs: Proofs | undefined;

  const handler = yield* useLazy(function* () {
    const { useMcpHandler } = yield* fromThenable(import('./handler.ts'));
    return yield* useMcpHandler({
      ...parts,
      desk: yield* parts.desk(),
      copilotToken,
      token: () => access?.token(),
    });
  });

  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    if (proofs?.answerProof(req, res, access?.token())) return;
    if (!sameToken(bearerOf(req.headers.authorization) ?? '', copilotToken)) {
      others.add(res);
      res.once('close', () => others.delete(res));
    }
    edge.promise(handler).then(
      (handle) => handle(req, res),
      (error: unknown) => {
        log.error('A request of an MCP client could not be served', error);
        res.writeHead(503, { connection: 'close' }).end();
      },
    );
  };

  const started = yield* useLazy(function* () {
    const loaded = yield* loadAccess(workspaceState, secrets);
    access = loaded;
    proofs = yield* fromThenable(import('./same-window.ts'));
    const wanted = loaded.port();
    const port = yield* useListening(listener, wanted);
    if (wanted === undefined) yield* loaded.savePort(port);
    else if (port !== wanted) yield* moved(loaded, proofs, wanted, port);
    log.info(`MCP clients of this machine are served on port ${port}`);
    return { url: `http://127.0.0.1:${port}/mcp`, access: loaded };
  });

  /** Somebody has our port. Another window of this workspace keeps it, and its clients; anybody else may know the token now. */
  function* moved(loaded: Access, { hasToken }: Proofs, wanted: number, port: number): Operation<void> {
    const token = loaded.token();
    if (token !== undefined && (yield* hasToken(wanted, token))) return;
    yield* loaded.savePort(port);
    if (token === undefined) return;
    yield* loaded.reset();
    log.warn(
      `Port ${wanted} is taken by another program: MCP clients of this workspace need a new configuration`,
    );
    parts.onTaken(wanted);
  }

  return {
    *forCopilot() {
      return { url: (yield* started()).url, token: copilotToken };
    },
    *forOthers() {
      const { url, access } = yield* started();
      return { url, token: yield* access.share() };
    },
    *listen() {
      yield* started();
    },
    *resetToken() {
      yield* (yield* started()).access.reset();
      for (const res of others) res.destroy();
    },
  };
}
