import { expect, it } from 'vitest';
import { withWorkbench } from './withWorkbench.ts';

it('works without a folder: it answers, has no file tools, and says so', async () => {
  await withWorkbench('no-folder', { workspace: 'none' }, async ({ chat, screenshot }) => {
    await chat.send('/status');
    await chat.waitForAnswer(/Folders: none/u);
    await chat.send('read README.md');
    await chat.waitForAnswer(/no folder|not available|no tool/iu);
    await screenshot('no-folder');
  });
});

it('takes every folder of a window as a root', async () => {
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
