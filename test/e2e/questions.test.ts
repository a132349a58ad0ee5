import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'README.md': '# Boat\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const write = (path: string, content = 'x\n') =>
  toolCallAnswer([{ name: 'write', arguments: { path, content } }]);

const words = Array.from({ length: 400 }, (_, at) => `word-${String(at)}`).join(' ');
const long = `echo ${words.slice(0, 1_980)} && touch last.txt`;
const runLong = toolCallAnswer([{ name: 'exec', arguments: { command: long } }]);

/** What the status bar says for a while. */
const untilSaid = async ({ page }: Workbench, text: string): Promise<void> =>
  await page.locator('.statusbar-item').getByText(text).waitFor();

const isWritten = (bench: Workbench, path: string) => async (): Promise<boolean> =>
  (await bench.read(path)) !== undefined;

describe('no yes before all was on screen', () => {
  it('in the editor of the whole call: not before its end', async ({ withWorkbench }) => {
    server.script(runLong, textAnswer('Ran.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('whole-first', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, page, screenshot, views } = bench;
      const yes = page.locator('.editor-actions, .title-actions').getByRole('button', { name: 'Allow Once' });
      await views.open('Pincer', 'Approvals');
      await chat.send('Run it');
      await chat.waitForText('Run a command');
      await chat.click('Review…');
      await editors.waitForActive('Whole call');
      await until('the call', async () => (await editors.text()).includes('on screen'));
      await page.locator('.part.editor .monaco-editor .view-lines').first().click();
      await page.keyboard.press('ControlOrMeta+Enter');
      await untilSaid(bench, 'Not all of this was on screen yet');
      expect(await yes.count()).toBe(0);
      await screenshot('q-whole-call-not-read');
      const row = views.tree('Approvals').row('Run a command');
      await row.locator.hover();
      expect(await row.locator.getByRole('button', { name: 'Allow Once' }).count()).toBe(0);
      await row.expand();
      await views.tree('Approvals').row('Part 2').waitForText('touch last.txt');
      await screenshot('q-reason-and-parts');

      await page.locator('.part.editor .monaco-editor .view-lines').first().click();
      await page.keyboard.press('ControlOrMeta+End');
      await yes.waitFor();
      await screenshot('q-whole-call-read');
      await until('the yes to count', async () => {
        if (await isWritten(bench, 'last.txt')()) return true;
        if ((await yes.count()) > 0) await yes.click();
        return false;
      });
      await chat.waitForAnswer(/Ran\./u);
    });
  });

  it('of an edit whose diff did not open: the change in the chat, or the diff', async ({ withWorkbench }) => {
    const big = Array.from({ length: 100 }, (_, at) => `line ${String(at)} of the log\n`).join('');
    server.script(write('small.md', 'one\ntwo\n'), write('big.md', big), textAnswer('Both written.'));
    const home = homeWithModel(server.baseUrl);
    const options = { workspace, trust: 'trusted', home, leaves: 'a reload with another setting' } as const;
    await withWorkbench('edit-first', options, async (bench) => {
      await withSetting(bench, { 'pincer.review.openDiff': false }, async () => {
        const { chat, editors, notifications, palette, screenshot } = bench;
        await chat.send('Write both');
        await chat.waitForText('+two');
        expect(await notifications.buttons('Write small.md')).toEqual(['Review…', 'Deny', 'Say why…']);
        await screenshot('q-change-in-chat');
        await chat.decide('Allow once');

        await chat.waitForText('Write big.md');
        expect(await editors.tabs()).toEqual([]);
        await screenshot('q-change-too-long');
        await palette.run('Pincer: Allow Once');
        await editors.diff.waitFor();
        expect(await bench.read('big.md')).toBeUndefined();
        await editors.diff.titleAction('Accept');
        await chat.waitForAnswer(/Both written\./u);
        expect(await bench.read('small.md')).toBe('one\ntwo\n');
      });
    });
  });
});

/** Does the work in a window that has read this setting of the user. */
async function withSetting(
  bench: Workbench,
  setting: Readonly<Record<string, unknown>>,
  work: () => Promise<void>,
): Promise<void> {
  const before = await readFile(bench.settingsFile, 'utf8');
  await writeFile(bench.settingsFile, JSON.stringify({ ...(JSON.parse(before) as object), ...setting }));
  try {
    await bench.reload('at once');
    await work();
  } finally {
    await writeFile(bench.settingsFile, before);
  }
}
