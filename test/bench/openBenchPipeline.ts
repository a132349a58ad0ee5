import { createApprovalBroker } from '../../src/approvals/createApprovalBroker.ts';
import { createGrantStore } from '../../src/approvals/createGrantStore.ts';
import type { AgentTool } from '../../src/contracts/tool.ts';
import { createInMemoryLog } from '../builders/inMemoryLog.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { systemClock } from '../../src/host/node/systemClock.ts';
import { extensionPoints } from '../../src/dexto/pointRules.ts';
import type { HandlerSource } from '../../src/hooks/hookRegistration.ts';
import { createHookRegistry, createHookRunner, type HookRegistry } from '../../src/hooks/hookRunner.ts';
import type { HookHandler } from '../../src/hooks/hookMap.ts';
import { createToolCatalog } from '../../src/tools/catalog.ts';
import { createParamsValidator } from '../../src/tools/createParamsValidator.ts';
import { createToolPipeline } from '../../src/tools/createToolPipeline.ts';
import { createRunTraces } from '../../src/traces/createRunTraces.ts';

/** Of one run in the bench: a long one. */
const callsOfRun = 50;

/** A tool that does nothing, so that all the time of a call is the pipeline's. */
const tool: AgentTool = {
  name: 'log_day',
  label: 'Log day',
  description: 'Writes a day into the log.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  owner: { kind: 'core' },
  optional: false,
  mayWrite: true,
  prepare: () =>
    Promise.resolve({
      effects: [],
      run: () => Promise.resolve({ content: [{ type: 'text', text: 'Logged.' }] }),
    }),
};
const model = {
  provider: 'p',
  model: 'm',
  name: 'M',
  contextWindow: 1_000,
  maxOutputTokens: 100,
  toolCalling: true,
};
const params = { path: 'notes/log.md', content: 'day one\nday two\n'.repeat(50) };

/** As a guard does at the least: it looks through the parameters. */
const guard: HookHandler<'before_tool_call'> = async ({ params: given }) =>
  JSON.stringify(given).includes('PRIVATE KEY') ? { block: true } : undefined;

/** What judges the calls. */
export interface HookCounts {
  /** Handlers of `before_tool_call`. */
  readonly before: number;
  /** Handlers each of `tool_result_persist` and `after_tool_call`. */
  readonly others: number;
  /** Of the Dexto dialect; absent, nobody knows of it. */
  readonly points?: HandlerSource;
}

/** The real pipeline with all that a run gives it. */
export function openBenchPipeline({ before, others, points }: HookCounts): {
  readonly call: (at: number) => Promise<void>;
  readonly dispose: () => void;
} {
  const log = createInMemoryLog();
  const fs = createNodeFileSystem();
  const report = ({ message }: { readonly message: string }): never => {
    throw new Error(`A handler of the bench went wrong: ${message}`);
  };
  // Nothing is written: no run ends, and nobody is asked.
  const traces = createRunTraces({ clock: systemClock, fs, log, folder: '/nowhere' });
  const grants = createGrantStore({ fs, path: '/nowhere/grants.json', clock: systemClock, report });
  const limits = { mode: 'ask', canAsk: true, timeoutMayAllow: false } as const;
  const approvals = createApprovalBroker({ clock: systemClock, log, grants, limits: () => limits });
  const validator = createParamsValidator();
  const registry = hooksOf(before, others);
  if (points !== undefined) registry.provide(extensionPoints, points);
  const pipeline = createToolPipeline({
    catalog: createToolCatalog({ core: [tool], plugins: [], policy: [], isReadOnly: false, validator }),
    validator,
    hooks: createHookRunner({
      registry,
      clock: systemClock,
      report,
      trace: traces.hookCalled,
    }),
    approvals,
    layout: () => ({ roots: ['/work'], platform: 'linux' }),
    clock: systemClock,
    log,
    traces,
    takeDenials: () => Promise.resolve(),
  });
  return {
    call: async (at) => {
      if (at % callsOfRun === 0) traces.begin({ runId: 'run_1', sessionKey: 'main', sessionId: 'id' });
      const result = await pipeline.call(
        { type: 'toolCall', id: 'call_1', name: tool.name, arguments: params },
        {
          sessionKey: 'main',
          sessionId: 's1',
          runId: 'run_1',
          agentId: 'main',
          model,
          signal: new AbortController().signal,
          emit: () => undefined,
        },
      );
      if (result.isError) throw new Error(`The call of the bench failed: ${JSON.stringify(result.content)}`);
    },
    dispose: () => {
      approvals.dispose();
      traces.dispose();
    },
  };
}

function hooksOf(before: number, others: number): HookRegistry {
  const registry = createHookRegistry();
  const usual = { priority: 0, timeoutMs: 15_000, pluginConfig: {} };
  for (let at = 0; at < before; at += 1)
    registry.register({ hook: 'before_tool_call', pluginId: `plugin-${at}`, handler: guard, ...usual });
  for (let at = 0; at < others; at += 1) {
    const pluginId = `plugin-${at}`;
    registry.register({ hook: 'tool_result_persist', pluginId, handler: () => undefined, ...usual });
    registry.register({ hook: 'after_tool_call', pluginId, handler: async () => undefined, ...usual });
  }
  return registry;
}
