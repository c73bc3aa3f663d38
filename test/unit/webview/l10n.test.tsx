// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Stage, TimelineRow } from '#src/panel-port/index.ts';
import { pageHtml } from '#src/vscode/calls/panel/page-html.ts';
import { readTexts, t } from '#webview/parts/l10n.ts';
import bundle from '../../../l10n/bundle.l10n.json' with { type: 'json' };
import { aForm, aQuestion, openPanel } from './panel.tsx';

/** A language in which every text of the page stands in brackets; what a tool says is in Greek here. */
const pseudo = Object.fromEntries(Object.keys(bundle).map((text) => [text, `⟦${text}⟧`]));

const info = { callId: 'c1', toolName: 'εργαλείο', title: 'Εργαλείο' };
const fields = {
  α: { type: 'string', title: 'Άλφα', minLength: 2, maxLength: 4 },
  β: { type: 'integer', title: 'Βήτα', minimum: 1, maximum: 9 },
  γ: { type: 'string', title: 'Γάμμα', format: 'date-time' },
  δ: { type: 'array', title: 'Δέλτα', items: { type: 'string', enum: ['ένα', 'δύο'] }, minItems: 1 },
  ε: { type: 'string', title: 'Έψιλον', enum: Array.from({ length: 12 }, (_, at) => `ε${at}`) },
  ζ: { type: 'boolean', title: 'Ζήτα' },
};
const rows: TimelineRow[] = [
  { index: 0, time: 0, type: 'started', params: { από: 'Αθήνα' } },
  { index: 1, time: 0, type: 'log', level: 'info', message: 'Μήνυμα', data: { α: true } },
  { index: 2, time: 0, type: 'progress', value: 0.5 },
  ...(['open', 'consent', 'answered', 'failed', 'withdrawn'] as const).map(
    (state, at): TimelineRow => ({
      index: 3 + at,
      time: 0,
      type: 'sampling',
      state,
      prompt: 'Τι;',
      text: 'Ναι',
    }),
  ),
  ...(['open', 'accept', 'decline', 'cancel', 'withdrawn', 'failed'] as const).map(
    (state, at): TimelineRow => ({
      index: 10 + at,
      time: 0,
      type: 'question',
      id: `q${at}`,
      number: 1,
      message: 'Ποιος;',
      state,
      content: state === 'accept' ? { ζ: true } : {},
    }),
  ),
  { index: 20, time: 0, type: 'gap', dropped: 3 },
  ...(['completed', 'failed', 'aborted'] as const).map(
    (how, at): TimelineRow => ({ index: 21 + at, time: 0, type: 'ended', how }),
  ),
];

const stages: Record<string, Stage> = {
  parameters: {
    kind: 'parameters',
    formId: 'f',
    attempt: 2,
    problem: 'Όχι',
    schema: {
      type: 'object',
      properties: { ...fields, η: { type: 'object', title: 'Ήτα' } },
      required: ['α', 'β', 'δ', 'ε', 'η'],
    } as never,
  },
  question: aForm(fields, ['α', 'β', 'δ'], { message: 'Ποιος;', attempt: 2, context: { α: 1 } as never }),
  'a question that is being prepared': aQuestion({ kind: 'busy' }, { message: 'Ποιος;' }),
  running: { kind: 'running' },
  'a result that is nothing': { kind: 'result', value: null },
  'a result that is a table': { kind: 'result', value: [{ α: true }, { α: false }] },
  error: {
    kind: 'error',
    error: {
      name: 'Σφάλμα',
      message: 'Όχι',
      trace: [
        { title: 'Όχι', own: [], internal: ['Εδώ'] },
        { title: 'Γιατί', own: [], internal: [] },
      ],
    },
  },
  aborted: { kind: 'aborted' },
};

/** Words that are the same in every language: keys, formats, and the names of MCP's log levels. */
const SAME = /\b(Ctrl|Enter|JSON|info|true|false)\b|⌘⏎/g;

/** What the page says outside brackets, in text and in attributes that are read out. */
function untranslated(): string[] {
  const said: string[] = [];
  const look = (root: ParentNode): void => {
    for (const element of root.querySelectorAll('*')) {
      for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
        said.push(element.getAttribute(name) ?? '');
      }
      // Sentences may be made of several nodes of one element.
      if ([...element.childNodes].some(({ nodeType }) => nodeType === Node.TEXT_NODE)) {
        said.push(element.textContent ?? '');
      }
    }
  };
  look(document.body);
  const rest = said.map((text) => {
    let left = text;
    for (let before = ''; before !== left; ) {
      before = left;
      left = left.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
    }
    return left.replaceAll(SAME, '');
  });
  return [...new Set(rest.filter((text) => /[A-Za-z]{2,}/.test(text)))];
}

describe('the page in another language', () => {
  beforeEach(() => readTexts(JSON.stringify(pseudo)));
  afterEach(() => readTexts(undefined));

  it.each(Object.entries(stages))('says nothing in English: %s', async (_, stage) => {
    const panel = await openPanel();
    await panel.show(stage, { call: { ...info, status: stage.kind === 'running' ? 'running' : 'waiting' } });
    await panel.append(...rows);
    expect(document.body.textContent).toContain('⟦Timeline⟧');
    expect(untranslated()).toEqual([]);
    const submit = screen.queryByText(/⟦(Run|Submit)⟧/);
    if (!submit) return;
    // And what is wrong with the fields.
    await panel.user.click(submit);
    expect(document.querySelectorAll('.field-error').length).toBeGreaterThan(0);
    expect(untranslated()).toEqual([]);
  });
});

describe('texts', () => {
  afterEach(() => readTexts(undefined));

  it('are translated where there is a translation, values filled in where it says', () => {
    readTexts('{"Question {0}: {1}":"{1} ({0})","Stop":7}');
    expect(t('Question {0}: {1}', 1, '{0}')).toBe('{0} (1)');
    expect(t('Stop')).toBe('Stop');
    expect(t('constructor')).toBe('constructor');
  });

  it('come with the document, whatever is in them', () => {
    const texts = { Stop: '</div><script>"&amp;\'' };
    const parts = { nonce: 'n', cspSource: 'c', scripts: [], style: 's', language: 'el' };
    const html = pageHtml({ ...parts, texts });
    const page = new DOMParser().parseFromString(html, 'text/html');
    readTexts(page.getElementById('root')?.dataset.texts);
    expect(t('Stop')).toBe(texts.Stop);
    expect(pageHtml(parts)).not.toContain('data-texts');
  });

  it.each([undefined, 'no JSON', '7', 'null'])('are English with %j', (json) => {
    readTexts(json);
    expect(t('Stop')).toBe('Stop');
  });
});
