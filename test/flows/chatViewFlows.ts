import { expect } from 'vitest';

import { createGate, hangingAnswer, textAnswer, toolCallAnswer } from '../builders/scriptedModelServer.ts';
import { createChatView, type ChatView } from '../e2e/driver/chatView.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { clickUntil } from '../e2e/driver/until.ts';
import { flow, type Flow, type FlowOptions } from './flow.ts';

/** The same as in the panel, in the Chat view: each begins with the view open and empty, as the panel is. */
function viewFlow(
  name: string,
  options: FlowOptions,
  body: (flow: Flow & { readonly chat: ChatView }) => Promise<void>,
): void {
  flow(`${name}, in the Chat view`, { ...options, part: '.part.sidebar' }, async (given) => {
    const chat = await openChatView(given.bench);
    await given.begin();
    await body({ ...given, chat });
  });
}

async function openChatView({ page, views }: Workbench): Promise<ChatView> {
  await views.open('Pincer', 'Chat');
  const chat = createChatView(page);
  const start = chat.frame.getByText('Ask about this workspace');
  await start.or(chat.button('New Session')).filter({ visible: true }).first().waitFor();
  if (!(await start.isVisible())) await chat.button('New Session').click();
  await start.waitFor();
  return chat;
}

/** A yes in the first half second after the question appeared or changed does not count, so it is said again. */
async function press(chat: ChatView, name: string, isDone: () => Promise<boolean>): Promise<void> {
  await chat.button(name).waitFor();
  await clickUntil(chat.button(name), isDone);
}

/** Days of a log, of which some have wind. */
const days = (...windy: readonly number[]): string =>
  Array.from({ length: 60 }, (_, at) => `day ${at + 1}${windy.includes(at + 1) ? ': wind' : ''}\n`).join('');

export function chatViewFlows(): void {
  viewFlow(
    'first answer, without a model',
    { config: 'no model', fresh: 'a first answer' },
    async ({ chat }) => {
      await chat.send('What can you do?');
      await chat.waitForAnswer(/\S/u);
    },
  );

  viewFlow(
    'question about the docs',
    {
      files: { 'docs/setup.md': '# Setup\n\n## Tides\n\nThe tide turns every six hours.\n' },
      config: 'no model',
    },
    async ({ chat, bench }) => {
      await chat.send('When does the tide turn?');
      await chat.waitForAnswer(/six hours/u);
      await chat.frame
        .getByRole('link', { name: /setup\.md/u })
        .first()
        .click();
      await bench.editors.waitForActive('setup.md');
    },
  );

  viewFlow(
    'edit with three hunks, one refused',
    { files: { 'log.md': days() } },
    async ({ chat, bench, server }) => {
      const call = { name: 'write', arguments: { path: 'log.md', content: days(4, 30, 55) } };
      server.script(toolCallAnswer([call]), textAnswer('Changed.'));
      await chat.send('Note the wind');
      await chat.items('question').last().getByRole('checkbox').nth(1).click();
      await press(chat, 'Apply 2 of 3', async () => (await bench.read('log.md')) === days(4, 55));
      await chat.waitForAnswer(/Changed\./u);
    },
  );

  viewFlow('new file', {}, async ({ chat, bench, server }) => {
    const call = { name: 'write', arguments: { path: 'new.md', content: 'made\n' } };
    server.script(toolCallAnswer([call]), textAnswer('Made.'));
    await chat.send('Make a file');
    await press(chat, 'Allow once', async () => (await bench.read('new.md')) === 'made\n');
    await chat.waitForAnswer(/Made\./u);
  });

  viewFlow('deny with words', {}, async ({ chat, bench, server }) => {
    const call = { name: 'write', arguments: { path: 'log.md', content: 'x\n' } };
    server.script(toolCallAnswer([call]), textAnswer('Then I leave it.'));
    await chat.send('Keep the log');
    await chat.button('Say why…').click();
    await bench.page.keyboard.insertText('The log is finished');
    await bench.page.keyboard.press('Enter');
    await chat.waitForAnswer(/Then I leave it/u);
    expect(await bench.read('log.md')).toBeUndefined();
  });

  viewFlow('steer', {}, async ({ chat, server }) => {
    const gate = createGate();
    const calls = toolCallAnswer([{ name: 'ls', arguments: {} }]);
    server.script(
      { steps: [{ text: 'Sailing south. ' }, { wait: gate.opened }, ...calls.steps] },
      textAnswer('Turned north.'),
    );
    await chat.send('Sail south');
    await chat.waitForText('answer', 'Sailing south');
    await chat.send('Go north instead');
    await chat.frame.getByText('Go north instead').first().waitFor();
    gate.open();
    await chat.waitForAnswer('Turned north.');
  });

  viewFlow('queue', {}, async ({ chat, bench, server }) => {
    const gate = createGate();
    server.script(
      { steps: [{ text: 'Counting. ' }, { wait: gate.opened }, ...textAnswer('Three.').steps] },
      textAnswer('And four.'),
    );
    await chat.send('Count');
    await chat.waitForText('answer', 'Counting');
    await chat.input().click();
    await bench.page.keyboard.insertText('Go on');
    await bench.page.keyboard.press('Alt+Enter');
    await chat.frame.getByText('Next turn: Go on').waitFor();
    gate.open();
    await chat.waitForAnswer('And four.');
  });

  viewFlow('stop', {}, async ({ chat, server }) => {
    server.script(hangingAnswer('The tide ', 'turns at '));
    await chat.send('When does the tide turn?');
    await chat.waitForText('answer', 'turns at');
    await chat.button('Stop').click();
    await server.waitForAbandoned(1);
  });

  viewFlow('five calls at once', {}, async ({ chat, bench, server }) => {
    const paths = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md'];
    const calls = paths.map((path) => ({ name: 'write', arguments: { path, content: 'x\n' } }));
    server.script(toolCallAnswer(calls), textAnswer('All written.'));
    await chat.send('Write everything');
    await chat.items('question').first().waitFor();
    await press(chat, 'Allow all edits of this turn', async () => (await bench.read('e.md')) === 'x\n');
    await chat.waitForAnswer(/All written\./u);
  });
}
