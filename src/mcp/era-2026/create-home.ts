import { createKeyRing } from '../../runtime/data/key-ring.ts';
import type { McpServerOptions } from '../options.ts';
import { type CarriedCodec, createCarriedCodec } from '../wire/state/carried-state.ts';
import type { CallHome } from './call-home.ts';
import { CarriedCalls, type CarriedCallsOptions } from './carried-calls.ts';
import { StoredCalls } from './stored-calls.ts';

/**
 * Makes what makes the place where calls are between two requests, as `state` says.
 *
 * @throws `TypeError` for `carried` without a key
 */
export function homeFor({
  state = 'memory',
  stateKeys = [],
}: Pick<McpServerOptions, 'state' | 'stateKeys'>): (parts: Omit<CarriedCallsOptions, 'codec'>) => CallHome {
  if (state === 'memory') return ({ parked }) => parked;
  if (state !== 'carried') {
    return (parts) => new StoredCalls({ ...parts, store: state });
  }
  const codec: CarriedCodec = createCarriedCodec(createKeyRing(stateKeys));
  return (parts) => new CarriedCalls({ ...parts, codec });
}
