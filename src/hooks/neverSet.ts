import type { HookMap, HookName } from './hookMap.ts';

/** Why a field stays unset, by its name. */
type Reasons<Fields> = { readonly [F in keyof Fields]?: string };

const cron = { port: 'gateway_start alone tells it' } as const;

function all<F extends string>(fields: readonly F[], reason: string): Readonly<Record<F, string>> {
  return Object.fromEntries(fields.map((field) => [field, reason])) as Readonly<Record<F, string>>;
}

const modelFields = [
  'modelProviderId',
  'modelId',
  'messageProvider',
  'trigger',
  'channelId',
  'contextTokenBudget',
  'contextWindowSource',
  'contextWindowReferenceTokens',
] as const;

const ofCompaction = all(
  ['jobId', 'trace', 'workspaceDir', 'trigger'],
  'a compaction belongs to a session, not to a run',
);
const ofReset = all(
  ['runId', 'jobId', 'trace', 'workspaceDir', ...modelFields],
  'no run goes on while a session is reset',
);
const ofCommand = all(['trace', ...modelFields], 'a command knows its run, its session and its folder');

const beforeTurn = all(
  ['runId', 'trace', 'traceId', 'spanId', 'parentSpanId', 'callDepth'],
  'no turn has begun yet',
);

/** Fields that upstream has and nothing here sets, with the reason, by hook; docs and test read it. */
export const neverSet: {
  readonly [N in HookName]?: {
    readonly event?: Reasons<HookMap[N]['event']>;
    readonly context?: Reasons<HookMap[N]['context']>;
  };
} = {
  inbound_claim: {
    context: {
      ...beforeTurn,
      sessionKey: 'no session is chosen yet',
      pluginBinding: 'conversations are bound by the config alone',
    },
  },
  reply_dispatch: { event: { images: 'answers are text' } },
  resolve_exec_env: { context: ofCommand },
  before_message_write: {
    context: all(['toolName', 'toolCallId'], 'the message of a result names its call'),
  },
  session_end: { event: { transcriptArchived: 'transcripts stay where they are' } },
  before_compaction: { context: ofCompaction },
  after_compaction: { context: ofCompaction },
  before_reset: { context: ofReset },
  cron_changed: {
    event: { summary: 'what an agent says is a conversation: agent_end tells it to who may read those' },
    context: cron,
  },
  cron_reconciled: { context: cron },
};
