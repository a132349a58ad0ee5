import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { gatewayToken } from './openTestRuntime.ts';

export interface ClientOptions {
  readonly scopes?: readonly string[];
  /** Default: the right one. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the token. */
  readonly auth?: object;
  readonly client?: object;
  readonly minProtocol?: number;
  readonly maxProtocol?: number;
  /** Ends the connection, also before it was answered. */
  readonly leaves?: AbortSignal;
}

export interface Answer {
  readonly ok: boolean;
  readonly payload?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface Told {
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly seq: number;
}

/** A client over a real socket, as programs of others are. */
export interface GatewayClient extends Disposable {
  readonly socket: WebSocket;
  /** What it was answered to its first frame. */
  readonly hello: Answer;
  readonly events: readonly Told[];
  /** Answers of all frames with this id, in their order. */
  answersTo(id: string): readonly Answer[];
  ask(method: string, params?: object): Promise<Answer>;
  /** The first event of this kind, come or to come. */
  hear(event: string, matches?: (payload: Told['payload']) => boolean): Promise<Told>;
  /** Resolves with code and reason once the connection has ended. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

const allScopes = ['operator.read', 'operator.write', 'operator.approvals', 'operator.admin'];

export async function openGatewayClient(port: number, options: ClientOptions = {}): Promise<GatewayClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/ws`, { headers: options.headers ?? {} });
  options.leaves?.addEventListener('abort', () => socket.terminate());
  const events: Told[] = [];
  const answers: (Answer & { readonly id: string })[] = [];
  const heard = new Set<() => void>();
  let ids = 0;
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString('utf8')) as { readonly type: string };
    if (frame.type === 'event') events.push(frame as unknown as Told);
    else answers.push(frame as unknown as Answer & { readonly id: string });
    for (const look of [...heard]) look();
  });
  const closed = new Promise<{ readonly code: number; readonly reason: string }>((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString('utf8') });
      for (const look of [...heard]) look();
    });
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  const until = async <T>(find: () => T | undefined, what: string): Promise<T> =>
    await new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined && socket.readyState === socket.OPEN) return;
        heard.delete(look);
        if (found === undefined) reject(new Error(`The connection ended before ${what} came.`));
        else resolve(found);
      };
      heard.add(look);
      look();
    });
  const ask = async (method: string, params: object = {}): Promise<Answer> => {
    ids += 1;
    const id = `r${String(ids)}`;
    socket.send(JSON.stringify({ type: 'req', id, method, params }));
    return await until(() => answers.find((each) => each.id === id), `the answer to ${method}`);
  };
  const token = 'token' in options ? options.token : gatewayToken;
  const hello = await ask('connect', {
    minProtocol: options.minProtocol ?? 4,
    maxProtocol: options.maxProtocol ?? 4,
    client: options.client ?? { id: 'test', version: '1', platform: 'linux', mode: 'operator' },
    role: 'operator',
    scopes: options.scopes ?? allScopes,
    ...(options.auth === undefined
      ? token === undefined
        ? {}
        : { auth: { token } }
      : { auth: options.auth }),
  });
  return {
    socket,
    hello,
    events,
    closed,
    ask,
    answersTo: (id) => answers.filter((each) => each.id === id),
    hear: async (event, matches = () => true) =>
      await until(() => events.find((each) => each.event === event && matches(each.payload)), event),
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** The payload of an answer that went well. */
export function payloadOf(answer: Answer): Readonly<Record<string, unknown>> {
  expect(answer).toMatchObject({ ok: true });
  return answer.payload as Readonly<Record<string, unknown>>;
}
