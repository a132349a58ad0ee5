import type { Locator, Page } from 'playwright-core';

import { takeEntry } from './dialogs.ts';
import { clickOnce, isInTime, tryMs, until } from './until.ts';

/** The views of our container, top to bottom. */
const ourViews = ['Chat', 'Sessions', 'Approvals', 'Plugins', 'Tools', 'Memory'] as const;

/** The side bar's views. */
export interface Views {
  /**
   * Shows a container of the activity bar by its title. Of ours, approvals and plugins are unfolded, or the one alone that the test is
   * about: rows that have no room are not drawn. Review shows when something is to be reviewed, with the room that the others leave.
   */
  open(
    container: string,
    about?: (typeof ourViews)[number] | 'Review' | 'Schedule' | 'Channels',
  ): Promise<void>;
  /** The tree of a view of the container that is open, by the view's title. */
  tree(view: string): Tree;
}

export interface Tree {
  /** The row with this label; waits until it is there. */
  row(label: string): TreeRow;
  /** The first row whose label and description contain this. */
  rowWith(text: string | RegExp): TreeRow;
  /** The labels that show, top to bottom. */
  labels(): Promise<string[]>;
  /** Waits until the view, which has no rows, says this. */
  waitForWelcome(text: string): Promise<void>;
  /** Folds the view by a click on its header, so that the others get its room: rows outside of it are not drawn. */
  fold(): Promise<void>;
  unfold(): Promise<void>;
  /** Goes by the arrow keys to the row with this label in the view that has the keyboard, or is about to. */
  goTo(label: string): Promise<void>;
  /** Clicks an icon of the view's title bar. */
  titleAction(title: string): Promise<void>;
}

export interface TreeRow {
  readonly locator: Locator;
  /** Label and description as shown. */
  text(): Promise<string>;
  waitForText(match: string | RegExp): Promise<void>;
  click(): Promise<void>;
  /** Presses a key on the row, once VS Code has selected it. */
  press(key: string): Promise<void>;
  /** Opens the row's children where they are folded. */
  expand(): Promise<void>;
  /** Clicks an icon that shows when the mouse is on the row. */
  action(title: string): Promise<void>;
  /** Chooses the first entry with this text of the row's context menu. */
  menu(entry: string): Promise<void>;
  isChecked(): Promise<boolean>;
  toggleCheckbox(): Promise<void>;
}

export function createViews(page: Page): Views {
  return {
    async open(container, about) {
      // The label of a container with a badge goes on with what the badge says.
      const tab = page
        .locator('.activitybar [role="tab"]')
        .filter({ has: page.getByLabel(new RegExp(`^${container}(?: - |$)`, 'u')) });
      const title = page.locator('.sidebar .composite.title').getByText(container, { exact: false }).first();
      await until(`the side bar to show ${container}`, async () => {
        // A click on the one that shows would close the side bar.
        if ((await tab.getAttribute('aria-selected')) !== 'true')
          await isInTime(() => tab.click({ timeout: tryMs }));
        return await isInTime(() => title.waitFor({ timeout: tryMs }));
      });
      if (container !== 'Pincer') return;
      const unfolded: readonly string[] = about === undefined ? ['Approvals', 'Plugins'] : [about];
      for (const view of ourViews) {
        const tree = createTree(page, view);
        await (unfolded.includes(view) ? tree.unfold() : tree.fold());
      }
    },
    tree: (view) => createTree(page, view),
  };
}

function createTree(page: Page, view: string): Tree {
  const pane = page
    .locator('.sidebar .pane')
    .filter({ has: page.locator('.pane-header h3').getByText(view, { exact: true }) });
  const rows = pane.locator('.monaco-list-row[role="treeitem"]');

  const setUnfolded = async (wanted: boolean): Promise<void> => {
    const header = pane.locator('.pane-header');
    await until(`the view ${view} to ${wanted ? 'unfold' : 'fold'}`, async () => {
      if ((await header.getAttribute('aria-expanded')) === String(wanted)) return true;
      await isInTime(() => header.locator('h3').click({ timeout: tryMs }));
      return false;
    });
  };

  return {
    row: (label) =>
      createRow(
        page,
        rows.filter({ has: page.locator('.label-name').getByText(label, { exact: true }) }).first(),
      ),
    rowWith: (text) => createRow(page, rows.filter({ hasText: text }).first()),
    labels: async () => await rows.locator('.label-name').allInnerTexts(),
    async waitForWelcome(text) {
      await pane.locator('.welcome-view-content').filter({ hasText: text }).waitFor();
    },
    fold: () => setUnfolded(false),
    unfold: () => setUnfolded(true),
    async goTo(label) {
      await pane.locator('.monaco-list:focus').waitFor();
      const row = rows.and(page.locator('.focused'));
      let before: string | undefined;
      await until(`${label} to have the keyboard`, async () => {
        const [at] = await row.locator('.label-name').allInnerTexts();
        if (at === label) return true;
        // From the end, or from nowhere: a tree that is drawn anew forgets where it was.
        await page.keyboard.press(at === before ? 'Home' : 'ArrowDown');
        before = at;
        return false;
      });
    },
    async titleAction(title) {
      const header = pane.locator('.pane-header');
      await clickOnce(header.getByRole('button', { name: title }), () => header.hover({ timeout: tryMs }));
    },
  };
}

function createRow(page: Page, locator: Locator): TreeRow {
  /** The hover of the row that was clicked before covers the rows below it for as long as the mouse stays. */
  const leaveHover = async (): Promise<void> => {
    await page.mouse.move(0, 0);
    await page.locator('.context-view .hover-contents').first().waitFor({ state: 'hidden' });
  };

  const click = async (): Promise<void> => {
    await leaveHover();
    await clickOnce(locator);
  };
  const unfolded = locator.and(page.locator('[aria-expanded="true"]'));
  const isChecked = async (): Promise<boolean> => await locator.getByRole('checkbox').isChecked();

  return {
    locator,
    text: async () => (await locator.locator('.label-name, .label-description').allInnerTexts()).join(' '),
    async waitForText(match) {
      await locator.filter({ hasText: match }).waitFor();
    },
    click,
    async press(key) {
      const selected = locator.and(page.locator('.focused.selected'));
      await until('the row to be selected', async () => {
        await click();
        return await isInTime(() => selected.waitFor({ timeout: tryMs }));
      });
      await page.keyboard.press(key);
    },
    async expand() {
      // A row that has just come may have its children a moment later.
      await until('the row to unfold', async () => {
        const isExpanded = await locator.getAttribute('aria-expanded');
        if (isExpanded === 'true') return true;
        if (isExpanded === 'false')
          await isInTime(() => locator.locator('.monaco-tl-twistie').click({ timeout: tryMs }));
        return await isInTime(() => unfolded.waitFor({ timeout: tryMs }));
      });
    },
    async action(title) {
      // Only the row under the mouse has its buttons, and a row that comes above moves this one away from the mouse.
      await clickOnce(locator.getByRole('button', { name: title, exact: true }), () =>
        locator.hover({ timeout: tryMs }),
      );
    },
    async menu(entry) {
      await leaveHover();
      const entries = page.locator('.monaco-menu').getByRole('menuitem').filter({ hasText: entry });
      await takeEntry(page, entries.first(), () => locator.click({ button: 'right', timeout: tryMs }));
    },
    isChecked,
    async toggleCheckbox() {
      await leaveHover();
      const before = await isChecked();
      await clickOnce(locator.getByRole('checkbox'));
      await until('the tick to change', async () => (await isChecked()) !== before);
    },
  };
}
