import { createMcpTool } from 'parley-mcp';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Accepts } from '#src/core/tool/tool.ts';
import { isAll, isOfferedOn, parametersAt } from '#src/vscode/authoring/run-on/place.ts';

const nothing = { selection: '', files: [], folders: [] };
const text = { ...nothing, selection: 'some words', files: ['a.ts'] };
const file = { ...nothing, files: ['src/a.ts'] };
const files = { ...nothing, files: ['a.ts', 'b.ts'] };
const folder = { ...nothing, folders: ['src'] };

function tool<S extends z.ZodObject>(accepts: Accepts | readonly Accepts[], parameters: S) {
  return createMcpTool('on_this')
    .description('Runs on this.')
    .parameters(parameters as z.ZodObject)
    .editor({ accepts })
    .elicits({})
    .execute(function* () {
      return 1;
    });
}

const path = z.string().meta({ pick: 'file' });

describe('running a tool on what is there', () => {
  it('is offered for what the tool accepts, and for nothing else', () => {
    const places = [nothing, text, file, files, folder];
    const offered = (accepts: Accepts | readonly Accepts[]) =>
      places.map((place) => isOfferedOn(tool(accepts, z.object({ it: z.string() })), place));
    expect(offered('selection')).toEqual([false, true, false, false, false]);
    expect(offered('file')).toEqual([false, true, true, false, false]);
    expect(offered('folder')).toEqual([false, false, false, false, true]);
    expect(offered(['file', 'folder'])).toEqual([false, true, true, false, true]);
  });

  it('is offered for several files only by a tool that takes several', () => {
    const several = tool('file', z.object({ paths: z.array(path) }));
    expect(isOfferedOn(several, files)).toBe(true);
    expect(parametersAt(several, files)).toEqual({ paths: ['a.ts', 'b.ts'] });
    expect(parametersAt(several, file)).toEqual({ paths: ['src/a.ts'] });
    expect(isOfferedOn(several, { ...files, folders: ['src'] })).toBe(false);
  });

  it('fills in the text, and the file that it is from where a parameter picks one', () => {
    const both = tool(
      'selection',
      z.object({
        kind: z.enum(['a', 'b']),
        day: z.iso.date(),
        file: path,
        words: z.string(),
        more: z.string(),
      }),
    );
    expect(parametersAt(both, text)).toEqual({ file: 'a.ts', words: 'some words' });
  });

  it('fills in a path where it is picked, else in the first text', () => {
    expect(parametersAt(tool('file', z.object({ name: z.string(), file: path })), file)).toEqual({
      file: 'src/a.ts',
    });
    expect(parametersAt(tool('folder', z.object({ count: z.int(), name: z.string() })), folder)).toEqual({
      name: 'src',
    });
    expect(parametersAt(tool('folder', z.object({ count: z.int() })), folder)).toEqual({});
  });

  it('asks for nothing more where all is filled in', () => {
    const { def } = tool('file', z.object({ file: path, deep: z.boolean().optional() }));
    expect(isAll({ file: 'a.ts' }, def.parameters.json)).toBe(false);
    expect(isAll({ file: 'a.ts', deep: true }, def.parameters.json)).toBe(true);
    expect(isAll({}, { type: 'object' })).toBe(false);
  });
});
