import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { createChat } from '../../test/e2e/driver/chat.ts';
import { withPlainWindow, type PlainWindow } from '../../test/e2e/driver/plainWindow.ts';
import { projectRoot } from '../projectRoot.ts';
import { createTempDir } from '../editorHost/startServer.ts';
import { inEachTheme, lookAt, parts, webview, type Finding, type Theme } from './findings.ts';

/**
 * What breaks a rule in a workbench without Pincer: in VS Code's own views, and in all that VS Code draws for an extension that shows
 * one of everything. It breaks the rule in Pincer, too, and nobody but VS Code can mend it.
 */
export async function lookAtPlain(): Promise<readonly Finding[]> {
  const folder = await createTempDir();
  try {
    await cp(join(import.meta.dirname, 'plainExtension'), folder, { recursive: true });
    await cp(join(projectRoot, 'media', 'icon.png'), join(folder, 'picture.png'));
    const files = { 'README.md': '# Boat\n\nShe leaks.\n' };
    return await withPlainWindow({ files, extensions: [folder] }, lookAtAll);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function lookAtAll(window: PlainWindow): Promise<readonly Finding[]> {
  const { page, palette } = window;
  const chat = createChat(page);
  const found: Finding[] = [];
  const look = async (part: keyof typeof parts, place: string): Promise<void> => {
    found.push(...(await lookAt(page, parts[part], place)));
  };
  await page.locator('.statusbar').getByText('Plain').waitFor();

  await inEachTheme(window, async (theme) => {
    for (const view of ['Explorer', 'Search']) {
      await palette.run(`View: Show ${view}`);
      await page.locator(`${parts.sideBar} .composite.title`).getByText(view).first().waitFor();
      await look('sideBar', `${view}, ${theme}`);
    }
    await palette.run('View: Show Plain');
    await page.locator(parts.sideBar).getByText('Nothing here.').waitFor();
    await look('sideBar', `views of an extension, ${theme}`);
    await look('chat', `empty chat, ${theme}`);
    await lookAtDialogs(window, theme, look);
    await lookAtEditors(window, theme, look);
    await palette.run('Plain: Render');
    found.push(...(await lookAt(await webview(page, theme), 'body', `rendered page, ${theme}`)));
    await palette.run('View: Close All Editors');
  });

  await chat.send('@plain Look');
  await chat.waitForAnswer(/Done/u);
  await inEachTheme(window, (theme) => look('chat', `answer, ${theme}`));
  await chat.unfoldSteps('Read a.md');
  await inEachTheme(window, (theme) => look('chat', `steps of an answer, ${theme}`));
  await chat.send('@plain wait');
  await chat.waitForText('Is this right?');
  await inEachTheme(window, (theme) => look('chat', `answer that waits, ${theme}`));
  await chat.cancel();
  return found;
}

type Look = (part: keyof typeof parts, place: string) => Promise<void>;

async function lookAtDialogs({ page, palette }: PlainWindow, theme: Theme, look: Look): Promise<void> {
  for (const [command, text] of [
    ['Plain: Pick', 'in detail'],
    ['Plain: Enter', 'Any will do'],
  ] as const) {
    await palette.run(command);
    await page.locator(parts.picker).getByText(text).first().waitFor();
    await look('picker', `${command}, ${theme}`);
    await page.keyboard.press('Escape');
  }
  await palette.run('Plain: Ask');
  await page.locator(parts.toasts).getByText('Is this right?').waitFor();
  await look('toasts', `toast, ${theme}`);
  await palette.run('Notifications: Clear All Notifications');
}

async function lookAtEditors({ page, palette }: PlainWindow, theme: Theme, look: Look): Promise<void> {
  for (const [command, shown] of [
    ['Plain: Text', '.monaco-editor .view-line'],
    ['Plain: Diff', '.monaco-diff-editor .codelens-decoration a'],
    ['Plain: Steps', '.gettingStartedContainer .getting-started-step'],
  ] as const) {
    await palette.run(command);
    await page.locator(`${parts.editor} ${shown}`).first().waitFor();
    await look('editor', `${command}, ${theme}`);
    await palette.run('View: Close All Editors');
  }
}
