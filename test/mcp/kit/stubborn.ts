/** A server of 2025-11-25 that ends neither with its input nor by SIGTERM. So does what it has started. */
export const stubborn = `
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000);
  const own = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);";
  require('node:child_process').spawn(process.execPath, ['-e', own, process.argv[1]], { stdio: 'ignore' });
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = method === 'initialize'
      ? { result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } } }
      : { error: { code: -32601, message: 'unknown' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
`;
