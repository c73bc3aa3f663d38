/*
 * A run panel in happy-dom, with the host's end of the port in the test's hand.
 */
import { act, cleanup, render } from '@testing-library/react';
import { PointerEventsCheckLevel, userEvent } from '@testing-library/user-event';
import { afterEach, vi } from 'vitest';
import type { JsonSchema } from '#src/core/messages/json.ts';
import {
  patch,
  readFromPage,
  type Snapshot,
  type Stage,
  snapshot,
  type TimelineRow,
  type ToHost,
  type ToPage,
} from '#src/panel-port/index.ts';
import { App } from '#webview/app.tsx';
import { createPage, type Page } from '#webview/page/page.ts';
import { createPort } from '#webview/page/port.ts';
import { createViewRegistry, type ViewComponent } from '#webview/views/view-registry.ts';

afterEach(cleanup);
// A machine that does several things at once types slowly.
vi.setConfig({ testTimeout: 60_000 });

export interface Panel {
  readonly user: ReturnType<typeof userEvent.setup>;
  readonly page: Page;
  /** What the page has said since the last look, `ready` and `keep` left out; each message as the host reads it. */
  said(): ToHost[];
  /** Everything that was posted, malformed or not. */
  readonly posted: unknown[];
  /** The host says something; raw, so that it can be nonsense. */
  hear(message: unknown): Promise<void>;
  show(stage: Stage, more?: Partial<Snapshot['head']>): Promise<void>;
  append(...rows: TimelineRow[]): Promise<void>;
  /** What the panel remembers; give it to another panel to hide and show this one. */
  readonly memory: { state: unknown };
}

export async function openPanel({
  memory = { state: undefined },
  views = {},
  registry = createViewRegistry(),
}: {
  memory?: { state: unknown };
  views?: Record<string, ViewComponent>;
  registry?: ReturnType<typeof createViewRegistry>;
} = {}): Promise<Panel> {
  const posted: unknown[] = [];
  const source = new EventTarget();
  const port = createPort(
    {
      postMessage: (message) => void posted.push(JSON.parse(JSON.stringify(message))),
      getState: () => memory.state,
      setState: (state) => {
        memory.state = JSON.parse(JSON.stringify(state));
      },
    },
    source,
  );
  for (const [key, component] of Object.entries(views)) registry.register(key, component);
  const page = createPage(port, registry);
  render(<App page={page} />);

  let version = 0;
  let heard = 0;
  const hear = async (message: unknown): Promise<void> => {
    await act(async () => {
      source.dispatchEvent(new MessageEvent('message', { data: JSON.parse(JSON.stringify(message)) }));
    });
  };
  return {
    // A disabled button can still be reached by a script; what is behind it must hold.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    page,
    posted,
    memory,
    hear,
    said() {
      const fresh = posted.slice(heard);
      heard = posted.length;
      return fresh.flatMap((data) => {
        const received = readFromPage(data);
        if (received.case !== 'message') throw new Error(`the page posted nonsense: ${JSON.stringify(data)}`);
        return ['ready', 'keep'].includes(received.message.name) ? [] : [received.message];
      });
    },
    show: (stage, more = {}) => hear(snapshot({ ...aSnapshot(stage, more), version: ++version })),
    append: (...rows) => {
      const from = version++;
      return hear(patch({ from, version, rows }) satisfies ToPage);
    },
  };
}

const STATUS = {
  parameters: 'preparing',
  question: 'waiting',
  running: 'running',
  result: 'completed',
  error: 'failed',
  aborted: 'aborted',
} as const;

export function aSnapshot(stage: Stage, more: Partial<Snapshot['head']> = {}): Snapshot {
  return {
    version: 1,
    head: {
      call: { callId: 'c1', toolName: 'book_flight', title: 'Book a flight', status: STATUS[stage.kind] },
      clock: { now: Date.now(), machine: { total: 3000 }, human: { total: 0 } },
      stage,
      ...more,
    },
    rows: [{ index: 0, time: 0, type: 'started', params: { from: 'AMS' } }],
  };
}

type QuestionStage = Extract<Stage, { kind: 'question' }>;

export function aQuestion(
  body: QuestionStage['question']['body'],
  more: Partial<QuestionStage['question']> = {},
): Stage {
  return {
    kind: 'question',
    question: {
      id: 'q1',
      attempt: 1,
      number: 1,
      message: 'Who is travelling?',
      openedAt: Date.now(),
      body,
      ...more,
    },
  };
}

export function aForm(
  properties: Record<string, JsonSchema>,
  required: string[] = [],
  more: Partial<QuestionStage['question']> = {},
): Stage {
  const schema = { type: 'object', properties, required };
  // Through JSON, as everything is on this port; what it says is checked by the page's own parser.
  return aQuestion({ kind: 'form', schema: JSON.parse(JSON.stringify(schema)) }, more);
}

export function aView(
  key: string,
  props = {},
  renderId = 'r1',
  more: Partial<QuestionStage['question']> = {},
): Stage {
  return aQuestion({ kind: 'view', view: { key }, renderId, props }, more);
}

export function aLog(index: number, message = `log ${index}`): TimelineRow {
  return { index, time: 0, type: 'log', level: 'info', message };
}

/** The text control of this label. */
export function control(label: string): HTMLInputElement {
  for (const element of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
    const named = document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.firstChild
      ?.textContent;
    if ((named ?? element.getAttribute('aria-label')) === label) return element;
  }
  throw new Error(`no text control is labelled “${label}”`);
}
