import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { within } from './within.ts';

/** Folder of the extension that must be among the server's `extensions`. */
export const bridgeExtension = join(import.meta.dirname, 'bridge');

/** A way into the extension host of one page. */
export interface Bridge {
  /**
   * Runs a function there and returns what it returns, as JSON.
   * The function travels as text: it sees its two arguments and nothing else of the test.
   * @throws Error with the stack of what was thrown there, or that it has not come to an end in four minutes
   * @example await bridge.evaluate((vscode, id) => vscode.extensions.getExtension(id)?.isActive, 'me.mine')
   */
  evaluate<A, R>(body: (api: typeof vscode, argument: A) => R, argument: A): Promise<Awaited<R>>;
  /** Runs a command by id. */
  execute(command: string, ...args: readonly unknown[]): Promise<unknown>;
  /** Resolves when the extension is active; asks for it if it is not. */
  activate(extensionId: string): Promise<void>;
  /** Whether that extension host still answers. */
  isAlive(): Promise<boolean>;
}

const connectTimeout = 90_000;

/** How long what runs there may take, in milliseconds: shorter than a test, which is told then what did not come to its end. */
const answerTimeout = 240_000;

/** How long an extension host that is there may be silent, busy with its tools perhaps. */
const aliveTimeout = 30_000;

/** The extension hosts that are there now: pass it to `connectBridge` after opening a page. */
export async function knownBridges(folder: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(folder));
}

/**
 * Waits for the one extension host that was not there before and connects to it. So pages of one server must be
 * opened one after another.
 * @param timeout in milliseconds
 */
export async function connectBridge(
  folder: string,
  before: ReadonlySet<string>,
  timeout = connectTimeout,
): Promise<Bridge> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const fresh = (await readdir(folder)).find((file) => file.endsWith('.json') && !before.has(file));
    if (fresh !== undefined) return bridgeOf(JSON.parse(await readFile(join(folder, fresh), 'utf8')));
    if (Date.now() > deadline) throw new Error(`No extension host came up within ${timeout / 1000} s.`);
    await delay(100);
  }
}

function bridgeOf(address: { port: number; secret: string }): Bridge {
  const call = async (source: string, argument: unknown, signal: AbortSignal): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${address.port}/`, {
      method: 'POST',
      signal,
      headers: { authorization: `Bearer ${address.secret}` },
      body: JSON.stringify({ source, argument }),
    });
    const answer = (await response.json()) as { value?: unknown; error?: string };
    if (answer.error !== undefined) throw new Error(`In the extension host: ${answer.error}`);
    return answer.value;
  };
  const inTime = async (what: string, source: string, argument: unknown): Promise<unknown> => {
    const given = new AbortController();
    try {
      return await within(answerTimeout, `end of ${what}`, call(source, argument, given.signal));
    } finally {
      given.abort();
    }
  };
  const bridge: Bridge = {
    evaluate: <A, R>(body: (api: typeof vscode, argument: A) => R, argument: A) =>
      inTime(`what was to run: ${body.toString().slice(0, 200)}`, body.toString(), argument) as Promise<
        Awaited<R>
      >,
    execute: (command, ...args) => {
      const run = (api: typeof vscode, [id, rest]: readonly [string, readonly unknown[]]) =>
        api.commands.executeCommand<unknown>(id, ...rest);
      return inTime(`the command ${command}`, run.toString(), [command, args]);
    },
    activate: (extensionId) =>
      bridge.evaluate(async (api, id) => {
        const extension = api.extensions.getExtension(id);
        if (extension === undefined) throw new Error(`There is no extension ${id}.`);
        await extension.activate();
      }, extensionId),
    isAlive: () =>
      call('() => true', undefined, AbortSignal.timeout(aliveTimeout)).then(
        () => true,
        () => false,
      ),
  };
  return bridge;
}
