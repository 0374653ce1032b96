// Starts the language server for MLIR, MDH and tensor text, and stops it. All else is the server's.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = vscode.workspace.getConfiguration("terrace").get("server", "terrace-lsp");
  const documentSelector = ["mlir", "mdh", "tensor"].map((language) => ({ scheme: "file", language }));
  client = new LanguageClient("terrace", "Terrace", { command }, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    const message = `The language server \`${command}\` does not start: ${error.message ?? error}. ` +
      "`cargo xtask build` builds it; the setting `terrace.server` says where it is.";
    vscode.window.showErrorMessage(message);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  if (old?.isRunning()) {
    await old.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(vscode.commands.registerCommand("terrace.restart", restart));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("terrace.server")) {
        restart();
      }
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
