// Threat: a cloned repository sends the user's notes to a server of its choice, has files outside indexed, or has the agent fed
// with its own texts. So a workspace's file names no provider, no further place, and can only take away.
import { z } from 'zod';
import { defaultNoteGlobs } from '../../base/markdownNames.ts';
import { keyReference } from './keyReference.ts';
import { memorySources, type MemorySource } from './memorySources.ts';
import { keysWhere, shared, type ConfigSection } from './section.ts';

/** The chain of OpenClaw core flow; `auto` takes the first that can be had, `none` keeps to text. */
/** Those that need no plugin. */
export const embeddingProviders = ['auto', 'local', 'openai', 'gemini', 'voyage', 'none'] as const;

const weight = z.number().min(0).max(1);
const globs = z.array(z.string().min(1).max(1_000)).max(1_000);

export const memorySchema = z.strictObject({
  enabled: z.boolean().optional().describe('False disables the memory index. Default true.'),
  include: globs
    .optional()
    .describe('Globs of files that are indexed, relative to each workspace folder. Default **/*.md.'),
  exclude: globs.optional().describe('Globs of files and folders that are not indexed.'),
  extraPaths: z
    .array(z.string().regex(/^(?:~[\\/]|[\\/]|[A-Za-z]:[\\/])/u, 'Must be absolute or begin with ~/.'))
    .max(100)
    .optional()
    .describe('Additional markdown files or folders, absolute or below ~.'),
  sources: z
    .array(z.enum(memorySources))
    .optional()
    .describe('memory: markdown files. sessions: earlier sessions, too. Default ["memory"].'),
  chunking: z
    .strictObject({
      tokens: z.int().min(50).max(4_000).optional().describe('Tokens of a passage. Default 400.'),
      overlap: z
        .int()
        .min(0)
        .max(1_000)
        .optional()
        .describe('Tokens that neighbouring passages share. Default 80.'),
    })
    .optional(),
  query: z
    .strictObject({
      maxResults: z.int().min(1).max(50).optional().describe('Maximum number of results. Default 6.'),
      minScore: weight.optional().describe('Minimum score of a hybrid result. Default 0.35.'),
      hybrid: z
        .strictObject({
          vectorWeight: weight.optional().describe('Default 0.7.'),
          textWeight: weight.optional().describe('Default 0.3.'),
          candidateMultiplier: z.int().min(1).max(20).optional().describe('Default 4.'),
        })
        .optional(),
      mmr: z
        .strictObject({
          enabled: z.boolean().optional().describe('Rank near duplicates lower. Default true.'),
          lambda: weight
            .optional()
            .describe('Relevance against diversity; 1 ranks by relevance alone. Default 0.7.'),
        })
        .optional(),
      temporalDecay: z
        .strictObject({
          enabled: z.boolean().optional().describe('Older dated notes rank lower. Default true.'),
          halfLifeDays: z.number().positive().max(36_500).optional().describe('Default 30.'),
          floor: weight
            .optional()
            .describe('Lowest factor, however old the note. Default 0.5; 0 sets no floor.'),
        })
        .optional(),
    })
    .optional(),
  provider: z
    .union([z.enum(embeddingProviders), z.string().trim().min(1).max(80)])
    .optional()
    .describe(
      "Embedding provider. auto: the first available of local, openai, gemini, voyage. Any other word: the id of a plugin's embedding provider. A key of the environment is used only if this is set.",
    ),
  model: z.string().min(1).optional().describe("The provider's name of the embedding model."),
  local: z
    .strictObject({
      baseUrl: z
        .url({ protocol: /^https?$/u })
        .optional()
        .describe('Server with /v1/embeddings, such as http://localhost:11434/v1.'),
      modelPath: z
        .string()
        .min(1)
        .optional()
        .describe('A .gguf file for node-llama-cpp, or a folder with an ONNX model for transformers.'),
      runtimePath: z
        .string()
        .min(1)
        .optional()
        .describe('The folder in whose node_modules node-llama-cpp or @huggingface/transformers lies.'),
    })
    .optional(),
  remote: z
    .strictObject({
      baseUrl: z
        .url({ protocol: /^https?$/u })
        .optional()
        .describe('Overrides the address of the provider.'),
      apiKey: keyReference.optional(),
    })
    .optional(),
  recall: z
    .strictObject({
      enabled: z
        .boolean()
        .optional()
        .describe('False disables recall: nothing is added to prompts. Default true.'),
      maxSnippets: z.int().min(0).max(10).optional().describe('Default 3.'),
      files: globs
        .optional()
        .describe('Files whose passages recall may add to prompts. Default: only MEMORY.md.'),
    })
    .optional(),
});

type MemoryInput = z.infer<typeof memorySchema>;

export interface MemoryQueryConfig {
  readonly maxResults: number;
  /** Holds for hybrid scores; text search alone leaves nothing out. */
  readonly minScore: number;
  readonly vectorWeight: number;
  readonly textWeight: number;
  readonly candidateMultiplier: number;
  readonly mmr: { readonly enabled: boolean; readonly lambda: number };
  readonly temporalDecay: {
    readonly enabled: boolean;
    readonly halfLifeDays: number;
    readonly floor: number;
  };
}

export interface EmbeddingConfig {
  /** `auto`, `none`, one of the built-in providers, or the id of a plugin's. */
  readonly provider: string;
  /**
   * True where the user's config names a provider, `auto` included, or an address or key of one. Only then does a key of the
   * environment count: notes leave this machine for nobody whom the user has not named.
   */
  readonly isChosen: boolean;
  readonly model: string | undefined;
  readonly local: NonNullable<MemoryInput['local']>;
  readonly remote: NonNullable<MemoryInput['remote']>;
}

export interface MemoryConfig {
  readonly enabled: boolean;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly extraPaths: readonly string[];
  readonly sources: readonly MemorySource[];
  readonly chunking: { readonly tokens: number; readonly overlap: number };
  readonly query: MemoryQueryConfig;
  readonly embeddings: EmbeddingConfig;
  readonly recall: {
    readonly enabled: boolean;
    readonly maxSnippets: number;
    readonly files: readonly string[];
  };
}

export const memorySection: ConfigSection<MemoryInput, MemoryConfig> = {
  resolve: (input) => ({
    enabled: input?.enabled ?? true,
    include: input?.include ?? defaultNoteGlobs,
    exclude: input?.exclude ?? [],
    extraPaths: input?.extraPaths ?? [],
    sources: input?.sources ?? ['memory'],
    chunking: { tokens: input?.chunking?.tokens ?? 400, overlap: input?.chunking?.overlap ?? 80 },
    query: queryOf(input?.query ?? {}),
    embeddings: {
      provider: input?.provider ?? 'auto',
      isChosen: input?.provider !== undefined || input?.remote !== undefined,
      model: input?.model,
      local: input?.local ?? {},
      remote: input?.remote ?? {},
    },
    recall: {
      enabled: input?.recall?.enabled ?? true,
      maxSnippets: input?.recall?.maxSnippets ?? 3,
      files: input?.recall?.files ?? ['MEMORY.md'],
    },
  }),
  tighten: (holds, input) => ({
    ...holds,
    enabled: holds.enabled && input.enabled !== false,
    exclude: [...holds.exclude, ...(input.exclude ?? [])],
    sources: holds.sources.filter((source) => input.sources?.includes(source) ?? true),
    recall: {
      enabled: holds.recall.enabled && input.recall?.enabled !== false,
      maxSnippets: Math.min(holds.recall.maxSnippets, input.recall?.maxSnippets ?? holds.recall.maxSnippets),
      files: shared(holds.recall.files, input.recall?.files),
    },
  }),
  ignored: (input, holds) =>
    keysWhere({
      'memory.enabled': input.enabled === true && !holds.enabled && ': true',
      'memory.include': input.include !== undefined,
      'memory.extraPaths': input.extraPaths !== undefined,
      'memory.sources':
        input.sources?.some((each) => !holds.sources.includes(each)) === true && ' beyond your own',
      'memory.chunking': (input.chunking !== undefined || input.query !== undefined) && ' and query',
      'memory.provider':
        [input.provider, input.model, input.local, input.remote].some((each) => each !== undefined) &&
        ', model, local and remote',
      'memory.recall':
        input.recall?.files?.some((each) => !holds.recall.files.includes(each)) === true &&
        ' beyond your own',
    }),
};

function queryOf(input: NonNullable<MemoryInput['query']>): MemoryQueryConfig {
  return {
    maxResults: input.maxResults ?? 6,
    minScore: input.minScore ?? 0.35,
    vectorWeight: input.hybrid?.vectorWeight ?? 0.7,
    textWeight: input.hybrid?.textWeight ?? 0.3,
    candidateMultiplier: input.hybrid?.candidateMultiplier ?? 4,
    mmr: { enabled: input.mmr?.enabled ?? true, lambda: input.mmr?.lambda ?? 0.7 },
    temporalDecay: {
      enabled: input.temporalDecay?.enabled ?? true,
      halfLifeDays: input.temporalDecay?.halfLifeDays ?? 30,
      floor: input.temporalDecay?.floor ?? 0.5,
    },
  };
}
