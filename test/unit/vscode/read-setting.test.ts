import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SettingId } from '#src/vscode/ids.ts';
import { readSetting } from '#src/vscode/read-setting.ts';

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  contributes: { configuration: { properties: Record<string, { default: unknown }> } };
};
const { properties } = manifest.contributes.configuration;

/** VS Code's view of settings: what is written, else the manifest's default. */
const configuration = (written: Record<string, unknown>) => ({
  get: (id: string) => written[id] ?? properties[id]?.default,
  inspect: (id: string) => ({ defaultValue: properties[id]?.default }),
});

it('every setting has the default of the manifest until somebody writes it', () => {
  for (const [id, { default: preset }] of Object.entries(properties)) {
    expect(readSetting(id as SettingId, configuration({})), id).toEqual(preset);
  }
});

it.each([
  ['parley.elicitation.surface', 'editor', 'editor'],
  ['parley.elicitation.surface', 'sideways', 'auto'],
  ['parley.sampling.surface', 7, 'auto'],
  ['parley.sampling.model', 'a/b', 'a/b'],
  ['parley.sampling.model', 7, ''],
  ['parley.tools.include', ['a/*.ts', 3, ''], ['a/*.ts']],
  ['parley.tools.include', 'a/*.ts', []],
  ['parley.tools.stuckAfter', 2.5, 2.5],
  ['parley.tools.stuckAfter', 0, 30],
  ['parley.tools.stuckAfter', 1e9, 30],
  ['parley.tools.stuckAfter', '5', 30],
] as const)('%s, written as %j, is %j', (id, written, value) => {
  expect(readSetting(id, configuration({ [id]: written }))).toEqual(value);
});

it('says so when the manifest does not know a setting', () => {
  const none = { get: () => undefined, inspect: () => undefined };
  expect(() => readSetting('parley.sampling.model', none)).toThrow(/no default/);
});
