import { z } from 'zod';
import { keysWhere, type ConfigSection } from './section.ts';

/** As session keys and routes name channels. */
const channelId = /^[a-z0-9][a-z0-9_-]{0,31}$/u;

/** One channel, by its id. What else it takes is its plugin's: tokens, accounts, groups; upstream's names. */
const channelSchema = z
  .looseObject({
    enabled: z.boolean().optional().describe('True starts the channel. Default false.'),
    dmPolicy: z
      .enum(['pairing', 'allowlist', 'open', 'disabled'])
      .optional()
      .describe('Who may write to you directly: pairing (default) asks you about each new sender.'),
    allowFrom: z
      .array(z.union([z.string(), z.number()]))
      .optional()
      .describe('Ids of senders that may write without pairing.'),
    groupPolicy: z
      .enum(['allowlist', 'open', 'disabled'])
      .optional()
      .describe('Which groups are answered: allowlist (default) those of "groups".'),
    maxTurnsPerDay: z
      .int()
      .positive()
      .max(100_000)
      .optional()
      .describe('Maximum number of messages that the agent answers in 24 hours. Default 200.'),
  })
  .describe('Settings of a channel; refer to its token as { "secret": "name" } or { "env": "NAME" }.');

export const channelsSchema = z.record(z.string().regex(channelId), channelSchema);

export type ChannelConfig = z.infer<typeof channelSchema>;

export interface ChannelsConfig {
  /** What the user's own file says, by channel. */
  readonly entries: Readonly<Record<string, ChannelConfig>>;
  /** Channels that a workspace's file switches off. */
  readonly offByWorkspace: readonly string[];
}

/** A workspace's file can only keep channels off. */
export const channelsSection: ConfigSection<z.infer<typeof channelsSchema>, ChannelsConfig> = {
  resolve: (input = {}) => ({ entries: input, offByWorkspace: [] }),
  tighten: (holds, input) => ({
    ...holds,
    offByWorkspace: [
      ...holds.offByWorkspace,
      ...Object.entries(input).flatMap(([id, { enabled }]) => (enabled === false ? [id] : [])),
    ],
  }),
  ignored: (input) =>
    keysWhere({
      channels:
        Object.values(input).some(
          (each) => each.enabled === true || Object.keys(each).some((key) => key !== 'enabled'),
        ) && ' (all but enabled: false)',
    }),
};
