// @module-tag long
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { launchBrowser } from '#test/harness/browser.ts';
import { builtCli } from '#test/harness/paths.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { agents } from '../agents/agent.ts';
import { setDesk } from '../agents/desk.ts';
import { install, installed } from '../agents/install.ts';
import { killAllOf } from '../agents/processes.ts';
import { callOf, serveModel } from '../agents/scripted-model.ts';
import { createMovingPicture } from '../e2e/moving-picture.ts';
import { root } from '../root.ts';
import { PACKS, RECORDED } from './kit/pack-journeys.ts';

/** PARLEY_SCREENSHOTS=1 takes the recordings of the packs' READMEs. */
const PICTURES = process.env.PARLEY_SCREENSHOTS === '1' ? RECORDED : [];

// It has no forms: its person answers on a page.
const opencode = agents.filter(({ id }) => id === 'opencode');
// What ends an agent's processes reads /proc.
const onLinux = it.skipIf(process.platform !== 'linux');

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
  for (const agent of opencode) await install(agent);
}, 600_000);
afterAll(() => browser?.close());

for (const agent of opencode)
  onLinux.each(PACKS)(
    'the pack %s is run and finished in a real agent, on the page',
    async (pack, tool, _, begin) => {
      await using journey = await begin();
      const model = await serveModel();
      const folder = tempFolder();
      const desk = setDesk({
        agent,
        folder: join(folder, 'desk'),
        installed: installed(agent),
        model: model.address,
        server: [process.execPath, builtCli, 'serve', join(root, 'examples/packs', pack)],
        person: true,
        bySetup: undefined,
        trusts: true,
      });
      const { command, args, cwd, env } = desk.start(...agent.once(callOf(tool, journey.params)));
      // Nothing leaves the machine: there is no such proxy.
      const offline = { HTTPS_PROXY: 'http://127.0.0.1:9' };
      const run = spawn(command, args, {
        cwd,
        env: { ...env, ...offline, ...journey.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = once(run, 'close');
      let said = '';
      for (const stream of [run.stdout, run.stderr])
        stream.on('data', (text) => {
          said += text;
        });
      try {
        const asked = vi.waitFor(() => expect(desk.opened()).toHaveLength(1), { timeout: 120_000 });
        // An agent that ends before its person is asked says why.
        await Promise.race([asked, ended.then(() => Promise.reject(new Error(said)))]);
        const page = await (await browser.newContext({ viewport: { width: 860, height: 480 } })).newPage();
        const picture = PICTURES.includes(pack) ? createMovingPicture(page) : undefined;
        await page.goto(desk.opened()[0] ?? '');
        const shown = page.frameLocator('iframe');
        for (const question of journey.questions) {
          const answer = await question(shown, async () => picture?.take(2000));
          await picture?.take(2500);
          await answer();
        }
        await ended;
        journey.check();
        if (picture) {
          await shown.getByText('Result', { exact: true }).waitFor();
          await picture.take(3500);
          expect(await picture.write(join(root, 'examples/packs', pack, 'recording.gif'))).toBeLessThan(
            200_000,
          );
        }
        expect(model.results.at(-1)).toContain('summary');
      } finally {
        killAllOf(desk.home);
        await model.close();
      }
    },
    420_000,
  );
