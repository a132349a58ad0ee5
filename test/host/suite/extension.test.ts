import * as assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/editor/commandTable.ts';

const extension = vscode.extensions.getExtension<object>('pincer-dev.pincer');

/** A member that stable VS Code has and hands to nobody. */
interface Proposed {
  findTextInFiles(query: { readonly pattern: string }, found: () => void): Promise<unknown>;
}

describe('the extension', () => {
  it('registers every command it contributes', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      commandIds.filter((id) => !registered.has(id)),
      [],
    );
  });

  it('gives away nothing that could answer an approval', async () => {
    const api = await extension?.activate();
    assert.deepEqual(Object.keys(api ?? {}), ['activationMs', 'activationCpuMs']);
  });
});

describe('the editor that runs this', () => {
  it('refuses proposed API to the extension, as the VS Code that people have does', async () => {
    const proposed = vscode.workspace as unknown as Proposed;
    const call = async (): Promise<unknown> =>
      await proposed.findTextInFiles({ pattern: 'x' }, () => undefined);
    await assert.rejects(call, /CANNOT use API proposal: findTextInFiles/u);
  });
});

describe('the language model provider', () => {
  it('offers a model that can call tools before anything else has loaded', async () => {
    const models = await vscode.lm.selectChatModels({ vendor: 'pincer' });
    assert.ok(models.some((model) => model.id === 'pincer/built-in'));
  });

  it('sorts no model before the automatic one, which the chat panel therefore starts with', async () => {
    await vscode.commands.executeCommand('pincer.plugins.focus');
    const names = await new Promise<readonly string[]>((resolve, reject) => {
      const look = async (): Promise<void> => {
        const models = await vscode.lm.selectChatModels({ vendor: 'pincer' });
        const found = models.map((model) => model.name);
        if (!found.includes('Aardvark')) return;
        listener.dispose();
        resolve(found);
      };
      const listener = vscode.lm.onDidChangeChatModels(() => void look().catch(reject));
      void look().catch(reject);
    });
    const sorted = names.toSorted((one, other) => one.localeCompare(other));
    assert.match(sorted[0] ?? '', /Auto \(Pincer\)/u);
  });
});

describe('views', () => {
  it('opens the Plugins view, which loads the runtime, without an error', async () => {
    await vscode.commands.executeCommand('pincer.plugins.focus');
    await vscode.commands.executeCommand('pincer.approvals.focus');
  });
});

describe('config.jsonc', () => {
  it('is checked by the schema: an unknown key is a problem in the editor', async () => {
    assert.match(await firstProblem(['.pincer', 'config.jsonc'], '{ "modle": 1 }\n'), /modle/u);
  });
});

describe('openclaw.plugin.json', () => {
  it('is checked by the schema: a missing id is a problem in the editor', async () => {
    const text = '{ "configSchema": { "type": "object" } }\n';
    assert.match(await firstProblem(['drafts', 'openclaw.plugin.json'], text), /"id"/u);
  });
});

/** What VS Code finds wrong first with a file of the workspace that has this text. */
async function firstProblem(path: readonly string[], text: string): Promise<string> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined);
  const uri = vscode.Uri.joinPath(folder.uri, ...path);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const problems = new Promise<readonly vscode.Diagnostic[]>((resolve) => {
    const listener = vscode.languages.onDidChangeDiagnostics(() => {
      const found = vscode.languages.getDiagnostics(uri);
      if (found.length === 0) return;
      listener.dispose();
      resolve(found);
    });
  });
  await vscode.window.showTextDocument(uri);
  return (await problems)[0]?.message ?? '';
}

describe("the server for the editor's other agents", () => {
  const names = (): readonly string[] =>
    vscode.lm.tools.map(({ name }) => name).filter((name) => name.endsWith('memory_search'));
  /** Does nothing where the editor knows no such server. */
  const start = (): Thenable<unknown> =>
    vscode.commands.executeCommand('workbench.mcp.startServer', 'pincer-dev.pincer/Pincer', {
      waitForLiveTools: true,
    });

  it('is offered once the user wants it, and brings its tools', async () => {
    await start();
    assert.deepEqual(names(), []);
    const settings = vscode.workspace.getConfiguration('pincer');
    await settings.update('mcp.offerServer', true, vscode.ConfigurationTarget.Global);
    try {
      const limit = Date.now() + 15_000;
      while (names().length === 0 && Date.now() < limit) await start();
      assert.notDeepEqual(names(), []);
    } finally {
      await settings.update('mcp.offerServer', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
