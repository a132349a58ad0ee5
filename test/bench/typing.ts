import type { Page } from 'playwright-core';

import { homeWithModel } from '../builders/homeWithModel.ts';
import { startScriptedModelServer, type ScriptedAnswer } from '../builders/scriptedModelServer.ts';
import { createEditors } from '../e2e/driver/editors.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { withPlainWindow, type PlainWindow } from '../e2e/driver/plainWindow.ts';
import { startEditor } from '../e2e/driver/startEditor.ts';
import type { Bench, Figure } from './bench.ts';
import { median, medianFigure } from './medianFigure.ts';

const rounds = 3;
const keysOfRound = 60;
/** As a quick typist does. Milliseconds from key to key. */
const keyMs = 60;
/** A fast model of today. Milliseconds from token to token. */
const tokenMs = 10;
/** More than a round of typing lasts. */
const tokens = 2_000;
/** About one frame at 60 frames a second: less is not seen. */
const frameMs = 16;

/**
 * How long a key takes to be painted in an editor: in a window without Pincer, in one with it while nothing runs, and in that one while an
 * answer streams into the chat beside the editor. Rounds of the three take turns.
 */
export const bench: Bench = {
  name: 'typing',
  needsEditor: true,
  async run() {
    const server = await startScriptedModelServer();
    try {
      server.answerAll(() => streamed());
      const editor = await startEditor();
      try {
        const home = homeWithModel(server.baseUrl);
        const workbench = await editor.open({ workspace: { files }, trust: 'trusted', home });
        return await withPlainWindow({ files }, (plain) => measure(plain, workbench));
      } finally {
        await editor.dispose();
      }
    } finally {
      await server.dispose();
    }
  },
};

const files = { 'log.md': '# Log\n' };

async function measure(plain: PlainWindow, workbench: Workbench): Promise<readonly Figure[]> {
  const { chat, page } = workbench;
  for (const each of [plain, workbench]) await prepare(each);
  const without: number[] = [];
  const quiet: number[] = [];
  const streaming: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    without.push(...(await typeRound(plain.page)));
    quiet.push(...(await typeRound(page)));
    await chat.send(`Tell me of the sea (${round})`);
    await chat.waitForText('word 20 ');
    streaming.push(...(await typeRound(page)));
    await chat.cancel();
  }
  const names = { 'without Pincer': without, 'nothing runs': quiet, 'an answer streams': streaming };
  return [
    ...Object.entries(names).map(([name, samples]) => medianFigure(`key to paint, ${name}`, 'ms', samples)),
    ...Object.entries(names).map(([name, samples]): Figure => ({
      name: `key to paint, ${name}, p95`,
      value: late(samples),
      unit: 'ms',
    })),
    {
      name: 'an answer that streams against no Pincer, median',
      value: median(streaming) - median(without),
      unit: 'ms',
      below: frameMs,
    },
    {
      name: 'an answer that streams against no Pincer, p95',
      value: late(streaming) - late(without),
      unit: 'ms',
      below: 2 * frameMs,
    },
  ];
}

function late(samples: readonly number[]): number {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length * 0.95)] ?? Number.NaN;
}

/** Opens the file and types a first round, which is slower than those that count. */
async function prepare({ page, palette }: Pick<Workbench, 'page' | 'palette'>): Promise<void> {
  await palette.openFile('log.md');
  await createEditors(page).waitForActive('log.md');
  await page.evaluate(watchKeys);
  await typeRound(page);
}

function streamed(): ScriptedAnswer {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, tokenMs));
  return {
    steps: [
      ...Array.from({ length: tokens }, (_, at) => [
        { text: `word ${at} ${at % 30 === 29 ? '\n\n' : ''}` },
        {
          // Read when the step before has been carried out.
          get wait() {
            return pause();
          },
        },
      ]).flat(),
      { finish: 'stop' },
      { mark: true },
    ],
  };
}

/** Runs in the page: notes for each key when the frame after it has been painted. */
const watchKeys = `
  globalThis.keyTimes = [];
  const waiting = [];
  const painted = new MessageChannel();
  painted.port1.onmessage = () => {
    for (const at of waiting.splice(0)) keyTimes.push(performance.now() - at);
  };
  const note = ({ timeStamp }) =>
    requestAnimationFrame(() => {
      waiting.push(timeStamp);
      painted.port2.postMessage('');
    });
  document.addEventListener('keydown', note, { capture: true });
`;
const takeTimes = 'keyTimes.splice(0)';

/** Types a line into the editor. @returns milliseconds for each key. @throws Error where a key was not counted */
async function typeRound(page: Page): Promise<readonly number[]> {
  await page.locator('.editor-group-container.active .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Enter');
  await page.evaluate(takeTimes);
  await page.keyboard.type('x'.repeat(keysOfRound), { delay: keyMs });
  const times = await page.evaluate<readonly number[]>(takeTimes);
  if (times.length < keysOfRound - 1) throw new Error(`Of ${keysOfRound} keys ${times.length} were painted.`);
  return times;
}
