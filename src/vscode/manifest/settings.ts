import type { SettingId, Settings } from '../ids.ts';
import { type Text, text, type WithTexts } from './text.ts';

interface SettingEntry<Value> {
  readonly type: Value extends string ? 'string' : Value extends number ? 'number' : 'boolean';
  readonly default: Value;
  readonly markdownDescription: Text;
  readonly scope: 'application' | 'machine' | 'machine-overridable' | 'window' | 'resource';
  /** Not read from a workspace that is not trusted. */
  readonly restricted: boolean;
  readonly more?: Readonly<Record<string, WithTexts>>;
}

const entries: { readonly [Id in SettingId]: SettingEntry<Settings[Id]> } = {
  'parley.sampling.model': {
    type: 'string',
    default: '',
    markdownDescription: text(
      'setting.sampling.model',
      'The language model that tools ask, as `vendor/id`. Empty: the model that the tool hints at, else a default. [Choose a model](command:parley.chooseSamplingModel)',
    ),
    scope: 'window',
    restricted: true,
  },
};

/** `contributes.configuration`. */
export const settingContributions = {
  title: text('settings.title', 'Parley'),
  properties: Object.fromEntries(
    Object.entries(entries).map(([id, { restricted: _, more, ...entry }]) => [id, { ...entry, ...more }]),
  ),
};

/** Settings that a workspace may set only when it is trusted. */
export const restrictedSettings = Object.entries(entries).flatMap(([id, entry]) =>
  entry.restricted ? [id] : [],
);
