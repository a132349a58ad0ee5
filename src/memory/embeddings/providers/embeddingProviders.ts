import type { EmbeddingProvider } from './embeddingProvider.ts';
import { gemini } from './gemini.ts';
import { openAi } from './openAi.ts';
import { voyage } from './voyage.ts';

/** Those that a key opens, in the order of the chain (OpenClaw core flow). */
export const remoteProviders: readonly EmbeddingProvider[] = [openAi, gemini, voyage];
