import { z } from 'zod';

// What docs/cli.md promises of `memory … --json`, key by key: a key that is missing there or here is an error.

const vector = z.strictObject({
  state: z.enum(['on', 'off', 'failing']),
  provider: z.string().optional(),
  model: z.string().optional(),
  reason: z.string().optional(),
  embedded: z.int(),
  total: z.int(),
});

const progress = z.strictObject({
  phase: z.enum(['scan', 'index', 'embed']),
  done: z.int(),
  total: z.int().optional(),
});

const source = z.enum(['memory', 'sessions']);

/** `memory status`. */
export const memoryStatus = z.strictObject({
  isEnabled: z.boolean(),
  files: z.int(),
  passages: z.int(),
  bytes: z.int(),
  indexPath: z.string(),
  stale: z.int(),
  lastSync: z.number().optional(),
  lastSyncMs: z.number().optional(),
  role: z.enum(['writing', 'reading']),
  generation: z.int(),
  vector,
  progress: progress.optional(),
  problems: z.array(z.looseObject({ level: z.string(), code: z.string(), message: z.string() })),
});

/** `memory index`. */
export const memoryIndex = z.strictObject({
  added: z.int(),
  changed: z.int(),
  removed: z.int(),
  unchanged: z.int(),
  leftOut: z.int(),
  passages: z.int(),
  tookMs: z.number(),
});

/** `memory search`. */
export const memorySearch = z.strictObject({
  query: z.string(),
  hits: z.array(
    z.strictObject({
      citation: z.string().regex(/#L\d+-L\d+$/u),
      path: z.string(),
      label: z.string(),
      source,
      startLine: z.int(),
      endLine: z.int(),
      headings: z.array(z.string()),
      text: z.string(),
      score: z.number().min(0).max(1),
      date: z.iso.date(),
      why: z.strictObject({
        text: z
          .strictObject({
            score: z.number(),
            bm25: z.number(),
            terms: z.array(z.strictObject({ term: z.string(), bm25: z.number() })),
          })
          .optional(),
        vector: z.strictObject({ score: z.number(), cosine: z.number() }).optional(),
        weighted: z.number(),
        decay: z.number(),
        ageInDays: z.number().optional(),
        similarity: z.number(),
        exact: z.enum(['file', 'id']).optional(),
      }),
    }),
  ),
  mode: z.enum(['text', 'hybrid']),
  vector,
  indexing: progress.optional(),
  tookMs: z.number(),
});

/** `memory get`. */
export const memoryFile = z.strictObject({
  path: z.string(),
  label: z.string(),
  source,
  from: z.int(),
  lines: z.int(),
  totalLines: z.int(),
  text: z.string(),
});
