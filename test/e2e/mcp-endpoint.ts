import type { Workbench } from '#harness';

/** Where the MCP server of a window is, for one client. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** What was copied for Cursor, read where a person would paste it from. */
export async function endpoint({ bridge }: Workbench): Promise<Endpoint> {
  const text = await bridge.evaluate((api) => api.env.clipboard.readText(), undefined);
  const { mcpServers } = JSON.parse(text) as {
    mcpServers: Record<string, { url: string; headers: { Authorization: string } }>;
  };
  const [entry] = Object.values(mcpServers);
  if (!entry) throw new Error(`no server: ${text}`);
  const { url, headers } = entry;
  return { url, token: headers.Authorization.replace('Bearer ', '') };
}

/** A request of a client of 2026-07-28; it can do nothing itself, unless it says so. */
export async function post(
  { url, token }: Endpoint,
  method: string,
  params: object = {},
  capabilities: object = {},
): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, _meta: metaOf(capabilities) },
    }),
  });
}

const metaOf = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** What a call comes to that a client which has forms makes, or goes on with. */
export async function leg(endpoint: Endpoint, call: object): Promise<LegResult> {
  const text = await (await post(endpoint, 'tools/call', call, { elicitation: { form: {} } })).text();
  const json = /^data: (.*"(?:result|error)".*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(json) as { result?: LegResult };
  if (!result) throw new Error(`no result: ${text}`);
  return result;
}

/** What a request is answered with: the questions of a call, or its end. */
export interface LegResult {
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
  readonly content?: readonly { readonly text?: string }[];
}

/** The tools that a client is listed. */
export async function toolsOf(endpoint: Endpoint): Promise<readonly string[]> {
  const text = await (await post(endpoint, 'tools/list')).text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(json) as { result?: { tools: ReadonlyArray<{ name: string }> } };
  if (!result) throw new Error(`no tools: ${text}`);
  return result.tools.map(({ name }) => name);
}
