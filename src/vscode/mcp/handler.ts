import type { Operation } from 'effection';
import { type Caller, type HttpHandler, type TokenAccess, useMcpServer } from '../../mcp/index.ts';
import type { ToolRegistry } from '../../workspace/registry/registry.ts';
import type { CallDesk } from '../calls/desk.ts';
import { useHome, useLog, versionOfParley } from '../contexts.ts';
import { createAdoptedCalls } from './adopted-calls.ts';
import { chooseSurface, type SurfaceChoice } from './choose-surface.ts';
import { isDynamic, servedTools } from './dynamic-tools.ts';

/** What speaking MCP needs. */
export interface McpHandlerParts {
  readonly registry: ToolRegistry;
  /** Who answers; read at each call. */
  surfaces(): SurfaceChoice;
  readonly desk: CallDesk;
  readonly copilotToken: string;
  /** The token of other clients, as it is now. */
  token(): string | undefined;
}

const copilotName = 'copilot';

/** A handler for the window's tools, both eras. Loaded with the first request. */
export function* useMcpHandler(parts: McpHandlerParts): Operation<HttpHandler> {
  const { registry, surfaces } = parts;
  const log = yield* useLog();
  const { manager, editor } = createAdoptedCalls(parts.desk, log, (principal) =>
    principal === copilotName ? 'agent' : 'client',
  );
  const server = yield* useMcpServer({
    name: 'parley',
    title: 'Parley',
    version: versionOfParley(yield* useHome()),
    tools: servedTools(registry),
    manager,
    onProblem: (message, cause) => log.warn(`MCP: ${message}`, cause),
  });

  const copilot: TokenAccess<Caller> = {
    token: parts.copilotToken,
    principal: {
      name: copilotName,
      offers: (served) => isDynamic(registry, served),
      client: (wire) => chooseSurface('copilot', surfaces(), wire, editor),
    },
  };
  let external: TokenAccess<Caller> | undefined;
  let generation = 0;
  const externalOf = (token: string): TokenAccess<Caller> => {
    if (external?.token === token) return external;
    // A name of its own, so that a client with a new token finds nothing of the old one.
    external = {
      token,
      principal: {
        name: `external ${++generation}`,
        client: (wire) => chooseSurface('external', surfaces(), wire, editor),
      },
    };
    return external;
  };

  return server.createHandler({
    tokens() {
      const token = parts.token();
      return token === undefined ? [copilot] : [copilot, externalOf(token)];
    },
  });
}
