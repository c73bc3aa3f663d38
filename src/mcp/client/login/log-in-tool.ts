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
      `Lets the user log in to the server '${server}'. Afterwards, its tools are available to this user only.`,
    )
    .parameters(z.object({}))
    .title(`Log in to ${server}`)
    .elicits({})
    .execute(function* (_, ctx): Operation<string> {
      const waiting = find();
      if (!waiting) throw new ServerUnavailableError({ server, why: 'no login is needed now' });
      const { action } = yield* sendToPage(ctx, {
        message: `Log in to '${server}'. The last page shows a code. Enter it here.`,
        url: waiting.page.href,
      });
      if (action !== 'accept') return `the login to ${server} was not completed`;
      for (;;) {
        const answer = yield* ctx.elicit({
          message: `Which code does the last page of the login to '${server}' show?`,
          schema: z.object({ code: z.string().min(1).max(4_000).meta({ title: 'Code' }) }),
        });
        if (answer.action !== 'accept') return `the login to ${server} was not completed`;
        if (waiting.finish(answer.content.code)) break;
      }
      yield* connection.client();
      return `logged in to ${server}`;
    });
}
