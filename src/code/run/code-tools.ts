import type { Offer } from '../../core/plugin/offer.ts';

/** The tools that code may call, by the names that the model knows them by. */
export interface CodeTools {
  get(name: string): Offer | undefined;
}
