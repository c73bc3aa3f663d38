import type { AnyTool } from '../tool/tool.ts';
import type { AnyPlugin } from './plugin.ts';

/** Whether a value is a tool, made by whichever copy of Parley. */
export function isTool(value: unknown): value is AnyTool {
  if (!isRecord(value) || value.kind !== 'parley.tool' || typeof value.name !== 'string') return false;
  const { def } = value;
  return (
    isRecord(def) &&
    def.name === value.name &&
    isRecord(def.parameters) &&
    isRecord(def.elicits) &&
    isRecord(def.body)
  );
}

/** Whether a value is a plugin, made by whichever copy of Parley. */
export function isPlugin(value: unknown): value is AnyPlugin {
  if (!isRecord(value) || value.kind !== 'parley.plugin') return false;
  const { server, client } = value;
  return (
    isRecord(server) &&
    Array.isArray(server.tools) &&
    isTool(server.tools[0]) &&
    isRecord(client) &&
    isRecord(client.handlers)
  );
}

/** The tool whose plugin a value would be, had `.build()` been called: nothing else tells it from what may be exported. */
export function unbuiltPluginOf(value: unknown): string | undefined {
  if (!isRecord(value) || value.kind !== 'parley.plugin-builder') return undefined;
  return typeof value.toolName === 'string' ? value.toolName : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
