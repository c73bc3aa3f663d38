import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallAbortedError } from 'parley-mcp';
import { checkReplay, createMockMcpClient, runMcpTool, stopCall } from 'parley-mcp/testing';
import { beforeEach, expect, test } from 'vitest';
import { findFlakyTests } from '#examples/packs/flaky/.parley/tools/flaky/tool.ts';
import { tempFolder } from '#test/temp-folder.ts';

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});

const fails = (test: string) => ({ test, file: 'a.test.ts', why: `${test} timed out` });
const steps = {
  'run 1': [{ tests: 3, failed: [fails('never')] }],
  'run 2': [{ tests: 3, failed: [fails('never'), fails('sometimes')] }],
  'owner of a.test.ts': ['Ada'],
  today: ['2030-05-01'],
};
const picked = (...tests: string[]) => ({ action: 'accept' as const, content: { tests } });
const listed = () => readFileSync(join(folder, '.flaky-tests'), 'utf8');

test('what fails only sometimes is shown with its owner, and listed where it is picked', async () => {
  writeFileSync(join(folder, '.flaky-tests'), 'older\tBob\t2029-01-01\n');
  const client = createMockMcpClient({ elicitResponses: [picked('sometimes', 'not asked about')] });
  expect(await runMcpTool(findFlakyTests, { runs: 2, folder }, client, { steps })).toEqual({
    summary: '1 of 3 tests are flaky, 1 broken. Put into .flaky-tests: 1.',
    flaky: [{ test: 'sometimes', failed: 1, runs: 2 }],
    broken: ['never'],
    quarantined: ['sometimes'],
  });
  expect(client.transcript.find(({ type }) => type === 'elicit')).toMatchObject({
    request: { context: { flaky: [{ owner: 'Ada', whys: ['sometimes timed out'] }] } },
  });
  expect(listed()).toBe('older\tBob\t2029-01-01\nsometimes\tAda\t2030-05-01\n');
});

test('nobody is asked where nothing is flaky, and a no lists nothing', async () => {
  const run = [{ tests: 1, failed: [] }];
  const calm = { steps: { 'run 1': run, 'run 2': run } };
  expect(await runMcpTool(findFlakyTests, { runs: 2, folder }, createMockMcpClient(), calm)).toMatchObject({
    summary: '0 of 1 tests are flaky, 0 broken.',
  });
  const no = createMockMcpClient({ elicitResponses: [{ action: 'cancel' }] });
  const { today: _, ...rest } = steps;
  expect(await runMcpTool(findFlakyTests, { runs: 2, folder }, no, { steps: rest })).toMatchObject({
    quarantined: [],
  });
  expect(listed).toThrow('ENOENT');
});

test('a runner that writes no report ends it with what that says, and a stop ends it at its question', async () => {
  const down = { steps: { 'run 1': [new Error('vitest wrote no report. It says: not found')] } };
  await expect(runMcpTool(findFlakyTests, { runs: 2, folder }, undefined, down)).rejects.toThrow('not found');
  const client = createMockMcpClient({ elicitResponses: [stopCall()] });
  await expect(runMcpTool(findFlakyTests, { runs: 2, folder }, client, { steps })).rejects.toThrow(
    CallAbortedError,
  );
});

test('it can be taken up after each line of its journal', async () => {
  const client = createMockMcpClient({ elicitResponses: [picked('sometimes')] });
  await checkReplay(findFlakyTests, { runs: 2, folder }, client, {
    steps: { ...steps, 'read the list': [''], quarantine: [undefined] },
  });
});
