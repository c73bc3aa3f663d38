import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import { asLabel } from '../../../core/messages/label.ts';
import { toolOf } from '../../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../../core/plugin/plugin.ts';
import { loadShipped } from '../../authoring/workspace/shipped-tools.ts';
import { type Edge, fromThenable, useBoundary, useDisposable } from '../../bridge.ts';
import { titleOf, toolSummary } from '../../calls/call-entry.ts';
import type { CallDesk } from '../../calls/desk.ts';
import type { Lazy } from '../../calls/lazy.ts';
import { titleWith } from '../../calls/panel/tabs/tab-title.ts';
import { toVscodePart } from '../../calls/sampler/to-vscode.ts';
import { useEdge, useExtension, useLog } from '../../contexts.ts';
import { hasApi } from '../../has-api.ts';
import { declaredTools, needsConfirmation } from './invocation.ts';

/**
 * The shipped tools for Copilot's agent mode and as `#references`. Their names come from the manifest: the tools are
 * loaded with the first call.
 */
export function* useLanguageModelTools(desk: Lazy<CallDesk>): Operation<void> {
  const { registerTool } = vscode.lm ?? {};
  if (
    !(yield* hasApi(
      'vscode.lm.registerTool',
      registerTool,
      'its agent does not get the tools of Parley itself',
    ))
  )
    return;
  const edge = yield* useEdge();
  const log = yield* useLog();
  const { extension } = yield* useExtension();
  for (const name of declaredTools(extension.packageJSON)) {
    yield* useBoundary(
      () => useDisposable(() => vscode.lm.registerTool(name, languageModelTool(name, edge, desk))),
      (error) => log.error(`The agent does not get the tool ${name}`, error),
    );
  }
}

function languageModelTool(name: string, edge: Edge, desk: Lazy<CallDesk>): vscode.LanguageModelTool<object> {
  return {
    prepareInvocation: ({ input }, token) =>
      edge.promise(function* () {
        const plugin = yield* shippedPlugin(name);
        const tool = toolOf(plugin);
        const title = titleOf(tool);
        const invocationMessage = runningText(title, input);
        if (!needsConfirmation(tool)) return { invocationMessage };
        // Below Markdown (and not below a string, tried) the editor shows the input, to be edited.
        const message = new vscode.MarkdownString().appendText(toolSummary(tool) ?? title);
        return {
          invocationMessage,
          confirmationMessages: { title: vscode.l10n.t('Run {0}?', title), message },
        };
      }, token),
    invoke: ({ input, tokenizationOptions }, token) =>
      edge.promise(function* () {
        const plugin = yield* shippedPlugin(name);
        const { invokeTool } = yield* fromThenable(import('./invoke-tool.ts'));
        const budget = tokenizationOptions && {
          tokens: tokenizationOptions.tokenBudget,
          count: (text: string) => fromThenable(tokenizationOptions.countTokens(text, token)),
        };
        const fitted = yield* invokeTool(yield* desk(), plugin, input, budget);
        return new vscode.LanguageModelToolResult(fitted.map(toVscodePart));
      }, token),
  };
}

/** Characters of what a call was given that one reads beside its name in a conversation. */
const LONGEST = 100;

/** Which of several calls it is: `Running Ask the User — Which license is it?`. What the model gives may be anything. */
function runningText(title: string, input: unknown): string {
  const params = typeof input === 'object' && input !== null ? (input as JsonObject) : undefined;
  return vscode.l10n.t('Running {0}', asLabel(titleWith(title, params, { longest: LONGEST }), 2 * LONGEST));
}

function* shippedPlugin(name: string): Operation<AnyPlugin> {
  const plugin = (yield* loadShipped()).find((one) => toolOf(one).name === name);
  if (!plugin) throw new Error(`There is no tool "${name}" in Parley.`);
  return plugin;
}
