import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import { isContentBlock } from '../../core/messages/result-content.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Action, Stage, TracePart } from '../../panel-port/index.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { EndedStage } from './state.ts';

/** What the editor adds to an end: what the person can do about it, in words and as buttons. */
export interface ShownEnding {
  readonly hint?: string | undefined;
  readonly actions?: readonly Action[] | undefined;
  /** Of an error: what it says with its class, where it came from, and what caused it. */
  readonly trace?: readonly TracePart[] | undefined;
}

/** The stage that an end leaves behind. */
export function endStage(event: EndEvent, ending: ShownEnding = {}): EndedStage {
  const actions = ending.actions?.length ? { actions: [...ending.actions] } : {};
  switch (event.type) {
    case 'result': {
      const value = event.value ?? null;
      if (event.notKept) return { kind: 'result', value, notKept: true, ...actions };
      const blocks = contentBlocks(value);
      return { kind: 'result', value, ...(blocks ? { blocks } : {}), ...actions } satisfies Stage;
    }
    case 'error': {
      const { name, code, message } = event.error;
      const [first] = ending.trace ?? [];
      return {
        kind: 'error',
        error: {
          name,
          message: first?.title ?? message,
          ...defined({ code, hint: ending.hint }),
          ...(ending.trace === undefined ? {} : { trace: [...ending.trace] }),
        },
        ...actions,
      };
    }
    case 'aborted':
      return { kind: 'aborted', ...(event.reason === '' ? {} : { reason: event.reason }), ...actions };
  }
}

/** MCP content blocks, if that is what a tool returned: one, a list of them, or a whole `CallToolResult`. */
export function contentBlocks(value: JsonValue): JsonObject[] | undefined {
  if (isBlock(value)) return [value];
  const list: unknown =
    typeof value === 'object' && value !== null && 'content' in value ? value.content : value;
  return Array.isArray(list) && list.length > 0 && list.every(isBlock) ? list : undefined;
}

function isBlock(value: unknown): value is JsonObject {
  return isContentBlock(value);
}
