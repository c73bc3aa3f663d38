import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** All codes that an error class has. */
const codes = readdirSync(join(root, 'src/core/errors'))
  .filter((name) => name.endsWith('.ts') && name !== 'define-error.ts')
  .flatMap((name) => [
    ...readFileSync(join(root, 'src/core/errors', name), 'utf8').matchAll(/defineError\(\s*'(\w+)'/g),
  ])
  .map(([, code = '']) => code);

/** Codes in the list for authors. */
const told = [
  ...(readFileSync(join(root, 'docs/larger-tools.md'), 'utf8')
    .split('\n## Errors')[1]
    ?.split('\n## ')[0]
    ?.split('\n')
    .filter((line) => line.startsWith('- `'))
    .map((line) => line.split(':')[0] ?? '')
    .join()
    .matchAll(/`([A-Z_]+)`/g) ?? []),
].map(([, code = '']) => code);

/** What no code of a tool meets: it is told where the tool is defined, and to who runs tools, answers them or keeps their calls. */
const ELSEWHERE = [
  ...[
    'TOOL_DEFINITION',
    'PLUGIN_DEFINITION',
    'HANDLER',
    'VIEW',
    'CALL_ABORTED',
    'TOOL_STUCK',
    'TOOL_CRASHED',
  ],
  ...['SESSION_NOT_FOUND', 'SESSION_EXISTS', 'SESSION_LIMIT', 'JOURNAL_INVALID', 'REWIND_REFUSED'],
  ...['ASK_NOT_FOUND', 'ASK_CLOSED', 'ASK_CLAIMED', 'ANSWER_STALE', 'CLAIM_LOST'],
  ...['STORE_FULL', 'STORE_UNAVAILABLE', 'STORE_VERSION', 'STORE_DAMAGED', 'STORE_KEY'],
];

it('each error that the code of a tool can meet is in the table for authors, and nothing else is', () => {
  expect([...told, ...ELSEWHERE].toSorted()).toEqual(codes.toSorted());
});
