const vscode = require('vscode');
const { createProvider } = require('./provider.cjs');
const { createScript } = require('./script.cjs');

const vendor = 'parley-demo';

exports.activate = (context) => {
  const script = createScript();
  const provider = createProvider(script);
  let registration;

  const turnOff = () => {
    registration?.dispose();
    registration = undefined;
  };
  const turnOn = () => {
    registration ??= vscode.lm.registerLanguageModelChatProvider(vendor, provider);
  };

  const commands = {
    'parleyDemo.turnOff': turnOff,
    'parleyDemo.turnOn': turnOn,
    // The rest is for tests; see README.md. They are not in the palette.
    'parleyDemo.script': (replies) => script.add(replies),
    'parleyDemo.requests': () => script.requests(),
    'parleyDemo.reset': () => {
      script.reset();
      turnOn();
    },
  };
  for (const [id, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(id, run));
  }
  turnOn();
  context.subscriptions.push({ dispose: turnOff });
  if (vscode.workspace.getConfiguration('parleyDemo').get('welcome')) openFirstPage().catch(console.error);
};

/** What a window shows that shows nothing yet: what to do, and the chat of Copilot's agent, ready for a prompt of the README. */
async function openFirstPage() {
  if (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) return;
  await vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent' });
  await vscode.commands.executeCommand('parley.openWalkthrough');
}
