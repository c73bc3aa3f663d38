// @ts-check
// Builds everything that ships: node esbuild.mjs [--watch] [--minify]. See build/README.md.
import { context } from 'esbuild';
import { buildAll } from './build/build-all.ts';
import { bundles } from './build/bundles.ts';
import { watchSources } from './build/watch.ts';

const flags = new Set(process.argv.slice(2));
const contexts = await Promise.all(
  bundles({ minify: flags.has('--minify') }).map(async ({ name, options }) => {
    const made = await context(options);
    return { name, rebuild: () => made.rebuild(), dispose: () => made.dispose() };
  }),
);

if (flags.has('--watch')) {
  const build = async () => {
    console.log('[build] started');
    await buildAll(contexts);
    console.log('[build] finished');
  };
  await build();
  watchSources(build);
} else {
  process.exitCode = (await buildAll(contexts)) ? 0 : 1;
  await Promise.all(contexts.map(({ dispose }) => dispose()));
}
