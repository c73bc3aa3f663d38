import { run } from 'effection';
import { createMockMcpClient, type MockMcpClientOptions, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { editsOf, proposalsFor } from '#examples/workspace/.parley/tools/fix-problems/edits.ts';
import { hunkOf } from '#examples/workspace/.parley/tools/fix-problems/hunk.ts';
import { fileUri, pathOf } from '#examples/workspace/.parley/tools/fix-problems/problem-files.ts';
import { fixProblems } from '#examples/workspace/.parley/tools/fix-problems/tool.ts';
import { type Diagnostic, DiagnosticsContext, EditsContext } from '#src/core/editor.ts';
import { type FakeEditor, fakeDiagnostics, fakeEditor, problem } from '../tools/fake-editor.ts';

const roots = [{ uri: 'file:///project/shop', name: 'shop' }];
const a = 'file:///project/shop/src/a.ts';
const b = 'file:///project/shop/src/b.ts';
const texts = { [a]: 'let x = 1\nlet y = x\nlet z = y\n', [b]: 'const a = 1\r\nvar b = a\r\n' };

const answer = (...edits: readonly { find: string; replace: string; why: string }[]) =>
  JSON.stringify({ edits });
const forA = answer(
  { find: 'let z = y\n', replace: 'const z = y\n', why: 'z is never changed' },
  { find: 'let x', replace: 'const x', why: 'x is never changed' },
);
const forB = answer({ find: 'var b = a', replace: 'const b = a', why: 'no var' });

type Options = MockMcpClientOptions & { readonly decisions?: readonly string[] };

function clientFor({ decisions = [], ...options }: Options) {
  return createMockMcpClient({
    capabilities: { elicitation: { form: true }, editor: true, sampling: { tools: false }, roots: true },
    roots,
    sampleResponses: (request) => (JSON.stringify(request.messages).includes('src/a.ts') ? forA : forB),
    elicitResponses: decisions.map((decision) => ({ action: 'accept', content: { decision } })),
    ...options,
  });
}

function fix(editor: FakeEditor, problems: readonly Diagnostic[], options: Options = {}, params = {}) {
  const client = clientFor(options);
  const result = run(() =>
    DiagnosticsContext.with(fakeDiagnostics(...problems), () =>
      EditsContext.with(editor, () => runMcpTool(fixProblems, params, client)),
    ),
  );
  return { client, result };
}

describe('fix_problems', () => {
  test('applies what was accepted, of several files, as one step', async () => {
    const editor = fakeEditor(texts);
    const { client, result } = fix(editor, [problem(a, 0), problem(a, 2), problem(b, 1)], {
      decisions: ['accept', 'skip', 'accept'],
    });
    expect(await result).toEqual({
      status: 'applied',
      summary: 'Applied 2 edits in 2 files, unsaved. One Undo reverts them.',
      applied: [
        { file: 'src/a.ts', edits: ['x is never changed'] },
        { file: 'src/b.ts', edits: ['no var'] },
      ],
      left: [],
    });
    expect(editor.applied).toHaveLength(1);
    expect(editor.files.get(a)).toBe('const x = 1\nlet y = x\nlet z = y\n');
    const samples = client.transcript.filter((entry) => entry.type === 'sample');
    expect(samples.map(({ depth }) => depth)).toEqual([1, 1]);
  });

  test('tells the model who found each problem', async () => {
    const problems = [problem(a, 0, { source: 'ts', code: '2304' }), problem(a, 2)];
    const { client, result } = fix(fakeEditor(texts), problems, { decisions: ['skip', 'skip'] });
    await result;
    const [asked] = client.transcript.flatMap((entry) => (entry.type === 'sample' ? [entry.request] : []));
    expect(JSON.stringify(asked?.messages)).toContain(
      String.raw`- line 1, error (ts 2304): line 0 is wrong\n- line 3, error: line 2 is wrong`,
    );
  });

  test('shows each edit as a diff, from the top of the file down', async () => {
    const { client, result } = fix(fakeEditor(texts), [problem(a, 0)], { decisions: ['skip', 'skip'] });
    await result;
    const asked = client.transcript.flatMap((entry) => (entry.type === 'elicit' ? [entry.request] : []));
    expect(asked[0]).toMatchObject({
      message: 'src/a.ts: x is never changed',
      context: {
        file: 'src/a.ts',
        index: 1,
        total: 2,
        lines: [
          { kind: 'removed', line: 1, text: 'let x = 1' },
          { kind: 'added', line: 1, text: 'const x = 1' },
          { kind: 'same', line: 2, text: 'let y = x' },
          { kind: 'same', line: 3, text: 'let z = y' },
        ],
      },
    });
    expect(asked).toHaveLength(2);
  });

  test.each([
    [['accept_rest'], 2],
    [['skip', 'accept_rest'], 1],
    [['accept', 'skip_rest'], 1],
  ])('%j applies %i edits', async (decisions, count) => {
    const editor = fakeEditor(texts);
    await fix(editor, [problem(a, 0)], { decisions }).result;
    expect(editor.applied[0]).toHaveLength(count);
  });

  test.each([
    ['decline', 1],
    ['cancel', 0],
  ] as const)('after %s, %i of what was accepted before is applied', async (action, count) => {
    const editor = fakeEditor(texts);
    const { result } = fix(editor, [problem(a, 0)], {
      elicitResponses: [{ action: 'accept', content: { decision: 'accept' } }, { action }],
    });
    expect((await result).status).toBe(count > 0 ? 'applied' : 'nothing_applied');
    expect(editor.applied.flat()).toHaveLength(count);
  });

  test('a file that changed while its edits were looked at is left alone, and all others with it', async () => {
    const editor = fakeEditor(texts);
    const { result } = fix(editor, [problem(a, 0), problem(b, 1)], {
      elicitResponses: () => {
        editor.files.set(b, 'somebody typed here');
        return { action: 'accept', content: { decision: 'accept_rest' } };
      },
    });
    await expect(result).rejects.toThrow(
      /Nothing was applied: src\/a\.ts, src\/b\.ts changed while.*Run fix_problems again/,
    );
    expect(editor.applied).toEqual([]);
    expect(editor.files.get(a)).toBe(texts[a]);
  });

  test('tells the model what is wrong with an edit that does not fit, and takes the next', async () => {
    const { client, result } = fix(fakeEditor(texts), [problem(a, 0)], {
      sampleResponses: [answer({ find: 'let q', replace: 'const q', why: 'q' }), forA],
      decisions: ['accept_rest'],
    });
    expect((await result).status).toBe('applied');
    expect(JSON.stringify(client.transcript)).toContain('is not in the file: copy it exactly');
  });

  test('a file that fails is left, and says why; the others go on', async () => {
    const editor = fakeEditor({ [b]: texts[b] ?? '' });
    const { result } = fix(editor, [problem(a, 0), problem(b, 1)], { decisions: ['accept'] });
    expect(await result).toMatchObject({
      status: 'applied',
      left: [{ file: 'src/a.ts', why: `there is no ${a}` }],
    });
    expect(editor.files.get(b)).toContain('const b = a');
  });

  test('asks nobody when the model has no safe edit', async () => {
    const { client, result } = fix(fakeEditor(texts), [problem(a, 0)], { sampleResponses: [answer()] });
    expect(await result).toMatchObject({
      status: 'nothing_applied',
      left: [{ file: 'src/a.ts', why: 'the model found no safe edit' }],
    });
    expect(client.missing).toEqual([]);
  });

  test('takes only problems that are bad enough, and the worst files first', async () => {
    const warnings = [problem(b, 0, { severity: 'warning' }), problem(b, 1, { severity: 'warning' })];
    const run = (params: object) =>
      fix(fakeEditor(texts), [...warnings, problem(a, 0)], { decisions: ['skip_rest'] }, params);
    const errors = run({ severity: 'error' });
    await errors.result;
    expect(errors.client.transcript.filter(({ type }) => type === 'sample')).toHaveLength(1);
    const all = run({});
    await all.result;
    const asked = all.client.transcript.find((entry) => entry.type === 'elicit');
    expect(asked?.type === 'elicit' && asked.request.context?.file).toBe('src/a.ts');
  });

  test('of one file, named relative to its folder', async () => {
    const { result } = fix(
      fakeEditor(texts),
      [problem(a, 0), problem(b, 1)],
      { decisions: ['accept'] },
      { file: 'src/b.ts' },
    );
    expect(await result).toMatchObject({ applied: [{ file: 'src/b.ts' }] });
  });

  test('of the workspace, when the name of a file was cleared', async () => {
    const { result } = fix(fakeEditor(texts), [problem(b, 1)], { decisions: ['accept'] }, { file: ' ' });
    expect(await result).toMatchObject({ applied: [{ file: 'src/b.ts' }] });
  });

  test('says that there is nothing to mend', async () => {
    expect(await fix(fakeEditor(texts), [], {}, { file: 'src/a.ts' }).result).toEqual({
      status: 'no_problems',
      summary: 'The editor shows no such problem in src/a.ts.',
    });
  });

  test('refuses a file outside of the workspace', async () => {
    const { result } = fix(fakeEditor(texts), [], {}, { file: '../secrets.ts' });
    await expect(result).rejects.toThrow('“../secrets.ts” is in no folder of this workspace');
  });

  test('stopped while an edit is looked at, it has changed nothing', async () => {
    const editor = fakeEditor(texts);
    const asked = Promise.withResolvers<void>();
    const { result } = fix(editor, [problem(a, 0)], {
      elicitResponses: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    result.catch(() => {});
    await asked.promise;
    await result.halt();
    expect(editor.applied).toEqual([]);
  });

  test.each([
    [{}, 'editor.edits'],
    [{ capabilities: { elicitation: { form: true as const } } }, 'sampling'],
  ])('says what it needs where that is missing', async (options, capability) => {
    const done = runMcpTool(fixProblems, {}, clientFor(options));
    await expect(done).rejects.toMatchObject({ code: 'CAPABILITY', capability });
  });

  test('asks for confirmation', () => {
    expect(fixProblems.def.annotations.readOnlyHint).toBe(false);
  });
});

describe('what a model proposes', () => {
  const text = 'one\ntwo\ntwo\nthree\n';
  const problems = (...edits: readonly { find: string; replace: string }[]) =>
    proposalsFor(text)
      .safeParse({ edits: edits.map((edit) => ({ ...edit, why: 'because' })) })
      .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

  test.each([
    [[{ find: 'four', replace: '' }], /edits\.0\.find is not in the file/],
    [[{ find: 'two', replace: '2' }], /is in the file more than once/],
    [[{ find: 'one', replace: 'one' }], /are the same/],
    [
      [
        { find: 'one\ntwo', replace: '1' },
        { find: 'one', replace: '2' },
      ],
      /edits\.1\.find overlaps another edit/,
    ],
  ])('%j is refused', (edits, reason) => {
    expect(problems(...edits).join()).toMatch(reason);
  });

  test('fits, in any order, also side by side', () => {
    expect(problems({ find: 'two\nthree', replace: '' }, { find: 'one\n', replace: '1\n' })).toEqual([]);
  });

  test('becomes ranges', () => {
    const [edit] = editsOf('file:///x', text, [{ find: 'two\nthree', replace: '3', why: 'because' }]);
    expect(edit?.range).toEqual({ start: { line: 2, character: 0 }, end: { line: 3, character: 5 } });
  });

  test('is shown without the lines that only name its place', () => {
    const [edit] = editsOf('file:///x', text, [
      { find: 'one\ntwo\ntwo\nthree', replace: 'one\ntwo\n2\nthree', why: 'because' },
    ]);
    expect(edit && hunkOf(text, edit).map(({ kind, line, text }) => `${kind} ${line} ${text}`)).toEqual([
      'same 1 one',
      'same 2 two',
      'removed 3 two',
      'added 3 2',
      'same 4 three',
    ]);
  });

  test('that deletes or adds lines is shown as just that', () => {
    const kinds = (find: string, replace: string) => {
      const [edit] = editsOf('file:///x', text, [{ find, replace, why: 'because' }]);
      return edit && hunkOf(text, edit).map(({ kind, text }) => `${kind[0]} ${text}`);
    };
    expect(kinds('three\n', '')).toEqual(['s one', 's two', 's two', 'r three']);
    expect(kinds('three\n', 'three\nfour\n')).toEqual(['s two', 's two', 's three', 'a four']);
  });
});

describe('what a client says its folders are', () => {
  test('does not widen what is read', async () => {
    const outside = 'file:///elsewhere/secret.ts';
    const editor = fakeEditor({ ...texts, [outside]: 'let x = 1' });
    const { client, result } = fix(
      editor,
      [problem(outside, 0)],
      { roots: [{ uri: 'file:///', name: 'all' }] },
      { file: '/elsewhere/secret.ts' },
    );
    await expect(result).rejects.toThrow(
      'is in no folder of this workspace. Name it relative to one of: shop.',
    );
    expect(client.transcript.some(({ type }) => type === 'roots')).toBe(false);
  });
});

test('a file whose name says that it holds secrets is sent to no model', async () => {
  const env = 'file:///project/shop/.env';
  const { client, result } = fix(
    fakeEditor({ ...texts, [env]: 'TOKEN=1' }),
    [problem(a, 0), problem(env, 0)],
    {
      decisions: ['skip_rest'],
    },
  );
  expect(await result).toMatchObject({ left: [{ file: '.env', why: expect.stringContaining('secrets') }] });
  expect(JSON.stringify(client.transcript)).not.toContain('TOKEN');
});

describe('names of files', () => {
  test.each([
    ['src/a b#1.ts', 'file:///project/shop/src/a%20b%231.ts'],
    ['./src/../a.ts', 'file:///project/shop/a.ts'],
    ['/project/shop/a.ts', 'file:///project/shop/a.ts'],
    ['file:///project/shop/a.ts', 'file:///project/shop/a.ts'],
  ])('%s is %s', (file, uri) => {
    expect(fileUri(file, roots)).toBe(uri);
  });

  test.each([
    '../shopping/a.ts',
    '/etc/passwd',
    'file:///project/shopping/a.ts',
    '..%2f..%2fetc/passwd/../../../..',
    'file:///project/shop/..%2f..%2foutside%2fsecret.json',
    'file:///project/shop/..%5c..%5coutside',
    'file:///project/shop/%2e%2e/outside',
    'file:///project/shop/a%00.ts',
    'file://elsewhere/project/shop/a.ts',
  ])('%s is outside', (file) => {
    expect(() => fileUri(file, roots)).toThrow('is in no folder of this workspace');
  });

  test('are shown relative to their folder, however the editor encodes them', () => {
    expect(pathOf('file:///project/sh%6Fp/src/%C3%A4.ts', roots)).toBe('src/ä.ts');
    expect(pathOf('file:///etc/hosts', roots)).toBe('/etc/hosts');
  });
});
