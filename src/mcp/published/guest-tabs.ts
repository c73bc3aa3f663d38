import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Operation, sleep, until } from 'effection';
import { readJson } from '../http/body.ts';
import type { HttpLimits } from '../http/limits.ts';
import type { TabPage } from './page-here-html.ts';

/** How a process of the same person is reached that has its questions in the tab of this one. */
export interface GuestAddress {
  readonly port: number;
  readonly secret: string;
}

interface Guest extends GuestAddress {
  pages: readonly TabPage[];
}

/** A process that has ended answers no more; one that is slow does in a while. Milliseconds. */
const AGAIN = 300;
const FAILS = 3;
const SLOW = 40_000;
/** What is said to a page of another process, and what it says of itself. */
const HEADERS = ['content-type', 'content-security-policy', 'cache-control'];

/** The questions of other processes of this person, in the tab of this one: each is asked and checked where its call runs. */
export class GuestTabs {
  readonly #guests = new Map<number, Guest>();
  readonly #tell: () => void;

  /** @param tell the tab hears that there is news */
  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** The calls of them all. */
  get pages(): readonly TabPage[] {
    return [...this.#guests.values()].flatMap(({ port, pages }) =>
      pages.map((page) => ({ ...page, id: `${port}.${page.id}` })),
    );
  }

  /** Whether a call is one of theirs. */
  has(id: string): boolean {
    return this.#guests.has(Number.parseInt(id, 10)) && id.includes('.');
  }

  /** Follows what a process asks, until that ends. Nothing where it does so already. */
  *follow(address: GuestAddress): Operation<void> {
    if (this.#guests.get(address.port)?.secret === address.secret) return;
    const guest: Guest = { ...address, pages: [] };
    this.#guests.set(address.port, guest);
    for (let at = 0, failed = 0; failed < FAILS; ) {
      try {
        const response = yield* until(reach(guest, `list/${at}`, { method: 'POST', body: '{}' }));
        const listed = yield* until(response.json() as Promise<{ at: number; pages: TabPage[] }>);
        ({ at, pages: guest.pages } = listed);
        failed = 0;
        this.#tell();
      } catch {
        failed += 1;
        yield* sleep(AGAIN);
      }
    }
    if (this.#guests.get(guest.port) === guest) this.#guests.delete(guest.port);
    this.#tell();
  }

  /** Hands what the tab asks of a call on to where it runs. */
  async forward(
    req: IncomingMessage,
    res: ServerResponse,
    room: string,
    id: string,
    limits: HttpLimits,
  ): Promise<void> {
    const guest = this.#guests.get(Number.parseInt(id, 10));
    const body = req.method === 'POST' ? await readJson(req, limits) : undefined;
    if (!guest || body?.ok === false) return void res.writeHead(410).end();
    const left = new AbortController();
    res.once('close', () => left.abort());
    try {
      const response = await reach(guest, `${room}/${id.slice(id.indexOf('.') + 1)}`, {
        method: req.method ?? 'GET',
        signal: left.signal,
        ...(body && { body: JSON.stringify(body.value) }),
      });
      const headers = HEADERS.flatMap((name) => {
        const value = response.headers.get(name);
        return value === null ? [] : [[name, value]];
      });
      res.writeHead(response.status, Object.fromEntries(headers));
      res.end(Buffer.from(await response.arrayBuffer()));
    } catch {
      if (!res.headersSent) res.writeHead(410);
      res.end();
    }
  }
}

/** Sends something to the page of another process of this user. @throws where it does not answer, or refuses */
export async function reach(
  { port, secret }: GuestAddress,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const origin = `http://127.0.0.1:${port}`;
  const slow = AbortSignal.timeout(SLOW);
  const response = await fetch(`${origin}/${path}`, {
    ...init,
    redirect: 'error',
    signal: init.signal ? AbortSignal.any([init.signal, slow]) : slow,
    headers: { 'content-type': 'application/json', 'x-parley-tab': secret, origin },
  });
  if (response.status === 403) throw new Error('it is another program by now');
  return response;
}
