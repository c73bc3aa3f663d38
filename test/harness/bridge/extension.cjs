// Runs functions that a test sends, with `vscode` as their first argument. Its address and a secret are in a file
// of the folder PARLEY_BRIDGE_DIR, named after the session. Only the test harness installs this extension.
const { randomBytes } = require('node:crypto');
const { renameSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { join } = require('node:path');
const { runInThisContext } = require('node:vm');
const vscode = require('vscode');

exports.activate = async (context) => {
  const folder = process.env.PARLEY_BRIDGE_DIR;
  if (folder === undefined) return;
  const secret = randomBytes(16).toString('hex');
  const server = createServer((request, response) => void answer(request, response, secret));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const file = join(folder, `${vscode.env.sessionId}.${process.pid}.json`);
  // Renamed into place, so that nobody reads half of it.
  writeFileSync(`${file}.part`, JSON.stringify({ port: server.address().port, secret }));
  renameSync(`${file}.part`, file);
  context.subscriptions.push({
    dispose() {
      rmSync(file, { force: true });
      server.close();
      server.closeAllConnections();
    },
  });
};

async function answer(request, response, secret) {
  const reply = (status, body) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  try {
    if (request.headers.authorization !== `Bearer ${secret}`) return reply(403, { error: 'wrong secret' });
    let body = '';
    for await (const chunk of request) body += chunk;
    const { source, argument } = JSON.parse(body);
    const value = await runInThisContext(`(${source})`)(vscode, argument);
    reply(200, { value });
  } catch (error) {
    reply(500, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
