import type { ApprovalMode } from '../approvals/decideMode.ts';
import type { GrantStore } from '../approvals/createGrantStore.ts';
import { areGranted } from '../approvals/answerUnasked.ts';
import { decideAsk } from '../approvals/decideAsk.ts';
import { planGrantScope } from '../approvals/planGrantScope.ts';
import { errorMessage } from '../base/errors.ts';
import type { ExecuteEffect } from '../contracts/tool.ts';
import { createPathJudge } from '../tools/paths/createPathJudge.ts';
import type { WorkspaceLayout } from '../tools/paths/workspaceLayout.ts';

/** What would happen to a command if a model ran it now. */
export interface CommandExplanation {
  readonly command: string;
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** One short sentence. */
  readonly reason: string;
}

interface ExplainCommandParts {
  /** What the exec tool would ask about. @throws PincerError where it would refuse */
  readonly judge: (command: string) => Promise<ExecuteEffect>;
  readonly layout: WorkspaceLayout;
  readonly mode: ApprovalMode;
  readonly grants: Pick<GrantStore, 'matches'>;
}

/** Says what would happen to a command, and why: by its words, the files it shows, the mode and what was answered with "always". */
export async function explainCommand(
  { judge, layout, mode, grants }: ExplainCommandParts,
  command: string,
): Promise<CommandExplanation> {
  let effect: ExecuteEffect;
  try {
    effect = await judge(command);
  } catch (error) {
    return { command, verdict: 'deny', reason: errorMessage(error) };
  }
  const judgePath = createPathJudge(layout);
  const verdict = decideAsk([effect], { mode, judgePath });
  if (verdict.kind === 'refused') return { command, verdict: 'deny', reason: verdict.reason };
  if (verdict.kind === 'free') {
    const reason =
      effect.verdict === 'allowed' ? effect.reason : `${effect.reason} Mode ${mode} does not ask.`;
    return { command, verdict: 'allow', reason };
  }
  if (mode === 'deny')
    return { command, verdict: 'deny', reason: `${effect.reason} Mode deny denies what asks.` };
  const scope = planGrantScope('exec', [effect], layout.roots[0] ?? '', judgePath);
  const isCritical = verdict.ask.severity === 'critical';
  const isGranted =
    scope !== undefined && (await areGranted(grants, { toolName: 'exec', asker: 'host' }, scope));
  if (isGranted && !isCritical)
    return { command, verdict: 'allow', reason: 'It was answered with "always" before.' };
  if (mode === 'allowlist')
    return { command, verdict: 'deny', reason: `${effect.reason} Mode allowlist asks nobody.` };
  return { command, verdict: 'ask', reason: effect.reason };
}
