const { fromSchema } = require('./from-schema.cjs');
const { inputFor, lunchTip, valueFor } = require('./stories.cjs');
const { travelTip } = require('./travel-tip.cjs');

/**
 * What the demo model says when no script tells it: always the same for the same request.
 * @returns a reply as `provider.cjs` speaks it
 */
exports.answer = (request) => {
  const prompt = lastPrompt(request.messages);
  const results = latestResults(request.messages);
  if (request.toolMode === 'required' && request.tools.length > 0) return call(request.tools[0], prompt);
  if (results.length > 0) return { text: `Done. ${results.join('\n\n')}` };
  const wanted = request.tools.find((tool) => isAskedFor(tool, prompt));
  if (wanted !== undefined)
    return { text: `I will use ${wanted.name.replace(/^mcp_parley_/, '')}. `, ...call(wanted, prompt) };
  const schema = schemaIn(prompt);
  if (schema !== undefined) return { text: JSON.stringify(valueFrom(schema, prompt), null, 2) };
  const lunch = lunchTip(prompt);
  if (lunch !== undefined) return { text: lunch };
  if (/\btips?\b/i.test(prompt)) return { text: travelTip(prompt) };
  return {
    text:
      'I am the Parley demo model: I run offline, I am scripted and I always answer the same. ' +
      `I was asked: “${shorten(prompt)}”`,
  };
};

/**
 * The title of a conversation, where that is asked for: what the person said first, so that two conversations are told apart.
 * @returns a reply as `provider.cjs` speaks it; `undefined` for every other request
 */
exports.title = (request) => {
  if (request.tools.length > 0) return undefined;
  const [, said] = /\btitle for the following request:\s*(.+)/i.exec(lastPrompt(request.messages)) ?? [];
  return said === undefined ? undefined : { text: said.trim().slice(0, LONGEST_TITLE) };
};

const LONGEST_TITLE = 60;

const call = (tool, prompt) => ({
  toolCalls: [
    { name: tool.name, input: inputFor(tool.name, prompt) ?? valueFrom(tool.inputSchema ?? {}, prompt) },
  ],
});

const valueFrom = (schema, prompt) => valueFor(schema, prompt) ?? fromSchema(schema, prompt);

/** The text of the last thing a person said; Copilot wraps it in a tag among much else. */
function lastPrompt(messages) {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => textOf(message.content))
    .filter((said) => said.trim() !== '')
    .at(-1);
  if (text === undefined) return '';
  const tagged = /<(userRequest|user_query|prompt)>([\s\S]*?)<\/\1>/.exec(text);
  return (tagged?.[2] ?? text).trim();
}

/** What the tools answered, if that is the last thing that happened. */
function latestResults(messages) {
  const last = messages.at(-1)?.content ?? [];
  return last
    .filter((part) => part.type === 'tool_result')
    .map((part) => textOf(part.content))
    .map((text) => (text.trim() === '' ? 'The tool answered without text.' : text));
}

const textOf = (content) =>
  content
    .filter((part) => part.type === 'text')
    .map((part) => part.text)
    .join('\n');

/** By its name, or by every word of its name: “book me a flight” and “run book_flight” ask for `mcp_parley_book_flight`. */
function isAskedFor(tool, prompt) {
  const said = spaced(prompt);
  const names = [tool.name, ...(/ask_user$/.test(tool.name) ? ['askWithForm'] : [])];
  if (names.some((name) => said.includes(spaced(name)))) return true;
  const words = spaced(tool.name)
    .split(/[^a-z0-9]+/)
    .filter((word) => !['', 'mcp', 'parley', 'copilot', 'workspace'].includes(word));
  return words.length > 1 && words.every((word) => new RegExp(`\\b${word}`).test(said));
}

/** In small letters, `bookFlight` and `book_flight` as “book flight”. */
const spaced = (text) =>
  text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .toLowerCase();

/** A JSON Schema written out in a prompt that asks for JSON. */
function schemaIn(prompt) {
  const start = prompt.indexOf('{');
  const end = prompt.lastIndexOf('}');
  if (start === -1 || end < start) return undefined;
  try {
    const value = JSON.parse(prompt.slice(start, end + 1));
    return value.type === 'object' && typeof value.properties === 'object' ? value : undefined;
  } catch {
    return undefined;
  }
}

const shorten = (text) => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
