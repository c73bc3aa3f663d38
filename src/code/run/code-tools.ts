import type { Operation } from 'effection';
import type { Offer } from '../../core/plugin/offer.ts';

/** The tools that code may call, by the names that the model knows them by. */
export interface CodeTools {
  get(name: string): Offer | undefined;
  /** Puts a tool in place as it is to be called now; gives what the model should know of the version that runs. @throws where it cannot */
  catchUp?(name: string): Operation<string | undefined>;
}
