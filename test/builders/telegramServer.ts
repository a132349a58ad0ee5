import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fields = Readonly<Record<string, unknown>>;

export interface BotCall {
  readonly method: string;
  readonly params: Fields;
}

/** A server that speaks Telegram's Bot API: long polling with offsets, texts, files, and the errors that it is told to answer. */
export interface TelegramServer {
  readonly apiRoot: string;
  readonly token: string;
  /** Every call but those for messages. */
  readonly calls: BotCall[];
  /** Offsets that messages were asked for with. */
  readonly offsets: (number | undefined)[];
  /** Somebody writes. Fields go over a chat of two with user 7. */
  write(message: Fields): number;
  /** A file that `getFile` finds. */
  addFile(fileId: string, bytes: Uint8Array): void;
  /** The next call of a method is answered with an error. */
  failNext(method: string, code: number, description: string, parameters?: Fields): void;
  /** Resolves once a call of that method is there that fits. */
  called(method: string, fits?: (params: Fields) => boolean): Promise<BotCall>;
  /** Messages that are still kept: those that were not acknowledged. */
  kept(): number;
  close(): Promise<void>;
}

const bot = { id: 1000, is_bot: true, first_name: 'Pincer', username: 'pincer_test_bot' };

export async function startTelegramServer(token = '1000:test-token_0'): Promise<TelegramServer> {
  const updates: { readonly update_id: number; readonly message: Fields }[] = [];
  const files = new Map<string, Uint8Array>();
  const calls: BotCall[] = [];
  const offsets: (number | undefined)[] = [];
  const failures: { readonly method: string; readonly answer: Fields; readonly code: number }[] = [];
  const changed = new Set<() => void>();
  const tell = (): void => {
    for (const each of [...changed]) each();
  };
  let nextUpdate = 1;
  let nextMessage = 1;

  async function answer(method: string, params: Fields, closed: AbortSignal): Promise<unknown> {
    if (method === 'getUpdates') {
      const offset = params['offset'] === undefined ? undefined : Number(params['offset']);
      offsets.push(offset);
      while ((updates[0]?.update_id ?? Infinity) < (offset ?? 0)) updates.shift();
      tell();
      if (updates.length === 0) await nextChange(changed, closed, Number(params['timeout'] ?? 0) * 1_000);
      return updates.filter(({ update_id }) => update_id >= (offset ?? 0));
    }
    calls.push({ method, params });
    tell();
    if (method === 'getMe') return bot;
    if (method === 'sendChatAction') return true;
    if (method === 'getFile') {
      const id = String(params['file_id']);
      return {
        file_id: id,
        file_unique_id: id,
        file_path: `files/${id}`,
        file_size: files.get(id)?.byteLength,
      };
    }
    return {
      message_id: 900 + calls.length,
      date: 0,
      chat: { id: Number(params['chat_id']), type: 'private' },
    };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const closed = new AbortController();
    response.once('close', () => closed.abort());
    const url = new URL(request.url ?? '/', 'http://localhost');
    const body = await readBody(request);
    const file = url.pathname.startsWith(`/file/bot${token}/files/`)
      ? url.pathname.split('/').at(-1)
      : undefined;
    if (file !== undefined) {
      response.end(files.get(file));
      return;
    }
    const method = url.pathname.startsWith(`/bot${token}/`)
      ? (url.pathname.split('/').at(-1) ?? '')
      : undefined;
    if (method === undefined) {
      reply(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
      return;
    }
    const at = failures.findIndex((each) => each.method === method);
    const [failure] = at < 0 ? [] : failures.splice(at, 1);
    if (failure !== undefined) {
      calls.push({ method: `${method}!`, params: readParams(request, body) });
      tell();
      reply(response, failure.code, failure.answer);
      return;
    }
    reply(response, 200, {
      ok: true,
      result: await answer(method, readParams(request, body), closed.signal),
    });
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    apiRoot: `http://127.0.0.1:${String(port)}`,
    token,
    calls,
    offsets,
    write(message) {
      const update_id = nextUpdate++;
      const from = { id: 7, is_bot: false, first_name: 'Ada' };
      const chat = { id: 7, type: 'private', first_name: 'Ada' };
      updates.push({
        update_id,
        message: { message_id: nextMessage++, date: 1_700_000_000, from, chat, ...message },
      });
      tell();
      return update_id;
    },
    addFile: (fileId, bytes) => void files.set(fileId, bytes),
    failNext(method, code, description, parameters = {}) {
      failures.push({ method, code, answer: { ok: false, error_code: code, description, parameters } });
    },
    async called(method, fits = () => true) {
      for (;;) {
        const found = calls.find((each) => each.method === method && fits(each.params));
        if (found !== undefined) return found;
        await nextChange(changed, undefined, 30_000);
      }
    },
    kept: () => updates.length,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function nextChange(changed: Set<() => void>, closed: AbortSignal | undefined, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      changed.delete(end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    changed.add(end);
    closed?.addEventListener('abort', end, { once: true });
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('latin1');
}

function readParams(request: IncomingMessage, body: string): Fields {
  if (request.headers['content-type']?.startsWith('multipart/') !== true) {
    return body === '' ? {} : (JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as Fields);
  }
  const fields = [
    ...body.matchAll(/name="(\w+)"(?:; filename="([^"]*)")?[^\r]*\r\n(?:[^\r]+\r\n)*\r\n([\s\S]*?)\r\n--/gu),
  ];
  return Object.fromEntries(fields.map(([, name = '', file, value]) => [name, file ?? value]));
}

function reply(response: ServerResponse, code: number, value: Fields): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
