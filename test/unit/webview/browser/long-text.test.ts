import { expect, it } from 'vitest';
import { type Stage, snapshot } from '#src/panel-port/index.ts';
import { inRings } from '#test/rings.ts';
import { inBrowser, type OpenedPage } from './served-page.ts';
import { question, snapshotOf } from './stages.ts';

/*
 * Texts of many lines in a form. Laying out one in a field that is as tall as its text takes a browser minutes: a test that is there
 * again after its time is a page that stood still.
 */
const { show } = inBrowser();

const long = 'a line of a log\n'.repeat(16_384);

function form(value = ''): Stage {
  const properties = {
    text: { type: 'string', title: 'Text', ...(value === '' ? {} : { default: value }) },
    notes: { type: 'string', title: 'Notes', maxLength: 9_000_000 },
  } as const;
  return question({ kind: 'form', schema: { type: 'object', properties } });
}

const opened = (value?: string) => show(form(value), 800, {}, '.stage textarea');

/** Puts a text on the clipboard, as a person does who copies it elsewhere. */
const copy = async ({ page }: OpenedPage, text: string): Promise<void> => {
  await page.evaluate((copied) => {
    const area = document.body.appendChild(document.createElement('textarea'));
    area.value = copied;
    area.select();
    document.execCommand('cut');
    area.remove();
  }, text);
};

const sent = async ({ page, said }: OpenedPage): Promise<unknown> => {
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(said, { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ name: 'answerForm' }));
  const answer = (await said()).find(({ name }) => name === 'answerForm');
  return (answer?.body as { content?: unknown } | undefined)?.content;
};

it.each(inRings(['Notes'], ['Text']))(
  'is pasted into the field “%s”, typed on, and sent',
  {
    timeout: 60_000,
  },
  async (title) => {
    await using panel = await opened();
    await copy(panel, long);
    await panel.page.getByLabel(title, { exact: true }).focus();
    await panel.page.keyboard.press('Control+v');
    await panel.page.keyboard.type('end');
    expect(await sent(panel)).toMatchObject({ [title.toLowerCase()]: `${long}end` });
  },
);

it('is there again after it was pasted, removed and brought back', {
  timeout: 60_000,
  tags: 'long',
}, async () => {
  await using panel = await opened();
  await copy(panel, long);
  await panel.page.getByLabel('Notes', { exact: true }).focus();
  for (const keys of ['Control+v', 'Control+a', 'Delete', 'Control+z']) await panel.page.keyboard.press(keys);
  expect(await sent(panel)).toMatchObject({ notes: long });
});

it('is filled in, and sent', { timeout: 60_000 }, async () => {
  await using panel = await opened(long);
  await panel.page.getByLabel('Text', { exact: true }).focus();
  expect(await sent(panel)).toMatchObject({ text: long });
});

it('is kept for the time that the panel was hidden, as a short one is', {
  timeout: 60_000,
  tags: 'long',
}, async () => {
  await using panel = await opened();
  await copy(panel, long);
  await panel.page.getByLabel('Notes', { exact: true }).focus();
  await panel.page.keyboard.press('Control+v');
  await panel.page.reload();
  await panel.hear(snapshot(snapshotOf(form())));
  await expect.poll(() => panel.page.getByLabel('Notes', { exact: true }).inputValue()).toBe(long);
});
