import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import * as z from 'zod';
import { asLabel } from '../../../core/messages/label.ts';
import { defined } from '../../../core/schema/defined.ts';
import { problemsIn } from '../../../core/schema/validate.ts';
import { oauthSchema, oauthTexts, readOAuth } from './credentials.ts';

import type { ServerEntry } from './server-entry.ts';
import { ServersFileError } from './servers-file-error.ts';
import { putVariables, type Variables } from './variables.ts';

/** What reading a file of servers needs of its surroundings. */
export interface Surroundings extends Variables {
  /** Reads a file that an entry names, such as its `envFile`. */
  readText(path: string): Promise<string>;
}

/** Characters of a server's name: a person reads it where they allow the server. */
const LONGEST_NAME = 100;

/** Made when a file is read: what imports this is often loaded, and seldom used. */
function fileSchema() {
  const Texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

  const Entry = z.looseObject({
    type: z.optional(z.string()),
    command: z.optional(z.string()),
    args: z.optional(z.array(z.string())),
    env: z.optional(Texts),
    envFile: z.optional(z.string()),
    cwd: z.optional(z.string()),
    url: z.optional(z.string()),
    headers: z.optional(Texts),
    oauth: z.optional(oauthSchema()),
    timeout: z.optional(z.number().positive()),
    disabled: z.optional(z.boolean()),
    shared: z.optional(z.boolean()),
    listed: z.optional(z.boolean()),
  });

  const Input = z.looseObject({
    id: z.string(),
    type: z.optional(z.string()),
    description: z.optional(z.string()),
    default: z.optional(z.string()),
    password: z.optional(z.boolean()),
    options: z.optional(z.array(z.string())),
  });

  return {
    Entry,
    File: z.looseObject({
      servers: z.optional(z.record(z.string(), z.unknown())),
      mcpServers: z.optional(z.record(z.string(), z.unknown())),
      inputs: z.optional(z.array(Input)),
    }),
  };
}

type File = z.infer<ReturnType<typeof fileSchema>['File']>;
type Entry = z.infer<ReturnType<typeof fileSchema>['Entry']>;
/** What only a person can give, as a file of servers describes it. */
export type ServerInput = NonNullable<File['inputs']>[number];
/** A server as it is written, with nothing filled in. */
export type WrittenServer = readonly [name: string, entry: Entry];
type Texts = NonNullable<Entry['env']>;

/** An entry that is none, and why. */
export interface UnreadableServer {
  readonly name: string;
  readonly problem: ServersFileError;
}

/**
 * Reads an `mcp.json`: `servers` as VS Code writes it, `mcpServers` as others do; comments and trailing commas are fine.
 *
 * @throws `ServersFileError`
 */
export async function readServers(text: string, around: Surroundings): Promise<readonly ServerEntry[]> {
  const { servers, unreadable, none } = parseServers(text);
  if (none) throw new ServersFileError("it has neither 'servers' nor 'mcpServers'");
  for (const { problem } of unreadable) throw problem;
  return await Promise.all(servers.map((written) => fillInServer(written, around)));
}

/**
 * Reads an `mcp.json` without filling in anything: nothing is asked, and no other file is read. An entry that is wrong takes no other along.
 *
 * @throws `ServersFileError` where the file as a whole is none
 */
export function parseServers(text: string): {
  readonly servers: readonly WrittenServer[];
  readonly unreadable: readonly UnreadableServer[];
  readonly inputs: readonly ServerInput[];
  /** It is no file of servers. */
  readonly none: boolean;
} {
  const errors: ParseError[] = [];
  const json: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length;
    throw new ServersFileError(`line ${line} is no JSON: ${printParseErrorCode(error.error)}`);
  }
  const file = fileSchema().File.safeParse(json);
  if (!file.success) throw new ServersFileError(problemsIn(file.error.issues, json).problem);
  const { servers, mcpServers, inputs = [] } = file.data;
  const written: WrittenServer[] = [];
  const unreadable: UnreadableServer[] = [];
  for (const [name, entry] of Object.entries({ ...mcpServers, ...servers })) {
    try {
      written.push(parseServer(name, entry));
    } catch (problem) {
      if (!(problem instanceof ServersFileError)) throw problem;
      unreadable.push({ name, problem });
    }
  }
  const enabled = written.filter(([, { disabled }]) => disabled !== true);
  return { servers: enabled, unreadable, inputs, none: !servers && !mcpServers };
}

/** Reads one server that somebody wrote somewhere else. @throws `ServersFileError` */
export function parseServer(name: string, json: unknown): WrittenServer {
  const entry = fileSchema().Entry.safeParse(json);
  if (!entry.success)
    throw new ServersFileError(`the server '${name}': ${problemsIn(entry.error.issues, json).problem}`);
  return [name, entry.data];
}

/** What a written server comes to. @throws `ServersFileError` */
export async function fillInServer([name, entry]: WrittenServer, around: Surroundings): Promise<ServerEntry> {
  const at = (field: string) => `the server '${name}', ${field}`;
  if (name === '' || name.includes('/') || asLabel(name, LONGEST_NAME) !== name) {
    throw new ServersFileError(
      `'${asLabel(name)}' cannot name a server: a name is not empty, has no '/', and has at most ${LONGEST_NAME} characters, all of them visible`,
    );
  }
  const text = (field: string, value: string) => putVariables(value, at(field), around);
  const texts = async (field: string, values: Texts = {}) => {
    const filled = Object.entries(values).flatMap(([key, value]) =>
      value === null ? [] : [text(`${field}.${key}`, String(value)).then((one) => [key, one] as const)],
    );
    return Object.fromEntries(await Promise.all(filled));
  };
  const { command, url, timeout, type } = entry;
  const shared = entry.shared || undefined;
  const unlisted = entry.listed === false || undefined;
  if (command !== undefined && url !== undefined) {
    throw new ServersFileError(`the server '${name}' has a command and a url: keep one of them`);
  }
  if (command !== undefined) {
    const args = await Promise.all((entry.args ?? []).map((arg, index) => text(`args[${index}]`, arg)));
    const file =
      entry.envFile === undefined
        ? {}
        : await readEnvFile(await text('envFile', entry.envFile), at('envFile'), around);
    const env = { ...file, ...(await texts('env', entry.env)) };
    const cwd = entry.cwd === undefined ? around.workspaceFolder : await text('cwd', entry.cwd);
    return {
      kind: 'stdio',
      name,
      command: await text('command', command),
      args,
      env,
      ...defined({ cwd, timeout, shared, unlisted }),
    };
  }
  if (url === undefined)
    throw new ServersFileError(`the server '${name}' has neither a command nor a url: give it one`);
  if (type === 'sse') {
    throw new ServersFileError(
      `the server '${name}' has the type 'sse', which is no longer supported: use its Streamable HTTP address`,
    );
  }
  const address = await text('url', url);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new ServersFileError(`the server '${name}': its url is not an http or https address`);
  }
  const headers = checkedHeaders(await texts('headers', entry.headers), at);
  const oauth = readOAuth(
    { ...entry.oauth, ...(await texts('oauth', Object.fromEntries(oauthTexts(entry.oauth)))) },
    at,
  );
  const secret = oauth.credentials ? 'grantType' : oauth.client?.clientSecret && 'clientSecret';
  if (secret && Object.keys(headers).some((header) => /^authorization$/i.test(header))) {
    throw new ServersFileError(
      `${at(`oauth.${secret}`)}: there is a header Authorization, too. Keep one of them`,
    );
  }
  return {
    kind: 'http',
    name,
    url: address,
    headers,
    ...oauth,
    ...defined({ timeout, shared, unlisted }),
  };
}

/** Says which header is none, without its value: that is often a secret. */
function checkedHeaders(
  headers: Readonly<Record<string, string>>,
  at: (field: string) => string,
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(headers)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw new ServersFileError(
        `${at(`headers.${name}`)}: this is no header. Its name and value are of one line, without special signs`,
      );
    }
  }
  return headers;
}

/** Reads a file of `NAME=value` lines. */
async function readEnvFile(
  path: string,
  where: string,
  { readText }: Surroundings,
): Promise<Record<string, string>> {
  const { parseEnv } = await import('node:util');
  try {
    return parseEnv(await readText(path)) as Record<string, string>;
  } catch (cause) {
    throw new ServersFileError(`${where}: '${path}' cannot be read`, { cause });
  }
}
