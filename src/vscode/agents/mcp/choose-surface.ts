import type { ClientCapabilities } from '../../../core/tool/context.ts';
import { compose } from '../../../runtime/drive/compose.ts';
import type { Ask } from '../../../runtime/session/ask.ts';
import type { Client } from '../../../runtime/session/client.ts';
import type { QuestionPlace, QuestionSurface } from '../../ids.ts';

/** Who is at the other end of the wire: this window's own Copilot, or any other MCP client. */
export type CallerKind = 'copilot' | 'external';

/** The settings that choose who answers. */
export interface SurfaceChoice {
  readonly elicitation: QuestionSurface;
  readonly sampling: QuestionSurface;
  /** Where questions of the window's Copilot are shown. */
  readonly agent: QuestionPlace;
}

type Kind = Ask['kind'];
type Order = 'editor' | 'client' | 'client, then editor';

/**
 * Who answers a call that came over MCP. `auto`: the editor for this window's Copilot, whose own forms come field by field
 * and whose sampling drops tools; for any other client that client where it can, and the editor for the rest. `editor`
 * and `client`: that one alone.
 *
 * Questions of a tool that changes something in the editor are the editor's in every case: what a program says to its own
 * question is no word of the person whose files it is about.
 */
export function chooseSurface(
  kind: CallerKind,
  choice: Pick<SurfaceChoice, 'elicitation' | 'sampling'>,
  wire: Client,
  editor: Client,
): Client {
  const orders: Readonly<Record<Kind, Order>> = {
    elicit: orderOf(choice.elicitation, kind),
    sample: orderOf(choice.sampling, kind),
    roots: orderOf('auto', kind),
  };
  const kinds = ['elicit', 'sample', 'roots'] as const;
  return compose(
    only(
      wire,
      kinds.filter((ask) => orders[ask] !== 'editor'),
    ),
    only(
      editor,
      kinds.filter((ask) => orders[ask] !== 'client'),
    ),
  );
}

function orderOf(surface: QuestionSurface, kind: CallerKind): Order {
  if (surface !== 'auto') return surface;
  return kind === 'copilot' ? 'editor' : 'client, then editor';
}

/** A client that answers only these kinds of asks. It still hears of everything. */
function only(client: Client, kinds: readonly Kind[]): Client {
  return {
    ...client,
    capabilities: () => restrict(client.capabilities(), kinds),
    can: (ask) => (kinds.includes(ask.kind) || isInEditor(ask)) && client.can(ask),
  };
}

function restrict(has: ClientCapabilities, kinds: readonly Kind[]): ClientCapabilities {
  return {
    ...(has.elicitation && kinds.includes('elicit') ? { elicitation: has.elicitation } : {}),
    ...(has.sampling && kinds.includes('sample') ? { sampling: has.sampling } : {}),
    ...(has.roots && kinds.includes('roots') ? { roots: has.roots } : {}),
    ...(has.editor ? { editor: has.editor } : {}),
  };
}

/** No client at the other end of a wire can answer these. */
function isInEditor(ask: Ask): boolean {
  return ask.kind === 'elicit' && ask.inEditor === true;
}
