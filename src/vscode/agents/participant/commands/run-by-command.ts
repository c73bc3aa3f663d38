import { type Operation, race, withResolvers } from 'effection';
import * as vscode from 'vscode';
import { resultOf } from '../../../../chat/results.ts';
import type { ConversationState } from '../../../../chat/state.ts';
import { toError } from '../../../../core/errors/parley-error.ts';
import type { ContentBlock } from '../../../../core/messages/content.ts';
import type { JsonObject } from '../../../../core/messages/json.ts';
import { validate } from '../../../../core/schema/validate.ts';
import type { AnyTool } from '../../../../core/tool/tool.ts';
import type { EndEvent } from '../../../../runtime/session/events.ts';
import { untilCancelled } from '../../../bridge.ts';
import { titleOf } from '../../../calls/call-entry.ts';
import { fenced, plainText } from '../../../calls/escaped-markdown.ts';
import { type CurrentTool, currentTool } from '../../../calls/run/current-tool.ts';
import { named } from '../../../calls/run/named-tool.ts';
import { useEdge } from '../../../contexts.ts';
import { toolsMarkdown } from '../lists.ts';
import type { ChatCall, TurnParts } from '../parts.ts';
import { promptOf } from '../prompt.ts';
import { type ParticipantTurn, runTurn, type TurnOutcome } from '../run-turn.ts';
import { parseRunCommand } from './run-command.ts';

/** `/run <tool>`: with JSON at once, with nothing by its form, with words by the model. */
export function* runByCommand(
  parts: TurnParts,
  call: ChatCall,
  state: ConversationState,
  keep: ParticipantTurn['keep'],
): Operation<TurnOutcome> {
  const { stream, request } = call;
  const { registry } = parts.tools;
  const { tool, params, wish } = parseRunCommand(request.prompt);
  const registered = yield* named(registry, tool);
  if (!registered) {
    const sorry =
      tool === ''
        ? vscode.l10n.t('Choose a tool')
        : vscode.l10n.t('The tool “{0}” was not found. Available tools:', plainText(tool));
    stream.markdown(`${sorry}\n\n${toolsMarkdown(registry.list(), vscode.l10n.t)}`);
    return { state };
  }
  if (wish !== undefined) {
    const message = promptOf(wish, [], [registered.name]);
    return yield* runTurn(parts, call, {
      state,
      message,
      tools: () => [registry.get(registered.name) ?? registered],
      keep,
    });
  }
  const said = yield* runNow(parts, call, yield* currentTool(parts.tools, registered), params);
  const after = {
    ...state,
    // What came of it is part of the conversation, when nothing is open in it.
    ...(state.awaiting.length > 0
      ? {}
      : {
          messages: [
            ...state.messages,
            { role: 'user', content: { type: 'text', text: `/run ${request.prompt}` } },
            { role: 'assistant', content: { type: 'text', text: said } },
          ],
        }),
  } satisfies ConversationState;
  return { state: after };
}

/** Runs it as Run Tool… does; parameters that do not fit are asked for. Stopping the turn leaves the call to its panel. */
function* runNow(
  { callDesk }: TurnParts,
  { stream, token }: ChatCall,
  { registered: { tool, plugin }, notice }: CurrentTool,
  params: JsonObject | undefined,
): Operation<string> {
  stream.progress(vscode.l10n.t('Running {0}', plainText(titleOf(tool))));
  const ended = withResolvers<string>();
  (yield* useEdge()).fork(`/run ${tool.name}`, function* () {
    try {
      const wrong = params && (yield* problemOf(tool, params));
      if (wrong !== undefined) stream.markdown(`${plainText(wrong)}\n\n`);
      const given =
        wrong === undefined
          ? { params, notice }
          : { suggested: params, notice: [wrong, ...(notice ? [notice] : [])].join(' ') };
      const { end } = yield* callDesk.run({ tool, plugin, ...given });
      ended.resolve(end ? saidOf(end) : vscode.l10n.t('The form was closed. Nothing ran.'));
    } catch (error) {
      ended.resolve(plainText(toError(error).message));
      throw error;
    }
  });
  const said = yield* race([ended.operation, stopped(token)]);
  if (said === undefined) return vscode.l10n.t('The call continues in its panel.');
  stream.markdown(said);
  return said;
}

/** What is wrong with parameters, for a person; nothing where they fit. */
function* problemOf(tool: AnyTool, params: JsonObject): Operation<string | undefined> {
  const checked = yield* validate(tool.def.parameters.schema, params);
  return checked.ok
    ? undefined
    : vscode.l10n.t('These parameters are not valid: {0}. Correct them in the panel.', checked.problem);
}

function* stopped(token: vscode.CancellationToken): Operation<undefined> {
  yield* untilCancelled(token);
  return undefined;
}

/** How the call ended, as Markdown. What the tool returned is shown as it is, never as Markdown of its own. */
function saidOf(end: EndEvent): string {
  const text = resultOf('', end).content.map(textOf).join('\n');
  if (text.trim() === '') return vscode.l10n.t('Done. The tool returned no result.');
  if (end.type !== 'result') return plainText(text);
  return `${fenced(text)}\n`;
}

function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return block.uri;
  if (block.type === 'resource') return block.resource.text ?? block.resource.uri;
  return `(${block.mimeType})`;
}
