import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtCli } from '../harness/paths.ts';
import type { Agent, Start } from './agent.ts';

/** An agent at its work, in a home of its own, with `parley-mcp serve` as its MCP server. */
export interface Desk {
  /** Folder that is the home of the agent's user, and of nobody else. */
  readonly home: string;
  /** Folder that the agent works in. */
  readonly project: string;
  /** How the agent is started, with these arguments after its own. */
  start(...more: readonly string[]): Start;
  /** What its server had the person's browser open; there is none on a desk without a display. */
  opened(): readonly string[];
  /** What went between the agent and its server on stdio. */
  messages(): readonly Message[];
}

/** A message of MCP, or a line of the server's log. */
export interface Message {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly from: 'agent' | 'server' | 'log' | 'starts' | 'ends';
  readonly text: string;
}

/** What a desk is made of. */
export interface DeskParts {
  readonly agent: Agent;
  /** Where it is made, anew. */
  readonly folder: string;
  readonly installed: string;
  readonly model: string;
  /** The command line of the agent's server. */
  readonly server: readonly [command: string, ...args: readonly string[]];
  /** A person sits there, with a display and a browser. */
  readonly person: boolean;
  /** The folder of tools with which `parley-mcp setup` writes the agent's configuration, where that does. */
  readonly bySetup: string | undefined;
  readonly trusts: boolean;
  /** What npm is set to in the agent's home. */
  readonly npmrc?: string;
}

/** Sets an agent up in an empty folder. */
export function setDesk({
  agent,
  folder,
  installed,
  model,
  server: served,
  person,
  bySetup,
  trusts,
  npmrc,
}: DeskParts): Desk {
  rmSync(folder, { recursive: true, force: true });
  const [home, project, log] = [join(folder, 'home'), join(folder, 'project'), join(folder, 'stdio.jsonl')];
  const bin = join(folder, 'bin');
  mkdirSync(project, { recursive: true });
  mkdirSync(bin);
  const browser = join(bin, 'xdg-open');
  const opened = join(folder, 'opened');
  writeFileSync(browser, `#!/bin/sh\necho "$1" >> '${opened}'\n`);
  chmodSync(browser, 0o755);
  const server = [process.execPath, join(import.meta.dirname, 'tee.ts'), log, ...served] as const;
  const {
    files,
    command,
    args = [],
    env,
  } = agent.setUp({
    home,
    project,
    installed,
    model,
    server,
    bySetup: bySetup !== undefined,
    trusts,
  });
  for (const [name, content] of Object.entries({ ...files, ...(npmrc && { '.npmrc': npmrc }) })) {
    const file = join(home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  const { PATH = '', LANG = 'C.UTF-8' } = process.env;
  // Nothing of whoever runs this: no keys, no other configuration, no browser.
  const persons = {
    PATH: `${bin}:${dirname(process.execPath)}:${PATH}`,
    LANG,
    HOME: home,
    TERM: 'xterm-256color',
    NO_PROXY: '127.0.0.1',
    ...(person && { DISPLAY: ':7' }),
    ...env,
  };
  if (bySetup) execFileSync(process.execPath, [builtCli, 'setup', agent.id, bySetup], { env: persons });
  const lines = (file: string): readonly string[] => {
    try {
      return readFileSync(file, 'utf8').split('\n').filter(Boolean);
    } catch {
      // Nothing has come yet.
      return [];
    }
  };
  return {
    home,
    project,
    opened: () => lines(opened),
    start: (...more) => ({
      command,
      args: [...args, ...more],
      cwd: project,
      env: persons,
    }),
    messages: () => lines(log).map((line): Message => JSON.parse(line)),
  };
}
