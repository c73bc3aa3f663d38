import { all, ensure, type Operation } from 'effection';
import { useCoalesced } from '../../../workspace/files/coalesced.ts';
import type { FoundServer } from './read-sources.ts';

/** What is kept of one server, as long as it is written somewhere. */
export interface KnownServer {
  found: FoundServer;
  /** For good. */
  close(): Operation<void>;
}

/** What is done with servers when they are read. */
export interface KnownServersParts<U extends KnownServer> {
  read(): Operation<readonly FoundServer[]>;
  make(found: FoundServer): U;
  /** Makes of it what should be, as it is written now. */
  settle(unit: U): Operation<void>;
  /** Told when they have been read. */
  changed(): void;
}

/** The servers that are written somewhere, by their names. */
export interface KnownServers<U> {
  readonly units: ReadonlyMap<string, U>;
  /** Reads what is written now. A request meanwhile waits for the next reading: an older one never finishes last. */
  look(): Operation<void>;
}

/** Knows no server before the first look. All are closed with the caller. */
export function* useKnownServers<U extends KnownServer>({
  read,
  make,
  settle,
  changed,
}: KnownServersParts<U>): Operation<KnownServers<U>> {
  const units = new Map<string, U>();
  // An editor that quits waits a few seconds for all of them, and each may take as long.
  yield* ensure(function* () {
    yield* all([...units.values()].map((unit) => unit.close()));
  });
  const { run: look } = yield* useCoalesced(function* (): Operation<void> {
    const servers = yield* read();
    const wanted = new Set(servers.map(({ name }) => name));
    for (const [name, unit] of units) {
      if (wanted.has(name)) continue;
      units.delete(name);
      yield* unit.close();
    }
    for (const found of servers) {
      const unit = units.get(found.name) ?? make(found);
      unit.found = found;
      units.set(found.name, unit);
      yield* settle(unit);
    }
    changed();
  });
  return { units, look };
}
