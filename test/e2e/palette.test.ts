import { expect } from 'vitest';
import { textAnswer, toolCallAnswer } from '../builders/scriptedModelServer.ts';
import { atSize } from './driver/looks.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { isInTime, tryMs, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

/** Some that need a turn, a question, an edit or a session. */
const ofWork = ['Deny', 'Stop Running Turn', 'Accept Proposed Edits', 'Rename Session…'];
/** What the edit that waits can be answered with beside once and no; a line that writes by a redirection offers none of them. */
const ofEdit = ['Allow All Edits of This Turn…', 'Allow for This Session…', 'Always Allow…', 'Show Diff'];
/** Some that need what neither window has. */
const ofNothing = [
  'Repair Session',
  'Uninstall Plugin…',
  'Revoke Always Allow',
  'Restore Checkpoint…',
  'Open Agent File',
  'Allow All Requests of One Kind…',
];

/** Always there, and last by the alphabet. */
const last = 'Try Command…';

/** What the palette offers of Pincer, scrolled through to its end. */
async function offered({ page, screenshot }: Workbench, picture: string): Promise<readonly string[]> {
  const seen = new Set<string>();
  await atSize(page, { width: 1200, height: 1300 }, async () => {
    const box = page.locator('.quick-input-widget input.input');
    const labels = page.locator('.quick-input-list .monaco-list-row .label-name').filter({ visible: true });
    const first = labels.getByText('Pincer: Add Model…', { exact: true });
    // What opens in an editor at that moment closes it.
    await until('the commands in the palette', async () => {
      if (!(await box.isVisible())) await page.keyboard.press('F1');
      return await isInTime(async () => {
        await box.fill('>Pincer: ', { timeout: tryMs });
        await first.waitFor({ timeout: tryMs });
      });
    });
    await screenshot(picture);
    await until('the end of the list', async () => {
      for (const label of await labels.allInnerTexts()) seen.add(label.replace(/^Pincer: /u, ''));
      await page.keyboard.press('PageDown');
      return seen.has(last);
    });
    await page.keyboard.press('Escape');
  });
  return [...seen];
}

it('shows in the palette what can do something now', async ({ withWorkbench, server }) => {
  const write = toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: 'x\n' } }]);
  const command = 'touch a.md > b.md';
  const exec = toolCallAnswer([{ name: 'exec', arguments: { command } }]);
  server.script(write, exec, textAnswer('Done.'));
  const options = {
    workspace: { files: {} },
    trust: 'trusted',
    home: homeWithModel(server.baseUrl),
    fresh: 'no session may be there',
  } as const;
  await withWorkbench('palette', options, async (bench) => {
    const atFirst = await offered(bench, 'palette-at-first');
    expect(atFirst.filter((title) => [...ofWork, ...ofEdit, ...ofNothing].includes(title))).toEqual([]);
    /** VS Code hears a moment later what can do something, and a palette that is open stays as it is. */
    const untilOffered = async (picture: string, those: readonly string[], not: readonly string[]) => {
      const wanted = async (): Promise<readonly (readonly string[])[]> => {
        const titles = await offered(bench, picture);
        return [
          those.filter((title) => !titles.includes(title)),
          titles.filter((title) => not.includes(title)),
        ];
      };
      await expect.poll(wanted).toEqual([[], []]);
    };

    await bench.chat.send('Write the log.');
    await bench.editors.diff.waitFor();
    await untilOffered('palette-at-work', [...ofWork, ...ofEdit], ofNothing);

    await bench.palette.run('Pincer: Deny');
    await bench.chat.waitForText(command);
    await bench.editors.waitForClosed('log.md (proposed)');
    await untilOffered('palette-at-command', ['Allow Once'], [...ofEdit, ...ofNothing]);
    await bench.palette.run('Pincer: Deny');
    await bench.chat.waitForAnswer(/Done\./u);
  });
});
