import type { Operation } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import type { ServerEntry } from '../../mcp/client/index.ts';
import type { DoctorServer } from '../args.ts';
import { say, terminalLine } from '../terminal-text.ts';
import { examineServer } from './examine-server.ts';
import { serverReportOf } from './server-report.ts';

/** `parley doctor --server`: writes the report to stdout. Gives the exit code: 1 where there is no server to examine. */
export function* doctorServer(given: DoctorServer, cwd: string): Operation<number> {
  try {
    const report = serverReportOf(yield* examineServer(entryOf(given, cwd)));
    process.stdout.write(`${report.split('\n').map(terminalLine).join('\n')}\n`);
    return 0;
  } catch (error) {
    say(toError(error).message);
    return 1;
  }
}

function entryOf({ target, args }: DoctorServer, cwd: string): ServerEntry {
  if (/^https?:\/\//i.test(target)) return { kind: 'http', name: 'server', url: target, headers: {} };
  return { kind: 'stdio', name: 'server', command: target, args, env: {}, cwd };
}
