import type { AgentTool } from '../../contracts/tool.ts';
import { judgeByLayer, type LayerVerdict, type PolicyLayer } from './decideToolPolicy.ts';

/** Whether a tool is offered, and what each layer of the policy says about it. */
export interface ToolExplanation {
  readonly tool: AgentTool;
  /** Why it is not offered; undefined where it is. */
  readonly hidden: { readonly code: string; readonly reason: string; readonly layer?: string } | undefined;
  readonly layers: readonly ({ readonly label: string } & LayerVerdict)[];
}

/** What each layer says; those behind the first denial too, so that one fix does not lead to the next surprise. Pure. */
export function explainTool(
  tool: AgentTool,
  hidden: ToolExplanation['hidden'],
  policy: readonly PolicyLayer[],
): ToolExplanation {
  const layers = policy.map((layer) => ({ label: layer.label, ...judgeByLayer(tool, layer) }));
  return { tool, hidden, layers };
}
