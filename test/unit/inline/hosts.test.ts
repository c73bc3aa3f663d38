import { inline } from 'parley-mcp/inline';
import { describe, expect, test } from 'vitest';
import { handlersOf } from './handlers.ts';
import { hosts } from './rig.ts';

const make = (did?: string[]) => handlersOf(inline({ book: 'memory' }), did);

describe.each(Object.entries(hosts))('a straight-line handler in %s', (_name, talkWith) => {
  test('asks twice, and the model between', async () => {
    const talk = await talkWith(make(), [{ version: '1.2' }, { ok: true }]);
    expect(await talk.call('release', { branch: 'main' })).toMatchObject({ text: 'published main 1.2' });
    expect(talk.asked).toEqual(['Which version?', 'Publish "Notes!"?']);
  });

  test('asks as often as its loop does', async () => {
    const talk = await talkWith(make(), [...Array.from({ length: 13 }, () => ({ n: 1 })), { n: 12 }]);
    expect(await talk.call('guess')).toMatchObject({ data: { rounds: 14 } });
  });

  test('hears of decline and cancel, and throws them where it says strict', async () => {
    const talk = await talkWith(make(), ['decline', 'cancel', 'decline']);
    expect((await talk.call('maybe')).text).toBe('it was decline');
    expect((await talk.call('maybe')).text).toBe('it was cancel');
    expect(await talk.call('pair', { branch: 'm' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('declined'),
    });
  });

  test('has a wrong answer asked again, with what is wrong', async () => {
    const talk = await talkWith(make(), [{ version: 'soon' }, { version: '2.0' }, { ok: false }]);
    expect((await talk.call('pair', { branch: 'm' })).text).toBe('m 2.0 false');
    expect(talk.asked[1]).toContain('a version is like 1.2');
  });

  test('does each step once', async () => {
    const did: string[] = [];
    const talk = await talkWith(make(did), [{ version: '3.0' }, { ok: true }]);
    expect((await talk.call('deploy', { branch: 'm' })).data).toEqual({
      tag: 'v3.0',
      announced: true,
      drawn: true,
    });
    expect(did).toEqual(['tag 3.0', 'announce v3.0']);
  });

  test('asks a person and the model at once', async () => {
    const talk = await talkWith(make(), [{ word: 'hey' }]);
    expect((await talk.call('both')).text).toBe('hey Notes!');
  });

  test('says so where its client cannot be asked', async () => {
    const talk = await talkWith(make(), [], {});
    expect(await talk.call('pair', { branch: 'm' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('elicitation'),
    });
  });

  test('that is cancelled cleans up', async () => {
    const did: string[] = [];
    const talk = await talkWith(make(did), []);
    const stop = new AbortController();
    const called = talk.call('slow', {}, stop.signal);
    await expect.poll(() => did).toEqual(['begun']);
    stop.abort('enough');
    await expect(called).rejects.toThrow();
    await expect.poll(() => did).toEqual(['begun', 'cleaned up']);
  });
});
