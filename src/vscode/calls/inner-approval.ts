import { randomUUID } from 'node:crypto';
import { type Operation, scoped, spawn } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import { parametersText } from '../lm/invocation.ts';
import { fenced } from '../participant/markdown.ts';
import { type CallEntry, titleOf } from './call-entry.ts';
import type { Translate } from './notices/explain.ts';

/** A tool that is about to run inside the call of another. */
export interface InnerRun {
  readonly tool: AnyTool;
  readonly params: unknown;
}

/** Asks the person, in the panel of a call, whether a tool may run inside it. */
export type MayRun = (entry: CallEntry, run: InnerRun) => Operation<boolean>;

/** What asking needs beside the call. */
export interface InnerApprovalParts {
  /** A question has opened: the person should notice. */
  asked(entry: CallEntry): void;
  readonly t: Translate;
}

/**
 * The approvals of a window. Whoever may call *run_tool* may not yet have the tool run that it names: that is asked for each
 * tool by its own name, with all that it is given. “Always” is for this tool and whoever asks now, as long as the window lives.
 */
export function createInnerApproval({ asked, t }: InnerApprovalParts): MayRun {
  const allowed = new Set<string>();
  return function* (entry, { tool, params }) {
    const { asker } = entry;
    const who = asker.kind === 'person' ? '' : asker.name;
    const key = JSON.stringify([entry.session()?.principal, who, tool.name]);
    if (allowed.has(key)) return true;
    const message = t('May “{0}” run with these parameters?', titleOf(tool));
    const ask: ElicitAsk = {
      kind: 'elicit',
      id: `approval:${randomUUID()}`,
      wireKey: 'approval',
      depth: 0,
      attempt: 1,
      declared: false,
      inEditor: true,
      ref: { toolName: tool.name, callId: entry.session()?.id ?? '', key: 'approval', seq: 1 },
      request: {
        message: `${message}\n\n${fenced(parametersText(params), 'json')}`,
        requestedSchema: {
          type: 'object',
          properties: {
            always: {
              type: 'boolean',
              title: t('Always allow this tool'),
              description: t('For whoever asks now, until this window is closed'),
              default: false,
            },
          },
        },
      },
    };
    const { action, always } = yield* scoped(() => answered(entry, ask, () => asked(entry)));
    if (action === 'accept' && always) allowed.add(key);
    return action === 'accept';
  };
}

function* answered(
  { panel: { store, inbox } }: CallEntry,
  ask: ElicitAsk,
  asked: () => void,
): Operation<{ readonly action: string; readonly always: boolean }> {
  const close = (how: 'answered' | 'withdrawn', answer?: JsonObject) =>
    store.dispatch({
      type: 'event',
      event: { at: 0, time: Date.now(), type: 'ask_closed', id: ask.id, how, ...(answer ? { answer } : {}) },
    });
  const reply = yield* spawn(() => inbox.question(ask.id, ask.attempt));
  store.dispatch({ type: 'event', event: { at: 0, time: Date.now(), type: 'elicit_request', ask } });
  let open = true;
  try {
    asked();
    const given = yield* reply;
    open = false;
    close('answered', { ...given });
    return { action: given.action, always: given.action === 'accept' && given.content.always === true };
  } finally {
    if (open) close('withdrawn');
  }
}
