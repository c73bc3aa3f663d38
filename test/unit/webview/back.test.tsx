// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { type RowOf, type Stage, snapshot, type TimelineRow } from '#src/panel-port/index.ts';
import { useDraft } from '#webview/views/use-draft.ts';
import { aForm, aQuestion, aSnapshot, control, openPanel, type Panel } from './panel.tsx';

const fields = [
  { name: { type: 'string', title: 'Name' } },
  { city: { type: 'string', title: 'City' } },
  { password: { type: 'string', title: 'Password' } },
] as const;
const form = (at: number, id: string) =>
  aForm(fields[at - 1] ?? {}, [], { id, number: at, message: `Question ${at}?`, back: 'q0' });

/** A call whose timeline goes with what is asked; `states` says how the questions before were left. */
function playing(panel: Panel) {
  const rows: RowOf<'question'>[] = [];
  let version = 100;
  const hear = (stage: Stage) => {
    const { head } = aSnapshot(stage);
    return panel.hear(snapshot({ version: ++version, head, rows: [...rows] satisfies TimelineRow[] }));
  };
  return {
    async ask(stage: Stage, schema: unknown = undefined) {
      if (stage.kind !== 'question') throw new Error('that is no question');
      const { id, number, message, body } = stage.question;
      const asked = { index: rows.length, time: 0, type: 'question', id, number, message } as const;
      const form = body.kind === 'form' ? body.schema : schema;
      rows.push(JSON.parse(JSON.stringify({ ...asked, state: 'open', schema: form })));
      await hear(stage);
    },
    async leave(...states: RowOf<'question'>['state'][]) {
      for (const [at, state] of states.entries()) rows[at] = { ...(rows[at] as RowOf<'question'>), state };
      await hear({ kind: 'running' });
    },
    end: () => hear({ kind: 'aborted' }),
  };
}

/** Answers the first question with Ada, types Rome into the second, and goes back. */
async function wentBack(memory = { state: undefined }) {
  const panel = await openPanel({ memory });
  const call = playing(panel);
  await call.ask(form(1, 'a'));
  await panel.user.type(control('Name'), 'Ada{Enter}');
  await call.leave('accept');
  await call.ask(form(2, 'b'));
  await panel.user.type(control('City'), 'Rome');
  await panel.user.click(screen.getByText('Back'));
  await call.leave('taken_back', 'withdrawn');
  return { panel, call };
}

it('Back shows the answer as it was given, and forward again what was typed, without a word', async () => {
  const { panel, call } = await wentBack();
  expect(screen.queryByText(/Rome/)).toBeNull();
  await call.ask(form(1, 'a2'));
  expect(control('Name').value).toBe('Ada');
  expect(screen.queryByText(/Rome/)).toBeNull();
  await panel.user.type(control('Name'), ' L{Enter}');
  await call.leave('taken_back', 'withdrawn', 'accept');
  await call.ask(form(2, 'b2'));
  expect(control('City').value).toBe('Rome');
  expect(document.querySelector('.banner')).toBeNull();
});

it('Back fills nothing into another question, and tells what was typed once its question does not come again', async () => {
  const { panel, call } = await wentBack();
  await call.ask({ ...form(1, 'a2') });
  await panel.user.click(screen.getByText(/^Submit/));
  await call.leave('taken_back', 'withdrawn', 'accept');
  await call.ask(aForm(fields[1], [], { id: 'c', number: 2, message: 'Another?' }));
  expect(control('City').value).toBe('');
  expect(screen.getByText('Rome')).toBeDefined();
});

it('Back from a question in a call that ends tells what was typed', async () => {
  const { call } = await wentBack();
  await call.end();
  expect(screen.getByText('Rome')).toBeDefined();
  expect(screen.queryByText('Ada')).toBeNull();
});

it('Back gives a view the draft that it was answered with', async () => {
  const Seats = ({ onRespond }: { onRespond(value: string): void }) => {
    const [seat, setSeat] = useDraft('seat', 'none');
    return (
      <>
        <output>{`seat ${seat}`}</output>
        <button type="button" onClick={() => setSeat('12A')}>
          Take
        </button>
        <button type="button" onClick={() => onRespond(seat)}>
          Choose
        </button>
      </>
    );
  };
  const panel = await openPanel({ views: { Seats } });
  const call = playing(panel);
  const view = (id: string, renderId: string) =>
    aQuestion({ kind: 'view', view: { key: 'Seats' }, renderId, props: {} }, { id, back: 'q0' });
  const schema = { type: 'object', properties: { seat: { type: 'string' } } };
  await call.ask(view('a', 'r1'), schema);
  await panel.user.click(screen.getByText('Take'));
  await panel.user.click(screen.getByText('Choose'));
  await call.leave('accept');
  await call.leave('taken_back');
  await call.ask(view('a2', 'r2'), schema);
  expect(screen.getByText('seat 12A')).toBeDefined();
});

it('an answer is not filled in where a loop asks the same again, and a secret is forgotten once sent', async () => {
  const memory = { state: undefined };
  const panel = await openPanel({ memory });
  const call = playing(panel);
  await call.ask(form(1, 'a'));
  await panel.user.type(control('Name'), 'Ada{Enter}');
  await call.leave('accept');
  await call.ask(form(1, 'b'));
  expect(control('Name').value).toBe('');
  await panel.user.click(screen.getByText(/^Submit/));
  await call.leave('accept', 'accept');
  await call.ask(form(3, 'c'));
  await panel.user.type(control('Password'), 'hunter{Enter}');
  await call.leave('accept', 'accept', 'accept');
  expect(JSON.stringify(memory.state)).not.toContain('hunter');
});
