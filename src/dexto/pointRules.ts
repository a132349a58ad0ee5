import { z } from 'zod';
import type { Band } from '../hooks/hookTypes.ts';
import type { ExtensionPoint } from './dextoTypes.ts';

/** What the host knows of one extension point, besides its row in the hook catalog. */
interface PointRule {
  /** Before or after the hooks of the same moment. */
  readonly band: Band;
  /**
   * What says whose payload it is, or where it comes from: a later guard must not be told another one.
   */
  readonly fixed: readonly string[];
  /** What became of the operation where a plugin fails that may block. */
  readonly consequence: string;
  /** What a plugin may replace, and what it must be then, so that those behind it get what they expect. Nothing else can be changed. */
  readonly fields: Readonly<Record<string, z.ZodType>>;
}

const text = z.string();
const maybeText = text.optional();

/** The four extension points (Dexto plugin specification, Core Types), in the order of a turn. */
export const pointRules: Readonly<Record<ExtensionPoint, PointRule>> = {
  beforeLLMRequest: {
    band: 'first',
    fixed: ['sessionId'],
    consequence: 'the message was not sent',
    fields: {
      text,
      imageData: z.looseObject({ image: text, mimeType: text }).optional(),
      fileData: z.looseObject({ data: text, mimeType: text, filename: maybeText }).optional(),
    },
  },
  beforeToolCall: {
    band: 'last',
    fixed: ['toolName', 'callId', 'sessionId'],
    consequence: 'the call was not carried out',
    fields: { args: z.unknown() },
  },
  afterToolResult: {
    band: 'first',
    fixed: ['toolName', 'callId', 'sessionId'],
    consequence: 'the result is withheld',
    fields: { result: z.unknown(), success: z.boolean() },
  },
  beforeResponse: {
    band: 'last',
    fixed: ['provider', 'model', 'router', 'tokenUsage', 'sessionId'],
    consequence: 'the answer is withheld',
    fields: { content: text, reasoning: maybeText },
  },
};

export const extensionPoints = Object.keys(pointRules) as readonly ExtensionPoint[];
