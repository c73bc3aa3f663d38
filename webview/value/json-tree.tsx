import { useState } from 'react';
import type { JsonValue } from '../../src/core/messages/json.ts';
import { readOn } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { isScalar } from './value-shape.ts';

/** Members of one list or object that are drawn at once. */
const PAGE = 100;

/** JSON to look into. Lists and objects draw their members when they are opened. */
export function JsonTree({ value, depth = 0 }: { value: JsonValue; depth?: number }) {
  if (isScalar(value)) return <Leaf value={value} />;
  return (
    <div className="tree">
      <Members value={value} depth={depth} />
    </div>
  );
}

function Members({
  value,
  depth,
}: {
  value: Exclude<JsonValue, string | number | boolean | null>;
  depth: number;
}) {
  const [limit, setLimit] = useState(PAGE);
  const members = Object.entries(value).filter(
    (member): member is [string, JsonValue] => member[1] !== undefined,
  );
  if (members.length === 0) return <Empty value={value} />;
  return (
    <ul className="tree-members">
      {members.slice(0, limit).map(([name, member]) => (
        <li key={name}>
          {isScalar(member) || isEmpty(member) ? (
            <span className="tree-line">
              <span className="tree-name">{name}</span>{' '}
              {isScalar(member) ? <Leaf value={member} /> : <Empty value={member} />}
            </span>
          ) : (
            <Branch name={name} value={member} depth={depth} />
          )}
        </li>
      ))}
      {members.length > limit && (
        <li>
          <button
            type="button"
            className="link"
            onClick={({ currentTarget }) => {
              if (members.length <= limit + PAGE) readOn(currentTarget.closest('li')?.previousElementSibling);
              setLimit(limit + PAGE);
            }}
          >
            {t('{0} more', members.length - limit)}
          </button>
        </li>
      )}
    </ul>
  );
}

function Branch({
  name,
  value,
  depth,
}: {
  name: string;
  value: Exclude<JsonValue, string | number | boolean | null>;
  depth: number;
}) {
  const [open, setOpen] = useState(depth < 1);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="tree-name">{name}</span>{' '}
        <span className="tree-preview muted">{previewOf(value)}</span>
      </summary>
      {open && <Members value={value} depth={depth + 1} />}
    </details>
  );
}

/** There is nothing in it to open. */
function Empty({ value }: { value: object }) {
  return <span className="muted">{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function Leaf({ value }: { value: string | number | boolean | null }) {
  const kind = value === null ? 'null' : typeof value;
  return <span className={`tree-${kind}`}>{typeof value === 'string' ? value : String(value)}</span>;
}

/** How a list or an object begins, for the line that it is folded to: `{ id: 0, name: "Row 0", … }`. */
export function previewOf(value: Exclude<JsonValue, string | number | boolean | null>): string {
  const list = Array.isArray(value);
  const members = Object.entries(value);
  const shown = members
    .slice(0, 4)
    .map(([name, member]) => (list ? brief(member) : `${inPlace(name)}: ${brief(member)}`));
  const text = [...shown, ...(members.length > shown.length ? ['…'] : [])].join(', ');
  if (list) return members.length === 0 ? '[ ]' : `[ ${text} ] ${members.length}`;
  return members.length === 0 ? '{ }' : `{ ${text} }`;
}

function brief(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (typeof value === 'object' && value !== null) return '{…}';
  const text = JSON.stringify(value) ?? '';
  return inPlace(text.length > 24 ? `${text.slice(0, 23)}…` : text);
}

/** Letters of the scripts that are written from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** A text that takes no other along in its direction: between U+2068 and U+2069, where it needs them. */
function inPlace(text: string): string {
  return FROM_RIGHT.test(text) ? `\u2068${text}\u2069` : text;
}
