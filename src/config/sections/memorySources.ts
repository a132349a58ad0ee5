/** Where passages come from: markdown files, and what was said in earlier sessions. Upstream's names. */
export type MemorySource = 'memory' | 'sessions';

export const memorySources: readonly ['memory', 'sessions'] = ['memory', 'sessions'];
