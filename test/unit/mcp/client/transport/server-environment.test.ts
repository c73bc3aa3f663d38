import { describe, expect, it } from 'vitest';
import { serverEnvironment } from '#src/mcp/client/transport/server-environment.ts';

const own = { PATH: '/bin', HOME: '/home/me', GITHUB_TOKEN: 'secret', NODE_OPTIONS: '--require=x' };

describe.skipIf(process.platform === 'win32')('the environment of a server that is started', () => {
  it('has what every program needs and what its entry names, and no token of anybody else', () => {
    expect(serverEnvironment({ TOKEN: 'mine' }, own)).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
      TOKEN: 'mine',
      PARLEY_NESTING: '1',
    });
  });

  it('counts servers that start each other, whatever an entry says, and ends where that has no end', () => {
    let environment: Record<string, string> = serverEnvironment({}, own);
    let started = 1;
    const startAll = () => {
      for (; started < 100; started++) environment = serverEnvironment({ PARLEY_NESTING: '0' }, environment);
    };
    expect(startAll).toThrow('3 servers have started each other');
    expect(started).toBe(3);
    expect(serverEnvironment({}, { ...own, PARLEY_NESTING: 'many' }).PARLEY_NESTING).toBe('1');
    expect(serverEnvironment({}, { ...own, PARLEY_NESTING: '-1000' }).PARLEY_NESTING).toBe('1');
  });
});
