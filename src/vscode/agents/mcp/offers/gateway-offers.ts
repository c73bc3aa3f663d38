import type { AnyPrompt } from '../../../../core/served/prompt.ts';
import type { Registry } from '../../../../core/served/registry.ts';
import type { Resource, ResourceTemplate } from '../../../../core/served/resource.ts';
import type { Servers } from '../../../../mcp/client/index.ts';

/** The servers of a window, as far as they are connected. */
export interface ConnectedServers {
  /** What the server of this name offers. */
  of(name: string): Pick<Servers, 'prompts' | 'resources'> | undefined;
  /** Calls back when one of them has changed. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}

/** What clients are offered of servers beside their tools. */
export interface GatewayOffers {
  readonly prompts: Registry<AnyPrompt>;
  readonly resources: Registry<Resource | ResourceTemplate>;
}

/**
 * Prompts and resources of the servers that the person has named, as lists that change with the servers and with the names.
 *
 * @param gateway the names; read at each look
 * @param renamed tells when they may be others. Returns what stops it
 */
export function gatewayOffers(
  servers: ConnectedServers,
  gateway: () => readonly string[],
  renamed: (listener: () => void) => () => void = () => () => {},
): GatewayOffers {
  const listed = <T>(of: (offered: Pick<Servers, 'prompts' | 'resources'>) => Registry<T>): Registry<T> => {
    const list = () =>
      [...new Set(gateway())].flatMap((name) => {
        const offered = servers.of(name);
        return offered ? of(offered).list() : [];
      });
    return {
      list,
      subscribe(listener) {
        let before = list();
        // A server changes in many ways that are nothing to a client.
        const look = () => {
          const now = list();
          const isSame = now.length === before.length && now.every((item, index) => item === before[index]);
          before = now;
          if (!isSame) listener();
        };
        const stops = [servers.subscribe(look), renamed(look)];
        return () => {
          for (const stop of stops) stop();
        };
      },
    };
  };
  return { prompts: listed(({ prompts }) => prompts), resources: listed(({ resources }) => resources) };
}

/** Whether there is anything of it. */
export function offersAny({ prompts, resources }: GatewayOffers): boolean {
  return prompts.list().length > 0 || resources.list().length > 0;
}
