import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { textAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { atSize, inTheme } from './driver/looks.ts';
import { answerDialog } from './driver/dialogs.ts';
import { createForm } from './driver/form.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { clickOnce, isInTime, tryMs, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'log.md': 'day one\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const options = (config: Readonly<Record<string, unknown>> = {}) =>
  ({ workspace, trust: 'trusted', home: homeWithModel(server.baseUrl, config) }) as const;

async function ask({ chat }: Workbench, question: string, answer: string): Promise<void> {
  server.script(textAnswer(answer));
  await chat.send(question);
  await chat.waitForAnswer(answer.slice(0, 40));
}

const input = ({ page }: Workbench) =>
  page.locator('.interactive-session .chat-input-container .monaco-editor').first();
const shownAnswer = ({ page }: Workbench, text: string | RegExp) =>
  page.locator('.interactive-response').getByText(text).first();

/** Only the Sessions view, so that all its rows are drawn. */
async function openView(bench: Workbench): Promise<ReturnType<Workbench['views']['tree']>> {
  await bench.views.open('Pincer', 'Sessions');
  return bench.views.tree('Sessions');
}

it('lists sessions, and renames, searches, exports, copies and deletes one with mouse and keyboard', async ({
  withWorkbench,
}) => {
  await withWorkbench('sessions', { ...options(), fresh: 'no session at first' }, async (bench) => {
    const { editors, page, palette, screenshot } = bench;
    const tree = await openView(bench);
    await tree.waitForWelcome('No session yet');
    await screenshot('n-empty');

    await ask(bench, 'When does the tide turn?', 'It turns at six.');
    await bench.newSession();
    await ask(
      bench,
      'Write down everything that you know about the anchor, its chain, the winch and the three knots that hold it all together in a storm',
      'The anchor is red.',
    );
    await tree.rowWith('When does the tide turn?').waitForText('2 messages');
    await tree.rowWith('Write down everything').locator.waitFor();
    await expect.poll(() => tree.labels()).toContain('Today');
    await screenshot('n-two-sessions');

    // By keyboard: the focus moves with the arrows, F2 renames.
    const focused = page.locator('.monaco-list-row.focused');
    // The tree may just be drawn anew, and forget where the focus was.
    await until('the box of the other session', async () => {
      // A click on a row that moves in that moment meets the one above it, which folds.
      await tree.row('Today').expand();
      await tree.rowWith('Write down everything').click();
      await page.keyboard.press('ArrowDown');
      if ((await focused.getByText('When does the tide turn?').count()) !== 1) return false;
      await page.keyboard.press('F2');
      return await isInTime(() =>
        page.locator('.quick-input-widget input.input').waitFor({ timeout: tryMs }),
      );
    });
    await screenshot('n-rename');
    await palette.enter('Tides of Brest');
    await tree.row('Tides of Brest').locator.waitFor();

    await tree.titleAction('Search Sessions…');
    await page.locator('.quick-input-widget input.input').fill('anchor red');
    const found = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'Write down' });
    await found.waitFor();
    const rows = page.locator('.quick-input-widget .monaco-list-row');
    await until('only one to be found', async () => (await rows.count()) === 1);
    await screenshot('n-search');
    await page.locator('.quick-input-widget input.input').fill('nobody said this');
    await until('nothing to be found', async () =>
      (await palette.entries()).join().includes('No session has all of these words'),
    );
    await screenshot('n-search-nothing');
    await page.keyboard.press('Escape');

    await tree.row('Tides of Brest').menu('Export Session as Markdown…');
    await editors.waitForText('It turns at six.');
    await screenshot('n-export');

    await tree.row('Tides of Brest').press('Delete');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await screenshot('n-delete');
    expect(await dialog.innerText()).toContain('Delete the session “Tides of Brest”?');
    await answerDialog(page, 'Delete');
    await tree.row('Tides of Brest').locator.waitFor({ state: 'detached' });
    await screenshot('n-deleted');
  });
});

it('goes on with a session in a new chat, and forks one whole and before a turn', async ({
  withWorkbench,
}) => {
  await withWorkbench('sessions-resume', options(), async (bench) => {
    const { chat, palette, page, screenshot } = bench;
    const tree = await openView(bench);
    await ask(bench, 'Remember that the anchor is red', 'Noted.');
    await ask(bench, 'And the winch is blue', 'Noted as well.');
    await bench.newSession();

    // The end of the turn draws the rows anew, and the focus is lost.
    await tree.rowWith('Remember that').waitForText('4 messages');
    await tree.rowWith('Remember that').press('Enter');
    await shownAnswer(bench, 'This chat goes on with').waitFor();
    await shownAnswer(bench, 'Noted as well.').waitFor();
    // The message of the new chat shows no id.
    await expect
      .poll(() => chat.messages())
      .toContainEqual(expect.stringMatching(/\/resume\s+“Remember that the anchor is red”$/u));
    await shownAnswer(bench, '4 messages carried over: the last ones stand below').waitFor();
    const resumed = page.locator('.interactive-response').last();
    // An answer that is done is drawn anew, folded.
    await resumed.getByText('Noted.', { exact: true }).waitFor({ state: 'hidden' });
    await screenshot('n-resumed');
    await clickOnce(resumed.getByText(/^Completed/u));
    await resumed.getByText('Noted.', { exact: true }).waitFor();
    await screenshot('n-resumed-unfolded');
    await clickOnce(resumed.getByText('Show the whole conversation'));
    await bench.editors.waitForActive('Remember that the anchor is red.md');
    const whole = createForm(page).frame;
    await whole.getByText('Noted as well.').waitFor();
    await screenshot('n-whole-conversation');
    await ask(bench, 'What colour is the winch?', 'Blue.');
    const sent = JSON.stringify(server.requests.at(-1)?.body?.messages);
    expect(sent).toContain('the anchor is red');
    expect(sent).toContain('the winch is blue');

    // The end of the turn draws the rows anew, and a menu over a row that is drawn anew does not know its session.
    await tree.rowWith('Remember that').waitForText('6 messages');
    await tree.rowWith('Remember that').menu('Fork Session from Turn…');
    const turns = async (): Promise<string> => (await palette.entries()).join();
    await until('the turns', async () => (await turns()).includes('And the winch is blue'), { seen: turns });
    await screenshot('n-fork-turns');
    await palette.pick('And the winch is blue');
    await shownAnswer(bench, 'This chat goes on after “Remember that the anchor is red”').waitFor();
    await shownAnswer(bench, '2 messages carried over.').waitFor();
    await shownAnswer(bench, 'Noted.').waitFor();
    await until('the message to wait in the input', async () =>
      (await input(bench).innerText()).replace(/\u00A0/gu, ' ').includes('@pincer And the winch is blue'),
    );
    await screenshot('n-forked-before-turn');
    await ask(bench, 'And the winch is green', 'Green then.');
    const forked = JSON.stringify(server.requests.at(-1)?.body?.messages);
    expect(forked).toContain('the anchor is red');
    expect(forked).not.toContain('winch is blue');
    const hasFork = async (): Promise<boolean> =>
      (await tree.labels()).some((label) => label.includes('Remember that the anchor is red (fork)'));
    await until('the fork in the list, under a name of its own', hasFork);
    await screenshot('n-forks');
    await expect.poll(() => chat.messages()).toHaveLength(2);
  });
});

it('tells session, model, settings, context and cost, and changes them by what is typed', async ({
  withWorkbench,
}) => {
  await withWorkbench('session-settings', options(), async (bench) => {
    const { chat, screenshot } = bench;
    await ask(bench, 'Hello', 'Hello to you.');
    await chat.send('/set temperature 0.3');
    await chat.waitForAnswer(/temperature 0\.3/u);
    await chat.send('/set temperature hot');
    await chat.waitForAnswer(/a number from 0 to 2/u);
    await chat.send('/model');
    await chat.waitForAnswer(/loopback\/scripted/u);
    await chat.send('/agent');
    await chat.waitForAnswer(/main/u);
    await screenshot('n-settings');
    await chat.send('/status');
    await chat.waitForAnswer(
      /Session: “Hello”/u,
      'temperature 0.3 (this session)',
      'the default in the config',
      /Context: ~?\d+%/u,
    );
    await screenshot('n-status');
    await expect.poll(() => bench.statusText()).toMatch(/Pincer ~?\d+% · Scripted/u);
    await ask(bench, 'Again', 'Again to you.');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('"temperature":0.3');

    await chat.send('/status');
    await chat.waitForAnswer(/Show prompt/u);
    await chat.click('Show prompt');
    await bench.editors.waitForActive(/Prompt of Hello/u);
    const preview = createForm(bench.page).frame;
    await preview.getByText('Added by').first().waitFor();
    await preview.getByRole('heading', { name: 'Tools', exact: true }).waitFor();
    await screenshot('n-prompt');
    // It has a tab of its own, and one only.
    await bench.palette.run('Pincer: Open User Config');
    await bench.editors.waitForActive('config.jsonc');
    await chat.click('Show prompt');
    await bench.editors.waitForActive(/Prompt of Hello/u);
    await expect.poll(() => bench.editors.tabs()).toEqual(['Prompt of Hello.md', 'config.jsonc']);
  });
});

it('shortens a conversation on the word of the user, and shows the summary', async ({ withWorkbench }) => {
  const config = { agent: { compaction: { keepTokens: 1_000 } } };
  await withWorkbench('session-compact', options(config), async (bench) => {
    const { chat, editors, screenshot } = bench;
    const long = 'The anchor, its chain and the winch. '.repeat(50);
    for (let turn = 0; turn < 4; turn += 1)
      await ask(bench, `Question ${String(turn)}`, `${String(turn)}: ${long}`);
    server.answerAll(() => textAnswer('## Goals\nKeep the anchor red.\n\n## Open tasks\nPaint the winch.'));
    await chat.send('/compact keep the colours');
    await chat.waitForAnswer(/compacted: about/u);
    await screenshot('n-compacted');
    expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('keep the colours');
    await chat.click('Show summary');
    await editors.waitForActive(/Summary of the conversation/u);
    await editors.waitForText('Keep the anchor red.');
    await screenshot('n-summary');
    await chat.send('Go on');
    await chat.waitForAnswer();
    const sent = JSON.stringify(server.requests.at(-1)?.body?.messages);
    expect(sent).toContain('Keep the anchor red.');
    expect(sent).not.toContain('0: The anchor, its chain');
  });
});

it('stays readable in a narrow side bar and in a dark theme', async ({ withWorkbench }) => {
  await withWorkbench('sessions-narrow', options(), async (bench) => {
    const { page, screenshot } = bench;
    const narrow = { width: 800, height: 600 };
    await atSize(page, narrow, () =>
      inTheme(bench, 'Dark Modern', async () => {
        const tree = await openView(bench);
        await ask(bench, 'Write down everything that you know about the anchor and its chain', 'Noted.');
        await tree.rowWith('Write down').locator.waitFor();
        await tree.rowWith('Write down').locator.hover();
        await screenshot('n-narrow-dark');
        expect(await tree.rowWith('Write down').text()).toContain('Write down');
      }),
    );
  });
});

it('offers to repair a session whose first line is damaged, and goes on with it then', async ({
  withWorkbench,
}) => {
  await withWorkbench('sessions-repair', options(), async (bench) => {
    const { chat, notifications, page, screenshot } = bench;
    await ask(bench, 'Remember that the buoy is green', 'Noted, green.');
    const folder = join(bench.state, 'sessions');
    const texts = await Promise.all(
      (await readdir(folder))
        .filter((name) => name.endsWith('.jsonl'))
        .map(async (name) => [join(folder, name), await readFile(join(folder, name), 'utf8')] as const),
    );
    const [file, text] = texts.find(([, each]) => each.includes('the buoy is green')) ?? ['', ''];
    await bench.newSession();
    await writeFile(file, text.replace(/^.*\n/u, 'x\n'));
    await bench.reload();

    const tree = await openView(bench);
    const damaged = tree.rowWith('Unreadable session');
    await damaged.locator.waitFor();
    const hover = page.locator('.monaco-hover').filter({ hasText: 'has no readable first line' });
    // The rows are drawn anew once more after the reload, and a hover goes with its row.
    const shown = await until('the hover of the row', async () => {
      await damaged.click();
      for (const key of ['K', 'I']) await page.keyboard.press(`ControlOrMeta+${key}`);
      await isInTime(() => hover.waitFor({ timeout: 3_000 }));
      return (await hover.allInnerTexts())[0];
    });
    expect(shown).not.toMatch(/Started:|1970|0 messages/u);
    await screenshot('n-damaged');
    // It holds the keyboard, and may lie over what the mouse goes for.
    await page.keyboard.press('Escape');
    await hover.waitFor({ state: 'detached' });
    await damaged.menu('Repair Session');
    const told = `The damaged file is kept beside it: ${basename(file)}.damaged`;
    expect(await notifications.buttons(told)).toEqual(['Show File']);
    expect(await readFile(`${file}.damaged`, 'utf8')).toMatch(/^x\n/u);
    await tree.rowWith('Remember that the buoy').locator.waitFor();
    await screenshot('n-repaired');

    // The chat offers the same where it stumbles over such a session.
    const resume = `/resume ${basename(file, '.jsonl')}`;
    await writeFile(file, text.replace(/^.*\n/u, 'y\n'));
    await chat.send(resume);
    await chat.waitForAnswer('Repair Session');
    await screenshot('n-damaged-in-chat');
    await chat.click('Repair Session');
    await expect.poll(() => readFile(file, 'utf8')).not.toMatch(/^y/u);
    await expect.poll(() => readFile(`${file}.damaged`, 'utf8')).toMatch(/^y\n/u);
    await chat.send(resume);
    await shownAnswer(bench, 'This chat goes on with').waitFor();
    await shownAnswer(bench, 'Noted, green.').waitFor();
    await ask(bench, 'Which colour has the buoy?', 'Green.');
    expect(JSON.stringify(server.requests.at(-1)?.body?.messages)).toContain('the buoy is green');
    expect(await chat.waitForAnswer('Green.')).toContain('Green.');
  });
});

it('shows what a plugin keeps of a session, and lets one change and clear it', async ({ withWorkbench }) => {
  const home = {
    ...homeWithModel(server.baseUrl),
    'plugins/tide/openclaw.plugin.json': JSON.stringify({
      id: 'tide',
      version: '1.0.0',
      configSchema: { type: 'object' },
    }),
    'plugins/tide/index.js': `module.exports = { id: 'tide', register(api) {
      api.session.state.registerSessionExtension({ namespace: 'table', description: 'Which table holds.' });
      api.on('before_prompt_build', async (event, { sessionKey }) => {
        await api.session.state.patchSessionExtension({ sessionKey, namespace: 'table', value: { port: 'Brest' } });
      });
    } };`,
  };
  await withWorkbench('sessions-state', { workspace, trust: 'trusted', home }, async (bench) => {
    const tree = await openView(bench);
    await ask(bench, 'When does the tide turn?', 'It turns at six.');
    await tree.rowWith('When does the tide turn?').waitForText('2 messages');
    // Its row stands open while its turn runs, and folds once that has ended.
    await tree.row('Running').locator.waitFor({ state: 'detached' });
    await tree.rowWith('When does the tide turn?').expand();
    await tree.row('table').waitForText('{"port":"Brest"} · tide');
    await bench.screenshot('n-state');
    await tree.row('table').press('Enter');
    await bench.page.locator('.quick-input-widget input.input').fill('{"port":');
    await bench.page.getByText('This is not valid JSON').waitFor();
    await bench.screenshot('n-state-edit');
    await bench.palette.enter('{"port":"Le Havre"}');
    await tree.row('table').waitForText('Le Havre');
    await tree.row('table').action('Clear Plugin State');
    await tree.row('table').locator.waitFor({ state: 'detached' });
    await bench.screenshot('n-state-cleared');
  });
});
