import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

// Runs in a thread of its own, so that writing a stream takes no time from whoever reads it.

/** What the next answers are. */
export interface StreamPlan {
  readonly tokens: number;
  /** Tokens a second, which two readers get at the same time. Undefined: one reader, as fast as it takes them. */
  readonly pace?: number;
}

let plan: StreamPlan = { tokens: 1 };
parentPort?.on('message', (next: StreamPlan) => {
  plan = next;
  parentPort?.postMessage('ready');
});

let waiting: { readonly response: ServerResponse; readonly isDirect: boolean }[] = [];

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (plan.pace === undefined) {
      void writeAll(response, plan.tokens);
      return;
    }
    response.flushHeaders();
    waiting.push({ response, isDirect: request.headers['x-reader'] === 'direct' });
    if (waiting.length < 2) return;
    // The direct reader first: what it costs to read twice counts against the other one.
    const readers = waiting.sort((a, b) => Number(b.isDirect) - Number(a.isDirect));
    waiting = [];
    writePaced(
      readers.map((reader) => reader.response),
      plan.tokens,
      plan.pace,
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
});

/** One event as OpenAI sends it, with the fields that nobody reads. */
function toEvent(content: string): string {
  return `data: {"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1764000000,"model":"scripted","system_fingerprint":"fp_0","choices":[{"index":0,"delta":{"content":"${content}"},"logprobs":null,"finish_reason":null}]}\n\n`;
}

const last = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

/** Each token is its number, so that readers can be compared token by token. */
function writePaced(readers: readonly ServerResponse[], tokens: number, pace: number): void {
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(tokens, Math.floor(((performance.now() - start) * pace) / 1000));
    for (; sent < due; sent += 1) for (const reader of readers) reader.write(toEvent(` ${sent}`));
    if (sent < tokens) return;
    clearInterval(timer);
    for (const reader of readers) reader.end(last);
  }, 1);
}

async function writeAll(response: ServerResponse, tokens: number): Promise<void> {
  const block = toEvent(' word').repeat(100);
  for (let sent = 0; sent < tokens; sent += 100) {
    if (!response.write(block)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end(last);
}
