import type {
  BeforeLLMRequestPayload,
  BeforeToolCallPayload,
  DextoPlugin,
  ExecutionContext,
  PluginResult,
} from '@dexto/core';

interface Limits {
  messagesPerDay: number;
  /** Names of tools by tenant; `default` is for all others. */
  tools: Record<string, string[]>;
}

/** Limits what each tenant may do; turns that run for nobody are not limited. */
export default class TenantLimits implements DextoPlugin {
  static version = '1.0.0';
  private limits: Limits = { messagesPerDay: 100, tools: { default: [] } };

  initialize(config: Partial<Limits>): void {
    this.limits = { ...this.limits, ...config };
  }

  async beforeLLMRequest(
    _payload: BeforeLLMRequestPayload,
    { tenantId, agent }: ExecutionContext,
  ): Promise<PluginResult> {
    if (tenantId === undefined) return { ok: true };
    const { database } = agent.storage;
    // The storage is the tenant's own: the key need not say whose it is.
    const key = `tenant-limits/${new Date().toISOString().slice(0, 10)}`;
    const sent = (await database.get<number>(key)) ?? 0;
    const { messagesPerDay } = this.limits;
    if (sent >= messagesPerDay) {
      const message = `All ${messagesPerDay} messages of today are used up.`;
      return {
        ok: false,
        cancel: true,
        message,
        notices: [{ kind: 'block', code: 'QUOTA_EXCEEDED', message, details: { sent } }],
      };
    }
    await database.set(key, sent + 1);
    return { ok: true };
  }

  beforeToolCall({ toolName }: BeforeToolCallPayload, { tenantId }: ExecutionContext): PluginResult {
    if (tenantId === undefined) return { ok: true };
    const { tools } = this.limits;
    const allowed = (Object.hasOwn(tools, tenantId) ? tools[tenantId] : tools['default']) ?? [];
    if (allowed.includes(toolName)) return { ok: true };
    const message = `The tool ${toolName} is not part of this plan.`;
    return {
      ok: false,
      cancel: true,
      message,
      notices: [{ kind: 'block', code: 'TOOL_NOT_ALLOWED', message }],
    };
  }
}
