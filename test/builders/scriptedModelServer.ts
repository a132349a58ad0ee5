import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ModelApi } from '../../src/models/library/modelErrors.ts';
import { createModelWire } from './modelWire.ts';
import { writeAnswer, type ScriptedAnswer } from './scriptedModelAnswer.ts';

export * from './scriptedModelAnswer.ts';

/** A request as the server got it. */
export interface RecordedModelRequest {
  readonly method: string;
  /** Path and query, such as `/v1/chat/completions`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON body; undefined where there was none. */
  readonly body: ChatRequestBody | undefined;
  /** The same body, of whatever protocol. */
  readonly json: unknown;
}

/** The part of a chat completions body that tests look at. */
export interface ChatRequestBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: unknown;
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_calls?: readonly unknown[];
    readonly tool_call_id?: string;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

export interface ScriptedModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  /** Chat requests so far, oldest first. */
  readonly requests: readonly RecordedModelRequest[];
  /** Requests for `/models` so far. */
  readonly listRequests: readonly RecordedModelRequest[];
  /** Connections that were ever opened. */
  readonly connections: number;
  /** Chat requests whose client went away before the answer was complete. */
  readonly abandoned: number;
  /** Answers for the next chat requests, one each, in order. */
  script(...answers: readonly ScriptedAnswer[]): void;
  /** Answers every chat request that has no scripted answer left. */
  answerAll(respond: (request: RecordedModelRequest) => ScriptedAnswer): void;
  /** What `GET /models` answers. Default: one model named `scripted`. */
  answerList(answer: ScriptedAnswer): void;
  /** Resolves once `count` chat requests have arrived in full. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves once `count` chat requests have been answered to the end. */
  waitForAnswers(count: number): Promise<void>;
  /** Resolves once `count` clients have gone away early. */
  waitForAbandoned(count: number): Promise<void>;
  /** Forgets requests, answers and counts, and ends every connection: as new, at the same address. */
  startOver(): void;
  /** Closes the port and every connection, hanging answers included. */
  dispose(): Promise<void>;
}

/**
 * A real server on the loopback interface that answers by script, in the words of one protocol: OpenAI-compatible chat
 * completions unless told otherwise. A request that no script foresees gets a 500 that says so.
 */
export async function startScriptedModelServer(
  api: ModelApi = 'openai-compatible',
): Promise<ScriptedModelServer> {
  const requests: RecordedModelRequest[] = [];
  const listRequests: RecordedModelRequest[] = [];
  const answers: ScriptedAnswer[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const state = { connections: 0, answered: 0, abandoned: 0, disposed: false, round: 0 };
  const failAll = (_request: RecordedModelRequest): ScriptedAnswer => nothingScripted;
  let fallback = failAll;
  let list = oneModel;

  const changed = (): void => {
    for (const check of [...waiting]) check();
  };
  const waitUntil = (reached: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!reached()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    const { round } = state;
    outgoing.on('close', () => {
      const counts = round === state.round && !state.disposed;
      if (!outgoing.writableFinished && counts) state.abandoned += 1;
      gone.abort();
      changed();
    });
    const request = await record(incoming);
    const isList = request.path.split('?')[0]?.endsWith('/models') === true;
    (isList ? listRequests : requests).push(request);
    changed();
    const answer = isList ? list : (answers.shift() ?? fallback(request));
    await writeAnswer(outgoing, answer, createModelWire(api), gone.signal);
    if (!isList && round === state.round) state.answered += 1;
    changed();
  };

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.destroyed) outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  });
  server.on('connection', (socket) => {
    state.connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    listRequests,
    get connections() {
      return state.connections;
    },
    get abandoned() {
      return state.abandoned;
    },
    script: (...more) => void answers.push(...more),
    answerAll(respond) {
      fallback = respond;
    },
    answerList(answer) {
      list = answer;
    },
    waitForRequests: (count) => waitUntil(() => requests.length >= count),
    waitForAnswers: (count) => waitUntil(() => state.answered >= count),
    waitForAbandoned: (count) => waitUntil(() => state.abandoned >= count),
    startOver() {
      for (const socket of sockets) socket.destroy();
      for (const each of [requests, listRequests, answers]) each.length = 0;
      Object.assign(state, { connections: 0, answered: 0, abandoned: 0, round: state.round + 1 });
      waiting.clear();
      fallback = failAll;
      list = oneModel;
    },
    async dispose() {
      if (state.disposed) return;
      state.disposed = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const oneModel: ScriptedAnswer = {
  steps: [{ raw: JSON.stringify({ object: 'list', data: [{ id: 'scripted' }] }) }],
};

const nothingScripted: ScriptedAnswer = {
  status: 500,
  steps: [{ raw: JSON.stringify({ error: { message: 'The scripted model server has no answer left.' } }) }],
};

async function record(incoming: IncomingMessage): Promise<RecordedModelRequest> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: json as ChatRequestBody | undefined,
    json,
  };
}
