// Threat: a cloned repository has an agent answer in groups where nobody named it. So a workspace's file has no say.
import { z } from 'zod';
import { keysWhere, type ConfigSection } from './section.ts';

export const messagesSchema = z.strictObject({
  groupChat: z
    .strictObject({
      mentionPatterns: z
        .array(z.string().min(1).max(80))
        .max(50)
        .optional()
        .describe('Additional words that mention the agent in a group; whole words, ignoring case.'),
    })
    .optional()
    .describe('Group chats.'),
});

/** What holds for the messages of all channels (OpenClaw documentation, Groups, Mention gating). */
export interface MessagesConfig {
  readonly groupChat: { readonly mentionPatterns: readonly string[] };
}

export const messagesSection: ConfigSection<z.infer<typeof messagesSchema>, MessagesConfig> = {
  resolve: (input) => ({ groupChat: { mentionPatterns: input?.groupChat?.mentionPatterns ?? [] } }),
  tighten: (holds) => holds,
  ignored: (input) => keysWhere({ messages: Object.keys(input).length > 0 }),
};
