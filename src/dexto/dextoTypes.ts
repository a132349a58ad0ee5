/**
 * The types that Dexto plugins are written against, by upstream's names (Dexto plugin specification, Plugin Interface). They are what
 * `@dexto/core` exports to plugin authors, so nothing here may import a library.
 */

/**
 * Data of plugins, whose shape only they know. Plugin authors get `any` in its place, as upstream has it, so that code written for
 * upstream compiles.
 */
export type Data = unknown;

/** Where a plugin can step in. */
export type ExtensionPoint = 'beforeLLMRequest' | 'beforeToolCall' | 'afterToolResult' | 'beforeResponse';

/** What a plugin answers at an extension point. */
export interface PluginResult {
  /** False: the plugin could not do its work; what it asks for is not applied. */
  ok: boolean;
  /** Top-level fields of the payload to replace. */
  modify?: Record<string, Data>;
  /** Stops the operation; counts only where the plugin is blocking. */
  cancel?: boolean;
  /** For the user, or for the model where a tool call is stopped. */
  message?: string;
  /** For log, trace and events. */
  notices?: PluginNotice[];
}

export interface PluginNotice {
  kind: 'allow' | 'block' | 'warn' | 'info';
  /** Such as `QUOTA_EXCEEDED`. */
  code?: string;
  message: string;
  details?: Record<string, unknown>;
}

export interface BeforeLLMRequestPayload {
  text: string;
  imageData?: { image: string; mimeType: string };
  fileData?: { data: string; mimeType: string; filename?: string };
  sessionId?: string;
}

export interface BeforeToolCallPayload {
  toolName: string;
  args: Data;
  sessionId?: string;
  callId?: string;
}

export interface AfterToolResultPayload {
  toolName: string;
  /** What the tool gave; `{ error }` where it failed. */
  result: Data;
  success: boolean;
  sessionId?: string;
  callId?: string;
}

export interface BeforeResponsePayload {
  content: string;
  reasoning?: string;
  provider: string;
  model?: string;
  /** Never set: there is no model router here. */
  router?: string;
  tokenUsage?: { input: number; output: number };
  sessionId?: string;
}

/** The model that answers; never its key. */
export interface ValidatedLLMConfig {
  provider: string;
  model: string;
  maxInputTokens?: number;
  maxOutputTokens?: number;
  temperature?: number;
  [key: string]: unknown;
}

export interface Logger {
  debug(message: string, details?: Record<string, unknown>): void;
  info(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  error(message: string, details?: Record<string, unknown>): void;
  /** The same as `debug`. */
  silly(message: string, details?: Record<string, unknown>): void;
  /** A logger whose lines also carry these fields. */
  child(fields: Record<string, unknown>): Logger;
}

/** Keys and JSON values that outlive the process. Keys of one tenant are never seen by another. */
export interface Database {
  get<T = Data>(key: string): Promise<T | undefined>;
  set(key: string, value: Data): Promise<void>;
  delete(key: string): Promise<void>;
  /** Keys that begin with `prefix`, sorted. */
  list(prefix: string): Promise<string[]>;
  /** Adds an item to the list at `key`. */
  append(key: string, item: Data): Promise<void>;
  /** `count` items of the list at `key` from `start` on. */
  getRange<T = Data>(key: string, start: number, count: number): Promise<T[]>;
  isConnected(): boolean;
  getStoreType(): string;
}

/** Values that may go at any time. */
export interface Cache {
  get<T = Data>(key: string): Promise<T | undefined>;
  set(key: string, value: Data, ttlSeconds?: number): Promise<void>;
  delete(key: string): Promise<void>;
  isConnected(): boolean;
  getStoreType(): string;
}

export interface BlobMetadata {
  mimeType?: string;
  originalName?: string;
  [key: string]: unknown;
}

export interface BlobReference {
  id: string;
  /** `blob:<id>` */
  uri: string;
  /** Bytes. */
  size: number;
  metadata: BlobMetadata;
}

export interface BlobStore {
  /** A string is stored as UTF-8. */
  store(data: Uint8Array | string, metadata?: BlobMetadata): Promise<BlobReference>;
  /** By id or uri; undefined where there is none. */
  retrieve(reference: string): Promise<{ data: Uint8Array; metadata: BlobMetadata } | undefined>;
  exists(reference: string): Promise<boolean>;
  delete(reference: string): Promise<void>;
  listBlobs(): Promise<BlobReference[]>;
  isConnected(): boolean;
  getStoreType(): string;
}

export interface StorageBackends {
  readonly database: Database;
  readonly cache: Cache;
  readonly blob: BlobStore;
}

export interface SessionMetadata {
  createdAt: number;
  messageCount: number;
  tenantId?: string;
  userId?: string;
  [key: string]: unknown;
}

export interface SessionView {
  readonly id: string;
  readonly metadata: SessionMetadata;
  getHistory(): Promise<readonly { role: string; content: string }[]>;
}

/** Sessions of the caller's tenant, to read. */
export interface SessionManager {
  getSession(sessionId: string): Promise<SessionView | undefined>;
  listSessions(): Promise<string[]>;
  getSessionMetadata(sessionId: string): Promise<SessionMetadata | undefined>;
}

/** MCP servers, to read: calls go the way of every call. */
export interface MCPManager {
  getServers(): readonly { name: string; type: string; connected: boolean }[];
  /** Those that the user has agreed to, by the name that a model calls each by. */
  getAllTools(): Promise<Record<string, { name: string; description: string }>>;
}

export interface ToolManager {
  getAllTools(): Promise<Record<string, { name: string; description: string; parameters: unknown }>>;
  hasTool(toolName: string): boolean;
  getToolNames(): string[];
}

export interface AgentStateManager {
  getLLMConfig(sessionId?: string): ValidatedLLMConfig;
  getRuntimeConfig(): Readonly<Record<string, unknown>>;
}

/** What happens in the agent; plugins may listen. The listener goes with the plugin. */
export interface AgentEventBus {
  on(event: string, listener: (payload: Data) => void, options?: { signal?: AbortSignal }): () => void;
  off(event: string, listener: (payload: Data) => void): void;
}

export interface AgentServices {
  readonly sessionManager: SessionManager;
  readonly mcpManager: MCPManager;
  readonly toolManager: ToolManager;
  readonly stateManager: AgentStateManager;
  readonly agentEventBus: AgentEventBus;
  readonly storage: StorageBackends;
  /** The same as `storage`, as later versions of upstream name it. */
  readonly storageManager: StorageBackends & {
    getDatabase(): Database;
    getCache(): Cache;
    getBlobStore(): BlobStore;
  };
  /** The same once more. */
  readonly stores: StorageBackends;
}

/** What every method of a plugin gets beside its payload (Dexto plugin specification, ExecutionContext). */
export interface ExecutionContext {
  readonly sessionId?: string;
  readonly userId?: string;
  readonly tenantId?: string;
  readonly llmConfig: ValidatedLLMConfig;
  readonly logger: Logger;
  /** Aborts when the turn is cancelled and when the plugin's time is over. */
  readonly abortSignal?: AbortSignal;
  /** To read; but for storage. */
  readonly agent: AgentServices;
}

/** A plugin; any subset of the extension points, at least one. */
export interface DextoPlugin {
  initialize?(config: Record<string, Data>): void | Promise<void>;
  beforeLLMRequest?(
    payload: BeforeLLMRequestPayload,
    context: ExecutionContext,
  ): PluginResult | Promise<PluginResult>;
  beforeToolCall?(
    payload: BeforeToolCallPayload,
    context: ExecutionContext,
  ): PluginResult | Promise<PluginResult>;
  afterToolResult?(
    payload: AfterToolResultPayload,
    context: ExecutionContext,
  ): PluginResult | Promise<PluginResult>;
  beforeResponse?(
    payload: BeforeResponsePayload,
    context: ExecutionContext,
  ): PluginResult | Promise<PluginResult>;
  cleanup?(): void | Promise<void>;
}
