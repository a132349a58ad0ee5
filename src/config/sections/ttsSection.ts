// Threat: a cloned repository has answers sent to a service of its choice. So a workspace's file has no say.
import { z } from 'zod';
import { keysWhere, type ConfigSection } from './section.ts';

export const ttsSchema = z.strictObject({
  provider: z
    .string()
    .min(1)
    .optional()
    .describe('Id of the speech provider. Default: the first one that is set up.'),
  providers: z
    .record(z.string(), z.record(z.string(), z.unknown()))
    .optional()
    .describe('Settings by the id of a speech provider; keys as { "secret": "name" } or { "env": "NAME" }.'),
  maxTextLength: z
    .int()
    .positive()
    .max(20_000)
    .optional()
    .describe('Maximum characters of an answer that are read aloud. Default 4096.'),
  timeoutMs: z
    .int()
    .positive()
    .max(600_000)
    .optional()
    .describe("Time limit of a speech provider, in milliseconds. Default: the provider's own, else 30000."),
});

/** Reading answers aloud (OpenClaw documentation, Text-to-speech field reference, Top-level tts). */
export interface TtsConfig {
  readonly provider: string | undefined;
  /** As the file has them: keys are references. */
  readonly providers: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly maxTextLength: number;
  /** Undefined leaves it to the provider. */
  readonly timeoutMs: number | undefined;
}

export const ttsSection: ConfigSection<z.infer<typeof ttsSchema>, TtsConfig> = {
  resolve: (input) => ({
    provider: input?.provider,
    providers: input?.providers ?? {},
    maxTextLength: input?.maxTextLength ?? 4_096,
    timeoutMs: input?.timeoutMs,
  }),
  tighten: (holds) => holds,
  ignored: (input) => keysWhere({ tts: Object.keys(input).length > 0 }),
};
