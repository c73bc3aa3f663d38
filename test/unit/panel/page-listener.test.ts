import { run } from 'effection';
import { beforeEach, describe, expect, it } from 'vitest';
import { createInbox } from '#src/panel/inbox.ts';
import { createPageListener } from '#src/panel/page-listener.ts';
import {
  answerForm,
  copy,
  goBack,
  keep,
  looked,
  openBlock,
  openFrame,
  openLogs,
  pageProblem,
  pickPath,
  pressAction,
  ready,
  showPlace,
  stop,
  submitParams,
  takeResult,
  viewCrashed,
  viewResponse,
} from '#src/panel-port/index.ts';

let heard: string[];
let listen: (data: unknown) => void;

beforeEach(() => {
  heard = [];
  const note =
    (what: string) =>
    (...details: unknown[]): void => {
      heard.push([what, ...details.filter((detail) => typeof detail === 'string')].join(' '));
    };
  listen = createPageListener({
    inbox: createInbox({
      post: (message) => heard.push(`posted ${message.name}`),
      onDead: note('dead'),
    }),
    title: 'Book',
    log: { warn: note('warned'), show: note('log shown') },
    onReady: note('ready'),
    onStop: note('stopped'),
    onAction: note('pressed'),
    onGoBack: note('back to'),
    onFrame: (part, frame) => note('frame')(`${part}.${frame}`),
    onPick: note('pick'),
    onPlace: note('place'),
    onResult: note('result'),
    onBlock: (block) => note('block')(String(block)),
    onLooked: note('looked at'),
    onOpenPanel: note('open panel'),
    keep: ({ drafts }) => note('kept')(JSON.stringify(drafts)),
    copy: note('copied'),
  });
});

describe('a page listener', () => {
  it('does what each message says', () => {
    listen(ready({}));
    listen(stop({}));
    listen(pressAction({ id: 'runAgain' }));
    listen(takeResult({ how: 'save', as: 'markdown' }));
    listen(openBlock({ block: 2 }));
    listen(pickPath({ control: 'c1', what: 'folder' }));
    listen(showPlace({ place: 'src/a.ts:3' }));
    listen(goBack({ to: 'elicit-1' }));
    listen(keep({ memory: { drafts: 'Ad' } }));
    listen(copy({ text: 'T1' }));
    listen(openFrame({ part: 1, frame: 2 }));
    listen(looked({}));
    listen(openLogs({}));
    listen(pageProblem({ message: 'a view was slow' }));
    expect(heard).toEqual([
      'ready',
      'stopped',
      'pressed runAgain',
      'result save markdown',
      'block 2',
      'pick c1 folder',
      'place src/a.ts:3',
      'back to elicit-1',
      'kept "Ad"',
      'copied T1',
      'frame 1.2',
      'looked at',
      'log shown',
      'warned Book: a view was slow',
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['somebody else’s', { type: 'vscode-scroll' }],
    ['a text', 'parley'],
  ])('ignores %s', (_, data) => {
    listen(data);
    expect(heard).toEqual([]);
  });

  it.each([
    ['an unknown name', { parley: 'parley/1', name: 'eval', body: { code: 'process.exit()' } }],
    ['a body of another kind', { parley: 'parley/1', name: 'copy', body: { text: 42 } }],
    ['no body', { parley: 'parley/1', name: 'answerForm' }],
    [
      'nested content',
      { ...answerForm({ questionId: 'q', attempt: 1, content: {} }), body: { content: { a: { b: 1 } } } },
    ],
    ['another version', { ...stop({}), parley: 'parley/9' }],
  ])('logs a message with %s, and does nothing', (_, data) => {
    listen(data);
    expect(heard).toEqual([expect.stringMatching(/^warned Book: A message of the run panel is malformed/)]);
  });

  it('logs the crash of a view that is only shown', () => {
    listen(viewCrashed({ renderId: 'r1', error: { name: 'TypeError', message: 'no board' } }));
    expect(heard).toEqual(['dead The view of a closed question crashed: no board']);
  });

  it('refuses an answer of another kind than what is waited for', async () => {
    const inbox = createInbox({ post: () => {}, onDead: (_, why) => heard.push(why) });
    const form = run(() => inbox.parameters('f1'));
    inbox.receive(viewResponse({ renderId: 'f1', value: 1 }));
    expect(heard).toEqual([expect.stringMatching(/^This question is closed/)]);
    inbox.receive(submitParams({ formId: 'f1', values: { a: 1 } }));
    expect(await form).toEqual({ a: 1 });
  });

  it('refuses an answer that nobody waits for', () => {
    listen(answerForm({ questionId: 'gone', attempt: 1, content: {} }));
    expect(heard).toEqual([expect.stringMatching(/^dead This question is closed/), 'posted refused']);
  });
});
