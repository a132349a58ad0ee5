/** What a model is made for. Only `chat` answers messages. */
export type ModelPurpose =
  'chat' | 'embeddings' | 'reranking' | 'speech' | 'images' | 'moderation' | 'completion';

/** Names of models that do something else than chat; the first row that fits counts. */
const otherPurposes: readonly (readonly [ModelPurpose, RegExp])[] = [
  ['reranking', /rerank|^ranker|cross-encoder|colbert/u],
  [
    'embeddings',
    /embed|^(?:bge|gte|e5|minilm|all-minilm|uae|sentence|voyage)-|(?:^|-)e5-|minilm|^paraphrase-/u,
  ],
  [
    'speech',
    /whisper|transcribe|(?:^|-)(?:tts|asr|audio|realtime)(?:-|$)|^(?:kokoro|bark|parakeet|orpheus)\b/u,
  ],
  [
    'images',
    /dall-e|stable-diffusion|(?:^|-)image(?:-|$)|^(?:imagen|sora|veo|flux|sdxl|sd3|midjourney|kling)(?:[-.\d]|$)/u,
  ],
  ['moderation', /moderation|guard(?:ian)?\d*(?:-|$)|^shieldgemma/u],
  ['completion', /^(?:babbage|davinci)-|^gpt-3\.5-turbo-instruct/u],
];

/**
 * What a model is for by its name alone, since most servers list all of theirs without a word: `nomic-embed-text:latest` and
 * `BAAI/bge-m3` are no chat models. A name that says nothing is a chat model's. Pure.
 */
export function modelPurpose(id: string): ModelPurpose {
  const name = (id.split('/').at(-1) ?? id).toLowerCase().replace(/[_:@\s]/gu, '-');
  return otherPurposes.find(([, names]) => names.test(name))?.[0] ?? 'chat';
}
