import * as sync from 'node:fs';
import * as patient from 'node:fs/promises';
import { promisify } from 'node:util';

/** What a store does with files; paths, modes and times are Node's. */
export interface Disk {
  open(path: string, flags: string | number, mode?: number): Promise<OpenFile>;
  readdir(path: string): Promise<readonly string[]>;
  stat(path: string): Promise<Pick<sync.Stats, 'mtimeMs' | 'size'>>;
  readFile(path: string): Promise<string>;
  writeFile(path: string, text: string, mode: number): Promise<void>;
  /** Makes a folder, and those above it. */
  mkdir(path: string, mode: number): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  utimes(path: string, accessed: number, modified: number): Promise<void>;
}

/** A file that is open. */
export interface OpenFile {
  stat(): Promise<Pick<sync.Stats, 'mtimeMs' | 'size' | 'nlink'>>;
  read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
  write(bytes: Buffer): Promise<{ readonly bytesWritten: number }>;
  writeFile(text: string): Promise<void>;
  utimes(accessed: number, modified: number): Promise<void>;
  datasync(): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The disk for a process that has other things to do meanwhile. */
const patientDisk: Disk = {
  open: patient.open,
  readdir: (path) => patient.readdir(path),
  stat: (path) => patient.stat(path),
  readFile: (path) => patient.readFile(path, 'utf8'),
  writeFile: (path, text, mode) => patient.writeFile(path, text, { mode }),
  mkdir: (path, mode) => patient.mkdir(path, { recursive: true, mode }),
  rename: patient.rename,
  unlink: patient.unlink,
  utimes: patient.utimes,
};

/** Does something at once. */
type Immediately = <T>(work: () => T) => Promise<T>;

/** The disk for a process whose turns are long because others have them, as they do in an editor that starts. */
function hurriedDisk(immediately: Immediately): Disk {
  return {
    open: (path, flags, mode) =>
      immediately(() => hurriedFile(sync.openSync(path, flags, mode), immediately)),
    readdir: (path) => immediately(() => sync.readdirSync(path)),
    stat: (path) => immediately(() => sync.statSync(path)),
    readFile: (path) => immediately(() => sync.readFileSync(path, 'utf8')),
    writeFile: (path, text, mode) => immediately(() => sync.writeFileSync(path, text, { mode })),
    mkdir: (path, mode) => immediately(() => sync.mkdirSync(path, { recursive: true, mode })),
    rename: (from, to) => immediately(() => sync.renameSync(from, to)),
    unlink: (path) => immediately(() => sync.unlinkSync(path)),
    utimes: (path, accessed, modified) => immediately(() => sync.utimesSync(path, accessed, modified)),
  };
}

function hurriedFile(file: number, immediately: Immediately): OpenFile {
  return {
    stat: () => immediately(() => sync.fstatSync(file)),
    read: (into, offset, length, position) =>
      immediately(() => ({ bytesRead: sync.readSync(file, into, offset, length, position) })),
    write: (bytes) => immediately(() => ({ bytesWritten: sync.writeSync(file, bytes) })),
    writeFile: (text) => immediately(() => sync.writeFileSync(file, text)),
    utimes: (accessed, modified) => immediately(() => sync.futimesSync(file, accessed, modified)),
    // The disk itself may take long.
    datasync: () => promisify(sync.fdatasync)(file),
    sync: () => promisify(sync.fsync)(file),
    close: () => immediately(() => sync.closeSync(file)),
  };
}

/** So long others wait in one turn for what is done at once, milliseconds: then they have theirs. */
const LONGEST = 100;

/**
 * The disk of this machine.
 *
 * @param inHurry whether its process would wait long for its next turn now
 * @param ticks milliseconds that go by evenly
 */
export function createDisk(inHurry: () => boolean, ticks: () => number): Disk {
  /** In this turn. */
  let spent = 0;
  let isTurn = false;
  const immediately: Immediately = async (work) => {
    if (!isTurn) {
      isTurn = true;
      setImmediate(() => {
        isTurn = false;
        spent = 0;
      });
    }
    const began = ticks();
    try {
      return work();
    } finally {
      spent += ticks() - began;
    }
  };
  const hurried = hurriedDisk(immediately);
  const disk = () => (inHurry() && spent < LONGEST ? hurried : patientDisk);
  return {
    open: (...given) => disk().open(...given),
    readdir: (...given) => disk().readdir(...given),
    stat: (...given) => disk().stat(...given),
    readFile: (...given) => disk().readFile(...given),
    writeFile: (...given) => disk().writeFile(...given),
    mkdir: (...given) => disk().mkdir(...given),
    rename: (...given) => disk().rename(...given),
    unlink: (...given) => disk().unlink(...given),
    utimes: (...given) => disk().utimes(...given),
  };
}
