import { type CallEntry, hasEnded } from './call-entry.ts';

/** The calls of the client that this one runs for, itself among them. */
export function callsOfSameClient(calls: readonly CallEntry[], one: CallEntry): readonly CallEntry[] {
  const client = clientOf(one);
  return calls.filter((entry) => !hasEnded(entry) && clientOf(entry) === client);
}

/** One running call of each client, the person left out. */
export function callPerClient(calls: readonly CallEntry[]): readonly CallEntry[] {
  const found = new Map<string, CallEntry>();
  for (const entry of calls) {
    if (entry.asker.kind !== 'person' && !hasEnded(entry)) found.set(clientOf(entry), entry);
  }
  return [...found.values()];
}

function clientOf({ asker, session, waiting }: CallEntry): string {
  const { place } = waiting() ?? {};
  if (place && asker.kind !== 'person') return `elsewhere ${place.folder} ${asker.name}`;
  return `${asker.kind} ${session()?.principal ?? ''}`;
}
