import { describe, expect, it } from 'vitest';
import { guestMessage } from '#src/panel/guest-message.ts';
import {
  applyPatch,
  type Head,
  patch,
  type Snapshot,
  type Stage,
  snapshot,
  type TimelineRow,
} from '#src/panel-port/index.ts';

const SECRET = 'not for pages';
const call: Head['call'] = {
  callId: 'c',
  toolName: 't',
  title: 'T',
  summary: SECRET,
  description: SECRET,
  asker: { name: SECRET, icon: 'robot' },
  status: 'running',
};
const clock = { now: 0, machine: { total: 0 }, human: { total: 0 } };
const rows: TimelineRow[] = [
  { index: 0, time: 0, type: 'started', params: { key: SECRET } },
  { index: 1, time: 0, type: 'log', level: 'info', message: SECRET, data: SECRET },
  { index: 2, time: 0, type: 'progress', message: 'Half of it', value: 0.5 },
  { index: 3, time: 0, type: 'sampling', state: 'answered', model: SECRET, prompt: SECRET, text: SECRET },
  {
    index: 4,
    time: 0,
    type: 'question',
    id: 'elicit-1',
    number: 1,
    message: SECRET,
    state: 'accept',
    content: { name: SECRET },
    error: SECRET,
  },
  { index: 5, time: 0, type: 'gap', dropped: 3 },
  { index: 6, time: 0, type: 'ended', how: 'failed', message: SECRET },
];
const of = (stage: Stage) => guestMessage(snapshot({ version: 1, head: { call, clock, stage }, rows: [] }));
const stageOf = (stage: Stage) => (of(stage).body as { head: Head }).head.stage;

describe('what a page in a conversation gets', () => {
  it('is where the call stands, and nothing of its timeline, its arguments or what models are told', () => {
    const head: Head = { call, clock, stage: { kind: 'running' } };
    const told = guestMessage(snapshot({ version: 1, head, rows }));
    expect(JSON.stringify(told)).not.toContain(SECRET);
    expect(JSON.stringify(told)).toContain('Half of it');
    const changed = guestMessage(patch({ from: 1, version: 2, head, rows }));
    expect(JSON.stringify(changed)).not.toContain(SECRET);
    expect(applyPatch(told.body as Snapshot, changed.body as Parameters<typeof applyPatch>[1])).toMatchObject(
      {
        rows: [{ type: 'started' }, { type: 'progress' }, { type: 'sampling' }, { type: 'question' }],
      },
    );
  });

  it('is the context of a question where a form shows it, and not where a view has its own', () => {
    const question = {
      id: 'elicit-1',
      attempt: 1,
      message: 'Which?',
      number: 1,
      context: { why: SECRET },
      openedAt: 0,
    };
    const schema = { type: 'object' as const, properties: {} };
    expect(
      JSON.stringify(
        stageOf({ kind: 'question', question: { ...question, body: { kind: 'form', schema } } }),
      ),
    ).toContain(SECRET);
    const view = { kind: 'view' as const, renderId: 'r', view: { key: 'k' }, props: { shown: 1 } };
    expect(stageOf({ kind: 'question', question: { ...question, body: view } })).toEqual({
      kind: 'question',
      question: { ...question, context: undefined, body: view },
    });
    expect(
      JSON.stringify(stageOf({ kind: 'question', question: { ...question, body: { kind: 'busy' } } })),
    ).not.toContain(SECRET);
  });

  it('is what came of the call for people; what is for the model alone leaves the others in their places', () => {
    const forModel = { type: 'text', text: SECRET, annotations: { audience: ['assistant'] } };
    const forBoth = { type: 'text', text: 'Done', annotations: { audience: ['user', 'assistant'] } };
    const value = { content: [forModel, forBoth], structuredContent: { a: SECRET } };
    expect(stageOf({ kind: 'result', value, blocks: [forModel, forBoth] })).toEqual({
      kind: 'result',
      value: [forBoth],
      blocks: [{ type: 'text', text: '' }, forBoth],
    });
    const open = { kind: 'result' as const, value: [forBoth], blocks: [forBoth] };
    expect(stageOf(open)).toEqual(open);
  });
});
