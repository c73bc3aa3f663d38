import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every bundle that decides for itself whether an extension may use a proposed API. */
const gated = [
  'server-main.js',
  'vs/code/browser/workbench/workbench.js',
  'vs/workbench/api/node/extensionHostProcess.js',
  'vs/workbench/api/worker/extensionHostWorkerMain.js',
];

const name = '([\\w$]+)';
const opened = new RegExp(
  `function ${name}\\(${name},${name}\\)\\{return!0\\}` +
    `(?=function ${name}\\(${name},${name}\\)\\{if\\(!\\1\\(\\5,\\6\\)\\)throw new Error\\(\`Extension '\\$\\{\\5\\.identifier\\.value\\}' CANNOT use API proposal)`,
);

/**
 * Closes the gate in front of proposed APIs in an installed copy.
 *
 * code-server opens it for every extension. A suite that ran so would pass with an extension that fails in a
 * real VS Code. The check written back is VS Code's own: `enabledApiProposals` names the proposal, or no.
 * @throws Error when a bundle no longer looks as expected: better no copy than one with the gate open
 */
export async function closeProposedApiGate(vscodeRoot: string): Promise<void> {
  const out = join(vscodeRoot, 'out');
  for (const file of gated) {
    const path = join(out, file);
    const closed = withGateClosed(await readFile(path, 'utf8'), file);
    await writeFile(path, closed);
  }
  await refuseUnknownBundles(out);
}

/** The source of one bundle with its gate closed. */
export function withGateClosed(source: string, file: string): string {
  if (!opened.test(source)) {
    throw new Error(
      `Cannot close the proposed API gate: ${file} of this VS Code has no function of the known form. ` +
        'Look for "CANNOT use API proposal" in it and adapt test/harness/proposed-api-gate.ts.',
    );
  }
  return source.replace(
    opened,
    (_match, check: string, extension: string, proposal: string) =>
      `function ${check}(${extension},${proposal}){return!!${extension}.enabledApiProposals&&` +
      `${extension}.enabledApiProposals.includes(${proposal})}`,
  );
}

async function refuseUnknownBundles(out: string): Promise<void> {
  const files = await readdir(out, { recursive: true });
  for (const file of files) {
    if (!file.endsWith('.js')) continue;
    if (opened.test(await readFile(join(out, file), 'utf8'))) {
      throw new Error(`Cannot close the proposed API gate: ${file} has one too, and it is still open.`);
    }
  }
}
