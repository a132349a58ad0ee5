import { expect } from 'vitest';
import { it } from './withWorkbench.ts';

it('answers a question about the workspace signed out, with a link that opens the file at the line', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'built-in-answer',
    { workspace: { copyOf: 'examples/workspace' }, trust: 'trusted' },
    async ({ chat, editors, page, screenshot }) => {
      await chat.send('Why are times on disk in UTC?');
      const answer = await chat.waitForAnswer(/two 02:30 in October/u);
      expect(answer).toMatch(/no AI/u);
      await screenshot('a-built-in-answer');

      await chat.click('decisions.md');
      await editors.waitForActive('decisions.md');
      await expect.poll(() => editors.text()).toContain('UTC on disk');
      await expect.poll(() => editors.line()).toBeGreaterThan(1);
      await screenshot('a-file-link-opened');

      await chat.click('Add a model');
      await page.locator('.quick-input-widget').getByText('Add model: provider').waitFor();
      await page.keyboard.press('Escape');
    },
  );
});
