import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Operation, scoped } from 'effection';
import { bundleModules } from '../cli/modules/bundle-modules.ts';
import { useBundler } from '../cli/modules/bundler.ts';
import { runInWorkers } from '../cli/modules/run-in-workers.ts';
import { workerEntry } from '../cli/package-info.ts';
import { type Offer, toolOf } from '../core/plugin/offer.ts';
import { useWorkers } from '../isolation/host-side/realms/use-workers.ts';
import { exportedTools } from '../workspace/load/exported-tools.ts';
import { createStackMaps } from '../workspace/load/stack-maps.ts';

/**
 * Builds the file of a tool as servers do. What it gives is the tool in a worker that has nothing but that file, and ends with the caller.
 *
 * @throws what is wrong with the file
 */
export function* builtForWorkers(given: URL | string, name: string): Operation<() => Operation<Offer>> {
  const file = /^file:/.test(String(given)) ? fileURLToPath(given) : String(given);
  const folder = dirname(file);
  // What the editor or `parley-mcp new` writes into a folder is the kit alone: the rest is in the package, where one is installed.
  const packages = createRequire(file).resolve.paths('parley-mcp') ?? [];
  const installed = packages.map((place) => join(place, 'parley-mcp', 'dist', 'tool-worker.js'));
  const entry = [workerEntry(), ...installed].find((one) => existsSync(one));
  if (entry === undefined)
    throw new Error("'file' needs what runs tools in workers: npm install --save-dev parley-mcp");
  const { bundle, problems } = yield* scoped(function* () {
    return yield* bundleModules(yield* useBundler(folder), [file], folder);
  });
  if (!bundle) throw new Error(problems.map(({ message }) => message).join('\n'));
  return function* () {
    const run = runInWorkers(yield* useWorkers({ entry, diagnose: console.error }));
    const loaded = yield* run(bundle, [file], { folder, outDir: folder, stackMaps: createStackMaps() });
    const what = loaded.get(file);
    if (what?.kind === 'threw') throw what.error;
    const offers = exportedTools(what?.exports ?? {});
    const offer = offers.find((one) => toolOf(one).name === name);
    if (offer) return offer;
    const there = offers.map((one) => `'${toolOf(one).name}'`).join(', ') || 'none';
    throw new Error(`${file} exports no tool '${name}' (it has ${there})`);
  };
}
