/** Finds, bundles and watches tool modules. Load it with `import()`: what activation needs is in `registry.ts`. */
export { type EsbuildService, type EsbuildServiceOptions, useEsbuild } from './bundler/esbuild-service.ts';
export { type FileChanges, useFileChanges } from './files/file-changes.ts';
export { findToolFiles, isToolFileName, TOOLS_FOLDER } from './files/find-tool-files.ts';
export { type GitMoves, watchGitMoves } from './files/git-moves.ts';
export type { LoadedVersion } from './load/folder-loader.ts';
export type { LoadOrder } from './load/held-files.ts';
export { createStackMaps, type SourcePlace, type StackMaps } from './load/stack-maps.ts';
export {
  type LoadReport,
  useWorkspaceTools,
  type WorkspaceTools,
  type WorkspaceToolsOptions,
} from './load/use-workspace-tools.ts';
export type { Problem, ProblemKind, RelatedPlace } from './registry/problem.ts';
export type { DefinitionPlace, RegisteredTool, ToolOffer } from './registry/registered-tool.ts';
export {
  createToolRegistry,
  type Offering,
  type Registration,
  type RegistryChange,
  type ToolRegistry,
} from './registry/registry.ts';
export type { ToolSource } from './registry/tool-source.ts';
export type { ViewBundle } from './registry/view-bundle.ts';
