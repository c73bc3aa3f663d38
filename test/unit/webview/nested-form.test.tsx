// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#src/core/messages/json.ts';
import { picked } from '#src/panel-port/index.ts';
import { aForm, control, openPanel, type Panel } from './panel.tsx';

const run = (panel: Panel) => panel.user.click(screen.getByText(/^Run/));
const sent = (panel: Panel) =>
  panel.said().flatMap((message) => (message.name === 'submitParams' ? [message.body.values] : []));

async function openForm(properties: Record<string, JsonSchema>, required: string[] = []): Promise<Panel> {
  const panel = await openPanel();
  const schema = JSON.parse(JSON.stringify({ type: 'object', properties, required }));
  await panel.show({ kind: 'parameters', formId: 'f1', attempt: 1, schema });
  return panel;
}

it('rows that are a field of a question are drawn and answered as data', async () => {
  const panel = await openPanel();
  const row = {
    type: 'object',
    properties: { what: { type: 'string' }, cost: { type: 'number', minimum: 0 } },
    required: ['what', 'cost'],
  };
  const rows = { type: 'string', title: 'Items', json: { type: 'array', items: row, minItems: 1 } };
  await panel.show(aForm({ rows: { ...rows, default: [{ what: 'Tea', cost: 3 }] } }, ['rows']));
  await panel.user.click(screen.getByRole('button', { name: 'Add Items' }));
  const [, second] = screen.getAllByRole('textbox', { name: /What/ });
  const [, cost] = screen.getAllByRole('textbox', { name: /Cost/ });
  await panel.user.type(second as HTMLElement, 'Taxi');
  await panel.user.type(cost as HTMLElement, '-1');
  await panel.user.click(screen.getByText('Submit'));
  expect(panel.said()).toEqual([]);
  await panel.user.clear(cost as HTMLElement);
  await panel.user.type(cost as HTMLElement, '12');
  await panel.user.click(screen.getByText('Submit'));
  const items = [
    { what: 'Tea', cost: 3 },
    { what: 'Taxi', cost: 12 },
  ];
  expect(panel.said()).toMatchObject([{ name: 'answerForm', body: { content: { rows: items } } }]);
});

describe('a list', () => {
  const tags = { tags: { type: 'array', title: 'Tags', items: { type: 'string' } } };

  it('is rows: Enter adds one, Backspace in an empty one takes it away', async () => {
    const panel = await openForm(tags);
    await panel.user.click(screen.getByRole('button', { name: 'Add Tags' }));
    await panel.user.keyboard('one{Enter}two{Enter}');
    expect(control('Tags 3')).toBe(document.activeElement);
    await panel.user.keyboard('{Backspace}');
    expect(control('Tags 2')).toBe(document.activeElement);
    await panel.user.click(screen.getByRole('button', { name: 'Remove Tags 1' }));
    await run(panel);
    expect(sent(panel)).toEqual([{ tags: ['two'] }]);
  });

  it('gets the keyboard into its new row, however short the click was', async () => {
    const panel = await openForm({ who: { type: 'integer', title: 'Who' }, ...tags });
    const add = screen.getByRole('button', { name: 'Add Tags' });
    await panel.user.type(control('Who'), 'x');
    // The press leaves the field, which draws its error; the release comes before that is in sight.
    control('Who').blur();
    add.focus();
    await Promise.resolve();
    expect(screen.getByText('Enter a whole number, such as 3.')).toBeDefined();
    add.click();
    await waitFor(() => expect(document.activeElement).toBe(control('Tags 1')));
  });

  it('becomes a row for each line that is pasted', async () => {
    const panel = await openForm(tags);
    await panel.user.click(screen.getByRole('button', { name: 'Add Tags' }));
    await panel.user.paste('one\r\n\r\n two\nthree');
    await run(panel);
    expect(sent(panel)).toEqual([{ tags: ['one', 'two', 'three'] }]);
  });

  it('goes on after an empty row, and off from the last field', async () => {
    const panel = await openForm(tags);
    await panel.user.click(screen.getByRole('button', { name: 'Add Tags' }));
    await panel.user.keyboard('one{Enter}{Enter}');
    expect(sent(panel)).toEqual([{ tags: ['one'] }]);
  });

  it('of lists: Enter adds a row to the inner one alone, and a paste rows of lines', async () => {
    const items = { type: 'array', items: { type: 'string' } };
    const panel = await openForm({ matrix: { type: 'array', title: 'Matrix', items } });
    await panel.user.click(screen.getByRole('button', { name: 'Add Matrix' }));
    await panel.user.click(screen.getByRole('button', { name: 'Add Matrix 1' }));
    await panel.user.keyboard('one{Enter}two{Enter}');
    await panel.user.paste('three\nfour');
    await run(panel);
    expect(sent(panel)).toEqual([{ matrix: [['one', 'two', 'three', 'four']] }]);
  });

  it('of a question is asked for in rows, too', async () => {
    const panel = await openPanel();
    await panel.show(aForm(tags));
    await panel.user.click(screen.getByRole('button', { name: 'Add Tags' }));
    await panel.user.keyboard('one');
    await panel.user.click(screen.getByText(/^Submit/));
    expect(panel.said()).toMatchObject([{ body: { content: { tags: ['one'] } } }]);
  });
});

describe('objects', () => {
  it('are groups of fields, with their errors where they are, and kept as a draft', async () => {
    const trip = {
      type: 'object',
      title: 'Trip',
      required: ['from'],
      properties: { from: { type: 'string' }, seats: { type: 'integer' } },
    };
    const panel = await openForm({ trip }, ['trip']);
    expect(screen.getByRole('group', { name: /^Trip/ })).toBeDefined();
    await panel.user.type(control('Seats'), 'x');
    await run(panel);
    expect(screen.getByText('From is required.')).toBeDefined();
    expect(screen.getByText('Enter a whole number, such as 3.')).toBeDefined();
    expect(document.activeElement).toBe(control('From'));
    expect(JSON.stringify(panel.memory.state)).toContain('"trip":{"seats":"x"}');
    await panel.user.type(control('From'), 'AMS');
    await panel.user.type(control('Seats'), '{Backspace}2');
    await run(panel);
    expect(sent(panel)).toEqual([{ trip: { from: 'AMS', seats: 2 } }]);
  });

  it('are gone through by Enter, member by member, to what is empty and never to a button', async () => {
    const text = { type: 'string' } as const;
    const geo = { type: 'object', properties: { lat: { type: 'number' }, lon: { type: 'number' } } } as const;
    const address = {
      type: 'object',
      title: 'Address',
      properties: { street: text, city: text, geo },
    } as const;
    const tags = { type: 'array', title: 'Tags', items: text } as const;
    const kind = { type: 'string', title: 'Kind', enum: ['a', 'b'] } as const;
    const panel = await openForm({ address, tags, really: { type: 'boolean' }, kind, note: text });
    await panel.user.type(control('Lat'), '1');
    await panel.user.type(control('Street'), 'Main{Enter}Here{Enter}2{Enter}');
    await panel.user.keyboard(' {Enter}last{Enter}');
    expect(sent(panel)).toEqual([
      { address: { street: 'Main', city: 'Here', geo: { lat: 1, lon: 2 } }, kind: 'a', note: 'last' },
    ]);
  });

  it('without known members are pairs', async () => {
    const panel = await openForm({
      sizes: { type: 'object', title: 'Sizes', additionalProperties: { type: 'integer' } },
    });
    await panel.user.click(screen.getByRole('button', { name: 'Add Sizes' }));
    await panel.user.type(control('Sizes 1: name'), 'a');
    await panel.user.type(control('Sizes 1: value'), '7');
    await run(panel);
    expect(sent(panel)).toEqual([{ sizes: { a: 7 } }]);
  });

  it('that no control can express are JSON, with their shape to start from', async () => {
    const panel = await openForm({
      any: {
        title: 'Any',
        anyOf: [{ type: 'object', properties: { a: { type: 'number' } } }, { type: 'array' }],
      },
    });
    await panel.user.click(screen.getByText('Insert Template'));
    expect(JSON.parse(control('Any').value)).toEqual({ a: 0 });
  });
});

describe('many choices', () => {
  const names = Array.from({ length: 60 }, (_, at) => `Choice ${at}`);

  it('are filtered, one of them', async () => {
    const panel = await openForm({ one: { type: 'string', title: 'One', enum: names } });
    await panel.user.type(screen.getByRole('searchbox'), '42');
    expect(screen.getAllByRole('radio')).toHaveLength(1);
    await panel.user.click(screen.getByLabelText('Choice 42'));
    await run(panel);
    expect(sent(panel)).toEqual([{ one: 'Choice 42' }]);
  });

  it('are filtered and counted, any of them, and chosen all at once', async () => {
    const panel = await openForm({
      some: { type: 'array', title: 'Some', items: { type: 'string', enum: names } },
    });
    await panel.user.click(screen.getByLabelText('Choice 7'));
    await panel.user.type(screen.getByRole('searchbox'), 'choice 5');
    await panel.user.click(screen.getByText('Select All'));
    expect(screen.getByText('15 match, 16 chosen')).toBeDefined();
    await run(panel);
    expect(sent(panel)[0]?.some).toEqual(names.filter((name) => /^Choice (7|5|.5|5.)$/.test(name)));
  });

  it('that are chosen are named where they are not drawn', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `Zone ${at}`);
    const panel = await openForm({
      zone: { type: 'string', title: 'Zone', enum: many, default: 'Zone 250' },
    });
    expect(screen.getByText('Selected, but not shown: Zone 250')).toBeDefined();
    await panel.user.type(screen.getByRole('searchbox'), '25');
    expect(screen.queryByText(/not shown here/)).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>('Zone 250').checked).toBe(true);
  });

  it('of a thousand are drawn in part', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `n${at}`);
    await openForm({ one: { type: 'string', title: 'One', enum: many } });
    expect(screen.getAllByRole('radio')).toHaveLength(200);
    expect(screen.getByText('800 more: filter to see them.')).toBeDefined();
  });
});

describe('what an author says about a field', () => {
  it('is how it is drawn: lines, a placeholder, an order, help beside choices', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm({
        why: { type: 'string', title: 'Why', multiline: true, placeholder: 'Because …' },
        order: {
          type: 'array',
          title: 'Order',
          ordered: true,
          items: { type: 'string', enum: ['a', 'b', 'c'] },
        },
        way: {
          type: 'string',
          title: 'Way',
          oneOf: [
            { const: 'x', title: 'X', recommended: true, description: 'The short way' },
            { const: 'y', title: 'Y', preview: { kind: 'diff', text: '+ added\n- gone' } },
          ],
        },
      }),
    );
    const why = control('Why');
    expect([why.tagName, why.placeholder, why.getAttribute('rows')]).toEqual(['TEXTAREA', 'Because …', '4']);
    await panel.user.type(why, 'one{Enter}two');
    for (const choice of ['c', 'a']) await panel.user.click(screen.getByLabelText(choice));
    await panel.user.click(screen.getByRole('button', { name: 'a: prefer more' }));
    expect(screen.getByText('Recommended')).toBeDefined();
    expect(screen.getByText('The short way')).toBeDefined();
    expect(screen.getByRole('region', { name: 'Y' }).textContent).toContain('+ added');
    await panel.user.click(screen.getByRole('radio', { name: /^X/ }));
    await panel.user.click(screen.getByText(/^Submit/));
    expect(panel.said()).toMatchObject([
      { body: { content: { why: 'one\ntwo', order: ['a', 'c'], way: 'x' } } },
    ]);
  });

  it('shows the preview of the choice that is looked at, and tells the head of a diff from its lines', async () => {
    const text = 'diff --git a/q b/q\n--- a/q\n+++ b/q\n@@ -1,3 +1,3 @@\n--- a comment\n+++ i;\n kept';
    const panel = await openPanel();
    await panel.show(
      aForm({
        way: {
          type: 'string',
          title: 'Way',
          oneOf: [
            { const: 'x', title: 'X', preview: { kind: 'code', text: 'let x;' } },
            { const: 'y', title: 'Y', preview: { kind: 'diff', text } },
            { const: 'z', title: 'Z', preview: { kind: 'diff', text: '--- a\n+++ b\n-one' } },
          ],
        },
      }),
    );
    expect(screen.getByRole('region', { name: 'X' }).textContent).toBe('let x;');
    expect(screen.queryByRole('region', { name: 'Y' })).toBeNull();
    await panel.user.click(screen.getByRole('radio', { name: /^Y/ }));
    expect(screen.queryByRole('region', { name: 'X' })).toBeNull();
    const kinds = (name: string) =>
      [...screen.getByRole('region', { name }).querySelectorAll('span')].map(({ className }) => className);
    const removed = ['diff-removed', 'diff-added', ''];
    expect(kinds('Y')).toEqual(['diff-head', 'diff-head', 'diff-head', 'muted', ...removed]);
    await panel.user.click(screen.getByRole('radio', { name: /^Z/ }));
    expect(kinds('Z')).toEqual(['diff-head', 'diff-head', 'diff-removed']);
  });

  it('can be a path that the host lets the person pick', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm({
        a: { type: 'string', title: 'A', pick: 'file' },
        b: { type: 'string', title: 'B', pick: 'folder' },
      }),
    );
    await panel.user.click(screen.getByRole('button', { name: 'Browse… A' }));
    const [asked] = panel.said();
    if (asked?.name !== 'pickPath') throw new Error('nothing was asked');
    expect(asked.body.what).toBe('file');
    await panel.hear(picked({ control: 'another', path: 'no.ts' }));
    await panel.hear(picked({ control: asked.body.control, path: 'src/a.ts' }));
    expect(control('A').value).toBe('src/a.ts');
    expect(control('B').value).toBe('');
    await panel.user.type(control('B'), 'docs{Enter}');
    expect(panel.said()).toMatchObject([{ body: { content: { a: 'src/a.ts', b: 'docs' } } }]);
  });

  it('can be lines of a file, shown beside and taken from what is selected', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ a: { type: 'string', title: 'A', pick: 'place', default: 'src/a.ts:3-5' } }));
    await panel.user.click(screen.getByRole('button', { name: 'Show A' }));
    expect(panel.said()).toMatchObject([{ name: 'showPlace', body: { place: 'src/a.ts:3-5' } }]);
    await panel.user.click(screen.getByRole('button', { name: 'Use Selection A' }));
    const [asked] = panel.said();
    if (asked?.name !== 'pickPath') throw new Error('nothing was asked');
    expect(asked.body.what).toBe('place');
    await panel.hear(picked({ control: asked.body.control, path: 'src/b.ts:7' }));
    expect(control('A').value).toBe('src/b.ts:7');
  });

  it('can be pages, with a way back, and a note on a choice', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm(
        {
          name: { type: 'string', title: 'Name', page: 'You' },
          cabin: { type: 'string', title: 'Cabin', enum: ['y', 'c'], page: 'Seat' },
          note: { type: 'string', title: 'Say more', noteOn: 'cabin' },
        },
        ['name', 'cabin'],
      ),
    );
    await panel.user.click(screen.getByText('Next'));
    expect(screen.getByText('Name is required.')).toBeDefined();
    await panel.user.keyboard('Ada{Enter}');
    expect(within(screen.getByRole('heading', { level: 3 })).getByText('2 of 2')).toBeDefined();
    await panel.user.click(screen.getByText('Back'));
    expect(control('Name').value).toBe('Ada');
    // Who has clicked into the message is in no control.
    await panel.user.click(screen.getByText('Who is travelling?'));
    expect(document.activeElement?.closest('form') ?? null).toBe(null);
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(within(screen.getByRole('heading', { level: 3 })).getByText('2 of 2')).toBeDefined();
    await panel.user.click(screen.getByText('Back'));
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    await panel.user.click(screen.getByLabelText('y'));
    await panel.user.click(screen.getByText('Say more', { selector: 'summary' }));
    await panel.user.type(control('Say more'), 'by the window');
    await panel.user.click(screen.getByText(/^Submit/));
    expect(panel.said()).toMatchObject([
      { body: { content: { name: 'Ada', cabin: 'y', note: 'by the window' } } },
    ]);
  });
});

describe('the next page of a form', () => {
  const pages = {
    name: { type: 'string', title: 'Name', page: 'You' },
    note: { type: 'string', title: 'Note', page: 'More' },
  };

  it('is not answered by the second click of a double click on Next', async () => {
    const panel = await openPanel();
    await panel.show(aForm(pages));
    await panel.user.click(screen.getByText('Next'));
    fireEvent.click(screen.getByText(/^Submit/), { detail: 2 });
    expect(panel.said()).toEqual([]);
    await panel.user.click(screen.getByText(/^Submit/));
    expect(panel.said()).toMatchObject([{ name: 'answerForm' }]);
  });

  it('is not answered by the Enter that is still held down', async () => {
    const panel = await openPanel();
    await panel.show(aForm(pages));
    await panel.user.click(control('Name'));
    await panel.user.keyboard('{Enter}');
    for (let held = 0; held < 4; held++)
      fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Enter', repeat: true });
    expect(panel.said()).toEqual([]);
    await panel.user.keyboard('{Enter}{Enter}');
    expect(panel.said()).toMatchObject([{ name: 'answerForm' }]);
  });
});

describe('Enter in a line of text', () => {
  const two = { a: { type: 'string', title: 'A' }, b: { type: 'string', title: 'B' } };

  it('goes to what is still empty below, and from there off with the form', async () => {
    const panel = await openForm(two);
    await panel.user.type(control('A'), 'x{Enter}');
    expect(document.activeElement).toBe(control('B'));
    expect(sent(panel)).toEqual([]);
    await panel.user.keyboard('y{Enter}');
    expect(sent(panel)).toEqual([{ a: 'x', b: 'y' }]);
  });

  it('with Shift makes a line', async () => {
    const panel = await openForm(two);
    await panel.user.type(control('A'), 'x{Shift>}{Enter}{/Shift}y');
    expect(control('A').value).toBe('x\ny');
  });
});
