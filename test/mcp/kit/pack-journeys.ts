import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { GITHUB_TOKEN, REPOSITORY, startGitHub } from './github.ts';
import { folderToMigrate, folderToRelease, folderToUpgrade, folderWithFlakyTests } from './pack-folders.ts';

/** Where a person answers: the panel, or a page. */
export type Shown = Pick<Frame, 'getByRole' | 'getByText' | 'getByLabel' | 'locator'>;

/** Something has been done that can be seen. */
export type Step = () => Promise<void>;

/** A pack that a person uses once, from its parameters to what it has done. */
export interface Journey extends AsyncDisposable {
  readonly params: Record<string, unknown>;
  readonly env?: Record<string, string>;
  /** One for each question, in order; each waits until it is shown, and what it gives answers it. Each `step` may be taken as a picture. */
  readonly questions: readonly ((shown: Shown, step?: Step) => Promise<() => Promise<void>>)[];
  /** Looks at what was done. */
  check(): void;
}

/** Each pack by its folder: its tool, its title, and what is done with it. */
export const PACKS: readonly (readonly [
  pack: string,
  tool: string,
  title: string,
  () => Promise<Journey>,
])[] = [
  ['release', 'release', 'Release', releasing],
  ['migrate', 'migrate', 'Migrate a Database', migrating],
  ['flaky', 'find_flaky_tests', 'Find Flaky Tests', findingFlakyTests],
  ['triage', 'triage', 'Triage', triaging],
  ['upgrade', 'upgrade_dependencies', 'Upgrade Dependencies', upgrading],
];

/** The packs whose README has a recording, in place of a picture. */
export const RECORDED = ['release', 'migrate', 'triage'];

/** Waits for a button, and gives what presses it. */
async function button(shown: Shown, name: string): Promise<() => Promise<void>> {
  const found = shown.getByRole('button', { name: new RegExp(`^${name}( .*)?$`) });
  await found.waitFor({ timeout: 120_000 });
  return () => found.click();
}

async function releasing(): Promise<Journey> {
  const tea = await folderToRelease('feat: a pot that keeps warm');
  return {
    params: { folder: tea.folder },
    questions: [
      async (shown, step) => {
        await button(shown, 'Commit and Tag 1.1.0');
        await step?.();
        for (const notes of ['- a pot that keeps warm', '- a pot that keeps warm\n- no more drops']) {
          await shown.getByLabel('Release notes').fill(notes);
          await step?.();
        }
        await (await button(shown, 'Preview Notes'))();
        return await button(shown, 'Commit and Tag 1.1.0');
      },
      (shown) => button(shown, 'Publish v1.1.0'),
    ],
    check() {
      expect(Object.keys(tea.registry.packages.get('tea')?.versions ?? {})).toEqual(['1.1.0']);
      expect(tea.run('git', 'ls-remote', '--tags', 'origin')).toContain('refs/tags/v1.1.0');
      expect(readFileSync(join(tea.folder, 'CHANGELOG.md'), 'utf8')).toContain('- a pot that keeps warm');
    },
    [Symbol.asyncDispose]: () => tea[Symbol.asyncDispose](),
  };
}

async function migrating(): Promise<Journey> {
  const shop = folderToMigrate();
  const database = join(shop.folder, 'shop.db');
  return {
    params: { database, migrations: join(shop.folder, 'migrations') },
    questions: [
      async (shown, step) => {
        await shown.getByText('It has no WHERE: every row is changed.').last().waitFor({ timeout: 120_000 });
        for (const name of ['Edit SQL', 'Show Plan']) {
          await step?.();
          await (await button(shown, name))();
        }
        return await button(shown, 'Apply');
      },
      (shown) => button(shown, 'Keep the Changes'),
    ],
    check() {
      const opened = new DatabaseSync(database);
      expect(opened.prepare('SELECT name FROM schema_migrations').all()).toHaveLength(2);
      opened.close();
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

async function findingFlakyTests(): Promise<Journey> {
  const tea = folderWithFlakyTests();
  return {
    params: { runs: 2, folder: tea.folder },
    questions: [(shown) => button(shown, 'Quarantine 1 of 1')],
    check: () =>
      expect(readFileSync(join(tea.folder, '.flaky-tests'), 'utf8')).toContain('odd.test.js > is even\t'),
    [Symbol.asyncDispose]: () => tea[Symbol.asyncDispose](),
  };
}

async function triaging(): Promise<Journey> {
  const github = await startGitHub(12);
  return {
    params: { repository: REPOSITORY },
    env: { GITHUB_API_URL: github.url, GITHUB_TOKEN },
    questions: [
      async (shown, step) => {
        await shown.getByLabel('Filter').waitFor({ timeout: 120_000 });
        await step?.();
        await shown.getByLabel('Add a label to #12').selectOption('bug');
        await step?.();
        await shown.getByLabel('Reply to #11').fill('Which version is it?');
        await step?.();
        await shown.getByRole('button', { name: 'Untick All' }).click();
        await step?.();
        await shown.getByRole('checkbox', { name: 'Send #12' }).check();
        return await button(shown, 'Send 1 of 11');
      },
      (shown) => button(shown, 'Finish'),
    ],
    check() {
      const [bug, asked] = [github.issues.get(12), github.issues.get(11)];
      expect([bug?.labels, asked?.comments, bug?.state]).toEqual([['bug'], [], 'open']);
    },
    [Symbol.asyncDispose]: () => github[Symbol.asyncDispose](),
  };
}

async function upgrading(): Promise<Journey> {
  const tea = await folderToUpgrade();
  return {
    params: { folder: tea.folder },
    questions: [
      async (shown) => {
        await shown.getByLabel('cup').check({ timeout: 120_000 });
        await shown.getByText('Changes').click();
        return await button(shown, 'Upgrade 2 of 3');
      },
      async (shown) => {
        await shown.getByText('Output').click({ timeout: 120_000 });
        await shown.getByText('a cup that leaks').first().waitFor();
        return await button(shown, 'Keep the Commits');
      },
    ],
    check: () =>
      expect(tea.run('git', 'log', '--format=%s')).toBe('Upgrade kettle from 1.0.0 to 1.1.0\nBegin'),
    [Symbol.asyncDispose]: () => tea[Symbol.asyncDispose](),
  };
}
