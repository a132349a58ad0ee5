import { parentPort } from 'node:worker_threads';
import { startScriptedModelServer, textAnswer } from '../builders/scriptedModelServer.ts';

// Runs in a thread of its own: the bench's drives a browser, and would answer late.

/** What the thread says: its address once, then the bodies of all requests, each time that it is asked. */
export type TideServerMessage = { readonly baseUrl: string } | { readonly bodies: readonly unknown[] };

const server = await startScriptedModelServer();
let answers = 0;
server.answerAll(() => {
  answers += 1;
  return textAnswer(`Answer ${answers}: the tide turns at six.\n\n`, 'And again at midnight.');
});
const say = (message: TideServerMessage): void => parentPort?.postMessage(message);
parentPort?.on('message', () => say({ bodies: server.requests.map(({ body }) => body) }));
say({ baseUrl: server.baseUrl });
