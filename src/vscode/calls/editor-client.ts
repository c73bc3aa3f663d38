import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { isParleyError } from '../../core/errors/errors.ts';
import { isAboutModel } from '../../panel/about-model.ts';
import { createAnswering } from '../../panel/answering.ts';
import type { Log } from '../log/log.ts';
import type { EditorClient } from './attend.ts';
import type { CallEntry } from './call-entry.ts';
import { editorCapabilities } from './editor/editor-capabilities.ts';
import { openPage } from './editor/open-page.ts';
import { workspaceRoots } from './editor/workspace-roots.ts';
import type { Attention } from './notices/attention.ts';
import type { Sampler } from './sampler/sampler.ts';
import { shownAsk } from './shipped/shipped-questions.ts';

/** What every client of the editor works with. */
export interface EditorParts {
  readonly sampler: Sampler;
  readonly log: Log;
  readonly attention: Attention;
}

/** How the editor answers a call. */
export interface EditorClientOptions {
  /** The model of the chat that the call is from. */
  readonly model?: vscode.LanguageModelChat | undefined;
  /** Another client is asked, too: its questions open no panel. */
  readonly quiet?: boolean;
}

/**
 * The editor as a client of one call: its panel answers questions, `vscode.lm` answers samplings, the workspace folders
 * are its roots, `model` is the model of a chat, where there is one.
 */
export function createEditorClient(
  entry: CallEntry,
  { sampler, log, attention }: EditorParts,
  { model, quiet = false }: EditorClientOptions = {},
): EditorClient {
  const { store } = entry.panel;
  const answer = createAnswering({
    panel: entry.panel,
    title: entry.title,
    log,
    shown: (ask) => (entry.tool ? shownAsk(entry.tool, ask, vscode.l10n.t, entry.record()?.params) : ask),
    gaveWay: vscode.l10n.t('The view of this question failed. Use this form instead.'),
    openPage,
    asked: () => {
      if (!quiet) attention.asked(entry);
    },
  });
  return {
    name: 'editor',
    capabilities: () => editorCapabilities,
    can: () => true,
    elicit: answer,
    // A person is asked until the answer fits.
    maxAttempts: () => Number.POSITIVE_INFINITY,
    *sample(ask, askIo) {
      const consent = (waits: boolean) =>
        store.dispatch({ type: 'consent', askId: ask.id, waits, time: Date.now() });
      const io = {
        title: entry.title,
        model,
        *consent<T>(op: () => Operation<T>): Operation<T> {
          consent(true);
          try {
            return yield* askIo.offClock(op);
          } finally {
            consent(false);
          }
        },
      };
      try {
        return yield* sampler.sample(ask.request, io);
      } catch (error) {
        if (isParleyError(error) && isAboutModel(error.code)) attention.lackedModel(entry, error);
        throw error;
      }
    },
    *roots() {
      return { roots: workspaceRoots() };
    },
  };
}
