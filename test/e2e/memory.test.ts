import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { until } from './driver/until.ts';
import { withWorkbench } from './withWorkbench.ts';

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

it('answers /memory with citations that open at the line, and knows what was saved a moment before', async () => {
  await withWorkbench('memory-chat', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { chat, editors, palette, page, screenshot } = bench;
    await chat.send('/memory When does the tide turn?');
    const answer = await chat.waitForAnswer(/setup\.md#L\d+-L\d+/u);
    expect(answer).toContain('every six hours');
    await screenshot('memory-chat-hits');

    await chat.click('docs/setup.md#L');
    await editors.waitForActive('setup.md');
    await until('the cursor to stand at the passage', async () => (await editors.line()) === 5);
    await screenshot('memory-chat-citation-opened');

    await page.locator('.part.editor .monaco-editor .view-lines').first().click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText('\n## Anchor\n\nThe anchor chain is forty metres of galvanised steel.\n');
    await palette.run('File: Save');
    await chat.send('/memory How long is the anchor chain?');
    expect(await chat.waitForAnswer(/galvanised/u)).toContain('Anchor');
    await screenshot('memory-chat-after-edit');

    await chat.send('/memory');
    await chat.waitForAnswer(/passages in 5 files/u);
    await screenshot('memory-chat-status');
  });
});

it('searches while one types, shows each hit in the editor, and opens the one that is chosen', async () => {
  await withWorkbench('memory-search', { workspace: { files }, trust: 'trusted' }, async (bench) => {
    const { editors, palette, page, screenshot } = bench;
    const search = createSearch(page);
    await palette.run('Create: New File...');
    await palette.pick('Text File');
    await editors.waitForActive('Untitled');
    await search.open('impeller');
    await search.hit('Setup › Engine').waitFor();
    await editors.waitForActive('setup.md');
    await screenshot('memory-search-preview');

    await page.keyboard.press('Alt+Enter');
    await search.rows.filter({ hasText: /words \d/u }).waitFor();
    await screenshot('memory-search-why');
    await page.keyboard.press('Escape');
    await search.hit('Setup › Engine').waitFor();
    await screenshot('memory-search-back');
    await page.keyboard.press('Escape');
    await editors.waitForActive('Untitled');
    await editors.waitForClosed('setup.md');
    await screenshot('memory-search-cancelled');

    await search.open('the tide');
    await search.hit('Setup › Tides').waitFor();
    await screenshot('memory-search-tide');
    await page.keyboard.press('Enter');
    await editors.waitForActive('setup.md');
    await until('the cursor to stand at the passage', async () => (await editors.line()) === 5);
    await screenshot('memory-search-opened');
  });
});

/** Search Memory, by keys. */
function createSearch(page: Page) {
  const widget = page.locator('.quick-input-widget');
  const rows = widget.locator('.monaco-list-row');
  return {
    rows,
    async open(text: string): Promise<void> {
      await page.keyboard.press('Control+Alt+M');
      await widget.getByText('Search memory').waitFor();
      await page.keyboard.type(text);
    },
    hit: (headings: string): Locator => rows.filter({ hasText: headings }).first(),
  };
}
