import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserContext } from 'playwright-core';

import { launchBrowser } from '../../../scripts/editorHost/launchBrowser.ts';
import { provisionBrowser, provisionEditorHost } from '../../../scripts/editorHost/provision.ts';
import { createTempDir, startServer, type RunningServer } from '../../../scripts/editorHost/startServer.ts';
import { projectRoot, testResultsDir } from '../../../scripts/projectRoot.ts';
import { extensionHostsOf } from './extensionHost.ts';
import { canShare, hasSetUp, isOneFolder } from './canShare.ts';
import {
  openWorkbench,
  reuseWorkbench,
  type Workbench,
  type WorkbenchOptions,
  type WorkbenchPlace,
} from './openWorkbench.ts';
import { until } from './until.ts';
import { emptyFolder, holdsExactly, writeFolder } from './writeFiles.ts';

/** One VS Code server with one browser, for many windows, one after the other. */
export interface Editor {
  /**
   * A window on a folder of its own, with home as given, in which Pincer answers. It is the one that the last test left,
   * where that will do (`canShare`), and else a new one. It counts as left as it was found with the next call, unless it is discarded.
   */
  open(options: WorkbenchOptions): Promise<Workbench>;
  /** The test has failed: closes its window. */
  discard(): Promise<void>;
  /** Ends server and browser and removes their files. */
  dispose(): Promise<void>;
}

/** How long the host of a closed window has to end by itself. Milliseconds. */
const endMs = 5_000;

/** Settings of every window. */
export const baseSettings = {
  // No page of VS Code's own in front.
  'workbench.startupEditor': 'none',
  'update.mode': 'none',
  // No second host, for extensions that run in the browser: none of ours does, and starting it is work.
  'extensions.webWorker': false,
  // What a first window does is a test of its own.
  'pincer.chat.openOnFirstStart': false,
  // As on a desktop; VS Code in a browser would save by itself.
  'files.autoSave': 'off',
  // The terminal's text is in the page.
  'terminal.integrated.gpuAcceleration': 'off',
  // Each blink is drawn.
  'editor.cursorBlinking': 'solid',
  // No list of ports that programs listen on, for which the host would read all of /proc every other second. It is only off where ports are
  // looked for in the output of terminals, and not forwarded from there either.
  'remote.autoForwardPorts': false,
  'remote.autoForwardPortsSource': 'output',
};

/** `beside`: folders of extensions that run in the same host as Pincer. */
export async function startEditor(beside: readonly string[] = []): Promise<Editor> {
  const tempDir = await createTempDir();
  const home = join(tempDir, 'home');
  await mkdir(home);
  // Not among the files of the editor: what a test looks for in those stands in its trace.
  const tracesDir = `${tempDir}-traces`;
  const server = await startServer(await provisionEditorHost(console.log), {
    tempDir,
    extensions: [projectRoot, ...beside].map((folder) => ({ folder })),
    pincerHome: home,
    settings: baseSettings,
  });
  const browser = await provisionBrowser(console.log)
    .then((program) => launchBrowser(program, { profileDir: join(tempDir, 'browser'), tracesDir }))
    .catch(async (error: unknown) => {
      await server.dispose();
      throw error;
    });
  // What is done in a window and waited for; `keepFailure` writes it down.
  await browser.tracing.start();
  return createEditor({ tempDir, tracesDir, home, server, browser });
}

interface OpenWindow {
  readonly place: WorkbenchPlace;
  readonly workbench: Workbench;
}

interface EditorParts {
  readonly tempDir: string;
  readonly tracesDir: string;
  readonly home: string;
  readonly server: RunningServer;
  readonly browser: BrowserContext;
}

function createEditor({ tempDir, tracesDir, home, server, browser }: EditorParts): Editor {
  let windows = 0;
  /** The window that is open, and what it was opened for last. */
  let last: (OpenWindow & { readonly options: WorkbenchOptions }) | undefined;
  /** The first trusted workspace. Whoever trusts a folder trusts what lies in it, so the others are below it. */
  const trustedFolder = join(tempDir, 'workspace');
  let hasTrusted = false;

  /** Closes every window that a test has opened; the empty page that the browser began with stays, and with it the browser. */
  const closeAll = async (): Promise<void> => {
    for (const page of browser.pages().slice(1)) await page.close();
    // The next window has the same home: what this one still writes must not reach it. A host that lost its window before, by a kill or a
    // reload, hears of no end and would wait for hours for its window to come back.
    const hasEnded = async (): Promise<boolean> => (await extensionHostsOf(home)).length === 0;
    await until('the extension hosts to end', hasEnded, { timeout: endMs }).catch(async () => {
      (await extensionHostsOf(home)).forEach(killIfThere);
      await until('the killed extension hosts to end', hasEnded);
    });
  };

  const openNew = async (options: WorkbenchOptions): Promise<OpenWindow> => {
    const isTrusted = options.trust === 'trusted';
    // A workspace of several folders that is trusted from the start now and then opens with none: VS Code's own fault.
    const belongsToTrusted = isTrusted && isOneFolder(options.workspace);
    const isFirst = belongsToTrusted && !hasTrusted;
    windows += 1;
    const parent = belongsToTrusted ? trustedFolder : join(tempDir, 'others');
    const folder = isFirst ? trustedFolder : join(parent, String(windows), 'workspace');
    await emptyFolder(home);
    await writeFolder(home, { files: options.home ?? {} });
    const page = await browser.newPage();
    const place = { page, server, folder, home, close: closeAll };
    const workbench = await openWorkbench(place, options);
    if (isFirst || (isTrusted && !belongsToTrusted)) await workbench.trust();
    if (isFirst) hasTrusted = true;
    return { place, workbench };
  };

  /** The window that is open, used again; undefined where it would not be as good as new. It is closed then. */
  const reuse = async (options: WorkbenchOptions): Promise<OpenWindow | undefined> => {
    if (last === undefined) return undefined;
    const { place, workbench, options: before } = last;
    last = undefined;
    if (canShare(before, options)) {
      try {
        const isSameHome = await holdsExactly(home, options.home ?? {});
        const rereads = !isSameHome || hasSetUp(before) || hasSetUp(options);
        return { place, workbench: await reuseWorkbench(place, options, rereads) };
      } catch (error) {
        console.warn('The last test left its window in a state that no other can use.', error);
        await place.page
          .screenshot({ path: join(testResultsDir, 'screenshots', `left-${process.pid}-${windows}.png`) })
          .catch((unseen: unknown) => console.warn('It shows nothing any more.', unseen));
      }
    }
    await workbench.dispose();
    return undefined;
  };

  return {
    async open(options) {
      const opened = (await reuse(options)) ?? (await openNew(options));
      last = { ...opened, options };
      return opened.workbench;
    },
    async discard() {
      await last?.workbench.dispose();
      last = undefined;
    },
    async dispose() {
      await browser.close();
      await server.dispose();
      await rm(tracesDir, { recursive: true, force: true });
    },
  };
}

/** It may end by itself in the same moment. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
