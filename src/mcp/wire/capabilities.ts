import { isObject } from '../../core/schema/is-object.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { ToolRequirements } from '../../core/tool/tool.ts';
import { modesOf } from '../../runtime/session/capabilities.ts';
import type { ErrorData } from '../../runtime/session/events.ts';
import type { Era } from './era.ts';
import { RPC, RpcError } from './rpc/rpc-error.ts';

/**
 * What a client declared, as tools read it. `elicitation: {}`, `{ form: {} }` and `{ form: {}, url: {} }` all mean
 * forms; `{ url: {} }` alone means pages only. Unknown extensions are ignored.
 */
export function decodeCapabilities(wire: unknown): ClientCapabilities {
  return Object.freeze(decoded(wire));
}

function decoded(wire: unknown): ClientCapabilities {
  if (!isObject(wire)) return {};
  const { elicitation, sampling, roots } = wire;
  const asks = isObject(elicitation) ? elicitation : undefined;
  const url = isObject(asks?.url);
  const form = asks !== undefined && ('form' in asks || !('url' in asks));
  return {
    ...(form || url
      ? { elicitation: { ...(form ? { form: true as const } : {}), ...(url ? { url: true as const } : {}) } }
      : {}),
    ...(isObject(sampling)
      ? {
          sampling: {
            tools: isObject(sampling.tools),
            ...(isObject(sampling.context) ? { context: true as const } : {}),
          },
        }
      : {}),
    ...(isObject(roots) ? { roots: true } : {}),
  };
}

/** What of a tool's requirements a client lacks, as MCP capabilities; `undefined` when nothing is missing. */
export function missingCapabilities(
  requires: ToolRequirements,
  has: ClientCapabilities,
): Readonly<Record<string, unknown>> | undefined {
  const missing: Record<string, unknown> = {};
  const asks = modesOf(requires.elicitation);
  const form = asks.form && !has.elicitation?.form;
  const url = asks.url && !has.elicitation?.url;
  if (form || url) missing.elicitation = { ...(form ? { form: {} } : {}), ...(url ? { url: {} } : {}) };
  if (requires.sampling) {
    const tools = typeof requires.sampling === 'object' && requires.sampling.tools;
    if (!has.sampling || (tools && !has.sampling.tools)) missing.sampling = tools ? { tools: {} } : {};
  }
  if (requires.roots && !has.roots) missing.roots = {};
  // No client has it: it is the editor's, where one stands beside the client.
  if (requires.editor && !has.editor) missing.experimental = { 'parley/editor': {} };
  return Object.keys(missing).length > 0 ? missing : undefined;
}

/** What to tell a client whose call failed for want of a capability: what the tool requires of it, or else that one. */
function lackingCapability(
  requires: ToolRequirements,
  lacking: string,
  has: ClientCapabilities,
): Readonly<Record<string, unknown>> {
  const one = {
    elicitation: lacking === 'elicitation.url' ? { url: true as const } : lacking === 'elicitation',
    sampling: lacking === 'sampling.tools' ? { tools: true as const } : lacking === 'sampling',
    roots: lacking === 'roots',
  };
  return missingCapabilities(requires, has) ?? missingCapabilities(one, has) ?? {};
}

/**
 * The error of 2026-07-28 for a call that failed for want of a capability; `undefined` for other errors, and before: then it is one of
 * the tool.
 */
export function lackingError(
  era: Era,
  { requires }: { readonly requires: ToolRequirements },
  error: ErrorData,
  has: ClientCapabilities,
): RpcError | undefined {
  if (error.code !== 'CAPABILITY' || era === '2025') return undefined;
  const requiredCapabilities = lackingCapability(requires, String(error.details?.capability ?? ''), has);
  return new RpcError(RPC.missingCapability, error.message, { requiredCapabilities });
}
