import { describe, expect, it } from 'vitest';
import { SlowHosts } from '#src/mcp/apps/slow-hosts.ts';

const host = { name: 'host', version: '1' };

function pages(...late: readonly boolean[]): boolean | undefined {
  const hosts = new SlowHosts();
  for (const one of late) hosts.remember(host, one);
  return hosts.is({ ...host });
}

describe('a host', () => {
  it('is not known before its first page', () => {
    expect(pages()).toBeUndefined();
  });

  it('is slow when its first page comes late, until one comes in time', () => {
    expect(pages(true)).toBe(true);
    expect(pages(true, false)).toBe(false);
  });

  it('that was quick may be late once, on a machine that is busy', () => {
    expect(pages(false, true)).toBe(false);
    expect(pages(false, true, false, true)).toBe(false);
    expect(pages(false, true, true)).toBe(true);
  });

  it('is its name and its version, whatever else it says', () => {
    const hosts = new SlowHosts();
    hosts.remember({ ...host, title: 'one' }, true);
    expect(hosts.is({ ...host, title: 'two' })).toBe(true);
    expect(hosts.is({ ...host, version: '2' })).toBeUndefined();
    expect([hosts.is(undefined), hosts.is('host')]).toEqual([undefined, undefined]);
  });
});
