// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { useDraft, usePrimaryAction } from '#webview/api.ts';
import { createViewRegistry } from '#webview/views/view-registry.ts';
import { aQuestion, aView, openPanel } from './panel.tsx';

interface PickProps {
  readonly options: readonly string[];
  onRespond(value: string): void;
}

function Pick({ options, onRespond }: PickProps) {
  return options.map((option) => (
    <button type="button" key={option} onClick={() => onRespond(option)}>
      {option}
    </button>
  ));
}

function Counter({ onRespond }: { onRespond(value: number): void }) {
  const [count, setCount] = useDraft('count', 0);
  return (
    <>
      <button type="button" onClick={() => setCount(count + 1)}>
        count {count}
      </button>
      <button type="button" onClick={() => onRespond(count)}>
        done
      </button>
    </>
  );
}

function Twice({ onRespond }: { onRespond(value: number): void }) {
  const [count, setCount] = useDraft('count', 1);
  const both = () => {
    setCount((before) => before + 1);
    setCount((before) => before * 10);
  };
  return (
    <>
      <button type="button" onClick={both}>
        twice
      </button>
      <button type="button" onClick={() => onRespond(count)}>
        done
      </button>
    </>
  );
}

function Broken(): never {
  throw new Error('no seats');
}

function Odd({ onRespond }: { onRespond(value: Date): void }) {
  return (
    <button type="button" onClick={() => onRespond(new Date())}>
      now
    </button>
  );
}

function Board({ text }: { text: string }) {
  return <p>{text}</p>;
}

function Picky({ text }: { text: string }) {
  if (text === '') throw new Error('nothing to show');
  return <p>{text}</p>;
}

/** A line to type in, called so once the effects of its first drawing have run. */
function Line() {
  const [isThere, setThere] = useState(false);
  useEffect(() => setThere(true), []);
  return <input aria-label={isThere ? 'line' : 'to come'} />;
}

const views = { pick: Pick, counter: Counter, twice: Twice, broken: Broken };
const quiet = () => vi.spyOn(console, 'error').mockImplementation(() => {});

describe('a view', () => {
  it('gets its props and answers for its rendering, once', async () => {
    const panel = await openPanel({ views });
    await panel.show(aView('pick', { options: ['1A', '2B'] }));
    await panel.user.click(screen.getByText('2B'));
    await panel.user.click(screen.getByText('1A'));
    expect(panel.said()).toEqual([
      expect.objectContaining({ name: 'viewResponse', body: { renderId: 'r1', value: '2B' } }),
    ]);
  });

  it('updates a draft by what was set last, though that is not drawn yet', async () => {
    const panel = await openPanel({ views });
    await panel.show(aView('twice', {}));
    await panel.user.click(screen.getByText('twice'));
    await panel.user.click(screen.getByText('done'));
    expect(panel.said()).toEqual([expect.objectContaining({ body: { renderId: 'r1', value: 20 } })]);
  });

  it('answers again when it is rendered again', async () => {
    const panel = await openPanel({ views });
    await panel.show(aView('pick', { options: ['1A'] }));
    await panel.user.click(screen.getByText('1A'));
    await panel.show(aView('pick', { options: ['1A'] }, 'r2'));
    await panel.user.click(screen.getByText('1A'));
    expect(panel.said().map(({ body }) => body)).toEqual([
      { renderId: 'r1', value: '1A' },
      { renderId: 'r2', value: '1A' },
    ]);
  });

  it('does not take the second click of a double click that was meant for the one before', async () => {
    const panel = await openPanel({ views });
    await panel.show(aView('pick', { options: ['1A'] }));
    await panel.user.click(screen.getByText('1A'));
    await panel.show(aView('pick', { options: ['yes, buy'] }, 'r2'));
    await act(async () => {
      screen.getByText('yes, buy').dispatchEvent(new MouseEvent('click', { detail: 2, bubbles: true }));
    });
    expect(panel.said()).toHaveLength(1);
  });

  it('can be refused by the panel', async () => {
    const panel = await openPanel({ views });
    await panel.show(aView('pick', { options: ['1A'] }));
    await panel.user.click(screen.getByText('Decline'));
    await panel.user.click(screen.getByText('1A'));
    expect(panel.said()).toMatchObject([{ name: 'decline' }]);
  });

  it('keeps its drafts through hiding and through a new rendering', async () => {
    const first = await openPanel({ views });
    await first.show(aView('counter'));
    await first.user.click(screen.getByText('count 0'));
    await first.user.click(screen.getByText('count 1'));
    document.body.replaceChildren();

    const second = await openPanel({ views, memory: first.memory });
    await second.show(aView('counter', {}, 'r2'));
    await second.user.click(screen.getByText('done'));
    expect(second.said()).toMatchObject([{ body: { renderId: 'r2', value: 2 } }]);
  });

  it('that crashes says so, to the person and once to the host, and leaves the refusals', async () => {
    const errors = quiet();
    const panel = await openPanel({ views });
    await panel.show(aView('broken'));
    expect(screen.getByText('no seats')).toBeDefined();
    expect(panel.said()).toMatchObject([
      { name: 'viewCrashed', body: { renderId: 'r1', error: { name: 'Error', message: 'no seats' } } },
    ]);
    await panel.user.click(screen.getByText('Cancel'));
    expect(panel.said()).toMatchObject([{ name: 'cancel' }]);
    errors.mockRestore();
  });

  it('gives way to the form after a crash', async () => {
    const errors = quiet();
    const panel = await openPanel({ views });
    await panel.show(aView('broken'));
    await panel.show(
      aQuestion(
        { kind: 'form', schema: { type: 'object', properties: { seat: { type: 'string', title: 'Seat' } } } },
        { notice: 'The view failed; here is its form.' },
      ),
    );
    expect(screen.queryByText('no seats')).toBeNull();
    expect(document.querySelector('[data-control]')).not.toBeNull();
    errors.mockRestore();
  });

  it('that responds with what is not JSON has crashed', async () => {
    const panel = await openPanel({
      views: { odd: Odd },
    });
    await panel.show(aView('odd'));
    await panel.user.click(screen.getByText('now'));
    expect(panel.said()).toMatchObject([{ name: 'viewCrashed', body: { error: { name: 'TypeError' } } }]);
  });

  it('that nobody knows is named in the panel and to the host', async () => {
    const panel = await openPanel();
    await panel.show(aView('tools/seats.view.tsx#Seats'));
    expect(await screen.findByText(/“tools\/seats.view.tsx#Seats” is not part of this panel/)).toBeDefined();
    expect(panel.said()).toMatchObject([
      { name: 'viewCrashed', body: { error: { name: 'ViewNotFoundError' } } },
    ]);
  });
});

describe('a view in a bundle of its own', () => {
  const stage = aQuestion({
    kind: 'view',
    renderId: 'r1',
    props: { options: ['1A'] },
    view: { key: 'pick', bundle: { script: 'https://x/pick.js', style: 'https://x/pick.css' } },
  });

  it('is imported once, with its styles, and then drawn', async () => {
    const script = vi.fn(async () => ({ views: { pick: Pick } }));
    const style = vi.fn(async () => {});
    const panel = await openPanel({ registry: createViewRegistry({ script, style }) });
    await panel.show(stage);
    await panel.user.click(await screen.findByText('1A'));
    await panel.show({ kind: 'running' });
    await panel.show(stage);
    expect(await screen.findByText('1A')).toBeDefined();
    expect(script.mock.calls).toEqual([['https://x/pick.js']]);
    expect(style.mock.calls).toEqual([['https://x/pick.css']]);
    expect(panel.said()).toMatchObject([{ name: 'viewResponse' }]);
  });

  it('that comes late takes the keyboard, but not from whoever has taken it to a button meanwhile', async () => {
    const late = async (meanwhile: () => void) => {
      const code = Promise.withResolvers<{ views: { line: typeof Line } }>();
      const registry = createViewRegistry({ script: () => code.promise, style: async () => {} });
      const panel = await openPanel({ registry });
      const view = { key: 'line', bundle: { script: 'https://x/line.js' } };
      await panel.show(aQuestion({ kind: 'view', view, renderId: 'r1', props: {} }));
      meanwhile();
      await act(async () => code.resolve({ views: { line: Line } }));
      await screen.findByLabelText('line');
      const { activeElement } = document;
      cleanup();
      return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent;
    };
    expect(await late(() => {})).toBe('line');
    expect(await late(() => screen.getByText('Decline').focus())).toBe('Decline');
  });

  it('that cannot be fetched says why, and is tried again the next time', async () => {
    let fails = true;
    const script = vi.fn(async () => {
      if (fails) throw new Error('gone');
      return { views: { pick: Pick } };
    });
    const registry = createViewRegistry({ script, style: async () => {} });
    const panel = await openPanel({ registry });
    await panel.show(stage);
    expect(await screen.findByText(/is not part of this panel \(gone\)/)).toBeDefined();
    fails = false;
    await panel.show({ kind: 'running' });
    await panel.show(stage);
    expect(await screen.findByText('1A')).toBeDefined();
  });

  it('that exports no views says so', async () => {
    const registry = createViewRegistry({ script: async () => ({}), style: async () => {} });
    const panel = await openPanel({ registry });
    await panel.show(stage);
    expect(await screen.findByText(/its bundle has no `views`/)).toBeDefined();
  });
});

describe('a view that is only shown', () => {
  it('gets a new chance with each rendering, and each failure is told once', async () => {
    const errors = quiet();
    const panel = await openPanel({ views: { picky: Picky } });
    const shown = (text: string, renderId: string) => ({
      shown: { renderId, view: { key: 'picky' }, props: { text } },
    });
    await panel.show({ kind: 'running' }, shown('', 's1'));
    await panel.show({ kind: 'running' }, shown('', 's1'));
    await panel.show({ kind: 'running' }, shown('', 's2'));
    expect(panel.said().map(({ body }) => body)).toMatchObject([{ renderId: 's1' }, { renderId: 's2' }]);
    await panel.show({ kind: 'running' }, shown('fine', 's3'));
    expect(screen.getByText('fine')).toBeDefined();
    expect(panel.said()).toEqual([]);
    errors.mockRestore();
  });

  it('is updated in place while the tool works', async () => {
    const panel = await openPanel({ views: { board: Board } });
    const shown = (text: string, renderId: string) => ({
      shown: { renderId, view: { key: 'board' }, props: { text } },
    });
    await panel.show({ kind: 'running' }, shown('one', 's1'));
    const element = screen.getByText('one');
    await panel.show({ kind: 'running' }, shown('two', 's2'));
    expect(element.textContent).toBe('two');
    expect(document.contains(element)).toBe(true);
  });

  it('keeps its place between two questions: the line above it stays', async () => {
    const panel = await openPanel({ views: { board: Board } });
    const shown = { shown: { renderId: 's1', view: { key: 'board' }, props: { text: 'one' } } };
    const above = () => screen.getByRole('heading', { name: 'Running' }).className;
    const answered = (number: number) =>
      ({
        index: number,
        time: 0,
        type: 'question',
        id: `q${number}`,
        number,
        message: '?',
        state: 'accept',
      }) as const;
    await panel.show({ kind: 'running' }, shown);
    await panel.append(answered(1));
    expect(above()).toBe('visually-hidden');
    await panel.append(answered(2));
    expect(above()).toBe('stage-overline');
  });

  it('stays beside what came of the call', async () => {
    const panel = await openPanel({ views: { board: Board } });
    const shown = { renderId: 's1', view: { key: 'board' }, props: { text: 'the final position' } };
    await panel.show({ kind: 'running' }, { shown });
    await panel.show({ kind: 'result', value: 'You won' }, { shown });
    expect(screen.getByText('You won')).toBeDefined();
    expect(screen.getByText('the final position')).toBeDefined();
  });
});

describe('the main button of a view', () => {
  function Choose({ onRespond }: { onRespond(value: string): void }) {
    const [on, setOn] = useState(false);
    const choose = usePrimaryAction('Choose it', () => onRespond('it'), { disabled: !on });
    return (
      <div>
        <button type="button" onClick={() => setOn(true)}>
          Pick
        </button>
        <input type="radio" aria-label="This one" />
        {choose}
      </div>
    );
  }

  it('stands in the panel’s own row, and Ctrl+Enter in the view presses it', async () => {
    const panel = await openPanel({ views: { choose: Choose } });
    await panel.show(aView('choose'));
    const button = screen.getByRole('button', { name: 'Choose it' });
    expect(button.closest('.buttons')?.textContent).toBe('Choose itDeclineCancel');
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(panel.said()).toEqual([]);
    await panel.user.click(screen.getByText('Pick'));
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(panel.said()).toMatchObject([{ name: 'viewResponse', body: { value: 'it' } }]);
    expect(button.hasAttribute('disabled')).toBe(true);
  });

  it('is what Enter on a radio button of the view presses', async () => {
    const panel = await openPanel({ views: { choose: Choose } });
    await panel.show(aView('choose'));
    await panel.user.click(screen.getByText('Pick'));
    screen.getByRole('radio').focus();
    await panel.user.keyboard('{Enter}');
    expect(panel.said()).toMatchObject([{ name: 'viewResponse', body: { value: 'it' } }]);
  });

  it('may have another beside it, which no key presses by itself', async () => {
    function Judge({ onRespond }: { onRespond(value: string): void }) {
      return usePrimaryAction('Approve', () => onRespond('yes'), {
        disabled: true,
        other: { label: 'Send Back', onPress: () => onRespond('no') },
      });
    }
    const panel = await openPanel({ views: { judge: Judge } });
    await panel.show(aView('judge'));
    const other = screen.getByRole('button', { name: 'Send Back' });
    expect(other.closest('.buttons')?.textContent).toBe('ApproveSend BackDeclineCancel');
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(panel.said()).toEqual([]);
    await panel.user.click(other);
    expect(panel.said()).toMatchObject([{ name: 'viewResponse', body: { value: 'no' } }]);
    expect(other.hasAttribute('disabled')).toBe(true);
  });

  it('stands in the view where there is no panel', () => {
    render(<Choose onRespond={() => undefined} />);
    expect(screen.getByRole('button', { name: 'Choose it' })).toBeDefined();
  });
});
