import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { APP_TOOLS, type Snapshot, type ToHost, type Watched } from '#src/panel-port/index.ts';

/** What a client with pages says of itself. */
export const showsPages = {
  'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
};

/** A page as a host draws it: it follows its call and says what a person would. */
export async function drawPage(client: Client, tool: string) {
  const { contents } = await client.readResource({ uri: `ui://parley/${tool}` });
  const html = String((contents[0] as { text?: string } | undefined)?.text);
  const ticket = /data-ticket="([^"]+)"/.exec(html)?.[1] ?? '';
  let after = 0;
  const page = {
    html,
    ticket,
    async watch(input: object, more: object = {}): Promise<Watched> {
      const { structuredContent } = await client.callTool({
        name: APP_TOOLS.watch,
        arguments: { ticket, input, after, ...more },
      });
      const mail = structuredContent as Watched;
      after = mail.at;
      return mail;
    },
    /** Follows until it shows this stage. */
    async until(kind: Snapshot['head']['stage']['kind'], input: object, more: object = {}, attempt = 0) {
      for (;;) {
        const { messages, state, told } = await page.watch(input, more);
        // Several may come at once: the last of them is what it shows.
        for (const message of messages.toReversed()) {
          const { head } = message.body as { head?: Snapshot['head'] };
          if (head?.stage.kind === kind && asked(head.stage) >= attempt) return { stage: head.stage, told };
        }
        if (state !== 'open') throw new Error(`the page is ${state}`);
      }
    },
    async question(input: object, more: object = {}, attempt = 1) {
      const { stage } = await page.until('question', input, more, attempt);
      if (stage.kind !== 'question') throw new Error(stage.kind);
      return stage.question;
    },
    /** The question that comes after one: that may be drawn again meanwhile. */
    async questionAfter(id: string, input: object) {
      for (;;) {
        const question = await page.question(input);
        if (question.id !== id) return question;
      }
    },
    send: (...messages: (ToHost | object)[]) =>
      client.callTool({ name: APP_TOOLS.send, arguments: { ticket, messages } }),
  };
  return page;
}

/** How often a stage has been asked. */
const asked = (stage: Snapshot['head']['stage']): number =>
  stage.kind === 'question' ? stage.question.attempt : 0;
