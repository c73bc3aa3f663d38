/**
 * The port between a run panel's page and the extension host: every message as a value that is its name, its type and
 * its guard at once, read at both ends by {@link readFromHost} and {@link readFromPage}.
 *
 * The schemas are written with `zod/mini`, the same zod behind a smaller door: the page carries a copy.
 */
export { formJsonSchema } from '../core/form/form-schema.ts';
export * from './app.ts';
export { errorText } from './error-text.ts';
export { isJson, isJsonObject } from './json.ts';
export {
  type HandlersOf,
  handle,
  type NamedMessage,
} from './message.ts';
export type { Question, QuestionBody, RenderedView, ViewRef } from './question.ts';
export { type ResultFormat, resultText } from './result-text.ts';
export {
  type Action,
  applyPatch,
  type CallInfo,
  type CallStatus,
  callInfo,
  type Head,
  type Patch,
  type Pause,
  type Snapshot,
  type Stage,
  type StageOf,
  type Timer,
} from './snapshot.ts';
export { stopReasons } from './stop-reasons.ts';
export { isAnsweredState, MAX_ROWS, mergeRows, type RowOf, type TimelineRow } from './timeline.ts';
export { dateTimeText, durationText, minuteText, timeText, wholeDurationText } from './times.ts';
export * from './to-host.ts';
export * from './to-page.ts';
export type { OwnFrame, TracePart } from './trace.ts';
