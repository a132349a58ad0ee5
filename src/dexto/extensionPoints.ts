import type { ModelInfo, ModelSettings } from '../contracts/model.ts';
import type {
  AfterToolResultPayload,
  BeforeLLMRequestPayload,
  BeforeResponsePayload,
  BeforeToolCallPayload,
  ExtensionPoint,
  PluginNotice,
} from './pluginTypes.ts';
import type { Tenant } from '../contracts/session.ts';

/** What each extension point passes from plugin to plugin. */
export interface PointPayloads {
  readonly beforeLLMRequest: BeforeLLMRequestPayload;
  readonly beforeToolCall: BeforeToolCallPayload;
  readonly afterToolResult: AfterToolResultPayload;
  readonly beforeResponse: BeforeResponsePayload;
}

/** The turn, and where there is one the call, that an extension point belongs to. */
export interface PointCall {
  readonly runId: string;
  readonly sessionId: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly tenant?: Tenant;
  readonly model: ModelInfo;
  readonly settings?: ModelSettings;
  readonly toolName?: string;
  readonly toolCallId?: string;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
}

/** What all plugins of a point made of it. */
export type PointOutcome<P extends ExtensionPoint> =
  | { readonly outcome: 'passed'; readonly payload: PointPayloads[P] }
  | {
      readonly outcome: 'blocked';
      /** As it was when it was blocked. */
      readonly payload: PointPayloads[P];
      /** The plugin's name. */
      readonly pluginId: string;
      /** For the user, or the model; a plugin's own words, or that it failed. */
      readonly message: string;
      readonly notices: readonly PluginNotice[];
    };

/** The four extension points, for whoever carries out turns and calls. */
export interface ExtensionPoints {
  /** False where no plugin listens: the caller then builds no payload at all. */
  has(point: ExtensionPoint): boolean;
  /**
   * Passes the payload from plugin to plugin, lower priority first. What plugins do wrong never rejects; only the call's signal does.
   * @throws PincerError `cancelled`
   */
  run<P extends ExtensionPoint>(
    point: P,
    payload: PointPayloads[P],
    call: PointCall,
  ): Promise<PointOutcome<P>>;
}
