import type { KeyRing } from '../../runtime/data/key-ring.ts';
import { type StoreBounds, storeBounds } from '../bounds.ts';
import { Lapses, type StoreClocks } from '../lapses.ts';
import { type ReadCall, readCall } from './call-file.ts';
import type { Disk } from './disk.ts';
import { type CallPaths, type Layout, openLayout } from './layout.ts';
import type { Sealing } from './log-file.ts';
import { Marks } from './marks.ts';
import { FileRoom } from './room.ts';

/** What a folder of calls is opened with. */
export interface OpenOptions {
  readonly disk: Disk;
  readonly folder: string;
  readonly ring: KeyRing;
  readonly bounds: StoreBounds | undefined;
  readonly clocks: StoreClocks;
  /** Told of calls that were passed over, because they cannot be read. */
  onProblem(error: unknown): void;
}

/** A folder of calls in use. */
export interface Opened {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly marks: Marks;
  readonly room: FileRoom;
  readonly bounds: Required<StoreBounds>;
  readonly lapses: Lapses;
  now(): number;
  sealing(paths: CallPaths, kind: 'journal' | 'events'): Sealing;
  read(paths: CallPaths): Promise<ReadCall | undefined>;
  /** The same, for one among many: what is wrong with it is told, and harms no other. */
  tryToRead(paths: CallPaths): Promise<ReadCall | undefined>;
}

/** Opens a folder; what is missing is made. */
export function open({ disk, folder, ring, bounds: given, clocks, onProblem }: OpenOptions): Opened {
  const { now } = clocks;
  const lapses = new Lapses(clocks);
  const layout = openLayout(folder);
  const marks = new Marks(disk, layout.marks);
  const bounds = storeBounds(given);
  const sealing = ({ id }: CallPaths, kind: 'journal' | 'events'): Sealing => ({
    disk,
    ring,
    use: `parley ${kind} ${layout.storeId} ${id}`,
    durable: kind === 'journal',
    most: bounds.callBytes,
    now,
  });
  const read = (paths: CallPaths) => readCall(paths, sealing(paths, 'journal'));
  return {
    disk,
    layout,
    marks,
    room: new FileRoom(disk, layout, marks, bounds, { ...clocks, lapses }, onProblem),
    bounds,
    lapses,
    now,
    sealing,
    read,
    tryToRead: (paths) =>
      read(paths).catch((error: unknown) => {
        onProblem(error);
        return undefined;
      }),
  };
}
