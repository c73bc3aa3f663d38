import type { CapabilityName } from '../../core/errors/call-errors.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { ToolRequirements } from '../../core/tool/tool.ts';
import type { Ask } from './ask.ts';

/** Everything that clients can do. */
export const EVERYTHING: ClientCapabilities = Object.freeze({
  elicitation: Object.freeze({ form: true }),
  sampling: Object.freeze({ tools: true }),
  roots: true,
  editor: true,
});

/** What several clients can do together. */
export function composeCapabilities(all: Iterable<ClientCapabilities>): ClientCapabilities {
  let elicitation = false;
  let sampling: boolean | undefined;
  let roots = false;
  let editor = false;
  for (const one of all) {
    elicitation ||= one.elicitation !== undefined;
    if (one.sampling) sampling = sampling === true || one.sampling.tools;
    roots ||= one.roots === true;
    editor ||= one.editor === true;
  }
  return Object.freeze({
    ...(elicitation ? { elicitation: { form: true as const } } : {}),
    ...(sampling === undefined ? {} : { sampling: { tools: sampling } }),
    ...(roots ? { roots: true as const } : {}),
    ...(editor ? { editor: true as const } : {}),
  });
}

/** The first thing that a tool requires and these clients lack. */
export function missingCapability(
  requires: ToolRequirements,
  has: ClientCapabilities,
): CapabilityName | undefined {
  if (requires.elicitation && !has.elicitation) return 'elicitation';
  if (requires.sampling && !has.sampling) return 'sampling';
  if (typeof requires.sampling === 'object' && requires.sampling.tools && !has.sampling?.tools) {
    return 'sampling.tools';
  }
  if (requires.roots && !has.roots) return 'roots';
  return requires.editor && !has.editor ? 'editor' : undefined;
}

/** What of an ask says who can answer it. */
type Answerable = Pick<Ask, 'kind' | 'request'> & { readonly inEditor?: true };

/** What an ask requires of whoever answers it. */
export function requirementOf(ask: Answerable): ToolRequirements {
  if (ask.kind === 'elicit') return { elicitation: true, ...(ask.inEditor ? { editor: true } : {}) };
  if (ask.kind === 'roots') return { roots: true };
  const tools = 'tools' in ask.request && ask.request.tools !== undefined;
  return { sampling: tools ? { tools: true } : true };
}

/** Whether a client with these capabilities can answer an ask: the usual `can` of a client. */
export function canAnswer(capabilities: ClientCapabilities, ask: Answerable): boolean {
  return missingCapability(requirementOf(ask), capabilities) === undefined;
}
