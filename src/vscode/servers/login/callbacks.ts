import type { IncomingMessage, ServerResponse } from 'node:http';
import { action, type Operation } from 'effection';
import { useListening } from '../../listen.ts';

/** Where login pages send the person back to: one address of this machine, for all servers of a window. */
export interface Callbacks {
  readonly redirect: string;
  /** What a login page sends back with this state. Nothing else is heard. */
  expect(state: string): Operation<URLSearchParams>;
}

const PATH = '/login';

/**
 * A resource of the caller's scope: listens on a port of loopback. `thanks` is what the person reads then.
 *
 * @param seen an address of this machine as the person's browser reaches it, which may be on another one
 */
export function* useCallbacks(
  thanks: string,
  seen: (address: string) => Operation<string>,
): Operation<Callbacks> {
  const waiting = new Map<string, (query: URLSearchParams) => void>();
  const port = yield* useListening((req: IncomingMessage, res: ServerResponse) => {
    const { pathname, searchParams } = new URL(`http://127.0.0.1${req.url ?? '/'}`);
    const state = searchParams.get('state') ?? '';
    const heard = req.method === 'GET' && pathname === PATH ? waiting.get(state) : undefined;
    res.writeHead(heard ? 200 : 404, {
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    });
    res.end(heard ? thanks : '');
    heard?.(searchParams);
  }, undefined);
  return {
    redirect: yield* seenOrAsItIs(`http://127.0.0.1:${port}${PATH}`, seen),
    expect: (state) =>
      action((resolve) => {
        waiting.set(state, resolve);
        return () => void waiting.delete(state);
      }),
  };
}

/** Most servers want no login: none is kept from its work by a port that cannot be forwarded. */
function* seenOrAsItIs(address: string, seen: (address: string) => Operation<string>): Operation<string> {
  try {
    return yield* seen(address);
  } catch {
    return address;
  }
}
