import { z } from 'zod';
import { keysWhere, type ConfigSection } from './section.ts';

const resetModes = ['never', 'idle', 'daily'] as const;

export const sessionSchema = z.strictObject({
  reset: z
    .strictObject({
      mode: z
        .enum(resetModes)
        .optional()
        .describe('When a new session starts automatically: never (default), after idle time, or daily.'),
      idleMinutes: z
        .int()
        .positive()
        .optional()
        .describe('Idle time for the mode idle, in minutes. Default 60.'),
      atHour: z
        .int()
        .min(0)
        .max(23)
        .optional()
        .describe('Hour for the mode daily, in local time. Default 4.'),
    })
    .optional()
    .describe('When a new session starts automatically.'),
});

export interface SessionConfig {
  readonly reset: {
    readonly mode: (typeof resetModes)[number];
    readonly idleMs: number;
    /** Local time. */
    readonly atHour: number;
  };
}

/** A workspace's file has no say: nobody's conversation ends by what a repository wants. */
export const sessionSection: ConfigSection<z.infer<typeof sessionSchema>, SessionConfig> = {
  resolve: (input) => ({
    reset: {
      mode: input?.reset?.mode ?? 'never',
      idleMs: (input?.reset?.idleMinutes ?? 60) * 60_000,
      atHour: input?.reset?.atHour ?? 4,
    },
  }),
  tighten: (holds) => holds,
  ignored: (input) => keysWhere({ session: Object.keys(input).length > 0 }),
};
