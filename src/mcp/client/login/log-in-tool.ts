import type { Operation } from 'effection';
import * as z from 'zod';
import { ServerUnavailableError } from '../../../core/errors/foreign-errors.ts';
import { createMcpTool } from '../../../core/tool/create-mcp-tool.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { foreignName } from '../../wire/foreign-name.ts';
import { sendToPage } from '../calls/answer-ask.ts';
import type { ServerConnection } from '../server-connection.ts';
import type { WaitingLogin } from './waiting-logins.ts';

/** What the tool is called where `server__tool` are the tools of a server: it stands in their place until they are there. */
const NAME = 'log_in';

/** A tool with which a principal logs in at a server behind this one: until then that is all there is of the server. */
export function logInTool(connection: ServerConnection, find: () => WaitingLogin | undefined): AnyTool {
  const server = connection.name;
  return createMcpTool(foreignName(server, NAME))
    .description(
      `Lets the user log in at the server '${server}'. Its tools are there afterwards, for this user alone.`,
    )
    .parameters(z.object({}))
    .title(`Log in at ${server}`)
    .elicits({})
    .execute(function* (_, ctx): Operation<string> {
      const waiting = find();
      if (!waiting) throw new ServerUnavailableError(server, 'there is no login to do there now');
      const { action } = yield* sendToPage(ctx, {
        message: `Log in at '${server}'. The page that you come to in the end shows a code, which you are asked for here.`,
        url: waiting.page.href,
      });
      if (action !== 'accept') return `nobody has logged in at ${server}`;
      for (;;) {
        const answer = yield* ctx.elicit({
          message: `Which code does the page show at the end of the login at '${server}'?`,
          schema: z.object({ code: z.string().min(1).max(4_000).meta({ title: 'Code' }) }),
        });
        if (answer.action !== 'accept') return `nobody has logged in at ${server}`;
        if (waiting.finish(answer.content.code)) break;
      }
      yield* connection.client();
      return `logged in at ${server}`;
    });
}
