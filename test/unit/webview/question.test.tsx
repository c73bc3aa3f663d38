// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { refused } from '#src/panel-port/index.ts';
import { aForm, aQuestion, aView, control, openPanel } from './panel.tsx';

const name = { name: { type: 'string', title: 'Name' } };

describe('a question', () => {
  it('keeps the line breaks of its message and reads none of it as HTML', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm(name, [], { message: 'First\n<img src=x onerror=alert(1)> https://example.com/a.' }),
    );
    const text = within(screen.getByRole('main')).getByText(/First/);
    expect(text.textContent).toBe('First\n<img src=x onerror=alert(1)> https://example.com/a.');
    expect(text.className).toContain('p-text');
    expect(document.querySelector('img')).toBeNull();
    expect(text.querySelector('a')?.getAttribute('href')).toBe('https://example.com/a');
  });

  it('says which tool asks, when the call’s own has called it', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name, [], { path: ['plan', 'github__create_issue'] }));
    expect(screen.getByText('Asked by plan › github__create_issue')).toBeTruthy();
  });

  it('links nothing but web addresses', async () => {
    const panel = await openPanel();
    await panel.show(
      aForm(name, [], { message: 'javascript:alert(1) command:x file:///etc data:text/html,x' }),
    );
    expect(document.querySelector('main a')).toBeNull();
  });

  it('has its own verb on its button, in one short line', async () => {
    const panel = await openPanel();
    const schema = { type: 'object', properties: {}, action: ` Commit\n${'x'.repeat(100)}` } as const;
    await panel.show(aQuestion({ kind: 'form', schema }));
    const text = document.querySelector('button[type="submit"]')?.firstChild?.textContent;
    expect(text).toBe(`Commit ${'x'.repeat(22)}…`);
    await panel.show(aForm(name, [], { id: 'q2' }));
    expect(document.querySelector('button[type="submit"]')?.firstChild?.textContent).toBe('Submit');
  });

  it('has one way to say no where its tool takes both for one', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name, [], { decline: false }));
    expect(screen.queryByText('Decline')).toBeNull();
    expect(screen.getByText('Cancel')).toBeTruthy();
  });

  it('is replied to where it takes replies, by the keyboard alone, and keeps what was written', async () => {
    await (await openPanel()).show(aForm(name, ['name']));
    expect(screen.queryByText('Reply…')).toBeNull();
    document.body.replaceChildren();
    const memory = { state: undefined };
    const panel = await openPanel({ memory });
    await panel.show(aForm(name, ['name'], { replies: 'reply_' }));
    const button = screen.getByText('Reply…');
    button.focus();
    await panel.user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByLabelText('Your reply'));
    await panel.user.keyboard('Who{Shift>}{Enter}{/Shift}asks?{Escape}');
    expect(document.activeElement).toBe(button);
    document.body.replaceChildren();
    const after = await openPanel({ memory });
    await after.show(aView('none', {}, 'r1', { replies: 'reply_' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Your reply').value).toBe('Who\nasks?');
    screen.getByLabelText('Your reply').focus();
    await after.user.keyboard('{Control>}{Enter}{/Control}');
    const content = { reply_: 'Who\nasks?' };
    expect(after.said()).toContainEqual(
      expect.objectContaining({ name: 'answerForm', body: { questionId: 'q1', attempt: 1, content } }),
    );
  });

  it('can be declined and cancelled, each once', async () => {
    for (const [button, message] of [
      ['Decline', 'decline'],
      ['Cancel', 'cancel'],
    ] as const) {
      const panel = await openPanel();
      await panel.show(aForm(name));
      await panel.user.click(screen.getByText(button));
      await panel.user.click(screen.getByText('Decline'));
      await panel.user.click(screen.getByText('Cancel'));
      expect(panel.said()).toMatchObject([{ name: message, body: { questionId: 'q1' } }]);
      document.body.replaceChildren();
    }
  });

  it('is answered with Ctrl+Enter by who has clicked into its message, and the keyboard goes to what is missing', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name, ['name'], { message: 'Read this.' }));
    await panel.user.click(screen.getByText('Read this.'));
    expect(document.activeElement?.matches('input, textarea')).toBe(false);
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(panel.said()).toEqual([]);
    expect(document.activeElement).toBe(control('Name'));
    await panel.user.keyboard('Ada');
    await panel.user.click(screen.getByText('Read this.'));
    await panel.user.keyboard('{Control>}{Enter}{/Control}');
    expect(panel.said()).toMatchObject([{ name: 'answerForm', body: { content: { name: 'Ada' } } }]);
  });

  it('takes one answer, however often Submit is pressed', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    const submit = screen.getByText(/^Submit/);
    await panel.user.dblClick(submit);
    await panel.user.click(submit);
    await panel.user.click(screen.getByText('Decline'));
    expect(panel.said()).toHaveLength(1);
    expect(screen.getByText(/^Sending/)).toBeDefined();
  });

  it('stays answered while the timeline goes on', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    await panel.user.click(screen.getByText(/^Submit/));
    panel.said();
    await panel.append({ index: 1, time: 0, type: 'log', level: 'info', message: 'still here' });
    await panel.user.click(screen.getByText(/^Sending/));
    expect(panel.said()).toEqual([]);
  });

  it('that is asked again keeps the values, shows the problem and takes an answer', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    await panel.user.type(control('Name'), 'Ada');
    await panel.user.click(screen.getByText(/^Submit/));
    panel.said();
    await panel.show(aForm(name, [], { attempt: 2, problem: 'Ada is taken' }));
    expect(control('Name').value).toBe('Ada');
    expect(screen.getByText('Answer again')).toBeDefined();
    expect(screen.getByText('Ada is taken')).toBeDefined();
    await panel.user.type(control('Name'), ' L');
    await panel.user.click(screen.getByText(/^Submit/));
    expect(panel.said()).toMatchObject([
      { name: 'answerForm', body: { questionId: 'q1', attempt: 2, content: { name: 'Ada L' } } },
    ]);
  });

  it('whose answer the host refuses says why and can be answered again', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    await panel.user.click(screen.getByText(/^Submit/));
    await panel.hear(refused({ target: 'q1', message: 'This came too late.' }));
    expect(screen.getByText('This came too late.')).toBeDefined();
    panel.said();
    await panel.user.click(screen.getByText(/^Submit/));
    expect(panel.said()).toHaveLength(1);
    expect(screen.queryByText('This came too late.')).toBeNull();
  });

  it('can be declined while its handler is still at work', async () => {
    const panel = await openPanel();
    await panel.show(aQuestion({ kind: 'busy', note: 'Looking for seats' }));
    expect(screen.getByText(/Looking for seats/)).toBeDefined();
    await panel.user.click(screen.getByText('Decline'));
    expect(panel.said()).toMatchObject([{ name: 'decline' }]);
  });

  it('shows its context where there is no view to do so', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name, [], { context: { flight: 'TP671' }, notice: 'The view failed.' }));
    await panel.user.click(screen.getByText('Context from the tool'));
    expect(screen.getByText('TP671')).toBeDefined();
    expect(screen.getByText('The view failed.')).toBeDefined();
  });
});

describe('the keyboard', () => {
  it('is put into the first field of a new question when the panel has the focus', async () => {
    const panel = await openPanel();
    await panel.show(aForm(name));
    expect(document.activeElement).toBe(document.querySelector('[data-control]'));
  });

  it('is never put on a button that answers by itself', async () => {
    const panel = await openPanel();
    await panel.show(aQuestion({ kind: 'busy' }));
    expect(document.activeElement?.className).toContain('stage');
  });

  it('stays where somebody reads in the timeline', async () => {
    const panel = await openPanel();
    await panel.show({ kind: 'running' });
    await panel.append({
      index: 1,
      time: 0,
      type: 'question',
      id: 'q0',
      number: 1,
      message: 'Earlier',
      state: 'accept',
      content: { name: 'Ada' },
    });
    const summary = document.querySelector('summary');
    summary?.focus();
    await panel.show(aForm(name));
    await panel.append({
      index: 1,
      time: 0,
      type: 'question',
      id: 'q0',
      number: 1,
      message: 'Earlier',
      state: 'accept',
      content: { name: 'Ada' },
    });
    expect(document.activeElement?.tagName).not.toBe('VSCODE-TEXTFIELD');
  });

  it('that is still held down does not answer the next question', async () => {
    const panel = await openPanel();
    const one = { a: { type: 'string', title: 'A' } };
    await panel.show(aForm(one));
    const press = (repeat: boolean) =>
      control('A').dispatchEvent(
        new KeyboardEvent('keydown', {
          key: 'Enter',
          repeat,
          bubbles: true,
          composed: true,
          cancelable: true,
        }),
      );
    press(false);
    await panel.show(aForm(one, [], { id: 'q2', number: 2 }));
    press(true);
    expect(panel.said()).toMatchObject([{ body: { questionId: 'q1' } }]);
    press(false);
    expect(panel.said()).toMatchObject([{ body: { questionId: 'q2' } }]);
  });
});

describe('a page to open', () => {
  const url = 'https://xn--80ak6aa92e.com/pay?state=a%26b';
  const page = (more = {}) =>
    aQuestion(
      { kind: 'page', url, asker: 'log_in' },
      { message: 'Log [in](https://evil.example).', ...more },
    );

  it('shows who asks and the whole address, with its host in plain letters; nothing there is a link', async () => {
    const panel = await openPanel();
    await panel.show(page());
    expect(screen.getByText('“log_in” asks you to open this page in your browser:')).toBeDefined();
    expect(document.querySelector('.page-address')?.textContent).toBe(url);
    expect(document.querySelector('.page-address strong')?.textContent).toBe('xn--80ak6aa92e.com');
    expect(document.querySelector('.page-address a')).toBeNull();
    // A link with other words than its address would be one.
    expect(within(screen.getByRole('main')).getByText(/Log \[in\]/)).toBeDefined();
  });

  it('is agreed to with one click, and can be declined and cancelled', async () => {
    for (const [button, message] of [
      ['Open Page', 'answerForm'],
      ['Decline', 'decline'],
      ['Cancel', 'cancel'],
    ] as const) {
      const panel = await openPanel();
      await panel.show(page());
      await panel.user.click(screen.getByText(button));
      await panel.user.click(screen.getByText('Open Page'));
      expect(panel.said()).toMatchObject([{ name: message, body: { questionId: 'q1' } }]);
      document.body.replaceChildren();
    }
  });
});
