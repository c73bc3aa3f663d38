import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Operation } from 'effection';
import type { SetupOptions } from '../args.ts';
import { terminalLine } from '../terminal-text.ts';
import { addProved } from './add-proved.ts';
import type { AgentSetup, ServerCommand } from './agents.ts';
import { backupOf, changeFile } from './config-file.ts';
import { type EntryPlace, entryText, withEntry } from './entry-text.ts';
import { SetupError } from './setup-error.ts';

/**
 * `parley-mcp setup`: writes this program into the configuration of an agent, once it has started as it is written and has listed its
 * tools; or shows the entry, or removes it. Gives the exit code.
 */
export function* setUp(options: SetupOptions, cwd: string): Operation<number> {
  const { agent, name, modules, mode } = options;
  const place: EntryPlace = { format: agent.format, servers: agent.servers, name };
  const file = agent.file({ home: homedir(), env: process.env, platform: process.platform });
  const program = realpathSync(process.argv[1] ?? '');
  const server = commandOf(program, modules, cwd);
  const entry = agent.entry(server);
  const ours = (text: string) =>
    text.includes(JSON.stringify(program)) ||
    /"(parley-mcp(@[^"]*)?|[^"]*[\\/]parley-mcp[\\/][^"]*)"/.test(text);
  try {
    if (mode === 'print' || (agent.byHand && mode === 'write')) {
      say(`In ${file}:`);
      process.stdout.write(`\n${entryText(place, entry)}\n`);
      return 0;
    }
    if (mode === 'remove') {
      if (agent.byHand) throw new SetupError(`Remove '${name}' from ${file} by hand: it was written by hand`);
      const removed = changeFile(file, (text) => withEntry(text, place, undefined, ours));
      say(
        removed ? `Removed '${name}' from ${file}. It was: ${backupOf(file)}` : `${file} has no '${name}'.`,
      );
      return 0;
    }
    const [command, ...args] = server;
    const { tools, written } = yield* addProved(file, (text) => withEntry(text, place, entry, ours), {
      kind: 'stdio',
      name: 'parley',
      command,
      args,
      env: {},
      cwd,
    });
    say(`Started as ${agent.label} starts it, it has ${tools.length} tools: ${tools.slice(0, 8).join(', ')}`);
    say(written ? `Wrote '${name}' to ${file}.` : `${file} has this entry already.`);
    say(afterwards(agent));
    return 0;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`parley-mcp: ${terminalLine(error.message)}\n`);
    return 1;
  }
}

/** What npx keeps is gone some day; everywhere else the file itself starts soonest. */
function commandOf(program: string, modules: readonly string[], cwd: string): ServerCommand {
  const start: ServerCommand = /[\\/]_npx[\\/]/.test(program)
    ? // From a folder of the person: where an agent is started, npx takes what lies in node_modules there, or comes from the registry of its .npmrc.
      ['npx', '-y', '--prefix', homedir(), 'parley-mcp']
    : [process.execPath, program];
  if (modules.length === 0) return start;
  return [...start, 'serve', ...modules.map((module) => resolve(cwd, module))];
}

function afterwards({ id, label }: AgentSetup): string {
  const remove = `To remove it: parley-mcp setup ${id} --remove`;
  return `${label} has it when it is started again. ${remove}`;
}

function say(text: string): void {
  process.stdout.write(`${terminalLine(text)}\n`);
}
