import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { projectRoot } from '../../scripts/projectRoot.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createInMemorySecrets } from '../../src/host/createInMemorySecrets.ts';
import type * as RuntimeBundle from '../../src/runtime/index.ts';
import type { Runtime } from '../../src/runtime/index.ts';
import { homeWithModel } from '../builders/homeWithModel.ts';

const dist = join(projectRoot, 'dist');

/** The built runtime with a small workspace below `folder`; its model is behind `baseUrl`, an OpenAI-compatible server. */
export async function openBenchRuntime(folder: string, baseUrl: string): Promise<Runtime> {
  const workspace = join(folder, 'workspace');
  const home = join(folder, 'home');
  await Promise.all([mkdir(workspace), mkdir(home)]);
  await writeFile(join(workspace, 'README.md'), '# Boat\n\nShe leaks.\n');
  for (const [name, text] of Object.entries(homeWithModel(baseUrl))) await writeFile(join(home, name), text);
  const bundle = createRequire(import.meta.url)(join(dist, 'runtime.js')) as typeof RuntimeBundle;
  const host = bundle.createNodeHost({ secrets: createInMemorySecrets(), log: createInMemoryLog() });
  return await bundle.createRuntime({
    host,
    home,
    stateFolder: join(folder, 'state'),
    dist,
    surface: 'cli',
    folders: [workspace],
    isTrusted: true,
    approve: 'deny',
    canAsk: false,
    reservedCommands: [],
    files: bundle.createDiskFiles(host.fs),
    fileLink: (path) => path,
  });
}

/** One turn of a new session, so that all turns are alike. @throws Error where it does not complete. */
export async function runBenchTurn(
  runtime: Runtime,
  prompt: string,
  onText: (text: string) => void,
): Promise<void> {
  const run = await runtime.turns.start({
    session: runtime.conversations.create(),
    prompt,
    attachments: [],
    model: runtime.models.default(),
    signal: new AbortController().signal,
    emit: (event) => {
      if (event.type === 'text') onText(event.text);
    },
  });
  const outcome = await run.outcome;
  await run.settled;
  if (outcome.status !== 'completed') throw new Error(`The run did not complete: ${JSON.stringify(outcome)}`);
}
