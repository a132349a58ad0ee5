import { test } from 'vitest';

import { startScriptedModelServer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import type { Workbench, WorkbenchOptions } from './driver/openWorkbench.ts';
import { startEditor, type Editor } from './driver/startEditor.ts';

export { homeWithModel } from '../builders/homeWithModel.ts';

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
    let current: { readonly name: string; readonly bench: Workbench } | undefined;
    /** Keeps what helps to find out why, and closes the window; nothing that fails here hides why the test did. */
    const giveUp = async (): Promise<void> => {
      if (current === undefined) return;
      const { name, bench } = current;
      current = undefined;
      await bench
        .keepFailure(name)
        .catch((error: unknown) => console.warn(`${name}: not all is kept.`, error));
      await editor.discard();
    };
    await use(async (name, options, test) => {
      const bench = await editor.open(options);
      const mine = { name, bench };
      current = mine;
      try {
        await test(bench);
      } catch (error) {
        // Where the test was given up before, the window may be another test's by now.
        if (current === mine) await giveUp();
        throw error;
      }
      current = undefined;
      await bench.endTest();
    });
    // The test ran out of its time, and its body may still wait for something.
    await giveUp();
  },
});
