import { createHash } from 'node:crypto';
import { raceAbort } from '../base/abort.ts';
import { errorMessage, PincerError } from '../base/errors.ts';
import { isTooDeep, maxJsonDepth } from '../base/json.ts';
import type {
  AssistantMessage,
  StopReason,
  TokenUsage,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  AgentMessage,
} from '../contracts/message.ts';
import type { Model, ModelEvent, ModelInfo, ModelRequest } from '../contracts/model.ts';
import type { ModelCallEndedEvent, ModelCallStartedEvent } from '../hooks/payloads/agentHooks.ts';
import type { StepFacts } from '../traces/runTrace.ts';
import type { AgentTurn, ModelCallEvent } from './turn.ts';

/** Hears of an answer as it arrives. */
export interface AnswerListener {
  text(text: string): void;
  thinking(text: string): void;
  /** Before anything of the answer: it is asked for again, or of another model. */
  delayed(event: Extract<ModelEvent, { type: 'retry' | 'fallback' }>): void;
}

export interface ModelAnswer {
  readonly message: AssistantMessage;
  /** The model that wrote it: not the one that was asked where another stood in. */
  readonly model: ModelInfo;
  /** The server's own name of the request. */
  readonly requestId?: string;
  readonly error?: PincerError;
}

/**
 * Reads one answer of a model to its end, passing on what arrives.
 *
 * Never rejects: a failure or a cancel gives a message with the text that had arrived, stop reason `error` or `aborted`, and no
 * tool calls, since a call of a broken answer must not run. Leaves the stream within one event after the signal aborts, even
 * if the model ignores the signal. The model is asked at once and heard once `ready` resolves; where that rejects, so the answer failed.
 */
export async function readAnswer(
  asked: Model,
  request: ModelRequest,
  listener: AnswerListener,
  now: () => number,
  ready: Promise<void> = Promise.resolve(),
): Promise<ModelAnswer> {
  const content = createAnswerContent();
  let model = asked.info;
  let stopReason: StopReason | undefined;
  let usage: TokenUsage | undefined;
  let requestId: string | undefined;
  const finish = (reason: StopReason, error?: PincerError): ModelAnswer => {
    const message: AssistantMessage = {
      role: 'assistant',
      content: error === undefined ? content.parts() : content.text(),
      provider: model.provider,
      model: model.model,
      stopReason: reason,
      timestamp: now(),
      ...(usage === undefined ? {} : { usage }),
      ...(error === undefined ? {} : { errorMessage: error.message }),
    };
    const named = { message, model, ...(requestId === undefined ? {} : { requestId }) };
    return error === undefined ? named : { ...named, error };
  };
  const take = (event: ModelEvent): void => {
    switch (event.type) {
      case 'fallback':
        model = event.to;
        listener.delayed(event);
        break;
      case 'retry':
        listener.delayed(event);
        break;
      case 'done':
        stopReason = event.stopReason;
        usage = event.usage;
        requestId = event.requestId;
        break;
      default:
        content.add(event);
        if (event.type === 'text') listener.text(event.text);
        if (event.type === 'thinking') listener.thinking(event.text);
    }
  };

  const events = asked.stream(request)[Symbol.asyncIterator]();
  try {
    let [next] = await raceAbort(Promise.all([events.next(), ready]), request.signal);
    while (next.done !== true) {
      take(next.value);
      next = await raceAbort(events.next(), request.signal);
    }
  } catch (error) {
    // Tells the model to stop; it may be waiting itself, so nobody waits for it.
    void Promise.resolve(events.return?.()).catch(() => undefined);
    const cancelled = request.signal.aborted;
    return finish(cancelled ? 'aborted' : 'error', toModelError(model, error));
  }
  if (stopReason !== undefined) return finish(stopReason);
  const cut = new PincerError('model_malformed', `${model.name} stopped in the middle of its answer.`, {
    hint: 'Send the message again.',
  });
  return finish('error', cut);
}

function toModelError(model: ModelInfo, error: unknown): PincerError {
  if (error instanceof PincerError) return error;
  return new PincerError('model_unavailable', `${model.name} failed: ${errorMessage(error)}`, {
    cause: error,
  });
}

type Part = AssistantMessage['content'][number];

/** Puts an answer together from what a model's stream brings, in the order it came. */
interface AnswerContent {
  add(event: Extract<ModelEvent, { type: 'text' | 'thinking' | 'thinkingEnd' | 'toolCall' }>): void;
  /** Everything, complete. */
  parts(): readonly Part[];
  /**
   * What may be kept of an answer that broke off: its text. A call of it must not run, and a thought without its signature is
   * refused by the server that gave it.
   */
  text(): readonly TextPart[];
}

function createAnswerContent(): AnswerContent {
  const parts: Part[] = [];
  let isThoughtOpen = false;

  const addText = (text: string): void => {
    if (text === '') return;
    const last = parts.at(-1);
    if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: last.text + text };
    else parts.push({ type: 'text', text });
  };
  const openThought = (): ThinkingPart => {
    const last = parts.at(-1);
    return isThoughtOpen && last?.type === 'thinking' ? last : { type: 'thinking', thinking: '' };
  };
  const putThought = (thought: ThinkingPart): void => {
    if (isThoughtOpen && parts.at(-1)?.type === 'thinking') parts[parts.length - 1] = thought;
    else parts.push(thought);
  };

  return {
    add(event) {
      if (event.type === 'thinking') {
        const thought = openThought();
        putThought({ ...thought, thinking: thought.thinking + event.text });
        isThoughtOpen = true;
        return;
      }
      if (event.type === 'thinkingEnd') {
        putThought({ ...openThought(), ...signatureOf(event) });
        isThoughtOpen = false;
        return;
      }
      isThoughtOpen = false;
      if (event.type === 'text') addText(event.text);
      else parts.push({ ...callOf(event), id: freeId(parts, event.id) });
    },
    parts: () => parts.filter((part) => part.type !== 'thinking' || !isEmpty(part)),
    text: () => parts.filter((part) => part.type === 'text'),
  };
}

/** A result names its call by its id: a second call with the same one gets another. */
function freeId(parts: readonly Part[], id: string): string {
  const isTaken = (wanted: string): boolean =>
    parts.some((part) => part.type === 'toolCall' && part.id === wanted);
  let free = id;
  for (let count = 2; isTaken(free); count += 1) free = `${id}-${String(count)}`;
  return free;
}

function isEmpty({ thinking, thinkingSignature }: ThinkingPart): boolean {
  return thinking === '' && thinkingSignature === undefined;
}

function signatureOf({
  signature,
  redacted,
}: Extract<ModelEvent, { type: 'thinkingEnd' }>): Pick<ThinkingPart, 'thinkingSignature' | 'redacted'> {
  return {
    ...(signature === undefined ? {} : { thinkingSignature: signature }),
    ...(redacted === true ? { redacted } : {}),
  };
}

function callOf({
  id,
  name,
  arguments: params,
  problem,
  thoughtSignature,
}: Extract<ModelEvent, { type: 'toolCall' }>): ToolCallPart {
  const tooDeep = isTooDeep(params) ? `they are nested more than ${maxJsonDepth} levels deep` : undefined;
  const why = problem ?? tooDeep;
  return {
    type: 'toolCall',
    id,
    name,
    ...(why === undefined ? { arguments: params } : { arguments: {}, problem: why }),
    ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
  };
}

/** The hooks around each model call, and who else hears of it. All of them observe: nothing waits for them. */
export interface ModelHooks {
  beforeModel(systemPrompt: string, messages: readonly AgentMessage[]): void;
  afterModel(answer: ModelAnswer): void;
}

export function createModelHooks(turn: AgentTurn): ModelHooks {
  const { hooks, input, runId, clock } = turn;
  const { session } = input;
  let callId = '';
  let callStarted = 0;
  let prompt: ModelCallEvent['prompt'] = { systemPrompt: '', messages: [], tools: [] };
  const ids = () => ({
    runId,
    sessionId: session.id,
    provider: turn.model.provider,
    model: turn.model.model,
  });
  const call = (): ModelCallStartedEvent => ({
    ...ids(),
    callId,
    sessionKey: session.key,
    ...(turn.model.api === undefined ? {} : { api: turn.model.api }),
    ...(turn.model.transport === undefined ? {} : { transport: turn.model.transport }),
    ...turn.contextWindow(),
  });
  return {
    beforeModel(systemPrompt, messages) {
      callId = crypto.randomUUID();
      callStarted = clock.monotonic();
      prompt = { systemPrompt, messages, tools: turn.tools };
      if (hooks.has('llm_input')) {
        const event = {
          ...ids(),
          systemPrompt,
          prompt: turn.words.text,
          historyMessages: messages,
          imagesCount: messages.flatMap((each) => each.content.filter((part) => part.type === 'image'))
            .length,
          tools: turn.tools,
        };
        turn.inBackground(hooks.observe('llm_input', event, turn.agentContext()));
      }
      if (hooks.has('model_call_started'))
        turn.inBackground(hooks.observe('model_call_started', call(), turn.agentContext()));
      input.onModelCall?.({ call: call(), prompt });
    },

    afterModel(answer) {
      const { message, error, requestId } = answer;
      turn.trace(modelStep(answer), callStarted);
      const ended = {
        durationMs: clock.monotonic() - callStarted,
        outcome: error === undefined ? ('completed' as const) : ('error' as const),
        ...(error === undefined ? {} : { errorCategory: error.code, ...failureKindOf(error.code) }),
        ...(requestId === undefined ? {} : { upstreamRequestIdHash: hashOf(requestId) }),
      };
      if (hooks.has('model_call_ended'))
        turn.inBackground(hooks.observe('model_call_ended', { ...call(), ...ended }, turn.agentContext()));
      input.onModelCall?.({ call: call(), prompt, ended: { ...ended, usage: message.usage } });
      if (hooks.has('llm_output')) {
        const event = {
          ...ids(),
          ...turn.contextWindow(),
          resolvedRef: `${turn.model.provider}/${turn.model.model}`,
          harnessId: 'pincer',
          prompt: turn.words.text,
          assistantTexts: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
          lastAssistant: message,
          ...(message.usage === undefined ? {} : { usage: message.usage }),
        };
        turn.inBackground(hooks.observe('llm_output', event, turn.agentContext()));
      }
    },
  };
}

type FailureKind = NonNullable<ModelCallEndedEvent['failureKind']>;

/** Upstream's words for what ended a connection; other failures have none. */
const failureKinds: Readonly<Record<string, FailureKind>> = {
  cancelled: 'aborted',
  model_aborted: 'aborted',
  model_timeout: 'timeout',
  model_offline: 'connection_closed',
  model_malformed: 'terminated',
};

function failureKindOf(code: string): { readonly failureKind?: FailureKind } {
  const failureKind = failureKinds[code];
  return failureKind === undefined ? {} : { failureKind };
}

function modelStep({ message, error }: ModelAnswer): StepFacts {
  const { provider, model, usage, stopReason, content } = message;
  const outcome = stopReason === 'aborted' ? 'cancelled' : error === undefined ? 'answered' : 'failed';
  return {
    kind: 'model',
    provider,
    model,
    outcome,
    toolCalls: content.filter((part) => part.type === 'toolCall').length,
    ...(usage === undefined ? {} : { usage }),
    ...(outcome === 'failed' && error !== undefined ? { error: error.message } : {}),
  };
}

/** What the model thought, as far as its server shows it. */
export function reasoningOf({ content }: AssistantMessage): string {
  const texts = content.flatMap((part) => (part.type === 'thinking' ? [part.thinking] : []));
  return texts.filter((text) => text !== '').join('\n\n');
}

/**
 * The answer with the text that a plugin made of it, and with `reasoning` in place of its thoughts, where a plugin changed those too.
 * Where none did they may still hold what was taken out of the text: they go, unless the server needs them beside its calls. Pure.
 */
export function withAnswer(answer: AssistantMessage, text: string, reasoning?: string): AssistantMessage {
  const calls = answer.content.filter((part) => part.type === 'toolCall');
  const kept = calls.length > 0 ? thoughtsOf(answer) : [];
  const thoughts = reasoning === undefined ? kept : thoughtsWith(reasoning);
  return { ...answer, content: [...thoughts, ...textsWith(text), ...calls] };
}

/**
 * What the model reads of its answer while the turn goes on: a server refuses calls without the signed thoughts that it made them
 * with. So where a plugin changed the thoughts of `answer` into those of `released`, which `stored` holds, the model gets its own back.
 * Pure.
 */
export function withOwnThoughts(
  stored: AssistantMessage,
  released: AssistantMessage,
  answer: AssistantMessage,
): AssistantMessage {
  const isStoredSo = hasSameThoughts(stored, released);
  const hasCalls = stored.content.some((part) => part.type === 'toolCall');
  if (hasSameThoughts(released, answer) || !isStoredSo || !hasCalls) return stored;
  const rest = stored.content.filter((part) => part.type !== 'thinking');
  return { ...stored, content: [...thoughtsOf(answer), ...rest] };
}

function hasSameThoughts(one: AssistantMessage, other: AssistantMessage): boolean {
  return JSON.stringify(thoughtsOf(one)) === JSON.stringify(thoughtsOf(other));
}

function thoughtsOf({ content }: AssistantMessage): readonly ThinkingPart[] {
  return content.filter((part) => part.type === 'thinking');
}

/** Without signatures: each holds only for the thought that it was made for. */
function thoughtsWith(thinking: string): readonly Part[] {
  return thinking === '' ? [] : [{ type: 'thinking', thinking }];
}

function textsWith(text: string): readonly Part[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** The text parts of a message as one string. */
export function textOf(message: AgentMessage): string {
  return message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** For ids and texts that are compared, not told. Pure. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
