import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workbench } from '#harness';
import { type Row, ratioRow, spread } from './report.ts';
import { activated, activationOf, inVsCode, showActivations, visible, type Windows } from './window.ts';

const root = join(import.meta.dirname, '..', '..');
const WINDOWS = 3;
const PANELS = 8;

// A question at once, so that what is timed is the panel.
const QUESTION = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const question = createMcpTool('bench_question')
  .description('Asks at once')
  .parameters(z.object({}))
  .elicits({ name: z.object({ name: z.string() }) })
  .execute(function* (_params, ctx) {
    yield* ctx.elicit('name', { message: 'Your name?' });
  });
`;

/** Activation against an empty extension, and a question's panel against a bare webview, in one VS Code. */
export function editorRows(): Promise<readonly Row[]> {
  return inVsCode({ beside: ['empty', 'paragraph'], tool: QUESTION }, async (windows) => {
    await cp(join(root, 'README.md'), join(windows.workspace, 'README.md'));
    const activations = await activationTimes(windows);
    const panels = await panelTimes(windows);
    const [question, paragraph] = [panels.map((one) => one.question), panels.map((one) => one.paragraph)];
    return [
      {
        what: 'activation in VS Code, by its own clock',
        figure: `${spread(activations.parley)} ms, an empty extension in the same windows ${spread(activations.empty)} ms`,
      },
      ratioRow(
        'a question until it can be answered, against a webview with one paragraph',
        question,
        paragraph,
        { target: 1.5, note: `${spread(question)} ms against ${spread(paragraph)} ms` },
      ),
    ];
  });
}

async function activationTimes({ open }: Windows) {
  const parley: number[] = [];
  const empty: number[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const workbench = await open();
    try {
      await activated(workbench, 'parley.parley-mcp', 'parley-bench.parley-bench-empty');
      await showActivations(workbench.page);
      parley.push(await activationOf(workbench.page, 'Parley'));
      empty.push(await activationOf(workbench.page, 'parley-bench-empty'));
    } finally {
      await workbench.close();
    }
  }
  return { parley, empty };
}

async function panelTimes({ open }: Windows) {
  const workbench = await open();
  try {
    const question = () => shown(workbench, 'parley.runTool', ['bench_question', {}], 'input, textarea');
    const paragraph = () => shown(workbench, 'parleyBench.paragraph', [], '#ready');
    // The first of each loads what the later ones share.
    await paragraph();
    await question();
    const taken: { question: number; paragraph: number }[] = [];
    for (let n = 0; n < PANELS; n++) taken.push({ paragraph: await paragraph(), question: await question() });
    return taken;
  } finally {
    await workbench.close();
  }
}

/** Milliseconds from a command until a webview shows something; closes it after. */
async function shown(
  workbench: Workbench,
  command: string,
  args: unknown[],
  selector: string,
): Promise<number> {
  const start = performance.now();
  // Ends when its call does, which a closed tab does not end: not to be waited for.
  workbench.bridge.execute(command, ...args).catch(() => {});
  await visible(workbench.page, selector);
  const taken = performance.now() - start;
  await workbench.bridge.execute('workbench.action.closeAllEditors');
  return taken;
}
