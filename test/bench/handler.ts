import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../src/base/errors.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { startEditor } from '../e2e/driver/startEditor.ts';
import { until } from '../e2e/driver/until.ts';
import { homeWithModel } from '../builders/homeWithModel.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { readLogFigures } from './readLogFigures.ts';
import type { TideServerMessage } from './tideServer.ts';
import { timeServer } from './timeServer.ts';

const warmTurns = 40;

/**
 * What Pincer adds, in a real editor, between the panel's call of its handler and the first markdown of the model's answer.
 * The extension measures its part and logs it; what the same requests take without an editor is taken from it. Half of the answers
 * come at once, as from no model: then what is done while a model works counts, too, though nobody waits for it. The others take 100 ms.
 */
export const bench: Bench = {
  name: 'handler',
  needsEditor: true,
  async run() {
    const server = await startServer();
    try {
      const editor = await startEditor();
      try {
        const workbench = await editor.open({
          workspace: { files: { 'README.md': '# Boat\n\nShe leaks.\n' } },
          trust: 'trusted',
          home: homeWithModel(server.baseUrl),
        });
        return await measure(workbench, server);
      } finally {
        await editor.dispose();
      }
    } finally {
      await server.stop();
    }
  },
};

interface TideServer {
  readonly baseUrl: string;
  /** Of the requests so far, oldest first. */
  bodies(): Promise<readonly unknown[]>;
  stop(): Promise<unknown>;
}

/** Models run elsewhere: this one must not wait for a processor while VS Code draws. */
async function startServer(): Promise<TideServer> {
  const server = fork(fileURLToPath(new URL('./tideServer.ts', import.meta.url)));
  try {
    setPriority(server.pid ?? Number.NaN, constants.priority.PRIORITY_HIGHEST);
  } catch (error) {
    console.warn(`The model server may answer late, since it got no priority: ${errorMessage(error)}`);
  }
  const next = async (): Promise<TideServerMessage> => {
    const [message] = (await once(server, 'message')) as [TideServerMessage];
    return message;
  };
  const begun = await next();
  if (!('baseUrl' in begun)) throw new Error('The model server said no address.');
  return {
    baseUrl: begun.baseUrl,
    async bodies() {
      const answer = next();
      server.send('bodies');
      const message = await answer;
      return 'bodies' in message ? message.bodies : [];
    },
    async stop() {
      const exited = once(server, 'exit');
      server.disconnect();
      await exited;
    },
  };
}

async function measure(workbench: Workbench, server: TideServer): Promise<readonly Figure[]> {
  const turns = warmTurns + 1;
  for (let turn = 1; turn <= turns; turn += 1) {
    await workbench.chat.send(`When does the tide turn? (${turn})`);
    await workbench.chat.waitForAnswer(new RegExp(`Answer ${turn}:.*midnight`, 'su'));
  }
  const ofHandler = await readTurns(workbench, turns);
  const bodies = await server.bodies();
  const ofServer: number[] = [];
  for (const body of bodies.slice(0, turns))
    ofServer.push(await timeServer(server.baseUrl, body, 'the tide'));
  if (ofServer.length !== turns)
    throw new Error(`The server was asked ${ofServer.length} times in ${turns} turns.`);
  const over = ofHandler.map((each, turn) => each - (ofServer[turn] ?? Number.NaN));
  const later = (figures: readonly number[], kind: 'at once' | 'thinks'): readonly number[] =>
    figures.filter((_, index) => index > 0 && (index % 2 === 0) === (kind === 'at once'));
  return [
    medianFigure('handler to the first markdown, first turn', 'ms', ofHandler.slice(0, 1)),
    medianFigure('later turns, model answers at once', 'ms', later(ofHandler, 'at once')),
    medianFigure('difference to the same requests by fetch alone', 'ms', later(over, 'at once')),
    medianFigure('later turns, model takes 100 ms', 'ms', later(ofHandler, 'thinks')),
    medianFigure('difference to the same requests by fetch alone, 100 ms', 'ms', later(over, 'thinks'), {
      below: 15,
    }),
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
