import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { launchBrowser } from '../../../scripts/editorHost/launchBrowser.ts';
import { provisionBrowser, provisionEditorHost } from '../../../scripts/editorHost/provision.ts';
import { createTempDir, startServer } from '../../../scripts/editorHost/startServer.ts';
import { createPalette, type Palette } from './palette.ts';
import { baseSettings } from './startEditor.ts';
import { writeFolder, type Files } from './writeFiles.ts';

/** A window of VS Code without Pincer, for what Pincer is compared with. */
export interface PlainWindow {
  readonly page: Page;
  readonly palette: Palette;
  /** The user's settings. Absolute path. */
  readonly settingsFile: string;
}

export interface PlainWindowOptions {
  /** The files of the folder that is opened. */
  readonly files: Files;
  /** Folders of extensions; default none. */
  readonly extensions?: readonly string[];
}

/** Opens a server with a browser of its own, whose folder is trusted, and ends both after the work. */
export async function withPlainWindow<Result>(
  { files, extensions = [] }: PlainWindowOptions,
  work: (window: PlainWindow) => Promise<Result>,
): Promise<Result> {
  const tempDir = await createTempDir();
  const workspace = join(tempDir, 'workspace');
  await writeFolder(workspace, { files });
  const server = await startServer(await provisionEditorHost(console.log), {
    tempDir,
    extensions: extensions.map((folder) => ({ folder })),
    settings: { ...baseSettings, 'security.workspace.trust.enabled': false },
  });
  try {
    const browser = await launchBrowser(await provisionBrowser(console.log), {
      profileDir: join(tempDir, 'browser'),
    });
    try {
      const page = browser.pages()[0] ?? (await browser.newPage());
      await page.goto(`${server.url}/?folder=${workspace}`);
      await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
      return await work({
        page,
        palette: createPalette(page),
        settingsFile: join(server.userDataDir, 'User', 'settings.json'),
      });
    } finally {
      await browser.close();
    }
  } finally {
    await server.dispose();
  }
}
