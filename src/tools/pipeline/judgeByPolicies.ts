// Threat: a guard of the host must have its say before any plugin can change what it sees. Trusted policies run first, one
// after the other, and one that fails stops the call.
import type { ApprovalAsk } from '../../contracts/approval.ts';
import type { Params } from '../../contracts/json.ts';
import type { BeforeToolCallEvent } from '../../hooks/payloads/toolHooks.ts';
import type { ToolHookContext } from '../../hooks/payloads/hookContexts.ts';

/** A host policy that judges every call before the hooks (OpenClaw hooks, tool call policy). */
export interface TrustedPolicy {
  readonly id: string;
  readonly pluginId: string;
  /** Never rejects: a policy that fails is a verdict that blocks. */
  judge(event: BeforeToolCallEvent, context: ToolHookContext): Promise<PolicyVerdict>;
}

export interface PolicyVerdict {
  /** Take the place of the call's parameters. */
  readonly params?: Params;
  /** Ends the call. */
  readonly blockReason?: string;
  readonly ask?: ApprovalAsk;
}

export interface PoliciesOutcome {
  readonly params: Params;
  readonly block?: { readonly pluginId: string; readonly reason: string };
  readonly asks: readonly ApprovalAsk[];
}

/**
 * Asks all policies in their order; each sees the parameters the ones before it left. A block ends it. Other than upstream,
 * a policy that asks for approval does not keep the ordinary hooks from judging, too (docs/decisions.md).
 */
export async function judgeByPolicies(
  policies: readonly TrustedPolicy[],
  event: BeforeToolCallEvent,
  context: ToolHookContext,
): Promise<PoliciesOutcome> {
  let outcome: PoliciesOutcome = { params: event.params, asks: [] };
  for (const policy of policies) {
    const verdict = await policy.judge(structuredClone({ ...event, params: outcome.params }), { ...context });
    const params = verdict.params === undefined ? outcome.params : structuredClone(verdict.params);
    const asks = verdict.ask === undefined ? outcome.asks : [...outcome.asks, verdict.ask];
    outcome = { params, asks };
    if (verdict.blockReason !== undefined)
      return { ...outcome, block: { pluginId: policy.pluginId, reason: verdict.blockReason } };
  }
  return outcome;
}
