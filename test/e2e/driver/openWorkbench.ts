import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Page } from 'playwright-core';

import { launchBrowser } from '../../../scripts/editorHost/launchBrowser.ts';
import { provisionBrowser, provisionEditorHost } from '../../../scripts/editorHost/provision.ts';
import { createTempDir, startServer, type RunningServer } from '../../../scripts/editorHost/startServer.ts';
import { projectRoot, testResultsDir } from '../../../scripts/projectRoot.ts';
import { createChat, type Chat } from './chat.ts';
import { createEditors, type Editors } from './editors.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { createPalette, type Palette } from './palette.ts';
import { storedChatView } from './storedChatView.ts';
import { trustFolder } from './trustFolder.ts';
import { patience, until } from './until.ts';
import { createViews, type Views } from './views.ts';
import { writeFolder, type Files, type FolderContent } from './writeFiles.ts';

export interface WorkbenchOptions {
  /** The folder that is opened; several ones by name; or `none`. */
  readonly workspace: FolderContent | { readonly folders: Readonly<Record<string, FolderContent>> } | 'none';
  /** `trusted` answers the banner before the test begins. A window without folder has no banner. */
  readonly trust?: 'trusted' | 'untrusted';
  /** The files of PINCER_HOME, `config.jsonc` for one. */
  readonly home?: Files;
  /** More of the extension host's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** User settings of VS Code. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The extension under test. Default: this project. */
  readonly extensionDir?: string;
}

/** A real workbench in a headless browser, driven by mouse and keyboard only. */
export interface Workbench {
  /** The opened folder (with several, their parent), a temporary one. */
  readonly workspace: string;
  /** PINCER_HOME, a temporary folder. */
  readonly home: string;
  readonly page: Page;
  readonly chat: Chat;
  readonly notifications: Notifications;
  readonly palette: Palette;
  readonly views: Views;
  readonly editors: Editors;
  /** The text of Pincer's status bar item. */
  statusText(): Promise<string>;
  /** A file of the workspace, or undefined where there is none. */
  read(path: string): Promise<string | undefined>;
  /** Answers the trust banner with yes. */
  trust(): Promise<void>;
  /** Reloads the window, as a user does, once the panel has stored its chat. */
  reload(): Promise<void>;
  /** Keeps a picture in test-results/screenshots and gives its path. */
  screenshot(name: string): Promise<string>;
  /** Copies VS Code's logs, the extension's channel among them, to test-results/logs/<name>. */
  keepLogs(name: string): Promise<void>;
  dispose(): Promise<void>;
}

/** Opens a workbench and waits until Pincer's status bar item shows: from then on a message reaches the participant. */
export async function openWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const tempDir = await createTempDir();
  const workspace = join(tempDir, 'workspace');
  const home = join(tempDir, 'home');
  const query = await prepareWorkspace(workspace, options.workspace);
  await writeFolder(home, options.home === undefined ? {} : { files: options.home });
  const server = await startServer(await provisionEditorHost(console.log), {
    tempDir,
    extensions: [{ folder: options.extensionDir ?? projectRoot }],
    pincerHome: home,
    settings: { 'workbench.startupEditor': 'none', 'update.mode': 'none', ...options.settings },
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  const disposers = [() => server.dispose()];
  const dispose = async (): Promise<void> => {
    for (const each of disposers.splice(0).reverse()) await each();
  };
  try {
    const browser = await launchBrowser(await provisionBrowser(console.log), {
      profileDir: join(tempDir, 'browser'),
    });
    disposers.push(() => browser.close());
    const page = browser.pages()[0] ?? (await browser.newPage());
    page.setDefaultTimeout(patience);
    const workbench = createWorkbench({ page, server, workspace, home, dispose });
    await openPage(workbench, `${server.url}/?${query}`, options.trust === 'trusted');
    return workbench;
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openPage(workbench: Workbench, url: string, trusted: boolean): Promise<void> {
  try {
    await workbench.page.goto(url);
    await untilReady(workbench.page);
    if (trusted) await workbench.trust();
  } catch (error) {
    await workbench.screenshot('failed-to-open');
    await workbench.keepLogs('failed-to-open');
    throw error;
  }
}

interface Parts {
  readonly page: Page;
  readonly server: RunningServer;
  readonly workspace: string;
  readonly home: string;
  readonly dispose: () => Promise<void>;
}

function createWorkbench(parts: Parts): Workbench {
  const { page, server, workspace, home, dispose } = parts;
  return {
    workspace,
    home,
    page,
    chat: createChat(page),
    notifications: createNotifications(page),
    palette: createPalette(page),
    views: createViews(page),
    editors: createEditors(page),
    statusText: async () => await statusItem(page).innerText(),
    read: async (path) => await readIfThere(join(workspace, path)),
    trust: async () => await trustFolder(page),
    async reload() {
      await untilChatIsStored(page, server.userDataDir);
      await page.reload();
      await untilReady(page);
    },
    async screenshot(name) {
      const path = join(testResultsDir, 'screenshots', `${name}.png`);
      await page.screenshot({ path });
      return path;
    },
    async keepLogs(name) {
      const target = join(testResultsDir, 'logs', name);
      await rm(target, { recursive: true, force: true });
      await mkdir(target, { recursive: true });
      await cp(join(server.userDataDir, 'logs'), target, { recursive: true });
    },
    dispose,
  };
}

const statusItem = (page: Page) =>
  page.locator('.statusbar-item[id*="pincer"]').filter({ hasText: 'Pincer' }).first();

async function untilReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench').waitFor();
  await statusItem(page).waitFor({ timeout: 60_000 });
}

async function prepareWorkspace(folder: string, workspace: WorkbenchOptions['workspace']): Promise<string> {
  if (workspace === 'none') {
    await mkdir(folder, { recursive: true });
    return 'ew=true';
  }
  if (!('folders' in workspace)) {
    await writeFolder(folder, workspace);
    return `folder=${folder}`;
  }
  for (const [name, content] of Object.entries(workspace.folders))
    await writeFolder(join(folder, name), content);
  const file = join(folder, 'several.code-workspace');
  const folders = Object.keys(workspace.folders).map((path) => ({ path }));
  await writeFolder(folder, { files: { 'several.code-workspace': JSON.stringify({ folders }) } });
  return `workspace=${file}`;
}

/** A reload right after an answer loses it: the panel writes its session, and which one it shows, a little later. */
async function untilChatIsStored(page: Page, userDataDir: string): Promise<void> {
  const shown = (await createChat(page).messages()).at(-1);
  if (shown === undefined) return;
  const prompt = shown.replace(/^@\w+\s*/u, '').trim();
  const storage = join(userDataDir, 'User', 'workspaceStorage');
  await until('the panel to store its chat', async () => {
    const files = await readdir(storage, { recursive: true }).catch(() => []);
    const sessions = files.filter((file) => file.includes('chatSessions') && file.endsWith('.jsonl'));
    for (const file of sessions) {
      const text = await readIfThere(join(storage, file));
      if (text?.includes(JSON.stringify(prompt).slice(1, -1)) !== true) continue;
      const id = Buffer.from(basename(file, '.jsonl')).toString('base64').replace(/=+$/u, '');
      return (await storedChatView(page)).includes(id);
    }
    return false;
  });
}

async function readIfThere(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}
