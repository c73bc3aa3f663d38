import * as z from 'zod';
import type { ContentBlock } from '../../core/messages/content.ts';
import { createMcpTool } from '../../core/tool/create-mcp-tool.ts';
import { asMarkdown, item, pictureOf } from './as-markdown.ts';

/** Shows the person something, and hears what they say to it. */
export const show = createMcpTool('show')
  .description(
    'Shows the user Markdown, code, a diff, a table or a picture, and gives what they reply, if anything. For what is hard to read in ' +
      'chat. To have something approved use approve or review_plan.',
  )
  .parameters(
    z.object({
      title: z.string().min(1).max(200),
      items: z.array(item).min(1).max(10),
      wait: z.boolean().default(true).describe('false: returns at once, without a reply.'),
    }),
  )
  .annotations({ readOnlyHint: true, openWorldHint: false })
  .title('Show Something')
  .elicits({})
  .execute(function* ({ title, items, wait }, ctx) {
    const text = items.map(asMarkdown).join('\n\n');
    const pictures = items.flatMap((one) => pictureOf(one) ?? []);
    if (!wait || !ctx.capabilities.elicitation) {
      return [
        said({ status: 'handed to the client, which may show it' }),
        forPerson(`**${title}**\n\n${text}`),
        ...pictures,
      ];
    }
    const answer = yield* ctx.elicit({ message: `${title}\n\n${text}`, schema: reply });
    const word = answer.action === 'accept' ? (answer.content.reply?.trim() ?? '') : '';
    const status = answer.action === 'accept' ? 'seen' : 'dismissed';
    return [said(word === '' ? { status } : { status, reply: word }), ...pictures];
  });

const reply = z.object({
  reply: z.string().max(4000).optional().meta({ title: 'Your reply', multiline: true }),
});

function said(value: Readonly<Record<string, string>>): ContentBlock {
  return { type: 'text', text: JSON.stringify(value) };
}

function forPerson(text: string): ContentBlock {
  const block = { type: 'text' as const, text, annotations: { audience: ['user'] } };
  return block;
}
