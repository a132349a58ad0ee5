import type { AfterToolResultPayload, DextoPlugin, ExecutionContext, PluginResult } from '@dexto/core';

/** Notes each tool that ran, in the log and in the storage of the tenant. It holds no arguments and no results. */
export default class AuditLogger implements DextoPlugin {
  static version = '1.0.0';
  private keep = 1_000;

  initialize({ keep }: { keep?: number }): void {
    if (keep !== undefined) this.keep = keep;
  }

  async afterToolResult(
    { toolName, success, callId }: AfterToolResultPayload,
    { userId, logger, agent }: ExecutionContext,
  ): Promise<PluginResult> {
    logger.info('tool used', { toolName, success });
    const { database } = agent.storage;
    // A key that sorts by time; the call makes it one of its own.
    await database.set(`audit-logger/${new Date().toISOString()}/${callId ?? ''}`, {
      userId,
      toolName,
      success,
    });
    const all = await database.list('audit-logger/');
    for (const old of all.slice(0, Math.max(0, all.length - this.keep))) await database.delete(old);
    return { ok: true };
  }
}
