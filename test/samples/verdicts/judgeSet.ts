import { createApprovalBroker } from '../../../src/approvals/createApprovalBroker.ts';
import type { GrantStore } from '../../../src/approvals/createGrantStore.ts';
import type { ApprovalRequest } from '../../../src/contracts/approval.ts';
import type { ToolResultMessage } from '../../../src/contracts/message.ts';
import { createDextoAdapter } from '../../../src/dexto/createDextoAdapter.ts';
import type { DextoPlugin, ExecutionContext, PluginResult } from '../../../src/dexto/dextoTypes.ts';
import { createHookRegistry, createHookRunner } from '../../../src/hooks/hookRunner.ts';
import type { HookTrace } from '../../../src/hooks/hookTrace.ts';
import { createInMemoryLog } from '../../builders/inMemoryLog.ts';
import { createManualClock, type ManualClock } from '../../builders/manualClock.ts';
import { policyHandler } from '../../../src/plugins/openclaw/registerToolPolicy.ts';
import { createToolCatalog } from '../../../src/tools/catalog.ts';
import { createParamsValidator } from '../../../src/tools/createParamsValidator.ts';
import { createToolPipeline } from '../../../src/tools/createToolPipeline.ts';
import { buildTrace } from '../../../src/traces/buildTrace.ts';
import type { RunStep, TraceLine } from '../../../src/traces/runTrace.ts';
import { readyPlugin, sampleCall } from '../../builders/openExtensionPoints.ts';
import { textOf } from '../hooks/hookSample.ts';
import { pluginTool } from '../tools/createTestPipeline.ts';
import type { HandlerSet, HookSpec, PointSpec, PolicySpec } from './handlerSets.ts';

/** What became of one call: enough to tell two engines apart, and nothing that depends on how one is built. */
export interface SetVerdict {
  /** Who was asked, in their order, and with which parameters or which result. */
  readonly asked: readonly string[];
  /** What the tool ran with; absent where it did not run. */
  readonly ran?: string;
  readonly result: string;
  readonly questions: readonly string[];
  /** What askers were told of how it ended. */
  readonly resolutions: readonly string[];
  readonly trace: readonly string[];
  readonly diagnostics: readonly string[];
}

/** One call of the tool `shout` past all handlers of a set, through the real pipeline, hook runner, adapters and broker. */
export async function judgeSet(set: HandlerSet): Promise<SetVerdict> {
  const manual = createManualClock(1_000);
  const clock = createTickingClock(manual);
  const log = createInMemoryLog();
  const asked: string[] = [];
  const resolutions: string[] = [];
  const diagnostics: string[] = [];
  const hookTraces: HookTrace[] = [];
  const steps: RunStep[] = [];
  const questions: ApprovalRequest[] = [];
  let ran: string | undefined;

  const report = ({ code, message }: { readonly code: string; readonly message: string }): void =>
    void diagnostics.push(`${code}: ${message}`);
  const heard = { asked, resolutions };
  const registry = createHookRegistry();
  for (const spec of set.hooks)
    registry.register({
      ...{ hook: 'before_tool_call', pluginId: spec.pluginId, priority: spec.priority, timeoutMs: 1_000 },
      ...{ handler: hookHandler(spec, heard), pluginConfig: {} },
    });
  const dexto = createDextoAdapter({
    ...{ clock, log },
    context: (call, _plugin, abortSignal) => ({ sessionId: call.sessionId, abortSignal }) as ExecutionContext,
  });
  for (const spec of set.points) {
    const { blocking, priority } = spec;
    const plugin = readyPlugin(spec.name, pointInstance(spec, heard), { blocking, priority });
    registry.registerAll(dexto.registrationsOf(plugin));
  }
  for (const spec of set.policies) {
    const policy = { id: spec.id, description: '', evaluate: evaluateOf(spec, heard) };
    registry.register(policyHandler(`owner-of-${spec.id}`, policy, report));
  }
  const approvals = createApprovalBroker({
    ...{ clock, log, grants: noGrants },
    limits: () => ({ mode: 'ask', canAsk: true, timeoutMayAllow: false }),
  });
  approvals.onDidChange(() => {
    const [first] = approvals.pending();
    if (first === undefined || set.answer === 'none') return;
    approvals.resolve(first.id, set.answer, 'chat');
  });
  const validator = createParamsValidator();
  const tool = pluginTool((params) => {
    ran = JSON.stringify(params);
    if (set.tool === 'throws') throw new Error('the tool broke');
    return { content: [{ type: 'text', text: 'LOUD' }] };
  });
  const pipeline = createToolPipeline({
    catalog: createToolCatalog({ core: [], plugins: [tool], policy: [], isReadOnly: false, validator }),
    validator,
    hooks: createHookRunner({ registry, clock, report, trace: (each) => void hookTraces.push(each) }),
    approvals,
    layout: () => ({ roots: ['/w'], platform: 'linux' }),
    clock,
    log,
    traces: { step: (_runId, step) => void steps.push(step) },
    takeDenials: () => Promise.resolve(),
  });
  const { model, runId, sessionId, sessionKey, agentId } = sampleCall('beforeToolCall');
  const { signal } = new AbortController();
  const calling = pipeline.call(
    { type: 'toolCall', id: 'c1', name: 'shout', arguments: { text: 'one' } },
    {
      ...{ model, runId, sessionId, sessionKey, agentId, signal },
      emit: (event) => {
        if (event.type === 'approval_requested') questions.push(event.request);
      },
    },
  );
  const result = await passTimeUntil(calling, manual);
  approvals.dispose();
  const record = { runId, sessionKey, startedAt: 0, origin: 0, hooks: hookTraces, steps, omitted: 0 };
  return {
    asked,
    ...(ran === undefined ? {} : { ran }),
    result: `${result.isError ? 'error' : 'ok'}: ${textOf(result)}`,
    questions: questions.map(({ title, description, askers, severity }) =>
      [severity, title, description, askers.join()].join(' | '),
    ),
    resolutions,
    trace: buildTrace(record).lines.map(shortLine),
    diagnostics,
  };
}

/** Every line is about the one call, and a stage that is done says nothing more than its name. */
function shortLine(line: TraceLine): string {
  if (line.kind === 'tool' && line.outcome === 'done') return line.stage;
  const facts = Object.entries(line).filter(([key]) => !ofEveryLine.includes(key));
  return JSON.stringify(Object.fromEntries(facts));
}

const ofEveryLine = ['at', 'durationMs', 'toolName', 'toolCallId'];

const noGrants: GrantStore = {
  list: () => Promise.resolve([]),
  matches: () => Promise.resolve(false),
  add: () => Promise.reject(new Error('nobody answers always')),
  revoke: () => Promise.reject(new Error('there is no grant')),
  onDidChange: () => ({ dispose: () => undefined }),
};

interface Heard {
  readonly asked: string[];
  readonly resolutions: string[];
}

/** Each reading is a little later than the one before, so that lines of a trace have an order. */
function createTickingClock(manual: ManualClock): ManualClock {
  let readings = 0;
  return {
    ...manual,
    monotonic: () => {
      readings += 1;
      return manual.monotonic() + readings / 1_000;
    },
  };
}

/** Lets whatever is ready run, then moves the clock on by a second, until the call has ended. */
async function passTimeUntil(
  calling: Promise<ToolResultMessage>,
  clock: ManualClock,
): Promise<ToolResultMessage> {
  const ended = calling.then(
    () => true,
    () => true,
  );
  for (let second = 0; second < 1_000; second += 1) {
    const ready = new Promise<false>((resolve) => setImmediate(() => resolve(false)));
    if (await Promise.race([ended, ready])) break;
    clock.advance(1_000);
  }
  return await calling;
}

function later<T>(value: T): Promise<T> {
  return Promise.resolve().then(() => value);
}

const never = (): Promise<never> => new Promise(() => undefined);

function wish(who: string, { resolutions }: Heard, more: object = {}): object {
  const onResolution = (how: string): void => void resolutions.push(`${who}: ${how}`);
  return { requireApproval: { title: `May ${who}?`, description: `${who} asks`, onResolution, ...more } };
}

function evaluateOf({ id, does }: PolicySpec, heard: Heard) {
  return ({ params }: { readonly params: object }): unknown => {
    heard.asked.push(`${id} ${JSON.stringify(params)}`);
    switch (does) {
      case 'nothing':
        return undefined;
      case 'changes':
        return { params: { ...params, text: id } };
      case 'asks':
        return wish(id, heard);
      case 'blocks':
        return { block: true, blockReason: `${id} blocks` };
      case 'denies':
        return { allow: false, reason: `${id} denies` };
      case 'throws':
        throw new Error(`${id} broke`);
      case 'hangs':
        return never();
      case 'answers a number':
        return 7;
    }
  };
}

function hookHandler({ pluginId, does }: HookSpec, heard: Heard) {
  return (event: never): unknown => {
    const { params } = event as { readonly params: Record<string, unknown> };
    heard.asked.push(`${pluginId} ${JSON.stringify(params)}`);
    switch (does) {
      case 'nothing':
        return undefined;
      case 'nothing later':
        return later(undefined);
      case 'changes':
        return { params: { text: `${String(params['text'])}+${pluginId}` } };
      case 'changes later':
        return later({ params: { text: `${String(params['text'])}+${pluginId}` } });
      case 'changes to what the tool refuses':
        return { params: { text: 7 } };
      case 'mutates its event':
        params['text'] = 'mutated';
        return undefined;
      case 'blocks':
        return { block: true, blockReason: `${pluginId} blocks` };
      case 'blocks without a reason':
        return { block: true };
      case 'does not block':
        return { block: false };
      case 'asks':
        return wish(pluginId, heard, { timeoutMs: 30_000 });
      case 'asks critically':
        return wish(pluginId, heard, { severity: 'critical' });
      case 'asks and changes':
        return { ...wish(pluginId, heard), params: { text: `${pluginId} asked` } };
      case 'throws':
        throw new Error(`${pluginId} broke`);
      case 'rejects':
        return Promise.reject(new Error(`${pluginId} broke later`));
      case 'hangs':
        return never();
      case 'answers a number':
        return 7;
      case 'answers a wrong type':
        return { block: 'yes' };
      case 'answers an unknown field':
        return { blok: true };
    }
  };
}

function pointInstance({ name, point, does }: PointSpec, heard: Heard): DextoPlugin {
  const answer = (payload: object): PluginResult | Promise<PluginResult> => {
    heard.asked.push(`${name} ${point} ${JSON.stringify(payload)}`);
    const modify = point === 'beforeToolCall' ? { args: { text: name } } : { result: `${name} says` };
    switch (does) {
      case 'ok':
        return { ok: true };
      case 'ok later':
        return later({ ok: true });
      case 'changes':
        return { ok: true, modify };
      case 'changes what is fixed':
        return { ok: true, modify: { toolName: 'other', ...modify } };
      case 'changes to a wrong type':
        return {
          ok: true,
          modify: point === 'beforeToolCall' ? { args: ['no object'] } : { success: 'yes' },
        };
      case 'mutates its payload':
        Object.assign(payload, { toolName: 'mutated', args: {}, result: 'mutated' });
        return { ok: true };
      case 'is not ok':
        return { ok: false, modify };
      case 'is not ok and cancels':
        return { ok: false, cancel: true, message: `${name} stops` };
      case 'cancels':
        return { ok: true, cancel: true };
      case 'cancels with words':
        return {
          ...{ ok: true, cancel: true, message: `${name} stops` },
          notices: [{ kind: 'block', code: 'C1', message: `${name} notes` }],
        };
      case 'changes and cancels':
        return { ok: true, cancel: true, modify, message: `${name} stops` };
      case 'throws':
        throw new Error(`${name} broke`);
      case 'rejects':
        return Promise.reject(new Error(`${name} broke later`));
      case 'hangs':
        return never();
      case 'answers nothing':
        return undefined as never;
      case 'answers a text':
        return 'yes' as never;
    }
  };
  return { [point]: answer };
}
