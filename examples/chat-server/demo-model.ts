import type { ChatModel } from 'parley-mcp/chat';

/**
 * A model that needs no account: it calls the tool when the person has spoken, and reads its result aloud. Yours asks a
 * provider instead: send `request.messages` and `request.tools`, hand on each piece of text, return the whole answer.
 */
export const demoModel: ChatModel = {
  *respond(request, onText) {
    // A tool asks it, with `ctx.sample`: `maxTokens` says how much it may say.
    if (request.maxTokens !== undefined) {
      return { role: 'assistant', model: 'demo', content: [{ type: 'text', text: 'Take the tram.' }] };
    }
    const said = [request.messages.at(-1)?.content ?? []].flat().at(-1);
    if (said?.type !== 'tool_result') {
      const id = crypto.randomUUID();
      const call = { type: 'tool_use', id, name: 'plan_trip', input: {} } as const;
      return { role: 'assistant', model: 'demo', content: [call] };
    }
    const result = [...said.content].find((block) => block.type === 'text')?.text ?? 'nothing';
    const text = `Here is your plan: ${result}`;
    yield* onText(text);
    return { role: 'assistant', model: 'demo', content: [{ type: 'text', text }] };
  },
};
