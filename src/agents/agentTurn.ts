import type { RemoteTurn } from '../agent/remoteTurn.ts';
import type { SharedBudget } from '../agent/sharedBudget.ts';
import type { ParentTrace, RunHandle, RunTraceIds } from '../agent/turn.ts';
import type { UnattendedAnswer } from '../approvals/approvalBroker.ts';
import type { TurnLimits } from '../config/sections/agentSection.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { Model, ModelSettings } from '../contracts/model.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionTenant } from '../sessions/visibleToTenant.ts';

/** A turn by its run and its session. */
interface TurnRef {
  readonly runId: string;
  readonly sessionId: string;
}

/**
 * A turn that no person began: of a started agent, of a session that got a message, of a plugin. Agent, tool policy and folder
 * follow from the session (`lineageOf`), so that they hold when the user takes the session up again, too.
 */
export interface AgentTurnRequest {
  readonly session: Session;
  readonly prompt: string;
  readonly model: Model;
  /** In place of the session's and the agent's. */
  readonly settings: ModelSettings;
  /** Added to the system prompt. */
  readonly parts: readonly PromptPart[];
  /** True gives the model no tools at all. */
  readonly withoutTools?: boolean;
  /** Who asks, in the words of an approval: `agent "find the bug"`. */
  readonly askedBy: string;
  /** The turn that started this one; absent where a plugin did. */
  readonly trace?: ParentTrace;
  /** The turn it is a part of: files that it changes count to that one, and are brought back with it. */
  readonly within?: TurnRef;
  /** A turn or a call of a tool that runs waits for it, or may: it waits for no changes on disk, which that one holds off. */
  readonly isAwaited?: boolean;
  /** The session whose agent waits for its answer now, where it has not started this one. */
  readonly waitingSession?: () => string | undefined;
  /** What began it, as hooks are told; default: what the session is. */
  readonly trigger?: 'cron' | 'heartbeat';
  /** The scheduled job that it is a run of. */
  readonly jobId?: string;
  /** There where a message of a channel began it. */
  readonly remote?: RemoteTurn;
  /** Lower than those of every turn. */
  readonly limits?: Partial<TurnLimits>;
  /** What it may use together with all that it starts; of a turn that another one started, that one's. */
  readonly budget?: SharedBudget | undefined;
  /** Nobody follows it: what would ask waits for a person without a time limit, or is denied. */
  readonly unattended?: UnattendedAnswer;
  /** Awaited after each answer of a person, before the turn goes on. Must not reject. */
  readonly goesOn?: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
}

/**
 * Starts such a turn; resolves once it runs. It counts as a running turn of its own, so that plugins are not swapped under it;
 * it must not wait for the turn that started it.
 */
export type StartAgentTurn = (request: AgentTurnRequest) => Promise<RunHandle>;

/** What a session's turn that runs now was given; what it starts goes by it. */
export interface CurrentTurn {
  /** The turn itself, or that of the person around it, where it is a part of one. */
  readonly root: TurnRef;
  readonly trace: RunTraceIds;
  readonly model: Model;
  /** Takes questions of what it starts, too. Must not throw. */
  readonly emit: (event: AgentEvent) => void;
  /** Shared by all that it starts. */
  readonly budget?: SharedBudget | undefined;
  /** On whose behalf it runs. */
  readonly tenant?: SessionTenant;
  /** Aborts when the turn has ended, however. */
  readonly ended: AbortSignal;
}
