import type { CapabilityName } from '../../core/errors/call-errors.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ClientCapabilities, ElicitationModes } from '../../core/tool/context.ts';
import type { ToolRequirements } from '../../core/tool/tool.ts';
import type { Ask } from './ask.ts';

/** Everything that clients can do. */
export const EVERYTHING: ClientCapabilities = Object.freeze({
  elicitation: Object.freeze({ form: true, url: true }),
  sampling: Object.freeze({ tools: true }),
  roots: true,
  editor: true,
});

/** What came of what one client said of itself, as long as that is there: it is read several times a call. */
const ALONE = new WeakMap<ClientCapabilities, ClientCapabilities>();

/** What one client can do, as {@link composeCapabilities} has it. */
export function soleCapabilities(said: ClientCapabilities): ClientCapabilities {
  // What can still be written to may say something else the next time.
  if (!Object.isFrozen(said)) return composeCapabilities([said]);
  const known = ALONE.get(said);
  if (known) return known;
  const can = composeCapabilities([said]);
  ALONE.set(said, can);
  return can;
}

/** What several clients can do together. */
export function composeCapabilities(all: Iterable<ClientCapabilities>): ClientCapabilities {
  const modes: { form?: true; url?: true } = {};
  let sampling: ClientCapabilities['sampling'];
  let roots = false;
  let editor = false;
  for (const one of all) {
    Object.assign(modes, one.elicitation);
    if (one.sampling) sampling = bothSampling(sampling, one.sampling);
    roots ||= one.roots === true;
    editor ||= one.editor === true;
  }
  return Object.freeze({
    ...(modes.form || modes.url ? { elicitation: modes } : {}),
    ...defined({ sampling }),
    ...(roots ? { roots: true as const } : {}),
    ...(editor ? { editor: true as const } : {}),
  });
}

function bothSampling(
  one: ClientCapabilities['sampling'],
  other: NonNullable<ClientCapabilities['sampling']>,
) {
  const context = one?.context ?? other.context;
  return { tools: one?.tools === true || other.tools, ...defined({ context }) };
}

/** The first thing that a tool requires and these clients lack. */
export function missingCapability(
  requires: ToolRequirements,
  has: ClientCapabilities,
): CapabilityName | undefined {
  const asks = modesOf(requires.elicitation);
  if (asks.form && !has.elicitation?.form) return 'elicitation';
  if (asks.url && !has.elicitation?.url) return 'elicitation.url';
  if (requires.sampling && !has.sampling) return 'sampling';
  if (typeof requires.sampling === 'object' && requires.sampling.tools && !has.sampling?.tools) {
    return 'sampling.tools';
  }
  if (requires.roots && !has.roots) return 'roots';
  return requires.editor && !has.editor ? 'editor' : undefined;
}

/** In which ways a tool has to be able to ask. */
export function modesOf(elicitation: ToolRequirements['elicitation']): ElicitationModes {
  if (typeof elicitation === 'object') return elicitation;
  return elicitation ? { form: true } : {};
}

/** What of an ask says who can answer it. */
type Answerable = Pick<Ask, 'kind' | 'request'> & { readonly inEditor?: true };

/** What an ask requires of whoever answers it. */
export function requirementOf(ask: Answerable): ToolRequirements {
  if (ask.kind === 'elicit') {
    const isPage = 'mode' in ask.request && ask.request.mode === 'url';
    return { elicitation: isPage ? { url: true } : true, ...(ask.inEditor ? { editor: true } : {}) };
  }
  if (ask.kind === 'roots') return { roots: true };
  const tools = 'tools' in ask.request && ask.request.tools !== undefined;
  return { sampling: tools ? { tools: true } : true };
}

/** Whether a client with these capabilities can answer an ask: the usual `can` of a client. */
export function canAnswer(capabilities: ClientCapabilities, ask: Answerable): boolean {
  return missingCapability(requirementOf(ask), capabilities) === undefined;
}

/** Whether clients can do the same. */
export function isSameAs(
  one: ClientCapabilities | undefined,
  other: ClientCapabilities | undefined,
): boolean {
  if (one === other) return true;
  if (!one || !other) return false;
  return (
    one.elicitation?.form === other.elicitation?.form &&
    one.elicitation?.url === other.elicitation?.url &&
    one.sampling?.tools === other.sampling?.tools &&
    one.sampling?.context === other.sampling?.context &&
    one.roots === other.roots &&
    one.editor === other.editor
  );
}
