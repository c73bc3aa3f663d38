import { expect, it } from 'vitest';
import { createMcpServer } from '#src/mcp/index.ts';

it.each([[undefined], [{}], [{ tools: [] }], [{ name: 'tools', tools: [] }]])(
  'a server that does not say what it is, as of %j, is refused where it is made',
  (options) => {
    expect(() => createMcpServer(options as never)).toThrow(/a server has a name and a version/);
  },
);
