import type { Operation } from 'effection';
import { type CodeMode, createCodeMode } from '../../../code/code-mode.ts';
import type { ExecuteCode } from '../../../code/execute-code.ts';
import { executeCodePlugin } from '../../../code/execute-code-plugin.ts';
import { type CodeEngineOptions, useCodeEngine } from '../../../code/sandbox/engine.ts';
import { toolOf } from '../../../core/plugin/offer.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import {
  type Caller,
  type CatchUp,
  type HttpHandler,
  type TokenAccess,
  useMcpServer,
} from '../../../mcp/index.ts';
import type { CreateSession } from '../../../runtime/manager/manager.ts';
import { isPoliced } from '../../../runtime/policy/policed-tool.ts';
import type { Session } from '../../../runtime/session/session.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { type Asker, asSaid } from '../../calls/asker.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { withLoansFor } from '../../calls/looking-only.ts';
import type { Translate } from '../../calls/notices/explain.ts';
import { takeWords } from '../../calls/shipped/shipped-words.ts';
import { useExtension, useLog, versionOfParley } from '../../contexts.ts';
import type { Grant } from './access.ts';
import { chooseSurface, type SurfaceChoice } from './choose-surface.ts';
import { type DynamicOffering, isOffered, mayOffer, servedTools } from './offers/dynamic-tools.ts';
import type { GatewayOffers } from './offers/gateway-offers.ts';
import type { ChatPages } from './pages/chat-pages.ts';

/** What code runs in. */
type SandboxFiles = Pick<CodeEngineOptions, 'worker' | 'wasm'>;

/** Code mode for agents of this window: whatever a client could answer, the person is asked in the editor, in the table. */
function* useWindowCode(files: SandboxFiles): Operation<CodeMode> {
  const engine = yield* useCodeEngine(files);
  return createCodeMode({
    *engine() {
      return engine;
    },
    inEditor: true,
    plugin: executeCodeHere,
  });
}

/** Its questions are read in the editor's language, as those of the other tools that come with Parley. */
function executeCodeHere(tool: ExecuteCode) {
  takeWords([tool], {});
  return executeCodePlugin(tool);
}

/** Names for the chats of the agent, which only have ids. */
interface ChatNames {
  nameOf(id: string | undefined): string;
}

/** Chats that are told apart; the oldest are forgotten. */
const most = 100;

/** The first is just the agent; the second to ask is its second chat. */
function createChatNames(t: Translate): ChatNames {
  const numbers = new Map<string, number>();
  let last = 0;
  return {
    nameOf(id) {
      if (id === undefined) return t('the agent');
      const number = numbers.get(id) ?? ++last;
      numbers.set(id, number);
      const [oldest] = numbers.keys();
      if (numbers.size > most && oldest !== undefined) numbers.delete(oldest);
      return number === 1 ? t('the agent') : t('the agent, chat {0}', String(number));
    },
  };
}

/** What speaking MCP needs. */
export interface McpHandlerParts {
  readonly registry: ToolRegistry;
  /** Who answers; read at each call. */
  surfaces(): SurfaceChoice;
  /** What clients are offered; read at each call. */
  offering(): DynamicOffering;
  /** Hears that this window's Copilot is given its list of tools. */
  readonly onListed?: () => void;
  /** Calls back when that changes. Returns what stops it. */
  onOffering?(listener: () => void): () => void;
  /** What clients are offered of connected servers beside their tools. */
  readonly offers: GatewayOffers;
  /** Pages for its chat. */
  readonly pages?: ((desk: CallDesk) => Operation<ChatPages>) | undefined;
  readonly desk: CallDesk;
  /** Puts a tool in place as it stands on disk, before each call. */
  readonly catchUp: CatchUp;
  /** Whether the catalogue is used by code; read at each call. */
  codeMode(): boolean;
  /** What runs the code. */
  readonly sandbox: SandboxFiles;
  readonly copilotToken: string;
  /** `vscode.l10n.t` */
  readonly t: Translate;
  /** What other clients have been given, as it is now. */
  grants(): readonly Grant[];
}

const copilotName = 'copilot';

/** Tools that a client is listed one by one; beyond that it searches: agents hide what is too much for them. */
const mostListed = 40;

/** For the client's model. */
const instructions =
  'The tools of this server run in VS Code and ask the user themselves, in a panel of the editor, whatever they need to know or to have confirmed. ' +
  'Do not ask the user for it in chat first; call the tool with what you know and wait for its result. ' +
  'A call may take as long as the user takes to answer. When a result says that the user declined or stopped it, do not call the tool again unless asked to.';

/** A handler of requests that knows when a client has lost its token. */
export interface McpHandler extends HttpHandler {
  /** Ends all that clients have here whose token is worth nothing any more, and tells their calls. */
  shutOut(): Promise<void>;
}

/** A handler for the window's tools, both eras. Loaded with the first request. */
export function* useMcpHandler(parts: McpHandlerParts): Operation<McpHandler> {
  const { registry, surfaces } = parts;
  const log = yield* useLog();
  const chats = createChatNames(parts.t);
  const { manager, calls, editor: anywhere } = parts.desk;
  const askerOf = ({ principal, claims }: CreateSession): Asker => {
    if (principal === copilotName) return { kind: 'agent', name: chats.nameOf(claims?.chat) };
    const name = parts.grants().find((grant) => principalOf(grant) === principal)?.name ?? 'MCP client';
    return { kind: 'client', name, ...defined({ says: asSaid(claims?.client ?? '') || undefined }) };
  };
  /** Where the settings say that a client alone is asked, its panel only shows what it asks. */
  const mayAnswer = () => surfaces().elicitation !== 'client';
  const apps = parts.pages && (yield* parts.pages(parts.desk));
  const editor = { ...anywhere, waiting: parts.t('Waiting for your answer in the Parley panel') };
  const code = yield* useWindowCode(parts.sandbox);
  function* mayRun({
    session,
    ...inner
  }: {
    session: Session;
    tool: AnyTool;
    params: unknown;
  }): Operation<boolean> {
    // A server's tool asks the policy itself, which also lets the person edit what it is given.
    if (isPoliced(inner.tool)) return true;
    return yield* parts.desk.mayRun(session, inner);
  }
  const server = yield* useMcpServer({
    name: 'parley',
    title: 'Parley',
    instructions,
    progressive: {
      above: mostListed,
      approve: mayRun,
      catchUp: parts.catchUp,
      code: () => (parts.codeMode() ? code : undefined),
    },
    version: versionOfParley(yield* useExtension()),
    tools: servedTools(registry, parts.onOffering),
    prompts: parts.offers.prompts,
    resources: parts.offers.resources,
    manager,
    calls,
    *create(options) {
      const asker = askerOf(options);
      const create = () => manager.create(options);
      const session = yield* asker.kind === 'client' ? withLoansFor(toolOf(options.tool), create) : create();
      parts.desk.adoptFor(session, asker, options.capabilities ?? {}, mayAnswer);
      return session;
    },
    apps: apps
      ? { views: apps.views, loaded: apps.loaded, offers: () => surfaces().elicitation !== 'editor' }
      : false,
    // A provider in the extension host is another extension's: what people run here is not its business.
    spans: false,
    onProblem: (message, cause, about) =>
      about === 'request' ? log.debug(`MCP: ${message}`) : log.warn(`MCP: ${message}`, cause),
  });

  const copilot: TokenAccess<Caller> = {
    token: parts.copilotToken,
    principal: {
      name: copilotName,
      offers: (served) => isOffered(registry, served, parts.offering()),
      ...defined({ onListed: parts.onListed }),
      ...defined({ apps }),
      client: (wire) => {
        const choice = surfaces();
        // With pages in the chat the panel may not be open.
        return chooseSurface('copilot', choice, wire, choice.agent === 'panel' ? editor : anywhere);
      },
    },
  };
  // One object a client for as long as it has its token: what it may see is kept by it.
  const callers = new Map<string, TokenAccess<Caller>>();
  const accessOf = (grant: Grant): TokenAccess<Caller> => {
    const known = callers.get(grant.id);
    if (known) return known;
    const access: TokenAccess<Caller> = {
      token: grant.token,
      principal: {
        name: principalOf(grant),
        offers: (served) => {
          const registered = registry.get(toolOf(served).name);
          return registered !== undefined && mayOffer(registered, parts.offering().gateway);
        },
        client: (wire) => chooseSurface('external', surfaces(), wire, editor),
      },
    };
    callers.set(grant.id, access);
    return access;
  };

  const handler = server.createHandler({ tokens: () => [copilot, ...parts.grants().map(accessOf)] });
  return Object.assign(handler, {
    async shutOut() {
      const granted = new Set(parts.grants().map(({ id }) => id));
      const lost = [...callers].filter(([id]) => !granted.has(id));
      for (const [id] of lost) callers.delete(id);
      await Promise.all(
        lost.map(([, { principal }]) => handler.dismiss(principal.name, 'the token of its client was reset')),
      );
    },
  });
}

/** Its name, and what no other of that name ever has. */
function principalOf({ name, id }: Grant): string {
  return `${name} ${id}`;
}
