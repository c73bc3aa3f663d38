import type { JsonObject, JsonValue } from '../core/messages/json.ts';
import type { SettingId, Settings } from './ids.ts';

/** VS Code's view of settings, as far as it is read here. */
export interface Configuration {
  get(id: string): unknown;
  inspect(id: string): { readonly defaultValue?: unknown } | undefined;
}

type Read<Value> = (value: unknown) => Value | undefined;

const oneOf =
  <const Choice extends string>(...choices: readonly Choice[]): Read<Choice> =>
  (value) =>
    choices.find((choice) => choice === value);

const text: Read<string> = (value) => (typeof value === 'string' ? value : undefined);

const texts: Read<readonly string[]> = (value) =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one !== '') : undefined;

const list: Read<readonly JsonValue[]> = (value) =>
  Array.isArray(value) ? (value as JsonValue[]) : undefined;

const record: Read<JsonObject> = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...(value as JsonObject) }
    : undefined;

const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

const between =
  (least: number, most: number): Read<number> =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined;

const surface = oneOf('auto', 'editor', 'client');

const readers: { readonly [Id in SettingId]: Read<Settings[Id]> } = {
  'parley.tools.include': texts,
  'parley.tools.isolation': oneOf('host', 'worker'),
  'parley.tools.stuckAfter': between(1, 86_400),
  'parley.panel.location': oneOf('auto', 'beside', 'active'),
  'parley.questions.agent': oneOf('panel', 'chat', 'both'),
  'parley.questions.sound': flag,
  'parley.notifyAfter': between(0, 86_400),
  'parley.codeMode': flag,
  'parley.sampling.model': text,
  'parley.models': list,
  'parley.elicitation.surface': surface,
  'parley.sampling.surface': surface,
  'parley.history.enabled': flag,
  'parley.inbox.enabled': flag,
  'parley.servers': record,
  'parley.gateway.servers': texts,
  'parley.policy': list,
};

/**
 * The value of a setting of ours. VS Code does not check what is written into settings.json: what is not of the
 * setting's type counts as not written, and the default is the manifest's.
 */
export function readSetting<Id extends SettingId>(id: Id, configuration: Configuration): Settings[Id] {
  const read: Read<Settings[Id]> = readers[id];
  const value = read(configuration.get(id)) ?? read(configuration.inspect(id)?.defaultValue);
  if (value === undefined) throw new TypeError(`The manifest has no default for the setting ${id}.`);
  return value;
}
