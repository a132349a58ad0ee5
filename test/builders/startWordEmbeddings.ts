import { json, startEmbeddingServer, status, type Respond } from './startEmbeddingServer.ts';

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

function embed(text: string): readonly number[] {
  const words = text.toLowerCase().split(/\W+/u);
  return [...subjects.map((subject) => words.filter((word) => subject.includes(word)).length), 0.1];
}

export async function startWordEmbeddings(): Promise<WordEmbeddings> {
  const server = await startEmbeddingServer();
  const texts: string[] = [];
  const respond: Respond = (request, response) => {
    const input = request.body['input'] as readonly string[];
    const { refused } = world;
    const isRefused = refused !== undefined && input.some((text) => text.includes(refused));
    const code = isRefused ? 400 : world.status;
    if (code !== 200) {
      status(code, { error: { message: 'not today' } })(request, response);
      return;
    }
    texts.push(...input);
    json({ data: input.map((text, index) => ({ index, embedding: embed(text) })) })(request, response);
  };
  const world: WordEmbeddings = {
    baseUrl: `${server.origin}/v1`,
    status: 200,
    refused: undefined,
    texts,
    close: () => server.close(),
  };
  server.script(respond);
  return world;
}
