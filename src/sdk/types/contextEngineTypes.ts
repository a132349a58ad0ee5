/** Says what models read of a conversation, where `plugins.slots.contextEngine` names its id or its plugin's. */
export interface ContextEngine {
  readonly info: ContextEngineInfo;
  /** Once for each turn, before `assemble`. `sessionFile` is the transcript. */
  bootstrap?(params: ContextEngineParams & { readonly sessionFile: string }): Promise<unknown>;
  /** Each message of a turn that is over; where `commitTurn`, `afterTurn` or `ingestBatch` can be called, that is in its place. */
  ingest(params: ContextEngineParams & { readonly message: ContextEngineMessage }): Promise<unknown>;
  ingestBatch?(params: ContextEngineParams & { readonly messages: ContextEngineMessage[] }): Promise<unknown>;
  /** The history that the model reads, at most 30 seconds. Asked once for a turn, and again after a compaction. */
  assemble(
    params: ContextEngineParams & {
      /** What was said before this turn, oldest first: copies, without secrets. What the turn says itself follows behind. */
      readonly messages: ContextEngineMessage[];
      readonly tokenBudget?: number;
      readonly availableTools?: Set<string>;
      readonly citationsMode?: 'auto' | 'on' | 'off';
      readonly model?: string;
      readonly prompt?: string;
    },
  ): Promise<AssembleResult>;
  /** Makes room, at most 60 seconds; `delegateCompactionToRuntime` leaves it to the host, and its time does not count. */
  compact(
    params: ContextEngineParams & {
      readonly sessionKey: string;
      readonly agentId?: string;
      readonly tokenBudget?: number;
      readonly force?: boolean;
      readonly currentTokenCount?: number;
      readonly compactionTarget?: 'budget' | 'threshold';
      readonly customInstructions?: string;
      readonly abortSignal?: AbortSignal;
    },
  ): Promise<CompactResult>;
  /** A turn is over. `messages` are all, of which the first `prePromptMessageCount` were there before. */
  afterTurn?(
    params: ContextEngineParams & {
      readonly sessionFile: string;
      readonly messages: ContextEngineMessage[];
      readonly prePromptMessageCount: number;
      readonly tokenBudget?: number;
    },
  ): Promise<void>;
  /** A turn is over, for an engine that declares both `transcriptSemantics`. */
  commitTurn?(
    params: ContextEngineParams & {
      readonly advancementKey: string;
      readonly admission: object;
      readonly terminal: object;
      readonly messages: ContextEngineMessage[];
    },
  ): Promise<unknown>;
  /** After each turn and compaction: an engine lives no longer. */
  dispose?(): Promise<void>;
}

export interface ContextEngineInfo {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  /** Of `sessionKey`, `sessionTarget`, `runtimeContext` and `prompt` those that it wants; absent, all. */
  readonly acceptedHostParams?: string[];
  /** True where it makes room by itself: the host measures nothing before a request. */
  readonly ownsCompaction?: boolean;
  readonly transcriptSemantics?: {
    readonly currentTurnFence?: 'before-current-turn-entry-v1';
    readonly turnAdvancementIdempotency?: 'atomic-idempotent-v1';
  };
}

export interface ContextEngineParams {
  readonly sessionId: string;
  readonly sessionKey?: string;
  readonly sessionTarget?: {
    readonly agentId?: string;
    readonly sessionId?: string;
    readonly sessionKey?: string;
  };
  readonly runtimeContext?: Readonly<Record<string, unknown>>;
}

/** A message in upstream's shape: `role` is `user`, `assistant` or `toolResult`. */
export interface ContextEngineMessage {
  readonly role: string;
  readonly content: unknown;
  readonly timestamp?: number;
  readonly [field: string]: unknown;
}

/** A message that is as it was given is the message it was. Of any other only texts count, and calls that the agent made. */
export interface AssembleResult {
  readonly messages: ContextEngineMessage[];
  readonly estimatedTokens: number;
  readonly promptAuthority?: 'assembled' | 'preassembly_may_overflow';
  /** Stands before the system prompt; at most 20 000 characters. */
  readonly systemPromptAddition?: string;
}

export interface CompactResult {
  readonly ok: boolean;
  readonly compacted: boolean;
  readonly reason?: string;
  readonly result?: {
    /** Stands for what was said, in the transcript; without it the engine gives less by itself. */
    readonly summary?: string;
    readonly firstKeptEntryId?: string;
    readonly tokensBefore: number;
    readonly tokensAfter?: number;
    readonly details?: unknown;
  };
}

export type ContextEngineFactory = (context: {
  readonly config?: object;
  readonly agentDir?: string;
  readonly workspaceDir?: string;
}) => ContextEngine | Promise<ContextEngine>;
