import type { IncomingMessage, ServerResponse } from 'node:http';
import { action, type Operation } from 'effection';
import { asLabel } from '../../../core/messages/label.ts';
import { useListening } from '../../listen.ts';

/** Where login pages send the person back to: one address of this machine, for all servers of a window. */
export interface Callbacks {
  readonly redirect: string;
  /** What a login page sends back with this state. Nothing else is heard. */
  expect(state: string): Operation<URLSearchParams>;
}

const PATH = '/login';

/** What the person reads then. */
interface CallbackTexts {
  readonly thanks: string;
  /** Where they are not logged in: the login page sent this instead, in words of a stranger. */
  refused(error: string): string;
}

/**
 * A resource of the caller's scope: listens on a port of loopback.
 *
 * @param seen an address of this machine as the person's browser reaches it, which may be on another one
 */
export function* useCallbacks(
  texts: CallbackTexts,
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
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    const error = searchParams.get('error');
    res.end(heard && (error === null ? texts.thanks : texts.refused(asLabel(error))));
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
