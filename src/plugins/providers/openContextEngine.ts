// Threat: an engine reads every conversation and says what the model reads of it. It gets copies without secrets, each method has a time
// limit, and what it gives is measured and read once. It can leave out, shorten and add texts, but it can put no words into the user's
// mouth, no call into the agent's, and nothing in place of what the turn itself has said. One that fails is not asked again until it is loaded anew.
import { raceAbort, throwIfAborted } from '../../base/abort.ts';
import { errorMessage } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { estimateTokens } from '../../agent/context/estimateTokens.ts';
import type { CompactionResult } from '../../agent/context/compactSession.ts';
import type {
  AssembledHistory,
  AssembleRequest,
  EndedTurn,
  EngineCompaction,
  EngineCompactionRequest,
  OpenedEngine,
} from '../../agent/context/openedEngine.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { Clock } from '../../host/ports.ts';
import { runtimeCompaction } from '../../sdk/contextEngine.ts';
import type { Session } from '../../sessions/session.ts';
import { askHostProvider, redactTexts } from './askHostProvider.ts';
import { readHistory } from './readHistory.ts';
import type { HostProvider } from './pluginProvider.ts';
import { toStreamMessages } from './toStreamContext.ts';

export interface ContextEngineDeps {
  readonly clock: Clock;
  /** Takes secrets out of what the plugin reads and says. */
  readonly redact: (text: string) => string;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly workspaceDir: string | undefined;
  /** Text of the engine's own has entered the session. */
  readonly noteText: () => void;
  /** Engines that have failed, by their factory. */
  readonly broken: WeakSet<HostProvider['run']>;
  /** What the engine still does for the turn before, which comes first. */
  readonly before: Promise<void>;
}

/** Milliseconds that an engine has for the history, for making room by itself, and for taking up a turn. */
const timeoutsMs = { assemble: 30_000, compact: 60_000, takeUp: 60_000, dispose: 10_000 } as const;
const maxAddition = 20_000;
const maxSummary = 100_000;

type Method = (params: object) => Promise<unknown>;

/** What its factory made, each field read once. */
interface Engine {
  readonly ownsCompaction: boolean;
  readonly commitsTurns: boolean;
  /** The optional fields of its parameters that it wants; undefined, all. */
  readonly accepted: ReadonlySet<string> | undefined;
  /** Undefined where it has no such method. */
  method(name: string): Method | undefined;
  /** @throws Error where it has no such method */
  required(name: string): Method;
}

/** An engine of a plugin for one turn of this session, or for one compaction. Its factory is called at the first need. */
export function openContextEngine(
  provider: HostProvider,
  session: Session,
  deps: ContextEngineDeps,
): OpenedEngine {
  const { clock, redact, broken } = deps;
  const name = `The context engine "${provider.id}" of plugin "${provider.pluginId}"`;
  let made: Promise<Engine> | undefined;
  let isBooted = false;

  const open = (): Promise<Engine> => (made ??= makeEngine(provider, deps.workspaceDir));
  const guarded = async <T>(
    signal: AbortSignal,
    timeoutMs: number,
    work: (signal: AbortSignal, pause: <R>(work: () => Promise<R>) => Promise<R>) => Promise<T>,
  ): Promise<T | undefined> => {
    await raceAbort(deps.before, signal);
    if (broken.has(provider.run)) return undefined;
    try {
      return await askHostProvider(provider, { clock, redact, signal, timeoutMs, hint }, work);
    } catch (error) {
      throwIfAborted(signal);
      broken.add(provider.run);
      deps.report(engineFailed(provider.pluginId, errorMessage(error)));
      return undefined;
    }
  };
  const copies = (messages: readonly AgentMessage[]): unknown =>
    redactTexts(toStreamMessages(messages), redact);
  const target = { agentId: session.agentId, sessionId: session.id, sessionKey: session.key };
  /** What each method is told, as far as the engine wants it. */
  const facts = (
    { accepted }: Engine,
    tokenBudget: number,
    more: Readonly<Record<string, unknown>> = {},
  ): object => {
    const optional: Readonly<Record<string, unknown>> = {
      sessionKey: session.key,
      sessionTarget: { ...target },
      runtimeContext: { tokenBudget, sessionTarget: { ...target } },
      ...more,
    };
    const wanted = Object.entries(optional).filter(([key]) => accepted?.has(key) ?? true);
    return { sessionId: session.id, ...Object.fromEntries(wanted) };
  };

  const boot = async (engine: Engine, tokenBudget: number): Promise<void> => {
    if (isBooted) return;
    isBooted = true;
    await engine.method('bootstrap')?.({ ...facts(engine, tokenBudget), sessionFile: session.file });
  };

  return {
    name,
    assemble: ({ history, model, tokenBudget, toolNames, prompt, signal }: AssembleRequest) =>
      guarded(signal, timeoutsMs.assemble, async (signal): Promise<AssembledHistory> => {
        const engine = await open();
        await boot(engine, tokenBudget);
        throwIfAborted(signal);
        const given = copies(history);
        const answer = await engine.required('assemble')({
          ...facts(engine, tokenBudget, { prompt: redact(prompt) }),
          messages: given,
          tokenBudget,
          availableTools: new Set(toolNames),
          citationsMode: 'on',
          model: model.model,
        });
        if (!isRecord(answer)) throw new Error('assemble gave no object with messages');
        const { messages, systemPromptAddition, promptAuthority } = answer;
        const isHosts = !engine.ownsCompaction;
        const addition = readAddition(systemPromptAddition, redact);
        const room = tokenBudget - estimateTokens(addition);
        const read = readHistory(messages, { history, copies: copies(history), tokenBudget: room, redact });
        if (addition !== '' || read.some((message) => !history.includes(message))) deps.noteText();
        return {
          messages: read,
          systemPromptAddition: addition,
          measuredBy:
            promptAuthority === 'preassembly_may_overflow' ? 'session' : isHosts ? 'assembled' : 'engine',
        };
      }),

    compact: ({
      tokenBudget,
      currentTokens,
      force,
      instructions,
      signal,
      delegate,
    }: EngineCompactionRequest) =>
      guarded(signal, timeoutsMs.compact, async (signal, pause): Promise<EngineCompaction | undefined> => {
        const engine = await open();
        let delegated: Promise<CompactionResult> | undefined;
        // What it was given may be called again whenever the plugin likes: the host compacts once, and while this is its work.
        const byHost = async (): Promise<object> => {
          throwIfAborted(signal);
          if (isOver) throw new Error('the compaction is over');
          return toUpstream(await (delegated ??= pause(delegate)));
        };
        let isOver = false;
        const answer = await engine.required('compact')({
          ...facts(engine, tokenBudget),
          sessionKey: session.key,
          agentId: session.agentId,
          tokenBudget,
          currentTokenCount: currentTokens,
          force,
          compactionTarget: 'budget',
          ...(instructions === undefined ? {} : { customInstructions: redact(instructions) }),
          abortSignal: signal,
          [runtimeCompaction]: byHost,
        });
        isOver = true;
        if (delegated !== undefined) return { outcome: 'delegated', result: await delegated };
        return readCompaction(answer, engine, redact);
      }),

    async takeUp({ runId, history, said, tokenBudget }: EndedTurn) {
      const [first] = said;
      const last = said.at(-1);
      if (first === undefined || last === undefined) return;
      const never = new AbortController().signal;
      await guarded(never, timeoutsMs.takeUp, async () => {
        const engine = await open();
        const own = said.map(({ message }) => message);
        const common = facts(engine, tokenBudget);
        const commit = engine.commitsTurns ? engine.method('commitTurn') : undefined;
        const afterTurn = engine.method('afterTurn');
        const ingestBatch = engine.method('ingestBatch');
        if (commit !== undefined) {
          const admission = { ...anchorOf(session, first.entryId), logicalTurnId: runId, role: 'user' };
          const terminal = anchorOf(session, last.entryId);
          await commit({ ...common, advancementKey: runId, admission, terminal, messages: copies(own) });
        } else if (afterTurn !== undefined)
          await afterTurn({
            ...common,
            sessionFile: session.file,
            messages: copies([...history, ...own]),
            prePromptMessageCount: history.length,
            tokenBudget,
          });
        else if (ingestBatch !== undefined) await ingestBatch({ ...common, messages: copies(own) });
        else {
          const ingest = engine.required('ingest');
          for (const message of copies(own) as readonly object[]) await ingest({ ...common, message });
        }
      });
    },

    async close() {
      if (made === undefined) return;
      const never = new AbortController().signal;
      await guarded(never, timeoutsMs.dispose, async () => (await open()).method('dispose')?.({}));
    },
  };
}

const hint = 'Look at the plugin, or set plugins.slots.contextEngine of your config to "legacy".';

function engineFailed(pluginId: string, message: string): Diagnostic {
  return {
    level: 'warn',
    code: 'context_engine_failed',
    message: `${message} It is not asked again until it is loaded anew; the models read the conversation as Pincer keeps it.`,
    pluginId,
    hint,
  };
}

async function makeEngine(provider: HostProvider, workspaceDir: string | undefined): Promise<Engine> {
  const engine: unknown = await provider.run({
    config: provider.currentConfig(),
    ...(workspaceDir === undefined ? {} : { workspaceDir }),
  });
  if (!isRecord(engine)) throw new Error('its factory gave no engine');
  const { info } = engine;
  const { ownsCompaction, acceptedHostParams, transcriptSemantics } = isRecord(info) ? info : {};
  const { currentTurnFence, turnAdvancementIdempotency } = isRecord(transcriptSemantics)
    ? transcriptSemantics
    : {};
  const method = (name: string): Method | undefined => {
    const found = engine[name];
    if (typeof found !== 'function') return undefined;
    return async (params) =>
      await provider.call(
        `${name} of the context engine ${provider.id}`,
        () => Reflect.apply(found, engine, [params]) as unknown,
      );
  };
  return {
    ownsCompaction: ownsCompaction === true,
    commitsTurns:
      currentTurnFence === 'before-current-turn-entry-v1' &&
      turnAdvancementIdempotency === 'atomic-idempotent-v1',
    accepted: Array.isArray(acceptedHostParams)
      ? new Set(acceptedHostParams.filter((each) => typeof each === 'string'))
      : undefined,
    method,
    required(name) {
      const found = method(name);
      if (found === undefined) throw new Error(`it has no function ${name}`);
      return found;
    },
  };
}

function readAddition(value: unknown, redact: (text: string) => string): string {
  if (value == null) return '';
  if (typeof value !== 'string') throw new Error('assemble gave a systemPromptAddition that is no text');
  if (value.length > maxAddition) throw new Error('assemble gave a systemPromptAddition that is too long');
  return redact(value.trim());
}

/** An engine that does not own the compaction and has done nothing leaves it to the host. */
function readCompaction(
  answer: unknown,
  { ownsCompaction }: Engine,
  redact: (text: string) => string,
): EngineCompaction | undefined {
  if (!isRecord(answer)) throw new Error('compact gave no result');
  const { ok, compacted, reason, result } = answer;
  const why = typeof reason === 'string' && reason !== '' ? redact(reason) : 'it gave no reason';
  if (ok !== true) throw new Error(`it could not compact: ${why}`);
  if (compacted !== true) return ownsCompaction ? { outcome: 'nothing', reason: why } : undefined;
  const summary = isRecord(result) ? result['summary'] : undefined;
  if (typeof summary !== 'string' || summary.trim() === '') return { outcome: 'own' };
  if (summary.length > maxSummary) throw new Error('it gave a text too long for a summary');
  return { outcome: 'summary', text: redact(summary.trim()) };
}

/** What the host's own compaction came to, in upstream's shape. */
function toUpstream(result: CompactionResult): object {
  if (result.status === 'nothing') return { ok: true, compacted: false, reason: result.reason };
  if (result.status === 'failed') return { ok: false, compacted: false, reason: result.because.message };
  const { summary, tokensBefore, tokensAfter, firstKeptId } = result.entry;
  const kept = firstKeptId === null ? {} : { firstKeptEntryId: firstKeptId };
  return { ok: true, compacted: true, result: { summary, tokensBefore, tokensAfter, ...kept } };
}

/** Where an entry stands in the transcript. */
function anchorOf(session: Session, entryId: string): object {
  const entries = session.entries();
  const at = entries.findIndex(({ id }) => id === entryId);
  const said = entries.slice(0, at).filter(({ type }) => type === 'message');
  return {
    agentId: session.agentId,
    sessionId: session.id,
    sessionKey: session.key,
    storePath: session.file,
    generation: session.id,
    entryId,
    rawSeq: at,
    effectiveParentId: entries[at]?.parentId ?? null,
    activeMessagePosition: said.length,
  };
}
