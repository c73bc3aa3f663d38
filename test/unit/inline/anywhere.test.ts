import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { launchBrowser } from '#test/harness/browser.ts';

const entry = fileURLToPath(new URL('../../../src/inline/index.ts', import.meta.url));

test('the handlers run in a page of a browser: nothing of Node is in them', {
  timeout: 180_000,
}, async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      // In one file, and behind what else of zod a server brings, as bundlers of edge runtimes make it.
      contents: `import { McpServer } from '@modelcontextprotocol/server'; import { inline } from ${JSON.stringify(entry)}; import * as z from 'zod'; Object.assign(globalThis, { inline, z, McpServer });`,
      resolveDir: import.meta.dirname,
    },
    ...{ bundle: true, format: 'iife', platform: 'browser', target: 'es2022', write: false, metafile: true },
    external: ['node:*'],
  });
  const imports = Object.values(metafile.outputs).flatMap((one) => one.imports.map(({ path }) => path));
  expect(imports).toEqual([]);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    // A page of its own machine is one that may use cryptography.
    await page.route('http://localhost/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<p>' }),
    );
    await page.goto('http://localhost/');
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
    const said = await page.evaluate(`(async () => {
      const pair = inline()(function* pair({ branch }, ctx) {
        const { version } = yield* ctx.elicit.strict({ message: 'Which version?', schema: z.object({ version: z.string() }) });
        const { ok } = yield* ctx.elicit.strict({ message: 'Publish ' + version + '?', schema: z.object({ ok: z.boolean() }) });
        return [branch, version, ok].join(' ');
      });
      const _meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
      let reached = await pair({ branch: 'm' }, { params: { _meta } });
      for (const content of [{ version: '1.2' }, { ok: true }]) {
        const inputResponses = { [Object.keys(reached.inputRequests)[0]]: { action: 'accept', content } };
        reached = await pair({ branch: 'm' }, { params: { _meta, requestState: reached.requestState, inputResponses } });
      }
      return reached.content[0].text;
    })()`);
    expect(said).toBe('m 1.2 true');
  } finally {
    await browser.close();
  }
});
