import { isRecord } from '../../base/json.ts';
import { readFlag, readList, readObject, readText } from '../../base/untrusted.ts';
import type { ClaimRule, MergeRule } from '../hookTypes.ts';
import type {
  BeforeInstallEvent,
  BeforeInstallOutcome,
  SubagentDeliveryTargetEvent,
  SubagentSpawningEvent,
  SubagentSpawningOutcome,
} from '../payloads/lifecycleHooks.ts';
import type {
  BeforeDispatchOutcome,
  InboundClaimOutcome,
  ReplyDispatchResult,
} from '../payloads/messageHooks.ts';

/** Rules of hooks whose surfaces come later: channels, subagents, installs. */

export const inboundClaimRule: ClaimRule<InboundClaimOutcome> = {
  read: (result, pluginId) =>
    result['handled'] === true
      ? { pluginId, ...(result['reply'] == null ? {} : { reply: result['reply'] }) }
      : undefined,
};

export const dispatchRule: ClaimRule<BeforeDispatchOutcome> = {
  read(result, pluginId) {
    if (result['handled'] !== true) return undefined;
    const text = readText(result, 'text');
    return { pluginId, ...(text === undefined ? {} : { text }) };
  },
};

export const replyDispatchRule: ClaimRule<ReplyDispatchResult & { readonly pluginId: string }> = {
  read(result, pluginId) {
    if (result['handled'] !== true) return undefined;
    const counts = readObject(result, 'counts');
    return {
      handled: true,
      pluginId,
      queuedFinal: readFlag(result, 'queuedFinal'),
      ...(counts === undefined ? {} : { counts: numbersOf(counts) }),
    };
  },
};

function numbersOf(counts: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(counts).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** `subagent_spawning`: the first error sticks. */
export const subagentSpawningRule: MergeRule<SubagentSpawningEvent, SubagentSpawningOutcome> = {
  initial: () => ({ status: 'ok', threadBindingReady: false }),
  fold(outcome, result, source) {
    if (outcome.status === 'error') return outcome;
    if (result['status'] === 'error') {
      const error = readText(result, 'error') ?? `blocked by ${source.pluginId}`;
      return { status: 'error', pluginId: source.pluginId, error };
    }
    const origin = outcome.deliveryOrigin ?? readObject(result, 'deliveryOrigin');
    return {
      status: 'ok',
      threadBindingReady: outcome.threadBindingReady || readFlag(result, 'threadBindingReady'),
      ...(origin === undefined ? {} : { deliveryOrigin: origin }),
    };
  },
  view: (event, outcome) => ({ ...event, ...outcome }),
  isFinal: (outcome) => outcome.status === 'error',
  decision: (_before, after) =>
    after.status === 'error' ? { kind: 'blocked', reason: after.error } : undefined,
};

/** `subagent_delivery_target`: the first target wins. */
export const deliveryTargetRule: MergeRule<
  SubagentDeliveryTargetEvent,
  { readonly origin?: Readonly<Record<string, unknown>> }
> = {
  initial: () => ({}),
  fold(outcome, result) {
    const origin = outcome.origin ?? readObject(result, 'origin');
    return origin === undefined ? {} : { origin };
  },
  view: (event, outcome) => ({ ...event, ...outcome }),
};

/** `before_install`: the findings of all handlers, and the first block ends it. */
export const installRule: MergeRule<BeforeInstallEvent, BeforeInstallOutcome> = {
  initial: () => ({ findings: [] }),
  fold(outcome, result, source) {
    const added = readList(result, 'findings').filter(isRecord);
    const findings = [...outcome.findings, ...added];
    if (!readFlag(result, 'block')) return { ...outcome, findings };
    const reason = readText(result, 'blockReason') ?? `blocked by ${source.pluginId}`;
    return { findings, block: { pluginId: source.pluginId, reason } };
  },
  view: (event, outcome) => ({ ...event, findings: outcome.findings }),
  isFinal: (outcome) => outcome.block !== undefined,
  decision: (_before, { block }) =>
    block === undefined ? undefined : { kind: 'blocked', reason: block.reason },
};
