import { termsVersion } from '../../lexical/lexicalTerms.ts';
import type { MemorySettings } from '../../memorySettings.ts';

/** To be raised when passages are cut in another way: then all files are read anew. */
const cutVersion = 1;

/** What passages were made with; an index of another shape is rebuilt while it answers. */
export function passageShape({ chunking }: Pick<MemorySettings, 'chunking'>): string {
  return JSON.stringify([cutVersion, termsVersion, chunking.tokens, chunking.overlap]);
}
