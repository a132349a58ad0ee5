import type { HookMap, HookName } from './hookMap.ts';

/** Why a field stays unset, by its name. */
type Reasons<Fields> = { readonly [F in keyof Fields]?: string };

const jobs = { jobId: 'scheduled jobs do not exist yet' } as const;
const accounts = { accountId: 'a chat has no accounts; message channels do not exist yet' } as const;
const threads = { threadId: 'a chat has no threads; message channels do not exist yet' } as const;
const gateway = { getCron: 'scheduled jobs do not exist yet' } as const;

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
  ['trace', 'workspaceDir', 'trigger'],
  'a compaction belongs to a session, not to a run',
);
const ofReset = all(
  ['runId', 'trace', 'workspaceDir', ...modelFields],
  'no run goes on while a session is reset',
);
const ofCommand = all(['trace', ...modelFields], 'a command knows its run, its session and its folder');

/** Fields that upstream has and nothing here sets, with the reason, by hook; docs and test read it. */
export const neverSet: {
  readonly [N in HookName]?: {
    readonly event?: Reasons<HookMap[N]['event']>;
    readonly context?: Reasons<HookMap[N]['context']>;
  };
} = {
  before_model_resolve: { context: jobs },
  agent_turn_prepare: { context: jobs },
  before_prompt_build: { context: jobs },
  before_agent_start: { context: jobs },
  before_agent_run: { event: accounts, context: jobs },
  before_agent_reply: { context: jobs },
  before_agent_finalize: { context: jobs },
  agent_end: { context: jobs },
  model_call_started: { context: jobs },
  model_call_ended: { context: jobs },
  llm_input: { context: jobs },
  llm_output: { context: jobs },
  before_tool_call: { context: jobs },
  after_tool_call: { context: jobs },
  resolve_exec_env: { context: { ...jobs, ...ofCommand } },
  before_message_write: {
    context: all(['toolName', 'toolCallId'], 'the message of a result names its call'),
  },
  message_received: { event: threads, context: accounts },
  reply_payload_sending: { context: accounts },
  message_sending: { event: threads, context: accounts },
  message_sent: { context: accounts },
  session_end: { event: { transcriptArchived: 'transcripts stay where they are' } },
  before_compaction: { context: { ...jobs, ...ofCompaction } },
  after_compaction: { context: { ...jobs, ...ofCompaction } },
  before_reset: { context: { ...jobs, ...ofReset } },
  gateway_start: { context: gateway },
  gateway_stop: { context: gateway },
};
