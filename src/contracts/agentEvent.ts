import type { ApprovalRequest, ApprovalResolution } from './approval.ts';
import type { AssistantMessage, ToolCallPart, ToolResultMessage } from './message.ts';
import type { ModelInfo } from './model.ts';

/** How a run ended. `blocked` names the plugin; its reason is what the user may see. */
export type RunOutcome =
  | { readonly status: 'completed'; readonly text: string }
  | { readonly status: 'cancelled' }
  | { readonly status: 'blocked'; readonly pluginId: string; readonly text: string }
  | { readonly status: 'failed'; readonly code: string; readonly message: string; readonly hint?: string };

/**
 * What a run tells its front end, in this order:
 *
 *     run_started
 *       (text)*  (tool_started (approval_requested approval_resolved)? tool_ended)*      once per round
 *     run_ended
 */
export type AgentEvent =
  | { readonly type: 'run_started'; readonly runId: string; readonly model: ModelInfo }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'message'; readonly message: AssistantMessage }
  | { readonly type: 'tool_started'; readonly call: ToolCallPart; readonly label: string }
  | { readonly type: 'tool_progress'; readonly toolCallId: string; readonly text: string }
  | { readonly type: 'approval_requested'; readonly request: ApprovalRequest }
  | {
      readonly type: 'approval_resolved';
      readonly request: ApprovalRequest;
      readonly resolution: ApprovalResolution;
    }
  | { readonly type: 'tool_ended'; readonly call: ToolCallPart; readonly result: ToolResultMessage }
  | { readonly type: 'run_ended'; readonly runId: string; readonly outcome: RunOutcome };
