import type { ModelPreferences } from '../../../core/tool/sample.ts';
import { ownVendor } from '../../ids.ts';

/** What a choice of model goes by: part of `vscode.LanguageModelChat`. */
export interface ModelFacts {
  readonly vendor: string;
  readonly id: string;
  readonly family: string;
  readonly name: string;
  /** Whether a request needs no consent dialog; `undefined` when nobody was asked yet. */
  readonly allowed?: boolean | undefined;
}

/**
 * Vendors whose “models” are agents that answer only in chat sessions of their own: VS Code lists them beside the
 * others, and a request to one comes back empty (tried with 1.139).
 */
const AGENT_VENDORS: readonly string[] = ['copilotcli', 'copilot-cloud-agent', 'claude-code', 'openai-codex'];

/** Whether it is a model and not an agent. */
export function answersAnywhere({ vendor }: ModelFacts): boolean {
  return !AGENT_VENDORS.includes(vendor);
}

/** How a model is written in the setting `parley.sampling.model`, and named in answers. */
export function modelKey(model: Pick<ModelFacts, 'vendor' | 'id'>): string {
  return `${model.vendor}/${model.id}`;
}

/**
 * A chosen model and why, or why there is none. `guess` is a default among models of several vendors: nobody has said
 * who may read what the tool sends.
 */
export type ModelChoice<M> =
  | { readonly model: M; readonly by: 'setting' | 'hint' | 'last' | 'default' | 'guess' }
  | { readonly model?: undefined; readonly missing: 'any' | 'setting' };

/**
 * Which model a sampling goes to: the setting, then the tool's hints in order, then `last` (the key of the model that the
 * person last used with Parley), then a default.
 *
 * A model that the person chose is never replaced by another one: their text might then go to a vendor they did not
 * choose. A hint is part of a model's name, id or family (MCP: "treated as substrings"). The default prefers models
 * that need no consent dialog, then Copilot's, then the first listed. Agents are taken only by the setting.
 */
export function chooseModel<M extends ModelFacts>(
  models: readonly M[],
  setting: string,
  preferences?: ModelPreferences,
  last?: string,
): ModelChoice<M> {
  const wanted = setting.trim();
  if (wanted !== '') {
    const chosen =
      models.find((model) => modelKey(model) === wanted) ??
      models.find((model) => model.id === wanted) ??
      models.find((model) => model.family === wanted);
    return chosen ? { model: chosen, by: 'setting' } : { missing: 'setting' };
  }
  const anywhere = models.filter(answersAnywhere);
  const others = anywhere.filter(({ vendor }) => vendor !== ownVendor);
  // The person's own are there for where the editor has none.
  const answering = others.length > 0 ? others : anywhere;
  const permitted = answering.filter((model) => model.allowed !== false);
  const pool = permitted.length > 0 ? permitted : answering;
  for (const hint of preferences?.hints ?? []) {
    const hinted = hint.name ? bestMatch(pool, hint.name.toLowerCase()) : undefined;
    if (hinted) return { model: hinted, by: 'hint' };
  }
  const known = pool.find((candidate) => modelKey(candidate) === last);
  if (known) return { model: known, by: 'last' };
  const consented = pool.filter((candidate) => candidate.allowed === true);
  const open = consented.length > 0 ? consented : pool;
  const model = open.find((candidate) => candidate.vendor === 'copilot') ?? open[0];
  if (!model) return { missing: 'any' };
  const vendors = new Set(open.map(({ vendor }) => vendor));
  return { model, by: vendors.size > 1 ? 'guess' : 'default' };
}

function bestMatch<M extends ModelFacts>(models: readonly M[], hint: string): M | undefined {
  const namesOf = (model: M) =>
    [modelKey(model), model.id, model.family, model.name].map((name) => name.toLowerCase());
  return (
    models.find((model) => namesOf(model).includes(hint)) ??
    models.find((model) => namesOf(model).some((name) => name.includes(hint)))
  );
}
