import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import {
  createGate,
  hangingAnswer,
  rawAnswer,
  textAnswer,
  toolCallAnswer,
} from '../builders/scriptedModelServer.ts';
import { wavCode } from '../builders/wavCode.ts';
import {
  clickAtOnce,
  createChatView,
  dropAddresses,
  dropFile,
  untilStill,
  type ChatView,
} from './driver/chatView.ts';
import { answerDialog } from './driver/dialogs.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { atSize, inTheme } from './driver/looks.ts';
import { clickUntil, isInTime, seeing, tryMs, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const lines = Array.from({ length: 30 }, (_, at) => `day ${String(at + 1)}`);
const log = `${lines.join('\n')}\n`;
const workspace = { files: { 'log.md': log, 'README.md': '# Boat\n' } };
const patch = `*** Begin Patch
*** Update File: log.md
@@
 day 3
-day 4
+day 4: wind
 day 5
@@
 day 24
-day 25
+day 25: rain
 day 26
*** End Patch`;

/** Tests share a window: each begins a conversation of its own. */
async function openChatView({ page, views }: Workbench): Promise<ChatView> {
  await views.open('Pincer', 'Chat');
  const chat = createChatView(page);
  const start = chat.frame.getByText('Ask about this workspace');
  await start.or(chat.button('New Session')).filter({ visible: true }).first().waitFor();
  await newSession(chat);
  await chat.input().fill('');
  const attached = chat.frame.locator('.chip button');
  await clickUntil(attached.first(), async () => (await attached.count()) === 0);
  // It has the keyboard.
  await chat.input().click();
  return chat;
}

/** Where there is a conversation, another one is begun. */
async function newSession(chat: ChatView): Promise<void> {
  const start = chat.frame.getByText('Ask about this workspace');
  await clickUntil(chat.button('New Session'), () => start.isVisible());
}

/** Turns the wheel on something until that shows: a view that is being drawn does not scroll yet. */
async function scrollUntil({ page }: Workbench, over: Locator, by: number, shown: Locator): Promise<void> {
  await until(`what scrolling brings`, async () => {
    await isInTime(() => over.hover({ timeout: tryMs }));
    await page.mouse.wheel(0, by);
    return await isInTime(() => shown.waitFor({ timeout: tryMs }));
  });
}

it('answers a first message without an account, and shows each call as a step', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'README.md' } }]),
    textAnswer('It is about a **boat**, see `README.md`.'),
  );
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view', { workspace, trust: 'trusted', home }, async (bench) => {
    const { editors, screenshot } = bench;
    const chat = await openChatView(bench);
    await screenshot('chat-view-empty');
    await chat.send('What is this about?');
    await chat.waitForAnswer('It is about a boat');
    await chat.waitForText('step', /Read README\.md.*1 line/u);
    await screenshot('chat-view-answer');
    await chat.frame.getByRole('link', { name: 'README.md' }).click();
    await editors.waitForActive('README.md');
  });
});

it('takes the bytes of a file that is dropped from outside of VS Code, and says why it does not take others', async ({
  withWorkbench,
  server,
}) => {
  server.script(textAnswer('It is high.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-drop', { workspace, trust: 'trusted', home }, async (bench) => {
    const chat = await openChatView(bench);
    const body = chat.frame.locator('body');
    await body.evaluate(dropFile, { name: 'tide.txt', text: 'The tide is high.' });
    await chat.frame.locator('#chips .chip').filter({ hasText: 'tide.txt' }).waitFor();
    await body.evaluate(dropFile, { name: 'core.bin', text: '\0' });
    await chat.waitForText('note', 'core.bin is neither text nor an image that models accept.');
    await bench.screenshot('chat-view-dropped');
    await chat.send('How is the tide?');
    await chat.waitForAnswer('It is high.');
    expect(JSON.stringify(server.requests.at(-1)?.body?.messages)).toContain('The tide is high.');
  });
});

it('offers files by the names of their folders, those that are named so first, and none that search leaves out', async ({
  withWorkbench,
  server,
}) => {
  const packages = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`node_modules/${String(at)}/pier.md`, '# Pier\n']),
  );
  const files = { ...packages, 'pier/boat.md': '# Boat\n', 'harbour/east/pier.md': '# Pier\n' };
  const options = { workspace: { files }, trust: 'trusted', home: homeWithModel(server.baseUrl) } as const;
  await withWorkbench('chat-view-offers', options, async (bench) => {
    const chat = await openChatView(bench);
    await bench.page.keyboard.type('Look at #Pier');
    const offers = chat.frame.getByRole('option');
    await expect.poll(() => offers.allInnerTexts()).toEqual(['harbour/east/pier.md', 'pier/boat.md']);
    await bench.screenshot('chat-view-offers');
    await bench.page.keyboard.press('ArrowDown');
    await bench.page.keyboard.press('Enter');
    await chat.frame.locator('.chip').getByText('pier/boat.md').waitFor();
  });
});

it('attaches as many files as a message takes, says how many it left, and shows the path of those from elsewhere before', async ({
  withWorkbench,
  server,
}) => {
  server.script(textAnswer('Many.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-many', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, workspace: folder, screenshot } = bench;
    const chat = await openChatView(bench);
    const body = chat.frame.locator('body');
    const chips = chat.frame.locator('#chips .chip');
    const secret = join(homedir(), 'harbour', 'chart.png');
    await body.evaluate(dropAddresses, [pathToFileURL(secret).href]);
    await page.locator('.monaco-dialog-box').getByText(secret).waitFor();
    await screenshot('chat-view-from-elsewhere');
    await answerDialog(page, 'Cancel');
    await body.evaluate(dropAddresses, [pathToFileURL(join(folder, 'README.md')).href]);
    await chips.getByText('README.md').waitFor();
    expect(await chips.count()).toBe(1);

    const more = Array.from({ length: 60 }, (_, at) => pathToFileURL(join(folder, `${String(at)}.md`)).href);
    await body.evaluate(dropAddresses, more);
    await chat.frame.getByText('A message takes 50 files. Not attached: 11 more.').waitFor();
    await expect.poll(() => chips.count()).toBe(50);
    await screenshot('chat-view-many');
    await chat.input().fill(lines.join('\n'));
    await atSize(page, { width: 620, height: 600 }, async () => {
      const isWhole = async (): Promise<boolean> => {
        const [box, room] = [
          await chat.button('Send').boundingBox(),
          await chat.frame.locator('body').boundingBox(),
        ];
        return box !== null && room !== null && box.y + box.height <= room.y + room.height;
      };
      await until('the input to fit into a low view', isWhole);
      await screenshot('chat-view-many-low');
    });
    await chat.input().fill('Look at all of them and at #log');
    await chat.frame.getByRole('option', { name: 'log.md' }).click();
    await chat.frame.getByText('A message takes 50 files. Not attached: 1 more.').waitFor();
    await chat.send('How many?');
    await chat.waitForAnswer('Many.');
    expect(await chat.items('user').last().locator('.attached').innerText()).toContain('README.md');
  });
});

it('takes one of two hunks by its tick, a command by a key, and a no in words', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'apply_patch', arguments: { input: patch } }]),
    toolCallAnswer([{ name: 'exec', arguments: { command: 'echo ahoy > ahoy.txt' } }]),
    toolCallAnswer([{ name: 'write', arguments: { path: 'more.md', content: 'more\n' } }]),
    textAnswer('All done.'),
  );
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-ask', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, read, screenshot } = bench;
    const chat = await openChatView(bench);
    await chat.send('Bring the log up to date');
    const question = chat.items('question').last();
    await question.getByText('+ day 25: rain').waitFor();
    await question.getByRole('checkbox').last().click();
    await chat.button('Apply 1 of 2').waitFor();
    await screenshot('chat-view-hunks');
    await chat.frame.locator('body').evaluate(untilStill);
    await chat.button('Apply 1 of 2').click();
    await chat.waitForText('question', 'Allowed in part, 1 of 2 hunks in the Chat view');
    await expect.poll(() => read('log.md')).toBe(log.replace('day 4\n', 'day 4: wind\n'));

    await chat.items('question').last().getByText('echo ahoy > ahoy.txt').first().waitFor();
    await chat.button('Allow once').waitFor();
    await screenshot('chat-view-command');
    await chat.input().click();
    await chat.frame.getByText('Enter: allow').waitFor();
    await chat.frame.locator('body').evaluate(untilStill);
    await page.keyboard.press('ControlOrMeta+Enter');
    await until('the command to have run', async () => (await read('ahoy.txt')) === 'ahoy\n');

    await chat.items('question').last().getByText('+ more').waitFor();
    await chat.button('Say why…').click();
    const why = chat.items('question').last().locator(':focus');
    await why.fill('Not in this folder');
    await why.press('Enter');
    await chat.waitForAnswer('All done.');
    await chat.waitForText('user', 'Not in this folder');
    expect(await read('more.md')).toBeUndefined();
    await expect.poll(() => chat.items('question').getByRole('button').count()).toBe(0);
    await inTheme(bench, 'Dark Modern', async () => {
      await screenshot('chat-view-answered');
    });

    await bench.reload();
    await chat.waitForText('step', /Ran echo ahoy.*exit 0/u);
    await chat.waitForText('step', /Write more\.md.*denied/u);
    await chat.frame.getByRole('link', { name: 'Restore…' }).waitFor();
    await screenshot('chat-view-kept');
  });
});

it('puts into its input what was being typed into a question whose time ran out', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'write', arguments: { path: 'late.md', content: 'x\n' } }]),
    textAnswer('Nobody there.'),
  );
  const home = homeWithModel(server.baseUrl, { approvals: { timeoutMs: 15_000 } });
  await withWorkbench('chat-view-late', { workspace, trust: 'trusted', home }, async (bench) => {
    const chat = await openChatView(bench);
    await chat.send('Write it');
    await chat.button('Say why…').click();
    await chat.items('question').last().locator(':focus').fill('Not in this folder');
    await chat.waitForAnswer('Nobody there.');
    await until('the words', async () => (await chat.input().inputValue()) === 'Not in this folder');
    await bench.screenshot('chat-view-late');
  });
});

it('names what each call was about also once a compaction stands for it', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'read', arguments: { path: 'README.md' } }]),
    textAnswer(`About a boat. ${'It floats well. '.repeat(400)}`),
    textAnswer(`It floats. ${'The keel is new. '.repeat(400)}`),
    textAnswer('It was about a boat.'),
  );
  const config = { agent: { compaction: { keepTokens: 1_000 } } };
  const home = homeWithModel(server.baseUrl, config);
  await withWorkbench('chat-view-compacted', { workspace, trust: 'trusted', home }, async (bench) => {
    const chat = await openChatView(bench);
    await chat.send('What is this about, briefly?');
    await chat.waitForAnswer('About a boat.');
    await chat.send('Does it float?');
    await chat.waitForAnswer('It floats.');
    await chat.send('/compact');
    await chat.frame
      .getByText(/compacted/u)
      .first()
      .waitFor();
    await newSession(chat);
    await bench.views.open('Pincer', 'Sessions');
    await bench.views.tree('Sessions').rowWith('What is this about, briefly?').click();
    await chat.waitForText('step', /README\.md/u);
    await bench.screenshot('chat-view-compacted');
  });
});

const guide = `# Overview

1. first
2. second
   - nested

- [x] done
- [ ] open

> said by **Ada**

| File | Lines |
| --- | --- |
| src/tidewatch/brest.mjs | 14 |

\`\`\`ts
const tide = (at: Date): number => at.getUTCHours() * 2 + Math.sin(at.getTime() / 1_000) * 4;
\`\`\`
${lines.map((line) => `\n${line} went by.\n`).join('')}`;

it('draws lists, tables and code, copies code, follows the end, and leads to a question below', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    textAnswer(guide),
    toolCallAnswer([{ name: 'apply_patch', arguments: { input: patch } }]),
    textAnswer('All done.'),
  );
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-looks', { workspace, trust: 'trusted', home }, async (bench) => {
    const { read, screenshot } = bench;
    const chat = await openChatView(bench);
    await chat.send('Explain');
    await chat.waitForAnswer('day 30 went by.');
    const answer = chat.items('answer').last();
    const lastLine = answer.getByText('day 30 went by.');
    const isInSight = async (what: Locator): Promise<boolean> => {
      const [box, room] = [await what.boundingBox(), await chat.frame.locator('#scroller').boundingBox()];
      return box !== null && room !== null && box.y + box.height <= room.y + room.height && box.y >= room.y;
    };
    await until('the end to be in sight', () => isInSight(lastLine));
    await answer.locator('.hljs-keyword').getByText('const').waitFor();
    await answer.getByText('first').hover();
    await screenshot('chat-view-looks');
    for (const theme of ['Dark Modern', 'Dark High Contrast'] as const)
      await inTheme(bench, theme, async () => {
        await answer.getByText('const').hover();
        await screenshot(`chat-view-looks-${theme.slice(5, 9)}`);
      });
    await answer.getByText('const tide').hover();
    await seeing(chat.button('Copied'), () => chat.button(/^Copy$/u).click());
    await scrollUntil(bench, lastLine, -3_000, chat.button('↓ Newest'));

    await chat.send('Bring the log up to date');
    await until('the question to be in sight', () => isInSight(chat.button(/^Apply$/u)));
    await scrollUntil(bench, chat.frame.locator('#scroller'), -3_000, chat.button('A question waits'));
    await screenshot('chat-view-below');
    await chat.button('A question waits').click();
    await until('the question to be in sight again', () => isInSight(chat.button(/^Apply$/u)));
    await chat.button(/^Apply$/u).click();
    await chat.waitForAnswer('All done.');
    await expect.poll(() => read('log.md')).toContain('day 25: rain');
    await chat.items('question').last().getByText('+ day 25: rain').waitFor({ state: 'hidden' });
    await screenshot('chat-view-folded');
  });
});

it('asks alone what it shows whole while it is open, and by a notification once it is closed', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'exec', arguments: { command: 'touch t.md' } }]),
    textAnswer('Not run.'),
  );
  const home = homeWithModel(server.baseUrl, { approvals: { timeoutMs: 45_000 } });
  await withWorkbench('chat-view-alone', { workspace, trust: 'trusted', home }, async (bench) => {
    const { notifications, page, views } = bench;
    const toasts = (): Promise<number> => notifications.countToasts('Run a command');
    const chat = await openChatView(bench);
    await chat.send('Touch it');
    await chat.button('Allow once').waitFor();
    // More than a third of its time is over.
    await page
      .locator('.statusbar')
      .getByText(/1 question · 0:2\d/u)
      .waitFor();
    expect(await toasts()).toBe(0);
    // The Explorer takes the place of the view.
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await until('the toast', async () => (await toasts()) === 1);
    await notifications.click('Run a command', 'Deny');
    await views.open('Pincer', 'Chat');
    await chat.waitForAnswer('Not run.');
  });
});

it('begins a question at its beginning in a view that is too low for it, and goes on at the end once it is answered', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'apply_patch', arguments: { input: patch } }]),
    textAnswer('All done.'),
  );
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-low', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, screenshot, views } = bench;
    const chat = await openChatView(bench);
    await atSize(page, { width: 1_400, height: 485 }, async () => {
      await chat.send('Bring the log up to date');
      const question = chat.items('question').last();
      await question.getByRole('button', { name: 'Deny', exact: true }).waitFor();
      // It opens with the edit, and may take half of the side bar.
      await views.tree('Review').fold();
      const scroller = chat.frame.locator('#scroller');
      /** How far below the upper edge of what scrolls. */
      const topOf = async (what: Locator): Promise<number> => {
        const [box, room] = [await what.boundingBox(), await scroller.boundingBox()];
        return (box?.y ?? Number.NaN) - (room?.y ?? Number.NaN);
      };
      await until('the beginning to be in sight', async () => Math.abs(await topOf(question)) < 20);
      await screenshot('chat-view-low');
      // What waits is a click away, and reading on is not taken back by what changes meanwhile.
      await chat.button('A question waits').click();
      const deny = question.getByRole('button', { name: 'Deny', exact: true });
      const isInSight = async (): Promise<boolean> =>
        (await topOf(deny)) + 20 < ((await scroller.boundingBox())?.height ?? 0);
      await until('its buttons to be in sight', isInSight);
      await page.evaluate(setFocus, false);
      await question.locator('.time').filter({ hasText: 'Paused' }).waitFor();
      expect(await isInSight()).toBe(true);
      // What leads away has no line of its own here, and leaves room for the time.
      const time = question.locator('.time');
      await time.scrollIntoViewIfNeeded();
      const [lead, line] = [await chat.button('A question waits').boundingBox(), await time.boundingBox()];
      expect((line?.x ?? 0) + (line?.width ?? Infinity)).toBeLessThanOrEqual(lead?.x ?? 0);
      await screenshot('chat-view-low-time');
      await page.evaluate(setFocus, true);
      await deny.click();
      await chat.waitForAnswer('All done.');
      const last = chat.items('answer').last();
      await until('the end to be in sight', async () => {
        const [top, box] = [await topOf(last), await last.boundingBox()];
        return top >= 0 && top + (box?.height ?? 0) <= ((await scroller.boundingBox())?.height ?? 0);
      });
    });
  });
});

it('says in one line, which moves nothing, that another conversation asks, and leads there', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    textAnswer('Hello.'),
    toolCallAnswer([{ name: 'exec', arguments: { command: 'touch t.md' } }]),
    textAnswer('Not run.'),
  );
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-elsewhere', { workspace, trust: 'trusted', home }, async (bench) => {
    const { chat: panel, screenshot } = bench;
    const chat = await openChatView(bench);
    await chat.send('Good morning');
    await chat.waitForAnswer('Hello.');
    const places = async (): Promise<unknown> => [
      (await chat.items('answer').last().boundingBox())?.y,
      (await chat.input().boundingBox())?.y,
    ];
    const before = await places();
    await panel.send('Touch it');
    const lead = chat.frame.getByRole('status').getByRole('button', { name: 'Another conversation asks' });
    await lead.waitFor();
    expect(await places()).toEqual(before);
    await screenshot('chat-view-elsewhere');
    await lead.click();
    const deny = chat.items('question').last().getByRole('button', { name: 'Deny', exact: true });
    await deny.waitFor();
    await lead.waitFor({ state: 'hidden' });
    await chat.frame.locator('#input:focus').waitFor();
    await deny.click();
    await panel.waitForAnswer('Not run.');
  });
});

it('says in the question that a yes did not count, since its beginning had not been in sight', async ({
  withWorkbench,
  server,
}) => {
  const long = Array.from({ length: 80 }, (_, at) => `Paragraph ${String(at + 1)}.`).join('\n\n');
  const command = Array.from({ length: 40 }, (_, at) => `echo line ${String(at + 1)}`).join('\n');
  const gate = createGate();
  const call = toolCallAnswer([{ name: 'exec', arguments: { command } }]);
  server.script({ steps: [{ text: long }, { wait: gate.opened }, ...call.steps] }, textAnswer('Not run.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-unread', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, screenshot } = bench;
    const chat = await openChatView(bench);
    await chat.send('Tell a long tale, then count');
    await chat.waitForText('answer', 'Paragraph 80.');
    const newest = chat.button('↓ Newest');
    await scrollUntil(bench, chat.frame.locator('#scroller'), -3_000, newest);
    // It stands below what is to be read, not over it.
    const room = await chat.frame.locator('#scroller').boundingBox();
    expect((await newest.boundingBox())?.y).toBeGreaterThanOrEqual(
      (room?.y ?? Infinity) + (room?.height ?? 0),
    );
    gate.open();
    await chat.button('A question waits').click();
    const question = chat.items('question').last();
    const status = question.getByText('Not allowed yet: you have not seen all of it.');
    await until('the yes to be refused', async () => {
      const yes = question.locator('button[data-key="once"]:not([aria-disabled])');
      await isInTime(() => yes.click({ timeout: 1_000 }));
      return (await status.count()) > 0;
    });
    await question.getByRole('button', { name: 'Show whole call' }).waitFor();
    await until('the word about it to be in sight', async () => {
      const [box, room] = [await status.boundingBox(), await chat.frame.locator('#scroller').boundingBox()];
      return (box?.y ?? 0) + (box?.height ?? Infinity) <= (room?.y ?? 0) + (room?.height ?? 0) + 1;
    });
    await screenshot('chat-view-unread');
    await question.hover();
    await until('the word about it to go once all of it was in sight', async () => {
      await page.mouse.wheel(0, -200);
      return (await status.count()) === 0;
    });
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.waitForAnswer('Not run.');
  });
});

it('says in the question that a yes did not count, since its button had only just taken the place of another one', async ({
  withWorkbench,
  server,
}) => {
  const command = Array.from({ length: 200 }, (_, at) => `echo line ${String(at + 1)}`).join('\n');
  server.script(toolCallAnswer([{ name: 'exec', arguments: { command } }]), textAnswer('Not run.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-early', { workspace, trust: 'trusted', home }, async (bench) => {
    const chat = await openChatView(bench);
    await chat.send('Count');
    const question = chat.items('question').last();
    const early = question.getByText('Not allowed yet: the buttons had just moved.');
    await chat.button('Review…').waitFor();
    const clicked = chat.frame.locator('body').evaluate(clickAtOnce);
    await chat.button('Review…').click();
    await bench.editors.waitForActive('Whole call');
    await chat.frame.locator('body').evaluate(untilStill);
    await bench.page.keyboard.press('Control+End');
    await clicked;
    await early.waitFor();
    await bench.screenshot('chat-view-early');
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.waitForAnswer('Not run.');
    expect(await early.count()).toBe(0);
  });
});

it('counts down what a question has left, and lets it stand while the window has not the focus', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'exec', arguments: { command: 'touch t.md' } }]),
    textAnswer('Not run.'),
  );
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-time', { workspace, trust: 'trusted', home }, async (bench) => {
    const { notifications, page, screenshot } = bench;
    const chat = await openChatView(bench);
    const question = chat.items('question').last();
    const time = question.locator('.time');
    const left = async (): Promise<string> => /1:\d\d/u.exec(await time.innerText())?.[0] ?? '';
    // Each of them shows for ten seconds.
    await seeing(time.filter({ hasText: /^Denied in 1:4\d if nobody answers$/u }), () =>
      seeing(time.filter({ hasText: /^Denied in 1:5\d if nobody answers$/u }), () => chat.send('Touch it')),
    );
    await screenshot('chat-view-time');
    await page.evaluate(setFocus, false);
    await time.filter({ hasText: /^Paused with 1:\d\d left/u }).waitFor();
    await notifications.waitFor('once this window has the focus');
    const paused = await left();
    await screenshot('chat-view-time-paused');
    expect(await left()).toBe(paused);
    await page.evaluate(setFocus, true);
    await time.filter({ hasText: /^Denied in 1:\d\d if nobody answers$/u }).waitFor();
    // It goes on where it stood.
    expect((await left()) <= paused).toBe(true);
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await time.waitFor({ state: 'detached' });
    await chat.waitForAnswer('Not run.');
  });
});

/** Runs in the page: the window loses the focus or has it again, which it keeps by itself in a browser without a screen. */
function setFocus(hasFocus: boolean): void {
  const window = globalThis as unknown as {
    readonly document: { hasFocus: () => boolean; dispatchEvent(event: object): void };
    readonly Event: new (type: string) => object;
  };
  window.document.hasFocus = () => hasFocus;
  // VS Code looks at the focus anew.
  window.document.dispatchEvent(new window.Event('visibilitychange'));
}

it('asks by a notification what has been scrolled out of its sight, and takes it back once it is there again', async ({
  withWorkbench,
  server,
}) => {
  const long = Array.from({ length: 80 }, (_, at) => `Paragraph ${String(at + 1)}.`).join('\n\n');
  server.script(
    textAnswer(long),
    toolCallAnswer([{ name: 'sessions_spawn', arguments: { task: 'Touch it', label: 'toucher' } }]),
    toolCallAnswer([{ name: 'exec', arguments: { command: 'touch t.md' } }]),
    textAnswer('The toucher was not let.'),
    textAnswer('Not touched.'),
  );
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-scrolled', { workspace, trust: 'trusted', home }, async (bench) => {
    const { notifications, page, screenshot } = bench;
    const toasts = (): Promise<number> => notifications.countToasts('Run a command');
    const chat = await openChatView(bench);
    await chat.send('Tell a long tale');
    await chat.waitForAnswer('Paragraph 80.');
    await chat.send('Have it touched');
    const question = chat.items('question').last();
    await question.getByRole('button', { name: 'Allow once' }).waitFor();
    expect(await toasts()).toBe(0);
    const scroller = chat.frame.locator('#scroller');
    await scrollUntil(bench, scroller, -3_000, chat.button('A question waits'));
    await until('the toast', async () => (await toasts()) === 1);
    await screenshot('chat-view-scrolled-away');
    await until('the toast to go', async () => {
      await scroller.hover();
      await page.mouse.wheel(0, 3_000);
      return (await toasts()) === 0;
    });
    await question.getByRole('button', { name: 'Deny', exact: true }).click();
    await chat.waitForAnswer('Not touched.');
  });
});

it('stops, steers and queues, and shows the conversation again after a reload', async ({
  withWorkbench,
  server,
}) => {
  server.script(hangingAnswer('The tide '), textAnswer('Second.'));
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-steer', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, screenshot } = bench;
    const chat = await openChatView(bench);
    await chat.send('Tell me of the tide');
    await chat.waitForText('answer', 'The tide');
    await chat.input().fill('And of the wind');
    await chat.input().press('Alt+Enter');
    await chat.frame.getByText('Next turn: And of the wind').waitFor();
    await screenshot('chat-view-queued');
    await chat.button('Remove: And of the wind').click();
    await chat.frame.getByText('Next turn: And of the wind').waitFor({ state: 'detached' });
    await chat.button('Stop').click();
    await chat.waitForText('note', 'Stopped.');
    await expect.poll(() => isFocused(chat.input())).toBe(true);
    await chat.frame.getByRole('link', { name: 'Go on', exact: true }).click();
    await chat.waitForText('user', 'Go on with what I asked for.');
    await chat.waitForAnswer('Second.');

    await bench.reload();
    await chat.waitForText('answer', 'Second.');
    await chat.waitForText('user', 'Tell me of the tide');
    await newSession(chat);
    await chat.input().click();
    await page.keyboard.type('/sta');
    await chat.frame.getByRole('option', { name: '/status' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await chat.waitForText('note', 'Model');
    await page.keyboard.type('Look at #READ');
    await chat.frame.getByRole('option', { name: 'README.md' }).waitFor();
    await page.keyboard.press('Tab');
    await chat.frame.locator('.chip').getByText('README.md').waitFor();
    await screenshot('chat-view-attached');
  });
});

it('keeps what its own links do: a message again, a command typed, a session of the Sessions view', async ({
  withWorkbench,
  server,
}) => {
  const home = homeWithModel(server.baseUrl);
  await withWorkbench('chat-view-links', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, screenshot, views } = bench;
    const chat = await openChatView(bench);
    server.script(rawAnswer('<html>proxy error</html>', 'text/html'), textAnswer('Aye, at the second time.'));
    await chat.send('Do you hear me?');
    await chat.frame.getByRole('link', { name: 'Send the message again' }).click();
    await chat.waitForAnswer('Aye, at the second time.');
    const said = chat.items('user').locator('.text');
    await expect.poll(() => said.allInnerTexts()).toEqual(['Do you hear me?', 'Do you hear me?']);

    await chat.send('/nonsense');
    await chat.frame.getByRole('link', { name: '/plugins' }).click();
    await until('the command in the input', async () =>
      (await chat.input().inputValue()).startsWith('/plugins'),
    );
    await screenshot('chat-view-links');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');

    await newSession(chat);
    await views.open('Pincer', 'Sessions');
    // The Chat view opens by itself.
    await views.tree('Sessions').rowWith('Do you hear me?').click();
    await chat.waitForText('answer', 'Aye, at the second time.');
    expect(await page.locator('.interactive-request').count()).toBe(0);
    await screenshot('chat-view-opened-session');
  });
});

it('tells at its step and below how a command ended that went to the background, and after a reload', async ({
  withWorkbench,
  server,
}) => {
  server.script(
    toolCallAnswer([{ name: 'exec', arguments: { command: 'sh wait.sh', background: true } }]),
    textAnswer('It waits.'),
  );
  const wait = 'while [ ! -f go.txt ]; do sleep 0.1; done\nexit 3\n';
  const options = {
    workspace: { files: { 'wait.sh': wait, 'again.sh': wait.replace('go.txt', 'on.txt') } },
    trust: 'trusted',
    home: homeWithModel(server.baseUrl),
  } as const;
  await withWorkbench('chat-view-job', options, async (bench) => {
    const { screenshot } = bench;
    const chat = await openChatView(bench);
    const allowUntil = async (answer: string): Promise<void> => {
      await until('the command to be allowed', async () => {
        const yes = chat.frame.locator('button[data-key="once"]:not([aria-disabled])');
        await isInTime(() => yes.click({ timeout: 1_000 }));
        return await chat.items('answer').filter({ hasText: answer }).isVisible();
      });
      await chat.waitForAnswer(answer);
    };
    await chat.send('Wait for it');
    await allowUntil('It waits.');
    const step = chat.frame.locator('.step.running').filter({ hasText: 'Ran sh wait.sh' });
    await step.getByText('goes on in the background').waitFor();
    await writeFile(join(bench.workspace, 'go.txt'), '');
    await chat.frame.locator('.step.failed').filter({ hasText: 'Ran sh wait.sh' }).waitFor();
    await chat.waitForText('step', 'exit 3');
    await chat.waitForText('note', /Ended in the background: sh wait\.sh · exit 3/u);
    await screenshot('chat-view-job');

    // A step that is taken back leaves its command running: that is said, and how it ends.
    server.script(
      toolCallAnswer([{ name: 'exec', arguments: { command: 'sh again.sh', background: true } }]),
      textAnswer('It waits again.'),
    );
    await chat.send('Wait again');
    await allowUntil('It waits again.');
    server.script(textAnswer('Not this time.'));
    await chat.items('answer').last().hover();
    await chat.button('Retry').last().click();
    await chat.waitForAnswer('Not this time.');
    await chat.waitForText('note', /Still runs in the background: sh again\.sh · Show/u);
    await screenshot('chat-view-job-taken-back');
    await writeFile(join(bench.workspace, 'on.txt'), '');
    await chat.waitForText('note', /Ended in the background: sh again\.sh · exit 3/u);
    server.script(
      toolCallAnswer([{ name: 'exec', arguments: { command: 'true', background: true } }]),
      textAnswer('That was short.'),
    );
    await chat.send('Be short');
    await allowUntil('That was short.');
    await chat.frame.locator('.step.done').filter({ hasText: 'Ran true' }).waitFor();

    // Commands end with their window: its step must not go on for ever.
    await bench.reload();
    await chat.waitForText('step', 'no longer runs here');
  });
});

it('says a message again, and goes on from a changed one: by mouse and by keys', async ({
  withWorkbench,
  server,
}) => {
  const home = homeWithModel(server.baseUrl);
  const options = { workspace: { files: { 'tide.md': 'low\n' } }, trust: 'trusted', home } as const;
  /** What the user has said of what the model was sent last. */
  const saidLast = (): readonly string[] =>
    (server.requests.at(-1)?.body?.messages ?? [])
      .filter(({ role }) => role === 'user')
      .flatMap((each) => /words \w+/u.exec(JSON.stringify(each))?.[0] ?? []);
  await withWorkbench('chat-view-edit', options, async (bench) => {
    const { page, read, screenshot } = bench;
    const chat = await openChatView(bench);
    server.script(
      textAnswer('One.'),
      toolCallAnswer([{ name: 'write', arguments: { path: 'tide.md', content: 'high\n' } }]),
      textAnswer('Two.'),
    );
    await chat.send('words first');
    await chat.waitForAnswer('One.');
    await chat.items('answer').last().hover();
    await seeing(chat.button('Copied'), () => chat.button('Copy answer').click());
    await chat.send('words second');
    await until('the tide to be high', async () => {
      // A click counts once the question has stood still for a moment, and it goes with the answer.
      const yes = chat.frame.locator('button[data-key="once"]:not([aria-disabled])');
      await isInTime(() => yes.click({ timeout: 1_000 }));
      return (await read('tide.md')) === 'high\n';
    });
    await chat.waitForAnswer('Two.');

    server.script(textAnswer('Two again.'));
    await chat.items('answer').last().hover();
    await screenshot('chat-view-actions');
    await chat.button('Retry').last().click();
    await chat.waitForAnswer('Two again.');
    await expect.poll(() => isFocused(chat.input())).toBe(true);
    await expect
      .poll(() => chat.items('user').locator('.text').allInnerTexts())
      .toEqual(['words first', 'words second']);
    expect(saidLast()).toEqual(['words first', 'words second']);
    await chat.waitForText('note', '1 file of the removed turns is still changed (tide.md)');
    await chat.frame.getByRole('link', { name: 'Restore…' }).last().waitFor();

    await chat.input().click();
    await page.keyboard.insertText('a draft');
    const edit = chat.items('user').first().getByRole('button', { name: 'Edit' });
    for (let presses = 0; presses < 30 && !(await isFocused(edit)); presses += 1)
      await page.keyboard.press('Shift+Tab');
    await screenshot('chat-view-edit-focus');
    await page.keyboard.press('Enter');
    await chat.frame.getByText('You are changing an earlier message').waitFor();
    await expect.poll(() => chat.input().inputValue()).toBe('words first');
    await page.keyboard.press('Escape');
    await expect.poll(() => chat.input().inputValue()).toBe('a draft');
    await chat.items('user').first().hover();
    await edit.click();
    await chat.frame.getByText('You are changing an earlier message').waitFor();
    await inTheme(bench, 'Dark Modern', async () => {
      await screenshot('chat-view-edit-dark');
    });
    await atSize(page, { width: 620, height: 700 }, async () => {
      await screenshot('chat-view-edit-narrow');
    });
    await chat.input().click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('words third');
    server.script(textAnswer('Three.'));
    await page.keyboard.press('Enter');
    await chat.waitForAnswer('Three.');
    await expect.poll(() => chat.items('user').locator('.text').allInnerTexts()).toEqual(['words third']);
    expect(saidLast()).toEqual(['words third']);
    await expect.poll(() => chat.input().inputValue()).toBe('a draft');
    expect(await read('tide.md')).toBe('high\n');
    // What the first change took back is not forgotten by the second.
    await chat.waitForText('note', '1 file of the removed turns is still changed (tide.md)');
    await screenshot('chat-view-edited');

    // What answers a command belongs to no message that could be said again.
    await chat.input().press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await chat.send('/tools');
    await chat.waitForAnswer('exec');
    await chat.items('answer').last().hover();
    await chat.items('answer').last().getByRole('button', { name: 'Copy answer' }).waitFor();
    expect(await chat.items('answer').last().getByRole('button', { name: 'Retry' }).count()).toBe(0);

    // The conversation changes while a message is changed: neither its words nor the draft are lost.
    await chat.input().click();
    await page.keyboard.insertText('a draft');
    await chat.items('user').first().hover();
    await edit.click();
    await chat.frame.getByText('You are changing an earlier message').waitFor();
    await newSession(chat);
    await expect.poll(() => chat.input().inputValue()).toBe('words third\na draft');
  });
});

it('says a message again with what was attached and the rules of its folder', async ({
  withWorkbench,
  server,
}) => {
  const files = { 'docs/AGENTS.md': 'Rule: write of harbours.\n', 'docs/boat.md': '# The boat is blue\n' };
  const options = { workspace: { files }, trust: 'trusted', home: homeWithModel(server.baseUrl) } as const;
  const sentLast = (): string => JSON.stringify(server.requests.at(-1)?.body ?? {});
  await withWorkbench('chat-view-kept', options, async (bench) => {
    const { page, screenshot } = bench;
    const chat = await openChatView(bench);
    server.script(textAnswer('Read.'));
    await page.keyboard.type('Look at #boat');
    await chat.frame.getByRole('option', { name: 'docs/boat.md' }).waitFor();
    await page.keyboard.press('Tab');
    await chat.frame.locator('.chip').getByText('docs/boat.md').waitFor();
    await page.keyboard.press('Enter');
    await chat.waitForAnswer('Read.');
    expect(sentLast()).toContain('The boat is blue');
    expect(sentLast()).toContain('Rule: write of harbours.');

    server.script(textAnswer('Read again.'));
    await chat.items('answer').first().hover();
    await chat.items('answer').first().getByRole('button', { name: 'Retry' }).click();
    await chat.waitForAnswer('Read again.');
    expect(sentLast()).toContain('The boat is blue');
    expect(sentLast()).toContain('Rule: write of harbours.');
    await expect
      .poll(() => chat.items('user').locator('.attached').allInnerTexts())
      .toEqual(['docs/boat.md']);
    await screenshot('chat-view-kept');
  });
});

const isFocused = async (what: Locator): Promise<boolean> =>
  await what.evaluate((element: { readonly ownerDocument: { readonly activeElement: unknown } }) =>
    Object.is(element.ownerDocument.activeElement, element),
  );

/** A plugin as an author ships it: five minutes of silence for each answer, which end by being stopped. */
const voice = {
  'plugins/voice/openclaw.plugin.json': JSON.stringify({ id: 'voice', configSchema: { type: 'object' } }),
  'plugins/voice/index.js': `module.exports = (api) => api.registerSpeechProvider({
    id: 'harbour', label: 'Harbour Voice', isConfigured: () => true,
    synthesize: async () => ({ audioBuffer: ${wavCode(300)}, outputFormat: 'wav', fileExtension: '.wav', voiceCompatible: false }),
  });`,
};

it('reads an answer aloud once the user agrees, and stops; the page gets no microphone', async ({
  withWorkbench,
  server,
}) => {
  server.script(textAnswer('The tide comes in at **noon**.'));
  const home = { ...homeWithModel(server.baseUrl), ...voice };
  await withWorkbench('chat-view-voice', { workspace, trust: 'trusted', home }, async (bench) => {
    const { page, palette, screenshot } = bench;
    const chat = await openChatView(bench);
    await chat.send('When is the tide?');
    await chat.waitForAnswer('The tide comes in');
    await chat.button('Read Aloud').click();
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('speech provider harbour of plugin voice').waitFor();
    await screenshot('chat-view-voice-asked');
    await answerDialog(page, 'Send and Read Aloud');
    await chat.frame.getByText('Reading aloud', { exact: true }).waitFor();
    await screenshot('chat-view-voice-reading');
    await chat.button('Stop Reading').click();
    await chat.button('Stop Reading').waitFor({ state: 'hidden' });

    await palette.run('Pincer: Read Answer Aloud');
    await chat.frame.getByText('Reading aloud', { exact: true }).waitFor();
    await inTheme(bench, 'Dark High Contrast', async () => {
      await screenshot('chat-view-voice-dark');
    });
    await chat.button('Stop Reading').click();
    await chat.button('Stop Reading').waitFor({ state: 'hidden' });

    // VS Code's frames around a page: it may play, and gets no microphone, so that nothing can be dictated.
    const outer = page.locator('iframe.webview.ready');
    const inner = page.frameLocator('iframe.webview.ready').locator('iframe#active-frame');
    for (const frame of [outer, inner]) {
      const allowed = await frame.getAttribute('allow');
      expect(allowed).toContain('autoplay');
      expect(allowed).not.toContain('microphone');
    }
  });
});
