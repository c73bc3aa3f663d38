import { keepLast } from '../../../runtime/data/keep-last.ts';

/** Most principals whose word is remembered; those before are asked again. */
const MOST = 1_000;

/** Whose model a server may use: each principal is asked once, and it is known from then on. */
export class ModelConsent {
  readonly #given = new Map<string, true>();

  /** Whether a principal has said so. */
  isGiven(principal: string): boolean {
    return this.#given.has(principal);
  }

  give(principal: string): void {
    keepLast(this.#given, [principal, true], MOST);
  }

  /** Everybody is asked again. */
  takeBack(): void {
    this.#given.clear();
  }
}
