import type { SampleAsk } from '../../runtime/session/ask.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import { createModel, type ModelPlace } from './model.ts';

/** A model behind an OpenAI-compatible address. */
export interface ModelOptions extends ModelPlace {
  /** Whether this sampling may use it; any may by default. */
  readonly allows?: (ask: SampleAsk) => boolean;
}

const CAPABILITIES = { sampling: { tools: true } } as const;

/**
 * A model of the server's own, for clients that have none: it answers samplings, and nothing else.
 *
 * @example
 * const model = createModelClient({ url: 'http://127.0.0.1:11434/v1', name: 'qwen3' });
 * createMcpServer({ name: 'travel', version: '1.0.0', tools, client: (wire) => compose(wire, model) });
 * @throws `TypeError` for an address that is none, or over which a key would travel in the open
 */
export function createModelClient({ allows = () => true, ...place }: ModelOptions): Client {
  const model = createModel(place);
  return {
    name: `the model '${place.name}'`,
    capabilities: () => CAPABILITIES,
    can: (ask) => ask.kind === 'sample' && allows(ask) && canAnswer(CAPABILITIES, ask),
    *sample({ request }, { session, offClock }) {
      return yield* offClock(() => model.respond(request, session.principal));
    },
  };
}
