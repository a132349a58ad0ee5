import type { TurnLimits } from '../config/sections/agentSection.ts';
import type { AgentEvent, RunOutcome } from '../contracts/agentEvent.ts';
import type { ImagePart, TextPart } from '../contracts/message.ts';
import type { Model, ModelRef, ModelSettings } from '../contracts/model.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { ToolDefinition, ToolOwner } from '../contracts/tool.ts';
import type { Tenant } from '../contracts/session.ts';
import type { HookRunner } from '../hooks/hookRunner.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { Inbox } from '../sessions/inbox.ts';
import type { QueuedInjection } from '../sessions/pluginSessionState.ts';
import type { Session } from '../sessions/session.ts';
import type { ToolPipeline } from '../tools/createToolPipeline.ts';
import type { RunTracer } from '../traces/createRunTraces.ts';
import type { ContextKeeper } from './context/createContextKeeper.ts';
import type { PromptReports } from './prompt/promptReport.ts';
import type { ParentTrace, RunTraceIds } from './traceIds.ts';

export interface RunDeps {
  readonly hooks: HookRunner;
  /** The tools of a run and the pipeline behind them; asked once, when its model stands, and then fixed (OpenClaw plugin architecture §2). */
  toolsFor(model: ModelRef): RunToolSet;
  /** Finds the model a plugin asked for; undefined where there is none. */
  findModel(choice: { readonly provider: string; readonly model: string }): Model | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes keys out of the system prompt and what plugins add to it; messages lose theirs when they are stored. Absent, nothing is taken out. */
  readonly redact?: (text: string) => string;
  /** Keeps what happens in the run; absent, nobody does. */
  readonly traces?: RunTracer;
  /** Operator hooks; absent, there are none. */
  readonly internal?: InternalEventPort;
}

/** Tells operator hooks of what happens in a run. Ask `has` before gathering a context. */
export interface InternalEventPort {
  has(type: 'message', action: string): boolean;
  /** Never rejects. */
  emit(
    type: 'message',
    action: string,
    facts: { readonly sessionKey: string; readonly context: Record<string, unknown> },
  ): Promise<unknown>;
}

export interface RunToolSet {
  readonly tools: readonly (ToolDefinition & { readonly owner: ToolOwner })[];
  readonly pipeline: ToolPipeline;
}

export interface RunInput {
  readonly session: Session;
  /** What the user wrote. */
  readonly prompt: string;
  /** What the user attached: files, selections, images. */
  readonly attachments: readonly (TextPart | ImagePart)[];
  readonly model: Model;
  /** What the model is asked for: temperature, length, thinking. */
  readonly settings?: ModelSettings;
  /** On whose behalf the turn runs; absent, nobody's in particular. */
  readonly tenant?: Tenant;
  /** The system prompt before plugins have a say. */
  readonly promptParts: readonly PromptPart[];
  /** What the turn may use. */
  readonly limits: TurnLimits;
  /** What the user says while the turn runs; absent, nothing. */
  readonly inbox?: Pick<Inbox, 'open' | 'take' | 'settle' | 'release'>;
  /** Keeps the conversation within the window; absent, nobody does. */
  readonly context?: ContextKeeper;
  /** True once the surface has something new from the user: the turn ends at the next steering point. */
  readonly shouldYield?: () => boolean;
  /** Gets the raw stream of each model call; must not throw. */
  readonly onRaw?: (chunk: string) => void;
  /** The run that started this one; absent, a person did. */
  readonly trace?: ParentTrace;
  /** Who began the turn, as hooks are told; default `user`. */
  readonly trigger?: 'user' | 'subagent';
  /** The surface: `vscode` or `cli`. */
  readonly surface: string;
  readonly workspaceDir: string | undefined;
  readonly signal: AbortSignal;
  /** Takes what plugins queued for this turn out of the queue; absent, nothing was. */
  readonly takeInjections?: () => Promise<readonly QueuedInjection[]>;
  /** Keeps what the model got, for people; absent, nobody does. */
  readonly reports?: Pick<PromptReports, 'keep' | 'noteCounted'>;
  /** Must not throw. */
  readonly emit: (event: AgentEvent) => void;
}

export interface RunHandle {
  readonly runId: string;
  /** For the runs that this one starts: `childTrace(handle.trace)`. */
  readonly trace: RunTraceIds;
  /** For questions of the runs that this one starts: its own time stands while they wait. Must not throw. */
  readonly emit: (event: AgentEvent) => void;
  /** Never rejects. The transcript is complete when it resolves. */
  readonly outcome: Promise<RunOutcome>;
  /** Resolves when the observers that nobody waited for (`agent_end`, `message_sent` …) are done too. */
  readonly settled: Promise<void>;
}
