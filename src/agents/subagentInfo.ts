/** An agent that another one has started, as front ends show it. */
export interface SubagentInfo {
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly runId: string;
  readonly agentId: string;
  /** A few words on its task. */
  readonly label: string;
  readonly depth: number;
  readonly state: 'running' | 'completed' | 'failed' | 'cancelled';
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
}
