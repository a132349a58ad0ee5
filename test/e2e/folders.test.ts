import { expect } from 'vitest';
import { answerDialog, takeEntry } from './driver/dialogs.ts';
import { tryMs } from './driver/until.ts';
import { it } from './withWorkbench.ts';

it('works without a folder: it answers, has no file tools, and says so', async ({ withWorkbench }) => {
  await withWorkbench('no-folder', { workspace: 'none' }, async ({ chat, screenshot }) => {
    await chat.send('/status');
    await chat.waitForAnswer(/Folders: none/u);
    await chat.send('read README.md');
    await chat.waitForAnswer(/no folder|not available|no tool/iu);
    await screenshot('no-folder');
  });
});

it('takes every folder of a window as a root', async ({ withWorkbench }) => {
  const folders = {
    boat: { files: { 'README.md': '# Boat\n\nThe keel is made of lead.\n' } },
    shore: { files: { 'README.md': '# Shore\n\nThe lighthouse keeper is called Ines.\n' } },
  };
  await withWorkbench(
    'several-folders',
    { workspace: { folders }, trust: 'trusted' },
    async ({ chat, screenshot }) => {
      await chat.send('Who keeps the lighthouse?');
      await chat.waitForAnswer(/Ines/u);
      await chat.send('read shore/README.md');
      expect(await chat.waitForAnswer(/Ines/u)).not.toContain('lead');
      await screenshot('several-folders');
    },
  );
});

it('takes a folder that is added while it runs, and lets go of one that is removed', async ({
  withWorkbench,
}) => {
  const folders = {
    boat: { files: { 'README.md': '# Boat\n\nThe keel is made of lead.\n' } },
    shore: { files: { 'README.md': '# Shore\n\nThe lighthouse keeper is called Ines.\n' } },
  };
  await withWorkbench('folder-added-removed', { workspace: { folders }, trust: 'trusted' }, async (bench) => {
    await bench.chat.send('Who keeps the lighthouse?');
    await bench.chat.waitForAnswer(/Ines/u);

    const shore = bench.page.locator('.explorer-folders-view').getByText('shore', { exact: true });
    await takeEntry(
      bench.page,
      bench.page.locator('.monaco-menu').getByRole('menuitem', { name: 'Remove Folder from Workspace' }),
      () => shore.click({ button: 'right', timeout: tryMs }),
    );
    await shore.waitFor({ state: 'detached' });
    await bench.chat.send('read shore/README.md');
    expect(await bench.chat.waitForAnswer()).not.toContain('Ines');

    await bench.palette.run('Workspaces: Add Folder to Workspace...');
    await bench.palette.enterFolder(`${bench.workspace}/shore`, 'Add');
    // VS Code asks about a folder that left the workspace, unless it still counts as one that was trusted with it.
    const yes = bench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Yes' });
    await yes.or(shore).first().waitFor();
    if (await yes.isVisible()) await answerDialog(bench.page, 'Yes');
    await shore.waitFor();
    await bench.chat.send('Who keeps the lighthouse?');
    await bench.chat.waitForAnswer(/Ines/u);
    await bench.screenshot('folder-added');
  });
});
