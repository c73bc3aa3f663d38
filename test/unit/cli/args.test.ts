import { describe, expect, test } from 'vitest';
import { parseCommand } from '#src/cli/args.ts';
import { readOptions } from '#src/cli/options.ts';
import { usageOf } from '#src/cli/usage.ts';

const parse = (line: string) => parseCommand(line.split(' ').filter(Boolean));

describe('parley new', () => {
  test('takes a name, a template and a folder', () => {
    expect(parse('new greet')).toEqual({
      kind: 'new',
      tool: { name: 'greet', template: 'question', folder: '.' },
    });
    expect(parse('new greet web --template view')).toMatchObject({
      tool: { template: 'view', folder: 'web' },
    });
  });

  test.each([
    ['new', 'needs the NAME'],
    ['new a/b', "'a/b' is not a valid tool name"],
    ['new greet --template big', '--template is one of plain, question, view, sampling, branches'],
    ['new greet a b', "not 'b' as well"],
  ])('refuses `%s`', (line, problem) => {
    expect(() => parse(line)).toThrow(problem);
  });
});

describe('parley pack', () => {
  test('writes a program, or with an author a bundle', () => {
    expect(parse('pack .')).toMatchObject({
      kind: 'pack',
      pack: { author: undefined, packVersion: '1.0.0' },
    });
    expect(parse('pack . --mcpb --author Ada')).toMatchObject({ pack: { author: 'Ada' } });
  });

  test.each([
    ['pack', 'needs at least one MODULE'],
    ['pack . --mcpb', '--mcpb needs --author NAME'],
    ['pack . --mcpb --plugin --author Ada', 'cannot be used together'],
    ['pack . --plugin --name a_b', "the --name of a plugin is made of a-z, 0-9 and single '-'"],
    ['pack . --name ../x', '--name is made of'],
    ['pack . --pack-version next', '--pack-version is a version'],
  ])('refuses `%s`', (line, problem) => {
    expect(() => parse(line)).toThrow(problem);
  });
});

test.each(['serve --port 4100 a.ts', 'serve a.ts --json', 'doctor --no-token'])(
  'what means nothing without --http is refused: `%s`',
  (line) => expect(() => parse(line)).toThrow(/^--(port|json|no-token) needs --http/),
);

describe('parley setup', () => {
  test('adds the tools that come with Parley, or those of modules, to one agent', () => {
    expect(parse('setup claude')).toMatchObject({
      setup: { agent: { label: 'Claude Code' }, name: 'parley', modules: [], mode: 'write' },
    });
    expect(parse('setup codex a.ts --name b --remove')).toMatchObject({
      setup: { agent: { label: 'Codex' }, name: 'b', modules: ['a.ts'], mode: 'remove' },
    });
  });

  test.each([
    ['setup', 'needs an AGENT: vscode, claude'],
    ['setup emacs', "not 'emacs'"],
    ['setup claude --name __proto__', '--name begins with a letter'],
    ['setup claude --print --remove', 'cannot be used together'],
    ['serve a.ts --remove', 'need parley-mcp setup'],
  ])('refuses `%s`', (line, problem) => {
    expect(() => parse(line)).toThrow(problem);
  });
});

test.each([
  ['serve', 'needs at least one MODULE'],
  ['serve --http --stdio x.ts', 'cannot be used together'],
  ['serve --state carried x.ts', 'needs --state-key-file'],
  ['serve --state-key-file keys x.ts', 'needs --state'],
  ['serve --http --port x x.ts', '--port'],
  ['serve --http --port -1 x.ts', 'is ambiguous'],
  ['serve --http --host 0.0.0.0 --no-token x.ts', 'loopback'],
  ['serve --http --allow-host http://x x.ts', '--allow-host'],
  ['serve --http --allow-origin x x.ts', '--allow-origin'],
  ['serve --http --max-body 5 x.ts', '--max-body'],
  ['serve --page-wait 3s x.ts', '--page-wait'],
])('`%s` is refused, with a word of what is wrong', (line, problem) => {
  expect(() => parse(line)).toThrow(problem);
});

test('what stands in the environment may be meant for other servers', () => {
  const { values } = readOptions(['serve', 'a.ts'], { PARLEY_PORT: '4100', PARLEY_HOST: '0.0.0.0' });
  expect(values).toMatchObject({ http: false, port: '4100' });
});

test('parley serve takes how its lists are served', () => {
  const line = 'serve a.ts --search-above 40 --page-size 50 --list-changed';
  expect(parse(`${line} 500`)).toMatchObject({
    serve: { lists: { searchAbove: 40, pageSize: 50, listChanged: 500 } },
  });
  expect(parse(`${line} off`)).toMatchObject({ serve: { lists: { listChanged: false } } });
  expect(parse('serve a.ts --search-above 0 --code')).toMatchObject({
    serve: { code: true, lists: { searchAbove: 0 } },
  });
  expect(() => parse('serve a.ts --page-size 0')).toThrow('--page-size is a whole number from 1');
  expect(() => parse('serve a.ts --list-changed never')).toThrow("or 'off', not 'never'");
});

test('parley doctor serves as serve does, and takes no module', () => {
  expect(parse('doctor')).toMatchObject({ kind: 'doctor', serve: { transport: 'stdio' } });
  expect(parse('doctor --http --port 1234')).toMatchObject({ serve: { transport: 'http', port: 1234 } });
  expect(() => parse('doctor a.ts')).toThrow('takes no MODULE');
});

test('parley doctor --server examines a command or an address', () => {
  expect(parse('doctor --server npx -- -y some-server')).toEqual({
    kind: 'doctor-server',
    server: { target: 'npx', args: ['-y', 'some-server'] },
  });
  expect(parse('doctor --server https://example.com/mcp')).toMatchObject({ server: { args: [] } });
  expect(() => parse('doctor --server https://example.com/mcp more')).toThrow('takes no arguments');
  expect(() => parse('serve --server npx a.ts')).toThrow('--server needs parley-mcp doctor');
});

test('a model has an address and a name, bounds, and callers who are known', () => {
  const model = 'serve --http --model http://127.0.0.1:1/v1 --model-name qwen3';
  expect(parse(`${model} --model-calls 5 --model-tokens 6 a.ts`)).toMatchObject({
    serve: { model: { url: 'http://127.0.0.1:1/v1', name: 'qwen3', calls: 5, tokens: 6 } },
  });
  expect(() => parse(`${model} --no-token a.ts`)).toThrow('--model and --no-token cannot be used together');
  expect(() => parse(`${model} --model-calls 0 a.ts`)).toThrow('--model-calls is a whole number from 1 on');
  expect(() => parse('serve --model http://a a.ts')).toThrow('needs --model-name NAME');
  expect(() => parse('serve --model-calls 5 a.ts')).toThrow('need --model URL');
});

test('parley check asks which calls could move where they are kept anywhere else than in memory', () => {
  expect(parse('check a.ts')).toEqual({ kind: 'check', modules: ['a.ts'], moving: false, types: false });
  expect(parse('check --state carried a.ts')).toMatchObject({ kind: 'check', moving: true });
});

test('a command that nobody knows is answered with the one that is like it, or those there are', () => {
  expect(() => parse('start')).toThrow('there are serve, dev, new, pack, setup, doctor, check and manifest');
  expect(() => parse('chekc a.ts')).toThrow("there is no command 'chekc': did you mean check?");
});

test('an option that nobody knows is answered with the one that is like it', () => {
  expect(() => parse('serve --htpp a.ts')).toThrow("there is no option '--htpp': did you mean --http?");
  expect(() => parse('serve --wibble a.ts')).toThrow(/^there is no option '--wibble'$/);
});

test('each command has a help of its own', () => {
  expect(parse('serve --help a.ts')).toEqual({ kind: 'help', of: 'serve' });
  expect(parse('--help')).toEqual({ kind: 'help' });
  expect(usageOf('check')).toMatch(
    /^parley-mcp: [^\n]+\n\n {2}parley-mcp check [\s\S]+--types[\s\S]+MODULE is/,
  );
  expect(usageOf('check')).not.toContain('--http');
  expect(usageOf('doctor').match(/parley-mcp doctor/g)).toHaveLength(3);
});

test('parley dev serves this machine, in its own thread and in memory', () => {
  expect(parse('dev --port 4100 .')).toMatchObject({
    kind: 'dev',
    serve: { host: '127.0.0.1', port: 4100, token: 'none', isolation: 'host', state: { kind: 'memory' } },
  });
  for (const more of ['--state calls', '--host 0.0.0.0', '--code'])
    expect(() => parse(`dev ${more} .`)).toThrow('leave --code, --state and --host out');
});

test.each([
  ['serve --http x.ts', 'worker'],
  ['serve --http --state calls x.ts', 'worker'],
  ['serve --http --state calls --isolation host x.ts', 'host'],
  ['serve --state calls x.ts', 'host'],
  ['serve --state calls --isolation worker x.ts', 'worker'],
])('`%s` runs tools in the %s', (line, isolation) => {
  expect(parse(line)).toMatchObject({ serve: { isolation } });
});

describe('--state postgres://…', () => {
  test('is a database that servers share, with the keys of all of them', () => {
    expect(parse('serve --http --state postgres://parley@db/calls --state-key-file keys x.ts')).toMatchObject(
      {
        serve: { state: { kind: 'postgres', url: 'postgres://parley@db/calls', keyFile: 'keys' } },
      },
    );
  });

  test.each([
    ['serve --http --state postgres://parley:hunter2@db/calls x.ts', 'needs --state-key-file FILE'],
    [
      'serve --http --state postgres://parley:hunter2@[/calls --state-key-file keys x.ts',
      '--state is an address',
    ],
  ])('refuses `%s`, and does not repeat a password', (line, problem) => {
    expect(() => parse(line)).toThrow(problem);
    expect(() => parse(line)).not.toThrow('hunter2');
  });
});

describe('the environment', () => {
  const environment = {
    PARLEY_STATE: 'postgres://db/calls',
    PARLEY_STATE_KEY_FILE: '/run/secrets/key',
    PARLEY_ALLOW_HOST: 'tools.example.com, other.example.com',
    PARLEY_PORT: '',
  };

  test('gives options of serve, and the command line counts for more', () => {
    const { values } = readOptions(['serve', '--http', '--state', 'memory', 'x.ts'], environment);
    expect(values).toMatchObject({
      state: 'memory',
      'state-key-file': '/run/secrets/key',
      'allow-host': ['tools.example.com', 'other.example.com'],
      port: '0',
    });
    expect(readOptions(['serve', 'x.ts'], environment).values.state).toBe('postgres://db/calls');
  });

  test('gives nothing to other commands', () => {
    expect(readOptions(['check', 'x.ts'], environment).values.state).toBe('memory');
  });
});

describe('parley serve --oauth-issuer', () => {
  const serve =
    'serve --http --oauth-issuer https://login.example.com --oauth-resource https://tools.example.com/mcp x.ts';

  test('lets in who logs in, and makes no token of its own', () => {
    const scopes = '--oauth-scope tools --oauth-tool-scope release=deploy --oauth-tool-scope release=sign';
    expect(parse(`${serve} ${scopes}`)).toMatchObject({
      serve: {
        token: 'none',
        oauth: {
          issuer: 'https://login.example.com',
          resource: 'https://tools.example.com/mcp',
          scopes: ['tools'],
          toolScopes: { release: ['deploy', 'sign'] },
        },
      },
    });
    expect(parse(`${serve} --token-file t`)).toMatchObject({ serve: { token: { file: 't' } } });
  });

  test('stands in the environment, lists with commas', () => {
    const environment = { PARLEY_OAUTH_ISSUER: 'https://a.example', PARLEY_OAUTH_TOOL_SCOPE: 'a=b,c=d' };
    const { values } = readOptions(['serve', '--http', 'x.ts'], environment);
    expect([values['oauth-issuer'], values['oauth-tool-scope']]).toEqual([
      'https://a.example',
      ['a=b', 'c=d'],
    ]);
  });

  test.each([
    [serve.replace('--http ', ''), '--oauth-issuer needs --http'],
    [`${serve} --no-token`, 'cannot be used together'],
    [`${serve} --oauth-tool-scope release`, "such as release=deploy, not 'release'"],
    [`${serve} --code --oauth-tool-scope a=b`, '--oauth-tool-scope and --code cannot be used together'],
    [serve.replace(/--oauth-resource \S+ /, ''), 'need each other'],
    [serve.replace('https://login', 'http://login'), 'the issuer is an https address'],
    ['serve --http --oauth-scope tools x.ts', 'need --oauth-issuer URL'],
  ])('refuses `%s`', (line, problem) => {
    expect(() => parse(line)).toThrow(problem);
  });
});

describe('--limit', () => {
  const limits = (line: string, environment: NodeJS.ProcessEnv = {}) => {
    const command = parseCommand(line.split(' '), environment);
    return command.kind === 'serve' ? command.serve.limits : undefined;
  };

  test('sets what callers may take up, together and each, and what is kept of calls', () => {
    expect(limits('serve a.ts')).toBeUndefined();
    const flags =
      '--limit calls=500 --limit memory=64M --limit share-waiting=20 --limit waiting-time=90 --limit kept-time=7';
    expect(limits(`serve a.ts --state calls ${flags}`)).toEqual({
      manager: {
        maxSessions: 500,
        maxBytes: 64 * 2 ** 20,
        waitingTtl: 90 * 60_000,
        share: { maxWaiting: 20 },
      },
      store: { age: 7 * 86_400_000 },
    });
  });

  test('is read from the environment as well; the command line counts', () => {
    expect(limits('serve a.ts --limit calls=7', { PARLEY_LIMIT: 'calls=5,waiting=3' })).toEqual({
      manager: { maxSessions: 7, maxWaiting: 3 },
      store: {},
    });
  });

  test.each([
    ['calls', '--limit is NAME=NUMBER'],
    ['=5', '--limit is NAME=NUMBER'],
    ['__proto__=5', '--limit is NAME=NUMBER'],
    ['calls=0', '--limit calls is a whole number'],
    ['calls=5M', '--limit calls is a whole number'],
    ['memory=lots', '--limit memory is a number of bytes'],
    ['kept-calls=5', '--limit kept-calls needs --state'],
  ])('refuses %s', (given, problem) => {
    expect(() => limits(`serve a.ts --limit ${given}`)).toThrow(problem);
  });
});

describe('an option that a variable which is not set made empty', () => {
  test.each([['--host'], ['--port'], ['--token-file'], ['--state'], ['--allow-host'], ['--servers']])(
    '%s is refused: nobody meant it',
    (flag) => {
      expect(() => parseCommand(['serve', '--http', flag, '', 'x.ts'])).toThrow(`${flag} is empty`);
    },
  );

  test('is none where it is a variable of Parley’s own', () => {
    expect(parseCommand(['serve', '--http', 'x.ts'], { PARLEY_HOST: '' })).toMatchObject({
      serve: { host: '127.0.0.1' },
    });
  });

  test('is refused as a module, too', () => {
    expect(() => parseCommand(['serve', ''])).toThrow('an argument is empty');
  });
});

test.each(['1e3', '0x50', ' 80', '+80', '80.0'])('%s is no port: digits are', (port) => {
  expect(() => parseCommand(['serve', '--http', '--port', port, 'x.ts'])).toThrow('--port is a number');
});
