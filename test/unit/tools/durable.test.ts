import { type Operation, run } from 'effection';
import { createMockMcpClient, type MockMcpClient } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { bookFlight } from '#examples/workspace/.parley/tools/book-flight/tool.ts';
import { fixProblems } from '#examples/workspace/.parley/tools/fix-problems/tool.ts';
import { slowCount } from '#examples/workspace/.parley/tools/slow-count.ts';
import { unstepped } from '#src/cli/modules/unstepped.ts';
import { DiagnosticsContext, EditsContext, type GitChange, GitContext } from '#src/core/editor.ts';
import { drive } from '#src/runtime/drive/drive.ts';
import type { Journal, JournalLine } from '#src/runtime/journal/lines.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import type { Ask } from '#src/runtime/session/ask.ts';
import type { Session } from '#src/runtime/session/session.ts';
import { eventLoopTurn } from '#src/runtime/time/event-loop.ts';
import { checkReplay, recordMcpTool } from '#src/testing/index.ts';
import { commitChanges } from '#src/tools/commit-changes/tool.ts';
import { shippedTools } from '#src/tools/definitions.ts';
import { anyPerson } from '../runtime/journal/any-person.ts';
import { type FakeEditor, fakeDiagnostics, fakeEditor, problem } from './fake-editor.ts';
import { type FakeRepository, fakeGit, fakeRepository } from './fake-git.ts';

const changes: readonly GitChange[] = [
  { path: 'src/shop.ts', kind: 'modified', staged: true },
  { path: 'README.md', kind: 'modified', staged: false },
];
const a = 'file:///project/shop/src/a.ts';
const texts = { [a]: 'let x = 1\nlet y = x\n' };
const draft = JSON.stringify({ type: 'feat', summary: 'sell umbrellas' });
const edits = JSON.stringify({
  edits: [
    { find: 'let x', replace: 'const x', why: 'x is never changed' },
    { find: 'let y', replace: 'const y', why: 'y is never changed' },
  ],
});

/** The person, who picks everything and takes every edit, and the model. */
function person(decision = 'accept'): MockMcpClient {
  return createMockMcpClient({
    capabilities: { elicitation: { form: true }, editor: true, sampling: { tools: false } },
    sampleResponses: (request) =>
      JSON.stringify(request.messages).includes('Write the message of a commit') ? draft : edits,
    elicitResponses: ({ key }) => {
      if (key === 'chooseFiles') return { action: 'accept', content: { files: 'all' } };
      if (key === 'reviewEdit') return { action: 'accept', content: { decision } };
      return { action: 'accept', content: { subject: 'feat: sell umbrellas' } };
    },
  });
}

const withGit = <T>(repository: FakeRepository, work: () => Operation<T>) =>
  GitContext.with(fakeGit(repository), work);

const withEditor = <T>(editor: FakeEditor, work: () => Operation<T>) =>
  DiagnosticsContext.with(fakeDiagnostics(problem(a, 0), problem(a, 1)), () =>
    EditsContext.with(editor, work),
  );

/** Waits for what the call asks next. */
function* asked(session: Session): Operation<Ask> {
  for (;;) {
    const [ask] = session.openAsks().filter(({ id }) => session.awaitsAnswer(id));
    if (ask) return ask;
    yield* eventLoopTurn();
  }
}

/** What is left of a journal when its process dies the moment this line is written. */
function upTo({ header, lines }: Journal, is: (line: JournalLine) => boolean): Journal {
  return { header, lines: lines.slice(0, lines.findIndex(is) + 1) };
}

const beginsStep = (name: string) => (line: JournalLine) => line.t === 'step' && line.name === name;

describe('the shipped tools and the examples that act or wait', () => {
  test('are durable or change nothing, and do nothing outside of their steps', () => {
    for (const tool of [...shippedTools, slowCount, bookFlight]) {
      const { durable, annotations } = tool.def;
      expect(durable !== undefined || annotations.readOnlyHint, tool.name).toBeTruthy();
      expect(unstepped(tool)).toEqual([]);
    }
  });
});

describe('commit_changes, taken up after each line of its journal', () => {
  test.each([1, 2, 3, 4, 5])('asks as it did and comes to the same end: person %i', async (seed) => {
    await run(() => withGit(fakeRepository(changes), () => checkReplay(commitChanges, {}, anyPerson(seed))));
  });

  test('commits nothing again once it is known that it has', async () => {
    const repository = fakeRepository(changes);
    await run(() =>
      withGit(repository, function* () {
        const journal = yield* recordMcpTool(commitChanges, {}, person());
        const manager = yield* createSessionManager();
        const known = upTo(journal, (line) => line.t === 'stepped' && line.result === '0123456789abcdef');
        const session = yield* manager.resume({ tool: commitChanges, journal: known });
        expect(yield* drive(session, person(), 'end')).toMatchObject({
          value: { status: 'committed', commit: '0123456789abcdef' },
        });
      }),
    );
    expect(repository.did).toHaveLength(1);
  });

  test('that ended while git was committing: commits when git had not, and never twice', async () => {
    const journal = await run(() =>
      withGit(fakeRepository(changes), () => recordMcpTool(commitChanges, {}, person())),
    );
    const dying = upTo(journal, beginsStep('commit'));
    const takenUp = (repository: FakeRepository) =>
      run(() =>
        withGit(repository, function* () {
          const manager = yield* createSessionManager();
          const session = yield* manager.resume({ tool: commitChanges, journal: structuredClone(dying) });
          return yield* drive(session, person(), 'end');
        }),
      );
    const before = fakeRepository(changes);
    expect(await takenUp(before)).toMatchObject({ value: { status: 'committed' } });
    expect(before.did).toHaveLength(1);

    const committed = fakeRepository(changes);
    await run(() => committed.commit('the same'));
    expect(await takenUp(committed)).toMatchObject({
      error: {
        message: expect.stringMatching(/ended while git was committing.*nothing was committed again/),
      },
    });
    expect(committed.did).toEqual(['commit : the same']);
  });

  test('goes back to its files until the message is confirmed, and has changed nothing by then', async () => {
    const repository = fakeRepository(changes);
    await run(() =>
      withGit(repository, function* () {
        const manager = yield* createSessionManager();
        const { capabilities } = person();
        const session = yield* manager.create({
          tool: commitChanges,
          params: { message: 'mine' },
          capabilities: capabilities(),
        });
        const first = yield* asked(session);
        session.respond(first.id, { action: 'accept', content: { files: 'all' } });
        expect(yield* asked(session)).toMatchObject({
          request: { message: 'Commit 2 files to main in shop' },
        });
        yield* session.rewind(first.id);
        const again = yield* asked(session);
        expect(repository.did).toEqual([]);
        session.respond(again.id, { action: 'accept', content: { files: '1' } });
        const message = yield* asked(session);
        session.respond(message.id, { action: 'accept', content: { subject: 'mine' } });
        yield* drive(session, person(), 'end');
      }),
    );
    expect(repository.did).toEqual(['commit src/shop.ts (staged): mine']);
  });

  test('keeps nothing that looks like a secret, unless the person let the model read it', async () => {
    const diffs = { 'README.md': '+token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"' };
    const repository = fakeRepository(changes, undefined, undefined, diffs);
    const journal = await run(() => withGit(repository, () => recordMcpTool(commitChanges, {}, person())));
    expect(JSON.stringify(journal)).toContain('This may contain secrets: README.md');
    expect(JSON.stringify(journal)).not.toContain('ghp_');
  });
});

describe('fix_problems, taken up after each line of its journal', () => {
  test.each([1, 2, 3, 4, 5])('asks as it did and comes to the same end: person %i', async (seed) => {
    // Each of its lives finds the files as they were: what was applied in another one is not there.
    const unchanged = { ...fakeEditor(texts), apply: fakeEditor(texts).apply };
    await run(() => withEditor(unchanged, () => checkReplay(fixProblems, {}, anyPerson(seed))));
  });

  test('that ended while the edits were applied: they are in the file once, and the person is told', async () => {
    const journal = await run(() =>
      withEditor(fakeEditor(texts), () => recordMcpTool(fixProblems, {}, person())),
    );
    const takenUp = (editor: FakeEditor) =>
      run(() =>
        withEditor(editor, function* () {
          const manager = yield* createSessionManager();
          const session = yield* manager.resume({
            tool: fixProblems,
            journal: structuredClone(upTo(journal, beginsStep('apply'))),
          });
          return yield* drive(session, person(), 'end');
        }),
      );
    const before = fakeEditor(texts);
    expect(await takenUp(before)).toMatchObject({ value: { status: 'applied' } });
    expect(before.files.get(a)).toBe('const x = 1\nconst y = x\n');

    const applied = fakeEditor({ [a]: 'const x = 1\nconst y = x\n' });
    expect(await takenUp(applied)).toMatchObject({
      error: { message: expect.stringMatching(/ended while it applied the edits, and src\/a\.ts changed/) },
    });
    expect(applied.applied).toEqual([]);
  });

  test('goes back to an edit until the last one is decided, and has changed nothing by then', async () => {
    const editor = fakeEditor(texts);
    await run(() =>
      withEditor(editor, function* () {
        const manager = yield* createSessionManager();
        const client = person();
        const session = yield* manager.create({
          tool: fixProblems,
          params: {},
          capabilities: client.capabilities(),
        });
        const sampling = yield* asked(session);
        session.respond(sampling.id, {
          role: 'assistant',
          content: { type: 'text', text: edits },
          model: 'm',
        });
        const decide = function* (decision: string) {
          const { id } = yield* asked(session);
          session.respond(id, { action: 'accept', content: { decision } });
          return id;
        };
        const first = yield* decide('accept');
        yield* asked(session);
        yield* session.rewind(first);
        yield* asked(session);
        expect(editor.applied).toEqual([]);
        yield* decide('skip');
        yield* decide('accept');
        yield* drive(session, person(), 'end');
      }),
    );
    expect(editor.files.get(a)).toBe('let x = 1\nconst y = x\n');
  });
});
