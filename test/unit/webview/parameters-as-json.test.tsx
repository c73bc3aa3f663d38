// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Stage } from '#src/panel-port/index.ts';
import { control, openPanel, type Panel } from './panel.tsx';

const stage = (more: object = {}): Stage => ({
  kind: 'parameters',
  formId: 'f1',
  attempt: 1,
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 2 },
      seats: { type: 'integer', minimum: 1, default: 2 },
      cabin: { type: 'string', enum: ['eco', 'first'] },
      tags: { type: 'array', items: { type: 'string' } },
      hotel: { type: 'object', properties: { name: { type: 'string' }, stars: { type: 'integer' } } },
    },
    required: ['city'],
  },
  ...more,
});

async function opened(more: object = {}, memory?: { state: unknown }): Promise<Panel> {
  const panel = await openPanel(memory ? { memory } : {});
  await panel.show(stage(more));
  return panel;
}

const text = () => control('Parameters as JSON');
const toJson = (panel: Panel) => panel.user.click(screen.getByText('Edit as JSON'));
const toForm = (panel: Panel) => panel.user.click(screen.getByText('Back to the Form'));
const run = (panel: Panel) => panel.user.click(screen.getByText(/^Run/));
const sent = (panel: Panel) =>
  panel.said().flatMap((message) => (message.name === 'submitParams' ? [message.body.values] : []));

async function write(panel: Panel, value: unknown): Promise<void> {
  await panel.user.clear(text());
  await panel.user.click(text());
  await panel.user.paste(typeof value === 'string' ? value : JSON.stringify(value));
}

describe('parameters as JSON', () => {
  it('begin with what is in the form, what is not valid yet included', async () => {
    const panel = await opened({ values: { cabin: 'eco' } });
    await panel.user.type(control('City'), 'X');
    await panel.user.clear(control('Seats'));
    await panel.user.type(control('Seats'), 'two');
    await toJson(panel);
    expect(JSON.parse(text().value)).toEqual({ city: 'X', seats: 'two', cabin: 'eco' });
    expect(document.activeElement).toBe(text());
  });

  it('come first where the form cannot show what is filled in, which is right', async () => {
    const either = { type: ['string', 'number'] } as const;
    const schema = { type: 'object', properties: { id: either, city: { type: 'string' } } };
    const panel = await opened({ schema, values: { id: 7, city: 'Delft' } });
    expect(JSON.parse(text().value)).toEqual({ id: 7, city: 'Delft' });
    await run(panel);
    expect(sent(panel)).toEqual([{ id: 7, city: 'Delft' }]);
  });

  it('do not come first where what is filled in is wrong, or not known any more', async () => {
    await opened({ values: { city: 7, gone: 'x' } });
    expect(control('City').value).toBe('');
  });

  it('that are pasted fill in the form', async () => {
    const panel = await opened();
    await toJson(panel);
    await write(panel, {
      city: 'Delft',
      cabin: 'first',
      tags: ['a', 'b'],
      hotel: { name: 'Ritz', stars: 5 },
    });
    await toForm(panel);
    expect(control('City').value).toBe('Delft');
    expect(control('Seats').value).toBe('2');
    expect(control('Name').value).toBe('Ritz');
    expect(document.activeElement).toBe(control('City'));
    await run(panel);
    expect(sent(panel)).toEqual([
      { city: 'Delft', seats: 2, cabin: 'first', tags: ['a', 'b'], hotel: { name: 'Ritz', stars: 5 } },
    ]);
  });

  it('are in the place of what was filled in at first: what is taken out stays out', async () => {
    const memory = { state: undefined };
    const panel = await opened({ values: { city: 'Delft', cabin: 'eco', seats: 7 } }, memory);
    await toJson(panel);
    await write(panel, { city: 'Gouda' });
    await toForm(panel);
    cleanup();
    const again = await opened({ values: { city: 'Delft', cabin: 'eco', seats: 7 } }, memory);
    await run(again);
    expect(sent(again)).toEqual([{ city: 'Gouda', seats: 2 }]);
  });

  it('are sent as they stand', async () => {
    const panel = await opened();
    await toJson(panel);
    await write(panel, { city: 'Delft' });
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent(panel)).toEqual([{ city: 'Delft' }]);
  });

  it.each([
    ['{"city":', /This is not JSON/],
    ['["Delft"]', /expected an object/],
    ['{"seats":3}', /“city” is missing/],
    ['{"city":"Delft","seats":"3"}', /seats: expected a whole number/],
    ['{"city":"Delft","seats":0}', /Seats: Enter 1 or more/],
    ['{"city":"D"}', /City: Enter at least 2 characters/],
    ['{"city":"Delft","cabin":"roof"}', /cabin: expected one of/],
  ])('%s are not sent: the text says why, and has the keyboard', async (wrong, why) => {
    const panel = await opened();
    await toJson(panel);
    await write(panel, wrong);
    await run(panel);
    expect(sent(panel)).toEqual([]);
    expect(document.activeElement).toBe(text());
    expect(text().getAttribute('aria-invalid')).toBe('true');
    const said = (text().getAttribute('aria-describedby') ?? '').split(' ');
    expect(said.map((id) => document.getElementById(id)?.textContent).join(' ')).toMatch(why);

    await write(panel, { city: 'Delft' });
    expect(text().getAttribute('aria-invalid')).toBe('false');
    await run(panel);
    expect(sent(panel)).toEqual([{ city: 'Delft' }]);
  });

  it.each([
    ['{"city":', /This is not JSON/],
    ['{"town":"Delft"}', /“town” is not expected here/],
    ['{"hotel":{"pool":true}}', /The form cannot show “hotel”/],
    ['{"tags":["a",1]}', /tags\[1\]: expected quoted text/],
  ])('%s stay JSON: the form would lose something', async (wrong, why) => {
    const panel = await opened();
    await toJson(panel);
    await write(panel, wrong);
    await toForm(panel);
    expect(screen.getByText(why)).toBeDefined();
    expect(text().value).toBe(wrong);
  });

  it('need not be complete for the form', async () => {
    const panel = await opened();
    await toJson(panel);
    await write(panel, { seats: 0 });
    await toForm(panel);
    expect(control('Seats').value).toBe('0');
    expect(control('City').value).toBe('');
  });

  it('leave the form as it was where nothing was changed', async () => {
    const panel = await opened();
    await panel.user.type(control('City'), 'X');
    await panel.user.tab();
    await toJson(panel);
    await toForm(panel);
    expect(control('City').value).toBe('X');
    expect(control('City').getAttribute('aria-invalid')).toBe('true');
  });

  it('are kept while the panel is hidden', async () => {
    const memory = { state: undefined };
    const panel = await opened({}, memory);
    await toJson(panel);
    await write(panel, '{"city": "De');
    cleanup();
    await opened({}, memory);
    expect(text().value).toBe('{"city": "De');
  });

  it('start from the shape where nothing is filled in', async () => {
    const panel = await openPanel();
    await panel.show(
      stage({ schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } }),
    );
    await toJson(panel);
    expect(text().value).toBe('');
    await panel.user.click(screen.getByText('Insert Template'));
    expect(JSON.parse(text().value)).toEqual({ city: '' });
  });

  it('are not offered where there are none', async () => {
    const panel = await openPanel();
    await panel.show(stage({ schema: { type: 'object', properties: {} } }));
    expect(screen.queryByText('Edit as JSON')).toBeNull();
  });
});
