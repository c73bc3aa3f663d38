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
    mcpServers: { parley: { url: string; headers: { Authorization: string } } };
  };
  const { url, headers } = mcpServers.parley;
  return { url, token: headers.Authorization.replace('Bearer ', '') };
}

/** A request of a client of 2026-07-28 that can do nothing itself. */
export async function post({ url, token }: Endpoint, method: string, params: object = {}): Promise<Response> {
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
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  });
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The tools that a client is listed. */
export async function toolsOf(endpoint: Endpoint): Promise<readonly string[]> {
  const text = await (await post(endpoint, 'tools/list')).text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(json) as { result?: { tools: ReadonlyArray<{ name: string }> } };
  if (!result) throw new Error(`no tools: ${text}`);
  return result.tools.map(({ name }) => name);
}
