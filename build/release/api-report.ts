// npm run api: writes `build/api`, what the stable entry points export, as their types. `-- --check` fails where that differs from what is
// there: whoever changes an exported type sees it in the report, and says it in CHANGELOG.md.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import manifest from '../../package.json' with { type: 'json' };
import { root } from '../paths.ts';

/** The entry points that docs/stability.md promises. */
const STABLE = ['.', './editor', './testing', './webview'] as const;

const isCheck = process.argv.includes('--check');
const reportFolder = join(root, 'build/api');
mkdirSync(reportFolder, { recursive: true });

const changed = STABLE.filter((entry) => {
  const { types } = manifest.exports[entry];
  const name = `parley-mcp${entry.slice(1).replaceAll('/', '-')}`;
  const quiet = { default: { logLevel: ExtractorLogLevel.None } };
  const config = ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, types),
      compiler: { overrideTsconfig: compilerFor(types) },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder,
        reportTempFolder: join(root, 'dist/docs/api-report'),
      },
      newlineKind: 'lf',
      messages: { extractorMessageReporting: quiet, tsdocMessageReporting: quiet },
    },
  });
  const { apiReportChanged, errorCount } = Extractor.invoke(config, {
    localBuild: !isCheck,
    messageCallback: (message) => {
      message.handled = message.logLevel !== 'error';
    },
  });
  if (errorCount > 0) throw new Error(`The exported types of ${name} could not be read.`);
  return apiReportChanged;
});

if (isCheck && changed.length > 0) {
  console.error(
    `What ${changed.join(', ')} exports has changed. Run "npm run api", commit build/api, and say in CHANGELOG.md what authors have to know.`,
  );
  process.exit(1);
}

function compilerFor(types: string): object {
  const lib = ['ES2024', 'DOM', 'DOM.Iterable', 'ESNext.Disposable'];
  const modules = { module: 'ESNext', moduleResolution: 'Bundler', allowImportingTsExtensions: true };
  return {
    compilerOptions: {
      ...modules,
      target: 'ES2023',
      lib,
      strict: true,
      types: ['node'],
      jsx: 'react-jsx',
      noEmit: true,
    },
    files: [join(root, types)],
  };
}
