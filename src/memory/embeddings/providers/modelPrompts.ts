import type { EmbeddingUse } from './embeddingProvider.ts';

/** What open models were trained to read before a text; without it they find clearly less. By a part of their names. */
const prompts: readonly { readonly model: RegExp; readonly query: string; readonly passage: string }[] = [
  { model: /nomic-embed/u, query: 'search_query: ', passage: 'search_document: ' },
  {
    model: /embedding-?gemma/u,
    query: 'task: search result | query: ',
    passage: 'title: none | text: ',
  },
  {
    model: /qwen3-embedding/u,
    query: 'Instruct: Given a question, find the passages that answer it\nQuery: ',
    passage: '',
  },
  {
    model: /mxbai-embed|snowflake-arctic-embed|bge-(?:small|base|large)-en/u,
    query: 'Represent this sentence for searching relevant passages: ',
    passage: '',
  },
  { model: /(?:^|[-/_])e5-/u, query: 'query: ', passage: 'passage: ' },
];

/** The text as a local model of this name wants it; unchanged for one that is not known. */
export function withPrompt(model: string, use: EmbeddingUse, text: string): string {
  const name = model.toLowerCase();
  const prompt = prompts.find((each) => each.model.test(name));
  return prompt === undefined ? text : `${prompt[use]}${text}`;
}
