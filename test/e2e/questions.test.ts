import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { textAnswer, toolCallAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import { atPartWidth, withoutFocus } from './driver/looks.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { hoverUntil, isInTime, seeing, until } from './driver/until.ts';
import { writeFolder } from './driver/writeFiles.ts';
import { untilYesCounts } from './untilYesCounts.ts';
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

const sentLast = (): string => JSON.stringify(server.requests.at(-1)?.body?.messages);

/** Does what the status bar says this about, for a while. */
const saying = async ({ page }: Workbench, text: string, work: () => Promise<unknown>): Promise<void> =>
  await seeing(page.locator('.statusbar-item').getByText(text).first(), work);

const isWritten = (bench: Workbench, path: string) => async (): Promise<boolean> =>
  (await bench.read(path)) !== undefined;

describe('a click that comes late', () => {
  it('on Accept all says quietly what was decided', async ({ withWorkbench }) => {
    const input = '*** Begin Patch\n*** Add File: a.md\n+a\n*** Add File: b.md\n+b\n*** End Patch';
    server.script(
      toolCallAnswer([{ name: 'apply_patch', arguments: { input } }]),
      write('next.md'),
      textAnswer('All asked.'),
    );
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('late-accept-all', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, notifications, screenshot } = bench;
      await chat.send('Write them');
      await chat.waitForText('Accept all');
      await editors.diff.codeLens('Deny');
      await chat.waitForText('Write next.md');
      await editors.diff.waitFor();
      for (const label of ['Accept all', 'Reject all']) {
        await saying(bench, 'Answered already: Denied in the edit review', () => chat.click(label));
      }
      await screenshot('q-late-accept-all');
      expect(await notifications.texts()).toEqual([]);
      expect([await bench.read('a.md'), await bench.read('next.md')]).toEqual([undefined, undefined]);
      await editors.diff.titleAction('Reject');
      await chat.waitForAnswer(/All asked\./u);
    });
  });

  it('on a notification says so, and neither opens the call nor brings the question back', async ({
    withWorkbench,
  }) => {
    server.script(runLong, textAnswer('Not run.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('late-notification', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, notifications, views } = bench;
      await views.open('Pincer', 'Approvals');
      await chat.send('Run it');
      await notifications.waitFor('Run a command');
      await views.tree('Approvals').row('Run a command').action('Deny');
      await chat.waitForAnswer(/Not run\./u);
      await until('the toast to go', async () => (await notifications.countToasts('Run a command')) === 0);
      await saying(bench, 'Answered already: Denied in the Approvals view', () =>
        notifications.click('Run a command', 'Review…'),
      );
      expect(await notifications.texts()).toEqual([]);
      expect(await editors.tabs()).not.toContain('Whole call');
    });
  });
});

it('a word about a yes that did not count goes once the question is answered', async ({ withWorkbench }) => {
  server.script(runLong, textAnswer('Not run.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('word-goes', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, editors, page, palette } = bench;
    const word = page.locator('.statusbar-item').getByText('You have not seen all of this yet');
    await chat.send('Run it');
    await chat.waitForText('Review…');
    await seeing(word, () => palette.run('Pincer: Allow Once'));
    await editors.waitForActive('Whole call');
    await palette.run('Pincer: Deny');
    await chat.waitForAnswer(/You denied/u);
    expect(await word.count()).toBe(0);
  });
});

it('why it is denied goes into the chat input where the question ran out meanwhile', async ({
  withWorkbench,
}) => {
  server.script(write('a.md'), textAnswer('Nobody there.'));
  const home = homeWithModel(server.baseUrl, { approvals: { timeoutMs: 25_000 } });
  await withWorkbench('why-too-late', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, page, palette, screenshot } = bench;
    await chat.send('Write it');
    await chat.waitForText('Write a.md');
    await palette.run('Pincer: Deny and Say Why…');
    await page.locator('.quick-input-widget').getByText('Deny: Write a.md').waitFor();
    await page.locator('.quick-input-widget input.input').fill('Not in this folder');
    await server.waitForAnswers(2);
    await saying(bench, 'Answered already: Nobody answered in time', () =>
      palette.enter('Not in this folder'),
    );
    await page.locator('.chat-input-container').getByText('Not in this folder').waitFor();
    await screenshot('q-why-too-late');
    expect(server.requests).toHaveLength(2);
  });
});

/** A plugin of the user's home that asks about each reading, for so long. */
const asker = {
  'plugins/asker/openclaw.plugin.json': JSON.stringify({ id: 'asker', configSchema: { type: 'object' } }),
  'plugins/asker/index.js': `
module.exports = {
  id: 'asker',
  register(api) {
    api.on('before_tool_call', ({ toolName }) =>
      toolName === 'read'
        ? { requireApproval: { title: 'Read the log?', description: 'It may be private.', timeoutMs: 8_000 } }
        : undefined);
  },
};
`,
};

describe('a notification', () => {
  it('of somebody else stays when a question is answered that has none', async ({ withWorkbench }) => {
    server.script(write('a.md'), textAnswer('Denied.'));
    const files = { ...workspace.files, '.pincer/config.jsonc': '{ "approvals": { "mode": "ask" } }' };
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('others-toasts', { workspace: { files }, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, notifications, page, palette } = bench;
      await chat.send('Write it');
      await chat.waitForText('Write a.md');
      await editors.diff.waitFor();
      await palette.run('Pincer: Set Approval Mode…');
      await palette.pick('Full');
      const others = 'the config of this workspace allows no more than';
      await until('the toast', async () => (await notifications.countToasts(others)) === 1);
      // It stays for as long as the mouse is on it: the question is answered by the keyboard.
      await page.locator('.notification-toast').filter({ hasText: others }).hover();
      await palette.run('Pincer: Deny');
      await chat.waitForAnswer(/You denied/u);
      expect(await notifications.countToasts(others)).toBe(1);
    });
  });

  it('of a plugin comes also where the chat shows the question whole, and its time runs without the focus', async ({
    withWorkbench,
  }) => {
    const read = toolCallAnswer([{ name: 'read', arguments: { path: 'README.md' } }]);
    server.script(read, textAnswer('Not read.'));
    const home = { ...homeWithModel(server.baseUrl), ...asker };
    await withWorkbench('toast-of-plugin', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, notifications, page, screenshot } = bench;
      await chat.send('Read it');
      await chat.waitForText('Read the log?');
      const asked = performance.now();
      await chat.answer().getByText('Allow once').waitFor();
      await until('the toast', async () => (await notifications.countToasts('Plugin asker: Read the')) === 1);
      await withoutFocus(page, async () => {
        const status = page.locator('.statusbar-item[id*="pincer.status"]').filter({ hasText: '1 question' });
        expect(await status.locator('.codicon-debug-pause').count()).toBe(0);
        await screenshot('q-toast-of-plugin');
        await chat.waitForAnswer(/nobody answered in time/u, 'Not read.');
      });
      // Long before the two minutes that Pincer's own questions have.
      expect(performance.now() - asked).toBeLessThan(60_000);
      expect(sentLast()).toContain('Approval timed out');
    });
  });

  it('stays away while the whole call has the focus, and comes when it is closed', async ({
    withWorkbench,
  }) => {
    server.script(runLong, textAnswer('Not run.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('toast-and-call', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, notifications, screenshot } = bench;
      const isToast = async (): Promise<boolean> => (await notifications.countToasts('Run a command')) > 0;
      await chat.send('Run it');
      await notifications.click('Run a command', 'Review…');
      await editors.waitForActive('Whole call');
      await until('the toast to go', async () => !(await isToast()));
      await screenshot('q-call-without-toast');
      await editors.close('Whole call');
      await until('the toast', isToast);
      await chat.click('Review…');
      await editors.waitForActive('Whole call');
      await chat.click('Deny');
      await chat.waitForAnswer(/Not run\./u);
    });
  });
});

const exec = (command: string) => toolCallAnswer([{ name: 'exec', arguments: { command } }]);

describe('a command in the chat', () => {
  it('is asked by the chat alone while the window has the focus, with one first answer, and says what runs', async ({
    withWorkbench,
  }) => {
    server.script(exec('touch c.md && sleep 5'), textAnswer('Ran.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('asked-by-chat', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, notifications, page, screenshot } = bench;
      const toasts = (): Promise<number> => notifications.countToasts('Run a command');
      await chat.send('Touch it');
      await chat.waitForText('Deny and say why');
      await untilYesCounts(bench);
      expect(await toasts()).toBe(0);
      await expect
        .poll(() => chat.answer().locator('.chat-command-button').allInnerTexts())
        .toEqual(['Allow once']);
      await screenshot('q-command-in-chat');
      await atPartWidth(page, '.part.auxiliarybar', 300, async () => {
        await screenshot('q-command-in-narrow-chat');
      });
      await withoutFocus(page, async () => {
        await until('the toast', async () => (await toasts()) === 1);
      });
      await until('the toast to go', async () => (await toasts()) === 0);
      const runs = /Allowed once in the chat: .*Run command touch c\.md && sleep 5/u;
      await seeing(chat.answer().filter({ hasText: runs }), () => chat.decide('Allow once'));
      await screenshot('q-command-runs');
      await chat.waitForAnswer(/Ran\./u);
    });
  });

  it('is asked by a notification, too, once a third of its time is over', async ({ withWorkbench }) => {
    server.script(exec('touch l.md'), textAnswer('Not run.'));
    const home = homeWithModel(server.baseUrl, { approvals: { timeoutMs: 18_000 } });
    await withWorkbench('asked-late', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, notifications, page } = bench;
      await chat.send('Touch it');
      await chat.waitForText('Deny and say why');
      await until('the toast', async () => (await notifications.countToasts('Run a command')) === 1);
      // The rest of its time stands still meanwhile.
      await withoutFocus(page, () => notifications.click('Run a command', 'Deny'));
      await chat.waitForAnswer(/You denied/u);
    });
  });

  it('offers no yes where it does not fit beside its question, and lists its parts, hidden characters as codes', async ({
    withWorkbench,
  }) => {
    const words = Array.from({ length: 40 }, (_, at) => `word-${String(at)}`).join(' ');
    server.script(exec(`touch ${words}\u202E && rm -r sub`), textAnswer('Not run.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('parts-in-chat', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, page, screenshot } = bench;
      await chat.send('Touch them');
      await chat.waitForText(/1\. *touch word-0 [^]*2\. *rm -r sub[^]*word-39⟨U\+202E⟩/u);
      await expect
        .poll(() => chat.answer().locator('.chat-command-button').allInnerTexts())
        .toEqual(['Review…']);
      await screenshot('q-parts-in-chat');
      await atPartWidth(page, '.part.auxiliarybar', 300, async () => {
        await screenshot('q-parts-in-narrow-chat');
      });
      await chat.decide('Deny');
      await chat.waitForAnswer(/You denied/u);
      expect(await chat.unfoldSteps('denied by you')).not.toContain('Denied by user');
    });
  });

  it('that is stopped says so, by whatever it is stopped', async ({ withWorkbench }) => {
    // They end by being stopped, however late.
    server.script(exec('touch s.md && sleep 600'), exec('touch s.md && sleep 601'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('stopped-command', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, palette, page, screenshot } = bench;
      await chat.send('Touch it');
      await chat.waitForText('Deny and say why');
      await chat.decide('Allow once');
      await palette.run('Pincer: Stop Running Turn');
      await chat.waitForAnswer(/Stopped\.$/u);
      await screenshot('q-stopped');
      await bench.newSession();
      await chat.send('Touch it again');
      await chat.waitForText('Deny and say why');
      await chat.decide('Allow once');
      await chat.cancel();
      await page.locator('.interactive-session').getByText('Stopped. Go on').waitFor();
      await screenshot('q-stopped-by-panel');
    });
  });
});

describe('Ask again', () => {
  const timed = (): Readonly<Record<string, string>> =>
    homeWithModel(server.baseUrl, { approvals: { timeoutMs: 1_500 } });

  it('puts a question again that ran out of time', async ({ withWorkbench }) => {
    server.script(write('a.md'), textAnswer('Nobody there.'), write('a.md'), textAnswer('Still nobody.'));
    await withWorkbench(
      'ask-again',
      { workspace, trust: 'trusted', home: timed() },
      async ({ chat, page, screenshot }) => {
        await chat.send('Write it');
        await chat.waitForAnswer(
          /Nobody there\./u,
          'write a.md was denied: nobody answered in time · Ask again',
        );
        await chat.click('Ask again');
        await page.locator('.interactive-response').getByText('Still nobody.').waitFor();
        await screenshot('q-asked-again');
        expect(sentLast()).toContain('I missed your approval request for write.');
        // In the chat that has asked.
        await expect.poll(() => chat.messages()).toContain('@pincer Write it');
      },
    );
  });

  it('says what to do where a reload has forgotten the question', async ({ withWorkbench }) => {
    server.script(write('a.md'), textAnswer('Nobody there.'));
    await withWorkbench(
      'ask-again-forgotten',
      { workspace, trust: 'trusted', home: timed() },
      async (bench) => {
        const { chat, notifications, screenshot } = bench;
        await chat.send('Write it');
        await chat.waitForAnswer(/Nobody there\./u);
        await bench.reload();
        await chat.waitForText('Ask again');
        await chat.click('Ask again');
        await notifications.waitFor(
          'This request was lost when the window reloaded. Send your message again.',
        );
        await screenshot('q-ask-again-forgotten');
        expect(server.requests).toHaveLength(2);
      },
    );
  });
});

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
      await editors.waitForText('only after that');
      await untilYesCounts(bench);
      await page.locator('.part.editor .monaco-editor .view-lines').first().click();
      await saying(bench, 'You have not seen all of this yet', () =>
        page.keyboard.press('ControlOrMeta+Enter'),
      );
      expect(await yes.count()).toBe(0);
      await screenshot('q-whole-call-not-read');
      const row = views.tree('Approvals').row('Run a command');
      await hoverUntil(row.locator, row.locator.getByRole('button', { name: 'Deny', exact: true }));
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
        // It goes with the answer, maybe in this moment.
        await isInTime(() => yes.click({ timeout: 1_000 }));
        return false;
      });
      await chat.waitForAnswer(/Ran\./u);
    });
  });

  it('not in a row that the edge of the side bar cuts, and from the palette only by a list that has the call', async ({
    withWorkbench,
  }) => {
    const command = `echo ${'a'.repeat(150)} && touch tail.txt`;
    const middle = 'touch first.txt && touch second.txt';
    const call = (text: string) => toolCallAnswer([{ name: 'exec', arguments: { command: text } }]);
    server.script(call(command), call(middle), textAnswer('Both ran.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('row-cut', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, page, palette, screenshot, views } = bench;
      const list = page.locator('.quick-input-widget').filter({ visible: true });
      await views.open('Pincer', 'Approvals');
      const row = views.tree('Approvals').row('Run a command');
      const yes = row.locator.getByRole('button', { name: 'Allow Once' });
      const review = row.locator.getByRole('button', { name: 'Show Whole Call' });
      await chat.send('Run it');
      await hoverUntil(row.locator, review);
      expect(await yes.count()).toBe(0);
      await screenshot('q-row-cut');
      await untilYesCounts(bench);
      await palette.run('Pincer: Allow Once');
      await editors.waitForActive('Whole call');
      await page.locator('.part.editor .monaco-editor .view-lines').first().click();
      await page.keyboard.press('ControlOrMeta+End');
      await until('the yes to count', async () => {
        if (await isWritten(bench, 'tail.txt')()) return true;
        // Once it counted, the key would be for what comes next.
        if ((await editors.tabs()).includes('Whole call')) await page.keyboard.press('ControlOrMeta+Enter');
        return false;
      });

      await row.waitForText('touch first.txt');
      await hoverUntil(row.locator, review);
      expect(await yes.count()).toBe(0);
      await untilYesCounts(bench);
      await palette.run('Pincer: Allow Once');
      await list.getByText(middle, { exact: true }).waitFor();
      await screenshot('q-palette-names-call');
      expect(await isWritten(bench, 'first.txt')()).toBe(false);
      await page.keyboard.press('Enter');
      await chat.waitForAnswer(/Both ran\./u);
      expect(await isWritten(bench, 'second.txt')()).toBe(true);
    });
  });

  it('not in the editor of the whole call where the workspace has its lines cut', async ({
    withWorkbench,
  }) => {
    server.script(runLong, textAnswer('Not run.'));
    const home = homeWithModel(server.baseUrl);
    const cut = { '[pincer-call]': { 'editor.wordWrap': 'off', 'editor.stopRenderingLineAfter': 60 } };
    await withWorkbench('whole-cut', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, page } = bench;
      const yes = page.locator('.editor-actions, .title-actions').getByRole('button', { name: 'Allow Once' });
      const lines = page.locator('.part.editor .monaco-editor .view-lines').first();
      await chat.send('Run it');
      await chat.click('Review…');
      await editors.waitForActive('Whole call');
      await editors.waitForText('only after that');
      await lines.click();
      await page.keyboard.press('ControlOrMeta+End');
      await yes.waitFor();
      // What was on screen before may have been cut in the same way: an editor hears of settings sooner than Pincer does.
      await writeFolder(bench.workspace, { files: { '.vscode/settings.json': JSON.stringify(cut) } });
      await yes.waitFor({ state: 'detached' });
      await lines.click();
      await page.keyboard.press('ControlOrMeta+Home');
      await editors.waitForText('settings cut');
      await page.keyboard.press('ControlOrMeta+End');
      await saying(bench, 'You have not seen all of this yet', () =>
        page.keyboard.press('ControlOrMeta+Enter'),
      );
      expect(await isWritten(bench, 'last.txt')()).toBe(false);
      await chat.click('Deny');
      await chat.waitForAnswer(/Not run\./u);
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
        // The chat shows it whole and asks alone, as long as the window has the focus.
        await withoutFocus(bench.page, async () => {
          expect(await notifications.buttons('Write small.md')).toEqual(['Review…', 'Deny', 'Say why…']);
        });
        await screenshot('q-change-in-chat');
        await chat.decide('Allow once');

        await chat.waitForText('Write big.md');
        expect(await editors.tabs()).toEqual([]);
        await screenshot('q-change-too-long');
        await palette.run('Pincer: Allow Once');
        await editors.diff.waitFor();
        expect(await bench.read('big.md')).toBeUndefined();
        await untilYesCounts(bench);
        await editors.diff.titleAction('Accept');
        await chat.waitForAnswer(/Both written\./u);
        expect(await bench.read('small.md')).toBe('one\ntwo\n');
      });
    });
  });

  it('by /approve in another chat, which says how to see it and takes a no in words', async ({
    withWorkbench,
  }) => {
    server.script(runLong, textAnswer('As you say.'));
    const home = homeWithModel(server.baseUrl);
    await withWorkbench('approve-whole', { workspace, trust: 'trusted', home }, async (bench) => {
      const { chat, editors, screenshot } = bench;
      await chat.send('Run it');
      await chat.waitForText('Run a command');
      await bench.newSession();
      await chat.send('/approve');
      const list = await chat.waitForAnswer(/Show whole call, deny/u, /[0-9a-f]{8}/u);
      const [id = ''] = /[0-9a-f]{8}/u.exec(list) ?? [];
      await chat.send(`/approve ${id} allow-once`);
      await chat.waitForAnswer(/does not show the whole call/u);
      await screenshot('q-approve-refused');
      await chat.click('Show whole call');
      await editors.waitForActive('Whole call');
      await chat.send(`/approve ${id} allow-once but only in docs`);
      await chat.waitForAnswer(/Enter your decision/u);
      await chat.send(`/approve ${id} deny Use the docs folder`);
      await chat.waitForAnswer(/Your reason is the next message/u);
      await screenshot('q-approve-in-words');
      await server.waitForAnswers(2);
      expect(sentLast()).toContain('the user answered in words, which follow');
      expect(sentLast()).toContain('Use the docs folder');
      expect(await bench.read('last.txt')).toBeUndefined();
    });
  });
});

it('is denied with words from the title of the Review view', async ({ withWorkbench }) => {
  server.script(write('a.md'), textAnswer('As you say.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('review-why', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat, palette, page, screenshot, views } = bench;
    await views.open('Pincer', 'Review');
    await chat.send('Write it');
    await chat.waitForText('Write a.md');
    await bench.editors.diff.waitFor();
    await views.tree('Review').unfold();
    await views.tree('Review').row('a.md').locator.waitFor();
    await views.tree('Review').titleAction('Deny and Say Why…');
    await page.locator('.quick-input-widget').getByText('Deny: Write a.md').waitFor();
    await screenshot('q-review-why');
    await palette.enter('Name it b.md');
    await chat.waitForAnswer(/As you say\./u);
    expect(sentLast()).toContain('Name it b.md');
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
