import { resolveClashes } from './clashes.ts';
import { type Problem, sameProblems } from './problem.ts';
import { type RegisteredTool, registeredTool, type ToolOffer } from './registered-tool.ts';
import { compareSources, type ToolSource } from './tool-source.ts';
import { hashOfKey, type ViewBundle } from './view-bundle.ts';

/** What a source has at the moment. */
export interface Offering {
  readonly tools: readonly ToolOffer[];
  /** What is wrong with the source's files. Clashes of names are the registry's to find. */
  readonly problems?: readonly Problem[];
  /** The bundle that holds the views of these tools; earlier ones of the source stay known for running calls. */
  readonly views?: ViewBundle;
}

/** A source's place in the registry. */
export interface Registration {
  /** Puts all of the source's tools in the place of those it had, in one change. */
  replace(offering: Offering): void;
  /** Takes them away. Calls that run go on with the tool they started with. */
  unregister(): void;
}

/** What a change touched. `version` rises by one with each. */
export interface RegistryChange {
  readonly version: number;
  readonly tools: boolean;
  readonly problems: boolean;
}

/** All tools of a window (or of `parley-mcp serve`), whichever source they come from. */
export interface ToolRegistry {
  register(source: ToolSource, offering?: Offering): Registration;
  /** Tools that can be called, in the order of their sources. */
  list(): readonly RegisteredTool[];
  get(name: string): RegisteredTool | undefined;
  /** The sources, with all that they offer: also what lost its name to another. */
  sources(): ReadonlyArray<{ readonly source: ToolSource; readonly tools: readonly RegisteredTool[] }>;
  problems(): readonly Problem[];
  /** Where the page finds the view of this key; nothing for views of the page's own bundle. */
  viewBundle(key: string): ViewBundle | undefined;
  /** The bundle that holds the views of a tool's source now; nothing where the page's own bundle holds them. */
  viewsOf(name: string): ViewBundle | undefined;
  readonly version: number;
  /** Calls back after each change, synchronously. Returns the way out. A listener that throws does not affect the others. */
  subscribe(listener: (change: RegistryChange) => void): () => void;
}

/** How a registry is set up. */
export interface RegistryOptions {
  /** Hears of a listener that threw; `console.error` by default. */
  readonly onListenerError?: (error: unknown) => void;
}

interface Entry {
  readonly source: ToolSource;
  readonly tools: readonly RegisteredTool[];
  readonly problems: readonly Problem[];
  readonly views?: ViewBundle | undefined;
}

/**
 * An empty registry.
 *
 * @example
 * const registry = createToolRegistry();
 * registry.register({ kind: 'shipped', id: 'parley', label: 'Parley' }, { tools: [{ tool: askUser }] });
 * registry.get('ask_user')?.plugin;
 */
export function createToolRegistry({ onListenerError = console.error }: RegistryOptions = {}): ToolRegistry {
  const entries = new Map<string, Entry>();
  const listeners = new Set<(change: RegistryChange) => void>();
  const bundles = new Map<string, ViewBundle>();
  let winners: ReadonlyMap<string, RegisteredTool> = new Map();
  let problems: readonly Problem[] = [];
  let version = 0;

  const inOrder = () => [...entries.values()].sort((a, b) => compareSources(a.source, b.source));

  const update = () => {
    const ordered = inOrder();
    const resolved = resolveClashes(ordered.flatMap(({ tools }) => tools));
    const found = [...ordered.flatMap((entry) => entry.problems), ...resolved.problems];
    const change = {
      tools: !sameTools(winners, resolved.winners),
      problems: !sameProblems(problems, found),
    };
    winners = resolved.winners;
    problems = found;
    if (!change.tools && !change.problems) return;
    version++;
    for (const listener of [...listeners]) {
      try {
        listener({ version, ...change });
      } catch (error) {
        onListenerError(error);
      }
    }
  };

  return {
    register(source, offering) {
      if (entries.has(source.id)) throw new Error(`the tool source '${source.id}' is registered already`);
      const own = new Set<string>();
      let entry: Entry = { source, tools: [], problems: [] };
      entries.set(source.id, entry);
      const registration: Registration = {
        replace({ tools, problems = [], views }) {
          if (entries.get(source.id) !== entry) return;
          if (views) {
            bundles.set(views.hash, views);
            own.add(views.hash);
          }
          entry = { source, tools: tools.map((offer) => registeredTool(offer, source)), problems, views };
          entries.set(source.id, entry);
          update();
        },
        unregister() {
          if (entries.get(source.id) !== entry) return;
          entries.delete(source.id);
          for (const hash of own) bundles.delete(hash);
          update();
        },
      };
      if (offering) registration.replace(offering);
      return registration;
    },
    list: () => [...winners.values()],
    get: (name) => winners.get(name),
    sources: () => inOrder().map(({ source, tools }) => ({ source, tools })),
    problems: () => problems,
    viewBundle: (key) => bundles.get(hashOfKey(key)),
    viewsOf: (name) => entries.get(winners.get(name)?.source.id ?? '')?.views,
    get version() {
      return version;
    },
    subscribe(listener) {
      // A wrapper of its own, so that one function may subscribe twice.
      const own = (change: RegistryChange) => listener(change);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}

function sameTools(a: ReadonlyMap<string, RegisteredTool>, b: ReadonlyMap<string, RegisteredTool>): boolean {
  if (a.size !== b.size) return false;
  const before = [...a.values()];
  return [...b.values()].every((tool, index) => {
    const other = before[index];
    return other !== undefined && other.tool === tool.tool && other.plugin === tool.plugin;
  });
}
