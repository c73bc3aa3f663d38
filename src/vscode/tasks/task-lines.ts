import { terminalBlock, terminalLine } from '../../cli/terminal-text.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { contentBlocks } from '../../panel/model/ending.ts';
import { resultText } from '../../panel-port/index.ts';
import type { SessionEvent } from '../../runtime/session/events.ts';
import type { Translate } from '../calls/notices/explain.ts';

/**
 * What a task's terminal says of an event, line by line: nothing in a text of the tool moves the cursor. Samplings and answers are
 * in the call's panel and in its transcript.
 */
export function linesOf(event: SessionEvent, t: Translate): readonly string[] {
  switch (event.type) {
    case 'progress':
      return [terminalLine(event.message)];
    case 'log':
      return [`${event.level}: ${terminalLine(event.message)}`];
    case 'elicit_request':
      return [t('Waits for your answer: {0}', terminalLine(event.ask.request.message))];
    case 'result':
      return resultLines(event.value ?? null);
    case 'error':
      return [t('Failed: {0}', terminalBlock(event.error.message).trim())];
    case 'aborted':
      return [t('Stopped: {0}', terminalLine(event.reason))];
    default:
      return [];
  }
}

function resultLines(value: JsonValue): readonly string[] {
  const blocks = contentBlocks(value);
  const text = resultText({ value, ...(blocks ? { blocks } : {}) }, 'text');
  return text === '' ? [] : text.split(/\r?\n/).map(terminalLine);
}
