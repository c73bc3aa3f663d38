import { type Operation, scoped, until } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import { useClock } from '../../core/index.ts';
import { defined } from '../../core/schema/defined.ts';
import {
  type Client,
  foreignTool,
  readContents,
  readPrompt,
  type ServerConnection,
  type ServerEntry,
  saidIn,
  useMcpConnection,
} from '../../mcp/client/index.ts';
import { packageVersion } from '../package-info.ts';
import type { ServerFacts } from './server-report.ts';
import { code, type Finding } from './table.ts';

type Era = '2025' | '2026';

/** Resources and prompts that are read, and how long each may take. Milliseconds. */
const READ = 5;
const TIMEOUT = 10_000;

/** Connects to a server as Parley does, and finds out what it speaks, offers and gives. @throws `ServerUnavailableError` */
export function* examineServer(entry: ServerEntry): Operation<ServerFacts> {
  const info = { name: 'parley-doctor', version: packageVersion() };
  const facts = yield* scoped(function* () {
    const { connection, client, seconds } = yield* connect(entry, info);
    const era = eraOf(connection);
    const connected: Finding = { what: 'Connect, and list all', outcome: `speaks ${era}`, seconds };
    return { era, ...(yield* examine(connection, client, connected)) };
  });
  if (facts.era === '2025') return { ...facts, eras: ['2025'] };
  const older = yield* tried('Connect as a client of 2025-11-25', () =>
    scoped(function* () {
      yield* connect(entry, info, '2025');
      return 'answered';
    }),
  );
  const eras: readonly Era[] = older.failed ? ['2026'] : ['2025', '2026'];
  return { ...facts, eras, findings: [...facts.findings, older] };
}

function* connect(entry: ServerEntry, info: { readonly name: string; readonly version: string }, era?: Era) {
  const clock = yield* useClock();
  const begun = clock.now();
  const connection = yield* useMcpConnection(entry, { info, ...defined({ era }) });
  const client = yield* connection.client();
  return { connection, client, seconds: (clock.now() - begun) / 1000 };
}

function eraOf(connection: ServerConnection): Era {
  const state = connection.state();
  return state.kind === 'ready' ? state.era : '2025';
}

function* examine(
  connection: ServerConnection,
  client: Client,
  connected: Finding,
): Operation<Omit<ServerFacts, 'eras'>> {
  const { tools, prompts, resources, templates, problems } = connection.offers();
  const findings: Finding[] = [connected];
  const content = new Set<string>();
  if (client.getServerCapabilities()?.tools) {
    findings.push(
      yield* tried('List the tools again', function* () {
        yield* until(client.listTools(undefined, { timeout: TIMEOUT, cacheMode: 'refresh' }));
        return 'answered';
      }),
    );
  }
  for (const { uri } of resources.slice(0, READ)) {
    findings.push(
      yield* tried('Read a resource', function* () {
        const read = yield* until(client.readResource({ uri }, { timeout: TIMEOUT }));
        const contents = readContents(saidIn(read), uri);
        const kinds = contents.map((one) =>
          `${'blob' in one ? 'blob' : 'text'} ${one.mimeType ?? ''}`.trim(),
        );
        return gave(kinds, content);
      }),
    );
  }
  const ready = prompts.filter((one) => !one.arguments?.some(({ required }) => required));
  for (const { name } of ready.slice(0, READ)) {
    findings.push(
      yield* tried('Get a prompt', function* () {
        const got = yield* until(client.getPrompt({ name }, { timeout: TIMEOUT }));
        const { messages } = yield* readPrompt(saidIn(got));
        return gave(
          messages.map((message) => message.content.type),
          content,
        );
      }),
    );
  }
  const { name, version } = client.getServerVersion() ?? { name: 'nameless', version: '' };
  return {
    name: `${name} ${version}`.trim(),
    protocol: client.getNegotiatedProtocolVersion() ?? 'nothing that it says',
    capabilities: client.getServerCapabilities() ?? {},
    counts: {
      tools: tools.length,
      prompts: prompts.length,
      resources: resources.length,
      'resource templates': templates.length,
    },
    content: [...content].sort(),
    findings,
    problems: [...problems, ...tools.flatMap((tool) => unusable(() => foreignTool(connection, tool)))],
  };
}

function gave(kinds: readonly string[], content: Set<string>): string {
  for (const kind of kinds) content.add(kind);
  return kinds.length === 0 ? 'nothing in it' : [...new Set(kinds)].map(code).join(', ');
}

/** Why something of the server's is nothing that Parley can use. */
function unusable(make: () => unknown): readonly string[] {
  try {
    make();
    return [];
  } catch (error) {
    return [toError(error).message];
  }
}

/** Tries one thing and takes the time. What fails is a finding. */
function* tried(
  what: string,
  run: () => Operation<string>,
): Operation<Finding & { readonly failed: boolean }> {
  const clock = yield* useClock();
  const begun = clock.now();
  const found = (outcome: string, failed: boolean) => ({
    what,
    outcome,
    failed,
    seconds: (clock.now() - begun) / 1000,
  });
  try {
    return found(yield* run(), false);
  } catch (error) {
    return found(`failed: ${code(toError(error).message)}`, true);
  }
}
