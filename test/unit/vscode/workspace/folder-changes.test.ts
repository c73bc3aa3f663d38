import { run, until } from 'effection';
import { expect, it, vi } from 'vitest';
import { createToolPort } from '#src/vscode/calls/run/tool-port.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';

/** Who listens, by the name of the event. */
const listeners = new Map<string, (value: unknown) => void>();
vi.mock('vscode', () => {
  const event = (name: string) => (listener: (value: unknown) => void) => {
    listeners.set(name, listener);
    return { dispose: () => listeners.delete(name) };
  };
  const uri = (path: string) => ({ fsPath: path, toString: () => `file://${path}` });
  return {
    Uri: { file: uri },
    Disposable: {
      from: (...all: { dispose(): void }[]) => ({ dispose: () => all.forEach((one) => void one.dispose()) }),
    },
    workspace: {
      getWorkspaceFolder: ({ fsPath }: { fsPath: string }) =>
        fsPath.startsWith('/ws/') ? { uri: uri('/ws') } : undefined,
      onWillSaveTextDocument: event('willSave'),
      onDidSaveTextDocument: event('didSave'),
      onDidRenameFiles: event('renamed'),
    },
  };
});

it('a save that nobody was asked about, as an agent of the editor makes it, is none of the person', () =>
  run(function* () {
    const vscode = yield* until(import('vscode'));
    const { savesIn } = yield* until(import('#src/vscode/authoring/workspace/folder-changes.ts'));
    const port = createToolPort(createToolRegistry());
    const saves = yield* savesIn({ uri: vscode.Uri.file('/ws') } as never, port);
    const saved = (path: string) => listeners.get('didSave')?.({ uri: vscode.Uri.file(path) });
    const announced = (path: string) =>
      listeners.get('willSave')?.({ document: { uri: vscode.Uri.file(path) } });
    saved('/ws/agent.ts');
    announced('/ws/mine.ts');
    saved('/ws/agent.ts');
    saved('/ws/mine.ts');
    saved('/ws/mine.ts');
    announced('/elsewhere/mine.ts');
    saved('/elsewhere/mine.ts');
    port.wrote('/ws/new.ts');
    const heard = [yield* saves.next(), yield* saves.next()];
    expect(heard.map(({ value }) => value)).toEqual(['/ws/mine.ts', '/ws/new.ts']);
  }));
