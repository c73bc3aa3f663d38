import { type Operation, until } from 'effection';
import type { SecretStorage } from 'vscode';
import { NoModelError } from '../../../core/errors/sampling-errors.ts';
import type { JsonValue } from '../../../core/messages/json.ts';
import { isLoopback } from '../../../core/page/page-address.ts';
import { defined } from '../../../core/schema/defined.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { SampleAnswer, SampleAskRequest } from '../../../core/tool/ask.ts';
import type { Model } from '../../../mcp/model/model.ts';
import { fromThenable } from '../../bridge.ts';
import { ownVendor } from '../../ids.ts';
import type { ModelFacts } from './choose-model.ts';

/** A model of the person's own, as the setting `parley.models` names it. */
export interface OwnModel extends ModelFacts {
  readonly url: string;
  /** @param onText told of each piece of text as it arrives */
  respond(request: SampleAskRequest, onText?: (text: string) => Operation<void>): Operation<SampleAnswer>;
}

/** The models of the person's own, and the keys of their servers. */
export interface OwnModels {
  list(): readonly OwnModel[];
  key(url: URL): Operation<string | undefined>;
  /** Keeps a key for an origin, and for that one alone; an empty one is forgotten. */
  keepKey(url: URL, key: string): Operation<void>;
}

/** A person's own model is at a person's own cost: what a tool that loops may spend of it in an hour. */
const LIMITS = { calls: 500, tokens: 5_000_000 };

/** A model on the person's own machine may think for long. */
const TIMEOUT = 600_000;

/** The models that the setting names, which `read` gives. */
export function createOwnModels(secrets: SecretStorage, read: () => readonly JsonValue[]): OwnModels {
  /** By place and key: what was spent, and what a server refuses, is known as long as both stay. */
  const made = new Map<string, Model>();

  function* modelAt(url: URL, name: string, key: string | undefined): Operation<Model> {
    const id = JSON.stringify([url.href, name, key ?? null]);
    const known = made.get(id);
    if (known) return known;
    const { createModel } = yield* until(import('../../../mcp/model/model.ts'));
    const place = { url: url.href, name, limits: LIMITS, timeout: TIMEOUT, ...defined({ key }) };
    const model = createModel(place, 'Run “Parley: Add Model…” to give it again.');
    made.set(id, model);
    return model;
  }

  const models: OwnModels = {
    list: () =>
      read().flatMap((entry): OwnModel[] => {
        if (!isObject(entry) || typeof entry.url !== 'string' || typeof entry.model !== 'string') return [];
        const { url, model: id, name } = entry;
        return [
          {
            vendor: ownVendor,
            id,
            family: id,
            name: typeof name === 'string' && name !== '' ? name : id,
            allowed: true,
            url,
            *respond(request, onText = function* () {}) {
              const at = modelAddress(url);
              if (!at) {
                throw new NoModelError(
                  `“${url}” of the setting parley.models is not used: a model is at an https address, or on this machine.`,
                );
              }
              const model = yield* modelAt(at, id, yield* models.key(at));
              return yield* model.respond(request, ownVendor, onText);
            },
          },
        ];
      }),
    *key(url) {
      return yield* fromThenable(secrets.get(keyOf(url)));
    },
    *keepKey(url, key) {
      yield* fromThenable(key === '' ? secrets.delete(keyOf(url)) : secrets.store(keyOf(url), key));
    },
  };
  return models;
}

/** Where a model may be: at an https address, or on this machine. */
export function modelAddress(given: string): URL | undefined {
  if (!URL.canParse(given.trim())) return undefined;
  const url = new URL(given.trim());
  if (url.username !== '' || url.password !== '') return undefined;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
    ? url
    : undefined;
}

/** Whoever gave a key gave it for one origin: at another address it is not there. */
function keyOf({ origin }: URL): string {
  return `parley.models.key.${origin}`;
}
