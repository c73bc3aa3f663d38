import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { Edge, Run } from '../../bridge.ts';

/** What Ctrl+C sends, and what a program ends with that it stopped. */
const INTERRUPT = { input: '\u0003', exitCode: 130 } as const;

/** A terminal that shows an operation's lines, and ends with its exit code. Ctrl+C, and closing it, halt the operation. */
export function createTaskTerminal(
  edge: Edge,
  work: (write: (line: string) => void) => Operation<number>,
): vscode.Pseudoterminal {
  const written = new vscode.EventEmitter<string>();
  const closed = new vscode.EventEmitter<number>();
  let running: Run<unknown> | undefined;
  const write = (line: string) => written.fire(`${line}\r\n`);
  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open() {
      running = edge.fork('a task', function* () {
        try {
          closed.fire(yield* work(write));
        } catch (error) {
          write(error instanceof Error ? error.message : String(error));
          closed.fire(1);
        }
      });
    },
    handleInput(data) {
      if (data === INTERRUPT.input) void running?.halt().then(() => closed.fire(INTERRUPT.exitCode));
    },
    close: () => void running?.halt(),
  };
}
