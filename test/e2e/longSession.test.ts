import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { textAnswer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import type { Workbench } from './driver/openWorkbench.ts';
import { isInTime, until } from './driver/until.ts';
import { homeWithModel, it } from './withWorkbench.ts';

const workspace = { files: { 'log.md': 'day one\n' } };
const day = 86_400_000;

let server: ScriptedModelServer;
it.beforeEach(({ server: given }) => {
  server = given;
});

/** A transcript of some turns, as Pincer writes it. */
function transcript(id: string, turns: number, at: number): string {
  const lines: unknown[] = [
    {
      type: 'session',
      version: 2,
      id,
      key: `agent:main:vscode:${id}`,
      kind: 'chat',
      agentId: 'main',
      createdAt: at,
      folders: [],
    },
  ];
  let parentId: string | null = null;
  const add = (entry: Readonly<Record<string, unknown>>): void => {
    const entryId = `${id.slice(0, 8)}-${String(lines.length)}`;
    lines.push({ ...entry, id: entryId, parentId });
    parentId = entryId;
  };
  const said = (role: string, text: string, more: object = {}): void =>
    add({ type: 'message', message: { role, content: [{ type: 'text', text }], timestamp: at, ...more } });
  for (let turn = 1; turn <= turns; turn += 1) {
    const runId = `run-${id.slice(0, 8)}-${String(turn)}`;
    const answered = { provider: 'loopback', model: 'scripted', stopReason: 'stop' };
    add({ type: 'turn', runId, state: 'started' });
    said(
      'user',
      turns === 1 ? `Short question of ${id.slice(0, 8)}` : `Question ${String(turn)} on the anchor`,
    );
    said('assistant', `Answer ${String(turn)}: the anchor is red and holds.`, answered);
    add({ type: 'turn', runId, state: 'completed' });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** Where the transcripts lie; they are there once something was said. */
async function sessionsFolder({ state }: Workbench): Promise<string> {
  const folder = join(state, 'sessions');
  await until('the folder of the transcripts', async () => existsSync(folder));
  return folder;
}

const idOf = (index: number): string => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** One session of 500 turns, used yesterday, and 2,000 short ones in the days before. */
async function writeSessions(folder: string): Promise<void> {
  const now = Date.now();
  const write = async (index: number, turns: number, at: number): Promise<void> => {
    const file = join(folder, `${idOf(index)}.jsonl`);
    await writeFile(file, transcript(idOf(index), turns, at));
    await utimes(file, at / 1_000, at / 1_000);
  };
  await write(0xffff, 500, now - day);
  for (let index = 0; index < 2_000; index += 1) await write(index, 1, now - 2 * day - index * 60_000);
}

it('a session of 500 turns among 2,000 others is listed, found, gone on with and searched without a wait', async ({
  withWorkbench,
}) => {
  const options = {
    workspace,
    trust: 'trusted',
    home: homeWithModel(server.baseUrl),
    fresh: 'it counts sessions',
    leaves: '2,001 sessions',
  } as const;
  await withWorkbench('long-session', options, async (bench) => {
    const { chat, page, palette, screenshot, views } = bench;
    server.script(textAnswer('Hello to you.'));
    await chat.send('Hello');
    await chat.waitForAnswer(/Hello to you/u);
    await writeSessions(await sessionsFolder(bench));
    await bench.reload();

    const took = async (what: string, work: () => Promise<unknown>): Promise<void> => {
      const started = performance.now();
      await work();
      console.log(`${what}: ${(performance.now() - started).toFixed(0)} ms`);
    };
    await views.open('Pincer', 'Sessions');
    const tree = views.tree('Sessions');
    await took('first list of 2,002 sessions', () =>
      tree.rowWith('Question 1 on the anchor').locator.waitFor(),
    );
    await screenshot('l-list');

    await palette.run('Pincer: Search Sessions…');
    const box = page.locator('.quick-input-widget input.input');
    await took('first search', async () => {
      await box.fill('question 499 anchor');
      await until('the session', async () =>
        (await palette.entries()).join().startsWith('Question 1 on the anchor'),
      );
    });
    await took('search again', async () => {
      await box.fill('short 000007cf');
      await until('the session', async () =>
        (await palette.entries()).join().startsWith('Short question of 000007cf'),
      );
    });
    await screenshot('l-search');
    await page.keyboard.press('Escape');

    await took('resume', async () => {
      await tree.rowWith('Question 1 on the anchor').menu('Open Session in Chat Panel…');
      await page
        .locator('.interactive-response')
        .getByText('Answer 500: the anchor is red and holds.')
        .first()
        .waitFor();
    });
    await screenshot('l-resumed');
    server.script(textAnswer('It is red.'));
    await took('turn 501', async () => {
      await chat.send('What colour is it?');
      await chat.waitForAnswer(/It is red/u);
    });
    const sent = JSON.stringify(server.requests.at(-1)?.body?.messages);
    expect(sent).toContain('Answer 500');

    // The wheel is for the view that the mouse is on; after a click it is on it still.
    await tree.row('Last 7 days').locator.hover();
    const more = tree.rowWith('Show more');
    await took('scroll, show more and scroll again', async () => {
      await until('the end of the group', async () => {
        if (await more.locator.isVisible()) return true;
        await page.mouse.wheel(0, 1_000);
        return false;
      });
      await more.waitForText('Show more (1950)');
      await more.click();
      await tree.rowWith('Short question of 00000032').locator.waitFor();
      // By keyboard this time.
      await until('the new end of the group', async () => {
        await page.keyboard.press('End');
        return await isInTime(() => tree.rowWith('Show more (1750)').locator.waitFor({ timeout: 1_000 }));
      });
    });
    await screenshot('l-scrolled');
  });
});
