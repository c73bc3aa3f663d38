import type { JsonObject } from '../../core/messages/json.ts';
import type { PanelStore } from '../../panel/panel-store.ts';
import { errorText, resultText } from '../../panel-port/index.ts';
import type { CallRecord } from './history/kept-call.ts';
import { maskedCall } from './history/masked-call.ts';

/** All that happened in a call, for a program or a report: secrets are masked. Times are of ISO 8601. */
export function transcriptJson(title: string, call: CallRecord): string {
  const { id, toolName, startedAt, params } = call;
  return JSON.stringify(
    {
      title,
      tool: toolName,
      call: id,
      started: new Date(startedAt).toISOString(),
      ...maskedCall(params, call.events()),
    },
    null,
    2,
  );
}

interface Shown {
  readonly panel: { readonly store: Pick<PanelStore, 'get'> };
}

/** A call of a tool as an MCP client makes it: one request, to paste into a script or an inspector. */
export function mcpCallText(name: string, params: JsonObject): string {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: params } };
  return JSON.stringify(request, null, 2);
}

/** What a call was started with; nothing while its parameters are asked for. */
export function startedWith({ panel }: Shown): JsonObject | undefined {
  return panel.store.get().rows.find((row) => row.type === 'started')?.params;
}

/** How a call ended, as its panel copies it; nothing for one that did not end like this, or whose result is not kept. */
export function endText({ panel }: Shown, how: 'result' | 'error'): string | undefined {
  const { end } = panel.store.get();
  if (end?.kind !== how) return undefined;
  if (end.kind === 'error') return errorText(end.error);
  return end.notKept ? undefined : resultText(end, 'text');
}
