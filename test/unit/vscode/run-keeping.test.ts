import { run } from 'effection';
import { expect, it, vi } from 'vitest';

const picked = vi.hoisted(() => ({ lists: [] as string[][], ran: [] as unknown[] }));
const answers = vi.hoisted(() => ({ person: 3, model: 0 }));

vi.mock('vscode', () => ({ l10n: { t: (text: string) => text } }));
vi.mock('#src/vscode/calls/notices/agreed.ts', () => ({}));
vi.mock('#src/vscode/calls/notices/inform.ts', () => ({}));
vi.mock('#src/vscode/calls/remembering.ts', () => ({ countAnswers: () => answers }));
vi.mock('#src/vscode/calls/commands/meant-call.ts', () => ({
  *endedCall(_parts: unknown, entry: unknown) {
    return entry;
  },
}));
vi.mock('#src/vscode/calls/run/current-tool.ts', () => ({
  *currentTool(_tools: unknown, registered: unknown) {
    return { registered };
  },
}));
vi.mock('#src/vscode/calls/run/named-tool.ts', () => ({
  *known() {
    return { tool: { def: { annotations: { readOnlyHint: true } } } };
  },
}));
vi.mock('#src/vscode/calls/run/run-for-person.ts', () => ({
  *runForPerson(_parts: unknown, _tool: unknown, { remembered }: { remembered: object }) {
    picked.ran.push(remembered);
  },
}));
vi.mock('#src/vscode/calls/pick/pick-some.ts', () => ({
  *pickSome(items: readonly { label: string }[]) {
    picked.lists.push(items.map(({ label }) => label));
    return [items[0]];
  },
}));

const { runKeeping } = await import('#src/vscode/authoring/run/run-keeping.ts');

const again = (which?: 'all') =>
  run(function* () {
    const desk = function* () {
      return { *linesOf() {} };
    };
    // The call that ended is all that is looked at.
    const entry = { panel: { store: { get: () => ({ rows: [{ type: 'started', time: 700 }] }) } } };
    yield* runKeeping({ desk, tools: {} } as never, entry, which);
  });

it('a call runs again with its answers at once where there is nothing to choose from', async () => {
  await again();
  expect(picked).toMatchObject({ lists: [], ran: [{ person: true, model: false, began: 700 }] });
  Object.assign(answers, { model: 1 });
  await again();
  expect(picked.lists).toEqual([['My answers', 'Model answers']]);
  await again('all');
  expect(picked.lists).toHaveLength(1);
  expect(picked.ran.at(-1)).toMatchObject({ person: true, model: true });
});
