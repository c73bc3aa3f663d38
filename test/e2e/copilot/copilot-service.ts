import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { freePort } from '../../harness/free-port.ts';

/** What a model of Copilot was asked. */
export interface Asked {
  /** The names of all tools that it may call. */
  readonly tools: readonly string[];
  /** What was said last: by the person, or by a tool. */
  readonly said: string;
}

/** GitHub's part of Copilot, on this machine: who the person is, one model, and what that says. */
export interface CopilotService {
  readonly origin: string;
  /** All that the model was asked for the person, oldest first. */
  readonly asked: readonly Asked[];
  /** The model calls this tool when the person speaks next. */
  calls(tool: string, input: object): void;
  stop(): Promise<void>;
}

interface Completion {
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>;
  readonly tools?: ReadonlyArray<{ readonly function?: { readonly name: string } }>;
}

const model = {
  id: 'gpt-4o',
  name: 'Scripted',
  object: 'model',
  vendor: 'Parley',
  version: '1',
  preview: false,
  model_picker_enabled: true,
  is_chat_default: true,
  is_chat_fallback: true,
  billing: { is_premium: false, multiplier: 0 },
  policy: { state: 'enabled', terms: '' },
  supported_endpoints: ['/chat/completions'],
  capabilities: {
    family: 'gpt-4o',
    object: 'model_capabilities',
    tokenizer: 'o200k_base',
    type: 'chat',
    limits: { max_context_window_tokens: 128_000, max_output_tokens: 16_000, max_prompt_tokens: 112_000 },
    supports: { streaming: true, tool_calls: true },
  },
};

/** What “Auto” takes. */
const session = () => ({
  available_models: [model.id],
  selected_model: model.id,
  session_token: 'a token of nobody',
  expires_at: Math.floor(Date.now() / 1000) + 3600,
  discounted_costs: {},
});

/** Starts it. Its model says again what a tool answered, and greets a person who asks for no tool. */
export async function startCopilotService(): Promise<CopilotService> {
  const asked: Asked[] = [];
  let next: { readonly tool: string; readonly input: object } | undefined;
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const user = {
    login: 'person',
    id: 1,
    copilot_plan: 'individual',
    access_type_sku: 'copilot_individual',
    chat_enabled: true,
    is_mcp_enabled: true,
    organization_list: [],
    endpoints: { api: origin, proxy: origin, telemetry: origin },
  };

  function reply({ messages, tools = [] }: Completion): object {
    const last = messages.at(-1);
    const said = typeof last?.content === 'string' ? last.content : JSON.stringify(last?.content);
    const names = tools.flatMap((tool) => tool.function?.name ?? []);
    if (names.length > 0) asked.push({ tools: names, said });
    if (last?.role === 'tool') return { content: `It says: ${said}` };
    const wanted = names.length > 0 ? next : undefined;
    if (!wanted) return { content: 'Hello.' };
    next = undefined;
    const name = names.find((one) => one.endsWith(wanted.tool)) ?? wanted.tool;
    const call = { name, arguments: JSON.stringify(wanted.input) };
    return { tool_calls: [{ index: 0, id: `call_${asked.length}`, type: 'function', function: call }] };
  }

  const server = createServer(async (request, response) => {
    const { url = '' } = request;
    const body = await textOf(request);
    if (url.startsWith('/copilot_internal/user')) sendJson(response, user);
    else if (url === '/models/session') sendJson(response, session());
    else if (url === '/models') sendJson(response, { object: 'list', data: [model] });
    else if (url === '/chat/completions') sendEvents(response, reply(JSON.parse(body) as Completion));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    origin,
    asked,
    calls(tool, input) {
      next = { tool, input };
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function sendEvents(response: ServerResponse, delta: object): void {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: model.id };
  const finish = 'tool_calls' in delta ? 'tool_calls' : 'stop';
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const choice of [{ delta: { role: 'assistant', ...delta } }, { delta: {}, finish_reason: finish }])
    response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`);
  response.end('data: [DONE]\n\n');
}
