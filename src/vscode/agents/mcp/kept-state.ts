import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExtensionContext } from 'vscode';
import { isObject } from '../../../core/schema/is-object.ts';

/** What is kept of a workspace, by key: JSON. */
export interface KeptState {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/**
 * What must be there after a reload: a file of the workspace, written at once. A browser writes VS Code's own `workspaceState` every five seconds,
 * and not when its window goes. Without a folder on disk it is that one.
 */
export function keptState({
  storageUri,
  workspaceState,
}: Pick<ExtensionContext, 'storageUri' | 'workspaceState'>): KeptState {
  if (storageUri?.scheme !== 'file') return workspaceState;
  const file = join(storageUri.fsPath, 'mcp.json');
  // Another window of the workspace may have written since.
  const read = (): Record<string, unknown> => {
    try {
      const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return isObject(kept) ? kept : {};
    } catch {
      // Nothing was kept, or what was is damaged: clients are given a new token then.
      return {};
    }
  };
  return {
    get: (key) => read()[key],
    async update(key, value) {
      await mkdir(dirname(file), { recursive: true });
      const draft = `${file}.${process.pid}`;
      await writeFile(draft, JSON.stringify({ ...read(), [key]: value }));
      await rename(draft, file);
    },
  };
}
