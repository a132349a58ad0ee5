// Threat: another program listens where a gateway that was killed was, and is sent the token. So it has to prove
// first, by a challenge, that it has the key which stands in the private file beside its port.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PincerError } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { pincerHome } from '../config/configPaths.ts';
import { environmentToken, proofOf } from '../gateway/gatewayToken.ts';
import { stateFolderOf, type CliOptions } from './withRuntime.ts';

/** How long the gateway may take to answer. Milliseconds. */
export const answerTimeoutMs = 15_000;

type Facts = Readonly<Record<string, unknown>>;

/** A program of this machine that talks with the gateway of its workspace. */
export interface GatewayClient extends Disposable {
  /** @throws PincerError with the gateway's own words; `gateway_not_running` where it has gone */
  ask(method: string, params?: Facts): Promise<unknown>;
  /** Told of each event, until the client is disposed of. */
  onEvent(listener: (event: string, payload: Facts) => void): void;
  /** Aborts when the connection has ended. */
  readonly ended: AbortSignal;
}

/**
 * The gateway that serves the workspace now, and the token that it wants.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`
 */
export async function findGateway(
  options: Pick<CliOptions, 'workspace' | 'stateDir'>,
): Promise<{ readonly url: string; readonly token: string }> {
  // Without a gateway nobody is sent to look for its token.
  const url = await addressOf(stateFolderOf(options, resolve(pincerHome(process.env, homedir()))));
  return { url, token: tokenOf(process.env) };
}

/** The token that the gateway was started with: a new one would open nothing. */
function tokenOf(env: NodeJS.ProcessEnv): string {
  try {
    return environmentToken(env);
  } catch (error) {
    if (!(error instanceof PincerError)) throw error;
    throw new PincerError(error.code, error.message, { hint: tokenHint });
  }
}

const tokenHint =
  'It is the token of the gateway: that which pincer gateway run was started with, or in VS Code the one that Pincer: Copy Gateway Token copies. Put it into the environment: export PINCER_GATEWAY_TOKEN=…';

/** Connects with these scopes. @throws PincerError `gateway_token_wrong`, `gateway_not_running` */
export async function connectToGateway(
  { url, token }: { readonly url: string; readonly token: string },
  scopes: readonly string[],
): Promise<GatewayClient> {
  const socket = new WebSocket(`${url.replace(/^http/u, 'ws')}/ws`);
  const waiting = new Map<string, (frame: Facts) => void>();
  const listeners: ((event: string, payload: Facts) => void)[] = [];
  const ended = new AbortController();
  let ids = 0;
  socket.addEventListener('message', ({ data }) => {
    const frame = recordIn(String(data));
    const { type, id, event, payload } = frame;
    if (type === 'event')
      for (const listener of listeners) listener(String(event), isRecord(payload) ? payload : {});
    else waiting.get(String(id))?.(frame);
  });
  socket.addEventListener('close', () => ended.abort());
  // The end of the connection follows, and is what counts.
  socket.addEventListener('error', () => undefined);
  const ask: GatewayClient['ask'] = async (method, params = {}) => {
    ids += 1;
    const id = String(ids);
    const frame = await new Promise<Facts>((settle, reject) => {
      const gone = (): void => reject(gatewayNotRunning());
      if (ended.signal.aborted) gone();
      ended.signal.addEventListener('abort', gone, { once: true });
      waiting.set(id, (answer) => {
        ended.signal.removeEventListener('abort', gone);
        settle(answer);
      });
      socket.send(JSON.stringify({ type: 'req', id, method, params }));
    }).finally(() => waiting.delete(id));
    if (frame['ok'] === true) return frame['payload'];
    throw refusal(method, frame['error']);
  };
  await new Promise<void>((settle, reject) => {
    socket.addEventListener('open', () => settle(), { once: true });
    socket.addEventListener('close', () => reject(gatewayNotRunning()), { once: true });
  });
  const client = { id: 'pincer', version: '1', platform: process.platform, mode: 'cli' };
  const about = { minProtocol: 4, maxProtocol: 4, client, role: 'operator', scopes, auth: { token } };
  try {
    await ask('connect', about);
  } catch (error) {
    socket.close();
    throw error instanceof PincerError && error.message.startsWith('unauthorized') ? wrongToken() : error;
  }
  return {
    ask,
    onEvent: (listener) => void listeners.push(listener),
    ended: ended.signal,
    [Symbol.dispose]: () => socket.close(),
  };
}

/** With the code that the gateway gives; the one inside names the thing. */
function refusal(method: string, error: unknown): PincerError {
  const { code, message, details } = isRecord(error) ? error : {};
  const codes = [isRecord(details) ? details['code'] : undefined, code, 'gateway_refused'];
  const named = codes.find((each) => typeof each === 'string') ?? '';
  return new PincerError(named, typeof message === 'string' ? message : `${method} was refused.`);
}

export function wrongToken(): PincerError {
  return new PincerError('gateway_token_wrong', 'PINCER_GATEWAY_TOKEN is not the token of the gateway.', {
    hint: tokenHint,
  });
}

/** @throws PincerError `gateway_not_running` */
async function addressOf(stateFolder: string): Promise<string> {
  const written = await readFile(join(stateFolder, 'gateway', 'gateway.json'), 'utf8').catch(() => '');
  const { port, proofKey } = recordIn(written);
  if (typeof port !== 'number' || typeof proofKey !== 'string') throw gatewayNotRunning();
  const url = `http://127.0.0.1:${String(port)}`;
  const challenge = randomUUID();
  const told = await fetch(`${url}/healthz?challenge=${challenge}`, {
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'error',
  })
    .then((answer) => answer.text())
    .catch(() => '');
  if (recordIn(told)['proof'] !== proofOf(proofKey, challenge)) throw gatewayNotRunning();
  return url;
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  const read = parseJson(text);
  return isRecord(read) ? read : {};
}

export function gatewayNotRunning(): PincerError {
  return new PincerError('gateway_not_running', 'No gateway of this workspace runs.', {
    hint: 'Start it with pincer gateway run, in the same workspace and with the same --state-dir.',
  });
}
