import { expect } from 'vitest';
import {
  hangingAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { clickOnce, isInTime, tryMs, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'log.md': 'day one\n', 'plan.md': 'south\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const options = () => ({ workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) }) as const;

/** An answer that says something and goes on when the test says so. */
function heldAnswer(text: string, then: ScriptedAnswer): { answer: ScriptedAnswer; release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { answer: { steps: [{ text }, { wait: released }, ...then.steps] }, release };
}

const twoReads = toolCallAnswer([
  { name: 'read', arguments: { path: 'log.md' } },
  { name: 'read', arguments: { path: 'plan.md' } },
]);

/** What the model was sent in its nth request, from 0. */
const sentIn = (request: number): string => JSON.stringify(server.requests[request]?.body?.messages);

const waitingItem = ({ page }: Workbench) => page.locator('.statusbar-item[id*="pincer.waiting"]');

async function untilWaiting(bench: Workbench, count: number): Promise<void> {
  const item = waitingItem(bench);
  await until(`${count} waiting`, async () => {
    if (count === 0) return !(await item.isVisible());
    return (await item.allInnerTexts()).join().includes(`${count} waiting`);
  });
}

/** Presses the shortcut and says it. */
async function sayByKey({ page, palette }: Workbench, key: string, text: string): Promise<void> {
  const box = page.locator('.quick-input-widget input.input');
  await until('the box of the shortcut', async () => {
    // The key works once VS Code knows of the question or the turn.
    if (!(await box.isVisible())) await page.keyboard.press(key);
    return await isInTime(() => box.waitFor({ timeout: 1_000 }));
  });
  await palette.enter(text);
}

const asksThenReads = toolCallAnswer([
  { name: 'write', arguments: { path: 'log.md', content: 'day two\n' } },
  { name: 'read', arguments: { path: 'plan.md' } },
]);

it('what is said while a question waits is the answer: the call is denied, those that had not begun are skipped, and the model reads it', async ({
  withWorkbench,
}) => {
  server.script(asksThenReads, textAnswer('Turned north.'));
  await withWorkbench('steer', options(), async (bench) => {
    const { chat, palette, screenshot } = bench;
    await chat.send('Sail south');
    await chat.waitForText('Write log.md');
    await palette.run('Pincer: Steer Running Turn…');
    await screenshot('s-steer-box');
    await palette.enter('Go north instead');
    await chat.waitForAnswer(
      /Turned north/u,
      'Your message reached the model: “Go north instead” · 1 call skipped',
    );
    await untilWaiting(bench, 0);
    await screenshot('s-steered');
    expect(await bench.read('log.md')).toBe('day one\n');
    expect(sentIn(1)).toContain('the user answered in words, which follow');
    expect(sentIn(1)).toContain('Go north instead');
    expect(sentIn(1)).not.toContain('south\\n');
  });
});

it('Deny and Say Why denies by key, and the agent goes on by the words', async ({ withWorkbench }) => {
  server.script(asksThenReads, textAnswer('Then I leave the log.'));
  await withWorkbench('deny-why', options(), async (bench) => {
    const { chat, screenshot } = bench;
    await chat.send('Keep the log');
    await chat.waitForText('Write log.md');
    await sayByKey(bench, 'Control+Alt+Backspace', 'The log is finished');
    await chat.waitForAnswer(
      /Then I leave the log/u,
      'Your message reached the model: “The log is finished”',
      'write log.md was denied: you answered with a message',
    );
    await screenshot('s-deny-why');
    expect(await bench.read('log.md')).toBe('day one\n');
    expect(sentIn(1)).toContain('The log is finished');
  });
});

it('a message of the panel answers the question that waits, and the next turn reads it in the same session', async ({
  withWorkbench,
}) => {
  server.script(asksThenReads, textAnswer('Turned north.'));
  await withWorkbench('panel-answer', options(), async (bench) => {
    const { chat, page, screenshot } = bench;
    await chat.send('Sail south');
    await chat.waitForText('Write log.md');
    await chat.say('Go north instead');
    await page.locator('.interactive-response').getByText('Turned north.').waitFor();
    await screenshot('s-panel-answer');
    expect(await bench.read('log.md')).toBe('day one\n');
    expect(sentIn(1)).toContain('the user answered in words, which follow');
    expect(sentIn(1)).toContain('Go north instead');
  });
});

it('follow-ups are queued by key, one is removed in the list, and the other is read when the turn would end', async ({
  withWorkbench,
}) => {
  const held = heldAnswer('First the log. ', textAnswer('The log is read.'));
  server.script(held.answer, textAnswer('The sails are set.'));
  await withWorkbench('follow-ups', options(), async (bench) => {
    const { chat, page, palette, screenshot } = bench;
    await chat.send('Read the log');
    await chat.waitForText('First the log');
    await sayByKey(bench, 'Control+Alt+Q', 'Then paint the hull');
    await untilWaiting(bench, 1);
    await sayByKey(bench, 'Control+Alt+Q', 'Then set the sails');
    await untilWaiting(bench, 2);

    await clickOnce(waitingItem(bench));
    await until('both in the list', async () => (await palette.entries()).length === 2);
    await screenshot('s-waiting-list');
    const row = page.locator('.quick-input-widget .monaco-list-row').filter({ hasText: 'paint the hull' });
    await clickOnce(row.getByRole('button', { name: 'Remove' }), () => row.hover({ timeout: tryMs }));
    await until('one in the list', async () => (await palette.entries()).length === 1);
    await page.keyboard.press('Escape');
    await untilWaiting(bench, 1);

    await bench.views.open('Pincer', 'Sessions');
    const tree = bench.views.tree('Sessions');
    await tree.rowWith('Then set the sails').locator.waitFor();
    await screenshot('s-waiting-rows');
    held.release();
    await chat.waitForAnswer(/The sails are set/u);
    await screenshot('s-follow-up-read');
    expect(sentIn(1)).toContain('Then set the sails');
    expect(sentIn(1)).not.toContain('paint the hull');
    await untilWaiting(bench, 0);
  });
});

it('what waits survives a reload in mid-run, is told in the next answer and read in it', async ({
  withWorkbench,
}) => {
  server.script(
    hangingAnswer('Looking at the log'),
    textAnswer('Resumed and done.'),
    textAnswer('And the sails are set.'),
  );
  await withWorkbench('waiting-reload', options(), async (bench) => {
    const { chat, notifications, page, screenshot } = bench;
    await chat.send('Check the log');
    await chat.waitForText('Looking');
    await sayByKey(bench, 'Control+Alt+Q', 'Then set the sails');
    await untilWaiting(bench, 1);
    await bench.reload();
    await notifications.waitFor('was interrupted');
    await bench.views.open('Pincer', 'Sessions');
    await bench.views.tree('Sessions').rowWith('Check the log').locator.waitFor();
    await screenshot('s-waiting-after-reload');
    await notifications.click('was interrupted', 'Resume');
    const answer = page.locator('.interactive-response');
    await answer.getByText('And the sails are set.').waitFor();
    await screenshot('s-waiting-resumed');
    expect(sentIn(1)).not.toContain('Then set the sails');
    expect(sentIn(2)).toContain('Then set the sails');
  });
});

it("the panel's own Steer ends the answer at a steering point, and the message goes on in the same session", async ({
  withWorkbench,
}) => {
  const held = heldAnswer('Looking around. ', twoReads);
  server.script(held.answer, textAnswer('Turned north.'));
  await withWorkbench('panel-steer', options(), async (bench) => {
    const { chat, page, palette, screenshot } = bench;
    await chat.send('Sail south');
    await chat.waitForText('Looking around');
    await chat.say('Go north instead');
    await screenshot('s-panel-steer-pending');
    // VS Code tells the extension's process in the order of what was done: once that shows a box, it knows of the steer.
    await palette.run('Pincer: Steer Running Turn…');
    await page.getByPlaceholder('What Pincer should know or do').waitFor();
    await page.keyboard.press('Escape');
    held.release();
    await page.locator('.interactive-response').getByText('Turned north.').waitFor();
    await screenshot('s-panel-steered');
    expect(sentIn(1)).toContain('Sail south');
    expect(sentIn(1)).toContain('Go north instead');
  });
});

it("the panel's Stop keeps the last word and what waits in sight, until the next turn has read it", async ({
  withWorkbench,
}) => {
  server.script(hangingAnswer('Looking at the log'), textAnswer('Set.'), textAnswer('And painted.'));
  await withWorkbench('panel-stop', options(), async (bench) => {
    const { chat, page, palette, screenshot } = bench;
    await chat.send('Check the log');
    await chat.waitForText('Looking at the log');
    await palette.run('Pincer: Queue Follow-up…');
    await palette.enter('Then paint the hull');
    await untilWaiting(bench, 1);
    await chat.cancel();
    await page
      .locator('.interactive-session')
      .getByText('Stopped, “Then paint the hull” still waits. Go on')
      .waitFor();
    await expect
      .poll(() => page.locator('.interactive-response').last().innerText())
      .toContain('Looking at the log');
    await untilWaiting(bench, 1);
    await screenshot('s-panel-stopped');
    await chat.send('Set the sails');
    await chat.waitForAnswer(/And painted/u);
    await untilWaiting(bench, 0);
  });
});

it('Stop Running Turn ends it from the palette, and what waited is kept', async ({ withWorkbench }) => {
  server.script(hangingAnswer('Looking at the log'), textAnswer('Set.'), textAnswer('And painted.'));
  await withWorkbench('stop-turn', options(), async (bench) => {
    const { chat, palette, screenshot } = bench;
    await chat.send('Check the log');
    await chat.waitForText('Looking');
    await palette.run('Pincer: Queue Follow-up…');
    await palette.enter('Then paint the hull');
    await untilWaiting(bench, 1);
    await palette.run('Pincer: Stop Running Turn');
    await chat.waitForAnswer(/Still waiting, read in the next turn: “Then paint the hull”/u);
    await screenshot('s-stopped');
    await chat.send('Set the sails');
    await chat.waitForAnswer(/And painted/u);
    await screenshot('s-stopped-went-on');
    expect(sentIn(2)).toContain('Then paint the hull');
  });
});
