import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { withoutEscapes } from '../../core/messages/without-escapes.ts';
import type { StackMaps } from '../../workspace/load/stack-maps.ts';
import { useDisposable } from '../bridge.ts';
import { formatData, formatError } from './format.ts';
import { type ChannelLevel, channelLevel, levelPrefix } from './levels.ts';
import type { Log } from './log.ts';

const severity: Record<ChannelLevel, vscode.LogLevel> = {
  debug: vscode.LogLevel.Debug,
  info: vscode.LogLevel.Info,
  warn: vscode.LogLevel.Warning,
  error: vscode.LogLevel.Error,
};

/**
 * The output channel “Parley”. Lines below the level that the person set are not even formatted; stacks lead to the
 * author's files.
 */
export function* useLogChannel(stackMaps: Pick<StackMaps, 'frames'>): Operation<Log> {
  const channel = yield* useDisposable(() => vscode.window.createOutputChannel('Parley', { log: true }));

  const write = (level: ChannelLevel, message: string, detail: () => string): void => {
    if (channel.logLevel === vscode.LogLevel.Off || channel.logLevel > severity[level]) return;
    const more = detail();
    const separator = more.includes('\n') ? '\n' : ' ';
    channel[level](more === '' ? message : `${message}${separator}${more}`);
  };
  const data = (value: unknown) => () => (value === undefined ? '' : formatData(value));
  const cause = (value: unknown) => () => (value === undefined ? '' : formatError(value, stackMaps));

  return {
    debug: (message, value) => write('debug', message, data(value)),
    info: (message, value) => write('info', message, data(value)),
    warn: (message, error) => write('warn', message, cause(error)),
    error: (message, error) => write('error', message, cause(error)),
    call: (source, level, message, value) =>
      write(channelLevel(level), `[${source}] ${levelPrefix(level)}${withoutEscapes(message)}`, data(value)),
    show: () => channel.show(true),
  };
}
