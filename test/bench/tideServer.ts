import { setTimeout as delay } from 'node:timers/promises';
import { startScriptedModelServer, textAnswer } from '../builders/scriptedModelServer.ts';

// Runs in a process of its own: the bench's drives a browser, and would answer late.

/** How long the model takes to answer an even question, which is little for one; it answers odd ones at once. Milliseconds. */
const thinkingMs = 100;

/** What the process says: its address once, then the bodies of all requests, each time that it is asked. */
export type TideServerMessage = { readonly baseUrl: string } | { readonly bodies: readonly unknown[] };

const server = await startScriptedModelServer();
server.answerAll(({ body }) => {
  const question = Number(/\((\d+)\)/u.exec(JSON.stringify(body?.messages.at(-1)))?.[1]);
  const { steps } = textAnswer(`Answer ${question}: the tide turns at six.\n\n`, 'And again at midnight.');
  return { steps: question % 2 === 0 ? [{ wait: delay(thinkingMs) }, ...steps] : steps };
});
const say = (message: TideServerMessage): void => void process.send?.(message);
process.on('message', () => say({ bodies: server.requests.map(({ body }) => body) }));
process.on('disconnect', () => process.exit());
say({ baseUrl: server.baseUrl });
