import { z } from 'zod';
import { keysWhere, type ConfigSection } from './section.ts';

export const checkpointsSchema = z.strictObject({
  enabled: z.boolean().optional().describe('False disables checkpoints. Default true.'),
  maxMegabytes: z
    .int()
    .positive()
    .max(100_000)
    .optional()
    .describe(
      'Disk space for all copies of a workspace, in megabytes; the oldest are removed first. Default 200.',
    ),
  maxTurns: z
    .int()
    .positive()
    .max(10_000)
    .optional()
    .describe('Number of turns that can be restored. Default 100.'),
});

export interface CheckpointsConfig {
  readonly enabled: boolean;
  readonly maxMegabytes: number;
  readonly maxTurns: number;
}

/** A workspace's file has no say: fewer copies protect less, more fill the user's disk. */
export const checkpointsSection: ConfigSection<z.infer<typeof checkpointsSchema>, CheckpointsConfig> = {
  resolve: (input) => ({
    enabled: input?.enabled ?? true,
    maxMegabytes: input?.maxMegabytes ?? 200,
    maxTurns: input?.maxTurns ?? 100,
  }),
  tighten: (holds) => holds,
  ignored: (input) => keysWhere({ checkpoints: Object.keys(input).length > 0 }),
};
