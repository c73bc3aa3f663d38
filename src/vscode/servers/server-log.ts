import * as vscode from 'vscode';
import type { LogLevel } from '../../core/tool/context.ts';
import { formatData } from '../log/format.ts';
import { channelLevel, levelPrefix } from '../log/levels.ts';

/** What one server says, in a channel of its own that is made with its first line. */
export interface ServerLog {
  write(level: LogLevel, message: string, data?: unknown): void;
  /** A message of the protocol, where the person has set the channel to Trace. */
  trace(direction: 'sent' | 'received', message: unknown): void;
  show(): void;
  dispose(): void;
}

/** The log of a server. */
export function createServerLog(name: string): ServerLog {
  let made: vscode.LogOutputChannel | undefined;
  const channel = () => {
    made ??= vscode.window.createOutputChannel(`Parley: ${name}`, { log: true });
    return made;
  };
  return {
    write(level, message, data) {
      const more = data === undefined ? '' : ` ${formatData(data)}`;
      channel()[channelLevel(level)](`${levelPrefix(level)}${message}${more}`);
    },
    trace(direction, message) {
      // Asked first: what nobody reads is not written out.
      if (channel().logLevel !== vscode.LogLevel.Trace) return;
      channel().trace(`${direction === 'sent' ? '→' : '←'} ${formatData(message)}`);
    },
    show: () => channel().show(true),
    dispose: () => made?.dispose(),
  };
}
