const vscode = require('vscode');

// What language model tools of Parley are measured against: tools that do nothing but answer, or fail.
exports.activate = (context) => {
  const answer = ({ input }) =>
    new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(input.text)]);
  const fail = ({ input }) => {
    throw new Error(input.text);
  };
  context.subscriptions.push(
    vscode.lm.registerTool('parley_bench_echo', { invoke: answer }),
    vscode.lm.registerTool('parley_bench_fail', { invoke: fail }),
  );
};
