import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { atSize, inTheme } from './driver/looks.ts';
import { createChat } from './driver/chat.ts';
import { keepPicture, type Workbench } from './driver/openWorkbench.ts';
import { clickOnce, hoverUntil, isInTime, tryMs, until } from './driver/until.ts';
import { createViews, type Tree } from './driver/views.ts';
import { writeFolder } from './driver/writeFiles.ts';
import { it } from './withWorkbench.ts';

const setup = `# Setup

How the boat is made ready.

## Tides

The tide turns at Cuxhaven every six hours and twelve minutes.
The table hangs beside the chart.

## Engine

Check the cooling water before the engine runs. The impeller is changed each spring.
`;

const files = {
  'README.md': '# Boat\n\nA boat with a keel of lead.\n',
  'MEMORY.md': '# Memory\n\n- The owner is called Ines.\n- The berth is number 47.\n',
  'docs/setup.md': setup,
  'docs/guides/a-very-long-name-of-a-file-that-no-narrow-panel-can-show-as-a-whole.md':
    '# Harbour guide\n\nThe lock opens when the red light goes out.\n',
  'notes/2026-03-01.md': '# First of March\n\nWe bought an anchor of 20 kg.\n',
};

const trusted = { workspace: { files }, trust: 'trusted' } as const;

it('answers /memory with citations that open at the line, and knows what was saved a moment before', async ({
  withWorkbench,
}) => {
  await withWorkbench('memory-chat', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { chat, editors, palette, page, screenshot } = bench;
    await chat.send('/memory When does the tide turn?');
    await chat.waitForAnswer(/setup\.md#L\d+-L\d+/u, 'every six hours');
    // The link's title is the passage.
    await hoverUntil(
      chat.answer().locator('.rendered-markdown a').filter({ hasText: 'setup.md' }),
      page.locator('.workbench-hover').getByText('## Tides The tide turns'),
    );
    await screenshot('memory-chat-hits');

    await chat.click('docs/setup.md#L');
    await editors.waitForActive('setup.md');
    await until('the cursor to stand at the passage', async () => (await editors.line()) === 5);
    await screenshot('memory-chat-citation-opened');

    await page.locator('.part.editor .monaco-editor .view-lines').first().click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('\n## Anchor\n\nThe anchor chain is forty metres of galvanised steel.\n');
    await palette.run('File: Save');
    const isSaved = async (): Promise<boolean> =>
      (await bench.read('docs/setup.md'))?.includes('galvanised') === true;
    await until('the file to be saved', isSaved);
    await chat.send('/memory How long is the anchor chain?');
    await chat.waitForAnswer(/galvanised/u, 'Anchor');
    await screenshot('memory-chat-after-edit');

    await chat.send('/memory');
    await chat.waitForAnswer(/passages in 5 files/u);
    await screenshot('memory-chat-status');
  });
});

it('shows texts of files literally in the chat: no link, image, command or HTML of theirs', async ({
  withWorkbench,
}) => {
  const hostile =
    '# Hull [x](command:pincer.memory.rebuild)\n\nThe hull) [run](command:pincer.memory.rebuild) "[y](https://example.com) ' +
    '![z](https://example.com/z.png) <a href="https://example.com">a</a> <img src="x"> `$(error)` https://example.com\n';
  await withWorkbench(
    'memory-hostile',
    { workspace: { files: { 'hull.md': hostile } }, trust: 'trusted' },
    async ({ chat, screenshot }) => {
      await chat.send('/memory hull');
      await chat.waitForAnswer(/hull\.md#L1/u, '[run](command:pincer.memory.rebuild)');
      const markdown = chat.answer().locator('.rendered-markdown');
      await expect.poll(() => markdown.locator('a').allInnerTexts()).toEqual(['hull.md#L1-L3']);
      expect(await markdown.locator('img, .codicon').count()).toBe(0);
      await screenshot('memory-hostile');
    },
  );
});

it('keeps the order of the hits, whatever letters their headings have', async ({ withWorkbench }) => {
  // The more often a word stands in a passage, the better it fits; the better its heading fits, the further down it stands here.
  const note = (heading: string, count: number): string =>
    `# ${heading}\n\n${'keel '.repeat(count)}${'and other words of a boat '.repeat(12 - count)}\n`;
  const headings = ['Ballast', 'A key element', 'The keel', 'Keelson', 'Keel'];
  const notes = Object.fromEntries(
    headings.map((each, index) => [`${String(index)}.md`, note(each, 10 - 2 * index)]),
  );
  await withWorkbench('memory-order', { workspace: { files: notes }, trust: 'trusted' }, async (bench) => {
    const { chat, page, screenshot } = bench;
    await chat.send('/memory keel');
    const all = headings.map((_, index) => `${String(index)}.md#`);
    const cited = [...(await chat.waitForAnswer(...all)).matchAll(/(\d)\.md#/gu)].map((match) => match[1]);
    expect(cited).toHaveLength(5);

    const search = createSearch(page);
    await search.open('keel');
    const found = async (): Promise<readonly unknown[]> =>
      (await search.rows.allInnerTexts()).map((row) => /(\d)\.md#/u.exec(row)?.[1]);
    await expect.poll(found).toEqual(cited);
    await screenshot('memory-search-order');
  });
});

it('finds what was said in earlier sessions where the config says so, and opens it at the line', async ({
  withWorkbench,
}) => {
  const home = { 'config.jsonc': '{ "memory": { "sources": ["memory", "sessions"] } }' };
  const fresh = 'looks for its own session among all that the window holds';
  const options = { workspace: { files }, trust: 'trusted', home, fresh } as const;
  await withWorkbench('memory-sessions', options, async (bench) => {
    const { chat, editors, page, screenshot } = bench;
    await chat.send('What is a spinnaker good for?');
    await chat.waitForAnswer();
    const tree = await openMemoryView(bench);
    const session = tree.rowWith(/:\d\d.* passage/u);
    // A session is read once it has been quiet for some seconds.
    await until('the session to be read', async () => {
      await tree.titleAction('Reindex Memory');
      if (!(await tree.row('Sessions').locator.isVisible())) return false;
      await tree.row('Sessions').expand();
      return (await session.locator.isVisible()) && !(await session.text()).includes('0 passages');
    });
    await session.click();
    await editors.waitForActive(/\.md/u);
    await editors.waitForText('User: What is a spinnaker good for?');
    await screenshot('memory-session');
    const [tab = ''] = await editors.tabs();
    await editors.close(tab);

    await chat.send('/memory spinnaker');
    await chat.waitForAnswer(/sessions\/.*#L/u);
    await screenshot('memory-session-chat');
    await chat.click('sessions/');
    await editors.waitForActive(tab);
    await editors.close(tab);

    const search = createSearch(page);
    await search.open('spinnaker');
    await search.hit('Session of').waitFor();
    await screenshot('memory-session-search');
    await page.keyboard.press('Enter');
    await editors.waitForActive(tab);
  });
});

it('follows what other programs do: files, whole folders, a checkout of many', async ({ withWorkbench }) => {
  const workspace = { files: { ...files, '.git/HEAD': 'ref: refs/heads/main\n' } };
  await withWorkbench('memory-other-programs', { workspace, trust: 'trusted' }, async (bench) => {
    const { chat, screenshot } = bench;
    const tree = await openMemoryView(bench);
    const path = (name: string): string => join(bench.workspace, name);
    await tree.rowWith(/7 passages in 5 files/u).locator.waitFor();
    await writeFile(path('notes/rigging.md'), '# Rigging\n\nThe forestay is of rod.\n');
    await tree.row('rigging.md').locator.waitFor();
    await chat.send('/memory forestay');
    await chat.waitForAnswer(/notes\/rigging\.md#L1/u);

    await rm(path('docs'), { recursive: true });
    await tree.row('docs').locator.waitFor({ state: 'detached' });
    await rename(path('notes'), path('log'));
    await tree.row('log').locator.waitFor();
    await tree.row('notes').locator.waitFor({ state: 'detached' });

    const branch = Object.fromEntries(
      Array.from({ length: 300 }, (_, each) => [
        `branch/${String(each)}.md`,
        `# Leaf ${String(each)}\n\nA buoy.\n`,
      ]),
    );
    await writeFolder(bench.workspace, { files: { ...branch, '.git/HEAD': 'ref: refs/heads/other\n' } });
    await tree.rowWith(/in 304 files/u).locator.waitFor();
    await screenshot('memory-checkout');
  });
});

it('searches while one types, shows each hit in the editor, and opens the one that is chosen', async ({
  withWorkbench,
}) => {
  await withWorkbench('memory-search', trusted, async (bench) => {
    const { editors, notifications, palette, page, screenshot } = bench;
    const search = createSearch(page);
    await palette.run('Create: New File...');
    await palette.pick('Text File');
    await editors.waitForActive('Untitled');
    await search.open('impeller');
    await search.hit('Setup › Engine').waitFor();
    await editors.waitForActive('setup.md');
    await screenshot('memory-search-preview');

    await page.keyboard.press('Alt+Enter');
    await search.rows.filter({ hasText: /Words \d/u }).waitFor();
    await screenshot('memory-search-why');
    await page.keyboard.press('Escape');
    await search.hit('Setup › Engine').waitFor();
    await screenshot('memory-search-back');
    await page.keyboard.press('Escape');
    await editors.waitForActive('Untitled');
    await editors.waitForClosed('setup.md');
    await screenshot('memory-search-cancelled');

    // Right after the last letter: what counts is the first hit of all that was typed.
    await search.open('the tide');
    await page.keyboard.press('Enter');
    await editors.waitForActive('setup.md');
    await until('the cursor to stand at the passage', async () => (await editors.line()) === 5);
    await screenshot('memory-search-opened');

    await search.open('impeller');
    await search.hit('Setup › Engine').waitFor();
    await page.keyboard.press('Alt+Delete');
    await notifications.waitFor('docs/setup.md is forgotten');
    await search.hit('Nothing found for “impeller”').waitFor();
    await screenshot('memory-search-nothing');
    await page.keyboard.press('Escape');
    await notifications.click('docs/setup.md is forgotten', 'Remember Again');
    const tree = await openMemoryView(bench);
    await tree.row('setup.md').locator.waitFor();
  });
});

it('forgets a file until it is remembered again, and leaves out what is excluded', async ({
  withWorkbench,
}) => {
  await withWorkbench('memory-forget', trusted, async (bench) => {
    const { chat, notifications, palette, screenshot, read } = bench;
    const tree = await openMemoryView(bench);
    await tree.row('setup.md').waitForText('3 passages');
    await screenshot('memory-view');

    // The icon's name says its key, too.
    const row = tree.row('setup.md').locator;
    await clickOnce(row.getByRole('button', { name: /^Forget File/u }), () => row.hover({ timeout: tryMs }));
    await notifications.waitFor('docs/setup.md is forgotten');
    await tree.row('Forgotten').locator.waitFor();
    await chat.send('/memory tide Cuxhaven');
    await chat.waitForAnswer(/Nothing in the memory fits/u);
    await tree.row('Forgotten').expand();
    await screenshot('memory-forgotten');

    await tree.row('docs/setup.md').action('Remember File Again');
    await tree.row('Forgotten').locator.waitFor({ state: 'detached' });
    await chat.send('/memory tide Cuxhaven');
    await chat.waitForAnswer(/docs\/setup\.md#L5/u);

    await tree.row('setup.md').menu('Exclude from Memory');
    await palette.pick('docs/setup.md');
    await notifications.waitFor('docs/setup.md is excluded');
    await tree.row('setup.md').locator.waitFor({ state: 'detached' });
    expect(await read('.vscode/settings.json')).toContain('docs/setup.md');
    await chat.send('/memory tide Cuxhaven');
    await chat.waitForAnswer(/Nothing in the memory fits/u);
    await notifications.click('docs/setup.md is excluded', 'Undo');
    await tree.row('setup.md').locator.waitFor();

    // By keys alone: to the row, and it is forgotten.
    await tree.row('README.md').press('Delete');
    await notifications.click('README.md is forgotten', 'Remember Again');
    await tree.row('README.md').locator.waitFor();
  });
});

it('fits a narrow window and a dark theme, and names folders where there are several', async ({
  withWorkbench,
}) => {
  const folders = {
    boat: { files },
    shore: { files: { 'docs/harbour.md': '# Harbour\n\nThe harbour master is Ole.\n' } },
  };
  await withWorkbench('memory-narrow', { workspace: { folders }, trust: 'trusted' }, async (bench) => {
    const tree = await openMemoryView(bench);
    await tree.row('boat').locator.waitFor();
    await tree.row('shore/docs').locator.waitFor();
    const narrow = { width: 760, height: 700 };
    await inTheme(bench, 'Dark Modern', () =>
      atSize(bench.page, narrow, async () => {
        await bench.screenshot('memory-dark-narrow');
        const search = createSearch(bench.page);
        await search.open('lock red light');
        await search.hit('Harbour guide').waitFor();
        await bench.screenshot('memory-dark-search');
        await bench.page.keyboard.press('Escape');
      }),
    );
  });
});

it('says in a second window that the first one writes, and finds there what was saved in the first', async ({
  withWorkbench,
}) => {
  await withWorkbench('memory-two-windows', { ...trusted, leaves: 'two windows' }, async (bench) => {
    const first = await openMemoryView(bench);
    await first.rowWith(/7 passages in 5 files/u).locator.waitFor();
    const page = await bench.page.context().newPage();
    await page.goto(bench.page.url());
    await page.locator('.statusbar-item').filter({ hasText: 'Pincer' }).first().waitFor();
    const second = await openMemoryView({ views: createViews(page) });
    await second.rowWith('updated by another window').locator.waitFor();
    await keepPicture(page, 'memory-two-windows');

    await writeFile(join(bench.workspace, 'notes/rigging.md'), '# Rigging\n\nThe forestay is of rod.\n');
    await first.row('rigging.md').locator.waitFor();
    await second.row('rigging.md').locator.waitFor();
    const chat = createChat(page);
    await chat.send('/memory forestay');
    await chat.waitForAnswer(/rigging\.md#L1/u);
  });
});

it('shows the progress of a big folder, stops at a click, and goes on when it is asked to', async ({
  withWorkbench,
}) => {
  const section = (file: number, each: number): string =>
    `## Part ${String(each)}\n\n${`Berth ${String(file)} has ring ${String(each)} and a cleat of bronze. `.repeat(30)}\n`;
  const many = Object.fromEntries(
    Array.from({ length: 4_000 }, (_, file) => [
      `log/${String(file % 40)}/entry-${String(file)}.md`,
      `# Entry ${String(file)}\n\n${[1, 2, 3, 4].map((each) => section(file, each)).join('\n')}`,
    ]),
  );
  const options = {
    workspace: { files: many },
    trust: 'trusted',
    leaves: 'an index of thousands of files',
  } as const;
  await withWorkbench('memory-progress', options, async (bench) => {
    const { chat, page, palette, screenshot } = bench;
    const tree = await openMemoryView(bench);
    const progress = page.locator('.statusbar-item').filter({ hasText: /Memory \d/u });
    await progress.waitFor();
    await tree.rowWith(/Indexing [\d,]+ of 4,000/u).locator.waitFor();
    await screenshot('memory-progress');

    await progress.click();
    await palette.pick('Cancel indexing');
    await progress.waitFor({ state: 'detached' });
    await tree.rowWith(/passages in/u).waitForText(/not all indexed/u);
    await screenshot('memory-progress-cancelled');
    await chat.send('/memory');
    const stopped = Number(
      /in ([\d,]+) files/u.exec(await chat.waitForAnswer(/passages/u))?.[1]?.replace(',', ''),
    );
    expect(stopped).toBeLessThan(4_000);

    await tree.titleAction('Reindex Memory');
    await tree.rowWith(/in 4,000 files/u).locator.waitFor();
    await tree.rowWith('up to date').locator.waitFor();
    await chat.send('/memory berth 3999 ring 4');
    await chat.waitForAnswer(/entry-3999\.md/u);
    await screenshot('memory-progress-done');
  });
});

it('says what is missing: no folder, no markdown, memory switched off', async ({ withWorkbench }) => {
  await withWorkbench('memory-no-folder', { workspace: 'none' }, async (bench) => {
    const tree = await openMemoryView(bench);
    await tree.waitForWelcome('No folder is open');
    await bench.screenshot('memory-no-folder');
  });
  const plain = {
    workspace: { files: { 'notes.txt': 'no markdown' } },
    trust: 'trusted',
    fresh: 'nothing was ever indexed',
  } as const;
  await withWorkbench('memory-empty', plain, async (bench) => {
    const tree = await openMemoryView(bench);
    await tree.waitForWelcome('no markdown here');
    await bench.screenshot('memory-empty');
    await bench.chat.send('/memory anything');
    await bench.chat.waitForAnswer(/Nothing in the memory fits/u);
    await writeFile(join(bench.workspace, 'MEMORY.md'), '# Memory\n\nThe cat is called Bosun.\n');
    await tree.row('MEMORY.md').locator.waitFor();
  });
  const home = { 'config.jsonc': '{ "memory": { "enabled": false } }' };
  await withWorkbench('memory-off', { workspace: { files }, trust: 'trusted', home }, async (bench) => {
    const tree = await openMemoryView(bench);
    await tree.waitForWelcome('switched off');
    await bench.screenshot('memory-off');
    await bench.chat.send('/memory tide');
    await bench.chat.waitForAnswer(/switched off/u);
  });
});

async function openMemoryView({ views }: Pick<Workbench, 'views'>): Promise<Tree> {
  await views.open('Pincer', 'Memory');
  return views.tree('Memory');
}

/** Search Memory, by keys. */
function createSearch(page: Page) {
  const widget = page.locator('.quick-input-widget');
  const rows = widget.locator('.monaco-list-row');
  return {
    rows,
    async open(text: string): Promise<void> {
      const title = widget.getByText('Search memory');
      await until('the search', async () => {
        if (!(await title.isVisible())) await page.keyboard.press('Control+Alt+M');
        return await isInTime(() => title.waitFor({ timeout: tryMs }));
      });
      // Until the box has the focus, keys still go where they went before.
      await widget.locator('input.input:focus').waitFor();
      await page.keyboard.type(text);
    },
    hit: (headings: string): Locator => rows.filter({ hasText: headings }).first(),
  };
}
