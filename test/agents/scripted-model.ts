import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

/** A model on loopback that does what the user's text says. */
export interface ScriptedModel {
  /** `http://127.0.0.1:PORT`, for the dialects of OpenAI (chat completions, responses), Anthropic and Gemini. */
  readonly address: string;
  /** What agents gave the model as results of tools, newest last. */
  readonly results: readonly string[];
  close(): Promise<void>;
}

/** What the model says next: text, or a call of a tool. */
type Says = { readonly text: string } | { readonly tool: string; readonly args: string };

interface Turn {
  readonly who: 'user' | 'tool' | 'model';
  readonly text: string;
}

/** One request in one dialect: the conversation, the tools that the model may call, and how it says something. */
interface Asked {
  readonly turns: readonly Turn[];
  readonly tools: readonly string[];
  answer(says: Says): Answer;
}

/** A body, or the events of a stream. */
type Answer = { readonly body: unknown } | { readonly events: readonly Event[] };
type Event = { readonly name?: string; readonly data: unknown };

/** Prompt that makes the model call a tool and then repeat what came of it. The name may be the end of a longer one. */
export const callOf = (tool: string, args: unknown): string => `CALL ${tool} ${JSON.stringify(args)}`;

/** What the model says of results, ahead of their text. */
export const RESULT = 'RESULT';

/** What it says of a tool that the agent does not offer it. */
export const NO_TOOL = 'NO TOOL';

/** Serves the model until it is closed. */
export async function serveModel(): Promise<ScriptedModel> {
  const results: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const json = (body: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const path = request.url ?? '';
    if (request.method === 'GET')
      return json({ object: 'list', data: [{ id: 'scripted', object: 'model' }] });
    // Counts of tokens, in two dialects.
    if (/count_?tokens/i.test(path)) return json({ input_tokens: 10, totalTokens: 10 });
    const read = dialects.find(([part]) => path.includes(part))?.[1];
    if (read === undefined) return json({});
    const asked = read(JSON.parse(text), path);
    for (const turn of asked.turns)
      if (turn.who === 'tool' && !results.includes(turn.text)) results.push(turn.text);
    const answer = asked.answer(decide(asked));
    if ('body' in answer) return json(answer.body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { name, data } of answer.events)
      response.write(
        `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
      );
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    results,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The calls that the newest text with calls asks for, one after the other; then what came of them. */
function decide({ turns, tools }: Asked): Says {
  const at = turns.findLastIndex(({ who, text }) => who === 'user' && /CALL [\w.-]+ \{/.test(text));
  if (at < 0) return { text: turns.some(({ text }) => text.includes('SAMPLED:')) ? 'sampledword' : 'hello' };
  const calls = [
    ...(turns[at]?.text ?? '').replaceAll('\\"', '"').matchAll(/CALL ([\w.-]+) (\{.*?\})\s*(?=$|\n|<|")/gm),
  ];
  const came = turns.slice(at + 1).filter(({ who }) => who === 'tool');
  const next = calls[came.length];
  if (next === undefined) return { text: `${RESULT} ${came.map(({ text }) => text).join(' | ')}` };
  const [, name = '', args = ''] = next;
  // An agent may have one of its own by that name.
  const called = tools.filter((one) => one.endsWith(name));
  const tool =
    called.find((one) => one.includes('parley')) ?? called.find((one) => one === name) ?? called[0];
  // Qwen Code keeps tools back until its model looks for them, and calls them by another.
  if (tool === undefined && tools.includes('tool_call'))
    return { tool: 'tool_call', args: `{"name":"mcp__parley__${name}","arguments":${args}}` };
  return tool === undefined ? { text: `${NO_TOOL} ${name} among ${tools.length}` } : { tool, args };
}

// Content in any of the dialects: text, blocks of it, blocks in blocks.
function flat(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(flat).join('\n');
  if (typeof content !== 'object' || content === null) return '';
  const { text, content: inner, parts, output } = content as Record<string, unknown>;
  return flat(text ?? inner ?? parts ?? output);
}

const named = z.looseObject({ name: z.string().optional() });
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
let count = 0;

const completions = z.object({
  stream: z.boolean().default(false),
  model: z.string().default('scripted'),
  messages: z.array(z.object({ role: z.string(), content: z.unknown().optional() })),
  tools: z.array(z.looseObject({ function: named })).default([]),
});

function readCompletions(from: unknown): Asked {
  const { stream, model, messages, tools } = completions.parse(from);
  return {
    turns: messages
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({
        who: role === 'tool' ? 'tool' : role === 'assistant' ? 'model' : 'user',
        text: flat(content),
      })),
    tools: tools.map((tool) => tool.function.name ?? ''),
    answer(says) {
      const base = { id: `chat-${++count}`, created: 1, model };
      const called = 'tool' in says && [
        {
          index: 0,
          id: `call-${count}`,
          type: 'function',
          function: { name: says.tool, arguments: says.args },
        },
      ];
      const message = {
        role: 'assistant',
        content: 'text' in says ? says.text : null,
        ...(called && { tool_calls: called }),
      };
      const finish_reason = called ? 'tool_calls' : 'stop';
      if (!stream)
        return {
          body: {
            ...base,
            object: 'chat.completion',
            choices: [{ index: 0, message, finish_reason }],
            usage,
          },
        };
      const chunk = { ...base, object: 'chat.completion.chunk' };
      return {
        events: [
          { data: { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] } },
          { data: { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage } },
          { data: '[DONE]' },
        ],
      };
    },
  };
}

const items = z.array(
  z.looseObject({
    type: z.string().optional(),
    role: z.string().optional(),
    content: z.unknown().optional(),
    output: z.unknown().optional(),
  }),
);

const responses = z.object({
  stream: z.boolean().default(false),
  model: z.string().default('scripted'),
  input: z.preprocess(
    (input) => (typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input),
    items,
  ),
  tools: z
    .array(z.looseObject({ type: z.string(), name: z.string().optional(), tools: z.array(named).optional() }))
    .default([]),
});

/** Between the name of a group of tools and a tool's own. */
const IN = '\0';

function readResponses(from: unknown): Asked {
  const { stream, model, input, tools } = responses.parse(from);
  return {
    turns: input.map(({ type = 'message', role, content, output }) =>
      type.endsWith('call_output')
        ? { who: 'tool', text: typeof output === 'string' ? output : flat(output) || JSON.stringify(output) }
        : {
            who: type === 'message' && role === 'user' ? 'user' : 'model',
            text: role === 'user' ? flat(content) : '',
          },
    ),
    tools: tools.flatMap(
      (tool) => tool.tools?.map(({ name }) => `${tool.name}${IN}${name}`) ?? [tool.name ?? tool.type],
    ),
    answer(says) {
      const id = `response-${++count}`;
      const [group, name] =
        'tool' in says ? (says.tool.includes(IN) ? says.tool.split(IN) : [undefined, says.tool]) : [];
      const item =
        'tool' in says
          ? {
              type: 'function_call',
              id: `fc-${count}`,
              call_id: `call-${count}`,
              name,
              ...(group && { namespace: group }),
              arguments: says.args,
              status: 'completed',
            }
          : {
              type: 'message',
              id: `message-${count}`,
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: says.text, annotations: [] }],
            };
      const tokens = {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
      };
      const done = { id, object: 'response', status: 'completed', model, output: [item], usage: tokens };
      if (!stream) return { body: done };
      const event = (type: string, more: object): Event => ({ name: type, data: { type, ...more } });
      return {
        events: [
          event('response.created', { response: { id, status: 'in_progress', output: [] } }),
          event('response.output_item.added', { output_index: 0, item }),
          ...('text' in says
            ? [
                event('response.output_text.delta', {
                  item_id: item.id,
                  output_index: 0,
                  content_index: 0,
                  delta: says.text,
                }),
              ]
            : []),
          event('response.output_item.done', { output_index: 0, item }),
          event('response.completed', { response: done }),
        ],
      };
    },
  };
}

const messages = z.object({
  stream: z.boolean().default(false),
  model: z.string().default('scripted'),
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([
        z.string().transform((text) => [{ type: 'text', text }]),
        z.array(z.looseObject({ type: z.string() })),
      ]),
    }),
  ),
  tools: z.array(named).default([]),
});

function readMessages(from: unknown): Asked {
  const { stream, model, ...asked } = messages.parse(from);
  return {
    turns: asked.messages.flatMap(({ role, content }) =>
      content.map(
        (block): Turn => ({
          who: block.type === 'tool_result' ? 'tool' : role === 'assistant' ? 'model' : 'user',
          text: flat(block),
        }),
      ),
    ),
    tools: asked.tools.map(({ name = '' }) => name),
    answer(says) {
      const block =
        'tool' in says
          ? { type: 'tool_use', id: `toolu_${++count}`, name: says.tool, input: JSON.parse(says.args) }
          : { type: 'text', text: says.text };
      const stop_reason = 'tool' in says ? 'tool_use' : 'end_turn';
      const message = {
        id: `msg_${++count}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [block],
        stop_reason,
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      };
      if (!stream) return { body: message };
      const event = (type: string, more: object = {}): Event => ({ name: type, data: { type, ...more } });
      const [begun, delta] =
        'tool' in says
          ? [
              { ...block, input: {} },
              { type: 'input_json_delta', partial_json: says.args },
            ]
          : [
              { type: 'text', text: '' },
              { type: 'text_delta', text: says.text },
            ];
      return {
        events: [
          event('message_start', { message: { ...message, content: [], stop_reason: null } }),
          event('content_block_start', { index: 0, content_block: begun }),
          event('content_block_delta', { index: 0, delta }),
          event('content_block_stop', { index: 0 }),
          event('message_delta', {
            delta: { stop_reason, stop_sequence: null },
            usage: { output_tokens: 1 },
          }),
          event('message_stop'),
        ],
      };
    },
  };
}

const contents = z.object({
  contents: z.array(
    z.looseObject({
      role: z.string().optional(),
      parts: z
        .array(
          z.looseObject({
            text: z.string().optional(),
            functionResponse: z.looseObject({ response: z.unknown().optional() }).optional(),
          }),
        )
        .default([]),
    }),
  ),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(named).default([]) })).default([]),
  generationConfig: z
    .looseObject({ responseMimeType: z.string().optional(), responseJsonSchema: z.unknown().optional() })
    .default({}),
});

function readContents(from: unknown, path: string): Asked {
  const asked = contents.parse(from);
  return {
    turns: asked.contents.flatMap(({ role, parts }) =>
      parts.map(
        (part): Turn =>
          part.functionResponse === undefined
            ? { who: role === 'model' ? 'model' : 'user', text: part.text ?? '' }
            : { who: 'tool', text: JSON.stringify(part.functionResponse.response) },
      ),
    ),
    tools: asked.tools.flatMap(({ functionDeclarations }) =>
      functionDeclarations.map(({ name = '' }) => name),
    ),
    answer(says) {
      const { responseMimeType, responseJsonSchema } = asked.generationConfig;
      // Gemini CLI asks which model suits, and whose turn it is.
      const routes = responseMimeType === 'application/json' || responseJsonSchema !== undefined;
      const part = routes
        ? {
            text: JSON.stringify({
              reasoning: 'x',
              model_choice: 'pro',
              complexity_score: 50,
              complexity_reasoning: 'x',
              next_speaker: 'user',
            }),
          }
        : 'tool' in says
          ? { functionCall: { name: says.tool, args: JSON.parse(says.args) } }
          : { text: says.text };
      const body = {
        candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
        modelVersion: 'scripted',
      };
      return path.includes('stream') ? { events: [{ data: body }] } : { body };
    },
  };
}

const dialects: readonly (readonly [string, (from: unknown, path: string) => Asked])[] = [
  ['/chat/completions', readCompletions],
  ['/responses', readResponses],
  ['/messages', readMessages],
  ['enerateContent', readContents],
];
