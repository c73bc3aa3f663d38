import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { backupOf, changeFile } from '#src/cli/setup/config-file.ts';
import { SetupError } from '#src/cli/setup/setup-error.ts';
import { tempFolder } from '#test/temp-folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = tempFolder();
  file = join(folder, 'config.json');
});

const append = (text: string) => `${text}more\n`;

describe('a configuration', () => {
  it('is changed in one piece, keeps its mode, and what it was is beside it', () => {
    writeFileSync(file, 'before\n', { mode: 0o640 });
    expect(changeFile(file, append)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe('before\nmore\n');
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(backupOf(file), 'utf8')).toBe('before\n');
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('that is not there yet is made, with its folders, for its owner alone', () => {
    const deep = join(folder, 'a', 'b', 'c.json');
    expect(changeFile(deep, append)).toBe(true);
    expect(statSync(deep).mode & 0o777).toBe(0o600);
  });

  it('that needs no change is left alone', () => {
    writeFileSync(file, 'before\n');
    expect(changeFile(file, (text) => text)).toBe(false);
    expect(changeFile(join(folder, 'none'), (text) => text)).toBe(false);
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it.each<[string, () => void, RegExp]>([
    [
      'a link',
      () => {
        writeFileSync(join(folder, 'real'), 'before\n');
        symlinkSync('real', file);
      },
      /is a link/,
    ],
    ['a folder', () => mkdirSync(file), /not a file/],
    ['not text', () => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d])), /not text in UTF-8/],
    [
      'read-only',
      () => {
        writeFileSync(file, 'before\n');
        chmodSync(file, 0o444);
      },
      /read-only/,
    ],
  ])('that is %s is refused in words', (_, make, why) => {
    make();
    const before = readdirSync(folder);
    expect(() => changeFile(file, append)).toThrow(why);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('that its agent writes meanwhile is refused, with what the agent wrote', () => {
    writeFileSync(file, 'before\n');
    const change = (text: string) => {
      writeFileSync(file, 'by the agent\n');
      return append(text);
    };
    expect(() => changeFile(file, change)).toThrow(/wrote to it just now/);
    expect(readFileSync(file, 'utf8')).toBe('by the agent\n');
  });

  it('says of what it cannot change that it is as it was', () => {
    writeFileSync(file, 'before\n');
    const refuse = () => {
      throw new SetupError('because');
    };
    expect(() => changeFile(file, refuse)).toThrow(`${file} is as it was: because`);
  });
});
