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

/** The disk for a process whose turns are long because others have them, as they do in an editor that starts: each thing is done at once. */
const hurriedDisk: Disk = {
  open: async (path, flags, mode) => hurriedFile(sync.openSync(path, flags, mode)),
  readdir: async (path) => sync.readdirSync(path),
  stat: async (path) => sync.statSync(path),
  readFile: async (path) => sync.readFileSync(path, 'utf8'),
  writeFile: async (path, text, mode) => sync.writeFileSync(path, text, { mode }),
  mkdir: async (path, mode) => sync.mkdirSync(path, { recursive: true, mode }),
  rename: async (from, to) => sync.renameSync(from, to),
  unlink: async (path) => sync.unlinkSync(path),
  utimes: async (path, accessed, modified) => sync.utimesSync(path, accessed, modified),
};

function hurriedFile(file: number): OpenFile {
  return {
    stat: async () => sync.fstatSync(file),
    read: async (into, offset, length, position) => ({
      bytesRead: sync.readSync(file, into, offset, length, position),
    }),
    write: async (bytes) => ({ bytesWritten: sync.writeSync(file, bytes) }),
    writeFile: async (text) => sync.writeFileSync(file, text),
    utimes: async (accessed, modified) => sync.futimesSync(file, accessed, modified),
    // The disk itself may take long.
    datasync: () => promisify(sync.fdatasync)(file),
    sync: () => promisify(sync.fsync)(file),
    close: async () => sync.closeSync(file),
  };
}

/** So long others wait for a hurry of ours, milliseconds: then they have their turn. */
const LONGEST = 100;

/**
 * The disk of this machine.
 *
 * @param inHurry whether its process would wait long for its next turn now
 * @param now milliseconds since the epoch
 */
export function createDisk(inHurry: () => boolean, now: () => number): Disk {
  let began: number | undefined;
  const mayHurry = (): boolean => {
    if (!inHurry()) return false;
    if (began === undefined) {
      began = now();
      setImmediate(() => {
        began = undefined;
      });
    }
    return now() - began < LONGEST;
  };
  const disk = () => (mayHurry() ? hurriedDisk : patientDisk);
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
