import { z } from 'zod';
import type { ChannelConfigSchema } from './channelConfigSchema.ts';

/**
 * zod schemas of what the settings of channels have in common. They stand apart from the rest of the SDK: its types must stand alone,
 * and these need those of zod.
 */

const count = z.number().int().min(0);
const positive = z.number().int().positive();
const idOrName = z.union([z.string(), z.number()]);

export const DmPolicySchema = z.enum(['pairing', 'allowlist', 'open', 'disabled']);
export const GroupPolicySchema = z.enum(['open', 'disabled', 'allowlist']);
export const ReplyToModeSchema = z.enum(['off', 'first', 'all', 'batched']);
export const ContextVisibilityModeSchema = z.enum(['all', 'allowlist', 'allowlist_quote']);
export const TextChunkModeSchema = z.enum(['length', 'newline']);
export const UnifiedStreamingModeSchema = z.enum(['off', 'partial', 'block', 'progress']);
export const MSTeamsReplyStyleSchema = z.enum(['thread', 'top-level']);
export const MarkdownConfigSchema = z
  .object({ tables: z.enum(['off', 'bullets', 'code', 'block']).optional() })
  .strict()
  .optional();
export const AllowFromListSchema = z.array(idOrName).optional();
export const DmConfigSchema = z.object({ historyLimit: count.optional() }).strict();
export const ToolPolicySchema = z
  .object({
    allow: z.array(z.string()).optional(),
    alsoAllow: z.array(z.string()).optional(),
    deny: z.array(z.string()).optional(),
  })
  .strict()
  .refine(({ allow, alsoAllow }) => allow === undefined || alsoAllow === undefined, {
    message: 'allow and alsoAllow exclude each other: put all names into allow',
  })
  .optional();
export const MentionPatternsPolicySchema = z
  .object({
    mode: z.enum(['allow', 'deny']).optional(),
    allowIn: z.array(z.string()).optional(),
    denyIn: z.array(z.string()).optional(),
  })
  .strict();
export const BlockStreamingCoalesceSchema = z
  .object({ minChars: positive.optional(), maxChars: positive.optional(), idleMs: count.optional() })
  .strict();
export const BlockStreamingChunkSchema = z
  .object({
    minChars: positive.optional(),
    maxChars: positive.optional(),
    breakPreference: z.enum(['paragraph', 'newline', 'sentence']).optional(),
  })
  .strict();
export const ChannelStreamingBlockSchema = z
  .object({ enabled: z.boolean().optional(), coalesce: BlockStreamingCoalesceSchema.optional() })
  .strict();
export const ChannelDeliveryStreamingConfigSchema = z
  .object({ chunkMode: TextChunkModeSchema.optional(), block: ChannelStreamingBlockSchema.optional() })
  .strict();
export const ChannelStreamingPreviewSchema = z
  .object({
    chunk: BlockStreamingChunkSchema.optional(),
    toolProgress: z.boolean().optional(),
    commandText: z.enum(['raw', 'status']).optional(),
  })
  .strict();
export const ChannelStreamingProgressSchema = z
  .object({
    label: z.union([z.string(), z.literal(false)]).optional(),
    labels: z.array(z.string()).optional(),
    maxLines: positive.optional(),
    maxLineChars: positive.optional(),
    toolProgress: z.boolean().optional(),
    commandText: z.enum(['raw', 'status']).optional(),
    commentary: z.boolean().optional(),
    narration: z.boolean().optional(),
  })
  .strict();
export const ChannelPreviewStreamingConfigSchema = z
  .object({
    mode: UnifiedStreamingModeSchema.optional(),
    chunkMode: TextChunkModeSchema.optional(),
    preview: ChannelStreamingPreviewSchema.optional(),
    progress: ChannelStreamingProgressSchema.optional(),
    block: ChannelStreamingBlockSchema.optional(),
  })
  .strict();
export const ChannelImplicitMentionsSchema = z
  .object({
    replyToBot: z.boolean().optional(),
    quotedBot: z.boolean().optional(),
    threadParticipation: z.boolean().optional(),
  })
  .strict();
export const ChannelBotLoopProtectionSchema = z
  .object({
    enabled: z.boolean().optional(),
    maxEventsPerWindow: positive.optional(),
    windowSeconds: positive.optional(),
    cooldownSeconds: positive.optional(),
  })
  .strict();
export const ChannelSendReadReceiptsSchema = z.boolean().optional();
export const ChannelDangerouslyAllowNameMatchingSchema = z.boolean().optional();
export const ProviderCommandsSchema = z
  .object({
    native: z.union([z.boolean(), z.literal('auto')]).optional(),
    nativeSkills: z.union([z.boolean(), z.literal('auto')]).optional(),
  })
  .strict()
  .optional();
/** Speech is none of a channel's business here: accepted as it is. */
export const TtsConfigSchema = z.record(z.string(), z.unknown()).optional();
export const ExecutableTokenSchema = z
  .string()
  .regex(/^(?!-)[\w./\\:@+~ -]+$/u, 'expected safe executable name or path');
export const ReplyRuntimeConfigSchemaShape = {
  historyLimit: count.optional(),
  dmHistoryLimit: count.optional(),
  contextVisibility: ContextVisibilityModeSchema.optional(),
  dms: z.record(z.string(), DmConfigSchema.optional()).optional(),
  textChunkLimit: positive.optional(),
  streaming: ChannelDeliveryStreamingConfigSchema.optional(),
  responsePrefix: z.string().optional(),
  mediaMaxMb: z.number().positive().optional(),
};
export const ChannelGroupEntrySchema = z
  .object({
    requireMention: z.boolean().optional(),
    tools: ToolPolicySchema,
    toolsBySender: z.record(z.string(), ToolPolicySchema).optional(),
    skills: z.array(z.string()).optional(),
    enabled: z.boolean().optional(),
    allowFrom: AllowFromListSchema,
    systemPrompt: z.string().optional(),
  })
  .strict();

const secretRef = z.object({
  source: z.enum(['env', 'file', 'exec']),
  provider: z.string().min(1),
  id: z.string().min(1),
});
const secretInput = z.union([z.string(), secretRef]);

/** A secret, as text or by reference. */
export function buildSecretInputSchema(): typeof secretInput {
  return secretInput;
}

/** Marks what must not be shown. Here every text under a secret's name is hidden, so nothing has to be marked. */
export function registerSensitiveConfigSchema<T>(schema: T): T {
  return schema;
}

type Shape = Readonly<Record<string, z.ZodType>>;

/** The settings of one group, with fields of the channel's own. */
export function buildGroupEntrySchema(
  extra: Shape = {},
  options: { readonly omit?: readonly string[] } = {},
): z.ZodObject {
  return z.object({ ...without(ChannelGroupEntrySchema.shape, options.omit), ...extra }).strict();
}

/** The settings of direct messages where they stand under `dm`. */
export function buildNestedDmConfigSchema(extra: Shape = {}): z.ZodType {
  const base = {
    enabled: z.boolean().optional(),
    policy: DmPolicySchema.optional(),
    allowFrom: AllowFromListSchema,
  };
  return z.object({ ...base, ...extra }).optional();
}

/** Whether other bots are answered. */
export function buildChannelAllowBotsSchema(options: { readonly allowMentions?: boolean } = {}): z.ZodType {
  return options.allowMentions === true
    ? z.union([z.boolean(), z.literal('mentions')]).optional()
    : z.boolean().optional();
}

/** Who is asked about commands in the channel itself; nothing here asks there. */
export function buildChannelExecApprovalsSchema(approver: z.ZodType, extra: Shape = {}): z.ZodType {
  return z
    .object({
      enabled: z.union([z.boolean(), z.literal('auto')]).optional(),
      approvers: z.array(approver).optional(),
      agentFilter: z.array(z.string()).optional(),
      sessionFilter: z.array(z.string()).optional(),
      target: z.enum(['dm', 'channel', 'both']).optional(),
      ...extra,
    })
    .strict()
    .optional();
}

type Names = readonly [string, ...string[]];

/** Which reactions the channel tells of and gives. */
export function buildChannelReactionShape(options: {
  readonly notificationModes?: Names;
  readonly reactionAllowlist?: boolean;
  readonly reactionLevels?: Names;
  readonly ackReaction?: z.ZodType;
}): Shape {
  const { notificationModes, reactionAllowlist, reactionLevels, ackReaction } = options;
  return {
    ...(notificationModes === undefined
      ? {}
      : { reactionNotifications: z.enum(notificationModes).optional() }),
    ...(reactionAllowlist === true ? { reactionAllowlist: z.array(idOrName).optional() } : {}),
    ...(reactionLevels === undefined ? {} : { reactionLevel: z.enum(reactionLevels).optional() }),
    ...(ackReaction === undefined ? {} : { ackReaction }),
  };
}

const accountOptions = {
  capabilities: z.array(z.string()).optional(),
  allowFrom: AllowFromListSchema,
  groupAllowFrom: AllowFromListSchema,
  defaultTo: z.string().optional(),
  mentionPatterns: MentionPatternsPolicySchema.optional(),
  streaming: ChannelDeliveryStreamingConfigSchema.optional(),
  mediaMaxMb: z.number().positive().optional(),
  replyToMode: ReplyToModeSchema.optional(),
} satisfies Shape;

/** The settings that every account of a channel has, each of which may be another one's, and the defaults of the channel itself. */
export function buildChannelAccountSchemaParts(
  options: { readonly omit?: readonly string[] } & {
    readonly [key in keyof typeof accountOptions]?: z.ZodType;
  } = {},
): { readonly accountShape: Shape; readonly rootPolicyShape: Shape } {
  const { omit, ...given } = options;
  const shape: Shape = {
    name: z.string().optional(),
    markdown: MarkdownConfigSchema,
    configWrites: z.boolean().optional(),
    enabled: z.boolean().optional(),
    dmPolicy: DmPolicySchema.optional(),
    groupPolicy: GroupPolicySchema.optional(),
    ...ReplyRuntimeConfigSchemaShape,
    heartbeatVisibility: z.record(z.string(), z.unknown()).optional(),
    healthMonitor: z.record(z.string(), z.unknown()).optional(),
    ...accountOptions,
    ...given,
  };
  return {
    accountShape: without(shape, omit),
    rootPolicyShape: {
      dmPolicy: DmPolicySchema.optional().default('pairing'),
      groupPolicy: GroupPolicySchema.optional().default('allowlist'),
    },
  };
}

type Refine = (value: unknown, context: z.RefinementCtx) => void;

/** A channel whose settings may be given for accounts by name, too. */
export function buildMultiAccountChannelSchema(
  base: z.ZodObject,
  options: {
    readonly accountSchema?: z.ZodType;
    readonly accountsMode?: 'record' | 'catchall';
    readonly optionalAccount?: boolean;
    readonly refine?: Refine;
  } = {},
): z.ZodType {
  const { accountSchema = base, accountsMode, optionalAccount, refine } = options;
  const refined = (schema: z.ZodType): z.ZodType =>
    refine === undefined
      ? schema
      : schema.superRefine((value, context) => {
          refine(value, context);
        });
  const account = optionalAccount === true ? refined(accountSchema).optional() : refined(accountSchema);
  const accounts =
    accountsMode === 'catchall' ? z.object({}).catchall(account) : z.record(z.string(), account);
  return refined(base.extend({ accounts: accounts.optional(), defaultAccount: z.string().optional() }));
}

/** The same with accounts as an open object. */
export function buildCatchallMultiAccountChannelSchema(account: z.ZodObject): z.ZodType {
  return buildMultiAccountChannelSchema(account, { accountsMode: 'catchall' });
}

interface AllowFromRule {
  readonly policy?: string;
  readonly allowFrom?: readonly (string | number)[];
  readonly ctx: z.RefinementCtx;
  readonly path: (string | number)[];
  readonly message: string;
}

/** `open` has to be said twice: by the policy, and by `*` on the list. */
export function requireOpenAllowFrom(rule: AllowFromRule): void {
  if (rule.policy === 'open' && !entriesOf(rule.allowFrom).includes('*')) refuse(rule);
}

/** An allowlist with nobody on it lets nobody in, which is hardly meant. */
export function requireAllowlistAllowFrom(rule: AllowFromRule): void {
  if (rule.policy === 'allowlist' && entriesOf(rule.allowFrom).length === 0) refuse(rule);
}

/** The first rule, for the settings of a channel as a whole; the caller passes it on, as upstream's helper wants it. */
export function requireChannelOpenAllowFrom(params: {
  readonly channel: string;
  readonly policy?: string;
  readonly allowFrom?: readonly (string | number)[];
  readonly ctx: z.RefinementCtx;
  readonly requireOpenAllowFrom?: (rule: AllowFromRule) => void;
}): void {
  const { channel, requireOpenAllowFrom: check = requireOpenAllowFrom, ...rule } = params;
  const place = `channels.${channel}`;
  const message = `${place}.dmPolicy="open" requires "*" in ${place}.allowFrom`;
  check({ ...rule, path: ['allowFrom'], message });
}

interface DmFields {
  readonly dmPolicy?: string;
  readonly allowFrom?: readonly (string | number)[];
}

/** Both rules, for a channel or one account of it. */
export function refineChannelDmPolicy(params: {
  readonly channelId: string;
  readonly value: DmFields & { readonly accounts?: Readonly<Record<string, DmFields | undefined>> };
  readonly accountId?: string;
  readonly ctx: z.RefinementCtx;
}): void {
  const { channelId, value, accountId, ctx } = params;
  const own = accountId === undefined ? value : value.accounts?.[accountId];
  if (own === undefined) return;
  const policy = own.dmPolicy ?? value.dmPolicy;
  const allowFrom = own.allowFrom ?? value.allowFrom;
  const place =
    accountId === undefined ? `channels.${channelId}` : `channels.${channelId}.accounts.${accountId}`;
  const rule = {
    ...(policy === undefined ? {} : { policy }),
    ...(allowFrom === undefined ? {} : { allowFrom }),
    ctx,
    path: accountId === undefined ? ['allowFrom'] : ['accounts', accountId, 'allowFrom'],
  };
  requireOpenAllowFrom({ ...rule, message: `${place}.dmPolicy="open" requires "*" in ${place}.allowFrom` });
  requireAllowlistAllowFrom({
    ...rule,
    message: `${place}.dmPolicy="allowlist" requires a sender in ${place}.allowFrom`,
  });
}

/** A schema of zod as the `configSchema` of a channel. */
export function buildChannelConfigSchema(
  schema: z.ZodType,
  options: {
    readonly uiHints?: ChannelConfigSchema['uiHints'];
    readonly jsonSchemaMode?: 'input' | 'output';
  } = {},
): ChannelConfigSchema {
  const { uiHints, jsonSchemaMode: io } = options;
  let json: ChannelConfigSchema['schema'] | undefined;
  return {
    // Made when somebody looks: for large ones that takes a while.
    get schema() {
      return (json ??= z.toJSONSchema(schema, {
        target: 'draft-7',
        unrepresentable: 'any',
        ...(io === undefined ? {} : { io }),
      }) as ChannelConfigSchema['schema']);
    },
    ...(uiHints === undefined ? {} : { uiHints }),
    runtime: {
      safeParse(value) {
        const parsed = schema.safeParse(value);
        if (parsed.success) return { success: true, data: parsed.data };
        const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
        return { success: false, issues };
      },
    },
  };
}

function entriesOf(list: readonly (string | number)[] | undefined): readonly string[] {
  return (list ?? []).map((entry) => String(entry).trim()).filter((entry) => entry !== '');
}

function refuse({ ctx, path, message }: AllowFromRule): void {
  ctx.addIssue({ code: 'custom', path, message });
}

function without(shape: Shape, omitted: readonly string[] = []): Shape {
  return Object.fromEntries(Object.entries(shape).filter(([key]) => !omitted.includes(key)));
}
