// To add a hook that plugins can listen to:
// 1. Say its kind, event, context, result and outcome in a file of `payloads` that `HookMap` extends.
// 2. Add its row here, with its rule: `hookTypes.ts` says what a rule of its kind has, `merge` holds the rules there are. Where a plugin
//    can stop or ask by it, say so in `refusals`.
// 3. Fire it: `hooks.modify('its_name', …)`, with the name in that call, in the file that `emitSite` names.
// 4. Say in `neverSet.ts` why a field of its event or context stays unset, in `scripts/hookMergeTexts.ts` how results become one.
// 5. Let a real turn reach it in `test/samples/turns/liveHooks.test.ts` and set its fields in `hookFields.test.ts` beside it.
// 6. Add its name to the list of `hookCatalog.test.ts` and its row to `test/conformance/table.json`, then run
//    `npm run conformance -- --names-only` and `node scripts/run.mjs writeHookDocs`.
import type { HookName } from './hookMap.ts';
import type { FiringMap, FiringName, HookResult, RuleOfKind } from './hookTypes.ts';
import { agentFinalizeRule, agentReplyRule, agentRunRule } from './merge/agentRules.ts';
import {
  deliveryTargetRule,
  dispatchRule,
  inboundClaimRule,
  installRule,
  replyDispatchRule,
  subagentSpawningRule,
} from './merge/deliveryRules.ts';
import { internalEventRule, pointRule, resultMiddlewareRule } from './merge/internalRules.ts';
import {
  messageSendingRule,
  messageWriteRule,
  replyPayloadRule,
  toolResultRule,
} from './merge/messageRules.ts';
import { mergeTexts } from './merge/mergeTexts.ts';
import { execEnvRule, toolCallRule } from './merge/toolRules.ts';

/** What a plugin that is not bundled needs before it may listen. */
type HookAccess = 'none' | 'conversation' | 'promptInjection';

/** One hook as the runner, the plugin API, the settings and the documentation know it. */
interface HookRow<N extends FiringName> {
  readonly kind: FiringMap[N]['kind'];
  /** One sentence for plugin authors: when it fires. */
  readonly summary: string;
  /** Milliseconds that one handler has; sync hooks cannot be timed out. */
  readonly timeoutMs: FiringMap[N]['kind'] extends 'sync' ? null : number;
  readonly access: HookAccess;
  /** Fields a handler may return; anything else is named in a diagnostic. */
  readonly returns: readonly ResultField<HookResult<N>>[];
  /**
   * The returned fields that refuse or ask. A plugin that may not run any more is still called for these alone; absent, it is not
   * called (`decideHookAccess.ts`).
   */
  readonly refusals?: readonly ResultField<HookResult<N>>[];
  /** The file below `src` that fires it in production, by a call that names it; absent for what adapters of the host alone hear. */
  readonly emitSite?: string;
  /** How results become one outcome; with `failClosed`, also what a handler that fails does to the operation. */
  readonly rule: RuleOfKind<N>[FiringMap[N]['kind']];
  /** True where not even error texts may be written down, as they may quote the user. */
  readonly confidential?: true;
  /** True where handlers take secrets out: what they changed is traced by its size only. */
  readonly redacts?: true;
  /** True where only adapters of the host register: `api.on`, lists and settings know nothing of it, and results count as they are. */
  readonly isInternal?: true;
}

type ResultField<Result> = Result extends object ? keyof Result & string : never;

const observeMs = 30_000;
const decideMs = 15_000;
const stopMs = 5_000;
const pointMs = 5_000;

const open = { access: 'none' } as const;
const observer = { ...open, kind: 'observe', timeoutMs: observeMs, returns: [], rule: {} } as const;
const modifier = { ...open, kind: 'modify', timeoutMs: decideMs } as const;
const claimer = { ...open, kind: 'claim', timeoutMs: decideMs } as const;
const synchronous = { ...open, kind: 'sync', timeoutMs: null } as const;

const turnTexts = { prependContext: 'join', appendContext: 'join' } as const;
const promptTexts = {
  systemPrompt: 'first',
  ...turnTexts,
  prependSystemContext: 'join',
  appendSystemContext: 'join',
} as const;
const choiceTexts = { modelOverride: 'first', providerOverride: 'first' } as const;

const point = { ...modifier, isInternal: true, returns: ['modify', 'block'], timeoutMs: pointMs } as const;

type HookRows = { readonly [N in FiringName]: HookRow<N> };

const rows = {
  // Agent turn
  before_model_resolve: {
    ...modifier,
    summary: 'Before the model for a turn is chosen.',
    emitSite: 'agent/promptHooks.ts',
    access: 'conversation',
    returns: ['modelOverride', 'providerOverride'],
    rule: mergeTexts(choiceTexts),
    confidential: true,
  },
  agent_turn_prepare: {
    ...modifier,
    summary: 'Before the prompt hooks, with the injections that were queued for this turn.',
    emitSite: 'agent/promptHooks.ts',
    access: 'promptInjection',
    returns: ['prependContext', 'appendContext'],
    rule: mergeTexts(turnTexts),
    confidential: true,
  },
  before_prompt_build: {
    ...modifier,
    summary: 'Before the prompt of a turn is put together.',
    emitSite: 'agent/promptHooks.ts',
    access: 'promptInjection',
    returns: [
      'systemPrompt',
      'prependContext',
      'appendContext',
      'prependSystemContext',
      'appendSystemContext',
    ],
    rule: mergeTexts(promptTexts),
    confidential: true,
  },
  before_agent_start: {
    ...modifier,
    summary: 'Older form of before_model_resolve and before_prompt_build in one.',
    emitSite: 'agent/promptHooks.ts',
    returns: [
      'systemPrompt',
      'prependContext',
      'appendContext',
      'prependSystemContext',
      'appendSystemContext',
      'modelOverride',
      'providerOverride',
    ],
    rule: mergeTexts({ ...promptTexts, ...choiceTexts }),
    confidential: true,
  },
  heartbeat_prompt_contribution: {
    ...modifier,
    summary: 'Before the prompt of a heartbeat turn is put together.',
    access: 'promptInjection',
    returns: ['prependContext', 'appendContext'],
    emitSite: 'agent/promptHooks.ts',
    rule: mergeTexts(turnTexts),
  },
  before_agent_run: {
    ...open,
    kind: 'gate',
    summary: 'After the prompt is final and before any model reads it.',
    emitSite: 'agent/promptHooks.ts',
    timeoutMs: decideMs,
    access: 'conversation',
    returns: ['outcome', 'reason', 'message', 'category', 'metadata'],
    refusals: ['outcome', 'reason', 'message', 'category', 'metadata'],
    rule: agentRunRule,
    confidential: true,
  },
  before_agent_reply: {
    ...claimer,
    summary: 'Before the model is asked; a plugin may answer in its place.',
    emitSite: 'agent/promptHooks.ts',
    access: 'conversation',
    returns: ['handled', 'reply', 'reason'],
    rule: agentReplyRule,
  },
  before_agent_finalize: {
    ...modifier,
    summary: 'Before a final answer is accepted; a plugin may ask for one more pass.',
    emitSite: 'agent/outputHooks.ts',
    access: 'conversation',
    returns: ['action', 'reason', 'retry'],
    rule: agentFinalizeRule,
  },
  agent_end: {
    ...observer,
    summary: 'After a run, whether it succeeded or not.',
    emitSite: 'agent/outputHooks.ts',
    access: 'conversation',
  },

  // What goes to the model and comes back
  model_call_started: {
    ...observer,
    summary: 'When a model call starts; no content.',
    emitSite: 'agent/answer.ts',
  },
  model_call_ended: {
    ...observer,
    summary: 'When a model call has ended; timing and outcome, no content.',
    emitSite: 'agent/answer.ts',
  },
  llm_input: {
    ...observer,
    summary: 'What a model is about to read.',
    emitSite: 'agent/answer.ts',
    access: 'conversation',
    rule: { useInstead: 'before_prompt_build' },
  },
  llm_output: {
    ...observer,
    summary: 'What a model has answered, after each of its answers.',
    emitSite: 'agent/answer.ts',
    access: 'conversation',
    rule: { useInstead: 'message_sending' },
  },

  // Tools
  before_tool_call: {
    ...modifier,
    summary: 'Before a tool runs: change its parameters, stop it, or ask the user.',
    emitSite: 'tools/pipeline/judgeCall.ts',
    returns: ['params', 'block', 'blockReason', 'requireApproval'],
    refusals: ['block', 'blockReason', 'requireApproval'],
    rule: toolCallRule,
  },
  after_tool_call: {
    ...observer,
    summary: 'After a tool ran, or was stopped.',
    emitSite: 'tools/createToolPipeline.ts',
    rule: { useInstead: 'tool_result_persist' },
  },
  resolve_exec_env: {
    ...modifier,
    summary: 'Before a command runs: environment variables for it.',
    // Any name may be returned.
    returns: [],
    emitSite: 'runtime/createPluginExecEnv.ts',
    rule: execEnvRule,
  },
  tool_result_persist: {
    ...synchronous,
    summary: 'Before the result of a tool is stored; must not be async.',
    emitSite: 'tools/createToolPipeline.ts',
    returns: ['message'],
    rule: toolResultRule,
    redacts: true,
  },
  before_message_write: {
    ...synchronous,
    summary: 'Before any message is stored; must not be async.',
    emitSite: 'agent/outputHooks.ts',
    returns: ['message', 'block'],
    refusals: ['block'],
    rule: messageWriteRule,
    redacts: true,
  },

  // Messages
  inbound_claim: {
    ...claimer,
    summary: 'A message arrived from a channel, before an agent is chosen.',
    returns: ['handled', 'reply'],
    emitSite: 'channels/inboundHooks.ts',
    rule: inboundClaimRule,
  },
  message_received: {
    ...observer,
    summary: 'A message from the user arrived.',
    emitSite: 'agent/promptHooks.ts',
    confidential: true,
  },
  before_dispatch: {
    ...claimer,
    summary: 'Before a message from a channel is handed to an agent.',
    returns: ['handled', 'text'],
    emitSite: 'channels/inboundHooks.ts',
    rule: dispatchRule,
  },
  reply_dispatch: {
    ...claimer,
    summary: 'While a reply is handed to a channel.',
    returns: ['handled', 'queuedFinal', 'counts'],
    emitSite: 'channels/inboundHooks.ts',
    rule: replyDispatchRule,
  },
  reply_payload_sending: {
    ...modifier,
    summary: 'Before an answer goes to the surface that shows it: change what is shown, or cancel it.',
    emitSite: 'agent/outputHooks.ts',
    returns: ['payload', 'cancel', 'reason'],
    refusals: ['cancel', 'reason'],
    rule: replyPayloadRule,
    redacts: true,
  },
  channel_pairing_requested: {
    ...observer,
    summary: 'Somebody on a channel asked to be let in.',
    emitSite: 'channels/createChannels.ts',
  },
  message_sending: {
    ...modifier,
    summary: 'Before an answer is delivered: rewrite or cancel it.',
    emitSite: 'agent/outputHooks.ts',
    returns: ['content', 'cancel', 'cancelReason', 'metadata'],
    refusals: ['cancel', 'cancelReason'],
    rule: messageSendingRule,
    redacts: true,
  },
  message_sent: {
    ...observer,
    summary: 'After an answer was delivered, or failed to be.',
    emitSite: 'agent/outputHooks.ts',
  },

  // Sessions
  session_start: {
    ...observer,
    summary: 'A session begins or is resumed.',
    emitSite: 'runtime/createSessionLife.ts',
  },
  session_end: { ...observer, summary: 'A session ends.', emitSite: 'runtime/createSessionLife.ts' },
  before_compaction: {
    ...observer,
    summary: 'Before old messages are summarised.',
    emitSite: 'agent/context/compactionSignals.ts',
  },
  after_compaction: {
    ...observer,
    summary: 'After old messages were summarised.',
    emitSite: 'agent/context/compactionSignals.ts',
  },
  before_reset: {
    ...observer,
    summary: 'Before a session is reset.',
    emitSite: 'runtime/createSessionLife.ts',
  },

  // Subagents
  subagent_spawning: {
    ...modifier,
    summary: 'Before an agent starts another one.',
    returns: ['status', 'error', 'threadBindingReady', 'deliveryOrigin'],
    refusals: ['status', 'error'],
    emitSite: 'agents/createSubagentHooks.ts',
    rule: subagentSpawningRule,
  },
  subagent_delivery_target: {
    ...modifier,
    summary: 'Before the answer of a started agent is delivered.',
    returns: ['origin'],
    emitSite: 'agents/createSubagentHooks.ts',
    rule: deliveryTargetRule,
  },
  subagent_spawned: {
    ...observer,
    summary: 'After an agent started another one.',
    emitSite: 'agents/createSubagentHooks.ts',
  },
  subagent_progress: {
    ...observer,
    summary: 'A started agent begins or ends.',
    emitSite: 'agents/createSubagentHooks.ts',
  },
  subagent_ended: {
    ...observer,
    summary: 'After a started agent has ended.',
    emitSite: 'agents/createSubagentHooks.ts',
  },

  // Runtime
  gateway_start: {
    ...observer,
    summary: 'The runtime started, or this version of the plugin came later.',
    emitSite: 'runtime/createRuntime.ts',
  },
  gateway_stop: {
    ...observer,
    summary: 'The runtime is about to stop, or this version of the plugin is: disabled or replaced.',
    emitSite: 'runtime/createShutdown.ts',
    timeoutMs: stopMs,
  },
  cron_changed: {
    ...observer,
    summary: 'A scheduled job changed or ran.',
    emitSite: 'runtime/createScheduleSide.ts',
  },
  cron_reconciled: {
    ...observer,
    summary: 'The schedule has begun, or its settings have changed.',
    emitSite: 'runtime/createScheduleSide.ts',
  },
  before_install: {
    ...modifier,
    summary: 'Before a plugin is installed.',
    emitSite: 'plugins/install/installPlugin.ts',
    returns: ['findings', 'block', 'blockReason'],
    refusals: ['block', 'blockReason', 'findings'],
    rule: installRule,
  },

  // Payloads that adapters judge: before the hooks of the same moment where they come `first`, after them where `last`
  beforeLLMRequest: {
    ...point,
    summary: 'What the user said, before anything else reads it.',
    emitSite: 'agent/promptHooks.ts',
    rule: pointRule(),
    confidential: true,
    redacts: true,
  },
  beforeToolCall: {
    ...point,
    summary: 'After before_tool_call, with the parameters that it left.',
    emitSite: 'tools/pipeline/judgeCall.ts',
    rule: pointRule(),
  },
  afterToolResult: {
    ...point,
    summary: 'After a tool ran, before tool_result_persist.',
    emitSite: 'tools/createToolPipeline.ts',
    rule: pointRule(),
    redacts: true,
  },
  beforeResponse: {
    ...point,
    summary: 'After message_sending, with the answer that it left.',
    emitSite: 'agent/outputHooks.ts',
    rule: pointRule(),
    confidential: true,
    redacts: true,
  },

  // What operator hooks and legacy listeners are told
  internal_event: {
    ...modifier,
    isInternal: true,
    summary: 'A command, a session, an agent, the runtime or a message did something.',
    emitSite: 'plugins/operatorHooks/createInternalEvents.ts',
    timeoutMs: observeMs,
    returns: ['messages', 'context'],
    rule: internalEventRule,
  },

  // What plugins register by methods of their own
  tool_result_middleware: {
    ...modifier,
    isInternal: true,
    summary: 'After a tool ran and afterToolResult, before tool_result_persist.',
    emitSite: 'tools/createToolPipeline.ts',
    timeoutMs: observeMs,
    returns: ['result'],
    rule: resultMiddlewareRule,
    redacts: true,
  },
} satisfies HookRows;

/** The fields of results that their row's `returns` leaves out; of a result with fields of any name, none. */
type MissingField = {
  [N in FiringName]: string extends ResultField<HookResult<N>>
    ? never
    : Exclude<ResultField<HookResult<N>>, (typeof rows)[N]['returns'][number]>;
}[FiringName];

/** The one table of hooks. A hook of `FiringMap` without a row does not compile, nor does a row that leaves out a field of its result. */
export const hookCatalog: [MissingField] extends [never] ? HookRows : MissingField = rows;

/** The hooks that plugins can listen to. */
export const hookNames = (Object.keys(hookCatalog) as FiringName[]).filter(isForPlugins);

function isForPlugins(name: FiringName): name is HookName {
  return hookCatalog[name].isInternal !== true;
}

/** Other names that plugins use for a hook. */
export const hookAliases: Readonly<Record<string, HookName>> = { deactivate: 'gateway_stop' };

/** True where a handler that throws, times out or decides nonsense stops the operation, unless its registration says otherwise. */
export function failsClosed(hook: FiringName): boolean {
  return 'failClosed' in hookCatalog[hook].rule;
}

/** True for hooks by which a plugin can stop something or take something out: without it, what it guards against happens. */
export function isGuardHook(hook: HookName): boolean {
  const { redacts, returns } = hookCatalog[hook];
  const fields: readonly string[] = returns;
  return failsClosed(hook) || redacts === true || fields.includes('block') || fields.includes('status');
}
