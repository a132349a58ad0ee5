import { startScriptedModelServer, type ScriptedModelServer } from '../builders/scriptedModelServer.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { startEditor } from '../e2e/driver/startEditor.ts';
import { until } from '../e2e/driver/until.ts';
import { homeWithModel } from '../builders/homeWithModel.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { readLogFigures } from './readLogFigures.ts';

const warmTurns = 20;

/**
 * What Pincer adds, in a real editor, between the panel's call of its handler and the first markdown of the model's answer.
 * The extension measures its part and logs it; the server measures its own, from the whole request to the first text sent.
 */
export const bench: Bench = {
  name: 'handler',
  needsEditor: true,
  async run() {
    const server = await startScriptedModelServer();
    try {
      const ofServer = answerAndMeasure(server);
      const editor = await startEditor();
      try {
        const workbench = await editor.open({
          workspace: { files: { 'README.md': '# Boat\n\nShe leaks.\n' } },
          trust: 'trusted',
          home: homeWithModel(server.baseUrl),
        });
        return await measure(workbench, ofServer);
      } finally {
        await editor.dispose();
      }
    } finally {
      await server.dispose();
    }
  },
};

/** Answers every request and gives the list that the server's times, in milliseconds, go to. */
function answerAndMeasure(server: ScriptedModelServer): readonly number[] {
  const times: number[] = [];
  server.answerAll(() => {
    const arrived = performance.now();
    return {
      steps: [
        { text: `Answer ${times.length + 1}: the tide turns at six.\n\n` },
        {
          // Read when the step before has been carried out.
          get wait() {
            times.push(performance.now() - arrived);
            return Promise.resolve();
          },
        },
        { text: 'And again at midnight.' },
        { finish: 'stop' },
        { mark: true },
      ],
    };
  });
  return times;
}

async function measure(workbench: Workbench, ofServer: readonly number[]): Promise<readonly Figure[]> {
  const turns = warmTurns + 1;
  for (let turn = 1; turn <= turns; turn += 1) {
    await workbench.chat.send(`When does the tide turn? (${turn})`);
    await workbench.chat.waitForAnswer(new RegExp(`Answer ${turn}:.*midnight`, 'su'));
  }
  const ofHandler = await readTurns(workbench, turns);
  if (ofServer.length !== turns)
    throw new Error(`The server was asked ${ofServer.length} times in ${turns} turns.`);
  const over = ofHandler.map((each, turn) => each - (ofServer[turn] ?? Number.NaN));
  return [
    medianFigure('handler to the first markdown, first turn', 'ms', ofHandler.slice(0, 1)),
    medianFigure('handler to the first markdown, later turns', 'ms', ofHandler.slice(1)),
    medianFigure("the server's part of it", 'ms', ofServer.slice(1)),
    medianFigure('difference, later turns', 'ms', over.slice(1), { below: 15 }),
  ];
}

/** The extension's figure of every turn, as soon as its log has been written. */
async function readTurns(workbench: Workbench, turns: number): Promise<readonly number[]> {
  let found: readonly number[] = [];
  await until(
    `${turns} lines "First text after … ms" in Pincer's log`,
    async () => {
      found = await readLogFigures(workbench.logs, 'First text after');
      return found.length >= turns;
    },
    { seen: async () => `${found.length} of them` },
  );
  if (found.length > turns) throw new Error(`Pincer logged ${found.length} first texts in ${turns} turns.`);
  return found;
}
