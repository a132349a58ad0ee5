import { expect } from 'vitest';
import {
  createGate,
  hangingAnswer,
  statusAnswer,
  textAnswer,
  toolCallAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { clickOnce, hoverUntil, seeing, until } from './driver/until.ts';
import { it } from './withWorkbench.ts';

const workspace = { files: { 'log.md': 'day one\n' } };

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

/** Two models of one server, the second in place of the first where that can not; and a second agent. */
const options = (approvals: Readonly<Record<string, unknown>> = {}) => {
  const models = [
    { id: 'first', name: 'First' },
    { id: 'second', name: 'Second', thinking: true },
  ];
  const config = {
    model: 'loopback/first',
    models: { providers: { loopback: { api: 'openai-compatible', baseUrl: server.baseUrl, models } } },
    agent: { fallbacks: ['loopback/second'] },
    approvals,
    agents: {
      main: { subagents: { allowAgents: ['scout'] } },
      scout: { name: 'Scout', description: 'Looks ahead.', instructions: 'You stand in the crow’s nest.' },
    },
  };
  return { workspace, trust: 'trusted', home: { 'config.jsonc': JSON.stringify(config) } } as const;
};

/** What the model was sent in its nth request, from 0. */
const sentIn = (request: number): string => JSON.stringify(server.requests[request]?.body);

/** Only the Sessions view, so that all its rows are drawn. */
async function openView(bench: Workbench): Promise<ReturnType<Workbench['views']['tree']>> {
  await bench.views.open('Pincer', 'Sessions');
  return bench.views.tree('Sessions');
}

it('a started agent stands under the session that started it and asks by its name; /agent begins with another agent', async ({
  withWorkbench,
}) => {
  const task = { task: 'Write down what lies ahead', label: 'look ahead', agentId: 'scout' };
  const gate = createGate();
  server.script(
    toolCallAnswer([{ name: 'sessions_spawn', arguments: task }]),
    toolCallAnswer([{ name: 'write', arguments: { path: 'ahead.md', content: 'rocks\n' } }]),
    toolCallAnswer([{ name: 'read', arguments: { path: 'log.md' } }]),
    { steps: [{ wait: gate.opened }, ...textAnswer('Rocks lie ahead.').steps] },
    textAnswer('The scout saw rocks.'),
  );
  await withWorkbench('agents', options(), async (bench) => {
    const { chat, page, screenshot } = bench;
    const tree = await openView(bench);
    await chat.send('What lies ahead?');
    await chat.waitForText('agent "look ahead"');
    await tree.rowWith('What lies ahead?').locator.waitFor();
    await tree.rowWith('Write down what lies ahead').locator.waitFor();
    await screenshot('g-child-asks');
    await chat.decide('Allow once');
    await chat.waitForText('look ahead: Read log.md · 1 line');
    await screenshot('g-child-runs');
    // What it says on the way is in the status bar and behind it, and no paragraph of the answer.
    const status = page
      .locator('.statusbar-item[id*="pincer.jobs"]')
      .filter({ hasText: 'look ahead: Read log.md' });
    await clickOnce(status);
    const output = page.locator('.terminal-wrapper.active .xterm-rows');
    await until('the output of the agent', async () =>
      (await output.innerText()).replaceAll('\u00A0', ' ').includes('look ahead: Read log.md (2 tool calls'),
    );
    await screenshot('g-child-output');
    expect(await chat.answerText()).not.toContain('tool call');
    gate.open();
    // What the scout wrote is a change of this turn, with the way back.
    await chat.waitForAnswer(/The scout saw rocks/u, /Created\s*ahead\.md[^]*Show changes · Restore…/u);
    await status.waitFor({ state: 'hidden' });
    expect(await bench.read('ahead.md')).toBe('rocks\n');
    // Its calls are steps of this answer; each opens what its own session keeps.
    await chat.unfoldSteps('look ahead: Wrote ahead.md');
    await screenshot('g-child-steps');
    await clickOnce(chat.answer().getByRole('link', { name: 'look ahead: Read log.md' }));
    await bench.editors.rendered.getByText('day one').first().waitFor();
    expect(sentIn(1)).toContain('crow’s nest');
    expect(sentIn(1)).toContain('Write down what lies ahead');
    expect(sentIn(4)).toContain('Rocks lie ahead.');
    // Its row moves to another group now; a click in that moment is lost.
    await tree.row('Today').locator.waitFor();
    await tree.rowWith('What lies ahead?').waitForText('2 messages');
    const child = tree.rowWith('Write down what lies ahead').locator;
    await tree.rowWith('What lies ahead?').expand();
    await expect.poll(() => child.getAttribute('aria-level')).toBe('3');
    await screenshot('g-child-done');

    await tree.rowWith('What lies ahead?').menu('Fork Session…');
    await page.locator('.interactive-response').getByText('This chat goes on').first().waitFor();
    await screenshot('g-forked');
    server.script(textAnswer('Still rocks.'));
    await chat.send('And now?');
    await chat.waitForAnswer(/Still rocks/u);
    expect(sentIn(5)).toContain('The scout saw rocks.');

    await chat.send('/agent scout');
    await chat.waitForAnswer(/A new session with Scout/u);
    server.script(textAnswer('Aye.'));
    await chat.send('Are you up there?');
    await chat.waitForAnswer(/Aye/u);
    expect(sentIn(6)).toContain('crow’s nest');
    expect(sentIn(6)).not.toContain('Still rocks.');
    await chat.send('/status');
    await chat.waitForAnswer(/Agent: Scout/u);
    await screenshot('g-scout');
  });
});

it('what a started agent was not allowed to do is named under the answer, with the agent', async ({
  withWorkbench,
}) => {
  const task = { task: 'Write down what lies ahead', label: 'look ahead', agentId: 'scout' };
  server.script(
    toolCallAnswer([{ name: 'sessions_spawn', arguments: task }]),
    toolCallAnswer([{ name: 'write', arguments: { path: 'refused.md', content: 'rocks\n' } }]),
    textAnswer('Nothing is written.'),
    textAnswer('All is written down.'),
  );
  await withWorkbench('agents-refused', options(), async ({ chat, screenshot }) => {
    await chat.send('What lies ahead?');
    await chat.waitForText('agent "look ahead"');
    await chat.decide('Deny');
    await chat.waitForAnswer(/All is written down/u, /look ahead: You denied write refused\.md/u);
    await screenshot('g-child-refused');
  });
});

it('a question of a started agent that nobody answered is put again in the chat that started it', async ({
  withWorkbench,
}) => {
  const task = { task: 'Write down what lies ahead', label: 'look ahead', agentId: 'scout' };
  server.script(
    toolCallAnswer([{ name: 'sessions_spawn', arguments: task }]),
    toolCallAnswer([{ name: 'write', arguments: { path: 'late.md', content: 'rocks\n' } }]),
    textAnswer('Nobody was there.'),
    textAnswer('It is not written.'),
    textAnswer('I have it written now.'),
  );
  await withWorkbench('agents-late', options({ timeoutMs: 1_500 }), async ({ chat, page, screenshot }) => {
    await chat.send('What lies ahead?');
    await chat.waitForAnswer(
      /It is not written/u,
      /look ahead: write late\.md was denied: nobody answered in time/u,
    );
    await chat.click('Ask again');
    await page.locator('.interactive-response').getByText('I have it written now.').waitFor();
    await screenshot('g-child-asked-again');
    expect(sentIn(4)).toContain('It is not written.');
    expect(sentIn(4)).toContain('of an agent that you started');
    await expect.poll(() => chat.messages()).toContain('@pincer What lies ahead?');
  });
});

it('a pause, another model in its place and thoughts are told in the answer; what waited is offered after a reload', async ({
  withWorkbench,
}) => {
  const thought = createGate();
  server.script(
    statusAnswer(429, 'Slow down.', { 'retry-after': '2' }),
    statusAnswer(404, 'The model first does not exist.'),
    {
      steps: [
        { thinking: 'The wind has turned.\nI look at the chart. ' },
        { wait: thought.opened },
        ...textAnswer('Go north.').steps,
      ],
    },
    hangingAnswer('Looking at the log'),
  );
  await withWorkbench('fallback', options(), async (bench) => {
    const { chat, notifications, page, palette, screenshot } = bench;
    const retrying = page.locator('.interactive-response').getByText(/Retrying in 2 s/u);
    await seeing(retrying.first(), () => chat.send('Where to?'));
    await screenshot('g-retry');
    await chat.waitForText(/Thinking: The wind has turned/u);
    await screenshot('g-thinking');
    thought.open();
    await chat.waitForAnswer(/Go north/u, 'Falling back to Second');
    await screenshot('g-fallback');
    await hoverUntil(
      page.locator('.statusbar-item[id*="pincer.status"]'),
      page.locator('.monaco-hover').getByText('Context:'),
    );
    await screenshot('g-gauge');
    await page.mouse.move(0, 0);

    await chat.send('Check the log');
    await chat.waitForText('Looking');
    for (const [at, text] of ['Then paint the hull', 'Then set the sails'].entries()) {
      await palette.run('Pincer: Queue Follow-up…');
      await palette.enter(text);
      const item = page
        .locator('.statusbar-item[id*="pincer.waiting"]')
        .filter({ hasText: `${at + 1} waiting` });
      await item.waitFor();
    }
    await palette.run('Pincer: Stop Running Turn');
    await chat.waitForAnswer(/Still waiting, read in the next turn/u);
    await bench.reload();
    await openView(bench);
    await notifications.waitFor('2 messages are still waiting in “Where to?”.');
    await screenshot('g-left-waiting');
    server.script(textAnswer('Painted.'), textAnswer('Set.'));
    await notifications.click('messages are still waiting', 'Send Now');
    await page.locator('.interactive-response').getByText('Set.').waitFor();
    await screenshot('g-sent');
    await until('both to be read', async () => server.requests.length === 6);
    expect(sentIn(4)).toContain('Then paint the hull');
    expect(sentIn(5)).toContain('Then set the sails');
  });
});

it('the model is named in the status bar from the start, in its hover, and under each answer', async ({
  withWorkbench,
}) => {
  server.script(textAnswer('One.'), textAnswer('Two.'), textAnswer('Three.'));
  await withWorkbench('model-name', options(), async (bench) => {
    const { chat, page, screenshot } = bench;
    const item = page.locator('.statusbar-item[id*="pincer.status"]');
    const hover = page.locator('.monaco-hover');
    await openView(bench);
    await expect.poll(() => bench.statusText()).toMatch(/· First$/u);
    await hoverUntil(item, hover.getByText('First (loopback/first)'));
    await screenshot('g-model-at-first');
    await page.mouse.move(0, 0);

    await chat.send('one');
    await chat.waitForAnswer(/One\./u, 'Answered by First (loopback/first)');
    await chat.send('two');
    await chat.waitForAnswer(/Two\.\s+First\s*$/u);
    await screenshot('g-model-again');
    await chat.send('/model loopback/second');
    await chat.waitForAnswer(/Second/u);
    await expect.poll(() => bench.statusText()).toMatch(/· Second$/u);
    await chat.send('three');
    await chat.waitForAnswer(/Three\./u, 'Answered by Second (loopback/second)');
    // Who calls a tool has no model answer.
    await chat.send('/tool read {"path": "log.md"}');
    expect(await chat.waitForAnswer(/day one/u)).not.toContain('Answered by');
    await chat.send('/model pincer/built-in');
    await chat.waitForAnswer(/built-in/u);
    await chat.send('read log.md');
    await chat.waitForAnswer(/day one/u, 'Answered by Pincer built-in');
    await screenshot('g-answered-by');
  });
});
