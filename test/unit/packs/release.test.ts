import { CallAbortedError, SamplingRefusedError } from 'parley-mcp';
import {
  checkReplay,
  createMockMcpClient,
  type MockMcpClientOptions,
  runMcpTool,
  stopCall,
} from 'parley-mcp/testing';
import { expect, test } from 'vitest';
import { release } from '#examples/packs/release/.parley/tools/release/tool.ts';
import { bumpOf, raised, wrongWith } from '#examples/packs/release/.parley/tools/release/version.ts';

const facts = {
  name: 'tea',
  version: '1.4.2',
  branch: 'main',
  head: 'aaa',
  lastTag: 'v1.4.2',
  remote: 'origin',
  commits: [
    { hash: 'b1', subject: 'feat: a pot that keeps warm' },
    { hash: 'b2', subject: 'fix: no more drops' },
  ],
};
const commit = { before: 'aaa', made: 'bbb' };
const looked = { look: [facts], today: ['2030-05-01'] };
const tagged = { ...looked, commit: [commit], tag: ['v1.5.0'], pack: [[{ path: 'index.js', size: 10 }]] };
const accept = (content: object) => ({ action: 'accept' as const, content });
const plan = accept({ version: 'v1.5.0', notes: 'Keeps warm.' });
const where = { folder: '/tea' };

test('publishes what was planned, with notes that a model drafted, and pushes it', async () => {
  const client = createMockMcpClient({
    elicitResponses: { plan, publish: accept({ push: true }) },
    sampleResponses: ['### Added\n- Keeps warm'],
  });
  const steps = { ...tagged, publish: [undefined], push: [undefined] };
  expect(await runMcpTool(release, where, client, { steps })).toEqual({
    status: 'released',
    summary: 'tea 1.5.0 is published and pushed to origin.',
    version: '1.5.0',
    tag: 'v1.5.0',
    pushed: true,
  });
  const asked = client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request] : []));
  expect(asked[0]).toMatchObject({
    message: 'Release tea from main: 2 commits since v1.4.2.',
    context: { suggested: '1.5.0', notes: '### Added\n- Keeps warm' },
  });
  expect(asked[1]).toMatchObject({ context: { tag: 'v1.5.0', files: [{ path: 'index.js' }] } });
});

test('drafts a list of the commits where there is no model, or where it refuses', async () => {
  const models: MockMcpClientOptions[] = [
    { capabilities: { elicitation: { form: true } } },
    { sampleResponses: [new SamplingRefusedError('no')] },
  ];
  for (const model of models) {
    const client = createMockMcpClient({ elicitResponses: { plan: { action: 'cancel' } }, ...model });
    expect(await runMcpTool(release, where, client, { steps: { look: [facts] } })).toMatchObject({
      status: 'not_released',
    });
    expect(client.transcript.find(({ type }) => type === 'elicit')).toMatchObject({
      request: { context: { notes: '- feat: a pot that keeps warm\n- fix: no more drops' } },
    });
  }
});

test('asks again for a version that is none or not higher, and keeps the notes', async () => {
  const client = createMockMcpClient({
    elicitResponses: {
      plan: [
        accept({ version: 'next', notes: 'Mine.' }),
        accept({ version: '1.4.2', notes: 'Mine.' }),
        { action: 'cancel' },
      ],
    },
    sampleResponses: ['Theirs.'],
  });
  await runMcpTool(release, where, client, { steps: { look: [facts] } });
  const asked = client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request] : []));
  expect(asked.map(({ message }) => message.split('. ')[0])).toEqual([
    'Release tea from main: 2 commits since v1.4.2.',
    '“next” is no version: write three numbers, such as 1.4.3',
    '1.4.2 is not higher than 1.4.2',
  ]);
  expect(asked[2]).toMatchObject({ context: { notes: 'Mine.' } });
});

test('takes commit and tag back after a no to publishing, and after a registry that fails', async () => {
  const no = createMockMcpClient({
    elicitResponses: { plan, publish: { action: 'cancel' } },
    sampleResponses: ['-'],
  });
  const steps = { ...tagged, 'undo tag': [undefined], 'undo commit': [undefined] };
  expect(await runMcpTool(release, where, no, { steps: { ...steps, publish: [] } })).toMatchObject({
    status: 'not_released',
    summary: 'tea 1.5.0 was not published; its commit and tag were taken back. Nothing was published.',
  });
  const yes = createMockMcpClient({
    elicitResponses: { plan, publish: accept({ push: true }) },
    sampleResponses: ['-'],
  });
  const down = { ...steps, publish: [new Error('npm publish failed: ECONNREFUSED')], push: [] };
  await expect(runMcpTool(release, where, yes, { steps: down })).rejects.toThrow('ECONNREFUSED');
});

test('says how to push by hand what is published and could not be pushed', async () => {
  const client = createMockMcpClient({
    elicitResponses: { plan, publish: accept({ push: true }) },
    sampleResponses: ['-'],
  });
  const steps = { ...tagged, publish: [undefined], push: [new Error('rejected')], 'undo tag': [] };
  await expect(runMcpTool(release, where, client, { steps })).rejects.toThrow(
    'tea 1.5.0 is published, but could not be pushed. Push it by hand: git push --atomic origin main v1.5.0',
  );
});

test('releases nothing where nothing was committed, or where the call is stopped', async () => {
  const none = { steps: { look: [{ ...facts, commits: [] }] } };
  expect(await runMcpTool(release, where, createMockMcpClient(), none)).toMatchObject({
    summary: 'Nothing was committed since v1.4.2. Nothing was published.',
  });
  const client = createMockMcpClient({ elicitResponses: { plan: stopCall() }, sampleResponses: ['-'] });
  await expect(runMcpTool(release, where, client, { steps: { look: [facts], commit: [] } })).rejects.toThrow(
    CallAbortedError,
  );
});

test('raises versions as conventional commits and npm have it', () => {
  expect(bumpOf(['docs: more', 'chore: less'])).toBe('patch');
  expect(bumpOf(['fix: a', 'feat(ui): b'])).toBe('minor');
  expect(bumpOf(['feat!: c', 'fix: d'])).toBe('major');
  expect([raised('0.3.1', 'major'), raised('1.3.1', 'major'), raised('2.0.0-rc.1', 'patch')]).toEqual([
    '0.4.0',
    '2.0.0',
    '2.0.0',
  ]);
  expect(wrongWith('2.0.0-rc.2', '2.0.0-rc.10')).toBe('2.0.0-rc.2 is not higher than 2.0.0-rc.10.');
  expect(wrongWith('2.0.0', '2.0.0-rc.10')).toBeUndefined();
});

test('can be taken up after each line of its journal', async () => {
  const client = createMockMcpClient({
    elicitResponses: { plan, publish: accept({ push: true }) },
    sampleResponses: ['-'],
  });
  const { journal } = await checkReplay(release, where, client, {
    steps: { ...tagged, publish: [undefined], push: [undefined] },
  });
  expect(journal).toBeDefined();
});
