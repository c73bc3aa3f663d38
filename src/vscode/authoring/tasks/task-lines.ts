import { terminalBlock, terminalLine } from '../../../cli/terminal-text.ts';
import type { JsonValue } from '../../../core/messages/json.ts';
import type { Mask } from '../../../core/messages/secrets/mask-secrets.ts';
import { contentBlocks } from '../../../panel/model/ending.ts';
import { resultText } from '../../../panel-port/index.ts';
import type { SessionEvent } from '../../../runtime/session/events.ts';
import type { Translate } from '../../calls/notices/explain.ts';
import { callMask } from '../../log/call-mask.ts';

/**
 * Makes what takes the events of a call, in their order, and says what its task's terminal shows of each, line by line: nothing in a text of
 * the tool moves the cursor, and no secret of the call is in what it tells. What the tool returns is what the task is run for. Samplings
 * and answers are in the call's panel and in its transcript.
 */
export function taskLines(params: unknown, t: Translate): (event: SessionEvent) => readonly string[] {
  const maskAt = callMask(params);
  return (event) =>
    event.type === 'result' ? resultLines(event.value ?? null) : said(event, maskAt(event), t);
}

function said(event: SessionEvent, mask: Mask, t: Translate): readonly string[] {
  const line = (text: string): string => terminalLine(mask(text));
  switch (event.type) {
    case 'progress':
      return [line(event.message)];
    case 'log':
      return [`${event.level}: ${line(event.message)}`];
    case 'elicit_request':
      return [t('Waiting for your answer: {0}', line(event.ask.request.message))];
    case 'error':
      return [t('Failed: {0}', terminalBlock(mask(event.error.message)).trim())];
    case 'aborted':
      return [t('Stopped: {0}', line(event.reason))];
    default:
      return [];
  }
}

function resultLines(value: JsonValue): readonly string[] {
  const blocks = contentBlocks(value);
  const text = resultText({ value, ...(blocks ? { blocks } : {}) }, 'text');
  return text === '' ? [] : text.split(/\r?\n/).map(terminalLine);
}
