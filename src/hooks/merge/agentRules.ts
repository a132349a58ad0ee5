// Threat: a gate's internal reason may quote what the user wrote. It is read by nobody here: only the replacement text and
// the plugin's name leave this file.
import { isJsonValue, isRecord } from '../../base/json.ts';
import { readChoice, readObject, readText } from '../../base/untrusted.ts';
import type { ClaimRule, GateRule, MergeRule, RawResult } from '../hookTypes.ts';
import type {
  BeforeAgentFinalizeEvent,
  BeforeAgentFinalizeOutcome,
  BeforeAgentReplyOutcome,
  BeforeAgentRunOutcome,
  BlockFacts,
  FinalizeRetry,
} from '../payloads/agentHooks.ts';
import { skippedText } from './toolRules.ts';

/** `before_agent_run`: only an explicit pass goes on; the first block ends the run before a model reads anything. */
export const agentRunRule: GateRule<BeforeAgentRunOutcome> = {
  pass: { outcome: 'pass' },
  read(result, pluginId) {
    if (result['outcome'] === 'pass') return undefined;
    if (result['outcome'] !== 'block') throw new Error('invalid decision');
    const message = typeof result['message'] === 'string' ? result['message'].trim() : '';
    return {
      ...blocked(pluginId, message || 'a plugin stopped it before the model could read it'),
      ...readCategory(result['category']),
      ...readMetadata(result['metadata']),
    };
  },
  failClosed: (pluginId, why) =>
    blocked(pluginId, why === 'skipped' ? skippedText(pluginId, 'before_agent_run') : failedReasons[why]),
};

const failedReasons = {
  invalid: 'before_agent_run returned an invalid decision',
  failed: 'before_agent_run hook failed',
} as const;

// It is stored, so it must be no place for what was blocked.
function readCategory(category: unknown): Pick<BlockFacts, 'category'> {
  return typeof category === 'string' && /^[\w.:-]{1,64}$/u.test(category) ? { category } : {};
}

const maxMetadataChars = 8_192;

/** A copy that is JSON and nothing else. */
function readMetadata(metadata: unknown): Pick<BlockFacts, 'metadata'> {
  if (!isRecord(metadata) || !isJsonValue(metadata)) return {};
  const text = JSON.stringify(metadata);
  return text.length > maxMetadataChars ? {} : { metadata: JSON.parse(text) as Record<string, unknown> };
}

function blocked(pluginId: string, message: string): BeforeAgentRunOutcome & { readonly outcome: 'block' } {
  return {
    outcome: 'block',
    pluginId,
    message: `Your message could not be sent: ${message} (blocked by ${pluginId})`,
  };
}

/** `before_agent_reply`: the first plugin that handled the message answers in the model's place. */
export const agentReplyRule: ClaimRule<BeforeAgentReplyOutcome> = {
  read(result, pluginId) {
    if (result['handled'] !== true) return undefined;
    const reason = readText(result, 'reason');
    return {
      pluginId,
      ...(result['reply'] == null ? {} : { reply: result['reply'] }),
      ...(reason === undefined ? {} : { reason }),
    };
  },
};

/** `before_agent_finalize`: finalize beats revise, which beats continue. */
export const agentFinalizeRule: MergeRule<BeforeAgentFinalizeEvent, BeforeAgentFinalizeOutcome> = {
  initial: () => ({ action: 'continue' }),
  fold(outcome, result, source) {
    const reason = readText(result, 'reason');
    switch (readChoice(result['action'], ['continue', 'revise', 'finalize'])) {
      case 'finalize':
        return { action: 'finalize', pluginId: source.pluginId, ...(reason === undefined ? {} : { reason }) };
      case 'revise':
        return revise(outcome, reason ?? '', readRetry(result), source.pluginId);
      default:
        return outcome;
    }
  },
  view: (event, outcome) => ({ ...event, ...outcome }),
  isFinal: (outcome) => outcome.action === 'finalize',
  decision(before, after) {
    if (after === before || after.action === 'continue') return undefined;
    const kind = after.action === 'finalize' ? 'accepted' : 'revised';
    return { kind, ...(after.reason === undefined || after.reason === '' ? {} : { reason: after.reason }) };
  },
};

function revise(
  outcome: BeforeAgentFinalizeOutcome,
  reason: string,
  retry: FinalizeRetry | undefined,
  pluginId: string,
): BeforeAgentFinalizeOutcome {
  if (reason === '' && retry === undefined) return outcome;
  const before = outcome.action === 'revise' ? outcome : { reason: '', retryCandidates: [] };
  return {
    action: 'revise',
    reason: [before.reason, reason].filter((each) => each !== '').join('\n\n'),
    retryCandidates:
      retry === undefined ? before.retryCandidates : [...before.retryCandidates, { ...retry, pluginId }],
  };
}

function readRetry(result: RawResult): FinalizeRetry | undefined {
  const retry = readObject(result, 'retry');
  const instruction = retry === undefined ? undefined : readText(retry, 'instruction');
  if (retry === undefined || instruction === undefined) return undefined;
  const idempotencyKey = readText(retry, 'idempotencyKey');
  const maxAttempts = retry['maxAttempts'];
  return {
    instruction,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(typeof maxAttempts === 'number' ? { maxAttempts } : {}),
  };
}
