import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, spawn } from 'effection';
import type { Endpoint } from '../../../cli/setup/agents.ts';
import { bearerOf, newToken, sameToken } from '../../../mcp/http/token.ts';
import { fromThenable } from '../../bridge.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { type Lazy, useLazy } from '../../calls/lazy.ts';
import { useEdge, useExtension, useLog } from '../../contexts.ts';
import { listenWhenFree, useListening } from '../../listen.ts';
import { type Access, type Grant, useAccess } from './access.ts';
import type { McpHandler, McpHandlerParts } from './handler.ts';
import { keptState } from './kept-state.ts';

/** What the server of a window works with. */
export interface WindowServerParts
  extends Pick<
    McpHandlerParts,
    | 'registry'
    | 'catchUp'
    | 'surfaces'
    | 'offering'
    | 'onOffering'
    | 'onListed'
    | 'offers'
    | 'codeMode'
    | 'sandbox'
    | 'pages'
    | 't'
  > {
  readonly desk: Lazy<CallDesk>;
  /** Hears that another program has the port that clients were told, and that their token is worth nothing any more. */
  onTaken(port: number): void;
}

type Proofs = typeof import('./same-window.ts');

/**
 * The MCP server of a window. There is a port for those who were given its address, and none while there is nobody. It listens from the first use on, and loads what speaks MCP with the first request. Its own Copilot has a port of its own, which takes no other token.
 */
export interface WindowServer {
  /** For this window's own Copilot: tools that the manifest does not declare. The address and the token live as long as the window. */
  forCopilot(): Operation<Endpoint>;
  /** For one other client: all tools, with a token that only this one is given. */
  forClient(label: string): Operation<Endpoint & Grant>;
  /** The clients that were given a token. */
  clients(): Operation<readonly Grant[]>;
  /** Listens, for clients that have an address of earlier. */
  listen(): Operation<void>;
  /** Makes the token of a client worthless, or of all of them, and ends their connections. */
  shutOut(id?: string): Operation<void>;
}

/** A server that lives as long as the caller, and does nothing yet. */
export function* useWindowServer(parts: WindowServerParts): Operation<WindowServer> {
  const edge = yield* useEdge();
  const log = yield* useLog();
  const home = yield* useExtension();
  const copilotToken = newToken();
  const others = new Map<ServerResponse, string>();
  let access: Access | undefined;
  let proofs: Proofs | undefined;
  let serving: McpHandler | undefined;

  const handler = yield* useLazy(function* () {
    const { useMcpHandler } = yield* fromThenable(import('./handler.ts'));
    serving = yield* useMcpHandler({
      ...parts,
      desk: yield* parts.desk(),
      copilotToken,
      grants: () => access?.grants() ?? [],
    });
    return serving;
  });

  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    if (proofs?.answerProof(req, res, access?.proof())) return;
    const token = bearerOf(req.headers.authorization) ?? '';
    if (!sameToken(token, copilotToken)) {
      others.set(res, token);
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
    const loaded = yield* useAccess(keptState(home), home.secrets);
    access = loaded;
    proofs = yield* fromThenable(import('./same-window.ts'));
    const wanted = loaded.port();
    const port = yield* useListening(listener, wanted);
    if (wanted === undefined) yield* loaded.savePort(port);
    else if (port !== wanted) {
      // Another window of this workspace keeps it, and its clients: this one before it was loaded again, or one that closes some day.
      const proof = loaded.proof();
      if (proof !== undefined && (yield* proofs.hasToken(wanted, proof)))
        yield* spawn(() => listenWhenFree(listener, wanted, () => log.info(servedOn(wanted))));
      else yield* moved(loaded, wanted, port);
    }
    log.info(servedOn(port));
    return { url: `http://127.0.0.1:${port}/mcp`, access: loaded };
  });

  /** Another program has our port, and may know the token now. */
  function* moved(loaded: Access, wanted: number, port: number): Operation<void> {
    yield* loaded.savePort(port);
    if (loaded.grants().length === 0) return;
    yield* loaded.revoke();
    log.warn(
      `Port ${wanted} is taken by another program: MCP clients of this workspace need a new configuration`,
    );
    parts.onTaken(wanted);
  }

  /** A port, for the agent host takes no socket; every user of the machine may knock there, so that nothing is loaded for them. */
  const ownUrl = yield* useLazy(function* () {
    const port = yield* useListening((req, res) => {
      if (sameToken(bearerOf(req.headers.authorization) ?? '', copilotToken)) listener(req, res);
      else res.writeHead(401, { connection: 'close', 'www-authenticate': 'Bearer' }).end();
    }, undefined);
    return `http://127.0.0.1:${port}/mcp`;
  });

  return {
    *forCopilot() {
      return { url: yield* ownUrl(), token: copilotToken };
    },
    *forClient(label) {
      const { url, access } = yield* started();
      return { url, ...(yield* access.grant(label)) };
    },
    *clients() {
      return (yield* started()).access.grants();
    },
    *listen() {
      yield* started();
    },
    *shutOut(id) {
      const { access } = yield* started();
      yield* access.revoke(id);
      // Calls hear why before their connections go.
      if (serving) yield* fromThenable(serving.shutOut());
      const allowed = new Set(access.grants().map(({ token }) => token));
      for (const [res, token] of others) if (!allowed.has(token)) res.destroy();
    },
  };
}

function servedOn(port: number): string {
  return `MCP clients of this machine are served on port ${port}`;
}
