import type {
  BeforeLLMRequestPayload,
  BeforeResponsePayload,
  DextoPlugin,
  ExecutionContext,
  PluginResult,
} from '../dextoTypes.ts';
import { createContentPolicy } from './createContentPolicy.ts';
import { createResponseSanitizer } from './createResponseSanitizer.ts';

/** `contentPolicy` as a class, for plugins that build on it (Dexto plugin specification, Content Policy Plugin). */
export class ContentPolicyPlugin implements DextoPlugin {
  readonly #plugin = createContentPolicy();

  async initialize(config: Record<string, never>): Promise<void> {
    await this.#plugin.initialize?.(config);
  }

  async beforeLLMRequest(payload: BeforeLLMRequestPayload, context: ExecutionContext): Promise<PluginResult> {
    return (await this.#plugin.beforeLLMRequest?.(payload, context)) ?? { ok: true };
  }
}

/** `responseSanitizer` as a class (Dexto plugin specification, Response Sanitizer Plugin). */
export class ResponseSanitizerPlugin implements DextoPlugin {
  readonly #plugin = createResponseSanitizer();

  async initialize(config: Record<string, never>): Promise<void> {
    await this.#plugin.initialize?.(config);
  }

  async beforeResponse(payload: BeforeResponsePayload, context: ExecutionContext): Promise<PluginResult> {
    return (await this.#plugin.beforeResponse?.(payload, context)) ?? { ok: true };
  }
}
