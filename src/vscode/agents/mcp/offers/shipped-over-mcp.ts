import { type Operation, race, sleep, spawn, type WithResolvers, withResolvers } from 'effection';

/** Whether the window's server offers Copilot the tools that the manifest declares as well. */
export interface ShippedOverMcp {
  now(): boolean;
  /** Calls back when that has changed. Returns what stops it. */
  subscribe(listener: () => void): () => void;
  /** Copilot is given its list of tools. */
  listed(): void;
}

/** What the way that these tools take depends on. */
export interface ShippedOverMcpParts {
  /** Whether they are to be offered over MCP, by the settings. Code that changes that calls `changed`. */
  wanted(): boolean;
  onWanted(changed: () => void): Operation<void>;
  /** Keeps what the manifest declares from the model, whatever the settings say; or lets go of it. */
  holdBack(held: boolean): Operation<void>;
  /** Whether the editor has some of them over MCP. */
  known(): boolean;
}

/** Between two looks at what the editor has, milliseconds: nothing tells of it. */
const LOOK = 250;

/** How long the editor has to take up a list, milliseconds: one that does not is not connected, and offers nobody these tools. */
const PATIENCE = 60_000;

/**
 * Hands the shipped tools over between the manifest and MCP so that a model never has both, though it may have neither for a moment. The
 * editor lets go of what the manifest declares as soon as the setting says so, and takes it up as soon as nothing holds it back; what it
 * has over MCP it learns later. So they are held back before they are listed, and until the editor has a list without them.
 */
export function* useShippedOverMcp(parts: ShippedOverMcpParts): Operation<ShippedOverMcp> {
  const { wanted, holdBack, known } = parts;
  const listeners = new Set<() => void>();
  let offered = false;
  let held = false;
  /** What the list held that was given last. */
  let given = false;
  let changed: WithResolvers<void> = withResolvers();
  const offer = (next: boolean): void => {
    if (offered === next) return;
    offered = next;
    for (const listener of [...listeners]) listener();
  };
  const hold = function* (next: boolean): Operation<void> {
    if (held !== next) yield* holdBack(next);
    held = next;
  };
  /** Waits for what the editor says of itself, or until it is wanted no more. */
  const waitFor = function* (is: () => boolean): Operation<void> {
    const until = performance.now() + PATIENCE;
    while (!is() && !wanted() && performance.now() < until) {
      changed = withResolvers();
      yield* race([changed.operation, sleep(LOOK)]);
    }
  };

  yield* parts.onWanted(() => changed.resolve());
  yield* spawn(function* () {
    for (;;) {
      changed = withResolvers();
      if (wanted()) {
        yield* hold(true);
        offer(true);
      } else {
        // What was given may be on its way still: it is not taken back before it has come.
        if (offered && given) yield* waitFor(known);
        if (!wanted()) {
          offer(false);
          if (known()) yield* hold(true);
          yield* waitFor(() => !given && !known());
        }
        if (!wanted()) yield* hold(false);
      }
      if (wanted() === offered) yield* changed.operation;
    }
  });
  return {
    now: () => offered,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listed() {
      given = offered;
    },
  };
}
