import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { ApprovalBroker, ApprovalLimits } from '../../../src/approvals/approvalBroker.ts';
import { createApprovalBroker } from '../../../src/approvals/createApprovalBroker.ts';
import { createGrantStore } from '../../../src/approvals/createGrantStore.ts';
import type { AgentEvent } from '../../../src/contracts/agentEvent.ts';
import type { ApprovalDecision } from '../../../src/contracts/approval.ts';
import type { Params } from '../../../src/contracts/jsonTypes.ts';
import type { ToolResultMessage } from '../../../src/contracts/message.ts';
import type { AgentTool, ToolResult } from '../../../src/contracts/tool.ts';
import { extensionPoints } from '../../../src/dexto/pointRules.ts';
import { createInMemoryLog, type InMemoryLog } from '../../builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../builders/manualClock.ts';
import type { HandlerSource } from '../../../src/hooks/hookRegistration.ts';
import { createHookRegistry, createHookRunner } from '../../../src/hooks/hookRunner.ts';
import type { HookHandler, HookName } from '../../../src/hooks/hookMap.ts';
import { createToolCatalog, type ToolCatalogInput } from '../../../src/tools/catalog.ts';
import { createCoreTools } from '../../../src/tools/coreTools.ts';
import { createParamsValidator } from '../../../src/tools/createParamsValidator.ts';
import { createToolPipeline } from '../../../src/tools/createToolPipeline.ts';
import type { RunStep } from '../../../src/traces/runTrace.ts';
import { createTestWorkspace, type TestWorkspace } from './createTestWorkspace.ts';

/** The real pipeline, hook runner, broker and core tools on a real folder; only clock and log are doubles. */
export interface TestPipeline {
  readonly workspace: TestWorkspace;
  readonly approvals: ApprovalBroker;
  readonly clock: ManualClock;
  readonly log: InMemoryLog;
  readonly events: readonly AgentEvent[];
  readonly steps: readonly RunStep[];
  on<N extends HookName>(hook: N, pluginId: string, handler: HookHandler<N>): void;
  /** Calls a tool; `answer` is what the user says once a question stands in front of them. */
  call(
    name: string,
    params: Params,
    options?: { readonly answer?: ApprovalDecision; readonly signal?: AbortSignal },
  ): Promise<ToolResultMessage>;
  remove(): Promise<void>;
}

export async function createTestPipeline(
  options: {
    readonly plugins?: readonly AgentTool[];
    readonly catalog?: Partial<ToolCatalogInput>;
    readonly limits?: Partial<ApprovalLimits>;
    readonly maxResultChars?: number;
    /** Dexto plugins. */
    readonly points?: HandlerSource;
  } = {},
): Promise<TestPipeline> {
  const workspace = await createTestWorkspace();
  const clock = createManualClock(1_000);
  const log = createInMemoryLog();
  const limits: ApprovalLimits = { mode: 'ask', canAsk: true, timeoutMayAllow: false, ...options.limits };
  const report = (): void => undefined;
  const grants = createGrantStore({
    fs: workspace.deps.fs,
    path: join(workspace.folder, 'grants.json'),
    clock,
    report,
  });
  const approvals = createApprovalBroker({ clock, log, grants, limits: () => limits });
  const registry = createHookRegistry();
  if (options.points !== undefined) registry.provide(extensionPoints, options.points);
  const validator = createParamsValidator();
  const events: AgentEvent[] = [];
  const steps: RunStep[] = [];
  let answer: ApprovalDecision | undefined;
  const pipeline = createToolPipeline({
    catalog: createToolCatalog({
      core: createCoreTools(workspace.deps),
      plugins: options.plugins ?? [],
      policy: [],
      isReadOnly: false,
      validator,
      ...options.catalog,
    }),
    validator,
    hooks: createHookRunner({ registry, clock, report }),
    approvals,
    layout: () => workspace.layout,
    clock,
    log,
    traces: { step: (_runId, step) => void steps.push(step) },
    takeDenials: () => Promise.resolve(),
    ...(options.maxResultChars === undefined ? {} : { maxResultChars: options.maxResultChars }),
  });
  approvals.onDidChange(() => {
    const [first] = approvals.pending();
    if (first === undefined || answer === undefined) return;
    approvals.noteShownWhole(first.id, 'call');
    // Having shown it is a change of its own, at which it was answered.
    approvals.resolve(first.id, answer, 'chat');
  });
  return {
    workspace,
    approvals,
    clock,
    log,
    events,
    steps,
    on: (hook, pluginId, handler) =>
      void registry.register({ hook, pluginId, handler, priority: 0, timeoutMs: 1_000, pluginConfig: {} }),
    call: (name, params, { answer: wanted, signal = new AbortController().signal } = {}) => {
      answer = wanted;
      return pipeline.call(
        { type: 'toolCall', id: 'call-1', name, arguments: params },
        {
          sessionKey: 'main',
          sessionId: 's1',
          runId: 'run-1',
          agentId: 'main',
          model: {
            provider: 'p',
            model: 'm',
            name: 'M',
            contextWindow: 1_000,
            maxOutputTokens: 100,
            toolCalling: true,
          },
          signal,
          emit: (event) => void events.push(event),
        },
      );
    },
    remove: async () => {
      approvals.dispose();
      await workspace.remove();
    },
  };
}

/** For a test file: makes pipelines that are removed after each test. */
export function usePipelines(): typeof createTestPipeline {
  const open: TestPipeline[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.remove()));
  });
  return async (options) => {
    const pipeline = await createTestPipeline(options);
    open.push(pipeline);
    return pipeline;
  };
}

/** A plugin's tool that runs `run`; its parameters are `{ text?: string }`. */
export function pluginTool(
  run: (params: Params, signal: AbortSignal, onUpdate: (partial: ToolResult) => void) => unknown,
  parts: Partial<AgentTool> = {},
): AgentTool {
  return {
    name: 'shout',
    label: 'Shout',
    description: 'Says it loudly.',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
    owner: { kind: 'plugin', pluginId: 'loud' },
    optional: false,
    mayWrite: true,
    prepare: (_context, params) =>
      Promise.resolve({
        effects: [],
        // A plugin is no TypeScript: it returns what it likes.
        run: async ({ signal, onUpdate }) => (await run(params, signal, onUpdate)) as ToolResult,
      }),
    ...parts,
  };
}
