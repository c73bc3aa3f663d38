import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensure, type Operation, until } from 'effection';
import { defined } from '../core/schema/defined.ts';
import type { ServerEntry } from '../mcp/client/index.ts';
import { takeStdout } from '../mcp/stdio/own-stdout.ts';
import { TOOLS_FOLDER } from '../workspace/files/find-tool-files.ts';
import { type Command, parseCommand, type ServeOptions } from './args.ts';
import { type Collection, collect } from './collect.ts';
import type { PersonalServers } from './gateway/personal-servers.ts';
import type { FilePolicy } from './gateway/policy-file.ts';
import { manifestOf } from './manifest.ts';
import type { ModuleViews } from './modules/bundle-modules.ts';
import { expandFolders } from './modules/expand-folders.ts';
import { type LoadedModule, loadModules } from './modules/load-modules.ts';
import { placeOfTool } from './modules/place-of-tool.ts';
import { type RunModules, runInHost } from './modules/run-modules.ts';
import { UsageError } from './options.ts';
import { packageVersion, workerEntry } from './package-info.ts';
import { problemLines } from './report.ts';
import { serve } from './serve.ts';
import { modelFor } from './serving/model.ts';
import { usePageViews } from './serving/page-views.ts';
import { takeSecrets } from './serving/taken-secrets.ts';
import { placeOn, say, terminalLine } from './terminal-text.ts';
import { hint, USAGE, usageOf } from './usage.ts';

/** Runs a command line. Gives the exit code. */
export function* runCommand(argv: readonly string[], cwd: string): Operation<number> {
  try {
    return yield* execute(parseCommand(argv), cwd);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(
      `parley-mcp: ${terminalLine(error.message.replace(/\s*\n\s*/g, ' '))}\nTry parley-mcp --help.\n`,
    );
    return 2;
  }
}

function* execute(command: Command, cwd: string): Operation<number> {
  switch (command.kind) {
    case 'help':
      process.stdout.write(`${command.of === undefined ? USAGE : usageOf(command.of)}\n`);
      return 0;
    case 'hint':
      process.stdout.write(`${hint(homedir())}\n`);
      return 0;
    case 'version':
      process.stdout.write(`${packageVersion()}\n`);
      return 0;
    case 'check': {
      const { broken, warned, collection, modules, views } = yield* load(command.modules, cwd);
      const { viewProblems } = yield* until(import('./modules/view-problems.ts'));
      const unbuilt = views ? yield* viewProblems(views) : [];
      for (const line of problemLines(unbuilt, cwd)) process.stderr.write(`${line}\n`);
      const untyped =
        command.types &&
        !(yield* (yield* until(import('./check-types.ts'))).checkTypes(command.modules, cwd));
      if (broken || unbuilt.length > 0 || untyped) return 1;
      const { unmoved, unstepped } = yield* until(import('./modules/unstepped.ts'));
      const { tools } = collection;
      const offers = 'list' in tools ? tools.list() : tools;
      const { refusedValues } = yield* until(import('../mcp/client/index.ts'));
      const refused = yield* until(Promise.all(offers.map(refusedValues)));
      const warnings = offers.flatMap((offer, at) =>
        [...unstepped(offer), ...(command.moving ? unmoved(offer) : []), ...(refused[at] ?? [])].map(
          (said) => {
            const place = placeOfTool(modules, offer);
            if (!place) return `parley-mcp: warning: ${terminalLine(said)}`;
            const problem = { kind: 'definition', severity: 'warning', ...place, message: said } as const;
            return problemLines([problem], cwd).join('\n');
          },
        ),
      );
      for (const warning of warnings) process.stderr.write(`${warning}\n`);
      const found = warnings.length === 0 && !warned ? 'nothing wrong with them' : 'see the warnings';
      const summary = summaryOf(collection);
      process.stdout.write(summary === '' ? 'nothing to serve\n' : `${summary}: ${found}\n`);
      return 0;
    }
    case 'manifest': {
      const { broken, collection } = yield* load(command.modules, cwd);
      if (broken) return 1;
      process.stdout.write(`${JSON.stringify(manifestOf(collection), null, 2)}\n`);
      return 0;
    }
    case 'new': {
      const { newTool } = yield* until(import('./new.ts'));
      return yield* newTool(command.tool, cwd);
    }
    case 'setup': {
      const { setUp } = yield* until(import('./setup/setup.ts'));
      return yield* setUp(command.setup, cwd);
    }
    case 'pack': {
      const { broken, collection, modules } = yield* load(command.modules, cwd);
      if (broken) return 1;
      const files = modules.map(({ file }) => file);
      const { pack } = yield* until(import('./pack/pack.ts'));
      return yield* pack(files, collection, command.pack, cwd);
    }
    case 'doctor': {
      const { doctor } = yield* until(import('./doctor/tool.ts'));
      yield* serve({ tools: [doctor], prompts: [], resources: [] }, command.serve);
      return 0;
    }
    case 'doctor-server': {
      const { doctorServer } = yield* until(import('./doctor/doctor-server.ts'));
      return yield* doctorServer(command.server, cwd);
    }
    case 'dev': {
      const { dev } = yield* until(import('./dev.ts'));
      yield* usePlaces(command.serve);
      const loaded = () => load(command.modules, cwd);
      return yield* dev(loaded, command.serve, summaryOf);
    }
    case 'serve': {
      // Before anything of others runs.
      if (command.serve.transport === 'stdio') takeStdout();
      const { modelKey, statePassword } = takeSecrets();
      const rules = yield* policyOf(command.serve, cwd);
      yield* usePlaces(command.serve);
      const run = yield* useRunModules(command.serve);
      const { broken, collection, views } = yield* load(command.modules, cwd, run, true);
      if (broken) return 1;
      const pageViews = yield* usePageViews(collection, views);
      const { serve: options } = command;
      const { servers } = options;
      const model = modelFor(options.model, modelKey, collection, servers === undefined);
      const entries = yield* entriesOf(servers, cwd);
      const { offered, personal, listsReady } = yield* alsoServers(collection, entries, options);
      const names = entries.map(({ name }) => name);
      const sayMissed = (tools?: Collection['tools']) => {
        for (const problem of rules?.missed(names, tools) ?? []) say(problem);
      };
      sayMissed();
      if (listsReady)
        listsReady.then(
          () => sayMissed(offered.tools),
          () => {},
        );
      else sayMissed(offered.tools);
      yield* serve(offered, options, {
        ...model,
        apps: defined({ views: pageViews, patience: options.pageWait }),
        ...defined({ statePassword, personal, listsReady, policy: rules?.policy }),
      });
      return 0;
    }
  }
}

/** What other servers offer is served beside, where a file names some: over HTTP to each principal for itself. */
function* alsoServers(
  own: Collection,
  entries: readonly ServerEntry[],
  { transport, policy, servers }: ServeOptions,
): Operation<{
  readonly offered: Collection;
  readonly personal?: PersonalServers;
  readonly listsReady?: Promise<void>;
}> {
  if (servers === undefined) return { offered: own };
  const policed = policy !== undefined;
  const { withServers } = yield* until(import('./gateway/with-servers.ts'));
  if (transport === 'stdio') return yield* withServers(own, entries, policed);
  const { personalServers } = yield* until(import('./gateway/personal-servers.ts'));
  const { offered, listsReady } = yield* withServers(
    own,
    entries.filter(({ shared }) => shared),
    policed,
  );
  return { offered, listsReady, personal: personalServers(offered, entries, { policed, listsReady }) };
}

/** The servers that a file names. */
function* entriesOf(file: string | undefined, cwd: string): Operation<readonly ServerEntry[]> {
  if (file === undefined) return [];
  const { entriesIn } = yield* until(import('./gateway/entries.ts'));
  return yield* until(entriesIn(resolve(cwd, file)));
}

function* policyOf({ policy }: ServeOptions, cwd: string): Operation<FilePolicy | undefined> {
  if (policy === undefined) return undefined;
  const { policyIn } = yield* until(import('./gateway/policy-file.ts'));
  return yield* until(policyIn(resolve(cwd, policy)));
}

/** What tools print names places in their authors' files. Stdout is left alone where it is for messages only. */
function* usePlaces({ transport }: ServeOptions): Operation<void> {
  const streams = transport === 'stdio' ? [process.stderr] : [process.stderr, process.stdout];
  for (const undo of streams.map(placeOn)) yield* ensure(undo);
}

/** Where the modules of a server run, for as long as the caller lives. */
function* useRunModules({ isolation, transport }: ServeOptions): Operation<RunModules> {
  if (isolation === 'host') return runInHost;
  const [{ useWorkers }, { runInWorkers }] = yield* until(
    Promise.all([
      import('../isolation/host-side/realms/use-workers.ts'),
      import('./modules/run-in-workers.ts'),
    ]),
  );
  const workers = yield* useWorkers({
    entry: workerEntry(),
    printsToStderr: transport === 'stdio',
    diagnose: (message, cause) => say(`a tool: ${message}`, cause),
  });
  return runInWorkers(workers);
}

/** Loads modules and says on stderr what is wrong with them. */
function* load(
  paths: readonly string[],
  cwd: string,
  runModules?: RunModules,
  keeps?: boolean,
): Operation<{
  readonly broken: boolean;
  /** A verb of theirs does nothing. */
  readonly warned: boolean;
  readonly collection: Collection;
  /** Those that could be loaded. */
  readonly modules: readonly LoadedModule[];
  readonly views: ModuleViews | undefined;
  /** Files whose changes may change all that. */
  readonly inputs: readonly string[];
}> {
  const { paths: files, found, problems: missing } = yield* expandFolders(paths, cwd);
  const loaded = yield* loadModules(files, cwd, runModules, keeps);
  const collection = collect(loaded.modules, found);
  const problems = [...missing, ...loaded.problems, ...collection.problems];
  for (const line of problemLines(problems, cwd)) process.stderr.write(`${line}\n`);
  const broken = problems.some(({ severity }) => severity === 'error');
  const warned = problems.some(({ kind }) => kind === 'forgotten' || kind === 'slip');
  return {
    broken,
    warned,
    collection,
    modules: loaded.modules,
    views: loaded.views,
    inputs: [
      // What does not exist may come.
      ...paths.map((path) => join(resolve(cwd, path), TOOLS_FOLDER)),
      ...files.map((path) => resolve(cwd, path)),
      ...(loaded.inputs ?? []),
    ],
  };
}

function summaryOf({ tools, prompts, resources }: Collection): string {
  const count = (listed: readonly unknown[] | { list(): readonly unknown[] }, what: string) => {
    const { length } = 'list' in listed ? listed.list() : listed;
    return length > 0 ? [`${length} ${what}${length === 1 ? '' : 's'}`] : [];
  };
  return [...count(tools, 'tool'), ...count(prompts, 'prompt'), ...count(resources, 'resource')].join(', ');
}
