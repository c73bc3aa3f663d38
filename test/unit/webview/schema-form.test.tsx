// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { aForm, control, openPanel, type Panel } from './panel.tsx';

const submit = (panel: Panel) => panel.user.click(screen.getByText(/^Submit/));
const answers = (panel: Panel) =>
  panel.said().flatMap((message) => (message.name === 'answerForm' ? [message.body] : []));

describe('every kind of field', () => {
  it('is filled in and answered with its own type', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm({
        name: { type: 'string', title: 'Name' },
        email: { type: 'string', title: 'Email', format: 'email' },
        page: { type: 'string', title: 'Page', format: 'uri' },
        day: { type: 'string', title: 'Day', format: 'date' },
        at: { type: 'string', title: 'At', format: 'date-time' },
        seats: { type: 'integer', title: 'Seats' },
        budget: { type: 'number', title: 'Budget' },
        window: { type: 'boolean', title: 'Window' },
        cabin: {
          type: 'string',
          title: 'Cabin',
          oneOf: [
            { const: 'y', title: 'Economy' },
            { const: 'c', title: 'Business' },
          ],
        },
        airport: { type: 'string', title: 'Airport', enum: ['A', 'B', 'C', 'D', 'E', 'F', 'G'] },
        meals: {
          type: 'array',
          title: 'Meals',
          items: {
            anyOf: [
              { const: 'v', title: 'Vegetarian' },
              { const: 'k', title: 'Kosher' },
            ],
          },
        },
        tags: { type: 'array', title: 'Tags', items: { type: 'string', enum: ['red', 'blue'] } },
        notes: { type: 'string', title: 'Notes', maxLength: 400 },
      }),
    );
    const { user } = panel;
    await user.type(control('Name'), 'Ada');
    await user.type(control('Email'), 'ada@example.com');
    await user.type(control('Page'), 'https://example.com');
    await user.type(screen.getByLabelText('Day'), '2026-07-28');
    await user.type(screen.getByLabelText('At'), '2026-07-28T09:30');
    await user.type(control('Seats'), '2');
    await user.type(control('Budget'), '99.5');
    await user.click(screen.getByLabelText('Window'));
    await user.click(screen.getByLabelText('Business'));
    await user.selectOptions(screen.getByLabelText('Airport'), 'F');
    await user.click(screen.getByLabelText('Kosher'));
    await user.click(screen.getByLabelText('blue'));
    await user.click(screen.getByLabelText('red'));
    await user.type(control('Notes'), 'one');
    expect(control('Notes').getAttribute('rows'), 'a line that grows').toBe('1');
    await submit(panel);
    expect(answers(panel)).toEqual([
      {
        questionId: 'q1',
        attempt: 1,
        content: {
          name: 'Ada',
          email: 'ada@example.com',
          page: 'https://example.com',
          day: '2026-07-28',
          at: new Date(2026, 6, 28, 9, 30).toISOString().replace('.000Z', 'Z'),
          seats: 2,
          budget: 99.5,
          window: true,
          cabin: 'c',
          airport: 'F',
          meals: ['k'],
          tags: ['red', 'blue'],
          notes: 'one',
        },
      },
    ]);
  });

  it('starts with its default, and leaves out what nobody touched', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm({
        name: { type: 'string', default: 'Ada' },
        seats: { type: 'integer', default: 2 },
        window: { type: 'boolean', default: true },
        cabin: { type: 'string', enum: ['y', 'c'], default: 'c' },
        meals: { type: 'array', items: { type: 'string', enum: ['v', 'k'] }, default: ['k'] },
        notes: { type: 'string' },
        other: { type: 'array', items: { type: 'string', enum: ['x'] } },
        aisle: { type: 'boolean' },
      }),
    );
    expect(control('Name').value).toBe('Ada');
    await submit(panel);
    expect(answers(panel)[0]?.content).toEqual({
      name: 'Ada',
      seats: 2,
      window: true,
      cabin: 'c',
      meals: ['k'],
    });
  });

  it('can be taken back, when it is one optional choice', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ cabin: { type: 'string', enum: ['y', 'c'] } }));
    await panel.user.click(screen.getByLabelText('y'));
    await panel.user.click(screen.getByText('Choose none'));
    await submit(panel);
    expect(answers(panel)[0]?.content).toEqual({});
  });
});

describe('labels and help', () => {
  it('belong to their controls', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm(
        {
          cabin: { type: 'string', title: 'Cabin', description: 'Where to sit', enum: ['y'] },
          day: { type: 'string', title: 'Day', format: 'date', description: 'When to fly' },
          name: { type: 'string', title: 'Name', description: 'As in the passport' },
        },
        ['cabin', 'name'],
      ),
    );
    const group = screen.getByRole('radiogroup', { name: /Cabin/, description: 'Where to sit' });
    expect(group.getAttribute('aria-required')).toBe('true');
    expect(screen.getByLabelText('Day').getAttribute('aria-required')).toBe('false');
    const name = control('Name');
    expect(name.getAttribute('aria-required')).toBe('true');
    expect(descriptionOf(name)).toContain('As in the passport');
    expect(screen.getByText('required')).toBeDefined();
  });

  it('says of ticks that one is required, which their group cannot, and of a filter what it is for', async () => {
    const panel = await openPanel();
    const many = Array.from({ length: 12 }, (_, at) => `choice ${at}`);
    await panel.show(
      aForm(
        {
          days: { type: 'array', title: 'Days', items: { type: 'string', enum: ['mon', 'tue'] } },
          towns: { type: 'array', title: 'Towns', items: { type: 'string', enum: many } },
        },
        ['days'],
      ),
    );
    expect(screen.getByRole('group', { name: 'Days', description: 'required' })).toBeDefined();
    expect(screen.getByRole('group', { name: 'Towns', description: '' })).toBeDefined();
    expect(screen.getByRole('searchbox', { description: 'Towns' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Select All', description: 'Towns' })).toBeDefined();
  });
});

describe('errors', () => {
  const name = {
    name: { type: 'string', title: 'Name', minLength: 3 },
    seats: { type: 'integer', title: 'Seats' },
  };

  it('stay away while a field is typed in for the first time, and come when it is left', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    await panel.user.type(control('Name'), 'A');
    expect(screen.queryByText(/at least 3/)).toBeNull();
    await panel.user.tab();
    expect(screen.getByText(/at least 3/)).toBeDefined();
    expect(control('Name').getAttribute('aria-invalid')).toBe('true');
    expect(descriptionOf(control('Name'))).toMatch(/at least 3/);
  });

  it('go as soon as they are mended', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    await panel.user.type(control('Name'), 'A');
    await panel.user.tab();
    await panel.user.type(control('Name'), 'da');
    expect(screen.queryByText(/at least 3/)).toBeNull();
  });

  it('of a failed submit that are few speak for themselves, with the keyboard in the first field', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name, ['name', 'seats']));
    await submit(panel);
    expect(answers(panel)).toEqual([]);
    expect(screen.queryByRole('group')).toBeNull();
    expect(document.activeElement).toBe(control('Name'));
    expect(screen.getByText('Name is required.')).toBeDefined();
  });

  it('of a failed submit that are many are summed up, with the keyboard there and a way to each field', async () => {
    const panel = await openPanel();
    const more = { a: { type: 'string' }, b: { type: 'string' } };
    await panel.show(aForm({ ...name, ...more }, ['name', 'seats', 'a', 'b']));
    await submit(panel);
    expect(answers(panel)).toEqual([]);
    const summary = screen.getByRole('group', { name: '4 fields to fix' });
    expect(document.activeElement).toBe(summary);
    expect([...summary.querySelectorAll('li')].map((line) => line.textContent)).toEqual([
      'Name is required',
      'Seats: Enter a whole number.',
      'A is required',
      'B is required',
    ]);
    await panel.user.click(within(summary).getByText('Seats'));
    expect(document.activeElement).toBe(control('Seats'));
  });

  it('of JSON text show where it is', async () => {
    const panel = await openPanel();
    await panel.show({
      kind: 'parameters',
      formId: 'f1',
      attempt: 1,
      schema: { type: 'object', properties: { filters: { type: 'object', title: 'Filters' } } },
    });
    await panel.user.type(control('Filters'), '[[1]');
    await panel.user.tab();
    expect(screen.getByText(/expected an object/)).toBeDefined();
    await panel.user.type(control('Filters'), '{Backspace}{Backspace}{Backspace}{{"airline":"KL"}');
    await panel.user.click(screen.getByText(/^Run/));
    expect(panel.said()).toMatchObject([
      { name: 'submitParams', body: { formId: 'f1', values: { filters: { airline: 'KL' } } } },
    ]);
  });
});

it.each([
  ['Run', {}],
  ['Debug', { debugged: true }],
])('asks for parameters to %s the tool with', async (button, more) => {
  const panel = await openPanel();
  const schema = { type: 'object', properties: { n: { type: 'integer', title: 'Number' } } };
  await panel.show({ kind: 'parameters', formId: 'f1', attempt: 1, schema, ...more });
  await panel.user.type(control('Number'), '7');
  await panel.user.click(screen.getByText(new RegExp(`^${button}`), { selector: 'button[type="submit"]' }));
  expect(panel.said()).toMatchObject([{ name: 'submitParams', body: { values: { n: 7 } } }]);
});

describe('hints', () => {
  const hints = () => [...document.querySelectorAll('.field-help')].map((help) => help.textContent);

  it('say limits once, in the right number, and not that one character is at least one', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm(
        {
          a: { type: 'string', minLength: 1 },
          b: { type: 'string', maxLength: 1 },
          c: { type: 'string', minLength: 2, maxLength: 40, description: 'Text, 2 to 40 characters' },
          d: { type: 'string', minLength: 2, description: 'Your name' },
        },
        ['a'],
      ),
    );
    expect(hints()).toEqual([
      'One character',
      'Text, 2 to 40 characters',
      'Your name · At least 2 characters',
    ]);
  });

  it('say how many to choose, and not that what is required is at least one', async () => {
    const items = { type: 'string', enum: ['npm', 'jsr'] };
    const panel = await openPanel();
    await panel.show(
      aForm(
        {
          a: { type: 'array', items, minItems: 1 },
          b: { type: 'array', items, minItems: 1 },
          c: { type: 'array', items, minItems: 1, maxItems: 2 },
        },
        ['a', 'c'],
      ),
    );
    expect(hints()).toEqual(['Choose at least 1', 'Choose 1 to 2']);
  });

  it('explain a star only where there is one', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ agree: { type: 'boolean' } }, ['agree']));
    expect(screen.queryByText('required')).toBeNull();
  });
});

describe('the row of buttons', () => {
  it('counts what must be filled in where that is much, and names its keys on hover alone', async () => {
    const panel = await openPanel();
    const fields = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, { type: 'string' }]));
    const names = Object.keys(fields);
    await panel.show(aForm({ ...fields, more: { type: 'string' } }, names));
    const row = () => document.querySelector('form .buttons')?.textContent;
    expect(row()).toBe('Submit0 of 9 requiredDeclineCancel');
    await panel.user.type(control('F3'), 'x');
    expect(row()).toContain('1 of 9 required');
    expect(screen.getByTitle('Submit (Ctrl+Enter)')).toBeTruthy();
    await panel.show(aForm(fields, names.slice(1), { id: 'q2' }));
    expect(row()).toBe('SubmitDeclineCancel');
  });
});

describe('choices', () => {
  it.each([
    ['few and short', ['npm', 'jsr', 'docker'], true],
    ['long', ['a registry of packages for Node', 'a registry of modules for Deno', 'an image'], false],
    ['many', ['a', 'b', 'c', 'd', 'e', 'f'], false],
  ])('that are %s stand in a row or not, one or more of them', async (_how, names, inARow) => {
    const panel = await openPanel();
    const choice = { type: 'string', enum: names };
    await panel.show(aForm({ one: choice, several: { type: 'array', items: choice } }));
    const groups = [...document.querySelectorAll('.options')];
    expect(groups.map((group) => group.classList.contains('options-row'))).toEqual([inARow, inARow]);
  });
});

describe('an answer of one’s own', () => {
  it('takes the place of a choice, also where it begins as one, and gives way to one', async () => {
    const panel = await openPanel();
    const license = { type: 'string', title: 'License', enum: ['MIT', 'GPL'], other: true };
    await panel.show(aForm({ license }, ['license']));
    const own = screen.getByRole<HTMLInputElement>('textbox', { name: 'Other answer' });
    await panel.user.type(own, 'MIT or Apache');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'MIT' }).checked).toBe(false);
    await submit(panel);
    expect(answers(panel)).toMatchObject([{ content: { license: 'MIT or Apache' } }]);

    await panel.show(aForm({ license }, ['license'], { id: 'q2' }));
    const again = screen.getByRole<HTMLInputElement>('textbox', { name: 'Other answer' });
    await panel.user.type(again, ' ');
    await submit(panel);
    expect(screen.getByText('Choose one.')).toBeTruthy();
    await panel.user.click(screen.getByRole('radio', { name: 'GPL' }));
    expect(again.value).toBe('');
    await submit(panel);
    expect(answers(panel).at(-1)).toMatchObject({ content: { license: 'GPL' } });
  });
});

describe('the keyboard', () => {
  const two = { a: { type: 'string', title: 'A' }, b: { type: 'string', title: 'B' } };

  it.each(['{Control>}{Enter}{/Control}', '{Meta>}{Enter}{/Meta}'])(
    '%s submits from any field, once',
    async (keys) => {
      const panel = await openPanel();
      await panel.show(aForm(two));
      await panel.user.type(control('A'), `x${keys}${keys}`);
      expect(answers(panel)).toEqual([{ questionId: 'q1', attempt: 1, content: { a: 'x' } }]);
    },
  );

  it('sends what was put in at the same moment: by a text expander, or by dictation', async () => {
    const panel = await openPanel();
    await panel.show(aForm(two));
    const field = control('A');
    if (!(field instanceof HTMLTextAreaElement)) throw new Error('no field to type in');
    await act(async () => {
      // As a browser puts it in: what a script assigns to this one field is noted by React, which then hears of no change.
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field, 'all of it');
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const enter = { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true };
      field.dispatchEvent(new KeyboardEvent('keydown', enter));
    });
    expect(answers(panel)).toEqual([{ questionId: 'q1', attempt: 1, content: { a: 'all of it' } }]);
  });

  it('Enter alone does not send a form that has more to fill in', async () => {
    const panel = await openPanel();
    await panel.show(aForm(two));
    await panel.user.type(control('A'), 'x{Enter}');
    expect(answers(panel)).toEqual([]);
  });

  it('is the editor’s after Ctrl+K: the second key of a chord is not typed', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ name: { type: 'string', title: 'Name' } }));
    await panel.user.click(control('Name'));
    await panel.user.keyboard('Ada{Control>}k{/Control}x{Control>}k{/Control}{Shift>}X{/Shift}y');
    expect(control('Name')).toHaveProperty('value', 'Aday');
    await panel.user.keyboard('{Control>}k{/Control}{Escape}l{Control>}k{/Control}{Control>}a{/Control}z');
    expect(control('Name')).toHaveProperty('value', 'z');
  });

  it('Enter sends a form of one field', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ a: { type: 'string', title: 'A' } }));
    await panel.user.type(control('A'), 'x{Enter}');
    expect(answers(panel)).toHaveLength(1);
  });

  it('Escape never answers', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ a: { type: 'string', title: 'A' } }));
    await panel.user.type(control('A'), 'x{Escape}');
    await panel.user.keyboard('{Escape}');
    expect(panel.said()).toEqual([]);
  });
});

describe('a line of text', () => {
  it('that is long is not left to the browser, which would look for its direction with each key', async () => {
    const panel = await openPanel();
    const line = { type: 'string', title: 'Line', multiline: false } as const;
    const path = { ...line, title: 'Path', multiline: undefined, pick: 'file' } as const;
    await panel.show(aForm({ line: { ...line, default: `1 א${'א b'.repeat(9_000)}` }, path }));
    expect([control('Line').dir, control('Line').dataset.long]).toEqual(['rtl', 'true']);
    expect([control('Path').dir, control('Path').dataset.long]).toEqual(['', undefined]);
    fireEvent.input(control('Path'), { target: { value: 'a b'.repeat(9_000) } });
    expect([control('Path').dir, control('Path').dataset.long]).toEqual(['ltr', 'true']);
    await panel.user.click(control('Path'));
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(panel.said()).toMatchObject([{ body: { content: { path: 'a b'.repeat(9_000) } } }]);
  });
});

describe('drafts', () => {
  it('survive hiding the panel, half-typed values and errors included', async () => {
    const form = aForm({
      name: { type: 'string', title: 'Name', minLength: 3 },
      seats: { type: 'integer', title: 'Seats' },
    });
    const first = await openPanel();
    await first.show(form);
    await first.user.type(control('Name'), 'A');
    await first.user.tab();
    await first.user.type(control('Seats'), '1x');

    document.body.replaceChildren();
    const second = await openPanel({ memory: first.memory });
    await second.show(form);
    expect(control('Name').value).toBe('A');
    expect(control('Seats').value).toBe('1x');
    expect(screen.getByText(/at least 3/)).toBeDefined();
  });

  it('of one question do not show in the next', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ name: { type: 'string', title: 'Name' } }));
    await panel.user.type(control('Name'), 'Ada');
    await panel.show(aForm({ name: { type: 'string', title: 'Name' } }, [], { id: 'q2', number: 2 }));
    expect(control('Name').value).toBe('');
  });

  it('that were sent are remembered no longer', async () => {
    const panel = await openPanel();
    await panel.show(aForm({ name: { type: 'string', title: 'Name' } }));
    await panel.user.type(control('Name'), 'Ada{Enter}');
    await panel.show(aForm({ name: { type: 'string', title: 'Name' } }, [], { id: 'q2', number: 2 }));
    expect(control('Name').value).toBe('');
    expect(JSON.stringify(panel.memory.state)).not.toContain('Ada');
  });

  it('that are nonsense are passed over', async () => {
    const memory = {
      state: { drafts: { 'question q1': { form: { raw: { name: { x: 1 } }, left: 7 } } }, scroll: 'up' },
    };
    const panel = await openPanel({ memory });
    await panel.show(aForm({ name: { type: 'string', title: 'Name' } }));
    expect(control('Name').value).toBe('');
  });
});

function descriptionOf(element: HTMLElement): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent).join(' ');
}

describe('the words below a field', () => {
  it('are not those above it once more', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm({
        owner: { type: 'string', title: 'Owner', description: 'owner' },
        name: { type: 'string', title: 'Name', description: 'Name of the repository' },
      }),
    );
    expect(control('Owner').getAttribute('aria-describedby')).toBeNull();
    expect(screen.getByText('Name of the repository')).toBeTruthy();
  });
});
