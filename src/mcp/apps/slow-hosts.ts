import { keepLast } from '../keep-last.ts';
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
    keepLast(this.#found, [keyOf(clientInfo), slow], MOST);
  }
}

function keyOf(info: unknown): string {
  const { name, version } = isObject(info) ? info : {};
  return JSON.stringify([String(name), String(version)]).slice(0, 300);
}
