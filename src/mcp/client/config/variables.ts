import { homedir } from 'node:os';
import { sep } from 'node:path';
import { ServersFileError } from './servers-file-error.ts';

/** What stands for the variables in a file of servers. */
export interface Variables {
  /** The folder that the file is about. */
  readonly workspaceFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks for what only a person can give; without it, an entry that wants it is refused. */
  readonly input?: (id: string) => Promise<string | undefined>;
}

/** Puts values in the place of `${…}`. @throws `ServersFileError` for a variable that is not known here */
export async function putVariables(text: string, where: string, variables: Variables): Promise<string> {
  const parts = text.split(/(\$\{[^}]*\})/);
  const filled = await Promise.all(
    parts.map((part) => (part.startsWith('${') ? valueFor(part.slice(2, -1), where, variables) : part)),
  );
  return filled.join('');
}

async function valueFor(name: string, where: string, variables: Variables): Promise<string> {
  const [kind = '', ...rest] = name.split(':');
  const argument = rest.join(':');
  switch (kind) {
    case 'workspaceFolder':
      return variables.workspaceFolder;
    case 'userHome':
      return homedir();
    case 'pathSeparator':
    case '/':
      return sep;
    case 'env':
      return Object.hasOwn(variables.env, argument) ? (variables.env[argument] ?? '') : '';
    case 'input':
      return await given(argument, where, variables);
    default:
      throw new ServersFileError(`${where}: the variable '\${${name}}' is not available here`);
  }
}

async function given(id: string, where: string, { input }: Variables): Promise<string> {
  if (!input) {
    throw new ServersFileError(
      `${where}: '\${input:${id}}' works only in the editor. Write '\${env:NAME}' and set that variable instead`,
    );
  }
  const value = await input(id);
  if (value === undefined) throw new ServersFileError(`${where}: no value was given for '\${input:${id}}'`);
  return value;
}
