import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import type { Page } from 'playwright-core';

import type { RunningServer } from '../../../scripts/editorHost/startServer.ts';
import { testResultsDir } from '../../../scripts/projectRoot.ts';
import { readZip } from '../../builders/readZip.ts';
import { isOfSeveral, isOneFolder } from './canShare.ts';
import { createChat, type Chat } from './chat.ts';
import { describeTrace } from './describeTrace.ts';
import { createEditors, type Editors } from './editors.ts';
import { createNotifications, type Notifications } from './notifications.ts';
import { createPalette, type Palette } from './palette.ts';
import { storedChatView } from './storedChatView.ts';
import { storedRequests } from './storedRequests.ts';
import { rereadAll, tidyUp, untilHeard } from './tidyUp.ts';
import { trustFolder } from './trustFolder.ts';
import { until } from './until.ts';
import { createViews, type Views } from './views.ts';
import { layFolder, writeFolder, type Files, type FolderContent } from './writeFiles.ts';

export interface WorkbenchOptions {
  /** The folder that is opened; several ones by name; or `none`. */
  readonly workspace: FolderContent | { readonly folders: Readonly<Record<string, FolderContent>> } | 'none';
  /** `trusted` opens a folder in one that the user has trusted before, and answers the banner for several. A window without folder has none. */
  readonly trust?: 'trusted' | 'untrusted';
  /** The files of PINCER_HOME, `config.jsonc` for one. */
  readonly home?: Files;
  /** Why no window that another test has used will do: it is about a fresh start, or counts what others leave behind. */
  readonly fresh?: string;
  /** What the test leaves behind that no other may find: its window is not used again. */
  readonly leaves?: string;
}

/** A real workbench in a headless browser, driven by mouse and keyboard only. */
export interface Workbench {
  /** The opened folder (with several, their parent), a temporary one. */
  readonly workspace: string;
  /** PINCER_HOME, a temporary folder. */
  readonly home: string;
  /** Where Pincer keeps sessions, traces and checkpoints of the opened folder. */
  readonly state: string;
  /** Everything that editor and browser keep on disk, the folders above among it. */
  readonly allFiles: string;
  /** VS Code's own logs and those of its extensions. */
  readonly logs: string;
  /** The user's settings. Absolute path. */
  readonly settingsFile: string;
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
  /** Starts an empty chat with a new session. */
  newSession(): Promise<void>;
  /** Waits until the panel has stored the chat that shows: a reload before that opens an older one. */
  chatIsStored(): Promise<void>;
  /** Reloads the window, as a user does: `once stored` when the panel has stored its chat, `at once` without that wait. */
  reload(when?: 'once stored' | 'at once'): Promise<void>;
  /** Keeps a picture in test-results/screenshots, where the run wants pictures. */
  screenshot(name: string): Promise<void>;
  /**
   * Keeps in test-results/failures/<name> what helps to find out why a test failed: a picture, the logs, and what was done and waited
   * for, as text and as a trace that Playwright shows. Prints what notifications and side bar say.
   */
  keepFailure(name: string): Promise<void>;
  /** The test has passed: ends its trace, and leaves the window open. */
  endTest(): Promise<void>;
  /** Closes the window. */
  dispose(): Promise<void>;
}

/** Where a window opens. */
export interface WorkbenchPlace {
  /** A new page of the browser. */
  readonly page: Page;
  readonly server: RunningServer;
  /** The workspace folder, to be made. */
  readonly folder: string;
  readonly home: string;
  /** Closes the page, and others that the test has opened, and waits for their extension hosts to end. */
  readonly close: () => Promise<void>;
}

/** Opens a workbench and waits until Pincer's status bar item shows: from then on a message reaches the participant. */
export async function openWorkbench(place: WorkbenchPlace, options: WorkbenchOptions): Promise<Workbench> {
  const { page, server, folder } = place;
  const query = await prepareWorkspace(folder, options.workspace);
  await page.context().tracing.startChunk();
  const workbench = await createWorkbench(place, options);
  try {
    await page.goto(`${server.url}/?${query}`);
    await untilReady(page);
    if (isOfSeveral(options.workspace)) await untilFolders(page);
    return workbench;
  } catch (error) {
    await workbench.keepFailure('failed-to-open');
    await workbench.dispose();
    throw error;
  }
}

/**
 * The window of an earlier test, brought to where a new one begins: tidied up, with files and home laid anew. `rereads` says that
 * Pincer has to read config and plugins again.
 */
export async function reuseWorkbench(
  place: WorkbenchPlace,
  options: WorkbenchOptions,
  rereads: boolean,
): Promise<Workbench> {
  await place.page.context().tracing.startChunk();
  const workbench = await createWorkbench(place, options);
  await tidyUp(workbench);
  if (!isOneFolder(options.workspace)) throw new Error('Only a window of one folder is used again.');
  await layFolder(place.folder, options.workspace);
  await layFolder(place.home, { files: options.home ?? {} });
  const startOver = async (): Promise<void> => {
    // What trees hear of it they draw while the chat is emptied.
    if (rereads) await rereadAll(workbench);
    await workbench.newSession();
  };
  await Promise.all([untilHeard(workbench), startOver()]);
  return workbench;
}

/** As `src/editor/stateFolder.ts` names it, by the first folder of the window. */
function stateFolderOf(
  { userDataDir }: RunningServer,
  folder: string,
  workspace: WorkbenchOptions['workspace'],
): string {
  const [named] = isOfSeveral(workspace) ? Object.keys(workspace.folders) : [];
  const first = workspace === 'none' ? 'no folder' : join(folder, named ?? '');
  const hash = createHash('sha256').update(first).digest('hex').slice(0, 16);
  return join(userDataDir, 'User', 'globalStorage', 'pincer-dev.pincer', hash);
}

async function createWorkbench(place: WorkbenchPlace, options: WorkbenchOptions): Promise<Workbench> {
  const { page, server, folder, home, close } = place;
  const opened = Date.now();
  const earlierChats = new Set(await storedChats(server));
  const { tracing } = page.context();
  let isTracing = true;
  /** Ends the record of what was done and waited for; keeps it where it is to be kept. */
  const endTrace = async (path?: string): Promise<void> => {
    if (!isTracing) return;
    isTracing = false;
    await tracing.stopChunk(path === undefined ? {} : { path });
  };
  const [chat, palette] = [createChat(page), createPalette(page)];
  return {
    workspace: folder,
    home,
    state: stateFolderOf(server, folder, options.workspace),
    allFiles: server.tempDir,
    logs: join(server.userDataDir, 'logs'),
    settingsFile: join(server.userDataDir, 'User', 'settings.json'),
    page,
    chat,
    notifications: createNotifications(page),
    palette,
    views: createViews(page),
    editors: createEditors(page),
    statusText: async () => await statusItem(page).innerText(),
    read: async (path) => await readIfThere(join(folder, path)),
    trust: async () => await trustFolder(page),
    async newSession() {
      // VS Code empties the chat first, and keeps the input: what stands there would pass for what the command writes a moment later.
      await chat.clearInput();
      await palette.run('Pincer: New Session');
      await until('a new session', () => chat.isNew());
    },
    chatIsStored: () => untilChatIsStored(place, earlierChats),
    async reload(when = 'once stored') {
      const last = when === 'once stored' ? (await chat.messages()).at(-1) : undefined;
      if (when === 'once stored') await untilChatIsStored(place, earlierChats);
      await page.reload();
      await untilReady(page);
      // The panel has its input before its chat: what is typed by then goes.
      if (last)
        await until('the panel to show its chat again', async () => (await chat.messages()).includes(last));
    },
    screenshot: (name) => keepPicture(page, name),
    async keepFailure(name) {
      const target = join(testResultsDir, 'failures', name);
      await rm(target, { recursive: true, force: true });
      await mkdir(target, { recursive: true });
      await page.screenshot({ path: join(target, 'window.png') });
      await copyLogs(join(server.userDataDir, 'logs'), join(target, 'logs'), opened);
      const trace = join(target, 'trace.zip');
      await endTrace(trace);
      const steps =
        readZip(await readFile(trace))
          .get('trace.trace')
          ?.toString() ?? '';
      const waits = describeTrace(steps);
      await writeFile(join(target, 'waits.txt'), `${waits}\n`);
      // Where only the output is left of a run, this is all that tells what was done, and what the user would have read.
      console.warn(`${name}: its last waits\n${waits.split('\n').slice(-25).join('\n')}`);
      const told = await createNotifications(page).texts();
      const rows = await page.locator('.sidebar .monaco-list-row .label-name').allInnerTexts();
      console.warn(
        `${name}: the notifications ${JSON.stringify(told)}, the side bar ${JSON.stringify(rows)}`,
      );
    },
    endTest: () => endTrace(),
    async dispose() {
      await endTrace();
      await close();
    },
  };
}

/** Keeps a picture of a window in test-results/screenshots; a run of all tests takes none unless PINCER_SCREENSHOTS says so. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (process.env['PINCER_SCREENSHOTS'] === 'none') return;
  await page.screenshot({ path: join(testResultsDir, 'screenshots', `${name}.png`) });
}

/** Logs of the server, and of the extension hosts that have written since `opened`: earlier ones were other windows'. */
async function copyLogs(from: string, to: string, opened: number): Promise<void> {
  for (const start of await readdir(from)) {
    for (const name of await readdir(join(from, start))) {
      if (name.startsWith('exthost') && (await lastWrite(join(from, start, name))) < opened) continue;
      await cp(join(from, start, name), join(to, name), { recursive: true });
    }
  }
}

/** When a file in the folder, or below it, was written to last. Milliseconds since 1970. */
async function lastWrite(folder: string): Promise<number> {
  const paths = await readdir(folder, { recursive: true });
  const times = await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).mtimeMs));
  return Math.max(0, ...times);
}

const statusItem = (page: Page) =>
  page.locator('.statusbar-item[id*="pincer"]').filter({ hasText: 'Pincer' }).first();

async function untilReady(page: Page): Promise<void> {
  await page.locator('.monaco-workbench').waitFor();
  await statusItem(page).waitFor();
}

/** VS Code opens a new workspace of several folders with none of them now and then, two times in a row, too; then it has to be loaded again. */
async function untilFolders(page: Page): Promise<void> {
  const folder = page.locator('.explorer-folders-view .monaco-list-row').first();
  const none = page.locator('.explorer-viewlet').getByText('You have not yet added a folder');
  const isOpen = async (): Promise<boolean> => {
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await folder.or(none).first().waitFor();
    if (await folder.isVisible()) return true;
    await page.reload();
    await untilReady(page);
    return false;
  };
  await until('the workspace to have its folders', isOpen);
}

async function prepareWorkspace(folder: string, workspace: WorkbenchOptions['workspace']): Promise<string> {
  if (workspace === 'none') {
    await mkdir(folder, { recursive: true });
    return 'ew=true';
  }
  if (!isOfSeveral(workspace)) {
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

/**
 * A reload right after an answer loses it: the panel writes its session, and which one it shows, a little later. What it wrote
 * while the answer ran is half of it.
 */
async function untilChatIsStored(
  { page, server }: WorkbenchPlace,
  earlier: ReadonlySet<string>,
): Promise<void> {
  const chat = createChat(page);
  const shown = (await chat.messages()).at(-1);
  if (shown === undefined) return;
  const prompt = shown.replace(/^@\w+\s*/u, '').trim();
  const isRunning = await chat.isRunning();
  await until('the panel to store its chat', async () => {
    // Another test may have said the same.
    for (const file of (await storedChats(server)).filter((each) => !earlier.has(each))) {
      const last = storedRequests((await readIfThere(file)) ?? '')?.at(-1);
      if (last?.message.text.includes(prompt) !== true) continue;
      if (!isRunning && last.modelState?.completedAt === undefined) continue;
      const id = Buffer.from(basename(file, '.jsonl')).toString('base64').replace(/=+$/u, '');
      if ((await storedChatView(page)).includes(id)) return true;
    }
    return false;
  });
}

/** The files of the chats that panels have stored, of every window so far. */
async function storedChats({ userDataDir }: RunningServer): Promise<readonly string[]> {
  const storage = join(userDataDir, 'User', 'workspaceStorage');
  const files = await readdir(storage, { recursive: true }).catch(() => []);
  return files
    .filter((file) => file.includes('chatSessions') && file.endsWith('.jsonl'))
    .map((file) => join(storage, file));
}

async function readIfThere(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}
