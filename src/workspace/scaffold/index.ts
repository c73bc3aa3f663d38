/** New tools from templates, and what their authors need to write them without installing anything. */
export {
  GENERATED_FOLDER,
  hasKit,
  KIT_FILE,
  readKit,
  readKitVersion,
  writeKit,
} from './author-kit.ts';
export { addExample, EXAMPLES, type ExampleName } from './example-tools.ts';
export type { AuthorKit } from './kit-files.ts';
export { createNewTool, type NewTool, ToolFileExistsError } from './new-tool.ts';
export {
  findsLibrary,
  needsKit,
  TSCONFIG,
  writeNew,
  writeParleyFolder,
  writeParleyFolderForTest,
} from './parley-folder.ts';
export { LinkedPathError, makePlainFolder } from './plain-paths.ts';
export { testImports } from './plain-templates.ts';
export { TEMPLATES, type Template, type TemplateFile, templateFiles } from './tool-template.ts';
export { namesOf } from './variable-name.ts';
