import { expect, it } from 'vitest';
import { createMcpServer } from '#src/mcp/index.ts';

it.each([[undefined], [{}], [{ tools: [] }], [{ name: 'tools', tools: [] }]])(
  'a server that does not say what it is, as of %j, is refused where it is made',
  (options) => {
    expect(() => createMcpServer(options as never)).toThrow(/a server has a name and a version/);
  },
);

it.each([
  [{ tool: [] }, "createMcpServer knows no option 'tool': it knows name, version, tools,"],
  [{ limits: { maxBody: 1 } }, "limits: createMcpServer knows no option 'maxBody'"],
  [{ tools: {} }, 'tools of a server are a list: tools: [ … ], or createMcpRegistry([ … ])'],
  [{ prompts: 'greet' }, 'prompts of a server are a list'],
])('options that no server has, as %j, are refused in words', (options, words) => {
  const given = { name: 'tools', version: '1.0.0', ...options };
  expect(() => createMcpServer(given as never)).toThrow(words);
});

it('a handler does not let everybody in because its tokens are misspelt', () => {
  const server = createMcpServer({ name: 'tools', version: '1.0.0', tools: [] });
  const handler = (options: object) => () => server.createHandler(options as never);
  expect(handler({ token: 'secret' })).toThrow(
    "createHandler knows no option 'token': it knows tokens, oauth",
  );
  expect(handler({ limits: { maxbody: 1 } })).toThrow("knows no option 'maxbody': it knows maxBody,");
});
