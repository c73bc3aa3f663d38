import type { Locator, Page } from 'playwright-core';
import type { Workbench } from '#harness';
import { expect } from '../fixture.ts';

/** What Copilot's agent did with a request. */
export interface AgentAnswer {
  /** What it called, in order, with the text of what came back. */
  readonly calls: ReadonlyArray<{ readonly name: string; readonly input: unknown; readonly result: string }>;
  /** What it said last. */
  readonly text: string;
}

interface Metadata {
  readonly toolCallRounds?: ReadonlyArray<{
    readonly response: string;
    readonly toolCalls: ReadonlyArray<{
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
    }>;
  }>;
  readonly toolCallResults?: Readonly<Record<string, unknown>>;
}

const demo = 'parley-demo/demo';

/** Lets Copilot's agent mode run on the demo model, and run tools without asking when `approve` is set. */
export async function useAgent(workbench: Workbench, approve = true): Promise<void> {
  await workbench.updateSettings({
    'chat.utilityModel': demo,
    'chat.utilitySmallModel': `${demo}-mini`,
    'parley.sampling.model': demo,
    'chat.permissions.default': approve ? 'autoApprove' : undefined,
  });
  await newConversation(workbench, approve);
  await shippedToolsKnown(workbench);
}

/** VS Code tells extensions of tools, Copilot's agent too, most of a second after it has them: the test before may have had others. */
async function shippedToolsKnown({ bridge }: Workbench): Promise<void> {
  const names = () => bridge.evaluate((api) => api.lm.tools.map(({ name }) => name), undefined);
  await expect
    .poll(names, { timeout: 60_000 })
    .toEqual(expect.arrayContaining([expect.stringMatching(/^(mcp_parley_)?ask_user$/)]));
}

/**
 * Begins a conversation. The server keeps those of tests before, and a chat view that comes into sight loads its last one in its own
 * time, with the permissions that it had: until a new one is drawn, and still there when it is looked at again, it is begun again.
 */
async function newConversation(workbench: Workbench, approve: boolean): Promise<void> {
  const { page, bridge } = workbench;
  const chat = page.locator('.interactive-session');
  let drawn = 0;
  let begun = 0;
  await expect
    .poll(
      async () => {
        const text = (await chat.allInnerTexts()).join();
        const isNew = (await chat.locator('.interactive-request').count()) === 0;
        const permissions = approve ? 'Allow all' : 'Default permissions';
        drawn = isNew && text.includes(permissions) ? drawn + 1 : 0;
        if (drawn === 0) {
          await bridge.execute('workbench.action.chat.open');
          // One in which nothing was said is not begun again after a reload: VS Code keeps it as a draft, with the permissions that it had.
          if (isNew && ++begun > 5) await say(workbench, 'Hello.');
          await bridge.execute('workbench.action.chat.newChat');
        }
        return drawn;
      },
      { interval: 300 },
    )
    .toBeGreaterThan(3);
}

/** Says something in the chat view; resolves when the answer is complete. */
export function say(workbench: Workbench, query: string): Promise<unknown> {
  return workbench.bridge.execute('workbench.action.chat.open', {
    query,
    modelSelector: { vendor: 'parley-demo', id: 'demo' },
    blockOnResponse: true,
  });
}

/** The answers in the chat view, oldest first. */
export function answers(page: Page): Locator {
  return page.locator('.interactive-session .interactive-response');
}

/** Starts Parley's MCP server in the chat and waits for its tools; returns the names of all that are there. */
export async function startMcpServer(workbench: Workbench): Promise<readonly string[]> {
  await workbench.bridge.execute('workbench.mcp.startServer', '*', { waitForLiveTools: true });
  return workbench.bridge.evaluate((api) => api.lm.tools.map(({ name }) => name), undefined);
}

/** Asks the agent in the chat view and waits until it is done. */
export async function askAgent(workbench: Workbench, query: string): Promise<AgentAnswer> {
  const result = (await workbench.bridge.execute('workbench.action.chat.open', {
    query,
    mode: 'agent',
    modelSelector: { vendor: 'parley-demo', id: 'demo' },
    blockOnResponse: true,
  })) as { readonly metadata?: Metadata; readonly errorDetails?: { readonly message: string } } | undefined;
  if (result?.errorDetails) throw new Error(`The agent failed: ${result.errorDetails.message}`);
  const { toolCallRounds = [], toolCallResults = {} } = result?.metadata ?? {};
  return {
    calls: toolCallRounds.flatMap(({ toolCalls }) =>
      toolCalls.map(({ id, name, arguments: given }) => ({
        name,
        input: JSON.parse(given === '' ? '{}' : given) as unknown,
        result: textIn(toolCallResults[id]),
      })),
    ),
    text: toolCallRounds.at(-1)?.response ?? '',
  };
}

/** All texts in a tool's result, whatever Copilot wraps them in. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .filter(([key]) => ['content', 'value', 'text', 'children', 'node'].includes(key))
    .map(([, inner]) => textIn(inner))
    .join('');
}
