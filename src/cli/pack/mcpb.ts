import { strToU8, zipSync } from 'fflate';
import { toolOf } from '../../core/index.ts';
import type { Collection } from '../collect.ts';
import { described, offersOf } from './described.ts';
import type { PackedInfo } from './entry.ts';

/** Who made a bundle, and what it is for. */
export interface BundleInfo extends PackedInfo {
  readonly author: string;
  readonly description: string;
}

const ENTRY = 'server/index.mjs';

/**
 * An `.mcpb` file: a zip with the program and a manifest, which a client installs by opening it.
 * Source: MCPB manifest 0.3, github.com/anthropics/mcpb.
 */
export function mcpbOf(program: Uint8Array, info: BundleInfo, collection: Collection): Uint8Array {
  const manifest = `${JSON.stringify(manifestOf(info, collection), undefined, 2)}\n`;
  return zipSync({ 'manifest.json': strToU8(manifest), [ENTRY]: program }, { level: 9 });
}

function manifestOf({ name, version, author, description }: BundleInfo, { tools, prompts }: Collection) {
  const promptList = offersOf(prompts);
  return {
    manifest_version: '0.3',
    name,
    version,
    description,
    author: { name: author },
    server: {
      type: 'node',
      entry_point: ENTRY,
      mcp_config: { command: 'node', args: [`\${__dirname}/${ENTRY}`], env: {} },
    },
    tools: offersOf(tools).map((served) => described(toolOf(served))),
    ...(promptList.length === 0
      ? {}
      : {
          prompts_generated: true,
        }),
    compatibility: { runtimes: { node: '>=22.13.0' } },
  };
}
