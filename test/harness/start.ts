// npm start: a real VS Code with Parley, a model that needs no account, and the example workspace, in your browser.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { buildParley } from './build.ts';
import { portOrAny } from './free-port.ts';
import { demoModelExtension, exampleWorkspace, installRoot, repoRoot } from './paths.ts';
import { tail } from './process.ts';
import { newest } from './versions.ts';
import { startVsCodeServer } from './vscode-server.ts';
import { workbenchUrl } from './workbench-url.ts';

// The same port as last time, where it is free: a browser keeps the window's layout and secrets by address.
const usualPort = 8137;

await buildParley();
const port = await portOrAny(Number(process.env.PARLEY_PORT ?? usualPort));
const server = await startVsCodeServer({
  version: newest,
  extensions: [repoRoot, demoModelExtension],
  defaultFolder: exampleWorkspace,
  port,
  // What waits is there again after Ctrl+C; a second window server beside the first gets a temporary home.
  ...(port === usualPort ? { home: join(installRoot, 'data') } : {}),
  token: randomBytes(32).toString('hex'),
  settings: {
    // As a user has it; the tests turn it off.
    'parley.notifyAfter': undefined,
    'workbench.secondarySideBar.defaultVisibility': 'visible',
    'chat.utilityModel': 'parley-demo/demo',
    'chat.utilitySmallModel': 'parley-demo/demo-mini',
    'parleyDemo.welcome': true,
  },
});
console.log(
  `\nParley runs in VS Code ${newest.vscode}. Open ${workbenchUrl(server.address, {})}  (Ctrl+C stops it)\n`,
);
const code = await server.ended;
console.error(`The VS Code server ended with code ${code}. Its log ends with:\n${tail(server.log())}`);
process.exit(1);
