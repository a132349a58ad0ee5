/** Where passages come from: markdown files, and what was said in earlier sessions. Upstream's names. */
export const memorySources = ['memory', 'sessions'] as const;
export type MemorySource = (typeof memorySources)[number];
