import type { JsonObject, JsonSchema } from '../../../../core/messages/json.ts';
import { asLabel } from '../../../../core/messages/label.ts';
import { plainLine, withoutMarks } from '../../../../core/messages/plain-line.ts';
import { namesSecret } from '../../../../core/messages/secrets/secret-names.ts';
import { isObject } from '../../../../core/schema/is-object.ts';
import type { PanelState } from '../../../../panel/model/state.ts';

/** Stands before the title of a call that waits. */
const MARK = '● ';

/** Stands between the title of a tool and its parameters. */
const DASH = ' — ';

/** So many characters of a tool's title find room in a tab: the editor makes tabs as wide as what they say. */
const NAME = 60;

/** So many characters of parameters find room in a tab. */
const LONGEST = 30;

/** So many of each are looked at. */
const LOOKED_AT = 300;

/** What the call of a panel was given; nothing before it starts. */
export function paramsOf({ rows }: Pick<PanelState, 'rows'>): JsonObject | undefined {
  const [first] = rows;
  return first?.type === 'started' ? first.params : undefined;
}

/**
 * The title of a call with what it was given, so that two calls of one tool are told apart: `Book a flight — AMS, LIS`. Where there is
 * more room than in a tab, more of it. With the schema of the parameters, none of a fixed choice: `user` names nothing.
 */
export function titleWith(
  title: string,
  params: JsonObject | undefined,
  { longest = LONGEST, schema }: { readonly longest?: number; readonly schema?: JsonSchema | undefined } = {},
): string {
  const members = isObject(schema?.properties) ? schema.properties : {};
  const given = Object.entries(params ?? {}).filter(
    ([name, value]) =>
      (typeof value === 'string' || typeof value === 'number') &&
      !namesSecret(name) &&
      !isFixed(members[name]),
  );
  // What has lines of its own names a call only where nothing shorter does: a document often begins with its title.
  const short = given.filter(([, value]) => !/\n/.test(String(value).trim()));
  const naming = short.some(isText) ? short : given;
  const values = naming.map(([, value]) => inATab(String(value).slice(0, LOOKED_AT)));
  // Numbers alone name nothing.
  const named = naming.some(isText);
  const said = [...new Set(named ? values : [])].join(', ').replace(/\s+/g, ' ').trim();
  const name = asLabel(title, NAME);
  if (said === '') return name;
  return `${name}${DASH}${said.length > longest ? `${said.slice(0, longest - 1).trimEnd()}…` : said}`;
}

const isText = ([, value]: readonly [string, unknown]) => typeof value === 'string';

function isFixed(property: unknown): boolean {
  if (!isObject(property)) return false;
  const { anyOf = property.oneOf } = property;
  return 'enum' in property || 'const' in property || (Array.isArray(anyOf) && anyOf.every(isFixed));
}

/** Of several paragraphs the first line. */
function inATab(text: string): string {
  return /\n\s*\n/.test(text) ? plainLine(text) : withoutMarks(text);
}

/** The title of a tab: one that is behind another says that it waits. */
export function tabTitle(title: string, waits: boolean): string {
  return waits ? `${MARK}${title}` : title;
}

/** Whether the tab with this label is of a call with this title, whatever it was given and whether it waits or not. */
export function isTitled(label: string, title: string): boolean {
  const said = label.startsWith(MARK) ? label.slice(MARK.length) : label;
  const name = asLabel(title, NAME);
  return said === name || said.startsWith(`${name}${DASH}`);
}
