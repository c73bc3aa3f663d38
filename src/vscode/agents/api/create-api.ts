import type { Event } from 'vscode';
import { isPlugin, isTool } from '../../../core/plugin/guards.ts';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import type { ParleyApi, ParleyExports } from './api.ts';

/** What the API gives to others. It ends with Parley, so nothing here has to be taken back. */
export function createExports(registry: ToolRegistry): ParleyExports {
  const source = registry.register({ kind: 'extension', id: 'extensions', label: 'Extensions' });
  // A map of registrations, not of tools: the same tool may be registered twice, and taken back once.
  const registered = new Map<symbol, AnyTool | AnyPlugin>();
  const publish = () => source.replace({ tools: Array.from(registered.values(), (tool) => ({ tool })) });

  const add = (tool: AnyTool | AnyPlugin) => {
    const key = Symbol(tool.kind);
    registered.set(key, tool);
    publish();
    return {
      dispose() {
        if (registered.delete(key)) publish();
      },
    };
  };

  const onDidChangeTools: Event<void> = (listener, thisArg, disposables) => {
    const stop = registry.subscribe(({ tools }) => {
      if (tools) listener.call(thisArg, undefined);
    });
    const disposable = { dispose: stop };
    disposables?.push(disposable);
    return disposable;
  };

  const api: ParleyApi = Object.freeze({
    version: 1 as const,
    registerPlugin(plugin: AnyPlugin) {
      if (!isPlugin(plugin)) {
        throw new TypeError('registerPlugin takes what makePlugin(tool).onElicit({ … }).build() gives.');
      }
      return add(plugin);
    },
    registerTool(tool: AnyTool) {
      if (!isTool(tool)) throw new TypeError('registerTool takes what createMcpTool(…) gives.');
      return add(tool);
    },
    tools: () => registry.list().map(({ name }) => name),
    onDidChangeTools,
  });

  return Object.freeze({
    getApi(version: 1) {
      if (version !== 1) {
        throw new RangeError(
          `Parley has version 1 of its API, and not ${String(version)}: update one of both.`,
        );
      }
      return api;
    },
  });
}
