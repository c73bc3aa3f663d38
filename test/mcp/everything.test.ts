import { createRequire } from 'node:module';
import { type Operation, run, withResolvers } from 'effection';
import { describe, expect, it } from 'vitest';
import type { AnyPrompt } from '#src/core/served/prompt.ts';
import type { Resource, ResourceTemplate } from '#src/core/served/resource.ts';
import { useMcpConnection, useServers } from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { type Connected, nodeServer, textOf, withServer } from './kit/foreign.ts';
import { outcome } from './kit/outcome.ts';

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
);
const everything = nodeServer('everything', program);
const inServer = <T>(body: (connected: Connected) => Operation<T>) => withServer(everything, body);

const accept = (content: Readonly<Record<string, string | number | boolean | readonly string[]>> = {}) =>
  ({ action: 'accept', content }) as const;

describe('server-everything while nobody calls it', () => {
  it('is told the folders of whoever connects, and anew when they change', () =>
    run(function* () {
      const said: string[] = [];
      let heard = withResolvers<void>();
      let roots = [{ uri: 'file:///one', name: 'one' }];
      const connection = yield* useMcpConnection(everything, {
        roots: () => roots,
        onLog({ message }) {
          if (message.startsWith('Roots updated')) said.push(message);
          heard.resolve();
        },
      });
      function* untilSaid(count: number) {
        while (said.length < count) {
          yield* heard.operation;
          heard = withResolvers<void>();
        }
      }
      yield* connection.client();
      yield* untilSaid(1);
      roots = [...roots, { uri: 'file:///two', name: 'two' }];
      connection.rootsChanged();
      yield* untilSaid(2);
      expect(said).toEqual([
        'Roots updated: 1 root(s) received from client',
        'Roots updated: 2 root(s) received from client',
      ]);
    }));
});

describe('the tools of server-everything', () => {
  it('run with what they take, and give what they give', () =>
    inServer(function* ({ call, connection }) {
      expect(connection.state()).toEqual({ kind: 'ready', era: '2025' });
      expect(textOf(yield* call('echo', { message: 'Hello' }))).toBe('Echo: Hello');
      expect(textOf(yield* call('get-sum', { a: 1, b: 2 }))).toContain('3');
      expect(yield* call('get-tiny-image')).toMatchObject({
        content: expect.arrayContaining([expect.objectContaining({ type: 'image', mimeType: 'image/png' })]),
      });
      expect(yield* call('get-structured-content', { location: 'Chicago' })).toMatchObject({
        structuredContent: { conditions: expect.any(String) },
      });
      expect(
        yield* call('get-annotated-message', { messageType: 'error', includeImage: true }),
      ).toMatchObject({
        content: [{ type: 'text' }, { type: 'image' }],
      });
      expect(yield* call('get-resource-links', { count: 2 })).toMatchObject({
        content: [{ type: 'text' }, { type: 'resource_link' }, { type: 'resource_link' }],
      });
      expect(yield* call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 })).toMatchObject({
        content: expect.arrayContaining([expect.objectContaining({ type: 'resource' })]),
      });
      const zipped = { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' };
      expect(yield* call('gzip-file-as-resource', zipped)).toMatchObject({ content: [{ type: 'resource' }] });
      expect(textOf(yield* call('toggle-simulated-logging'))).toContain('logging');
      expect(textOf(yield* call('toggle-subscriber-updates'))).toContain('updates');
    }));

  it(
    'get only the environment that their entry names, and how many started each other',
    { tags: 'long' },
    () =>
      withServer({ ...everything, env: { SHOWN: 'yes' } } as typeof everything, function* ({ call }) {
        process.env.PARLEY_TEST_SECRET = 'hidden';
        const seen = Object.keys(JSON.parse(textOf(yield* call('get-env'))) as object);
        expect(seen.filter((name) => !name.startsWith('__') && name !== 'LC_CTYPE').sort()).toEqual([
          'HOME',
          'PARLEY_NESTING',
          'PATH',
          'SHOWN',
        ]);
      }),
  );

  it('judge their own arguments, and fail with what the server says', () =>
    inServer(function* ({ call }) {
      const refused = yield* outcome(call('get-sum', { a: 'one' }));
      expect(refused).toMatchObject({
        code: 'FOREIGN_TOOL',
        message: expect.stringContaining('expected number'),
      });
      const failed = yield* outcome(call('gzip-file-as-resource', { data: 'file:///etc/passwd' }));
      expect(failed).toMatchObject({
        code: 'FOREIGN_TOOL',
        server: 'everything',
        tool: 'gzip-file-as-resource',
      });
    }));

  it('ask the person, and take accept, decline and cancel', () =>
    inServer(function* ({ call }) {
      const answered = createMockMcpClient({
        elicitResponses: ({ requestedSchema }) => {
          expect(Object.keys(requestedSchema.properties)).toContain('name');
          return accept({ name: 'Ada', check: true, email: 'ada@example.com' });
        },
      });
      expect(textOf(yield* call('trigger-elicitation-request', {}, answered))).toContain('Ada');
      expect(answered.transcript.filter(({ type }) => type === 'elicit')).toHaveLength(1);
      for (const action of ['decline', 'cancel'] as const) {
        const client = createMockMcpClient({ elicitResponses: [{ action }] });
        expect(textOf(yield* call('trigger-elicitation-request', {}, client)).toLowerCase()).toContain(
          action,
        );
      }
    }));

  it('send the person to a page, as a question and as an error', () =>
    inServer(function* ({ call }) {
      for (const errorPath of [false, true]) {
        const messages: string[] = [];
        const client = createMockMcpClient({
          capabilities: { elicitation: { form: true } },
          elicitResponses: ({ message }) => {
            messages.push(message);
            return accept();
          },
        });
        yield* call('trigger-url-elicitation', { url: 'https://example.com/pay', errorPath }, client);
        expect(messages.at(-1)).toContain('https://example.com/pay');
        // As an error, it wants another page first.
        expect(messages).toHaveLength(errorPath ? 2 : 1);
      }
      for (const errorPath of [false, true]) {
        const asked: (string | undefined)[] = [];
        const client = createMockMcpClient({
          elicitResponses: ({ url }) => {
            asked.push(url);
            return accept();
          },
        });
        yield* call('trigger-url-elicitation', { url: 'https://example.com/pay', errorPath }, client);
        expect(asked[errorPath ? 2 : 0]).toBe('https://example.com/pay');
        // Before a call is made again, the person says that they have finished on its page.
        expect(asked.map((url) => url !== undefined)).toEqual(errorPath ? [true, false, true] : [true]);
      }
      const client = createMockMcpClient();
      yield* outcome(call('trigger-url-elicitation', { url: 'javascript:alert(1)' }, client));
      expect(client.transcript.filter(({ type }) => type === 'elicit')).toEqual([]);
    }));

  it('sample by the model of the call, once the person has read the prompt and let them', () =>
    inServer(function* ({ call }) {
      const client = createMockMcpClient({
        elicitResponses: [accept()],
        sampleResponses: ['Lisbon', 'Porto'],
      });
      const first = yield* call('trigger-sampling-request', { prompt: 'Where to?' }, client);
      expect(textOf(first)).toContain('Lisbon');
      expect(textOf(yield* call('trigger-sampling-request', { prompt: 'And then?' }, client))).toContain(
        'Porto',
      );
      const [asked, ...others] = client.transcript.filter(({ type }) => type === 'elicit');
      // It names no button: clients call theirs Submit, Accept, Respond.
      const consent = /wants to use your model\. Allow it until the server reconnects\?.*Where to\?/s;
      expect(asked).toMatchObject({ request: { message: expect.stringMatching(consent) } });
      expect(others).toEqual([]);
    }));

  it('hear that the person did not let them use the model', () =>
    inServer(function* ({ call }) {
      const client = createMockMcpClient({ elicitResponses: [{ action: 'decline' }] });
      const refused = yield* outcome(call('trigger-sampling-request', { prompt: 'Where to?' }, client));
      expect(String((refused as Error).message)).toContain('did not let');
      expect(client.transcript.some(({ type }) => type === 'sample')).toBe(false);
    }));

  it('report progress, and read the folders of the call', () =>
    inServer(function* ({ call }) {
      const client = createMockMcpClient({ roots: [{ uri: 'file:///work', name: 'work' }] });
      yield* call('trigger-long-running-operation', { duration: 0.2, steps: 2 }, client);
      const reports = client.transcript.filter((entry) => entry.type === 'notify');
      // The last one comes with the result, and the SDK may lose it then; one that waits gives way to the next.
      expect(reports.map(({ value, total }) => `${value} of ${total}`).join()).toMatch(
        /^(1 of 2|2 of 2|1 of 2,2 of 2)$/,
      );
      expect(textOf(yield* call('get-roots-list', {}, client))).toContain('file:///work');
    }));
});

it('the prompts and resources of server-everything are read, completed and watched as ours', () =>
  run(function* () {
    const servers = yield* useServers([everything]);
    const [connection] = servers.connections;
    if (!connection) throw new Error('no connection');
    yield* connection.client();
    const read = (tool: AnyPrompt | Resource | ResourceTemplate, params: Readonly<Record<string, string>>) =>
      runMcpTool(tool.def.tool, params);

    const prompts = new Map(servers.prompts.list().map((prompt) => [prompt.name, prompt]));
    expect(prompts.size).toBe(4);
    const given: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      'args-prompt': { city: 'Lisbon' },
      'completable-prompt': { department: 'Engineering', name: 'Alice' },
      'resource-prompt': { resourceType: 'Text', resourceId: '1' },
    };
    for (const [name, prompt] of prompts) {
      const params = given[name.replace(/^everything__/, '')] ?? {};
      expect(yield* read(prompt, params)).toMatchObject({
        messages: expect.arrayContaining([expect.anything()]),
      });
    }
    const completer = prompts.get('everything__completable-prompt')?.def.completers.department;
    if (typeof completer !== 'function') throw new Error('no completer');
    expect(yield* completer('Eng', { arguments: {} })).toEqual(['Engineering']);

    const resources = servers.resources.list();
    expect(resources.length).toBeGreaterThan(2);
    for (const one of resources) {
      if (one.kind === 'parley.resource') {
        const { uri } = one.def.info;
        expect(yield* read(one, { uri })).toEqual([expect.objectContaining({ uri })]);
      } else {
        const uri = one.def.info.uriTemplate.replace(/\{.*\}/, '1');
        expect(yield* read(one, { uri, ...one.def.match(uri) })).toEqual([expect.objectContaining({ uri })]);
      }
    }
  }));
