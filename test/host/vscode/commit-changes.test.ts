import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { answerForm } from '#src/panel-port/index.ts';
import { commitChanges } from '#src/tools/commit-changes/tool.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { type DeskKit, openDesk } from './desk-kit.ts';
import { eventually } from './eventually.ts';
import { type GitKit, openRepository } from './git-kit.ts';

// Before 1.107 the Git extension's API opens no repository outside the workspace, as those of the tests are.
const opensRepositories = Number(vscode.version.split('.')[1]) >= 107;

describe('commit_changes in a real repository', () => {
  let kit: DeskKit;
  let repository: GitKit | undefined;

  beforeEach(async () => {
    kit = await openDesk();
    await vscode.commands.executeCommand('parleyDemo.reset');
  });
  afterEach(async () => {
    await kit.close();
    await repository?.remove();
    repository = undefined;
  });

  const open = async (name?: string) => {
    repository = await openRepository(name === undefined ? {} : { name });
    return repository;
  };
  const call = (params = {}) => kit.call({ tool: commitChanges, plugin: undefined, params });
  const question = (entry: CallEntry, message: RegExp) =>
    eventually(`question ${message}`, () => {
      const { question } = entry.panel.store.get();
      return question && message.test(question.message) ? question : undefined;
    });
  const answer = async (entry: CallEntry, message: RegExp, content: Record<string, string>) => {
    const { id, attempt } = await question(entry, message);
    entry.panel.inbox.receive(answerForm({ questionId: id, attempt, content }));
  };
  /** Picks files, then takes this message. */
  const through = async (entry: CallEntry, files: string, subject = 'feat: sell pears') => {
    await answer(entry, /Choose the files to commit on main/, { files });
    await answer(entry, /^Commit /, { subject, body: '' });
  };

  it('says that there is none', async () => {
    const end = await call().end;
    assert.ok(end?.type === 'error');
    assert.match(end.error.message, /no git repository in this workspace/);
  });

  if (!opensRepositories) return;

  it('commits tracked, new, renamed and deleted files, and leaves the others', async () => {
    const { git, write } = await open('Ada');
    await write('gone.txt', 'x\n');
    await write('old.txt', 'a file with a name of its own\nand several lines\n');
    await git('add', '.');
    await git('commit', '--quiet', '-m', 'more');
    await write('shop.txt', 'apples\npears\n');
    await write('new file.txt', 'plums\n');
    await write('left.txt', 'not this one\n');
    await git('rm', '--quiet', 'gone.txt');
    await git('mv', 'old.txt', 'renamed.txt');
    const { entry, end } = call();
    const { message } = await question(entry, /Choose the files/);
    assert.equal(message, 'Choose the files to commit on main');
    // Staged: gone.txt, renamed.txt; then left.txt, new file.txt, shop.txt.
    await through(entry, '1-2, 4-5');
    const ended = await end;
    assert.ok(ended?.type === 'result', JSON.stringify(ended));
    assert.equal(await git('log', '-1', '--format=%s by %an'), 'feat: sell pears by Ada');
    assert.deepEqual((await git('show', '--name-status', '--format=', '-M', 'HEAD')).split('\n').sort(), [
      'A\tnew file.txt',
      'D\tgone.txt',
      'M\tshop.txt',
      'R100\told.txt\trenamed.txt',
    ]);
    assert.equal(await git('status', '--porcelain'), '?? left.txt');
    assert.equal((ended.value as { commit: string }).commit, await git('rev-parse', 'HEAD'));
  });

  it('commits the file that was chosen, whatever it is called, and no other', async () => {
    const { git, write } = await open('Ada');
    const names = ['*', '-a', ':x', '[id].txt', 'i.txt', 'new\nline'];
    for (const name of names) await write(name, `${name}\n`);
    for (const [at, name] of names.entries()) {
      const { entry, end } = call();
      // The ones before it are committed; shop.txt has not changed.
      await through(entry, '1', `feat: ${at}`);
      const ended = await end;
      assert.ok(ended?.type === 'result', JSON.stringify(ended));
      const held = await git('show', '--name-only', '--format=', '-z', 'HEAD');
      assert.equal(held.replaceAll('\0', ''), name);
    }
  });

  it('drafts the message from the diff, new files included', async () => {
    const { write } = await open('Ada');
    await write('shop.txt', 'apples\npears\n');
    await write('new.txt', 'plums\n');
    const drafted = { type: 'feat', summary: 'sell pears and plums' };
    await vscode.commands.executeCommand('parleyDemo.script', [
      { toolCalls: [{ name: '__schema__', input: drafted }] },
    ]);
    const { entry, end } = call();
    await answer(entry, /Choose the files/, { files: 'all' });
    const { body } = await eventually('form', () => {
      const { question } = entry.panel.store.get();
      return question?.message.startsWith('Commit ') && question.body.kind === 'form' ? question : undefined;
    });
    assert.ok(body.kind === 'form');
    assert.equal(body.schema.properties.subject?.default, 'feat: sell pears and plums');
    entry.abort();
    assert.equal((await end)?.type, 'aborted');
    const [asked] = (await vscode.commands.executeCommand('parleyDemo.requests')) as unknown[];
    const told = JSON.stringify(asked);
    for (const line of ['+pears', '+plums', '--- /dev/null']) assert.ok(told.includes(line), line);
  });

  it('takes out what was staged and not picked, and puts it back when a hook refuses', async () => {
    const { git, write, folder } = await open('Ada');
    await write('staged.txt', 'not now\n');
    await git('add', 'staged.txt');
    await write('shop.txt', 'apples\npears\n');
    const before = await git('status', '--porcelain');
    const hook = join('.git', 'hooks', 'pre-commit');
    await write(hook, '#!/bin/sh\necho "lint: 2 errors" >&2\nexit 1\n');
    await chmod(join(folder, hook), 0o755);
    const { entry, end } = call();
    const ended = await withoutBrokenPipes(async () => {
      await through(entry, '2');
      return end;
    });
    assert.ok(ended?.type === 'error');
    assert.match(ended.error.message, /git refused.*lint: 2 errors/s);
    assert.equal(await git('status', '--porcelain'), before);
    assert.equal(await git('log', '--format=%s'), 'init');
  });

  it('says what to do when git does not know the author of the commit', async () => {
    const { git, write } = await open();
    await write('shop.txt', 'apples\npears\n');
    const { entry, end } = call();
    const ended = await withoutBrokenPipes(async () => {
      await through(entry, 'all');
      return end;
    });
    assert.ok(ended?.type === 'error');
    assert.match(
      ended.error.message,
      /does not know the author of the commit.*git config --global user\.name/,
    );
    assert.equal(await git('log', '--format=%s'), 'init');
  });

  it('refuses while there are conflicts, and names the files', async () => {
    const { git, write } = await open('Ada');
    await git('checkout', '--quiet', '-b', 'other');
    await write('shop.txt', 'plums\n');
    await git('commit', '--quiet', '-am', 'plums');
    await git('checkout', '--quiet', 'main');
    await write('shop.txt', 'pears\n');
    await git('commit', '--quiet', '-am', 'pears');
    await assert.rejects(git('merge', 'other'));
    const end = await call().end;
    assert.ok(end?.type === 'error');
    assert.match(end.error.message, /merge conflicts.*unmerged: shop\.txt/s);
  });

  it('says that there is nothing to commit', async () => {
    await open('Ada');
    const end = await call().end;
    assert.ok(end?.type === 'error');
    assert.match(end.error.message, /nothing to commit in parley-git-/);
  });

  it('stopped at its question, it has touched nothing', async () => {
    const { git, write } = await open('Ada');
    await write('shop.txt', 'apples\npears\n');
    const { entry, end } = call();
    await answer(entry, /Choose the files/, { files: 'all' });
    await question(entry, /^Commit /);
    entry.abort();
    assert.equal((await end)?.type, 'aborted');
    assert.equal(await git('status', '--porcelain'), 'M shop.txt');
  });

  it('says how to get git back when it is turned off', async () => {
    await open('Ada');
    const settings = vscode.workspace.getConfiguration('git');
    await settings.update('enabled', false, vscode.ConfigurationTarget.Global);
    try {
      const end = await call().end;
      assert.ok(end?.type === 'error');
      assert.match(end.error.message, /git is not available in the editor.*git\.enabled/);
    } finally {
      await settings.update('enabled', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});

/**
 * Git that refuses before it reads the message may be gone when VS Code's Git extension writes it, which nobody there
 * catches: Mocha would take that for a failure of ours.
 */
async function withoutBrokenPipes<T>(act: () => Promise<T>): Promise<T> {
  const listeners = process.listeners('uncaughtException');
  const only = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') for (const listener of listeners) listener(error, 'uncaughtException');
  };
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', only);
  try {
    return await act();
  } finally {
    process.off('uncaughtException', only);
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
}
