import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server with `/v1/embeddings` on this machine, whose model knows a few words. */
export interface WordEmbeddings {
  readonly baseUrl: string;
  /** Set to another status, it answers with that alone. */
  status: number;
  /** A request with a text that holds this word is refused whole. */
  refused: string | undefined;
  /** Texts that it has embedded so far. */
  readonly texts: readonly string[];
  close(): Promise<void>;
}

/** A text's vector counts words of each of these subjects; a last number keeps it from being nothing. */
const subjects = [
  ['cat', 'kitten', 'feline'],
  ['dog', 'puppy', 'canine'],
  ['car', 'engine', 'wheel'],
];

export function embed(text: string): readonly number[] {
  const words = text.toLowerCase().split(/\W+/u);
  return [...subjects.map((subject) => words.filter((word) => subject.includes(word)).length), 0.1];
}

export async function startWordEmbeddings(): Promise<WordEmbeddings> {
  const texts: string[] = [];
  const state: { status: number; refused: string | undefined } = { status: 200, refused: undefined };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (part: string) => (body += part));
    request.on('end', () => {
      const { input } = JSON.parse(body) as { input: readonly string[] };
      const { refused } = state;
      const isRefused = refused !== undefined && input.some((text) => text.includes(refused));
      const status = isRefused ? 400 : state.status;
      response.writeHead(status, { 'content-type': 'application/json' });
      if (status !== 200) {
        response.end(JSON.stringify({ error: { message: 'not today' } }));
        return;
      }
      texts.push(...input);
      response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: embed(text) })) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${String(port)}/v1`,
    get status() {
      return state.status;
    },
    set status(status) {
      state.status = status;
    },
    get refused() {
      return state.refused;
    },
    set refused(refused) {
      state.refused = refused;
    },
    texts,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
