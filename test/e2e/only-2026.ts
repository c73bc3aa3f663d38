/**
 * A server, as a program for `node -e`, that speaks 2026-07-28 and nothing before it: it refuses `initialize`. Its tool `order`
 * asks three questions, one a round.
 */
export const only2026 = `
const questions = ['starter', 'dish', 'drink'];
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
const field = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] });
const answers = {
  'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'kitchen', version: '1' } } }),
  'tools/list': () => ({ ttlMs: 0, cacheScope: 'private', tools: [{ name: 'order', description: 'Orders a meal.',
    inputSchema: { type: 'object', properties: {} } }] }),
  'tools/call': ({ inputResponses = {}, requestState = '[]' }) => {
    const said = [...JSON.parse(requestState), ...Object.values(inputResponses).map(({ action, content }) =>
      action === 'accept' ? Object.values(content)[0] : action)];
    const next = questions[said.length];
    if (next === undefined) return { content: [{ type: 'text', text: 'Coming: ' + said.join(', ') }] };
    const params = { mode: 'form', message: 'Which ' + next + '?', requestedSchema: field(next) };
    return { resultType: 'input_required', requestState: JSON.stringify(said),
      inputRequests: { [next]: { method: 'elicitation/create', params } } };
  },
};
let rest = '';
process.stdin.on('data', (data) => {
  const lines = (rest + data).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params = {} } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = answers[method];
    if (answer) send({ id, result: { resultType: 'complete', ...answer(params) } });
    else send({ id, error: { code: -32601, message: 'this server speaks 2026-07-28 only' } });
  }
});
process.stdin.on('end', () => process.exit(0));
`;
