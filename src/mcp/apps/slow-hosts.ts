import { isObject } from '../wire/rpc/json-rpc.ts';

/** Most hosts that are remembered. */
const MOST = 100;

/**
 * Hosts that tell a page of its call only when that is over, by name and version: a page that waited for an answer there would
 * wait for ever. Found out by a page that spoke late.
 */
export class SlowHosts {
  readonly #found = new Map<string, boolean>();

  /** Whether pages of this host come late; `undefined` while nobody knows. */
  is(clientInfo: unknown): boolean | undefined {
    return this.#found.get(keyOf(clientInfo));
  }

  remember(clientInfo: unknown, slow: boolean): void {
    const key = keyOf(clientInfo);
    this.#found.delete(key);
    this.#found.set(key, slow);
    const [oldest = ''] = this.#found.keys();
    if (this.#found.size > MOST) this.#found.delete(oldest);
  }
}

function keyOf(info: unknown): string {
  const { name, version } = isObject(info) ? info : {};
  return JSON.stringify([String(name), String(version)]).slice(0, 300);
}
