import { expect } from 'vitest';
import {
  createGate,
  hangingAnswer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
  type RecordedModelRequest,
  type ScriptedAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { clickOnce, hoverUntil, isHeardBy, isInTime, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'log.md': 'day one\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

const options = () => ({ workspace, trust: 'trusted', home: homeWithModel(server.baseUrl) }) as const;

const input = ({ page }: Workbench) =>
  page.locator('.interactive-session .chat-input-container .monaco-editor').first();

const typed = async (bench: Workbench): Promise<string> =>
  (await input(bench).innerText()).replaceAll('\u00A0', ' ').trim();

const untilTyped = (bench: Workbench, text: string): Promise<unknown> =>
  until(`the input to hold ${JSON.stringify(text)}`, async () => (await typed(bench)).startsWith(text), {
    seen: () => typed(bench),
  });

const answers = ({ page }: Workbench) => page.locator('.interactive-session .interactive-response');

/**
 * Answers what the user has said last, and any call with words: a message that VS Code sends a moment later than it was typed must
 * not take the answer of the next.
 */
const byLastWords =
  (answersTo: Readonly<Record<string, ScriptedAnswer>>) =>
  ({ body }: RecordedModelRequest): ScriptedAnswer => {
    if (body?.messages.at(-1)?.role === 'tool') return textAnswer('Then I leave it.');
    const words = body?.messages.findLast(({ role }) => role === 'user')?.content;
    const answer = answersTo[String(words).split('\n').at(-1) ?? ''];
    return answer ?? textAnswer(`Nothing is to be said to ${JSON.stringify(words)}.`);
  };

/** Types after what the input holds, as a user does who trusts that it names @pincer. */
async function say(bench: Workbench, text: string, key = 'Enter'): Promise<void> {
  await untilTyped(bench, '@pincer');
  await input(bench).click();
  await bench.page.keyboard.press('ControlOrMeta+End');
  await bench.page.keyboard.insertText(text);
  await untilTyped(bench, `@pincer ${text}`);
  await bench.page.keyboard.press(key);
}

it('the input goes on naming @pincer: after answers, words during a turn, a stop, a denial, an error and a reload', async ({
  withWorkbench,
}) => {
  await withWorkbench('chat-input', options(), async (bench) => {
    const { chat, page, screenshot } = bench;
    const [steers, queues] = [createGate(), createGate()];
    server.answerAll(
      byLastWords({
        one: {
          steps: [
            { text: 'One. ' },
            { wait: steers.opened },
            ...toolCallAnswer([{ name: 'ls', arguments: {} }]).steps,
          ],
        },
        steer: textAnswer('Steered.'),
        two: { steps: [{ text: 'Two. ' }, { wait: queues.opened }, ...textAnswer('Done.').steps] },
        queue: textAnswer('Queued.'),
        three: hangingAnswer('Looking ', 'around '),
        four: toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: 'day two\n' } }]),
        five: statusAnswer(404, 'no such model'),
        six: textAnswer('Six.'),
      }),
    );
    await chat.send('one');
    await chat.waitForText('One.');
    await say(bench, 'steer');
    steers.open();
    await answers(bench).getByText('Steered.').waitFor();

    await say(bench, 'two');
    await answers(bench).getByText('Two.').waitFor();
    await say(bench, 'queue', 'Alt+Enter');
    // VS Code names it again once it has sent the message; until then the key does.
    await until('the input to be empty', async () => (await typed(bench)) === '');
    await page.keyboard.press('Control+Alt+P');
    await untilTyped(bench, '@pincer');
    await screenshot('chat-input-queued');
    queues.open();
    await answers(bench).getByText('Queued.').waitFor();

    await say(bench, 'three');
    await answers(bench).getByText('Looking').waitFor();
    await chat.cancel();
    await say(bench, 'four');
    await clickOnce(answers(bench).getByText('Deny', { exact: true }).last());
    await answers(bench).getByText('Then I leave it.').waitFor();
    await say(bench, 'five');
    await answers(bench).getByText('no such model').waitFor();
    await bench.reload();
    await say(bench, 'six');
    await answers(bench).getByText('Six.').waitFor();
    const sent = JSON.stringify(server.requests.at(-1)?.body?.messages.filter(({ role }) => role === 'user'));
    const said = ['one', 'steer', 'two', 'queue', 'three', 'four', 'five', 'six'];
    expect(said.filter((words) => !sent.includes(words))).toEqual([]);
  });
});

it('the status bar opens the chat by a click and Enter, also while a turn runs, and by a link in its hover', async ({
  withWorkbench,
}) => {
  await withWorkbench('status-open-chat', options(), async (bench) => {
    const { chat, page, palette, screenshot } = bench;
    const item = page.locator('.statusbar-item[id*="pincer.status"]');
    server.script(hangingAnswer('Looking ', 'around '));
    await chat.send('Look around');
    await chat.waitForText('Looking');
    await page.keyboard.press('ControlOrMeta+Shift+E');
    await clickOnce(item);
    await until('the menu', async () => (await palette.entries()).length > 3);
    await screenshot('status-menu-running');
    await expect.poll(async () => (await palette.entries())[0]).toMatch(/Open Chat$/u);
    const box = page.locator('.quick-input-widget input.input');
    await until('the first entry to be taken', () => isHeardBy(box, () => page.keyboard.press('Enter')));
    await page.locator('.chat-input-container .monaco-editor.focused').waitFor();
    await untilTyped(bench, '@pincer');

    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.mouse.move(0, 0);
    const link = page.locator('.monaco-hover').getByText('Open Chat');
    // The hover goes where the status bar is drawn anew.
    await until('the link in the hover to name @pincer', async () => {
      await hoverUntil(item, link);
      await isInTime(() => link.click({ timeout: 1_000 }));
      return (await typed(bench)).startsWith('@pincer');
    });
    await untilTyped(bench, '@pincer');
    await page.mouse.move(0, 0);
    await chat.cancel();
  });
});
