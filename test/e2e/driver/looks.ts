import { readFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';

import type { Workbench } from './openWorkbench.ts';
import { isInTime, tryMs, until } from './until.ts';

/** The parts beside the editors. They give way in a narrow window, and VS Code keeps their size after that, for the next window too. */
const parts = { '.part.sidebar': 'right', '.part.auxiliarybar': 'left' } as const;

/** Does the work in a window of another size, and gives the window and its parts back as they were. */
export async function atSize(
  page: Page,
  size: { readonly width: number; readonly height: number },
  work: () => Promise<void>,
): Promise<void> {
  const sizeBefore = page.viewportSize();
  if (sizeBefore === null) throw new Error('A window without a size of its own can not be resized.');
  const edgesBefore = await edgesOf(page);
  await page.setViewportSize(size);
  await work();
  await page.setViewportSize(sizeBefore);
  const workbench = page.locator('.monaco-workbench');
  await until('the window to have its size again', async () => {
    const box = await workbench.boundingBox();
    return box?.width === sizeBefore.width && box.height === sizeBefore.height;
  });
  await until('the parts to have their sizes again', async () => {
    const edges = new Map(await edgesOf(page));
    const [part, before] =
      edgesBefore.find(([name, edge]) => edges.has(name) && edges.get(name) !== edge) ?? [];
    if (part === undefined || before === undefined) return true;
    await dragEdge(page, edges.get(part) ?? before, before);
    return false;
  });
}

/** A part beside the editors, by its selector. */
export type SidePart = keyof typeof parts;

/** Does the work while a part is `width` pixels wide, and gives it its width back. */
export async function atPartWidth(
  page: Page,
  part: SidePart,
  width: number,
  work: () => Promise<void>,
): Promise<void> {
  const widthNow = async (): Promise<number> => (await page.locator(part).boundingBox())?.width ?? 0;
  const grows = parts[part] === 'right' ? 1 : -1;
  const resize = async (wanted: number): Promise<void> => {
    await until(`${part} to be ${wanted} pixels wide`, async () => {
      const width = await widthNow();
      if (width === wanted) return true;
      const edge = new Map(await edgesOf(page)).get(part);
      if (edge === undefined) throw new Error(`${part} does not show.`);
      await dragEdge(page, edge, edge + grows * (wanted - width));
      return false;
    });
  };
  const before = await widthNow();
  await resize(width);
  await work();
  await resize(before);
}

/** Drags the edge of a part from one place to another. Pixels from the left of the window. */
async function dragEdge(page: Page, from: number, to: number): Promise<void> {
  const middle = (page.viewportSize()?.height ?? 0) / 2;
  await page.mouse.move(from, middle);
  await page.mouse.down();
  await page.mouse.move(to, middle, { steps: 4 });
  await page.mouse.up();
  // An edge that the mouse rests on is coloured.
  await page.mouse.move(0, 0);
}

/** Where the edge between each part that shows and the editors is, from the left of the window. Pixels. */
async function edgesOf(page: Page): Promise<readonly (readonly [SidePart, number])[]> {
  const found: [SidePart, number][] = [];
  for (const part of ['.part.sidebar', '.part.auxiliarybar'] as const) {
    const box = await page.locator(part).boundingBox();
    // The sash lies beside the part and is four pixels wide.
    if (box !== null) found.push([part, parts[part] === 'right' ? box.x + box.width + 2 : box.x - 2]);
  }
  return found;
}

/** Themes by the name that VS Code's picker has for them, with the class that the workbench gets and their name in the settings. */
const themes = {
  'Dark Modern': { className: 'vs-dark', setting: 'Dark Modern' },
  'Dark High Contrast': { className: 'hc-black', setting: 'Default High Contrast' },
} as const;

/** Does the work in a window of another theme, and leaves it with VS Code's own light one. */
export async function inTheme(
  { page, palette, settingsFile }: Pick<Workbench, 'page' | 'palette' | 'settingsFile'>,
  theme: keyof typeof themes,
  work: () => Promise<void>,
): Promise<void> {
  const { className, setting } = themes[theme];
  // It shows before it is kept, and what is kept is what the next window has. VS Code's own is not named there.
  const choose = async (name: string, shown: string, isNamed: boolean): Promise<void> => {
    // An editor that opens late takes the focus, and the list of themes closes.
    await until(`the theme ${name} to show`, async () => {
      await palette.run('Preferences: Color Theme');
      return await isInTime(async () => {
        await palette.enter(name, { timeout: tryMs });
        await page.locator(`.monaco-workbench.${shown}`).waitFor({ timeout: tryMs });
      });
    });
    const isKept = async (): Promise<boolean> =>
      (await readFile(settingsFile, 'utf8')).includes(`"${setting}"`) === isNamed;
    await until(`the theme ${name} to be kept`, isKept);
  };
  await choose(theme, className, true);
  await work();
  await choose('Light 2026', 'vs', false);
}

/**
 * Does the work while the window believes that another one has the focus. The browser tells each of its pages that it has the focus,
 * whichever is in front, so the page is told.
 */
export async function withoutFocus(page: Page, work: () => Promise<void>): Promise<void> {
  const tell = async (has: boolean, event: 'focus' | 'blur'): Promise<void> => {
    await page.evaluate(`
      document.hasFocus = () => ${String(has)};
      window.dispatchEvent(new Event('${event}'));
    `);
  };
  await tell(false, 'blur');
  await work();
  await tell(true, 'focus');
}
