import { all, run } from 'effection';
import { expect, it } from 'vitest';
import { useAccess } from '#src/vscode/agents/mcp/access.ts';
import { LogContext } from '#src/vscode/contexts.ts';
import { createDisk } from './window-kit.ts';

const log = { error: () => {} } as never;

it('clients that are given a token at the same moment all have one', () =>
  run(function* () {
    yield* LogContext.set(log);
    const { state, storage } = createDisk();
    const access = yield* useAccess(state, storage);
    const given = yield* all([access.grant('Cursor'), access.grant('Codex'), access.grant('Cursor')]);
    expect(access.grants()).toEqual(given);
    expect(given.map(({ name }) => name)).toEqual(['Cursor', 'Codex', 'Cursor 2']);
    const after = yield* useAccess(state, storage);
    expect(after.grants()).toEqual(given);
    yield* all([access.revoke(given[0].id), access.revoke(given[1].id)]);
    expect(access.grants()).toEqual([given[2]]);
  }));
