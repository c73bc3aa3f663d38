import { withoutBytes } from '../../../core/form/attached.ts';
import { briefAddress } from '../../../core/page/page-address.ts';
import type { ElicitAnswer, SampleAnswer } from '../../../core/tool/ask.ts';
import type { CallInfo } from '../../../panel-port/index.ts';
import { dateTimeText, durationText } from '../../../panel-port/times.ts';
import type { Ask } from '../../../runtime/session/ask.ts';
import type { SessionEvent } from '../../../runtime/session/events.ts';
import { isEnd } from '../../../runtime/session/events.ts';
import { askerText } from '../asker.ts';
import { maskedCall } from '../history/masked-call.ts';
import type { Translate } from '../notices/explain.ts';
import { contentText, fence, folded, inlineText, jsonFence, messagesText, name } from './markdown.ts';

/** What a transcript is written from. */
export interface TranscriptFacts {
  readonly title: string;
  readonly toolName: string;
  readonly callId: string;
  /** Absent for the person. */
  readonly asker: CallInfo['asker'];
  readonly status: string;
  readonly params: unknown;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Milliseconds of it that went by while the person was asked. */
  readonly waited: number;
  readonly events: readonly SessionEvent[];
}

/**
 * Everything that happened in a call, as Markdown: times, questions and answers, each sampling with its messages, logs,
 * progress, and the end. Secrets are masked.
 */
export function transcriptOf(facts: TranscriptFacts, t: Translate): string {
  const { title, toolName, callId, asker, status, startedAt, waited } = facts;
  const { params, events } = maskedCall(facts.params, facts.events);
  const asks = new Map<string, Ask>();
  const sections: string[] = [];
  /** What needs no more than a line, one after the other: a list. */
  let lines: string[] = [];
  const endList = () => {
    if (lines.length > 0) sections.push(lines.join('\n'));
    lines = [];
  };
  for (const event of events) {
    if ('ask' in event) asks.set(event.ask.id, event.ask);
    const { heading, body } = describe(event, asks, t);
    const said = `+${((event.time - startedAt) / 1000).toFixed(3)} s · ${heading}`;
    if (body.length === 0 && !isEnd(event)) lines.push(`- ${said}`);
    else {
      endList();
      sections.push([`## ${said}`, ...body].join('\n\n'));
    }
  }
  endList();
  const end = events.at(-1);
  const ended = end && isEnd(end) ? end : undefined;
  const duration = ended ? [`- ${t('Duration')}: ${durationText(ended.time - startedAt)}`] : [];
  const waiting = waited >= 1000 ? [`- ${t('Waiting for you')}: ${durationText(waited)}`] : [];
  return [
    `# ${inlineText(title)}`,
    [
      `- ${t('Tool')}: ${name(toolName)}`,
      `- ${t('Call')}: ${name(callId)}`,
      `- ${t('Started by')}: ${asker ? inlineText(askerText(asker, t)) : t('you')}`,
      `- ${t('Started')}: ${dateTimeText(startedAt)}`,
      `- ${t('Status')}: ${status}`,
      ...duration,
      ...waiting,
    ].join('\n'),
    `## ${t('Parameters')}`,
    jsonFence(params),
    ...sections,
    '',
  ].join('\n\n');
}

interface Section {
  readonly heading: string;
  readonly body: readonly string[];
}

function describe(event: SessionEvent, asks: ReadonlyMap<string, Ask>, t: Translate): Section {
  switch (event.type) {
    case 'elicit_request':
    case 'sample_request':
    case 'roots_request':
      return askSection(event.ask, t);
    case 'ask_closed':
      return closedSection(event, asks.get(event.id), t);
    case 'log':
      return {
        heading: within(event.depth, `${event.level}: ${inlineText(event.message)}`, t),
        body: event.data === undefined ? [] : [jsonFence(event.data)],
      };
    case 'progress':
      return { heading: within(event.depth, progressText(event), t), body: [] };
    case 'page_completed':
      return { heading: t('The page of “{0}” is no longer needed', inlineText(event.id)), body: [] };
    case 'rewound':
      return { heading: t('Back to {0}', event.to), body: [] };
    case 'gap':
      return { heading: t('{0} older events are not saved', String(event.dropped)), body: [] };
    case 'result':
      return {
        heading: t('Result'),
        body: [
          event.notKept
            ? t('Not saved: the result was too long, or the window closed too soon.')
            : resultText(event.value),
        ],
      };
    case 'error':
      return {
        heading: t('Failed: {0}', inlineText(event.error.message)),
        body: [jsonFence(event.error)],
      };
    case 'aborted':
      return { heading: t('Stopped: {0}', inlineText(event.reason)), body: [] };
  }
}

function askSection(ask: Ask, t: Translate): Section {
  const again =
    ask.attempt > 1 ? [t('Attempt {0}: {1}', String(ask.attempt), inlineText(ask.problem ?? ''))] : [];
  switch (ask.kind) {
    case 'elicit': {
      const { message, context } = ask.request;
      return {
        heading: within(ask.depth, t('Question “{0}”', inlineText(ask.ref.key)), t),
        body: [
          ...again,
          fence(message, 'text'),
          ask.request.mode === 'url'
            ? fence(briefAddress(ask.request.url), 'text')
            : folded(t('Form'), jsonFence(ask.request.requestedSchema)),
          ...(context === undefined ? [] : [folded(t('Context'), jsonFence(context))]),
        ],
      };
    }
    case 'sample': {
      const { messages, systemPrompt, ...options } = ask.request;
      return {
        heading: within(ask.depth, t('Sampling “{0}”', inlineText(ask.wireKey)), t),
        body: [
          ...again,
          ...(systemPrompt === undefined ? [] : ['**system**', fence(systemPrompt, 'text')]),
          messagesText(messages),
          folded(t('Options'), jsonFence(options)),
        ],
      };
    }
    case 'roots':
      return { heading: within(ask.depth, t('Requested the folders'), t), body: again };
  }
}

type Closed = Extract<SessionEvent, { type: 'ask_closed' }>;

function closedSection({ id, how, answer, error }: Closed, ask: Ask | undefined, t: Translate): Section {
  const asked = inlineText(ask?.kind === 'elicit' ? ask.ref.key : (ask?.wireKey ?? id));
  if (how === 'withdrawn') return { heading: t('“{0}” was withdrawn', asked), body: [] };
  if (how === 'failed') {
    const heading = t('“{0}” failed: {1}', asked, inlineText(error?.message ?? ''));
    return { heading, body: error ? [jsonFence(error)] : [] };
  }
  if (ask?.kind === 'sample') {
    const { role: _, content, ...rest } = answer as unknown as SampleAnswer;
    return {
      heading: t('The model answered “{0}”', asked),
      body: [contentText({ content }), jsonFence(rest)],
    };
  }
  const action = ask?.kind === 'elicit' ? (answer as ElicitAnswer | undefined)?.action : undefined;
  return {
    heading: t('“{0}” was answered: {1}', asked, action ?? how),
    body: [jsonFence(withoutBytes(answer))],
  };
}

function progressText(event: Extract<SessionEvent, { type: 'progress' }>): string {
  const { message, value, total } = event;
  if (value === undefined) return inlineText(message);
  const far = total === undefined || total === 1 ? `${Math.round(value * 100)} %` : `${value} / ${total}`;
  return `${inlineText(message)} (${far})`;
}

function within(depth: number, text: string, t: Translate): string {
  return depth === 0 ? text : t('{0} (branch, depth {1})', text, String(depth));
}

function resultText(value: unknown): string {
  return typeof value === 'string' ? fence(value, 'text') : jsonFence(value ?? null);
}
