import { connect } from 'node:net';
import { request } from 'node:http';
import { expect } from 'vitest';
import {
  gatewayToken,
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from './openTestRuntime.ts';

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
  json(): unknown;
}

export interface AskOptions {
  readonly method?: string;
  /** Default: the right token. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface TestGateway extends TestRuntime {
  readonly port: number;
  readonly url: string;
  ask(path: string, options?: AskOptions): Promise<GatewayAnswer>;
  /** Sends these bytes and gives all that came back once the server has closed the connection. */
  raw(...bytes: readonly string[]): Promise<string>;
}

/** A runtime with its gateway on, on a free port. */
export async function openGateway({ config, ...options }: TestRuntimeOptions = {}): Promise<TestGateway> {
  const test = await openTestRuntime({
    ...options,
    config: { ...(config as object | undefined), gateway: { enabled: true, port: 0, ...gatewayOf(config) } },
  });
  const port = await runningPort(test);
  return {
    ...test,
    port,
    url: `http://127.0.0.1:${String(port)}`,
    ask: (path, asked) => ask(port, path, asked),
    raw: (...bytes) => sendRaw(port, bytes),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

function gatewayOf(config: unknown): object {
  return (config as { readonly gateway?: object } | undefined)?.gateway ?? {};
}

/** The port, once the gateway runs. */
export async function runningPort({ runtime }: Pick<TestRuntime, 'runtime'>): Promise<number> {
  await runtime.gateway.sync();
  const status = runtime.gateway.status();
  if (status.state === 'failed') throw status.error;
  expect(status).toMatchObject({ state: 'running' });
  return (status as { readonly port: number }).port;
}

async function ask(port: number, path: string, options: AskOptions = {}): Promise<GatewayAnswer> {
  const token = 'token' in options ? options.token : gatewayToken;
  const body = options.body === undefined ? undefined : textOf(options.body);
  return await new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      agent: false,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as unknown,
        }),
      );
    });
    sent.end(body);
  });
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}

async function sendRaw(port: number, bytes: readonly string[]): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    // A reset is an end like any other here.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    for (const each of bytes) socket.write(each);
  });
}
