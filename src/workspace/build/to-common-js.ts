import { join } from 'node:path';
import { all, type Operation, until } from 'effection';
import type { EsbuildService } from '../bundler/esbuild-service.ts';
import { type BuiltModule, type EsModule, versionsOf } from './built-module.ts';
import { plainCommonJs } from './plain-module.ts';

/** Makes the outputs of a build CommonJS, and remembers those that stay as they are. */
export interface ToCommonJs {
  /** @param outDir what the outputs' source maps are relative to */
  convert(
    modules: ReadonlyMap<string, EsModule>,
    outDir: string,
  ): Operation<ReadonlyMap<string, BuiltModule>>;
  /** Remembers what an earlier process has made. */
  remember(modules: ReadonlyMap<string, BuiltModule>): void;
}

/**
 * Why CommonJS: an ES module, once imported, stays in memory until the process ends, and every save of a tool would add
 * one. Code run through `node:vm` goes when nothing refers to it. (Code splitting gives ES modules only, hence in two steps.)
 */
export function createToCommonJs(service: EsbuildService): ToCommonJs {
  let previous: ReadonlyMap<string, BuiltModule> = new Map();

  function plain(module: EsModule, version: string): BuiltModule | undefined {
    const made = plainCommonJs(module);
    return made && { name: module.name, ...made, version, source: module.source };
  }

  function* asked(module: EsModule, version: string, outDir: string): Operation<BuiltModule> {
    const { code, map } = yield* until(
      service.api().transform(module.text, {
        format: 'cjs',
        platform: 'node',
        target: `node${process.versions.node}`,
        sourcefile: join(outDir, module.name),
        sourcemap: 'external',
        sourcesContent: false,
        logLevel: 'silent',
        // Everything goes through the `require` that the realm gives: nothing is on disk.
        supported: { 'dynamic-import': false },
      }),
    );
    return { name: module.name, code, map, version, source: module.source };
  }

  return {
    *convert(modules, outDir) {
      const byVersion = new Map([...previous.values()].map((module) => [module.version, module]));
      const versions = versionsOf(modules);
      const built = new Map<string, BuiltModule>();
      const others: EsModule[] = [];
      const versionOf = ({ name }: EsModule) => versions.get(name) ?? name;
      for (const module of modules.values()) {
        const version = versionOf(module);
        const made = byVersion.get(version) ?? plain(module, version);
        if (made) built.set(module.name, made);
        else others.push(module);
      }
      for (const made of yield* all(others.map((module) => asked(module, versionOf(module), outDir)))) {
        built.set(made.name, made);
      }
      previous = built;
      return previous;
    },
    remember(modules) {
      previous = modules;
    },
  };
}
