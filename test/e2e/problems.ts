import { expect } from 'vitest';
import type { Workbench } from '#harness';

/** Writes files into the workspace and says that each has a problem, and no other file. */
export async function problemsIn(
  { bridge }: Workbench,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  await bridge.evaluate(async (api, files) => {
    const [folder] = api.workspace.workspaceFolders ?? [];
    if (!folder) throw new Error('no folder');
    // Those of an earlier test go.
    (Reflect.get(globalThis, 'testProblems') as { dispose(): void } | undefined)?.dispose();
    const problems = api.languages.createDiagnosticCollection('test');
    Object.assign(globalThis, { testProblems: problems });
    for (const [name, text] of Object.entries(files)) {
      const uri = api.Uri.joinPath(folder.uri, name);
      await api.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
      problems.set(uri, [new api.Diagnostic(new api.Range(1, 0, 1, 5), 'misspelt')]);
    }
  }, texts);
}

/** Waits until no other file has a problem: one that an earlier test has opened may have its own until the editor lets go of it. */
export async function noProblemsBut({ bridge }: Workbench, names: readonly string[]): Promise<void> {
  const others = () =>
    bridge.evaluate(
      (api, ours) =>
        api.languages
          .getDiagnostics()
          .filter(([, found]) => found.some(({ severity }) => severity <= api.DiagnosticSeverity.Warning))
          .map(([uri]) => uri.path)
          .filter((path) => !ours.some((name) => path.endsWith(`/${name}`))),
      names,
    );
  await expect.poll(others, { timeout: 240_000 }).toEqual([]);
}

/** What a file of the workspace says in its editor. */
export function textOf({ bridge }: Workbench, name: string): Promise<string> {
  return bridge.evaluate(async (api, file) => {
    const [folder] = api.workspace.workspaceFolders ?? [];
    if (!folder) throw new Error('no folder');
    return (await api.workspace.openTextDocument(api.Uri.joinPath(folder.uri, file))).getText();
  }, name);
}
