import { z } from 'zod';
import type { ExtensionPoint } from './pluginTypes.ts';

/** What the host knows of one extension point. */
export interface PointRule {
  /**
   * True where a plugin sees the conversation: its error texts are written down nowhere, and of what was blocked nothing.
   */
  readonly isConfidential: boolean;
  /** True where a plugin may take secrets out: what it changed is told by its size alone. */
  readonly hidesValues: boolean;
  /** Names what is judged. The tool call that is in question stays what it is: a later guard must not be told another one. */
  readonly fixed: readonly string[];
  /** What became of the operation where a plugin fails that may block. */
  readonly consequence: string;
  /** What a payload must be after a plugin has changed it, so that those behind it get what they expect. */
  readonly payload: z.ZodType;
}

const text = z.string();
const maybeText = text.optional();

/** The four extension points (Dexto plugin specification, Core Types). */
export const pointRules: Readonly<Record<ExtensionPoint, PointRule>> = {
  beforeLLMRequest: {
    isConfidential: true,
    hidesValues: true,
    fixed: ['sessionId'],
    consequence: 'the message was not sent',
    payload: z.looseObject({
      text,
      imageData: z.looseObject({ image: text, mimeType: text }).optional(),
      fileData: z.looseObject({ data: text, mimeType: text, filename: maybeText }).optional(),
    }),
  },
  beforeToolCall: {
    isConfidential: false,
    hidesValues: false,
    fixed: ['toolName', 'callId', 'sessionId'],
    consequence: 'the call was not carried out',
    payload: z.looseObject({ args: z.unknown() }),
  },
  afterToolResult: {
    isConfidential: false,
    hidesValues: true,
    fixed: ['toolName', 'callId', 'sessionId'],
    consequence: 'the result is withheld',
    payload: z.looseObject({ result: z.unknown(), success: z.boolean() }),
  },
  beforeResponse: {
    isConfidential: true,
    hidesValues: true,
    fixed: ['sessionId'],
    consequence: 'the answer is withheld',
    payload: z.looseObject({
      content: text,
      reasoning: maybeText,
      provider: text,
      model: maybeText,
      router: maybeText,
      tokenUsage: z.looseObject({ input: z.number(), output: z.number() }).optional(),
    }),
  },
};
