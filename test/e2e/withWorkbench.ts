import { openWorkbench, type Workbench, type WorkbenchOptions } from './driver/openWorkbench.ts';

/**
 * Opens a workbench for one test and closes it whatever happens. A failure leaves a picture and VS Code's logs in
 * test-results/ under the test's name.
 */
export async function withWorkbench(
  name: string,
  options: WorkbenchOptions,
  test: (bench: Workbench) => Promise<void>,
): Promise<void> {
  const bench = await openWorkbench(options);
  try {
    await test(bench);
  } catch (error) {
    await bench.screenshot(`failed-${name}`);
    await bench.keepLogs(`failed-${name}`);
    throw error;
  } finally {
    await bench.dispose();
  }
}

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
