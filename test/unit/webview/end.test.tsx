// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '#src/core/messages/json.ts';
import { shapeOf } from '#webview/value/value-shape.ts';
import { openPanel } from './panel.tsx';

describe('a result', () => {
  it.each<[string, JsonValue, string]>([
    ['text', 'Booked.', 'text'],
    ['a number', 7, 'text'],
    ['nothing', null, 'nothing'],
    ['a flat object', { ticket: 'PA-7', paid: true }, 'record'],
    ['a list of flat objects', [{ a: 1 }, { a: 2, b: null }], 'rows'],
    ['an object with a list and a table', { a: 1, b: ['x'], c: [{ d: 1 }] }, 'record'],
    ['an object with a long list', { a: Array(51).fill(1) }, 'tree'],
    ['an object with more inside', { a: { b: 1 } }, 'tree'],
    ['a list of text', ['a', 'b'], 'tree'],
    ['a wide list', [Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`c${at}`, at]))], 'tree'],
    ['an empty object', {}, 'tree'],
    ['an empty list', [], 'tree'],
  ])('that is %s has its shape', (_what, value, kind) => expect(shapeOf(value).kind).toBe(kind));

  it('as a table names its members in words', async () => {
    const panel = await openPanel();
    const value = {
      ticketNumber: 'PA-7',
      paid: true,
      note: null,
      sent: [1, 2],
      failed: [],
      left: [{ no: 3 }],
    };
    await panel.show({ kind: 'result', value });
    expect([...document.querySelectorAll('.record > tbody > tr')].map((row) => row.textContent)).toEqual([
      'Ticket numberPA-7',
      'PaidYes',
      'Note—',
      'Sent1\n2',
      'Failed—',
      'LeftNo3',
    ]);
  });

  it('that was not kept says so, and offers nothing to take along', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'result', value: null, notKept: true });
    expect(screen.getByText(/^Not saved:/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Copy/ })).toBeNull();
  });

  it('as a tree opens branch by branch, a hundred members at a time', async () => {
    const panel = await openPanel();
    await panel.show({
      kind: 'result',
      value: { deep: { deeper: Array.from({ length: 150 }, (_, at) => at) } },
    });
    expect(document.querySelectorAll('.tree-number')).toHaveLength(0);
    await panel.user.click(screen.getByText('deeper'));
    expect(document.querySelectorAll('.tree-number')).toHaveLength(100);
    await panel.user.click(screen.getByText('50 more'));
    expect(document.querySelectorAll('.tree-number')).toHaveLength(150);
  });

  it('as a tree has what is empty in one line, with nothing to open', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'result', value: { done: [{ a: 1 }], left: [], notes: {} } });
    expect([...document.querySelectorAll('.tree-line')].map((line) => line.textContent)).toEqual([
      'left [ ]',
      'notes { }',
    ]);
    expect([...document.querySelectorAll('.tree summary .tree-name')].map((it) => it.textContent)).toEqual([
      'done',
      '0',
    ]);
  });

  it('is copied in another form from a menu, opened in an editor and saved', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'result', value: [{ a: 1 }] });
    await panel.user.click(screen.getByRole('button', { name: 'Copy As…' }));
    expect(document.activeElement?.textContent).toBe('Text');
    await panel.user.keyboard('{ArrowUp}{Enter}');
    expect(screen.queryByRole('menu')).toBeNull();
    await panel.user.click(screen.getByRole('button', { name: 'Copy As…' }));
    await panel.user.keyboard('{Escape}');
    expect(screen.queryByRole('menu')).toBeNull();
    await panel.user.click(screen.getByRole('button', { name: 'Open in Editor' }));
    await panel.user.click(screen.getByRole('button', { name: 'Save As…' }));
    expect(panel.said().map(({ body }) => body)).toEqual([
      { text: '| a |\n| --- |\n| 1 |' },
      { how: 'open', as: 'json' },
      { how: 'save', as: 'json' },
    ]);
  });

  it('that leads to files and pages has links to them', async () => {
    const panel = await openPanel();
    await panel.show({
      kind: 'result',
      value: null,
      blocks: [
        { type: 'resource_link', uri: 'https://example.com/a', name: 'the page' },
        { type: 'resource_link', uri: 'file:///w/a.ts', name: 'the file' },
        { type: 'resource_link', uri: 'command:workbench.action.quit', name: 'the trap' },
      ],
    });
    expect(screen.getByRole('link', { name: 'the page' }).getAttribute('href')).toBe('https://example.com/a');
    await panel.user.click(screen.getByRole('button', { name: 'the file' }));
    expect(panel.said()).toMatchObject([{ name: 'openBlock', body: { block: 1 } }]);
    expect(screen.getByText('the trap').closest('a, button')).toBeNull();
  });

  it('is drawn in part where it is long', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'result', value: 'x'.repeat(1_000_000) });
    expect(document.querySelector('.result')?.textContent?.length).toBeLessThan(30_000);
    await panel.show({ kind: 'result', value: Array.from({ length: 1000 }, (_, id) => ({ id })) });
    expect(document.querySelectorAll('tbody tr')).toHaveLength(200);
    await panel.user.click(screen.getByText('800 more'));
    expect(document.querySelectorAll('tbody tr')).toHaveLength(400);
  });

  it('as a tree says how each branch begins', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'result', value: { rows: [{ id: 0, name: 'Row 0', deep: [1] }] } });
    expect(document.querySelector('.tree-preview')?.textContent).toBe('[ {…} ] 1');
    expect([...document.querySelectorAll('.tree-preview')].at(-1)?.textContent).toBe(
      '{ id: 0, name: "Row 0", deep: [1] }',
    );
  });

  it('is copied as text, or as JSON', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'result', value: 'Booked.' });
    await panel.user.click(screen.getByRole('button', { name: 'Copy' }));
    await panel.show({ kind: 'result', value: { a: 1 } });
    await panel.user.click(screen.getByRole('button', { name: 'Copied' }));
    expect(panel.said().map(({ body }) => body)).toEqual([{ text: 'Booked.' }, { text: '{\n  "a": 1\n}' }]);
  });

  it('of content blocks shows text, pictures and sound, and anything else as a tree', async () => {
    const panel = await openPanel();
    await panel.show({
      kind: 'result',
      value: null,
      blocks: [
        { type: 'text', text: 'Here <b>it</b> is' },
        { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' },
        { type: 'image', mimeType: 'image/png" onload="x', data: 'AAAA' },
        { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'Inside b' } },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
      ],
    });
    expect(screen.getByText('Here <b>it</b> is')).toBeDefined();
    const images = [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'));
    expect(images).toEqual(['data:image/png;base64,iVBORw0KGgo=']);
    expect(document.querySelector('audio')?.getAttribute('src')).toBe('data:audio/wav;base64,UklGRg==');
    expect(screen.getByText('Inside b')).toBeDefined();
    expect(screen.getByRole('button', { name: 'a' })).toBeDefined();
  });
});

describe('an end', () => {
  it('that is a failure says what can be done, with the host’s buttons and the log', async () => {
    const panel = await openPanel();
    await panel.show({
      kind: 'error',
      error: {
        name: 'McpCapabilityError',
        code: 'no_model',
        message: 'No model.',
        hint: 'Choose one.',
      },
      actions: [{ id: 'choose', label: 'Choose Model…', primary: true }],
    });
    expect(screen.getByText('Choose one.')).toBeDefined();
    await panel.user.click(screen.getByText('Choose Model…'));
    await panel.user.click(screen.getByText('Show Log'));
    expect(panel.said()).toMatchObject([
      { name: 'pressAction', body: { id: 'choose' } },
      { name: 'openLogs' },
    ]);
  });

  it('that is a failure leads to the lines of the author’s files, and folds all other frames', async () => {
    const panel = await openPanel();
    const place = { file: '/w/prices.ts', line: 3, column: 9 };
    await panel.show({
      kind: 'error',
      error: {
        name: 'TypeError',
        message: 'TypeError: prices is not iterable',
        trace: [
          { title: 'TypeError: prices is not iterable', own: [], internal: ['at a', 'at b'] },
          {
            title: 'no such file',
            own: [{ text: 'readPrices (/w/prices.ts:3:9)', label: 'prices.ts:3:9', place }],
            internal: ['at c'],
          },
        ],
      },
    });
    expect(screen.getByText('caused by:').closest('p')?.textContent).toBe('caused by: no such file');
    expect(screen.getByText('Show 3 internal frames').closest('details')?.open).toBe(false);
    await panel.user.click(screen.getByRole('button', { name: 'prices.ts:3:9' }));
    await panel.user.click(screen.getByRole('button', { name: 'Copy' }));
    expect(panel.said()).toMatchObject([
      { name: 'openFrame', body: { part: 1, frame: 0 } },
      {
        name: 'copy',
        body: {
          text: [
            'TypeError: prices is not iterable',
            '    at a',
            '    at b',
            'caused by: no such file',
            '    at readPrices (/w/prices.ts:3:9)',
            '    at c',
          ].join('\n'),
        },
      },
    ]);
  });

  it('that was asked for says so', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'aborted', reason: 'the user stopped it' });
    expect(screen.getByText('Stopped by you.')).toBeDefined();
    await panel.show({ kind: 'aborted', reason: 'the agent was stopped' });
    expect(screen.getByText('The agent was stopped.')).toBeDefined();
    await panel.show({ kind: 'aborted', reason: 'the client cancelled it' });
    expect(screen.getByText('Stopped by the caller.')).toBeDefined();
  });
});

describe('an icon', () => {
  it('that is SVG is only ever an image, and a name is only ever a name', async () => {
    const panel = await openPanel();
    const call = { callId: 'c', toolName: 't', title: 'T', status: 'running' } as const;
    await panel.show(
      { kind: 'running' },
      { call: { ...call, icon: '<svg onload="x()"><script>x()</script></svg>' } },
    );
    expect(document.querySelector('header img')?.getAttribute('src')).toMatch(/^data:image\/svg\+xml/);
    expect(document.querySelector('script, svg')).toBeNull();
    await panel.show({ kind: 'running' }, { call: { ...call, icon: 'x" onclick="y' } });
    expect(document.querySelector('header .codicon-tools')).not.toBeNull();
  });
});

it('a result that is text is there to be read below the last view, and data is folded', async () => {
  const Card = () => <p>the card</p>;
  const shown = { renderId: 'r1', view: { key: 'Card' }, props: {} };
  const panel = await openPanel({ views: { Card } });
  await panel.show({ kind: 'result', value: 'You will travel far.' }, { shown });
  expect(screen.getByText('You will travel far.').closest('details')).toBeNull();
  await panel.show({ kind: 'result', value: { card: 'ace' } }, { shown });
  expect(screen.getByText('ace').closest('details')?.open).toBe(false);
});
