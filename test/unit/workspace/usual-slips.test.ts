import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Operation, run } from 'effection';
import { describe, expect, test } from 'vitest';
import { collect } from '#src/cli/collect.ts';
import { loadModules } from '#src/cli/modules/load-modules.ts';
import { toolOf } from '#src/core/plugin/offer.ts';
import type { AnyTool } from '#src/core/tool/tool.ts';
import { FaultsContext } from '#src/runtime/session/faults.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import type { Problem } from '#src/workspace/registry/problem.ts';
import { sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const HEAD = `import { createMcpTool, confirm } from 'parley-mcp';
import { z } from 'zod';
`;

/** A file with a tool that is right but for the parts that are given; or the file itself. */
function fileOf({
  head = '',
  first = "export const tool = createMcpTool('slip')",
  parameters = 'z.object({ n: z.number().optional() })',
  elicits = '{ sure: z.object({ ok: z.boolean() }) }',
  args = 'params, ctx',
  fn = 'function* ',
  arrow = '',
  body = "return 'done';",
  execute = `.execute(${fn}(${args})${arrow} {\n    ${body}\n  })`,
  more = '',
  file = `${HEAD}${head}\n${first}\n  .description('A tool.')\n  .parameters(${parameters})\n  .elicits(${elicits})\n  ${execute};\n${more}`,
}: Readonly<Record<string, string>>): string {
  return file;
}

const A = '.parley/tools/a.ts';
const service = sharedEsbuild();

/** What is said of a file, each sentence with who says it: at its line by the editor and by `parley check`, and what its first run comes to. */
function* saidOf(code: string): Operation<string> {
  const { folder, registry } = yield* useLoadedFolder(service, {
    [A]: code,
    '.parley/tools/data.json': '{}',
  });
  const loaded = yield* loadModules([folder.file(A)], folder.path);
  const { tools, problems } = collect(loaded.modules);
  const lines = (found: readonly Problem[]) =>
    found.map(({ line, message }) => `line ${line}: ${message}`).sort();
  const [check, editor] = [lines([...loaded.problems, ...problems]), lines(registry.problems())];
  const both = check.filter((one) => editor.includes(one));
  const [tool] = 'list' in tools ? tools.list() : tools;
  return [
    ...both.map((one) => `- ${one}`),
    ...check.filter((one) => !both.includes(one)).map((one) => `- check, ${one}`),
    ...editor.filter((one) => !both.includes(one)).map((one) => `- editor, ${one}`),
    ...(tool && !code.includes('process.') ? yield* firstRun(toolOf(tool)) : []),
  ].join('\n');
}

function* firstRun(tool: AnyTool): Operation<readonly string[]> {
  const client = createMockMcpClient({
    elicitResponses: { sure: { action: 'accept', content: { ok: true } }, elicit: { action: 'decline' } },
    sampleResponses: ['x'],
  });
  const told: string[] = [];
  yield* FaultsContext.set(({ message }) => void told.push(`- run says: ${message}`));
  try {
    return [`- run: returns ${JSON.stringify(yield* runMcpTool(tool, {}, client))}`, ...told];
  } catch (error) {
    return [`- run: ${error instanceof Error ? error.message : String(error)}`, ...told];
  }
}

/** The slips of `usual-slips.md`: the parts that each is made of, and what is said of it. */
const slips = readFileSync(join(import.meta.dirname, 'usual-slips.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => {
    const [name = ''] = section.split('\n', 1);
    const parts = [...section.matchAll(/^```ts (\w+)\n([\s\S]*?)\n```$/gm)].map(
      ([, part = '', code = '']) => [part, code] as const,
    );
    return { name, parts: Object.fromEntries(parts), said: section.split(/^```$/m).at(-1)?.trim() ?? '' };
  });

describe("a model's usual slips", () => {
  test('are more than fifty', () => expect(slips.length).toBeGreaterThan(50));

  test.each(slips)('$name: check, the editor and the first run say what to write', ({ parts, said }) =>
    run(function* () {
      expect(yield* saidOf(fileOf(parts))).toBe(said);
    }),
  );
});
