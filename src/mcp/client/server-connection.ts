import type { Client } from '@modelcontextprotocol/client';
import type { Operation } from 'effection';
import type { Root } from '../../core/tool/context.ts';
import type { ForeignContext } from './calls/foreign-context.ts';
import type { ForeignLog } from './calls/in-flight.ts';
import type { ForeignLine } from './calls/line.ts';
import type { ServerEntry } from './config/server-entry.ts';
import type { Login } from './login/login.ts';
import type { ServerOffers } from './offers/read-offers.ts';
import type { HearMessage } from './reader/server-transport.ts';

/** Where a connection stands. `why` is a sentence. */
export type ConnectionState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'ready'; readonly era: '2025' | '2026' }
  /** `pause`: after how many milliseconds it is tried again; without it only when it is asked for. */
  | { readonly kind: 'waiting'; readonly why: string; readonly pause?: number };

/** What `useMcpConnection` takes beside the server. */
export interface ConnectionOptions {
  /** What the server is told of who connects. */
  readonly info?: { readonly name: string; readonly version: string };
  /** How to log in at a server that is reached at an address. */
  readonly login?: Login;
  /** The era that the server is known to speak; found out without it. */
  readonly era?: '2025' | '2026';
  /** Told of what the server says while nobody calls it, on its stderr, too. */
  readonly onLog?: (line: ForeignLog) => void;
  /** The folders that a server is told while nobody calls it; without them it is refused what it asks then. */
  readonly roots?: () => readonly Root[];
  /** Told of each message as it goes over the wire, either way. */
  readonly onMessage?: HearMessage;
}

/** A server that is connected, and connected again whenever the connection ends. */
export interface ServerConnection {
  readonly name: string;
  readonly entry: ServerEntry;
  state(): ConnectionState;
  /** What it offered when it was last asked; stays while it is connected anew. */
  offers(): ServerOffers;
  /** Calls back when the state or what it offers has changed. Returns what stops it. */
  subscribe(listener: () => void): () => void;
  /** Calls back when the server says that a resource may read differently. */
  onUpdated(listener: (uri: string) => void): () => void;
  /** Tells the server that the folders have changed, where it asks for them outside of calls. */
  rootsChanged(): void;
  /** Ends the connection and begins a new one. */
  restart(): void;
  /** Ends it before its scope does, for good, and waits until nothing of it is left. */
  end(): Operation<void>;
  /** Waits until it is connected. @throws `ServerUnavailableError` when the next attempt fails, and once it was ended */
  client(): Operation<Client>;
  /** The client while it is connected; begins nothing. */
  connected(): Client | undefined;
  /** Makes requests as a part of a call: their questions, reports and end are the call's. @throws `ServerUnavailableError` */
  request<T>(ctx: ForeignContext, make: (line: ForeignLine) => Operation<T>): Operation<T>;
}
