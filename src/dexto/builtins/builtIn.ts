import { z } from 'zod';
import type { DextoPlugin } from '../dextoTypes.ts';

/** A plugin that ships with the program, named in an agent file by its key under `plugins` (Dexto plugin specification, Built-In Plugins). */
interface BuiltIn {
  /** A new instance, not initialized. */
  create(): DextoPlugin;
  /** What stands under its key in an agent file: its own options and those of `commonOptions`. Unknown keys are refused. */
  readonly schema: z.ZodType<BuiltInOptions>;
  /** What holds where the file says nothing. */
  readonly defaults: { readonly blocking: boolean; readonly priority: number };
}

/** By the name in an agent file. */
export type BuiltIns = Readonly<Record<string, BuiltIn>>;

/** Options of every built-in. `timeout` in milliseconds. */
interface BuiltInOptions {
  readonly enabled?: boolean | undefined;
  readonly blocking?: boolean | undefined;
  readonly priority?: number | undefined;
  readonly timeout?: number | undefined;
}

/** The keys that say how a built-in runs; the plugin itself has no use for them. */
export const commonOptions = {
  enabled: z.boolean().optional().describe('False disables this plugin. Default true.'),
  blocking: z.boolean().optional().describe('Whether this plugin can stop the turn.'),
  priority: z.int().optional().describe('Lower runs first; each plugin needs its own.'),
  timeout: z
    .int()
    .min(1)
    .max(600_000)
    .optional()
    .describe('Time limit at each extension point, in milliseconds. Default 5000.'),
};
