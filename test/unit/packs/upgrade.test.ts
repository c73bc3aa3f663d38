import { CallAbortedError } from 'parley-mcp';
import { checkReplay, createMockMcpClient, runMcpTool, stopCall } from 'parley-mcp/testing';
import { describe, expect, it, test } from 'vitest';
import { upgradeDependencies } from '#examples/packs/upgrade/.parley/tools/upgrade/tool.ts';
import {
  changesBetween,
  compare,
  lowestOf,
  stepOf,
} from '#examples/packs/upgrade/.parley/tools/upgrade/versions.ts';

const where = { folder: '/tea' };
const target = (version: string, step: string, more: object = {}) => ({
  version,
  step,
  changes: '',
  ...more,
});
const outdated = [
  {
    name: 'cup',
    current: '1.0.0',
    dev: false,
    targets: [target('1.2.0', 'minor'), target('2.0.0', 'major')],
  },
  {
    name: '@tea/spoon',
    current: '1.0.0',
    dev: true,
    targets: [target('1.0.1', 'patch', { deprecated: 'use a fork' })],
  },
];
const looked = { look: [{ head: 'a', outdated }] };
const accept = (content: object) => ({ action: 'accept' as const, content });
const lines = (...upgrades: string[]) => accept({ upgrades });
const person = (plan: unknown, keep: unknown = accept({ keep: 'keep' })) =>
  createMockMcpClient({ elicitResponses: { plan, keep } as never });
const both = lines('cup@2.0.0', '@tea/spoon@1.0.1');
const trying = {
  ...looked,
  'test before': [null],
  'install cup': [null],
  'test cup': ['AssertionError: it leaks'],
  'roll cup back': [undefined],
  'install @tea/spoon': [null],
  'test @tea/spoon': [null],
  'commit @tea/spoon': [{ before: 'a', made: 'b' }],
};

describe('an upgrade of dependencies', () => {
  it('commits what is green, rolls back what is red, and offers what is without risk', async () => {
    const client = person(both);
    expect(await runMcpTool(upgradeDependencies, where, client, { steps: trying })).toEqual({
      status: 'upgraded',
      summary: '1 of 2 upgrades are committed.',
      upgraded: [{ name: '@tea/spoon', from: '1.0.0', to: '1.0.1' }],
      red: [{ name: 'cup', from: '1.0.0', to: '2.0.0', red: 'AssertionError: it leaks' }],
    });
    const asked = client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request] : []));
    expect(asked).toMatchObject([
      {
        message: expect.stringContaining('2 dependencies are behind.'),
        requestedSchema: {
          properties: {
            upgrades: {
              default: ['cup@1.2.0'],
              items: {
                anyOf: [
                  { const: 'cup@1.2.0', title: 'cup 1.0.0 → 1.2.0, minor' },
                  { const: 'cup@2.0.0', title: 'cup 1.0.0 → 2.0.0, may break' },
                  { title: '@tea/spoon 1.0.0 → 1.0.1, deprecated: use a fork' },
                ],
              },
            },
          },
        },
      },
      { message: 'Committed: @tea/spoon 1.0.1. Red, and rolled back: cup 2.0.0. Keep it, or undo it?' },
    ]);
  });

  it('tests nothing that npm does not install', async () => {
    const steps = { ...trying, 'install cup': ['ERESOLVE'], 'test cup': [] };
    expect(await runMcpTool(upgradeDependencies, where, person(both), { steps })).toMatchObject({
      red: [{ name: 'cup', red: 'ERESOLVE' }],
    });
  });

  it('asks again for what is not offered, and changes nothing where nothing is chosen', async () => {
    const plan = [lines('mug@1.0.0'), lines('cup@3.0.0'), lines('cup@1.2.0', 'cup@2.0.0'), lines()];
    const client = person(plan);
    expect(
      await runMcpTool(upgradeDependencies, where, client, { steps: { ...looked, 'test before': [] } }),
    ).toMatchObject({ status: 'not_upgraded' });
    const asked = client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request.message] : []));
    expect(asked.slice(1).map((message) => message.split(' 2 dependencies')[0])).toEqual([
      '“mug@1.0.0” is none of these: write a line such as cup@1.2.0.',
      'cup can be raised to 1.2.0 or 2.0.0, and not to 3.0.0.',
      'A dependency is there twice.',
    ]);
  });

  it('undoes all commits and installs what was there, where the person wants none of it', async () => {
    const undone = {
      'undo commit @tea/spoon': [undefined],
      'undo install @tea/spoon': [undefined],
      'undo roll cup back': [undefined],
      'undo install cup': [undefined],
      'undo begin': [undefined],
    };
    const client = person(both, accept({ keep: 'undo' }));
    expect(
      await runMcpTool(upgradeDependencies, where, client, { steps: { ...trying, ...undone } }),
    ).toMatchObject({ status: 'undone' });
  });

  it('ends where tests are red before, where nothing is behind, and where it is stopped', async () => {
    const red = { ...looked, 'test before': ['red already'], 'install cup': [] };
    await expect(runMcpTool(upgradeDependencies, where, person(both), { steps: red })).rejects.toThrow(
      'red already',
    );
    const none = { look: [{ head: 'a', outdated: [] }] };
    expect(await runMcpTool(upgradeDependencies, where, person(both), { steps: none })).toMatchObject({
      status: 'up_to_date',
    });
    const stopped = runMcpTool(upgradeDependencies, where, person(stopCall()), {
      steps: { ...looked, 'test before': [] },
    });
    await expect(stopped).rejects.toThrow(CallAbortedError);
  });

  it('can be taken up after each line of its journal', async () => {
    const { result } = await checkReplay(upgradeDependencies, where, person(both), { steps: trying });
    expect(result).toMatchObject({ status: 'upgraded' });
  });
});

test('versions are compared as npm has them', () => {
  expect([
    stepOf('1.2.3', '2.0.0'),
    stepOf('0.2.3', '0.3.0'),
    stepOf('1.2.3', '1.3.0'),
    stepOf('1.2.3', '1.2.4'),
  ]).toEqual(['major', 'major', 'minor', 'patch']);
  expect([compare('1.10.0', '1.9.9') > 0, compare('18', '18.0.0')]).toEqual([true, 0]);
  expect(['>=18', '^18.17 || >=20', '18.x', '>= 20.1 <22', '*', '<23'].map(lowestOf)).toEqual([
    '18',
    '18.17',
    '18',
    '20.1',
    undefined,
    undefined,
  ]);
});

test('of a changelog only what lies between two versions is shown', () => {
  const changelog = '# Log\n\n## [2.0.0] - 2030\n- c\n### Fixed\n- d\n\n## 1.1.0\n- b\n\n## v1.0.0\n- a\n';
  expect(changesBetween(changelog, '1.0.0', '1.9.0')).toBe('## 1.1.0\n- b');
  expect(changesBetween(changelog, '1.1.0', '2.0.0')).toBe('## [2.0.0] - 2030\n- c\n### Fixed\n- d');
  expect(changesBetween('no headings', '1.0.0', '2.0.0')).toBe('');
});
