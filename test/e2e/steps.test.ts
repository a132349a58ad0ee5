import { expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { clickOnce } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = {
  files: { 'README.md': '# Boat\n\nShe leaks.\n', 'format.mjs': 'export const zone = "UTC";\n' },
};

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

/** Those of the parts that stand in the text, each after the one before. */
function inOrder(text: string, parts: readonly string[]): readonly string[] {
  let at = 0;
  return parts.filter((part) => {
    const found = text.indexOf(part, at);
    if (found !== -1) at = found + part.length;
    return found !== -1;
  });
}

it('every call is a step with its outcome, which opens the call, survives a reload, and is told again where it failed', async ({
  withWorkbench,
}) => {
  await withWorkbench(
    'steps',
    { workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) },
    async (bench) => {
      const { chat, page, screenshot } = bench;
      const opened = bench.editors.rendered;
      server.script(
        toolCallAnswer([
          { name: 'read', arguments: { path: 'README.md' } },
          { name: 'grep', arguments: { pattern: 'UTC' } },
          { name: 'ls', arguments: {} },
        ]),
        toolCallAnswer(
          [
            { name: 'edit', arguments: { path: 'format.mjs', edits: [{ oldText: 'GMT', newText: 'CET' }] } },
            { name: 'glob', arguments: {} },
            { name: 'exec', arguments: { command: 'cat README.md nothing.txt' } },
            { name: 'exec', arguments: { command: 'echo "[a](command:workbench.action.quit)"' } },
          ],
          { text: 'I change the zone.' },
        ),
        textAnswer('All ', 'done.'),
      );
      await chat.send('Change the zone');
      const below = ['All done.', 'Failed: Edit format.mjs', 'Failed: Ran cat README.md'];
      expect(inOrder(await chat.waitForAnswer(...below), below)).toEqual(below);
      // The panel folds the steps once the answer is done; what failed is named below them all the same.
      await expect.poll(() => chat.answerText()).not.toContain('Listed .');
      expect(inOrder(await chat.answerText(), below)).toEqual(below);
      await screenshot('s-steps-folded');
      const answer = page.locator('.interactive-response').last();
      const steps = [
        'Read README.md · 3 lines',
        'Searched "UTC" · 1 hit',
        'Listed .',
        'I change the zone.',
        'Edit format.mjs · The oldText does not occur in format.mjs',
        'Ran cat README.md nothing.txt · exit 1',
        // What a model writes is text, not a link.
        'Ran echo "[a](command:workbench.action.quit)" · exit 0',
        'All done.',
        'Failed: Edit format.mjs',
        'Failed: Ran cat README.md nothing.txt',
      ];
      await chat.unfoldSteps('Listed .');
      const shown = async (): Promise<readonly string[]> => inOrder(await chat.answer().innerText(), steps);
      await expect.poll(shown).toEqual(steps);
      // A line that ends in a colon is no reason yet.
      await expect
        .poll(() => chat.answer().innerText())
        .toMatch(/The parameters of "glob" are not valid: [^\s-]/u);
      await screenshot('s-steps');

      await clickOnce(answer.getByRole('link', { name: 'Searched "UTC"' }));
      await opened.getByText('format.mjs:1').first().waitFor();
      expect(await opened.locator('h1, h2').first().innerText()).not.toContain('#');
      await bench.editors.waitForActive('grep UTC');
      await screenshot('s-step-opened');

      await bench.reload();
      await chat.unfoldSteps('Listed .');
      await expect.poll(shown).toEqual(steps);
      await clickOnce(answer.getByRole('link', { name: 'Read README.md' }));
      await opened.getByText('She leaks.').first().waitFor();
    },
  );
});
