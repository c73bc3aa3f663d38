import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import { whyUnwritable } from '#src/vscode/authoring/workspace/why-unwritable.ts';
import { addExample, createNewTool, writeParleyFolder } from '#src/workspace/scaffold/index.ts';
import { tempFolder } from '#test/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const t = (message: string, ...values: string[]) =>
  message.replace(/\{(\d)\}/g, (_, at) => values[Number(at)] ?? '');
const failed = (code: string) =>
  Object.assign(new Error(`${code}: the system`), { code, path: '/ws/.parley' });

describe('a folder that cannot be written to', () => {
  it.each([
    [
      'EACCES',
      'You do not have permission to write to “/ws”. Change its permissions, or open another folder.',
    ],
    [
      'EPERM',
      'You do not have permission to write to “/ws”. Change its permissions, or open another folder.',
    ],
    ['EROFS', '“/ws” is on a read-only disk. Open a writable copy.'],
    ['ENOSPC', 'The disk of “/ws” is full. Free some space, and try again.'],
    ['EDQUOT', 'The disk of “/ws” is full. Free some space, and try again.'],
  ])('is named with what to do: %s', (code, said) => {
    expect(whyUnwritable(failed(code), t)).toBe(said);
  });

  it('is not where the fault lies of any other error', () => {
    expect(whyUnwritable(failed('EMFILE'), t)).toBeUndefined();
    expect(whyUnwritable(new Error('EACCES'), t)).toBeUndefined();
    expect(whyUnwritable('EACCES', t)).toBeUndefined();
  });

  it('is the home of tools itself where that is a file', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, '.parley'), 'in the way');
    const works = [
      () => createNewTool(folder, 'x', 'plain'),
      () => addExample(root, folder, 'word_count'),
      () => writeParleyFolder(join(folder, '.parley')),
    ];
    for (const work of works) {
      const error = await run<unknown>(work).catch((thrown: unknown) => thrown);
      expect(whyUnwritable(error, t)).toBe(
        `“${join(folder, '.parley')}” is a link or not a folder, so nothing was written. Remove it, or create a folder in its place.`,
      );
    }
  });
});
