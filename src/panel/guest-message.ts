import type { JsonObject } from '../core/messages/json.ts';
import {
  type Head,
  patch,
  type Stage,
  type StageOf,
  snapshot,
  type TimelineRow,
  type ToPage,
} from '../panel-port/index.ts';
import { isMeantFor } from './model/audience.ts';
import { resolveViews } from './resolve-views.ts';

/**
 * What a page in a conversation gets of a message to a panel: what it shows, and nothing else. It shows no timeline, so it learns of no
 * log, no argument, no earlier answer, and not what a model was asked or said. Its views are in its own document: there is no place to load
 * them from.
 */
export function guestMessage(message: ToPage): JsonObject {
  return JSON.parse(JSON.stringify(resolveViews(shown(message), () => undefined))) as JsonObject;
}

function shown(message: ToPage): ToPage {
  // No default: what such a page gets of a new kind of message has to be said here.
  switch (message.name) {
    case 'snapshot': {
      const { head, rows } = message.body;
      return snapshot({ ...message.body, head: shownHead(head), rows: rows.flatMap(shownRow) });
    }
    case 'patch': {
      const { head, rows } = message.body;
      return patch({
        ...message.body,
        ...(head ? { head: shownHead(head) } : {}),
        ...(rows ? { rows: rows.flatMap(shownRow) } : {}),
      });
    }
    case 'focus':
    case 'refused':
    case 'picked':
    case 'sound':
      return message;
  }
}

/** The header is the conversation's: what models are told of the tool, and who asked for the call, stand there. */
function shownHead({ call: { description: _, summary: __, asker: ___, ...call }, ...head }: Head): Head {
  return { ...head, call, stage: shownStage(head.stage) };
}

function shownStage(stage: Stage): Stage {
  switch (stage.kind) {
    case 'question': {
      const { context: _, ...question } = stage.question;
      // A view gets what its handler gives it.
      return question.body.kind === 'form' ? stage : { ...stage, question };
    }
    case 'result':
      return shownResult(stage);
    default:
      return stage;
  }
}

/** What a tool returned for the model alone is for no page. Nothing stands in its place, so that the others keep theirs. */
function shownResult(stage: StageOf<'result'>): Stage {
  const blocks = stage.blocks?.map((block) => (isMeantFor('user', block) ? block : NOTHING));
  if (!blocks?.includes(NOTHING)) return stage;
  return { ...stage, value: blocks.filter((block) => block !== NOTHING), blocks };
}

const NOTHING: JsonObject = { type: 'text', text: '' };

/** How far a call is: progress, and what else it is about. */
function shownRow(row: TimelineRow): TimelineRow[] {
  const { index, time, depth } = row;
  const place = { index, time, ...(depth === undefined ? {} : { depth }) };
  switch (row.type) {
    case 'progress':
      return [row];
    case 'sampling':
      return [{ ...place, type: 'sampling', state: row.state }];
    case 'question':
      return [{ ...place, type: 'question', id: row.id, number: row.number, message: '', state: row.state }];
    case 'started':
      return [{ ...place, type: 'started' }];
    case 'log':
    case 'gap':
    case 'ended':
      return [];
  }
}
