import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { iconImages } from '#build/icon-images.ts';
import { patch, type Stage, snapshot, type TimelineRow } from '#src/panel-port/index.ts';
import { accessibilityProblems } from '#test/harness/axe.ts';
import { repoRoot } from '#test/harness/paths.ts';
import { inRings } from '#test/rings.ts';
import { inBrowser } from './served-page.ts';
import { everyStage, formStage, question, rows, snapshotOf } from './stages.ts';

/*
 * What only a browser can tell: date controls, layout, and the content security policy. Colours are a
 * theme's, and are checked in a real VS Code.
 */
const { browser, show: opened } = inBrowser();

const log = (index: number): TimelineRow => ({
  index,
  time: 0,
  type: 'log',
  level: 'info',
  message: `log ${index}`,
});

const pause = {
  message: 'Copilot is gone.',
  actions: [{ id: 'continue', label: 'Continue', primary: true }],
};

const ON_NAME =
  'document.getElementById(document.activeElement?.getAttribute("aria-labelledby"))?.textContent.startsWith("Name")';

const ON_MESSAGE = 'document.activeElement?.classList.contains("stage-message")';

/** Waits as long as a busy machine needs. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 60_000 });

/** Asked from outside: what waits inside the page would have to evaluate a text there, which its policy forbids. */
const becomes = (page: Page, expression: string) => eventually(() => page.evaluate(expression)).toBe(true);

describe('every stage', { timeout: 300_000 }, () => {
  it.each(
    inRings<[number, number]>(
      [[320, 26]],
      [
        [800, 13],
        [320, 13],
      ],
    ),
  )('at %i px, with text of %i px, fits, keeps people in and breaks no policy', async (width, text) => {
    await using panel = await opened({ kind: 'running' }, width);
    await panel.page.evaluate(
      `document.documentElement.style.setProperty('--vscode-font-size', '${text}px')`,
    );
    let version = 1;
    for (const [name, stage] of Object.entries(everyStage)) {
      const whole = snapshotOf(stage);
      const head = { ...whole.head, pause };
      await panel.hear(snapshot({ ...whole, head, version: ++version, rows }));
      await panel.page.locator(`.stage-${stage.kind}`).waitFor();
      await panel.page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      const problems = await accessibilityProblems(panel.page);
      expect(
        problems.filter(({ rule }) => rule !== 'color-contrast'),
        name,
      ).toEqual([]);
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await panel.page.evaluate(wide), name).toBe(0);
      expect(panel.complaints, name).toEqual([]);
    }
  });
});

describe('a form', { timeout: 180_000 }, () => {
  it('is filled in by keyboard alone', async () => {
    await using panel = await opened(formStage);
    const { keyboard } = panel.page;
    await becomes(panel.page, ON_NAME);
    await keyboard.type('Ada');
    await keyboard.press('Tab');
    await keyboard.type('07282026');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('ArrowDown');
    await keyboard.press('Tab'); // to “Choose none”
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Control+Enter');
    await eventually(async () => (await panel.said()).at(-1)).toMatchObject({
      name: 'answerForm',
      body: { content: { name: 'Ada', day: '2026-07-28', cabin: 'c', window: true } },
    });
  });

  it('has borders that are seen, Back at the left, and one kind of arrow and of tick', async () => {
    if (formStage.kind !== 'question') throw new Error('no question');
    const more = { back: 'q0', context: { flight: 'KS 909' } };
    await using panel = await opened({ kind: 'question', question: { ...formStage.question, ...more } });
    const { page } = panel;
    await page.evaluate(`(() => {
      const { style } = document.documentElement;
      style.setProperty('--vscode-input-border', '#d8d8d866');
      style.setProperty('--vscode-checkbox-border', '#868686');
      document.querySelector('.form').insertAdjacentHTML('beforeend', '<input type="checkbox" class="p-check">');
    })()`);
    const styles = (selector: string, name: string, pseudo = '') =>
      page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map(
        (one) => getComputedStyle(one, ${JSON.stringify(pseudo)})[${JSON.stringify(name)}])`);
    expect(new Set((await styles('.input:not(:focus), select', 'borderTopColor')) as string[])).toEqual(
      new Set(['rgb(134, 134, 134)']),
    );
    expect(new Set((await styles('[type=checkbox]', 'width')) as string[])).toEqual(new Set(['18px']));
    expect(new Set((await styles('summary', 'content', '::before')) as string[])).toEqual(
      new Set(['"\ueab6"']),
    );
    const lefts = await Promise.all(
      ['Back', /^Submit/, 'Decline'].map((name) => page.getByRole('button', { name }).boundingBox()),
    );
    const [back = 0, submit = 0, decline = 0] = lefts.map((box) => box?.x ?? 0);
    expect(back < 100 && back < submit && submit < decline, [back, submit, decline].join()).toBe(true);
  });

  it('has its arrows also on a page that may load no font', async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: '@import "parley:icons.css"; @import "./webview/styles/index.css";',
        loader: 'css',
        resolveDir: repoRoot,
      },
      bundle: true,
      write: false,
      plugins: [iconImages()],
    });
    const page = await browser().newPage();
    await page.setContent(`<style>${outputFiles[0]?.text}</style><details><summary>Text</summary></details>
      <details class="folded" open><summary>Line</summary></details>`);
    const drawn = (at: number, pseudo: string) =>
      page.evaluate(`(({ content, maskImage }) => [content, maskImage.slice(0, 24)])(
        getComputedStyle(document.querySelectorAll('summary')[${at}], '${pseudo}'))`);
    const svg = ['""', 'url("data:image/svg+xml,'];
    expect([await drawn(0, '::before'), await drawn(1, '::after')]).toEqual([svg, svg]);
    await page.close();
  });

  it('has a checkbox of p-check in the line of its text, also in a label', async () => {
    await using panel = await opened(formStage);
    await panel.page.evaluate(`document.querySelector('.form').insertAdjacentHTML('beforeend',
      '<label><input type="checkbox" class="p-check"> <span id="ticked">In its line</span></label>')`);
    const check = await panel.page.getByLabel('In its line').boundingBox();
    const text = await panel.page.locator('#ticked').boundingBox();
    if (!check || !text) throw new Error('nothing is shown');
    expect(text.x).toBeGreaterThanOrEqual(check.x + check.width);
    const middles = [check, text].map(({ y, height }) => y + height / 2);
    expect(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0))).toBeLessThan(4);
  });

  it('keeps the rest of a date while a part of it is retyped, and does not send it half', async () => {
    await using panel = await opened(formStage);
    const name = panel.page.getByLabel('Name');
    const day = panel.page.getByLabel('Day');
    await name.fill('Ada');
    await day.fill('2026-07-28');
    await day.focus();
    await panel.page.keyboard.press('Delete');
    await panel.page.keyboard.press('Control+Enter');
    await panel.page.getByText('Enter a complete date.').first().waitFor();
    await day.focus();
    await panel.page.keyboard.type('08');
    expect(await day.inputValue()).toBe('2026-08-28');
    expect((await panel.said()).map(({ name }) => name)).not.toContain('answerForm');
  });

  it('is still there after the panel was reloaded', async () => {
    await using panel = await opened(formStage);
    await panel.page.getByLabel('Name').fill('Ad');
    await panel.page.reload();
    await becomes(panel.page, 'posted.length > 0');
    await panel.hear(snapshot(snapshotOf(formStage)));
    await eventually(async () => panel.page.getByLabel('Name').inputValue()).toBe('Ad');
  });

  it('is typed into while ten thousand logs come in, and neither moves nor loses a letter', async () => {
    await using panel = await opened(formStage);
    const { page } = panel;
    await becomes(page, ON_NAME);
    const text = 'abcdefghijklmnopqrstuvwxyz'.repeat(2);
    const place = await page.getByLabel('Name').boundingBox();
    const typing = page.keyboard.type(text);
    for (let batch = 0; batch < 10; batch++) {
      const patches = Array.from({ length: 10 }, (_, at) => {
        const from = batch * 10 + at + 1;
        const more = Array.from({ length: 100 }, (_, offset) => log((from - 1) * 100 + offset + 1));
        return patch({ from, version: from + 1, rows: more });
      });
      await panel.hear(...patches);
    }
    await typing;
    await page.getByText('log 10000', { exact: true }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe(text);
    expect(await page.getByLabel('Name').boundingBox()).toEqual(place);
    expect(await page.locator('.row').count()).toBe(500);
  });

  it('keeps a choice under the pointer that presses it, and says after the press what is wrong above', async () => {
    await using panel = await opened({
      kind: 'parameters',
      formId: 'f1',
      attempt: 1,
      schema: {
        type: 'object',
        required: ['email', 'cabin'],
        properties: {
          email: { type: 'string', title: 'Email', format: 'email' },
          cabin: { type: 'string', title: 'Cabin', enum: ['Economy', 'Business'] },
        },
      },
    });
    const { page } = panel;
    await page.getByLabel('Email').pressSequentially('not-an-email');
    const place = await page.getByText('Business').boundingBox();
    if (!place) throw new Error('there is no choice');
    await page.mouse.move(place.x + 10, place.y + place.height - 4);
    await page.mouse.down();
    // Two frames in which an error line could push the choice down.
    await page.evaluate('new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))');
    expect(await page.getByText('Business').boundingBox()).toEqual(place);
    await page.mouse.up();
    await eventually(() => page.getByLabel('Business').isChecked()).toBe(true);
    await page.getByText('Enter an email address', { exact: false }).waitFor();
  });

  it('shows the preview of the choice that is pointed at, and takes the press', async () => {
    await using panel = await opened({
      kind: 'question',
      question: {
        id: 'q1',
        attempt: 1,
        number: 1,
        message: 'Which?',
        openedAt: 0,
        body: {
          kind: 'form',
          schema: {
            type: 'object',
            required: ['way'],
            properties: {
              way: {
                type: 'string',
                title: 'Way',
                oneOf: [
                  { const: 'a', title: 'One', preview: { kind: 'diff', text: '-a\n+b' } },
                  { const: 'b', title: 'Other', preview: { kind: 'markdown', text: '# Title\n- **bold**' } },
                ],
              },
            },
          },
        },
      },
    });
    const { page } = panel;
    await page.getByRole('radio', { name: 'Other' }).check();
    await page.locator('.preview .md-heading').waitFor();
    await page.getByRole('radio', { name: 'One' }).hover();
    await page.locator('.preview .diff-added').waitFor();
    expect(await page.getByRole('radio', { name: 'Other' }).isChecked()).toBe(true);
  });

  it('shows an error after a press that ended elsewhere than it began', async () => {
    await using panel = await opened(formStage);
    const { page } = panel;
    await page.getByLabel('Seats').fill('12');
    await page.getByLabel('Name').hover();
    await page.mouse.down();
    await page.mouse.move(2, 2);
    await page.mouse.up();
    await page.getByText('Enter 9 or less.').waitFor();
  });

  it('does not move a button away from under the pointer that presses it', async () => {
    await using panel = await opened(formStage);
    const { page } = panel;
    await page.getByLabel('Name').pressSequentially('A');
    await page.getByRole('button', { name: 'Decline' }).click();
    await eventually(async () => (await panel.said()).at(-1)?.name).toBe('decline');
  });
});

describe('what is read', { timeout: 180_000 }, () => {
  const header = 'document.querySelector(".header").getBoundingClientRect().bottom';
  const top = (selector: string) => `document.querySelector("${selector}").getBoundingClientRect().top`;

  it('begins below the header, however long the result is', async () => {
    await using panel = await opened({ kind: 'running' });
    await panel.hear(patch({ from: 1, version: 2, rows: Array.from({ length: 100 }, (_, at) => log(at)) }));
    await panel.page.evaluate('window.scrollTo(0, 1000)');
    const value = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n');
    await panel.hear(patch({ from: 2, version: 3, head: snapshotOf({ kind: 'result', value }).head }));
    await becomes(panel.page, 'document.activeElement?.classList.contains("stage-result")');
    await becomes(panel.page, `${top('.stage-overline')} >= ${header}`);
    expect(await panel.page.getByRole('button', { name: 'Copy', exact: true }).boundingBox()).toMatchObject({
      width: 24,
      height: 24,
    });
  });

  it('is the question, when its message is longer than the window', async () => {
    await using panel = await opened({ kind: 'running' });
    if (formStage.kind !== 'question') throw new Error('no question');
    const message = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
    const stage: Stage = { kind: 'question', question: { ...formStage.question, message } };
    await panel.hear(patch({ from: 1, version: 2, head: snapshotOf(stage).head }));
    await becomes(panel.page, ON_NAME);
    await becomes(panel.page, `${top('.stage-message')} >= ${header}`);
    await becomes(panel.page, `${top('.stage-message')} < window.innerHeight / 2`);
    const submit = 'document.querySelector("[type=submit]").getBoundingClientRect().bottom';
    const name = 'document.querySelector("[data-control]").getBoundingClientRect().bottom';
    await becomes(panel.page, `${name} < ${submit} && ${submit} <= window.innerHeight`);
    expect((await accessibilityProblems(panel.page)).filter(({ rule }) => rule !== 'color-contrast')).toEqual(
      [],
    );
    await panel.page.getByRole('button', { name: 'Show All' }).click();
    await becomes(panel.page, `${top('.card')} > 1_000 && ${ON_MESSAGE}`);
    await panel.page.getByRole('button', { name: 'Show All' }).waitFor({ state: 'detached' });
  });

  it('is the beginning of a question whose message is of a megabyte, and has its form', async () => {
    if (formStage.kind !== 'question') throw new Error('no question');
    const message = '**line** of a long text\n'.repeat(60_000);
    await using panel = await opened({ kind: 'question', question: { ...formStage.question, message } });
    await panel.page.locator('.stage-message strong').first().waitFor();
    await becomes(panel.page, `${top('.card')} < window.innerHeight`);
  });

  it('has its pictures at their own size', async () => {
    const dot =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await using panel = await opened({
      kind: 'result',
      value: null,
      blocks: [{ type: 'image', mimeType: 'image/png', data: dot }],
    });
    expect(await panel.page.getByRole('img', { name: 'From the tool' }).boundingBox()).toMatchObject({
      width: 1,
      height: 1,
    });
  });

  it('stands in the direction of its own script', async () => {
    if (formStage.kind !== 'question') throw new Error('no question');
    await using panel = await opened({
      kind: 'question',
      question: { ...formStage.question, message: 'من يسافر.' },
    });
    const { page } = panel;
    const [text, box] = await page.evaluate<[{ right: number }, { right: number }]>(`(() => {
      const message = document.querySelector('.stage-message');
      const range = document.createRange();
      range.selectNodeContents(message);
      return [range.getBoundingClientRect().toJSON(), message.getBoundingClientRect().toJSON()];
    })()`);
    expect(text.right).toBeCloseTo(box.right, 0);
    await page.getByLabel('Name').fill('آدا');
    const inner = 'document.querySelector("[data-control]")';
    expect(await page.evaluate(`getComputedStyle(${inner}).direction`)).toBe('rtl');
  });

  it('stands at the right with its label, its help and its field, where the label is of such a script', async () => {
    const properties = { name: { type: 'string', title: 'שם פרטי', description: 'כמו בדרכון.' } } as const;
    await using panel = await opened(question({ kind: 'form', schema: { type: 'object', properties } }));
    const rightOf = (selector: string) =>
      panel.page.evaluate<number>(`(() => {
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('${selector}'));
        return range.getBoundingClientRect().right;
      })()`);
    const edge = await rightOf('.field');
    expect(await rightOf('.field-label')).toBeCloseTo(edge, 0);
    expect(await rightOf('.field-help')).toBeCloseTo(edge, 0);
    expect(await panel.page.evaluate('document.querySelector(".field").matches(":dir(rtl)")')).toBe(true);
    expect(
      await panel.page.evaluate('getComputedStyle(document.querySelector("[data-control]")).direction'),
    ).toBe('rtl');
  });

  it('has the full stop of what helps to choose at its end, in every script', async () => {
    const options = [
      { const: 'mit', title: 'MIT', description: 'قصيرة.' },
      { const: 'gpl', title: 'GPL', description: 'Long.' },
    ];
    const properties = { license: { type: 'string' as const, oneOf: options } };
    if (formStage.kind !== 'question') throw new Error('no question');
    const schema = { type: 'object' as const, properties };
    await using panel = await opened({
      kind: 'question',
      question: { ...formStage.question, body: { kind: 'form', schema } },
    });
    const ends = await panel.page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.option-help')].map((help) => {
      const [text] = help.childNodes;
      const at = (index) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + 1);
        return range.getBoundingClientRect().left;
      };
      return at(text.length - 1) < at(0) ? 'left' : 'right';
    })`);
    expect(ends).toEqual(['left', 'right']);
  });

  it('has each name of a tree before its value, also from right to left, and the marks of a list within the page', async () => {
    const value = { اسم: 'قيمة.', deep: [[1], { اسم: 'قيمة' }] };
    await using panel = await opened({ kind: 'result', value });
    const line = panel.page.locator('.tree-line').first();
    const lefts = await line.evaluate((it) =>
      [...it.children].map((part) => Math.round(part.getBoundingClientRect().left)),
    );
    expect(lefts).toEqual(lefts.toSorted((one, other) => one - other));
    const [name, text] = [line.locator('.tree-name'), line.locator('.tree-string')];
    expect((await name.boundingBox())?.width).toBeGreaterThan(0);
    expect(await text.evaluate((it) => getComputedStyle(it).unicodeBidi)).toBe('plaintext');
    await panel.hear(
      patch({
        from: 1,
        version: 2,
        head: snapshotOf({ kind: 'result', value: null, blocks: [{ type: 'text', text: '- أول\n- second' }] })
          .head,
      }),
    );
    const list = panel.page.locator('.md ul');
    await list.waitFor();
    expect(await list.evaluate((it) => getComputedStyle(it).paddingRight)).toBe('22px');
  });

  it('is whole on paper', async () => {
    const value = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n');
    await using panel = await opened({ kind: 'result', value });
    const { page } = panel;
    const cut = () => page.locator('.result').evaluate((it) => it.scrollHeight > it.clientHeight);
    expect(await cut()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await cut()).toBe(false);
  });

  it('says for how long it waits in one line, beside a narrow editor', async () => {
    await using panel = await opened(formStage, 290);
    await panel.page.evaluate(`document.documentElement.style.setProperty('--vscode-font-size', '13px')`);
    const top = (selector: string) =>
      panel.page.locator(selector).evaluate((it) => Math.round(it.getBoundingClientRect().top));
    expect(await top('.status-time')).toBe(await top('.status > span:not(.status-time):not(.codicon)'));
  });

  it('begins no line of a narrow panel with the dot that stands between two parts', async () => {
    await using panel = await opened({ kind: 'running' }, 320);
    await panel.page.evaluate(`document.documentElement.style.setProperty('--vscode-font-size', '13px')`);
    const { head } = snapshotOf({ kind: 'aborted' });
    const clock = { now: 900_000, machine: { total: 100_000 }, human: { total: 0 } };
    await panel.hear(patch({ from: 1, version: 2, head: { ...head, clock } }));
    await panel.page.locator('.status-aborted', { hasText: '1 min 40 s' }).waitFor();
    const statusOf = async (width: number) => {
      await panel.page.setViewportSize({ width, height: 700 });
      return panel.page.locator('.status').screenshot();
    };
    const withoutDots = () =>
      panel.page.evaluate(`{
        const sheet = new CSSStyleSheet();
        sheet.replaceSync('.status-time::before { visibility: hidden }');
        document.adoptedStyleSheets = [sheet];
      }`);
    const [short, long] = [await statusOf(320), await statusOf(140)];
    await withoutDots();
    expect(long.equals(await panel.page.locator('.status').screenshot())).toBe(true);
    expect(short.equals(await statusOf(320))).toBe(false);
  });

  it('leaves room to read where little can be seen', async () => {
    await using panel = await opened(formStage, 400);
    const position = () =>
      panel.page.locator('.form > .buttons').evaluate((it) => getComputedStyle(it).position);
    expect(await position()).toBe('sticky');
    await panel.page.setViewportSize({ width: 400, height: 440 });
    expect(await position()).toBe('static');
  });
});

describe('in colours that the person forces on every page', { timeout: 180_000 }, () => {
  it('shows which option is chosen, and how much is done', async () => {
    await using panel = await opened(formStage);
    await panel.page.emulateMedia({ forcedColors: 'active' });
    const economy = panel.page.getByRole('radio', { name: 'Economy' });
    await panel.page.getByRole('radio', { name: 'Business' }).check();
    await panel.page.getByLabel('Name').focus();
    const before = await economy.screenshot();
    await economy.check();
    await panel.page.getByLabel('Name').focus();
    expect(before.equals(await economy.screenshot())).toBe(false);
    const shareOf = async (value: number, version: number) => {
      const head = snapshotOf({ kind: 'running' }).head;
      const progress: TimelineRow = {
        index: 0,
        time: 0,
        type: 'progress',
        message: 'fares',
        value,
        total: 10,
      };
      await panel.hear(snapshot({ ...snapshotOf({ kind: 'running' }), head, version, rows: [progress] }));
      await panel.page.locator(`[role="progressbar"][aria-valuenow]`).waitFor();
      await panel.page.evaluate(
        'Promise.all(document.getAnimations().map((one) => one.finished)).then(() => undefined)',
      );
      return panel.page.locator('.progress').screenshot();
    };
    expect((await shareOf(2, 2)).equals(await shareOf(8, 3))).toBe(false);
  });
});

it('in forced colours, where the keyboard is and what is pressed are seen by more than a colour', {
  timeout: 180_000,
}, async () => {
  const outline = (page: Page) =>
    page.locator(':focus').evaluate((it) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(it);
      return `${outlineStyle} ${outlineWidth}`;
    });
  await using form = await opened(formStage);
  await form.page.emulateMedia({ forcedColors: 'active' });
  for (const label of ['Name', 'Economy', 'Window seat', 'Airport', 'Notes']) {
    await form.page.getByLabel(label).focus();
    expect(await outline(form.page), label).toBe('solid 2px');
  }
  await using view = await opened(everyStage.view);
  await view.page.emulateMedia({ forcedColors: 'active' });
  await view.page.locator('.p-choice').first().focus();
  await view.page.getByRole('button', { name: 'Decline' }).focus();
  const choices = await view.page
    .locator('.p-choice')
    .evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle));
  expect(choices).toEqual(['solid', 'none', 'none']);
});

it('a view answers once, even to a double click', { timeout: 180_000 }, async () => {
  await using panel = await opened(everyStage.view);
  await panel.page.getByText('2B').dblclick();
  const answers = (await panel.said()).filter(({ name }) => name === 'viewResponse');
  expect(answers.map(({ body }) => body)).toEqual([{ renderId: 'r1', value: '2B' }]);
});

/** A question of a view of `views.tsx`. */
function asked(key: string): Stage {
  if (everyStage.view.kind !== 'question') throw new Error('no question');
  const body = { kind: 'view', renderId: 'r1', view: { key }, props: {} } as const;
  return { kind: 'question', question: { ...everyStage.view.question, body } };
}

it('a view is drawn from what its parts have noted', { timeout: 180_000 }, async () => {
  await using panel = await opened(asked('noted'));
  await panel.page.getByText('knows its part').waitFor();
});

it('a new question comes into sight and under the keyboard, when the panel has it', {
  timeout: 180_000,
}, async () => {
  await using panel = await opened({ kind: 'running' }, 800, {
    rows: Array.from({ length: 200 }, (_, at) => log(at)),
  });
  await panel.page.evaluate('window.scrollTo(0, document.body.scrollHeight)');
  await panel.hear(patch({ from: 1, version: 2, head: snapshotOf(formStage).head }));
  await becomes(panel.page, ON_NAME);
  expect(await panel.page.getByLabel('Name').isVisible()).toBe(true);
});
