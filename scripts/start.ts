import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { errorMessage, PincerError } from '../src/base/errors.ts';
import type { RunningServer } from './editorHost/startServer.ts';
import { projectRoot } from './projectRoot.ts';
import { buildExtension } from './runProgram.ts';
import { editorFacts } from './startEditor/editorFacts.ts';
import { downloadDesktop, openDesktop } from './startEditor/openDesktop.ts';
import { planEditor, type EditorFacts } from './startEditor/planEditor.ts';
import { openInBrowser, serveEditor } from './startEditor/serveEditor.ts';

let running: RunningServer | undefined;
let isStopping = false;

/** Ctrl-C is how a user ends this, so it is no failure. */
export function onSignal(signal: NodeJS.Signals): void {
  if (isStopping) return;
  isStopping = true;
  console.log(signal === 'SIGINT' ? '\nStopping.' : `Stopping (${signal}).`);
  void (running?.dispose() ?? Promise.resolve()).finally(() => process.exit(0));
}

/** `start [--editor-host] [--folder X]`: builds, then opens VS Code with the extension until the user ends it. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { 'editor-host': { type: 'boolean', default: false }, folder: { type: 'string' } },
  });
  const folder = resolve(values.folder ?? join(projectRoot, 'examples', 'workspace'));
  if (!existsSync(folder)) throw new PincerError('no_folder', `There is no folder ${folder}.`);
  if ((await buildExtension()) !== 0) return 1;
  return await open(editorFacts(values['editor-host']), folder);
}

async function open(facts: EditorFacts, folder: string): Promise<number> {
  const plan = planEditor(facts);
  switch (plan.kind) {
    case 'desktop':
      console.log(`Opening ${plan.executable}, because ${plan.why}. Close its window to end.`);
      return await openDesktop({ executable: plan.executable, folder, apart: false });
    case 'download':
      return await openDownloaded(facts, folder);
    case 'editor-host':
      console.log(`Using the VS Code server with a browser (editor host), because ${plan.why}.`);
      return await serve(folder);
    case 'none':
      throw new PincerError('no_editor', `No VS Code to open: ${plan.why}`);
  }
}

async function openDownloaded(facts: EditorFacts, folder: string): Promise<number> {
  console.log('Downloading VS Code, because there is no `code` on PATH:');
  const found = await downloadDesktop().catch((error: unknown) => ({ problem: errorMessage(error) }));
  if (typeof found !== 'string') return await open({ ...facts, downloadProblem: found.problem }, folder);
  console.log(`Opening ${found}. Close its window to end.`);
  return await openDesktop({ executable: found, folder, apart: true });
}

async function serve(folder: string): Promise<number> {
  const { server, url } = await serveEditor(folder);
  running = server;
  const opened = openInBrowser(url);
  console.log(`\n  ${opened ? 'Opened' : 'Open this in a browser:'} ${url}\n`);
  console.log('Say yes to trusting the folder, then ask @pincer something in the chat. Ctrl-C ends it.');
  await server.ended;
  if (isStopping) return 0;
  console.error(`The editor host ended by itself:\n${server.log().trim().split('\n').slice(-20).join('\n')}`);
  return 1;
}
