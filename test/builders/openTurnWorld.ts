import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContextManager } from '../../src/agent/context/createContextManager.ts';
import { runAgent } from '../../src/agent/runAgent.ts';
import type { RunInput } from '../../src/agent/turn.ts';
import { createApprovalBroker } from '../../src/approvals/createApprovalBroker.ts';
import { createGrantStore } from '../../src/approvals/createGrantStore.ts';
import { agentSection } from '../../src/config/sections/agentSection.ts';
import type { AgentEvent, RunOutcome } from '../../src/contracts/agentEvent.ts';
import type { AgentMessage, ToolCallPart } from '../../src/contracts/message.ts';
import type { Model, ModelEvent, ModelRequest } from '../../src/contracts/model.ts';
import type { AgentTool } from '../../src/contracts/tool.ts';
import { createDextoAdapter, type DextoAdapterParts } from '../../src/dexto/createDextoAdapter.ts';
import type { LoadedPlugin } from '../../src/dexto/loadedPlugin.ts';
import { extensionPoints } from '../../src/dexto/pointRules.ts';
import type { ExecutionContext } from '../../src/dexto/dextoTypes.ts';
import type { HandlerSource } from '../../src/hooks/hookRegistration.ts';
import { createHookRegistry, createHookRunner } from '../../src/hooks/hookRunner.ts';
import type { HookHandler, HookName } from '../../src/hooks/hookMap.ts';
import { createInMemoryLog, type InMemoryLog } from './inMemoryLog.ts';
import { createManualClock, type ManualClock } from './manualClock.ts';
import { createNodeFileSystem } from '../../src/host/node/nodeFileSystem.ts';
import { createInbox, readInboxIds, type Inbox } from '../../src/sessions/createInbox.ts';
import type { Session } from '../../src/sessions/session.ts';
import { createSessionStore } from '../../src/sessions/sessionStore.ts';
import { createToolCatalog } from '../../src/tools/catalog.ts';
import { createParamsValidator } from '../../src/tools/createParamsValidator.ts';
import { createToolPipeline } from '../../src/tools/createToolPipeline.ts';
import { createRunTraces } from '../../src/traces/createRunTraces.ts';
import type { RunStep, RunTrace } from '../../src/traces/runTrace.ts';
import { sourceOf } from './openExtensionPoints.ts';

/** What the model says: a text is a final answer, a list the ids of calls of the tool `work`; or its events one by one, or its error. */
export type TurnAnswer =
  string | readonly string[] | { readonly events: readonly ModelEvent[] } | { readonly fails: Error };

export interface TurnWorldOptions {
  readonly answers?: readonly TurnAnswer[];
  /**
   * What happens at a moment of the turn, by its name: `model 1` while the first answer streams, `call a` while the call with
   * that id runs, `ask` while the first approval is open; later ones are given at once. The turn waits for it.
   */
  readonly at?: Readonly<Record<string, (world: TurnWorld) => unknown>>;
  /** True asks for an approval before each call. */
  readonly asks?: boolean;
  readonly context?: ContextManager;
  readonly info?: Partial<Model['info']>;
  readonly input?: Partial<RunInput>;
  /** Dexto plugins, in the order they run; what they get beside their payload are the ids, the model and the signal. */
  readonly dexto?: readonly LoadedPlugin[];
  /** In place of `dexto`: extension points that a test plays itself. */
  readonly points?: HandlerSource;
  /** True lets the monotonic clock go on by a millisecond each time it is read, so that a trace has an order. */
  readonly ticks?: boolean;
}

/** A turn with the real loop, hooks, pipeline, approvals, transcripts and inbox, on a temporary folder; model and clock are doubles. */
export interface TurnWorld extends AsyncDisposable {
  readonly session: Session;
  readonly inbox: Inbox;
  readonly clock: ManualClock;
  readonly log: InMemoryLog;
  /** What happened, one line each, in order: see `describeEvent`. */
  readonly trace: readonly string[];
  /** What each model call was asked with. */
  readonly asked: readonly ModelRequest[];
  readonly events: readonly AgentEvent[];
  /** What the tool calls put into the trace of the run. */
  readonly steps: readonly RunStep[];
  /** The trace of the last run, as people see it; kept where there are Dexto plugins. */
  traced(): Promise<RunTrace | undefined>;
  /** Default plugin: `guard`. */
  on<N extends HookName>(hook: N, handler: HookHandler<N>, pluginId?: string): void;
  say(text: string, input?: Partial<RunInput>): Promise<RunOutcome>;
  steer(text: string): Promise<unknown>;
  queue(text: string): Promise<unknown>;
  cancel(): void;
  yieldNow(): void;
  /** Answers the open approval. */
  answer(decision: 'allow-once' | 'deny'): void;
  /** One line a message, as models read them: `user: words`, `assistant: words [a b]`, `a: result`. */
  transcript(): readonly string[];
  /** Everything on disk, as text. */
  stored(): Promise<string>;
  /** The disk as it is now, opened by another process: what a crash at this moment leaves. */
  reopen(): Promise<TurnWorld>;
}

const workspaceFolders: readonly string[] = [];

export async function openTurnWorld(options: TurnWorldOptions = {}): Promise<TurnWorld> {
  return await openAt(await mkdtemp(join(tmpdir(), 'pincer-turn-')), undefined, options);
}

async function openAt(folder: string, id: string | undefined, options: TurnWorldOptions): Promise<TurnWorld> {
  const fs = createNodeFileSystem();
  const clock = withTicks(createManualClock(1_000), options.ticks === true);
  const log = createInMemoryLog();
  const store = createSessionStore({ fs, clock, log, folder, channel: 'vscode' });
  const session = id === undefined ? store.create(workspaceFolders) : (await store.open(id))!;
  const readIds = async (of: string) => readInboxIds((await store.open(of))?.entries() ?? []);
  const inbox = createInbox({ fs, clock, log, folder, readIds });
  await inbox.open(session.id);
  const report = (): void => undefined;
  const registry = createHookRegistry();
  const runTraces =
    options.dexto === undefined
      ? undefined
      : createRunTraces({ clock, fs, log, folder: join(folder, 'traces') });
  const traced = runTraces === undefined ? {} : { trace: runTraces.hookCalled };
  const hooks = createHookRunner({ registry, clock, report, ...traced });
  const grants = createGrantStore({ fs, path: join(folder, 'grants.json'), clock, report });
  const limits = { mode: 'ask' as const, canAsk: true, timeoutMayAllow: false };
  const approvals = createApprovalBroker({ clock, log, grants, limits: () => limits });
  const validator = createParamsValidator();
  const catalog = createToolCatalog({
    core: [],
    plugins: [workTool((moment) => happen(moment))],
    policy: [],
    isReadOnly: false,
    validator,
  });
  const layout = () => ({ roots: [], platform: process.platform });
  const steps: RunStep[] = [];
  const traces = {
    step(runId: string, step: RunStep) {
      steps.push(step);
      runTraces?.step(runId, step);
    },
  };
  const points = pointsOf(options, { clock, log });
  if (points !== undefined) registry.provide(extensionPoints, points);
  const shared = { hooks, clock, log };
  const takeDenials = () => Promise.resolve();
  const pipeline = createToolPipeline({
    ...shared,
    catalog,
    validator,
    approvals,
    layout,
    traces,
    takeDenials,
  });
  if (options.asks === true) {
    registry.register({
      hook: 'before_tool_call',
      pluginId: 'asker',
      handler: () => ({ requireApproval: { title: 'Sure?', description: '' } }),
      priority: 0,
      timeoutMs: 1_000,
      pluginConfig: {},
    });
  }

  const trace: string[] = [];
  const asked: ModelRequest[] = [];
  const events: AgentEvent[] = [];
  const happened = new Set<string>();
  let abort = new AbortController();
  let yields = false;
  const happen = async (moment: string): Promise<void> => {
    if (happened.has(moment)) return;
    happened.add(moment);
    await options.at?.[moment]?.(world);
  };
  const emit = (event: AgentEvent): void => {
    events.push(event);
    const line = describeEvent(event);
    if (line !== undefined) trace.push(line);
    if (event.type !== 'approval_requested') return;
    if (happened.has('ask')) world.answer('allow-once');
    else void happen('ask');
  };
  const model = scriptedModel(options, asked, trace, happen);

  const world: TurnWorld = {
    session,
    inbox,
    clock,
    log,
    trace,
    asked,
    events,
    steps,
    traced: async () => await runTraces?.last(session.key),
    on: (hook, handler, pluginId = 'guard') =>
      void registry.register({
        hook,
        pluginId,
        handler,
        priority: 0,
        timeoutMs: 1_000,
        pluginConfig: {},
      }),
    async say(text, input = {}) {
      abort = new AbortController();
      const run = runAgent(
        {
          ...shared,
          toolsFor: () => ({ tools: catalog.tools(), pipeline }),
          findModel: () => undefined,
          ...(runTraces === undefined ? {} : { traces: runTraces }),
        },
        {
          session,
          prompt: text,
          attachments: [],
          model,
          promptParts: [],
          limits: agentSection.resolve(undefined).limits,
          inbox,
          shouldYield: () => yields,
          surface: 'vscode',
          workspaceDir: undefined,
          signal: abort.signal,
          emit,
          ...(options.context === undefined ? {} : { context: options.context }),
          ...options.input,
          ...input,
        },
      );
      const outcome = await run.outcome;
      await run.settled;
      return outcome;
    },
    steer: (text) => inbox.add(session.id, 'steer', text),
    queue: (text) => inbox.add(session.id, 'followUp', text),
    cancel: () => abort.abort(),
    yieldNow: () => {
      yields = true;
    },
    answer(decision) {
      const [first] = approvals.pending();
      if (first === undefined) return;
      approvals.noteShownWhole(first.id, 'call');
      approvals.resolve(first.id, decision, 'chat');
    },
    transcript: () => session.messages().map(describeMessage),
    stored: async () => {
      const names = [`${session.id}.jsonl`, `${session.id}.inbox.json`];
      const texts = names.map((name) => readFile(join(folder, name), 'utf8').catch(() => ''));
      return (await Promise.all(texts)).join('');
    },
    async reopen() {
      const copy = await mkdtemp(join(tmpdir(), 'pincer-turn-'));
      // What is taken away while the copy is made is not there after a crash either.
      for (const name of await readdir(folder))
        await cp(join(folder, name), join(copy, name), { recursive: true }).catch(unlessGone);
      return await openAt(copy, session.id, {});
    },
    async [Symbol.asyncDispose]() {
      approvals.dispose();
      await runTraces?.flush();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

/** The real extension points, where there are plugins. */
function pointsOf(
  { dexto, points }: TurnWorldOptions,
  parts: Pick<DextoAdapterParts, 'clock' | 'log'>,
): HandlerSource | undefined {
  if (dexto === undefined) return points;
  const { registrationsOf } = createDextoAdapter({
    ...parts,
    context: ({ sessionId, tenant, model }, _plugin, abortSignal) =>
      ({ sessionId, ...tenant, llmConfig: model, abortSignal }) as unknown as ExecutionContext,
  });
  return sourceOf(dexto, registrationsOf);
}

function withTicks(clock: ManualClock, ticks: boolean): ManualClock {
  let ticked = 0;
  return { ...clock, monotonic: () => clock.monotonic() + (ticks ? (ticked += 1) : 0) };
}

/** A tool whose call `a` makes `call a` happen and says `did a`. */
function workTool(happen: (moment: string) => Promise<void>): AgentTool {
  return {
    name: 'work',
    label: 'Work',
    description: 'Works.',
    parameters: { type: 'object', properties: { on: { type: 'string' } } },
    owner: { kind: 'plugin', pluginId: 'worker' },
    optional: false,
    mayWrite: true,
    prepare: (_context, params) =>
      Promise.resolve({
        effects: [],
        async run() {
          const on = String(params['on']);
          await happen(`call ${on}`);
          return { content: [{ type: 'text', text: `did ${on}` }] };
        },
      }),
  };
}

function scriptedModel(
  { answers = [], info }: TurnWorldOptions,
  asked: ModelRequest[],
  trace: string[],
  happen: (moment: string) => Promise<void>,
): Model {
  return {
    info: {
      provider: 'p',
      model: 'm',
      name: 'Model M',
      contextWindow: 1_000,
      maxOutputTokens: 100,
      toolCalling: true,
      ...info,
    },
    async *stream(request) {
      asked.push({ ...request, messages: [...request.messages] });
      const number = asked.length;
      trace.push(`model ${String(number)}: ${describeMessage(request.messages.at(-1)!)}`);
      const answer = answers[number - 1] ?? 'Done.';
      const events = eventsOf(answer);
      for (const [index, event] of events.entries()) {
        if (index === events.length - 1) await happen(`model ${String(number)}`);
        yield event;
      }
    },
  };
}

/** @throws the error of an answer that fails */
function eventsOf(answer: TurnAnswer): readonly ModelEvent[] {
  if (typeof answer === 'string')
    return [
      { type: 'text', text: answer },
      { type: 'done', stopReason: 'stop' },
    ];
  if ('events' in answer) return answer.events;
  if ('fails' in answer) throw answer.fails;
  const calls = answer.map((id) => ({ type: 'toolCall' as const, id, name: 'work', arguments: { on: id } }));
  return [...calls, { type: 'done', stopReason: 'toolUse' }];
}

/** The events that say what the loop did; text and numbers come with them. */
function describeEvent(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool_started':
      return `start ${event.call.id}`;
    case 'tool_ended':
      return `end ${event.call.id}${reasonOf(event.result.details)}`;
    case 'steered':
      return `steered: ${textOf(event.message)} (${String(event.skipped)} skipped)`;
    case 'follow_up':
      return `follow-up: ${textOf(event.message)}`;
    case 'message':
      return `answer: ${describeMessage(event.message).slice('assistant: '.length)}`;
    case 'notice':
      return `notice: ${event.text}`;
    case 'run_ended':
      return `ended: ${event.outcome.status}${event.outcome.status === 'failed' ? ` ${event.outcome.code}` : ''}`;
    default:
      return undefined;
  }
}

function reasonOf(details: unknown): string {
  const { status, reason, deniedReason } = (details ?? {}) as Readonly<Record<string, unknown>>;
  return status === undefined ? '' : ` (${[status, deniedReason ?? reason].filter(Boolean).join(' ')})`;
}

function describeMessage(message: AgentMessage): string {
  const words = textOf(message);
  if (message.role === 'toolResult') return `${message.toolCallId}: ${words}`;
  const calls = message.content.filter((part): part is ToolCallPart => part.type === 'toolCall');
  const ids = calls.length === 0 ? '' : `[${calls.map(({ id }) => id).join(' ')}]`;
  return `${message.role}: ${[words, ids].filter(Boolean).join(' ')}`;
}

function textOf(message: AgentMessage): string {
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ');
}
