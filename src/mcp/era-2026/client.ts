import type { ClientCapabilities } from '../../core/tool/context.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Reporter } from '../request/reporter.ts';

/**
 * An MCP client of the 2026 era as the client of a session, for one leg. It has no verbs: what it is asked goes out with
 * the leg's result, and the answer comes with the next request.
 */
export function createClient2026(name: string, capabilities: ClientCapabilities, reporter: Reporter): Client {
  return {
    name,
    capabilities: () => capabilities,
    can: (ask) => canAnswer(capabilities, ask),
    log: (event) => reporter.log(event),
    notify: (event) => reporter.notify(event),
  };
}
