import { homeWithModel } from '../builders/homeWithModel.ts';
import {
  startScriptedModelServer,
  type ScriptedAnswer,
  type ScriptedModelServer,
} from '../builders/scriptedModelServer.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { startEditor } from '../e2e/driver/startEditor.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';

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
 * How long a key takes to be painted in an editor: while nothing runs, and while an answer streams into the chat beside it. Rounds of
 * both take turns in one window.
 */
export const bench: Bench = {
  name: 'typing',
  needsEditor: true,
  async run() {
    const server = await startScriptedModelServer();
    try {
      const editor = await startEditor();
      try {
        const workbench = await editor.open({
          workspace: { files: { 'log.md': '# Log\n' } },
          trust: 'trusted',
          home: homeWithModel(server.baseUrl),
        });
        return await measure(workbench, server);
      } finally {
        await editor.dispose();
      }
    } finally {
      await server.dispose();
    }
  },
};

async function measure(workbench: Workbench, server: ScriptedModelServer): Promise<readonly Figure[]> {
  const { chat, editors, page, palette } = workbench;
  server.answerAll(() => streamed());
  await palette.openFile('log.md');
  await editors.waitForActive('log.md');
  await page.evaluate(watchKeys);
  await typeRound(workbench);
  const quiet: number[] = [];
  const streaming: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    quiet.push(...(await typeRound(workbench)));
    await chat.send(`Tell me of the sea (${round})`);
    await chat.waitForText('word 20 ');
    streaming.push(...(await typeRound(workbench)));
    await chat.cancel();
  }
  const late = (samples: readonly number[]): number =>
    [...samples].sort((a, b) => a - b)[Math.floor(samples.length * 0.95)] ?? Number.NaN;
  return [
    medianFigure('key to paint, nothing runs', 'ms', quiet),
    medianFigure('key to paint, an answer streams', 'ms', streaming),
    { name: 'key to paint, nothing runs, p95', value: late(quiet), unit: 'ms' },
    { name: 'key to paint, an answer streams, p95', value: late(streaming), unit: 'ms' },
    {
      name: 'what the answer adds, median',
      value: medianFigure('', 'ms', streaming).value - medianFigure('', 'ms', quiet).value,
      unit: 'ms',
      below: frameMs,
    },
  ];
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
async function typeRound({ page }: Workbench): Promise<readonly number[]> {
  await page.locator('.editor-group-container.active .view-lines').first().click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Enter');
  await page.evaluate(takeTimes);
  await page.keyboard.type('x'.repeat(keysOfRound), { delay: keyMs });
  const times = await page.evaluate<readonly number[]>(takeTimes);
  if (times.length < keysOfRound - 1) throw new Error(`Of ${keysOfRound} keys ${times.length} were painted.`);
  return times;
}
