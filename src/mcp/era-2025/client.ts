import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Reporter } from '../reporter.ts';
import { decodeElicit, encodeElicit } from '../wire/elicit.ts';
import { decodeRoots } from '../wire/roots.ts';
import { isRefusal } from '../wire/rpc/peer-errors.ts';
import { decodeSample, encodeSample } from '../wire/sample.ts';
import { askPeer, type Peer } from './peer.ts';

/**
 * An MCP client of the 2025 era as the client of a session: each verb is a request to it, bound to the request that is
 * being served. While it thinks, the clocks of the call stand still; it has a time limit of its own.
 */
export function createClient2025(peer: Peer, reporter: Reporter): Client {
  return {
    name: peer.name,
    capabilities: () => peer.capabilities(),
    can: (ask) => canAnswer(peer.capabilities(), ask),
    log: (event) => reporter.log(event),
    notify: (event) => reporter.notify(event),
    *elicit(ask) {
      try {
        return decodeElicit(yield* askPeer(peer, 'elicit', 'elicitation/create', encodeElicit(ask)));
      } catch (error) {
        if (isRefusal(error)) return { action: 'decline' };
        throw error;
      }
    },
    *sample(ask, io) {
      const asking = () => askPeer(peer, 'sample', 'sampling/createMessage', encodeSample(ask.request));
      return decodeSample(yield* io.offClock(asking));
    },
    *roots(_ask, io) {
      return decodeRoots(yield* io.offClock(() => askPeer(peer, 'roots', 'roots/list', {})));
    },
  };
}
