import { createServer } from 'node:http';
import { listen } from '../builders/createLoopbackNetwork.ts';

export interface KeyedModelServer {
  /** `http://127.0.0.1:<port>/v1` */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** An OpenAI-compatible server, below `/v1` alone, that wants a key for everything and answers each message with one sentence. */
export async function startKeyedModelServer(
  key: string,
  models: readonly string[],
  answer: string,
): Promise<KeyedModelServer> {
  const { port, close } = await listen(
    createServer((request, response) => {
      request.resume();
      if (request.url?.startsWith('/v1/') !== true) {
        response.writeHead(404);
        response.end();
      } else if (request.headers.authorization !== `Bearer ${key}`) {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message: 'Incorrect API key provided.' } }));
      } else if (request.url.endsWith('/models')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ data: models.map((id) => ({ id, context_length: 64_000 })) }));
      } else {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const delta = { choices: [{ index: 0, delta: { content: answer }, finish_reason: 'stop' }] };
        response.end(`data: ${JSON.stringify(delta)}\n\ndata: [DONE]\n\n`);
      }
    }),
  );
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close };
}
