import { describe, expect, it } from 'vitest';
import {
  hasVariables,
  type VariableName,
  variableNames,
  withVariables,
} from '#src/vscode/authoring/run/variables.ts';

const nothing = Object.fromEntries(variableNames.map((name) => [name, undefined])) as Record<
  VariableName,
  undefined
>;
const unset = (name: VariableName) => new Error(`nothing for ${name}`);
const filled = (
  params: Parameters<typeof withVariables>[0],
  set: Partial<Record<VariableName, string>> = {},
) => withVariables(params, { ...nothing, ...set }, unset);

const file = variable('file');
const selection = variable('selection');
const line = variable('lineNumber');

describe('variables in parameters of a keybinding', () => {
  it('are put into texts at any depth', () => {
    const params = { text: `${file}: ${selection}`, list: [file, 1, null], deep: { also: file } };
    expect(filled(params, { file: '/w/a.ts', selection: 'two words' })).toEqual({
      text: '/w/a.ts: two words',
      list: ['/w/a.ts', 1, null],
      deep: { also: '/w/a.ts' },
    });
  });

  it('are put in once: what is selected is not looked through', () => {
    const selected = `${file} $& $1`;
    expect(filled({ text: selection }, { selection: selected })).toEqual({ text: selected });
  });

  it('that are a number and nothing else are one', () => {
    const params = { line, text: `line ${line}` };
    expect(filled(params, { lineNumber: '7' })).toEqual({ line: 7, text: 'line 7' });
  });

  it('that stand for nothing run nothing', () => {
    expect(() => filled({ text: `of ${file}` })).toThrow('nothing for file');
  });

  it('that nobody knows stay as they are', () => {
    const params = { text: `${variable('HOME')} ${variable('env:HOME')} ${variable('constructor')} $file` };
    expect(hasVariables(params)).toBe(false);
    expect(filled(params)).toEqual(params);
  });
});

function variable(name: string): string {
  return `$\{${name}}`;
}
