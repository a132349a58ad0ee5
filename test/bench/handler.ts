import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../src/base/errors.ts';
import type { Workbench } from '../e2e/driver/openWorkbench.ts';
import { startEditor } from '../e2e/driver/startEditor.ts';
import { until } from '../e2e/driver/until.ts';
import { writeFolder } from '../e2e/driver/writeFiles.ts';
import { homeWithModel } from '../builders/homeWithModel.ts';
import type { Bench, Figure } from './bench.ts';
import { medianFigure } from './medianFigure.ts';
import { readLogFigures } from './readLogFigures.ts';
import type { TideServerMessage } from './tideServer.ts';

const warmTurns = 40;

/**
 * What Pincer adds, in a real editor, between the panel's call of its handler and the first markdown of the model's answer.
 * The extension measures its part and logs it; what another extension in the same window takes to send the same requests and to show the
 * same answers is taken from it: VS Code's own fetch, and waiting for a processor while it draws. Half of the answers come at once, as
 * from no model: then what is done while a model works counts, too, though nobody waits for it. The others take 100 ms.
 */
export const bench: Bench = {
  name: 'handler',
  needsEditor: true,
  async run() {
    const server = await startServer();
    const plain = await mkdtemp(join(tmpdir(), 'pincer-bench-'));
    try {
      await writeFolder(plain, { files: plainExtension(server.baseUrl) });
      const editor = await startEditor([plain]);
      try {
        const workbench = await editor.open({
          workspace: { files: { 'README.md': '# Boat\n\nShe leaks.\n' } },
          trust: 'trusted',
          home: homeWithModel(server.baseUrl),
        });
        return await measure(workbench, server, plain);
      } finally {
        await editor.dispose();
      }
    } finally {
      await server.stop();
      await rm(plain, { recursive: true });
    }
  },
};

/** An extension whose participant does nothing but send the next of `bodies.json` and show the answer; it writes down how long that took. */
const plainExtension = (baseUrl: string): Readonly<Record<string, string>> => ({
  'package.json': JSON.stringify({
    publisher: 'bench',
    name: 'plain',
    version: '0.0.1',
    engines: { vscode: '^1.100.0' },
    main: './extension.js',
    activationEvents: [],
    extensionKind: ['workspace'],
    contributes: {
      chatParticipants: [{ id: 'bench.plain', name: 'plain', description: 'Nothing but a request' }],
    },
  }),
  'extension.js': `
    const { appendFileSync, readFileSync } = require('node:fs');
    const { join } = require('node:path');
    const vscode = require('vscode');
    let bodies;
    exports.activate = () => {
      vscode.chat.createChatParticipant('bench.plain', async (request, context, stream) => {
        const started = performance.now();
        bodies ??= JSON.parse(readFileSync(join(__dirname, 'bodies.json'), 'utf8'));
        const response = await fetch('${baseUrl}/chat/completions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(bodies.shift()),
        });
        const decoder = new TextDecoder();
        let [text, isShown] = ['', false];
        for await (const chunk of response.body) {
          text += decoder.decode(chunk, { stream: true });
          for (let end; (end = text.indexOf('\\n\\n')) !== -1; text = text.slice(end + 2)) {
            const data = text.slice(0, end).replace(/^data: /u, '');
            const shown = data === '[DONE]' ? undefined : JSON.parse(data).choices[0]?.delta.content;
            if (!shown) continue;
            stream.markdown(shown);
            if (!isShown) appendFileSync(join(__dirname, 'times.txt'), performance.now() - started + '\\n');
            isShown = true;
          }
        }
      });
    };
  `,
});

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

async function measure(workbench: Workbench, server: TideServer, plain: string): Promise<readonly Figure[]> {
  const turns = warmTurns + 1;
  const askAll = async (who: string): Promise<void> => {
    for (let turn = 1; turn <= turns; turn += 1) {
      await workbench.chat.send(`@${who} When does the tide turn? (${turn})`);
      await workbench.chat.waitForAnswer(new RegExp(`Answer ${turn}:.*midnight`, 'su'));
    }
  };
  await askAll('pincer');
  const ofHandler = await readTurns(workbench, turns);
  const bodies = (await server.bodies()).slice(0, turns);
  await writeFile(join(plain, 'bodies.json'), JSON.stringify(bodies));
  await workbench.newSession();
  await askAll('plain');
  const ofPlain = (await readFile(join(plain, 'times.txt'), 'utf8')).trim().split('\n').map(Number);
  if (ofPlain.length !== turns)
    throw new Error(`The plain extension has answered ${ofPlain.length} of ${turns} messages.`);
  const over = ofHandler.map((each, turn) => each - (ofPlain[turn] ?? Number.NaN));
  const later = (figures: readonly number[], kind: 'at once' | 'thinks'): readonly number[] =>
    figures.filter((_, index) => index > 0 && (index % 2 === 0) === (kind === 'at once'));
  return [
    medianFigure('handler to the first markdown, first turn', 'ms', ofHandler.slice(0, 1)),
    medianFigure('later turns, model answers at once', 'ms', later(ofHandler, 'at once')),
    medianFigure('difference to a plain extension', 'ms', later(over, 'at once')),
    medianFigure('later turns, model takes 100 ms', 'ms', later(ofHandler, 'thinks')),
    medianFigure('a plain extension, 100 ms', 'ms', later(ofPlain, 'thinks')),
    medianFigure('difference to a plain extension, 100 ms', 'ms', later(over, 'thinks'), { below: 15 }),
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
