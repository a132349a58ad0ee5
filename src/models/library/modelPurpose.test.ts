import { expect, it } from 'vitest';
import { modelPurpose, type ModelPurpose } from './modelPurpose.ts';

const names: Readonly<Record<ModelPurpose, readonly string[]>> = {
  chat: [
    'claude-sonnet-4-5',
    'deepseek-r1:8b',
    'gemini-2.5-pro',
    'gemma3:4b',
    'gpt-4o',
    'gpt-5-mini',
    'llama3.2-vision:11b',
    'meta-llama/Llama-3.3-70B-Instruct',
    'mistral-small3.2',
    'o3',
    'phi4',
    'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    'qwen3:8b',
    'vicuna-13b',
  ],
  embeddings: [
    'all-minilm:22m',
    'BAAI/bge-m3',
    'embeddinggemma',
    'gemini-embedding-001',
    'intfloat/multilingual-e5-large',
    'jina-embeddings-v3',
    'mxbai-embed-large',
    'nomic-embed-text:latest',
    'Qwen3-Embedding-0.6B',
    'snowflake-arctic-embed2',
    'text-embedding-3-small',
    'text-embedding-ada-002',
    'text-embedding-nomic-embed-text-v1.5',
    'thenlper/gte-large',
    'voyage-3',
  ],
  reranking: ['BAAI/bge-reranker-v2-m3', 'jina-colbert-v2', 'Qwen3-Reranker-4B', 'rerank-v3.5'],
  speech: [
    'distil-whisper-large-v3-en',
    'gemini-2.5-flash-preview-tts',
    'gpt-4o-audio-preview',
    'gpt-4o-mini-tts',
    'gpt-4o-transcribe',
    'gpt-realtime',
    'kokoro',
    'tts-1-hd',
    'whisper-1',
  ],
  images: [
    'black-forest-labs/FLUX.1-dev',
    'dall-e-3',
    'gemini-2.5-flash-image',
    'gpt-image-1',
    'imagen-4.0-generate-001',
    'sora-2',
    'stable-diffusion-3.5-large',
    'veo-3.0-generate-001',
  ],
  moderation: [
    'granite3-guardian:8b',
    'llama-guard3:1b',
    'omni-moderation-latest',
    'shieldgemma:2b',
    'text-moderation-stable',
  ],
  completion: ['babbage-002', 'davinci-002', 'gpt-3.5-turbo-instruct', 'gpt-3.5-turbo-instruct-0914'],
};

const rows = Object.entries(names).flatMap(([purpose, ids]) => ids.map((id) => [id, purpose] as const));

it.each(rows)('%s is for %s', (id, purpose) => {
  expect(modelPurpose(id)).toBe(purpose);
});
