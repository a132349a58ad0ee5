import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the server got it. */
export interface RecordedRequest {
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The parsed JSON body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a script does with a request: answers it, or leaves it hanging. */
export type Respond = (request: RecordedRequest, response: ServerResponse) => void;

export interface EmbeddingServer {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly requests: readonly RecordedRequest[];
  /** Requests that were being answered at once, at most. */
  readonly maxAtOnce: number;
  /** Answers for the next requests, one each; what comes after them is answered as the last. */
  script(...responds: readonly Respond[]): void;
  /** Resolves once `count` requests have arrived in full. */
  waitForRequests(count: number): Promise<void>;
  /** Resolves once a client has gone away before its answer was complete. */
  readonly abandoned: Promise<void>;
  close(): Promise<void>;
}

/** A real server on the loopback interface that answers by script. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: RecordedRequest[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let responds: readonly Respond[] = [json({})];
  let answered = 0;
  let open = 0;
  let maxAtOnce = 0;
  let onAbandoned = (): void => undefined;
  const abandoned = new Promise<void>((resolve) => (onAbandoned = resolve));

  const server = createServer((incoming, response) => {
    open += 1;
    maxAtOnce = Math.max(maxAtOnce, open);
    response.on('close', () => {
      open -= 1;
      if (!response.writableFinished) onAbandoned();
    });
    void readRequest(incoming).then((request) => {
      requests.push(request);
      for (const each of waiting) if (requests.length >= each.count) each.resolve();
      const respond = responds[Math.min(answered, responds.length - 1)];
      answered += 1;
      respond?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    get maxAtOnce() {
      return maxAtOnce;
    },
    script(...next) {
      responds = next;
      answered = 0;
    },
    waitForRequests: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    abandoned,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  return { path: incoming.url ?? '', headers: incoming.headers, body };
}

export function json(body: unknown): Respond {
  return (_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  };
}

export function status(
  code: number,
  body: unknown = {},
  headers: Readonly<Record<string, string>> = {},
): Respond {
  return (_request, response) => {
    response.writeHead(code, headers).end(JSON.stringify(body));
  };
}

/** Never answers. */
export const hang: Respond = () => undefined;

/** As OpenAI answers: `[length, 1, 0, …]` for each text, so that a test can tell which vector belongs to which. */
export function openAiVectors(dimensions = 4): Respond {
  return ({ body }, response) => {
    const input = body['input'] as readonly string[];
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text, dimensions) }));
    json({ object: 'list', data })({ path: '', headers: {}, body }, response);
  };
}

/** Before it is normalised. */
export function vectorOf(text: string, dimensions = 4): readonly number[] {
  return Array.from({ length: dimensions }, (_each, at) => [text.length, 1][at] ?? 0);
}
