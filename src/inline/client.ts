import { type Operation, until } from 'effection';
import { McpCapabilityError } from '../core/errors/call-errors.ts';
import { answeredBy } from '../mcp/clients/answered-by.ts';
import { decodeElicit, encodeElicit } from '../mcp/wire/elicit.ts';
import { encodeLog } from '../mcp/wire/log.ts';
import { createProgressEncoder } from '../mcp/wire/progress.ts';
import { decodeRoots } from '../mcp/wire/roots.ts';
import { decodeSample, encodeSample } from '../mcp/wire/sample.ts';
import { canAnswer } from '../runtime/session/capabilities.ts';
import type { Client } from '../runtime/session/client.ts';
import type { Host } from './hosts.ts';

/** The client of a request. Asked within it, it has verbs; else its answers come with the next one. */
export function clientOfHost(host: Host, toolName: string, within: boolean): Client {
  const { capabilities, progressToken } = host;
  const progress = progressToken === undefined ? undefined : createProgressEncoder(progressToken);
  return {
    name: 'the client of the request',
    capabilities: () => capabilities,
    can: (ask) => canAnswer(capabilities, ask),
    *log(event) {
      yield* until(host.log(event.level, encodeLog(toolName, event).data).catch(lost));
    },
    *notify(event) {
      if (progress) yield* until(host.notify('notifications/progress', { ...progress(event) }).catch(lost));
    },
    ...(within && verbs(host, toolName)),
  };
}

/** Whoever reads has gone. */
function lost(): void {}

function verbs(host: Host, toolName: string): Pick<Client, 'elicit' | 'sample' | 'roots'> {
  const ask = (
    capability: 'elicitation' | 'sampling' | 'roots',
    method: string,
    params: object,
  ): Operation<unknown> =>
    until(
      host.ask(method, { ...params }).catch((error: unknown) => {
        if (!CANNOT.test(String(error))) throw error;
        throw new McpCapabilityError({ toolName, capability, cause: error });
      }),
    );
  return {
    *elicit(question) {
      const asked = performance.now();
      const { clientInfo } = host;
      const wire = yield* ask('elicitation', 'elicitation/create', encodeElicit(question, clientInfo));
      return {
        ...decodeElicit(wire),
        answeredBy: answeredBy(clientInfo, performance.now() - asked, question.person),
      };
    },
    *sample(sampling, io) {
      const params = encodeSample(sampling.request);
      return decodeSample(yield* io.offClock(() => ask('sampling', 'sampling/createMessage', params)));
    },
    *roots() {
      return decodeRoots(yield* ask('roots', 'roots/list', {}));
    },
  };
}

/** How servers say that their client has not declared what it is asked for. */
const CANNOT = /does not support|Method not found|-32601/;
