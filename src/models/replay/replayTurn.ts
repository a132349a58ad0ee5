import { z } from 'zod';

const thoughtSchema = z.strictObject({
  text: z.string(),
  signature: z.string().min(1).optional().describe('What the server wants back with it.'),
  redacted: z.literal(true).optional().describe('The server kept the text to itself.'),
});

/**
 * One line of a replay script: one answer of the model. The file is JSON Lines: one JSON object a line, blank lines ignored,
 * unknown keys refused.
 *
 *     {"text": ["I look ", "at it."], "toolCalls": [{"name": "read", "arguments": {"path": "README.md"}}]}
 *     {"expect": {"toolResult": "# Pincer"}, "text": "It is a readme."}
 *
 * A turn plays its thoughts, its text, then its tool calls, then its error or its end.
 */
export const replayTurnSchema = z.strictObject({
  thinking: z
    .union([z.string(), z.array(thoughtSchema)])
    .optional()
    .describe('What the model thinks first: one thought, or several with what the server says of them.'),
  text: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('What the model says; a list is streamed piece by piece.'),
  toolCalls: z
    .array(
      z.strictObject({
        id: z.string().min(1).optional().describe('Default: call_<line>_<number>.'),
        name: z.string().min(1),
        arguments: z.record(z.string(), z.unknown()).default({}),
        thoughtSignature: z.string().min(1).optional().describe('What the server wants back with it.'),
      }),
    )
    .optional()
    .describe('What the model asks for, in this order.'),
  error: z
    .strictObject({ code: z.string().min(1), message: z.string(), hint: z.string().optional() })
    .optional()
    .describe('How the model fails after its text; code is one of the model_ codes.'),
  expect: z
    .strictObject({
      userText: z.string().optional().describe('Part of the last user message.'),
      toolResult: z.string().optional().describe('Part of a result since the last answer.'),
      tools: z.array(z.string()).optional().describe('Tools that must be offered; others may be too.'),
    })
    .optional()
    .describe('What the request must hold; else the replay stops with replay_mismatch.'),
  delayMs: z.number().min(0).max(600_000).optional().describe('Wait before each event, in milliseconds.'),
  usage: z
    .strictObject({
      input: z.number(),
      output: z.number(),
      cacheRead: z.number().optional(),
      cacheWrite: z.number().optional(),
    })
    .optional()
    .describe('Tokens.'),
  stopReason: z
    .enum(['stop', 'toolUse', 'length', 'aborted', 'error'])
    .optional()
    .describe('Default: toolUse with tool calls, stop without.'),
});

/** A turn as it was parsed, with its place in the file. */
export interface ReplayTurn extends z.infer<typeof replayTurnSchema> {
  /** 1-based. */
  readonly line: number;
}

/** A turn as it is written. */
export type ReplayLine = z.input<typeof replayTurnSchema>;
