import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import {
  hangingAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import { answerDialog } from './driver/dialogs.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { clickOnce, isInTime, seeing, tryMs, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'log.md': 'day one\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

/** What the model was sent last that the user has said, oldest first. */
function saidLast(): readonly string[] {
  const messages = server.requests.at(-1)?.body?.messages ?? [];
  const all = messages.filter(({ role }) => role === 'user').map((each) => JSON.stringify(each));
  return ['first words', 'second words', 'third words', 'other words'].flatMap((words) =>
    all.filter((each) => each.includes(words)).map(() => words),
  );
}

const answers = ({ page }: Workbench) => page.locator('.interactive-session .interactive-response');
const message = ({ page }: Workbench, text: string) =>
  page.locator('.interactive-session .monaco-list-row.request').filter({ hasText: text }).last();

const write = (path: string, content: string): ScriptedAnswer =>
  toolCallAnswer([{ name: 'write', arguments: { path, content } }]);

async function retry(bench: Workbench): Promise<void> {
  const last = answers(bench).last();
  await clickOnce(last.getByRole('button', { name: /Retry/u }), () => last.hover({ timeout: tryMs }));
}

/** Says something else in place of a message. */
async function edit(bench: Workbench, words: string, instead: string): Promise<void> {
  // The message has an input of its own then, which takes the keyboard a moment later.
  const input = bench.page.locator('.interactive-request.editing .monaco-editor.focused');
  await until('the input of the message', async () => {
    await isInTime(() => message(bench, words).locator('.value').click({ timeout: tryMs }));
    return await isInTime(() => input.waitFor({ timeout: tryMs }));
  });
  await bench.page.keyboard.press('ControlOrMeta+A');
  await bench.page.keyboard.insertText(`@pincer ${instead}`);
  await bench.page.keyboard.press('Enter');
}

async function talk({ chat, read }: Workbench): Promise<void> {
  server.script(textAnswer('One.'), write('log.md', 'day two\n'), textAnswer('Two.'), textAnswer('Three.'));
  await chat.send('first words');
  await chat.waitForAnswer(/One\./u);
  await chat.send('second words');
  await chat.waitForText('Write log.md');
  await chat.decide('Allow once');
  await chat.waitForAnswer(/Two\./u);
  expect(await read('log.md')).toBe('day two\n');
  await chat.send('third words');
  await chat.waitForAnswer(/Three\./u);
}

it('what is taken out of the panel is not sent again: by Retry, by an edited message, by Restore Checkpoint', async ({
  withWorkbench,
}) => {
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('removed-turns', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, page, screenshot, read } = bench;
    await talk(bench);
    expect(saidLast()).toEqual(['first words', 'second words', 'third words']);

    // Retry says the last message again, once, however often.
    for (const text of ['Three again.', 'Three once more.']) {
      server.script(textAnswer(text));
      await retry(bench);
      await answers(bench).getByText(text).waitFor();
      await until('the answer to be done', async () => !(await chat.isRunning()));
      expect(saidLast()).toEqual(['first words', 'second words', 'third words']);
    }
    await screenshot('r-retried');
    await bench.views.open('Pincer', 'Sessions');
    const sessions = bench.views.tree('Sessions');
    // Of several with one first message each has a name of its own.
    for (const name of ['first words (fork)', 'first words (fork 2)'])
      await sessions.row(name).locator.waitFor();

    // An edited message takes those after it away; the files stay, and that is said.
    server.script(textAnswer('Two, otherwise.'));
    await edit(bench, 'second words', 'other words');
    await answers(bench).getByText('Two, otherwise.').waitFor();
    expect(saidLast()).toEqual(['first words', 'other words']);
    await answers(bench).getByText('1 file of the removed turns is still changed (log.md)').waitFor();
    await screenshot('r-edited');

    await clickOnce(answers(bench).getByText('Restore…').last());
    await answerDialog(page, 'Restore');
    await until('the file to be back', async () => (await read('log.md')) === 'day one\n');

    server.script(textAnswer('Fresh.'));
    await chat.send('third words');
    const fresh = await chat.waitForAnswer(/Fresh\./u);
    expect(fresh).not.toContain('still changed');
    expect(saidLast()).toEqual(['first words', 'third words', 'other words']);

    // Restore Checkpoint takes it and what follows away; another message comes in its place.
    await clickOnce(page.locator('.interactive-session').getByText('Restore Checkpoint').last(), () =>
      message(bench, 'third words').hover({ timeout: tryMs }),
    );
    await screenshot('r-restoring');
    await message(bench, 'third words').waitFor({ state: 'detached' });
    server.script(textAnswer('Restored.'));
    await chat.send('second words');
    await chat.waitForAnswer(/Restored\./u);
    expect(saidLast()).toEqual(['first words', 'second words', 'other words']);
  });
});

it('what /resume brings back goes on, also where it was taken out of this chat', async ({
  withWorkbench,
}) => {
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('removed-resumed', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat } = bench;
    server.script(...['One.', 'Two.', 'Two again.', 'Three.'].map((text) => textAnswer(text)));
    await chat.send('first words of the boat');
    await chat.waitForAnswer(/One\./u);
    await chat.send('second words');
    await chat.waitForAnswer(/Two\./u);
    const folder = join(bench.state, 'sessions');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const first = files[texts.findIndex((text) => text.includes('of the boat'))] ?? '';
    await retry(bench);
    await answers(bench).getByText('Two again.').waitFor();
    await until('the answer to be done', async () => !(await chat.isRunning()));
    await chat.send(`/resume ${basename(first, '.jsonl')}`);
    await chat.waitForAnswer(/first words/u);
    await chat.send('third words');
    await chat.waitForAnswer(/Three\./u);
    expect(saidLast()).toEqual(['first words', 'second words', 'third words']);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Two.');
  });
});

it('turns of a session that /new began are told of, too, where they were taken out together with it', async ({
  withWorkbench,
}) => {
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('removed-new', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat } = bench;
    server.script(textAnswer('One.'), write('log.md', 'day two\n'), textAnswer('Two.'));
    await chat.send('first words');
    await chat.waitForAnswer(/One\./u);
    await chat.send('/new');
    await chat.waitForAnswer(/new session/iu);
    await chat.send('second words');
    await chat.waitForText('Write log.md');
    await chat.decide('Allow once');
    await chat.waitForAnswer(/Two\./u);
    expect(saidLast()).toEqual(['second words']);

    server.script(textAnswer('Otherwise.'));
    await edit(bench, '/new', 'other words');
    await answers(bench).getByText('Otherwise.').waitFor();
    expect(saidLast()).toEqual(['first words', 'other words']);
    await answers(bench).getByText('1 file of the removed turns is still changed (log.md)').waitFor();
  });
});

it('a first message that is said again, or otherwise, takes its turn out, too: files of all removed turns in one line, and what waits comes along', async ({
  withWorkbench,
}) => {
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('removed-first', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, page, palette, screenshot, read } = bench;
    server.script(write('log.md', 'day two\n'), hangingAnswer('One, and '));
    await chat.send('first words');
    await chat.waitForText('Write log.md');
    await chat.decide('Allow once');
    await chat.waitForText('One, and');
    await palette.run('Pincer: Queue Follow-up…');
    await palette.enter('third words');
    await page.locator('.statusbar-item[id*="pincer.waiting"]').filter({ hasText: '1 waiting' }).waitFor();
    await palette.run('Pincer: Stop Running Turn');
    await chat.waitForAnswer(/Still waiting, read in the next turn/u);

    // Retry: the model reads the message once, and what waited after it.
    server.script(write('plan.md', 'south\n'), textAnswer('One again.'), textAnswer('And the third.'));
    await retry(bench);
    await chat.waitForText('Write plan.md');
    expect(saidLast()).toEqual(['first words']);
    await chat.decide('Allow once');
    await chat.waitForAnswer(/And the third\./u);
    expect(saidLast()).toEqual(['first words', 'third words']);
    await chat.waitForText('1 file of the removed turns is still changed');
    await screenshot('r-first-retried');

    // An edited first message: both turns are gone now, each in a session of its own.
    server.script(textAnswer('Otherwise.'));
    await edit(bench, 'first words', 'other words');
    await answers(bench).getByText('Otherwise.').waitFor();
    expect(saidLast()).toEqual(['other words']);
    await answers(bench)
      .getByText('2 files of the removed turns are still changed (log.md, plan.md)')
      .waitFor();
    await screenshot('r-first-edited');
    await clickOnce(answers(bench).getByText('Restore…').last());
    await answerDialog(page, 'Restore');
    const areBack = async (): Promise<boolean> =>
      (await read('log.md')) === 'day one\n' && (await read('plan.md')) === undefined;
    await until('both files to be back', areBack);

    // Keep: nobody speaks of them any more.
    server.script(write('log.md', 'day three\n'), textAnswer('Two.'));
    await chat.send('second words');
    await chat.waitForText('Write log.md');
    await chat.decide('Allow once');
    await chat.waitForAnswer(/Two\./u);
    server.script(textAnswer('Two again.'));
    await retry(bench);
    await answers(bench).getByText('1 file of the removed turns is still changed').waitFor();
    // What was restored before is not spoken of again.
    await clickOnce(answers(bench).getByText('Restore…').last());
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Restore 1 file to before “second words”?').waitFor();
    await answerDialog(page, 'Cancel');
    await seeing(page.locator('.statusbar').getByText('The files stay as they are.'), () =>
      clickOnce(answers(bench).getByText('Keep', { exact: true }).last()),
    );
    server.script(textAnswer('Three.'));
    await chat.send('third words');
    expect(await chat.waitForAnswer(/Three\./u)).not.toContain('still changed');
    expect(saidLast()).toEqual(['second words', 'third words', 'other words']);
    expect(await read('log.md')).toBe('day three\n');
  });
});
