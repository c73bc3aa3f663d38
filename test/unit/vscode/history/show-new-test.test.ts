import { join } from 'node:path';
import { run } from 'effection';
import { expect, it, vi } from 'vitest';
import { useFolder } from '../../workspace/folder-fixture.ts';

const did = vi.hoisted(() => [] as string[]);

vi.mock('vscode', () => ({
  Uri: { file: (path: string) => path },
  commands: { executeCommand: async (command: string, uri: string) => void did.push(`${command} ${uri}`) },
  workspace: { openTextDocument: async (uri: string) => uri },
  window: { showTextDocument: async (uri: string) => void did.push(`shows ${uri}`) },
}));

const { showNewTest } = await import('#src/vscode/authoring/tests/show-new-test.ts');

it('a new test has its types set up before it is shown, unless what it imports is there', () =>
  run(function* () {
    const folder = yield* useFolder({ '.parley/tests/a.test.ts': '' });
    const path = folder.file('.parley/tests/a.test.ts');
    yield* showNewTest(path);
    expect(did.splice(0)).toEqual([`parley.setUpTypes ${path}`, `shows ${path}`]);
    yield* folder.write({
      [join('node_modules', 'parley-mcp', 'package.json')]: '{"exports":{"./testing":"./testing.js"}}',
      [join('node_modules', 'parley-mcp', 'testing.js')]: '',
    });
    yield* showNewTest(path);
    expect(did).toEqual([`shows ${path}`]);
  }));
