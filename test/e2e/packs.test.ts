// @module-tag long
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { describe } from 'vitest';
import { accessibilityProblems, repoRoot, type Workbench } from '#harness';
import { type Journey, PACKS, RECORDED } from '#test/mcp/kit/pack-journeys.ts';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { toolNames } from './tool-files.ts';

/** PARLEY_SCREENSHOTS=1 takes the picture of a pack's README, and others to look at. */
const PICTURES = process.env.PARLEY_SCREENSHOTS === '1';

describe('a pack, copied into a workspace', () => {
  test.for(PACKS)(
    '%s is run and finished in the panel',
    async ([pack, tool, title, begin], { workbench, workspace }) => {
      await using journey = await begin();
      const tools = join(workspace, '.parley', 'tools');
      try {
        await cp(join(repoRoot, 'examples', 'packs', pack, '.parley', 'tools'), tools, { recursive: true });
        await workbench.bridge.evaluate((_, env) => void Object.assign(process.env, env), journey.env ?? {});
        await workbench.bridge.execute('parley.reloadTools');
        await expect.poll(() => toolNames(workbench.bridge), { timeout: 240_000 }).toContain(tool);
        const panel = await run(workbench, tool, title, journey);
        for (const [at, question] of journey.questions.entries()) {
          const answer = await question(panel);
          expect(await accessibilityProblems(panel)).toEqual([]);
          if (PICTURES) await take(workbench, panel, pack, at);
          await answer();
        }
        await panel.locator('.stage-result').waitFor({ timeout: 120_000 });
        journey.check();
      } finally {
        await rm(join(tools, pack), { recursive: true, force: true });
        await workbench.bridge.execute('parley.reloadTools');
      }
    },
  );
});

/** By the palette where something has to be given; else with the folder, which is none of the window's. */
async function run(
  { page, bridge }: Workbench,
  tool: string,
  title: string,
  { params }: Journey,
): Promise<Frame> {
  if (params.repository === undefined) {
    void bridge.execute('parley.runTool', tool, params).catch(() => undefined);
    return panels.panelOf(page, title);
  }
  const panel = await panels.runTool(page, title);
  await panels.field(panel, 'Repository').fill(String(params.repository));
  await panels.submit(panel);
  return panel;
}

async function take(workbench: Workbench, panel: Frame, pack: string, at: number): Promise<void> {
  const folder = join(repoRoot, 'test-results', 'packs');
  await mkdir(folder, { recursive: true });
  for (const theme of ['dark', 'high-contrast', 'light'] as const) {
    await panels.inTheme(workbench, panel, theme);
    const path =
      at === 0 && theme === 'light' && !RECORDED.includes(pack)
        ? join(repoRoot, 'examples', 'packs', pack, 'picture.png')
        : join(folder, `${pack}-${at}-${theme}.png`);
    const { page } = workbench;
    const shown = await panel.locator('.stage').boundingBox();
    const bar = await page.locator('.part.statusbar').boundingBox();
    if (!shown || !bar) throw new Error('nothing is shown');
    const height = Math.min(shown.height, bar.y - shown.y);
    await page.screenshot({ path, clip: { ...shown, height } });
  }
}
