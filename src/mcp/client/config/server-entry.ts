import type { Credentials, OwnClient } from './credentials.ts';

interface EntryBase {
  /** What people call it: the key in `mcp.json`. */
  readonly name: string;
  /** Milliseconds of machine time that one call of its tools may take; ten minutes by default. */
  readonly timeout?: number;
  /** Where a server offers it on, one connection is for all who call; each has their own without it. */
  readonly shared?: true;
  /** Only tools call its tools: clients are offered nothing of it. */
  readonly unlisted?: true;
}

/** A server that is started as a process and speaks on its standard input and output. */
export interface StdioEntry extends EntryBase {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A server that is reached at an address. */
export interface HttpEntry extends EntryBase {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Who we are to its authorization server, where we do not register ourselves. */
  readonly client?: OwnClient;
  /** What a person logs in for there, whatever the server names. */
  readonly scope?: string;
  /** What logs in there without a person. */
  readonly credentials?: Credentials;
}

/** How one server is started or reached, with everything filled in. */
export type ServerEntry = StdioEntry | HttpEntry;
