import { run } from 'effection';
import { createMockMcpClient, type MockMcpClient, runMcpTool } from 'parley-mcp/testing';
import { describe, expect, test } from 'vitest';
import { type GitAbility, type GitChange, GitContext, GitError } from '#src/core/editor.ts';
import { SamplingRefusedError } from '#src/core/errors/sampling-errors.ts';
import { picksText, readPicks, suggested } from '#src/tools/commit-changes/changed-file.ts';
import { commitChanges } from '#src/tools/commit-changes/tool.ts';
import { fakeGit, fakeRepository } from './fake-git.ts';

const staged: GitChange = { path: 'src/shop.ts', kind: 'modified', staged: true };
const changed: GitChange = { path: 'README.md', kind: 'modified', staged: false };
const fresh: GitChange = { path: 'notes.txt', kind: 'untracked', staged: false };

const draft = JSON.stringify({
  type: 'feat',
  scope: 'shop',
  summary: 'sell umbrellas',
  body: 'It rains.',
});

/** The person: picks these files, then takes the message as it is drafted, or says this. */
function person(files: string, message?: { subject: string; body?: string }, sampleResponses = [draft]) {
  return createMockMcpClient({
    capabilities: { elicitation: { form: true }, editor: true, sampling: { tools: false } },
    sampleResponses,
    elicitResponses: (request) =>
      request.key === 'chooseFiles'
        ? { action: 'accept', content: { files } }
        : { action: 'accept', content: message ?? defaultsOf(request.requestedSchema) },
  });
}

function defaultsOf(schema: unknown) {
  const { properties } = schema as { properties: Record<string, { default?: unknown }> };
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, field.default]));
}

function commit(git: GitAbility, client: MockMcpClient, params = {}) {
  return run(() => GitContext.with(git, () => runMcpTool(commitChanges, params, client)));
}

function prompts(client: MockMcpClient): string[] {
  return client.transcript.flatMap((entry) =>
    entry.type === 'sample' ? [JSON.stringify(entry.request.messages)] : [],
  );
}

describe('commit_changes', () => {
  test('commits what was picked, with the message that the model drafted from its diff', async () => {
    const repository = fakeRepository([changed, staged, fresh]);
    const client = person('1, 3');
    expect(await commit(fakeGit(repository), client)).toEqual({
      status: 'committed',
      summary: 'Committed 2 files to main in shop as 01234567.',
      commit: '0123456789abcdef',
      branch: 'main',
      message: 'feat(shop): sell umbrellas\n\nIt rains.',
      files: ['src/shop.ts', 'notes.txt'],
    });
    expect(repository.did).toEqual([
      'commit src/shop.ts (staged), notes.txt: feat(shop): sell umbrellas\n\nIt rains.',
    ]);
    expect(prompts(client)).toHaveLength(1);
    expect(prompts(client)[0]).toMatch(/diff of src\/shop\.ts, staged.*diff of notes\.txt/s);
    expect(prompts(client)[0]).not.toContain('README.md');
  });

  test('hands the files over as context, staged first, with what is ticked at first', async () => {
    const client = person('all');
    await commit(fakeGit(fakeRepository([changed, staged])), client);
    const asked = client.transcript.find((entry) => entry.type === 'elicit');
    expect(asked?.type === 'elicit' && asked.request.context).toEqual({
      branch: 'main',
      files: [
        { number: 1, ...staged },
        { number: 2, ...changed },
      ],
      suggested: [1],
    });
  });

  test('commits nothing that was staged and not picked', async () => {
    const repository = fakeRepository([changed, staged]);
    await commit(fakeGit(repository), person('2', { subject: 'docs: prices', body: '' }));
    expect(repository.did).toEqual(['commit README.md: docs: prices']);
  });

  test('of a file that is staged in part, the staged part alone', async () => {
    const repository = fakeRepository([staged, { ...staged, staged: false }]);
    await commit(fakeGit(repository), person('1', { subject: 'fix: half', body: '' }));
    expect(repository.did).toEqual(['commit src/shop.ts (staged): fix: half']);
  });

  test('takes the caller’s message, and asks no model', async () => {
    const client = person('staged', undefined, []);
    const result = await commit(fakeGit(fakeRepository([staged])), client, {
      repository: '',
      message: 'fix: rounding\n\nCents were lost.',
    });
    expect(result).toMatchObject({ message: 'fix: rounding\n\nCents were lost.' });
    expect(prompts(client)).toEqual([]);
  });

  test.each([
    ['no model', []],
    ['a model that refuses', [new SamplingRefusedError('no')]],
  ])('works with %s: the person writes the message', async (how, sampleResponses) => {
    const client = createMockMcpClient({
      capabilities: {
        elicitation: { form: true },
        editor: true,
        ...(how === 'no model' ? {} : { sampling: { tools: true } }),
      },
      sampleResponses,
      elicitResponses: (request) => {
        if (request.key === 'chooseFiles') return { action: 'accept', content: { files: 'all' } };
        expect(request.requestedSchema.properties.subject).not.toHaveProperty('default');
        return { action: 'accept', content: { subject: '  by   hand ' } };
      },
    });
    expect(await commit(fakeGit(fakeRepository([changed])), client)).toMatchObject({ message: 'by hand' });
  });

  test.each(['decline', 'cancel'] as const)(
    'commits nothing after %s, at either question',
    async (action) => {
      for (const at of ['chooseFiles', 'message']) {
        const repository = fakeRepository([changed]);
        const client = createMockMcpClient({
          sampleResponses: () => draft,
          elicitResponses: ({ key }) =>
            (key === 'chooseFiles') === (at === 'chooseFiles')
              ? { action }
              : { action: 'accept', content: { files: 'all' } },
        });
        expect(await commit(fakeGit(repository), client)).toMatchObject({ status: 'not_committed' });
        expect(repository.did).toEqual([]);
      }
    },
  );

  test('asks again for numbers that do not exist, and says so', async () => {
    const picks = ['7', 'all'];
    const messages: string[] = [];
    const client = createMockMcpClient({
      sampleResponses: [draft],
      elicitResponses: (request) => {
        messages.push(request.message);
        return request.key === 'chooseFiles'
          ? { action: 'accept', content: { files: picks.shift() } }
          : { action: 'accept', content: { subject: 'docs: prices', body: '' } };
      },
    });
    expect(await commit(fakeGit(fakeRepository([changed])), client)).toMatchObject({ status: 'committed' });
    expect(messages[1]).toBe('“7” is none of 1 to 1, “all” or “staged”. Choose the files to commit on main');
  });

  test('asks where, when several repositories have changes', async () => {
    const [one, two] = [
      fakeRepository([changed]),
      fakeRepository([fresh], undefined, 'file:///project/my%20site'),
    ];
    const client = createMockMcpClient({
      sampleResponses: [draft],
      elicitResponses: [
        { action: 'accept', content: { repository: 'my site' } },
        { action: 'accept', content: { files: 'all' } },
        { action: 'accept', content: { subject: 'docs: notes', body: '' } },
      ],
    });
    await commit(fakeGit(one, two, fakeRepository([], undefined, 'file:///project/idle')), client);
    expect([one.did, two.did]).toEqual([[], ['commit notes.txt: docs: notes']]);
  });

  test('a hook that refuses is quoted', async () => {
    const repository = fakeRepository([staged, changed], function* () {
      throw new GitError({ problem: 'refused', output: 'lint: 2 errors' });
    });
    const done = commit(fakeGit(repository), person('2', { subject: 'docs: prices', body: '' }));
    await expect(done).rejects.toThrow(/git refused.*Nothing was committed.*lint: 2 errors/s);
  });

  test('stopped while the message is asked for, it has touched nothing', async () => {
    const repository = fakeRepository([staged, changed]);
    const asked = Promise.withResolvers<void>();
    const client = createMockMcpClient({
      sampleResponses: [draft],
      elicitResponses: ({ key }) => {
        if (key === 'chooseFiles') return { action: 'accept', content: { files: '2' } };
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const task = run(() => GitContext.with(fakeGit(repository), () => runMcpTool(commitChanges, {}, client)));
    task.catch(() => {});
    await asked.promise;
    await task.halt();
    expect(repository.did).toEqual([]);
  });

  describe('of what looks like a secret', () => {
    const env: GitChange = { path: 'app/.env', kind: 'untracked', staged: false };
    const settings: GitChange = { path: 'settings.ts', kind: 'modified', staged: false };
    const repository = () =>
      fakeRepository([changed, env, settings], undefined, undefined, {
        'app/.env': '+DATABASE=db1',
        'settings.ts': '+const api_key = "hunter2-hunter2";',
      });
    /** Says this to the question whether the model may read it all. */
    const asked: string[] = [];
    const client = (send: { action: 'accept'; content: object } | { action: 'decline' | 'cancel' }) =>
      createMockMcpClient({
        capabilities: { elicitation: { form: true }, editor: true, sampling: { tools: false } },
        sampleResponses: [draft],
        elicitResponses: (request) => {
          if (request.key === 'chooseFiles') return { action: 'accept', content: { files: 'all' } };
          if ('send' in request.requestedSchema.properties) {
            asked.push(request.message);
            expect(request.requestedSchema.properties.send).toMatchObject({ default: false });
            return send;
          }
          return { action: 'accept', content: defaultsOf(request.requestedSchema) };
        },
      });

    test.each([{ action: 'accept' as const, content: { send: false } }, { action: 'decline' as const }])(
      'the model reads nothing unless the person says so (%j)',
      async (answer) => {
        const mock = client(answer);
        expect(await commit(fakeGit(repository()), mock)).toMatchObject({ status: 'committed' });
        expect(asked.at(-1)).toContain('app/.env (by its name), settings.ts (1 line)');
        const [prompt] = prompts(mock);
        expect(prompt).toContain('diff of README.md');
        expect(prompt).toContain('untracked: app/.env (its diff is left out');
        expect(prompt).not.toContain('DATABASE');
        expect(prompt).not.toContain('hunter2');
      },
    );

    test('the model reads all when the person says so', async () => {
      const mock = client({ action: 'accept', content: { send: true } });
      await commit(fakeGit(repository()), mock);
      expect(prompts(mock)[0]).toMatch(/DATABASE.*hunter2/s);
    });

    test('a cancel calls the commit off', async () => {
      const shop = repository();
      const mock = client({ action: 'cancel' });
      expect(await commit(fakeGit(shop), mock)).toMatchObject({ status: 'not_committed' });
      expect([shop.did, prompts(mock)]).toEqual([[], []]);
    });

    test('nobody is asked when no model reads anything', async () => {
      const count = asked.length;
      await commit(fakeGit(repository()), client({ action: 'cancel' }), { message: 'chore: keys' });
      expect(asked).toHaveLength(count);
    });
  });

  test('names a repository of Windows as Windows does, and finds it by any spelling', async () => {
    const repositories = ['c', 'd'].map((drive) =>
      fakeRepository([changed], undefined, `file:///${drive}%3A/Users/me/shop`),
    );
    const client = person('all', { subject: 'docs: prices', body: '' });
    await commit(fakeGit(...repositories), client, { repository: 'D:/Users\\me/shop/' });
    expect(repositories.map(({ did }) => did.length)).toEqual([0, 1]);
    await expect(commit(fakeGit(...repositories), client, { repository: 'attic' })).rejects.toThrow(
      'There are: c:\\Users\\me\\shop, d:\\Users\\me\\shop.',
    );
  });

  test.each([
    ['no repository', fakeGit(), {}, /no git repository.*Git: Initialize Repository/],
    ['nothing to commit', fakeGit(fakeRepository([])), {}, /nothing to commit in shop/],
    [
      'a repository that is not there',
      fakeGit(fakeRepository([changed])),
      { repository: 'attic' },
      /no repository “attic” in this workspace. There are: shop/,
    ],
    [
      'merge conflicts',
      fakeGit(fakeRepository([{ path: 'a.ts', kind: 'conflicted', staged: false }])),
      {},
      /merge conflicts\. Resolve them.*unmerged: a\.ts/s,
    ],
  ])('%s is said before anybody is asked', async (_what, git, params, problem) => {
    const client = createMockMcpClient({ elicitResponses: [] });
    await expect(commit(git, client, params)).rejects.toThrow(problem);
    expect(client.missing).toEqual([]);
  });

  test('outside an editor it says what it needs', async () => {
    await expect(runMcpTool(commitChanges, {}, person('all'))).rejects.toMatchObject({
      code: 'CAPABILITY',
      capability: 'editor.git',
    });
  });

  test('asks for confirmation', () => {
    expect(commitChanges.def.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  });
});

describe('picking by number', () => {
  const files = ['a', 'b', 'c', 'd'].map((path, at) => ({
    number: at + 1,
    path,
    kind: 'modified' as const,
    staged: at === 0,
  }));
  const pathsOf = (text: string) => {
    const picked = readPicks(text, files);
    return typeof picked === 'string' ? picked : picked.map(({ path }) => path).join('');
  };

  test.each([
    ['all', 'abcd'],
    [' Staged ', 'a'],
    ['2-4, 1', 'abcd'],
    ['2;3 2', 'bc'],
    ['4', 'd'],
  ])('%s is %s', (text, picked) => {
    expect(pathsOf(text)).toBe(picked);
  });

  test('what was ticked is read by number and path, or by number where that is too long', () => {
    expect(picksText([2, 4], files)).toBe('2: b\n4: d');
    expect(pathsOf('2: b\n4: d')).toBe('bd');
    expect(pathsOf('2: b\n4: c')).toMatch(/is none of/);
    const long = files.map((file) => ({ ...file, path: 'x'.repeat(1500) }));
    expect(picksText([1, 3], long)).toBe('1, 3');
    const torn = files.map((file) => ({ ...file, path: 'x\ny' }));
    expect(picksText([1], torn)).toBe('1');
  });

  test.each(['', '0', '5', '3-2', '1-9', 'x', '-1', '1e1', 'all 2', '999999999999'])(
    '“%s” is nothing',
    (text) => {
      expect(typeof readPicks(text, files)).toBe('string');
    },
  );

  test('suggests what is named, else what is staged, else what is tracked, else everything', () => {
    const untracked = files.map((file) => ({ ...file, staged: false, kind: 'untracked' as const }));
    expect(suggested(files, ['c'])).toEqual([3]);
    expect(suggested(files)).toEqual([1]);
    expect(suggested(files.slice(1))).toEqual([2, 3, 4]);
    expect(suggested(untracked)).toEqual([1, 2, 3, 4]);
  });
});
