import type { ThinkingLevel } from '../../contracts/model.ts';

/** From none to all; apart from the schema, so that front ends can list them without loading it. */
export const thinkingLevels: readonly ThinkingLevel[] = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'];
