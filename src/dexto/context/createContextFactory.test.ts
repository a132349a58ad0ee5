import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentMessage } from '../../contracts/message.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import { createInMemoryLog, type InMemoryLog } from '../../../test/builders/inMemoryLog.ts';
import { createAgentEventBus } from '../events/createAgentEventBus.ts';
import type { PointContext } from '../../hooks/payloads/pointHooks.ts';
import type { ExecutionContext, StorageBackends } from '../dextoTypes.ts';
import type { Storage } from '../storage/createStorage.ts';
import type { Tenant } from '../../contracts/tenant.ts';
import type { SessionFacts } from './contextServices.ts';
import { createContextFactory, type ContextFactory } from './createContextFactory.ts';

const model = {
  ...{ provider: 'p', model: 'm', name: 'M', contextWindow: 1_000, maxOutputTokens: 100, toolCalling: true },
  apiKey: 'hunter2',
} as ModelInfo;
const ada: Tenant = { tenantId: 'a', userId: 'ada' };
const signal = new AbortController().signal;
const plugin = { name: 'audit', redact: (text: string) => text.replaceAll('hunter2', '[removed]') };
const callOf = (more: Partial<PointContext> = {}): PointContext => ({
  ...{ runId: 'r', sessionId: 's', sessionKey: 'k', agentId: 'main', model, signal },
  tenant: ada,
  ...more,
});
const said: readonly AgentMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'Hi' }], timestamp: 1 },
  {
    role: 'toolResult',
    ...{ toolCallId: 'c', toolName: 'read', isError: false, timestamp: 2 },
    content: [
      { type: 'text', text: 'one' },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'text', text: 'two' },
    ],
  },
];

describe('what plugins get beside their payload', () => {
  let log: InMemoryLog;
  let opened: string[];
  let storage: Storage;
  let factory: ContextFactory;
  const parameters = { type: 'object', properties: {} } as const;
  const config = { folders: ['/w'] };
  const createDoubles = (name: string): Storage => ({
    forTenant(tenant) {
      opened.push(`${name} of ${tenant?.tenantId ?? 'nobody'}`);
      return { database: { name }, cache: {}, blob: {} } as unknown as StorageBackends;
    },
    close: () => Promise.resolve(),
  });
  const session = { id: 's', header: { createdAt: 5, tenant: ada }, messages: () => said };
  beforeEach(() => {
    log = createInMemoryLog();
    opened = [];
    storage = createDoubles('first');
    factory = createContextFactory({
      log,
      storage: () => storage,
      events: createAgentEventBus({ log }),
      redact: (text) => text.replaceAll('topsecret', '[removed]'),
      services: {
        sessionsOf: (tenant) => ({
          open: (id): Promise<SessionFacts | undefined> =>
            Promise.resolve(tenant?.tenantId === 'a' && id === 's' ? session : undefined),
          list: () => Promise.resolve(tenant?.tenantId === 'a' ? ['s'] : []),
        }),
        toolsOf: () => [{ name: 'read', description: 'Reads', parameters }],
        mcpServers: () => [
          {
            name: 'files',
            type: 'stdio',
            connected: true,
            tools: [{ name: 'mcp__files__echo', description: 'Echoes' }],
          },
        ],
        runtimeConfig: () => config,
      },
    });
  });
  const contextOf = (more?: Partial<PointContext>): ExecutionContext => factory(callOf(more), plugin, signal);

  it('is whose turn it is, the signal, and the model without anything secret', () => {
    const context = contextOf({ settings: { temperature: 0.5, maxTokens: 50 } });
    expect(context).toMatchObject({ sessionId: 's', tenantId: 'a', userId: 'ada', abortSignal: signal });
    expect(context.llmConfig).toEqual({
      ...{ provider: 'p', model: 'm', maxInputTokens: 1_000, maxOutputTokens: 50, temperature: 0.5 },
    });
    expect(contextOf().llmConfig).not.toHaveProperty('temperature');
    const nobody = factory(callOf({ tenant: {} }), plugin, signal);
    expect(Object.keys(nobody)).not.toContain('tenantId');
    expect(Object.keys(nobody)).not.toContain('userId');
  });

  it('can’t be changed, by itself or in its parts', () => {
    const { agent, llmConfig, logger } = contextOf();
    const services: readonly unknown[] = Object.values(agent);
    const parts = [contextOf(), llmConfig, logger, agent, ...services];
    for (const each of parts) expect(Object.isFrozen(each)).toBe(true);
  });

  it('has the storage of its tenant by all of upstream’s names, asked for once for each tenant', () => {
    const { agent } = contextOf();
    contextOf();
    expect(opened).toEqual(['first of a']);
    expect(agent.storage).toBe(agent.stores);
    expect(agent.storageManager.getDatabase()).toBe(agent.storage.database);
    expect(agent.storageManager.getCache()).toBe(agent.storage.cache);
    expect(agent.storageManager.getBlobStore()).toBe(agent.storage.blob);
    expect(contextOf().agent.storage).toBe(agent.storage);
    expect(contextOf({ tenant: { tenantId: 'b' } }).agent.storage).not.toBe(agent.storage);
    expect(factory(callOf({ tenant: {} }), plugin, signal).agent.storage).not.toBe(agent.storage);
    expect(opened).toEqual(['first of a', 'first of b', 'first of nobody']);
  });

  it('has the storage that counts now, after a reload too', () => {
    expect(contextOf().agent.storage.database).toEqual({ name: 'first' });
    storage = createDoubles('second');
    expect(contextOf().agent.storage.database).toEqual({ name: 'second' });
  });

  it('shows the sessions of its tenant, to read', async () => {
    const { sessionManager } = contextOf().agent;
    expect(await sessionManager.listSessions()).toEqual(['s']);
    const view = await sessionManager.getSession('s');
    expect(view?.metadata).toEqual({ createdAt: 5, messageCount: 2, tenantId: 'a', userId: 'ada' });
    expect(await view?.getHistory()).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'tool', content: 'one\ntwo' },
    ]);
    Object.assign((await sessionManager.getSessionMetadata('s')) ?? {}, { tenantId: 'b' });
    expect(await sessionManager.getSessionMetadata('s')).toMatchObject({ tenantId: 'a' });
    const others = contextOf({ tenant: { tenantId: 'b' } }).agent.sessionManager;
    expect(await others.getSession('s')).toBeUndefined();
    expect(await others.getSessionMetadata('s')).toBeUndefined();
    expect(await others.listSessions()).toEqual([]);
  });

  it('shows tools, servers and config as copies', async () => {
    const { toolManager, mcpManager, stateManager } = contextOf().agent;
    const tools = await toolManager.getAllTools();
    expect(tools).toEqual({ read: { name: 'read', description: 'Reads', parameters } });
    (tools['read']?.parameters as { type: string }).type = 'changed';
    expect(parameters.type).toBe('object');
    expect([toolManager.hasTool('read'), toolManager.hasTool('toString')]).toEqual([true, false]);
    expect(toolManager.getToolNames()).toEqual(['read']);
    expect(mcpManager.getServers()).toEqual([{ name: 'files', type: 'stdio', connected: true }]);
    expect(await mcpManager.getAllTools()).toEqual({
      mcp__files__echo: { name: 'mcp__files__echo', description: 'Echoes' },
    });
    (stateManager.getRuntimeConfig()['folders'] as string[]).push('/etc');
    expect(config.folders).toEqual(['/w']);
    expect(stateManager.getLLMConfig()).toMatchObject({ provider: 'p', model: 'm' });
  });

  it('logs for its session and tenant, whatever the plugin says, and without secrets', () => {
    const { logger } = contextOf();
    logger.child({ part: 'guard', tenantId: 'b' }).warn('No\n[dexto:other] hunter2', {
      note: 'top\u202esecret, topsecret',
      deep: { key: 'hunter2' },
      error: new Error('hunter2'),
      sessionId: 'forged',
    });
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message:
          '[dexto:audit] No [dexto:other] [removed] {"part":"guard","tenantId":"b","note":"[removed], [removed]",' +
          '"deep":{"key":"[removed]"},"error":"Error: [removed]","sessionId":"forged"} ' +
          '{"sessionId":"s","userId":"ada","tenantId":"a"}',
      },
    ]);
  });

  it('logs anything without failing, and never too much', () => {
    const { logger } = contextOf();
    const cycle: Record<string, unknown> = { big: 1n };
    cycle['self'] = cycle;
    logger.silly('cycle', cycle);
    logger.info({ not: 'a text' } as unknown as string);
    logger.error('long', {
      text: 'x'.repeat(1_000_000),
      more: Array.from({ length: 1_000 }, () => 'y'.repeat(50)),
    });
    expect(log.lines.map(({ level }) => level)).toEqual(['debug', 'info', 'error']);
    expect(log.lines[0]?.message).toContain('cycle (details that can’t be written down)');
    expect(log.lines[1]?.message).toContain('{"not":"a text"}');
    expect(log.lines[2]?.message.length).toBeLessThan(5_000);
    expect(log.lines[2]?.message).toMatch(/"tenantId":"a"\}$/u);
  });
});
