// A thread of `npm run load`: the clients and the model's server, so that they are no work of the extension host's.
import { parentPort } from 'node:worker_threads';
import { WebSocket } from 'ws';
import { startScriptedModelServer, textAnswer } from '../builders/scriptedModelServer.ts';

/** What the thread is asked for; one at a time. */
export type LoadStep =
  | { readonly do: 'connect'; readonly port: number; readonly token: string; readonly clients: number }
  | { readonly do: 'run'; readonly runs: number }
  | { readonly do: 'ask'; readonly requests: number }
  | { readonly do: 'close' };

/** Milliseconds between the host's clock in an event and its arrival, of every event of runs at every client. */
export interface LoadDelays {
  readonly events: number;
  readonly p50: number;
  readonly p99: number;
  readonly finals: number;
}

const words = Array.from({ length: 40 }, (_, at) => `word ${String(at)} of a longer answer. `);
const sockets: WebSocket[] = [];
let port = 0;
let token = '';
let delays: number[] = [];
let finals = 0;
let onFinal = (): void => undefined;

const server = await startScriptedModelServer();
server.answerAll(() => textAnswer(...words));
parentPort?.postMessage({ baseUrl: server.baseUrl });
parentPort?.on('message', (step: LoadStep) => void carryOut(step));

async function carryOut(step: LoadStep): Promise<void> {
  switch (step.do) {
    case 'connect':
      ({ port, token } = step);
      for (let at = 0; at < step.clients; at += 1) sockets.push(await connect());
      parentPort?.postMessage({ connected: sockets.length });
      return;
    case 'run':
      parentPort?.postMessage(await run(step.runs));
      return;
    case 'ask':
      await askMany(step.requests);
      parentPort?.postMessage({ asked: step.requests });
      return;
    case 'close':
      for (const socket of sockets) socket.terminate();
      await server.dispose();
      parentPort?.postMessage({ closed: true });
  }
}

async function connect(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/ws`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () =>
      socket.send(
        JSON.stringify({
          ...{ type: 'req', id: 'hello', method: 'connect' },
          params: { minProtocol: 4, maxProtocol: 4, scopes: ['operator.read'] },
        }),
      ),
    );
    socket.on('message', (data: Buffer) => {
      const now = performance.timeOrigin + performance.now();
      const text = data.toString('utf8');
      if (text.includes('"id":"hello"')) resolve();
      const ts = /"ts":(\d+)/u.exec(text)?.[1];
      if (ts === undefined || !/"event":"(?:chat|agent)"/u.test(text)) return;
      delays.push(Math.max(0, now - Number(ts)));
      if (!text.includes('"state":"final"')) return;
      finals += 1;
      onFinal();
    });
  });
  return socket;
}

async function run(runs: number): Promise<LoadDelays> {
  [delays, finals] = [[], 0];
  await new Promise<void>((resolve) => {
    onFinal = () => {
      if (finals === runs * sockets.length) resolve();
    };
  });
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { events: sorted.length, p50: at(0.5), p99: at(0.99), finals };
}

async function askMany(requests: number): Promise<void> {
  const ask = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${String(port)}/v1/models`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await answer.text();
  };
  for (let done = 0; done < requests; done += 20) await Promise.all(Array.from({ length: 20 }, ask));
}
