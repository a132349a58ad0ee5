import { hangingAnswer, textAnswer, toolCallAnswer } from '../../test/builders/scriptedModelServer.ts';
import type { Workbench } from '../../test/e2e/driver/openWorkbench.ts';
import { inEachTheme, lookAt, parts, webview, type Finding, type Theme } from './findings.ts';

const views = ['Chat', 'Sessions', 'Approvals', 'Plugins', 'Tools', 'Memory'] as const;

/** The config names it and nobody has agreed to it: the Plugins view has a row of it, and nothing starts. */
export const mcpServers = { tides: { command: 'tides-server', args: ['--stdio'] } };

/** What the model says, in this order. */
export const answers = [
  toolCallAnswer([
    { name: 'read', arguments: { path: 'README.md' } },
    { name: 'read', arguments: { path: 'missing.md' } },
  ]),
  textAnswer('Aye, the **tide** turns at `six`: see [the rules](README.md).'),
  hangingAnswer('It is ', 'coming.'),
  toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: '# Log\n\nDay one.\n' } }]),
  textAnswer('Then not.'),
  // Asked by the paired page.
  toolCallAnswer([{ name: 'write', arguments: { path: 'log.md', content: '# Log\n\nDay two.\n' } }]),
  textAnswer('Then not either.'),
  // Too long for a question, so that the answer offers the whole call.
  toolCallAnswer([{ name: 'exec', arguments: { command: `echo ${'on and on '.repeat(200)}&& touch last` } }]),
];

export interface PincerFindings {
  /** In what VS Code draws for Pincer: views, editors, pickers, toasts, answers, rendered pages. */
  readonly drawn: readonly Finding[];
  /** In webviews, of which Pincer draws every element. */
  readonly own: readonly Finding[];
}

/** All that Pincer shows, empty and filled, in three themes. */
export async function lookAtPincer(bench: Workbench): Promise<PincerFindings> {
  const { chat, editors, page, palette, notifications } = bench;
  const found: Finding[] = [];
  const own: Finding[] = [];
  const look = async (part: keyof typeof parts, place: string): Promise<void> => {
    found.push(...(await lookAt(page, parts[part], place)));
  };
  const lookAtViews = async (state: string, theme: Theme): Promise<void> => {
    for (const view of views) {
      await bench.views.open('Pincer', view);
      await look('sideBar', `${view}, ${state}, ${theme}`);
    }
  };

  await inEachTheme(bench, async (theme) => {
    await lookAtViews('empty', theme);
    await look('chat', `empty chat, ${theme}`);
    await lookAtPickers(bench, theme, look);
    await lookAtWalkthrough(bench, theme, look);
  });

  await chat.send('When does the tide turn?');
  await chat.waitForAnswer(/tide turns/u);
  await inEachTheme(bench, (theme) => look('chat', `answer, ${theme}`));
  await chat.unfoldSteps('Read README.md');
  await inEachTheme(bench, (theme) => look('chat', `steps of an answer, ${theme}`));
  await chat.send('And the wind?');
  await chat.waitForText('It is');
  await look('chat', 'answer that goes on, light');
  await chat.cancel();

  await chat.send('Write the log.');
  await chat.waitForText('Write log.md');
  await editors.diff.waitFor();
  await page.locator('.codelens-decoration a').first().waitFor();
  await inEachTheme(bench, async (theme) => {
    await look('chat', `question in the chat, ${theme}`);
    await look('editor', `diff of an edit, ${theme}`);
    await lookAtViews('filled', theme);
    await bench.views.open('Pincer', 'Review');
    await look('sideBar', `Review, filled, ${theme}`);
    await bench.screenshot(`axe-filled-${theme}`);
  });
  await palette.run('Pincer: Reject Proposed Edits');
  await chat.waitForAnswer(/Then not/u);
  await lookAtSchedule(bench, look);
  await lookAtServer(bench, look);
  own.push(...(await lookAtPairedPage(bench)));

  await chat.send('Run it.');
  await notifications.waitFor('Run a command');
  await look('toasts', 'question as a toast, light');
  await chat.click('Review…');
  await editors.waitForActive('Whole call');
  await inEachTheme(bench, async (theme) => {
    await look('editor', `whole call, ${theme}`);
    await look('chat', `long command in the chat, ${theme}`);
    await bench.screenshot(`axe-whole-call-${theme}`);
  });

  await palette.run('View: Close All Editors');
  await inEachTheme(bench, async (theme) => {
    own.push(...(await lookAtWebview(bench, 'Pincer: Configure Plugin…', theme)));
    own.push(...(await lookAtWebview(bench, 'Pincer: Show Last Run', theme)));
    found.push(...(await lookAtWebview(bench, 'Pincer: Show Prompt', theme)));
  });
  return { drawn: found, own };
}

type Look = (part: keyof typeof parts, place: string) => Promise<void>;

/** A job that is due tomorrow, and one that is paused. */
async function lookAtSchedule(bench: Workbench, look: Look): Promise<void> {
  const { page, palette, views: sideBar } = bench;
  for (const [when, prompt] of [
    ['1d', 'Look at the tide'],
    ['2d', 'Look at the wind'],
  ] as const) {
    await palette.run('Pincer: Add Scheduled Job…');
    await page.getByText('Add a job: when').waitFor();
    if (when === '1d') await look('picker', 'when of a job, light');
    await palette.enter(when);
    await page.getByText('Add a job: prompt').waitFor();
    await palette.enter(prompt);
    await page.locator(parts.picker).waitFor({ state: 'hidden' });
  }
  await sideBar.open('Pincer', 'Schedule');
  const schedule = sideBar.tree('Schedule');
  await schedule.row('Look at the wind').action('Pause Scheduled Job');
  await schedule.row('Look at the wind').waitForText('paused');
  await inEachTheme(bench, async (theme) => {
    await look('sideBar', `Schedule, ${theme}`);
    await bench.screenshot(`axe-schedule-${theme}`);
  });
}

async function lookAtServer(bench: Workbench, look: Look): Promise<void> {
  await bench.views.open('Pincer', 'Plugins');
  const row = bench.views.tree('Plugins').row('tides');
  await row.waitForText('not agreed to');
  await row.expand();
  await inEachTheme(bench, async (theme) => {
    await row.click();
    await look('sideBar', `MCP servers, ${theme}`);
    await bench.screenshot(`axe-mcp-${theme}`);
  });
}

/** The page of a second screen, before and after it is let in, light and dark. */
async function lookAtPairedPage(bench: Workbench): Promise<readonly Finding[]> {
  const { page, palette, notifications } = bench;
  const found: Finding[] = [];
  await palette.run('Pincer: Start Gateway');
  const told = await notifications.waitFor('The gateway runs on');
  const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/u.exec(told) ?? [];
  const remote = await page.context().newPage();
  const lookAtRemote = async (place: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await remote.emulateMedia({ colorScheme });
      found.push(...(await lookAt(remote, 'body', `${place}, ${colorScheme}`)));
    }
  };
  try {
    await remote.setViewportSize({ width: 420, height: 800 });
    await remote.goto(address);
    const code = remote.locator('#code');
    await code.filter({ hasText: /^\d{6}$/u }).waitFor();
    await lookAtRemote('code of a second screen');
    const asked = `Code ${await code.innerText()}`;
    await page.bringToFront();
    const cover = remote.locator('#cover');
    await notifications.decide(asked, 'Allow Once', async () => await cover.isHidden());
    await remote.bringToFront();
    await cover.waitFor({ state: 'hidden' });
    await lookAtRemote('empty second screen');
    await remote.getByLabel('Message to Pincer').fill('Write the log again.');
    await remote.keyboard.press('Enter');
    await remote.locator('#items > .question.open').getByText('Day two').first().waitFor();
    await lookAtRemote('question on a second screen');
    await remote.getByRole('button', { name: 'Deny' }).click();
    await remote.locator('#items > .answer').filter({ hasText: 'Then not either.' }).waitFor();
    await lookAtRemote('answer on a second screen');
    // While a turn runs the session can't be changed.
    await remote.locator('#progress').waitFor({ state: 'hidden' });
    await remote.getByRole('button', { name: 'Sessions…' }).click();
    await remote.locator('#chooser').getByRole('button').first().waitFor();
    await lookAtRemote('sessions on a second screen');
  } finally {
    await remote.close();
  }
  await palette.run('Pincer: Stop Gateway');
  await palette.run('Notifications: Clear All Notifications');
  return found;
}

/** Each by a text that it shows. */
const pickers = [
  ['Pincer: Show Status', 'Model'],
  ['Pincer: Set Approval Mode…', 'ask'],
  ['Pincer: Add Model…', 'Another OpenAI-compatible server…'],
  ['Pincer: New Plugin…', 'This workspace'],
  ['Pincer: Search Memory', 'README.md'],
  ['Pincer: Explain Tool…', 'read'],
] as const;

async function lookAtPickers({ page, palette }: Workbench, theme: Theme, look: Look): Promise<void> {
  const picker = page.locator(parts.picker);
  for (const [command, text] of pickers) {
    await palette.run(command);
    if (command === 'Pincer: Search Memory') await picker.locator('input.input').fill('leaks');
    await picker.getByText(text).first().waitFor();
    await look('picker', `${command}, ${theme}`);
    await page.keyboard.press('Escape');
    await picker.waitFor({ state: 'hidden' });
  }
}

async function lookAtWalkthrough({ page, palette }: Workbench, theme: Theme, look: Look): Promise<void> {
  await palette.run('Pincer: Get Started');
  await page.locator(`${parts.editor} .getting-started-step`).first().waitFor();
  await look('editor', `walkthrough, ${theme}`);
  await palette.run('View: Close All Editors');
}

/** Opened anew for each theme: a change of theme loads some of them once more. */
async function lookAtWebview(bench: Workbench, title: string, theme: Theme): Promise<readonly Finding[]> {
  const { page, palette } = bench;
  await palette.run(title);
  const which = page.locator(parts.picker).getByPlaceholder('Which plugin?');
  if (title === 'Pincer: Configure Plugin…') {
    await which.waitFor();
    await page.keyboard.press('Enter');
  }
  const found = await lookAt(await webview(page, theme), 'body', `${title}, ${theme}`);
  await bench.screenshot(`axe-${title.replaceAll(/\W+/gu, '-')}-${theme}`);
  await palette.run('View: Close All Editors');
  return found;
}
