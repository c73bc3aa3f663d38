import { type Operation, until } from 'effection';
import { defined } from '../core/schema/defined.ts';
import { FaultsContext, useMcpServer, usePageHere } from '../mcp/index.ts';
import { takeStdout } from '../mcp/stdio/own-stdout.ts';
import { toolsAnywhere } from '../tools/anywhere.ts';
import { packageVersion } from './package-info.ts';
import { useInbox } from './serving/inbox.ts';
import { useSafetyNet } from './serving/safety-net.ts';
import { say } from './terminal-text.ts';

/**
 * `parley-mcp` alone: serves the tools that come with Parley on stdio, until the client is gone. It loads nothing of a folder, and no
 * more than that takes: a client waits for it with each start.
 */
export function* serveAlone(): Operation<number> {
  takeStdout();
  yield* useSafetyNet();
  yield* FaultsContext.set(({ message, cause }) => say(message, cause));
  const report = (message: string, cause?: unknown) => say(message, cause);
  const inbox = yield* useInbox('parley', report);
  const server = yield* useMcpServer({
    name: 'parley',
    version: packageVersion(),
    tools: toolsAnywhere,
    page: yield* usePageHere(report, inbox),
    ...defined({ shown: inbox?.shown }),
    onProblem: report,
  });
  yield* until(server.listen());
  return 0;
}
