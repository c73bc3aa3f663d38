import { setTimeout as delay } from 'node:timers/promises';
import type { Workbench } from '#harness';
import { median } from './measure.ts';
import { type Row, ratioRow, spread } from './report.ts';
import { inVsCode } from './window.ts';

const ECHO = `
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const echo = createMcpTool('bench_echo')
  .description('Says it again.')
  .parameters(z.object({ text: z.string() }))
  .annotations({ readOnlyHint: true })
  .elicits({})
  .execute(function* ({ text }) {
    return text;
  });
`;

/** A tool to call again and again, and whether it is to fail. */
interface Contender {
  readonly tool: string;
  readonly input: object;
  readonly fails: boolean;
}

// The shipped tools all ask somebody. What ends without a person is a call that is refused by the tool's own code: it has
// been through everything that an answered one goes through, so it is measured against a bare tool that fails.
const refused = { message: 'Well?', fields: [{ name: 'color', label: 'Color', kind: 'choice' }] };
const contenders = {
  bareFail: { tool: 'parley_bench_fail', input: { text: 'no' }, fails: true },
  parleyFail: { tool: 'ask_user', input: refused, fails: true },
  bareEcho: { tool: 'parley_bench_echo', input: { text: 'hi' }, fails: false },
  parleyEcho: { tool: 'mcp_parley_bench_echo', input: { text: 'hi' }, fails: false },
} satisfies Record<string, Contender>;

/** What a call of a language model tool costs through Parley, against a bare `registerTool`, in one window. */
export function chatRows(): Promise<readonly Row[]> {
  return inVsCode({ beside: ['echo'], tool: ECHO }, async ({ open }) => {
    const workbench = await open();
    await workbench.bridge.activate('parley.parley-mcp');
    await toolThere(workbench, contenders.parleyEcho.tool);
    const taken = await times(workbench);
    return [
      row('a call of a shipped tool, against a bare tool', taken.parleyFail, taken.bareFail),
      row('a call of a workspace tool over MCP, against a bare tool', taken.parleyEcho, taken.bareEcho),
    ];
  });
}

function row(what: string, parley: readonly number[], bare: readonly number[]): Row {
  const added = (median(parley) - median(bare)).toFixed(2);
  const note = `${spread(parley, 2)} ms against ${spread(bare, 2)} ms: ${added} ms added`;
  return ratioRow(what, parley, bare, { note });
}

async function toolThere({ bridge }: Workbench, tool: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  while (Date.now() < deadline) {
    await bridge.execute('workbench.mcp.startServer', '*', { waitForLiveTools: true });
    const there = await bridge.evaluate((api, name) => api.lm.tools.some((one) => one.name === name), tool);
    if (there) return;
    await delay(200);
  }
  throw new Error(`there is no tool ${tool}`);
}

/** Milliseconds a call, by round, measured where calls come from: in the extension host. */
async function times(workbench: Workbench): Promise<Record<keyof typeof contenders, number[]>> {
  const taken = await workbench.bridge.evaluate(
    async (api, all) => {
      const rounds = 9;
      const calls = 20;
      const found: Record<string, number[]> = {};
      for (let round = -1; round < rounds; round++) {
        for (const [name, { tool, input, fails }] of Object.entries(all)) {
          const start = performance.now();
          for (let call = 0; call < calls; call++) {
            const failed = await api.lm.invokeTool(tool, { input, toolInvocationToken: undefined }).then(
              () => false,
              () => true,
            );
            if (failed !== fails) throw new Error(`${tool} ${failed ? 'failed' : 'did not fail'}`);
          }
          // The first round warms up.
          if (round >= 0) found[name] = [...(found[name] ?? []), (performance.now() - start) / calls];
        }
      }
      return found;
    },
    contenders as Record<string, Contender>,
  );
  return taken as Record<keyof typeof contenders, number[]>;
}
