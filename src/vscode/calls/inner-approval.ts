import type { Operation } from 'effection';
import { parametersText } from '../../core/messages/parameters-text.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { askInPanel } from './ask-in-panel.ts';
import { type CallEntry, titleOf } from './call-entry.ts';
import { fenced } from './escaped-markdown.ts';
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
 * The approvals of a window. Permission to call *run_tool* is not permission for the tool that it names: that is asked for each
 * tool by its own name, with all that it is given. “Always” is for this tool and this caller, as long as the window lives.
 */
export function createInnerApproval({ asked, t }: InnerApprovalParts): MayRun {
  const allowed = new Set<string>();
  return function* (entry, { tool, params }) {
    const { asker } = entry;
    const who = asker.kind === 'person' ? '' : asker.name;
    const key = JSON.stringify([entry.session()?.principal, who, tool.name]);
    if (allowed.has(key)) return true;
    const message = t('May “{0}” run with these parameters?', titleOf(tool));
    const reply = yield* askInPanel(
      entry,
      {
        toolName: tool.name,
        message: `${message}\n\n${fenced(parametersText(params), 'json')}`,
        schema: {
          type: 'object',
          properties: {
            always: {
              type: 'boolean',
              title: t('Always allow this tool'),
              description: t('For this caller, until the window closes'),
              default: false,
            },
          },
        },
      },
      () => asked(entry),
    );
    if (reply.action === 'accept' && reply.content.always === true) allowed.add(key);
    return reply.action === 'accept';
  };
}
