import type { FrameLocator, Locator, Page } from 'playwright-core';

import { clickOnce, isInTime, matches, tryMs, until } from './until.ts';

/** The editor area. */
export interface Editors {
  /** The titles of the open tabs. */
  tabs(): Promise<string[]>;
  /** Opens a file of the explorer that shows, for good: the next one takes no place of a preview. */
  open(name: string): Promise<void>;
  /** Waits until the tab with this title is the active one. */
  waitForActive(title: string | RegExp): Promise<void>;
  /** Waits until an editor has the keyboard, which it takes a moment after its tab shows. */
  waitForFocus(): Promise<void>;
  /** Waits until no tab has this title. */
  waitForClosed(title: string | RegExp): Promise<void>;
  /** Closes a tab with its own button. */
  close(title: string): Promise<void>;
  /** The rendered lines of the active editor; long files only as far as they are scrolled to. */
  text(): Promise<string>;
  /** Waits until those lines hold this. */
  waitForText(match: string | RegExp): Promise<void>;
  /** What an editor shows of a rendered document: VS Code shows it as a page in a page. */
  readonly rendered: FrameLocator;
  /** The number of the line the cursor is on, as the status bar shows it. */
  line(): Promise<number>;
  readonly diff: DiffEditor;
}

export interface DiffEditor {
  /** Waits until a diff shows in the active editor. */
  waitFor(): Promise<void>;
  /** Waits until the rendered lines of the new side hold this. */
  waitForNewText(match: string | RegExp): Promise<void>;
  /** Clicks an icon of the editor's title bar by the command's title. */
  titleAction(title: string): Promise<void>;
  /** Clicks a CodeLens above a hunk of the new side; `index` counts those with this text from the top. */
  codeLens(text: string, index?: number): Promise<void>;
}

export function createEditors(page: Page): Editors {
  const area = page.locator('.part.editor');
  const tab = (title: string | RegExp): Locator => area.locator('.tab').filter({ hasText: title });
  const actions = area.locator(
    '.editor-group-container.active .editor-actions, .editor-group-container.active .title-actions',
  );
  const diffEditor = area.locator('.monaco-diff-editor');
  const newSide = diffEditor.locator('.editor.modified');

  const tabs = async (): Promise<string[]> =>
    await area
      .locator('.tab')
      .evaluateAll((all: readonly { getAttribute(name: string): string | null }[]) =>
        all.map((each) => each.getAttribute('data-resource-name') ?? ''),
      );

  const text = async (): Promise<string> =>
    await linesOf(area.locator('.editor-group-container.active .editor-instance .monaco-editor').last());

  return {
    tabs,
    async open(name) {
      const row = page.locator('.explorer-folders-view').getByText(name, { exact: true });
      // A row that comes above moves this one away from the mouse.
      await until(`the editor of ${name}`, async () => {
        await isInTime(() => row.dblclick({ timeout: tryMs }));
        return await isInTime(() =>
          area.locator('.tab.active').filter({ hasText: name }).waitFor({ timeout: tryMs }),
        );
      });
    },
    async waitForFocus() {
      await area.locator('.monaco-editor.focused').first().waitFor();
    },
    async waitForActive(title) {
      await area.locator('.tab.active').filter({ hasText: title }).waitFor();
    },
    async waitForClosed(title) {
      await until(`the tab ${String(title)} to close`, async () => (await tab(title).count()) === 0, {
        seen: async () => (await tabs()).join(', '),
      });
    },
    async close(title) {
      const mine = tab(title).first();
      await clickOnce(mine.getByRole('button', { name: /^Close/u }), () => mine.hover({ timeout: tryMs }));
    },
    text,
    waitForText: async (match) => await waitForText(text, match),
    // The newest: the Chat view may be open, too.
    rendered: page.locator('iframe.webview.ready').last().contentFrame().frameLocator('iframe#active-frame'),
    async line() {
      const status = await page.locator('.statusbar-item[id="status.editor.selection"]').innerText();
      return Number(/Ln (\d+)/u.exec(status)?.[1]);
    },
    diff: {
      waitFor: async () => await newSide.locator(lines).first().waitFor(),
      waitForNewText: async (match) => await waitForText(() => linesOf(newSide), match),
      async titleAction(title) {
        await clickOnce(actions.getByRole('button', { name: title }).first());
      },
      async codeLens(text, index = 0) {
        const lens = newSide.locator('.codelens-decoration a').filter({ hasText: text }).nth(index);
        await clickOnce(lens, undefined, 'mouseup');
      },
    },
  };
}

/** An editor shows its lines one after the other, and those of what it showed before until then. */
async function waitForText(text: () => Promise<string>, match: string | RegExp): Promise<void> {
  await until(`an editor to show ${String(match)}`, async () => matches(await text(), match), { seen: text });
}

/** The lines of the document itself; a diff puts the deleted ones among them, in zones of their own. */
const lines = '.lines-content > .view-lines > .view-line';

/** Lines in the order they show: the editor keeps them in the order they were rendered. */
async function linesOf(editor: Locator): Promise<string> {
  await editor.locator(lines).first().waitFor();
  const placed = await editor
    .locator(lines)
    .evaluateAll((all: readonly LineElement[]) =>
      all.map((line) => ({ top: line.getBoundingClientRect().top, text: line.innerText })),
    );
  return placed
    .sort((a, b) => a.top - b.top)
    .map(({ text }) => text.replaceAll('\u00A0', ' '))
    .join('\n');
}

/** What is used of a line in the page; the project has no browser types. */
interface LineElement {
  readonly innerText: string;
  getBoundingClientRect(): { readonly top: number };
}
