import type { AgentConfig } from '../config/sections/agentSection.ts';
import type { AgentsConfig } from '../config/sections/agentsSection.ts';
import type { Model } from '../contracts/model.ts';
import type { Clock, Log } from '../host/ports.ts';
import type { Inbox } from '../sessions/createInbox.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionOrigin } from '../sessions/sessionStore.ts';
import type { CurrentTurn, StartAgentTurn } from './agentTurn.ts';
import type { SubagentHookSite } from './createSubagentHooks.ts';
import type { SubagentInfo } from './subagentInfo.ts';
import type { StopReason } from './subagentOutcome.ts';
import type { SubagentResult } from './subagents.ts';

/** What started agents need of the world. */
export interface SubagentsDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hooks: SubagentHookSite;
  /** Read for each start. */
  readonly config: () => { readonly agents: AgentsConfig; readonly agent: AgentConfig };
  readonly openSession: (id: string) => Promise<Session | undefined>;
  readonly createSession: (origin: SessionOrigin) => Session;
  readonly removeSession: (id: string) => Promise<void>;
  /** The session that a key stands for now. */
  readonly sessionOfKey: (key: string) => Promise<Session | undefined>;
  readonly inbox: Pick<Inbox, 'add' | 'open'>;
  /** A model by `provider/model`. */
  readonly findModel: (name: string) => Model | undefined;
  /** The turn of a session that runs now. */
  readonly currentTurn: (sessionId: string) => CurrentTurn | undefined;
  readonly startTurn: StartAgentTurn;
  /** Where the first session holds text from outside, the second one counts as holding it, too (`net/createSessionTaint`). */
  readonly carryTaint: (from: Session, to: Session) => void;
}

/** One started agent; its info and its end change as it goes on. */
export interface ChildState {
  readonly session: Session;
  readonly parentId: string;
  info: SubagentInfo;
  /** Aborts when it is to stop. */
  readonly signal: AbortSignal;
  /** The first reason it was stopped for. */
  stopped: StopReason | undefined;
  /** Never rejects; settles also where its start fails. */
  readonly ended: Promise<SubagentResult>;
  settle(result: SubagentResult): void;
  /** `cause` is the reason of the abort around it. */
  stop(reason: StopReason, cause?: unknown): void;
}
