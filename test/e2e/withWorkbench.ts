import { test } from 'vitest';

import { startScriptedModelServer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import type { Workbench, WorkbenchOptions } from './driver/openWorkbench.ts';
import { startEditor, type Editor } from './driver/startEditor.ts';

/**
 * Runs one test in a window: a new one, or the one that another test has left as it found it. A failure leaves a picture, VS Code's
 * logs and the trace of what was done and waited for in test-results/failures under this name.
 */
export type WithWorkbench = (
  name: string,
  options: WorkbenchOptions,
  test: (bench: Workbench) => Promise<void>,
) => Promise<void>;

interface Fixtures {
  /** The server and the browser of this worker; one window at a time. */
  readonly editor: Editor;
  /** Of this worker, so that the home of a window names the same address in every test. */
  readonly model: ScriptedModelServer;
  /** A model behind a server that answers by script: as new in each test. */
  readonly server: ScriptedModelServer;
  readonly withWorkbench: WithWorkbench;
}

/** A test in the real workbench. */
export const it = test.extend<Fixtures>({
  editor: [
    async ({}, use) => {
      const editor = await startEditor();
      await use(editor);
      await editor.dispose();
    },
    { scope: 'worker' },
  ],
  model: [
    async ({}, use) => {
      const model = await startScriptedModelServer();
      await use(model);
      await model.dispose();
    },
    { scope: 'worker' },
  ],
  server: async ({ model }, use) => {
    await use(model);
    model.startOver();
  },
  withWorkbench: async ({ editor }, use) => {
    await use(async (name, options, test) => {
      const bench = await editor.open(options);
      try {
        await test(bench);
      } catch (error) {
        await bench.keepFailure(name);
        await editor.discard();
        throw error;
      }
      await bench.endTest();
    });
  },
});

/** `config.jsonc` of a user whose default model is the scripted server. */
export function homeWithModel(
  baseUrl: string,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
  const providers = {
    loopback: { api: 'openai-compatible', baseUrl, models: [{ id: 'scripted', name: 'Scripted' }] },
  };
  return { 'config.jsonc': JSON.stringify({ model: 'loopback/scripted', models: { providers }, ...more }) };
}
