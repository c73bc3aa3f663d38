import type { Calls, ShownCalls } from '../calls/port.ts';
import type { CallStore } from '../runtime/journal/call-store.ts';
import type { ManagerLimits, SessionManager } from '../runtime/manager/manager.ts';
import type { OwnPagesOptions } from './apps/own-pages.ts';
import type { Caller } from './caller.ts';
import type { CatalogOffer } from './catalog/catalog.ts';
import type { PersonalOffer } from './catalog/served-lists.ts';
import type { SurfaceOptions } from './catalog/surface.ts';
import type { ServerInfo } from './host.ts';
import type { TokenAccess } from './http/guard.ts';
import type { HttpLimits } from './http/limits.ts';
import type { OAuthOptions } from './login/oauth-options.ts';
import type { PageHere } from './published/page-here.ts';
import type { PublishOptions } from './published/published-pages.ts';

/** What `createMcpServer` takes. */
export interface McpServerOptions extends ServerInfo, CatalogOffer {
  /** What a principal is offered in place of `tools`, `prompts` and `resources`, asked with each request; those are offered to all without it. */
  readonly personal?: (principal: string) => PersonalOffer;
  /** How to use this server, for the client's model. */
  readonly instructions?: string;
  /** Protocol extensions to declare, by identifier, with their settings; what they need is yours to serve. */
  readonly extensions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Who answers calls, given the client at the other end of the wire; that client by default. */
  readonly client?: Caller['client'];
  /** Runs the calls; by default the server has a manager of its own, with `limits`. */
  readonly manager?: SessionManager;
  /** The calls of that `manager`, where others attach to them, too. */
  readonly calls?: Calls;
  /** Where what its calls ask is listed to the person of this machine, who may answer there, too. */
  readonly shown?: ShownCalls;
  /** Begins a call; by default the `manager` does. */
  readonly create?: SessionManager['create'];
  readonly limits?: ManagerLimits;
  /** Requests on stdio for what is offered wait for this; `initialize` does not. */
  readonly listsReady?: Promise<void>;
  /** Items on one page of a list; 200 by default. */
  readonly pageSize?: number;
  /** How long a client has to answer a question, milliseconds; an hour by default. */
  readonly askTimeout?: number;
  /** Milliseconds of quiet before a client that wants progress gets a sign of life; 15 s by default. */
  readonly heartbeat?: number;
  /** Milliseconds of quiet before clients are told that a list has changed, 150 by default; `false` for never. */
  readonly listChanged?: number | false;
  /**
   * Pages on which calls are asked in the conversation, for clients that show them (MCP Apps): the form of each question, or the tool's
   * own views. `false` for none, as a bundled program needs, which lacks their files.
   */
  readonly apps?: OwnPagesOptions | false;
  /**
   * A page of this process on which clients' questions are asked that cannot ask them ({@link usePageHere}): their tools that ask are listed,
   * and a call that takes longer than they wait is answered with an id, to come back by with `parley_result`. Needs `apps`.
   */
  readonly page?: PageHere | undefined;
  /** For catalogues too large to list: clients see tools to search with, and to run what they found. */
  readonly progressive?: boolean | SurfaceOptions;
  /**
   * Where calls of 2026-07-28 clients are between two requests. `memory`, the default: in this process. `carried`: in the client's
   * hands, sealed; any server with the key goes on. A store: any server on it does, also after a restart, and with sessions of 2025-era
   * clients, too. Calls of tools that are neither durable nor read-only stay in memory with each of them.
   */
  readonly state?: 'memory' | 'carried' | CallStore;
  /** Calls of tools that say `.task()` as tasks, for clients that have those; `false` for none. There are none with `carried`. */
  readonly tasks?: TaskOptions | false;
  /** Keys for `carried`, 32 bytes each: the first seals, all of them open. */
  readonly stateKeys?: readonly Uint8Array[];
  /**
   * Whether calls are spans and are counted where the process has a tracer or meter provider of OpenTelemetry; they are by default. `false` for a process
   * whose provider is somebody else's. Trace context is handed on all the same.
   */
  readonly spans?: boolean;
  /**
   * Told of what went wrong beside a request; nothing by default. With `about` as `'state'` calls are not kept as `state` asks for:
   * whoever runs the server should hear that. With `'request'` a request over HTTP was refused, and its client was told why.
   */
  readonly onProblem?: (message: string, cause?: unknown, about?: 'state' | 'request') => void;
}

/** How long tasks are there, and how often clients look. Times in milliseconds. */
export interface TaskOptions {
  /**
   * How long after its creation a task can be looked at, also when it is over: a day by default with a store, and as long as
   * `limits.waitingTtl` at most without one. A client may ask for less.
   */
  readonly ttl?: number;
  /** How often a client should look; a second by default. */
  readonly pollInterval?: number;
}

/** What `createHandler` takes. */
export interface HandlerOptions {
  /**
   * Bearer tokens that are let in, and whose they are; a function is called for each request. Without tokens everybody
   * on this machine is let in.
   */
  readonly tokens?: readonly TokenAccess<Caller>[] | (() => readonly TokenAccess<Caller>[]);
  /**
   * Lets in, beside `tokens`, who has an access token of an authorization server: a JWT that it has signed for this resource. Each subject is a
   * principal. Clients find it by the metadata of this resource, which the handler serves.
   */
  readonly oauth?: OAuthOptions;
  /**
   * Publishes questions on pages of this server, for clients that open pages and have no forms (`elicitation.url` alone).
   * Hand requests for them to `page` of the handler. None without it.
   */
  readonly publish?: PublishOptions;
  /** Names in `Host` beside the loopback ones. */
  readonly hosts?: readonly string[];
  /** Origins beside loopback ones. */
  readonly origins?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
}
