import { provisionBrowser, provisionEditorHost } from './editorHost/provision.ts';

/**
 * `testSetup`: sets up VS Code and the browser of the `host` and `e2e` layers, which would do it themselves at their first run; costs
 * nothing where both are there, and where the layers don't run.
 */
export async function main(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  await provisionEditorHost(console.log);
  await provisionBrowser(console.log);
  return 0;
}
