import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Compiles what is in a folder below the root with the settings of the project and `options`.
 *
 * @returns complaints of the compiler by file, as paths below the folder
 */
export async function compileFolder(
  root: string,
  folder: string,
  options: object = {},
): Promise<Map<string, string[]>> {
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: options,
      include: ['.', join(root, 'webview/ambient.d.ts')],
    }),
  );
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const { stdout } = await promisify(execFile)(compiler, ['-p', folder, '--pretty', 'false'], {
    cwd: folder,
  }).catch((failed: { stdout: string }) => failed);
  const complaints = new Map<string, string[]>();
  for (const [, file = '', complaint = ''] of stdout.matchAll(/^([^\s(]+)(\(\d+,\d+\): error .*)$/gm)) {
    complaints.set(file, [...(complaints.get(file) ?? []), complaint]);
  }
  return complaints;
}
