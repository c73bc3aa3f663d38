import { isObject } from '../../core/schema/is-object.ts';
import { keepLast } from '../../runtime/data/keep-last.ts';

/** Most hosts that are remembered. */
const MOST = 100;

/** A host that was quick before is slow when its pages have come late as often in a row: one may be late where a machine is busy. */
const IN_A_ROW = 2;

/**
 * Hosts that tell a page of its call only when that is over, by name and version: a page that waited for an answer there would
 * wait for ever. Found out by a page that spoke late.
 */
export class SlowHosts {
  /** How many pages in a row came late. */
  readonly #late = new Map<string, number>();
  /** Hosts whose page has not been heard of at all. */
  readonly #silent = new Map<string, true>();

  /** Whether pages of this host come late; `undefined` while nobody knows. */
  is(clientInfo: unknown): boolean | undefined {
    const late = this.#late.get(keyOf(clientInfo));
    return late === undefined ? undefined : late >= IN_A_ROW;
  }

  /** Whether no page of this host has spoken when one was waited for: it may show none. */
  isSilent(clientInfo: unknown): boolean {
    return this.#silent.has(keyOf(clientInfo));
  }

  /** Its page was waited for, and has not spoken yet. */
  hasNotSpoken(clientInfo: unknown): void {
    keepLast(this.#silent, [keyOf(clientInfo), true], MOST);
  }

  /** A page of this host spoke late, or in time. */
  remember(clientInfo: unknown, late: boolean): void {
    const key = keyOf(clientInfo);
    this.#silent.delete(key);
    const before = this.#late.get(key) ?? IN_A_ROW - 1;
    keepLast(this.#late, [key, late ? before + 1 : 0], MOST);
  }
}

function keyOf(info: unknown): string {
  const { name, version } = isObject(info) ? info : {};
  return JSON.stringify([String(name), String(version)]).slice(0, 300);
}
