/** Finds, bundles and watches tool modules. Load it with `import()`: what activation needs is in `registry.ts`. */
export { type EsbuildService, type EsbuildServiceOptions, useEsbuild } from './esbuild-service.ts';
export { type FileChanges, useFileChanges } from './file-changes.ts';
export { findToolFiles, isToolFileName, TOOLS_FOLDER } from './find-tool-files.ts';
export type { Problem, ProblemKind, RelatedPlace } from './problem.ts';
export type { DefinitionPlace, RegisteredTool, ToolOffer } from './registered-tool.ts';
export {
  createToolRegistry,
  type Offering,
  type Registration,
  type RegistryChange,
  type ToolRegistry,
} from './registry.ts';
export { createStackMaps, type SourcePlace, type StackMaps } from './stack-maps.ts';
export type { ToolSource } from './tool-source.ts';
export {
  type LoadReport,
  useWorkspaceTools,
  type WorkspaceTools,
  type WorkspaceToolsOptions,
} from './use-workspace-tools.ts';
export type { ViewBundle } from './view-bundle.ts';
