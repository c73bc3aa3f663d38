import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { FormJsonSchema } from '../../../core/form/form-schema.ts';
import type { JsonObject } from '../../../core/messages/json.ts';
import { parametersText } from '../../../core/messages/parameters-text.ts';
import { shownJson } from '../../../core/messages/shown-json.ts';
import { type Validation, validate } from '../../../core/schema/validate.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type { JudgedCall } from '../../../runtime/policy/call-policy.ts';
import { titleOf } from '../../calls/call-entry.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { fenced, plainText } from '../../calls/escaped-markdown.ts';
import type { ApprovalAnswer, ApprovalQuestion } from './server-policy.ts';
import type { Lasts } from './words.ts';

/**
 * Asks in the panel of the call whether a tool may run, with its arguments to read and to edit. What they are edited to is checked
 * as the tool itself would, and asked again.
 */
export function* askApproval(
  desk: Pick<CallDesk, 'ask'>,
  { session, tool, params, named }: Pick<JudgedCall, 'session' | 'tool' | 'params' | 'named'>,
  { server, changed }: ApprovalQuestion,
): Operation<ApprovalAnswer> {
  const title = plainText(titleOf(tool));
  const message = [
    server === undefined
      ? vscode.l10n.t('May “{0}” run with these arguments?', title)
      : vscode.l10n.t(
          'May “{0}” of the MCP server “{1}” run with these arguments?',
          title,
          plainText(server),
        ),
    fenced(parametersText(params), 'json'),
    ...(changed === undefined
      ? []
      : [vscode.l10n.t('Changed since you allowed it:'), fenced(changed, 'diff')]),
  ].join('\n\n');
  let text = shownJson(params, 2);
  let problem: string | undefined;
  for (;;) {
    // A tool of ours may be taken up again, with what it was called with: nothing of that is edited here.
    const schema = formOf(named ? undefined : text);
    const reply = yield* desk.ask(session, { toolName: tool.name, message, schema, problem });
    if (reply.action !== 'accept') return { approved: false };
    if (named) return { approved: true, params, lasts: lastsOf(reply.content.lasts) };
    text = String(reply.content.arguments ?? '{}');
    const checked = yield* checkedText(tool, text);
    if (checked.ok) return { approved: true, params: checked.value, lasts: lastsOf(reply.content.lasts) };
    problem = checked.problem;
  }
}

function formOf(text: string | undefined): FormJsonSchema {
  return {
    type: 'object',
    properties: {
      ...(text !== undefined && {
        arguments: { type: 'string', title: vscode.l10n.t('Arguments'), multiline: true, default: text },
      }),
      lasts: {
        type: 'string',
        title: vscode.l10n.t('Allow'),
        oneOf: [
          { const: 'call', title: vscode.l10n.t('this call') },
          { const: 'window', title: vscode.l10n.t('this tool, until the window is closed') },
          { const: 'always', title: vscode.l10n.t('this tool, always') },
        ],
        default: 'call',
      },
    },
    required: text === undefined ? ['lasts'] : ['arguments', 'lasts'],
  };
}

function lastsOf(value: unknown): Lasts {
  return value === 'window' || value === 'always' ? value : 'call';
}

function* checkedText(tool: AnyTool, text: string): Operation<Validation<JsonObject>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `arguments: ${(error as Error).message}`, issues: [] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, problem: vscode.l10n.t('arguments: expected an object'), issues: [] };
  }
  const checked: Validation<unknown> = yield* validate(tool.def.parameters.schema, value);
  return checked.ok ? { ok: true, value: value as JsonObject } : checked;
}
