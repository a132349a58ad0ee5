import { watch } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { findExtensionHost, findInWorkspace } from './driver/extensionHost.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { until } from './driver/until.ts';
import { untilYesCounts } from './untilYesCounts.ts';
import { homeWithModel, it } from './withWorkbench.ts';

type Files = Readonly<Record<string, string>>;

const names = Array.from({ length: 24 }, (_, at) => `log-${String(at + 1).padStart(2, '0')}.md`);
const logs = (second: string): Files =>
  Object.fromEntries(names.map((name) => [name, `${name}\n${second}\nthe end\n`]));
const before: Files = { ...logs('wind'), 'old.md': 'gone soon\n', 'still.md': 'nobody touches this\n' };
const after: Files = {
  ...logs('rain'),
  'plans/home.md': 'Sail home.\n',
  'still.md': 'nobody touches this\n',
};

/** Changes every log, makes a file and deletes one. */
const patch = [
  '*** Begin Patch',
  ...names.flatMap((name) => [`*** Update File: ${name}`, '@@', ` ${name}`, '-wind', '+rain', ' the end']),
  '*** Add File: plans/home.md',
  '+Sail home.',
  '*** Delete File: old.md',
  '*** End Patch',
].join('\n');

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const patchAnswer = () => toolCallAnswer([{ name: 'apply_patch', arguments: { input: patch } }]);

/** Every file of the workspace, whatever it is called; folders only where they are empty. */
async function filesOf({ workspace }: Workbench): Promise<Files> {
  const entries = await readdir(workspace, { recursive: true, withFileTypes: true });
  const pathsOf = (isFolder: boolean): readonly string[] =>
    entries.filter((each) => each.isDirectory() === isFolder).map((each) => join(each.parentPath, each.name));
  const empty = pathsOf(true)
    .filter((folder) => entries.every((each) => each.parentPath !== folder))
    .map((folder) => [`${relative(workspace, folder)}/`, ''] as const);
  const paths = pathsOf(false);
  const texts = paths.map(async (path) => [relative(workspace, path), await readFile(path, 'utf8')] as const);
  return Object.fromEntries([...empty, ...(await Promise.all(texts))]);
}

/** Opens the view, which loads what answers; it shows its rows when all that was cut off is cleaned up. */
async function loadPincer({ views }: Workbench): Promise<void> {
  await views.open('Pincer');
  await views.tree('Plugins').row('Audit log').locator.waitFor();
}

const untilAsked = ({ chat }: Workbench): Promise<unknown> => chat.waitForText('Accept all');

it('a question that was open when the extension host was killed has written nothing and can be asked again', async ({
  withWorkbench,
}) => {
  server.script(patchAnswer(), patchAnswer(), textAnswer('Resumed and done.'));
  const home = homeWithModel(server.baseUrl);
  const options = { workspace: { files: before }, trust: 'trusted', home } as const;
  await withWorkbench('crash-asked', options, async (bench) => {
    const { chat, editors, page, screenshot, views } = bench;
    await chat.send('Bring the logs up to date');
    await page.locator('.codelens-decoration a').first().waitFor();
    await untilAsked(bench);
    await screenshot('k-before-kill');
    const host = await findExtensionHost(bench);
    host.kill();
    await host.ended();
    expect(await filesOf(bench)).toEqual(before);
    await screenshot('k-after-kill');

    await bench.reload();
    await loadPincer(bench);
    await screenshot('k-after-reload');
    expect(await filesOf(bench)).toEqual(before);
    const approvals = views.tree('Approvals');
    await approvals.row('Interrupted').locator.waitFor();
    const title = await until('the question below the first group', async () => {
      const [group, first] = await approvals.labels();
      return group === 'Interrupted' && first;
    });

    await approvals.row(title).action('Resume and Ask Again');
    await page.getByText('asked before the window was reloaded, and unchanged').first().waitFor();
    await screenshot('k-asked-again');
    expect(await filesOf(bench)).toEqual(before);
    await page.locator('.codelens-decoration a').first().waitFor();
    await editors.diff.waitForNewText('log-01.md\nrain\nthe end');
    await untilYesCounts(bench);
    await editors.diff.titleAction('Accept Proposed Edits');
    await page.locator('.interactive-response').getByText('Resumed and done.').waitFor();
    await screenshot('k-resumed');
    await until('the turn to end', async () => !(await chat.isRunning()));
    expect(await filesOf(bench)).toEqual(after);
  });
});

/** When the extension host is killed: as soon as a file with such a name appears or changes in this folder. */
const moments: readonly {
  readonly name: string;
  readonly folder: (bench: Workbench) => string;
  readonly file: RegExp;
}[] = [
  {
    name: 'the first new content lies beside its file',
    folder: ({ workspace }) => workspace,
    file: /^\.pincer-.*\.tmp$/u,
  },
  { name: 'the change is written down', folder: turnsFolder, file: /\.jsonl$/u },
  { name: 'the first file has changed', folder: ({ workspace }) => workspace, file: /^log-\d+\.md$/u },
];

/** Where changes are written down; it is there once one was made. */
function turnsFolder({ state }: Workbench): string {
  return join(state, 'checkpoints', 'turns');
}

async function resetFiles({ workspace }: Workbench): Promise<void> {
  for (const name of await readdir(workspace)) await rm(join(workspace, name), { recursive: true });
  for (const [name, text] of Object.entries(before)) await writeFile(join(workspace, name), text);
}

async function openFile({ editors, page, palette }: Workbench, name: string): Promise<void> {
  await palette.openFile(name);
  await editors.waitForActive(name);
  // For good: the next one would take the place of a preview.
  await page.locator('.part.editor .tab.active').dblclick();
}

async function killAt(bench: Workbench, { folder, file }: (typeof moments)[number]): Promise<void> {
  const host = await findExtensionHost(bench);
  let isKilled = false;
  const watcher = watch(folder(bench), (_event, name) => {
    if (isKilled || name === null || !file.test(name)) return;
    isKilled = true;
    host.kill();
  });
  try {
    // A yes in the first half second does not count.
    await bench.chat.clickUntil('Accept all', () => isKilled);
    await host.ended();
  } finally {
    watcher.close();
  }
}

it('a change that the kill cut off right after the yes is made or taken back as a whole, and leaves nothing beside it', async ({
  withWorkbench,
}) => {
  const home = homeWithModel(server.baseUrl);
  const options = { workspace: { files: before }, trust: 'trusted', home } as const;
  await withWorkbench('crash-allowed', options, async (bench) => {
    for (const moment of moments) {
      await resetFiles(bench);
      server.script(patchAnswer());
      await bench.chat.send(`Bring the logs up to date, ${moment.name}`);
      await untilAsked(bench);
      await killAt(bench, moment);

      await bench.reload();
      await loadPincer(bench);
      await bench.screenshot(`k-recovered-${moments.indexOf(moment)}`);
      expect([before, after], `killed when ${moment.name}`).toContainEqual(await filesOf(bench));
    }
  });
});

it('a change that the kill cut off between two open files is taken back in their editors too, without a reload', async ({
  withWorkbench,
}) => {
  const home = homeWithModel(server.baseUrl);
  // What the editor holds is neither written by itself nor lost.
  const options = {
    workspace: { files: before },
    trust: 'trusted',
    home,
    leaves: 'a host that was killed',
  } as const;
  await withWorkbench('crash-open-files', options, async (bench) => {
    const { editors, page, screenshot, workspace } = bench;
    const open = ['log-01.md', 'log-02.md'];
    for (const name of open) await openFile(bench, name);
    server.script(patchAnswer());
    await bench.chat.send('Bring the logs up to date');
    await untilAsked(bench);
    await killAt(bench, {
      name: 'the first is saved',
      folder: () => workspace,
      file: /^log-\d+\.md$/u,
    });
    await screenshot('k-open-files-cut');

    await loadPincer(bench);
    await until('no unsaved text', async () => (await page.locator('.part.editor .tab.dirty').count()) === 0);
    await screenshot('k-open-files-recovered');
    expect([before, after]).toContainEqual(await filesOf(bench));
    await editors.waitForActive('log-02.md');
    await expect
      .poll(async () => (await editors.text()).trim())
      .toBe((await bench.read('log-02.md'))?.trim());
  });
});

it('a command that the killed extension host left in the background is ended at the next start', async ({
  withWorkbench,
}) => {
  const command = ['sleep', '299'] as const;
  server.script(
    toolCallAnswer([{ name: 'exec', arguments: { command: command.join(' '), background: true } }]),
    textAnswer('It is running.'),
  );
  const home = homeWithModel(server.baseUrl);
  const options = { workspace: { files: before }, trust: 'trusted', home } as const;
  await withWorkbench('crash-background', options, async (bench) => {
    try {
      await bench.chat.send('Wait a while');
      await bench.chat.waitForText('Run a command');
      await bench.chat.decide('Allow once');
      await bench.chat.waitForAnswer(/It is running\./u);
      await expect.poll(() => findInWorkspace(bench, command)).toHaveLength(1);
      const host = await findExtensionHost(bench);
      host.kill();
      await host.ended();
      expect(await findInWorkspace(bench, command)).toHaveLength(1);

      await bench.reload();
      await loadPincer(bench);
      await bench.screenshot('k-command-ended');
      await expect.poll(() => findInWorkspace(bench, command)).toEqual([]);
    } finally {
      for (const pid of await findInWorkspace(bench, command)) process.kill(pid, 'SIGKILL');
    }
  });
});
