import type { StopOrigin } from '../contracts/agentEvent.ts';
import type { AgentMessage, AssistantMessage } from '../contracts/message.ts';
import type { HookOutcome } from '../hooks/hookTypes.ts';
import type { AnswerPayload } from '../hooks/payloads/pointHooks.ts';
import { capResult } from '../tools/pipeline/toolResult.ts';
import { reasoningOf, withAnswer, textOf, hashOf } from './answer.ts';
import type { AgentTurn } from './turn.ts';
import type { TurnMessage } from './turnMessages.ts';

/** The hooks between a model's answer and what the user sees and the transcript keeps. */
export interface OutputHooks {
  /** Shows text at once, or holds it while a plugin must see the whole answer first. */
  showText(text: string): void;
  /** Shows a thought at once; where plugins must see answers first, thoughts are not shown at all. */
  showThinking(text: string): void;
  /** True where text was held that no plugin has passed yet: the user has not seen it, and it may not be stored. */
  holdsText(): boolean;
  /**
   * `message_sending`, then `beforeResponse`, for an answer that is complete; shows the text that was held. Gives back what may
   * be stored.
   */
  releaseText(message: AssistantMessage): Promise<ReleasedAnswer>;
  /** `before_message_write`, then the transcript. Gives back what a model reads, as it was stored, and its entry where it was. */
  store<M extends AgentMessage>(message: M, id?: string): Promise<StoredTurnMessage<M>>;
  /** The same for who goes on meanwhile; `saved` resolves once it is on disk, and rejects where it can't be stored. */
  put<M extends AgentMessage>(
    message: M,
    id?: string,
  ): StoredTurnMessage<M> & { readonly saved: Promise<void> };
  /** What a plugin wants revised before the answer counts; undefined where it stands. */
  beforeFinalize(final: AssistantMessage, messages: readonly AgentMessage[]): Promise<string | undefined>;
  /** `agent_end`, once for each turn: the first call counts. */
  agentEnd(
    event: { readonly success: boolean; readonly error?: string; readonly durationMs: number },
    final?: AssistantMessage,
  ): void;
  /** `message_sent`, for an answer with text that was shown or withheld; `entryId` where it was stored. */
  messageSent(released: ReleasedAnswer, entryId: string | undefined): void;
}

/** An answer as plugins let it go. */
export interface ReleasedAnswer {
  /** What may be stored: without the text of a delivery that was cancelled. */
  readonly message: AssistantMessage;
  /** What the user sees, which is who withheld the answer where somebody did. */
  readonly shown: string;
  readonly withheldBy?: Cancel;
  /** Who put other words in the place of the answer: at `beforeResponse`, or whoever withheld it. */
  readonly stoppedBy?: StopOrigin;
  /** True where a plugin has taken its delivery to a channel over. */
  readonly isDispatched?: boolean;
  /** What handlers of `message_sending` made of its metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

type StoredTurnMessage<M> = TurnMessage & { readonly message: M };

export function createOutputHooks(turn: AgentTurn): OutputHooks {
  const { hooks, input, runId, agentId } = turn;
  const { session, signal } = input;
  const budget = createFinalizeBudget();
  // What such a plugin has not seen yet must not be on the screen.
  const isVetted = (): boolean =>
    hooks.has('message_sending') ||
    hooks.has('reply_payload_sending') ||
    hooks.has('before_agent_finalize') ||
    hooks.has('beforeResponse') ||
    (input.remote !== undefined && hooks.has('reply_dispatch'));
  const decideText = async (message: AssistantMessage): Promise<Omit<ReleasedAnswer, 'shown'>> => {
    const text = textOf(message);
    if (text === '') return { message };
    if (input.remote !== undefined && !hasCalls(message) && (await input.remote.dispatch(text)))
      return { message, isDispatched: true };
    const payload = await decidePayload(turn, text, hasCalls(message) ? 'block' : 'final');
    const { cancel, content, metadata } =
      payload.cancel === undefined ? await decideMessage(turn, payload.text) : { ...payload, content: '' };
    if (cancel !== undefined) return { message: withoutText(message, cancel), withheldBy: cancel };
    return {
      message: content === text ? message : withAnswer(message, content),
      ...(metadata === undefined ? {} : { metadata }),
    };
  };
  const add = <M extends AgentMessage>(
    given: M,
    entryId: string | undefined,
  ): StoredTurnMessage<M> & { readonly saved: Promise<void> } => {
    const { id, message, saved } = session.add(given, entryId);
    return { message, entryId: id, saved };
  };
  const put: OutputHooks['put'] = (message, entryId) => {
    if (!hooks.has('before_message_write')) return add(message, entryId);
    const decided = hooks.sync(
      'before_message_write',
      { message, sessionKey: session.key, agentId },
      { agentId, sessionKey: session.key },
    );
    if (decided.block !== undefined)
      return { message: withheld(message, decided.block.pluginId), saved: Promise.resolve() };
    // A hook that swaps the role would break the conversation: only a message of the same role counts.
    const kept = decided.message.role === message.role ? (decided.message as typeof message) : message;
    const capped = kept.role === 'toolResult' ? (capResult(kept) as typeof message) : kept;
    const stored = withOrigin(capped, message);
    return add(stored, entryId);
  };
  let isHolding = false;
  let revisions = 0;
  let hasEnded = false;
  return {
    showText(text) {
      if (isVetted()) isHolding = true;
      else input.emit({ type: 'text', text });
    },

    showThinking(text) {
      if (!isVetted()) input.emit({ type: 'thinking', text });
    },

    // A plugin that held text and was disabled since has not passed it either.
    holdsText: () => isHolding,

    async releaseText(message) {
      const held = isHolding;
      isHolding = false;
      if (!held && !isVetted()) return { message, shown: textOf(message) };
      const decided = await decideText(message);
      const { withheldBy } = decided;
      const isNothingLeft = withheldBy !== undefined && !hasCalls(message);
      const { answer: released, block } = isNothingLeft
        ? { answer: decided.message }
        : await decideAnswer(turn, decided.message);
      const shown = textOf(released) || (withheldBy === undefined ? '' : withheldText(withheldBy));
      if (shown !== '') input.emit({ type: 'text', text: shown });
      const stoppedBy = block ?? (withheldBy === undefined ? undefined : { pluginId: withheldBy.pluginId });
      return { ...decided, message: released, shown, ...(stoppedBy === undefined ? {} : { stoppedBy }) };
    },

    put,
    async store(message, id) {
      const { saved, ...stored } = put(message, id);
      await saved;
      return stored;
    },

    async beforeFinalize(final, messages) {
      if (!hooks.has('before_agent_finalize')) return undefined;
      const event = {
        runId,
        sessionId: session.id,
        sessionKey: session.key,
        turnId: runId,
        transcriptPath: session.file,
        stopHookActive: revisions > 0,
        provider: turn.model.provider,
        model: turn.model.model,
        lastAssistantMessage: textOf(final),
        messages,
        ...(input.workspaceDir === undefined ? {} : { cwd: input.workspaceDir }),
      };
      const revision = budget.takeRevision(
        await hooks.modify('before_agent_finalize', event, turn.agentContext(), signal),
      );
      if (revision !== undefined) revisions += 1;
      return revision;
    },

    agentEnd(event, final) {
      if (hasEnded) return;
      hasEnded = true;
      if (!hooks.has('agent_end')) return;
      const messages = final === undefined ? session.messages() : [...session.messages(), final];
      turn.inBackground(hooks.observe('agent_end', { ...event, runId, messages }, turn.agentContext()));
    },

    messageSent({ message, shown, withheldBy, isDispatched = false, metadata }, messageId) {
      if (shown === '') return;
      if (input.remote !== undefined) {
        if (hasCalls(message)) return;
        input.remote.answered({
          text: shown,
          isDispatched,
          ...(withheldBy === undefined ? {} : { withheld: withheldText(withheldBy) }),
          ...(messageId === undefined ? {} : { entryId: messageId }),
          ...(metadata === undefined ? {} : { metadata }),
        });
        return;
      }
      const event = {
        to: 'user',
        content: shown,
        success: withheldBy === undefined,
        ...(messageId === undefined ? {} : { messageId }),
        ...(withheldBy === undefined ? {} : { error: withheldText(withheldBy) }),
        ...(metadata === undefined ? {} : { metadata }),
      };
      turn.tellInternal('sent', event);
      if (!hooks.has('message_sent')) return;
      turn.inBackground(hooks.observe('message_sent', event, turn.messageContext(messageId)));
    },
  };
}

/** How a message came is no plugin's to say: a forged `inboxId` would make another one count as read. */
function withOrigin<M extends AgentMessage>(kept: M, given: M): M {
  if (kept.role !== 'user' || given.role !== 'user') return kept;
  const { via: _via, inboxId: _inboxId, blocked: _blocked, ...rest } = kept;
  const { via, inboxId, blocked } = given;
  const origin = {
    ...(via === undefined ? {} : { via }),
    ...(inboxId === undefined ? {} : { inboxId }),
    ...(blocked === undefined ? {} : { blocked }),
  };
  return { ...rest, ...origin } as M;
}

interface Cancel {
  readonly pluginId: string;
  readonly reason?: string;
}

/** `reply_payload_sending`: the text as it is to be shown, or who withheld it. */
async function decidePayload(
  turn: AgentTurn,
  text: string,
  kind: 'block' | 'final',
): Promise<{ readonly text: string; readonly cancel?: Cancel }> {
  const { hooks, input, runId } = turn;
  if (!hooks.has('reply_payload_sending')) return { text };
  const event = {
    payload: { text },
    kind,
    channel: input.remote?.channel ?? input.surface,
    sessionKey: input.session.key,
    runId,
  };
  const { payload, cancel } = await hooks.modify(
    'reply_payload_sending',
    event,
    turn.messageContext(turn.messageId),
    input.signal,
  );
  return { text: payload.text ?? text, ...(cancel === undefined ? {} : { cancel }) };
}

/** `message_sending`: the text as it is to be shown, and what handlers say beside it. */
async function decideMessage(turn: AgentTurn, text: string): Promise<HookOutcome<'message_sending'>> {
  const { hooks, input, messageId } = turn;
  if (!hooks.has('message_sending')) return { content: text };
  const event = {
    to: input.remote?.to ?? 'user',
    content: text,
    replyToId: input.remote?.messageId ?? messageId,
    metadata: { channel: input.remote?.channel ?? input.surface },
    ...(input.remote?.threadId === undefined ? {} : { threadId: input.remote.threadId }),
  };
  return await hooks.modify('message_sending', event, turn.messageContext(messageId), input.signal);
}

/** `beforeResponse`: the answer as it may be shown and stored; the same one where nothing changes. @throws PincerError `cancelled` */
async function decideAnswer(
  turn: AgentTurn,
  answer: AssistantMessage,
): Promise<{ readonly answer: AssistantMessage; readonly block?: StopOrigin }> {
  const { hooks, input } = turn;
  if (!hooks.has('beforeResponse')) return { answer };
  const given = toAnswerPayload(answer, input.session.id);
  // An answer that only asks for tools says nothing to anybody.
  if (hasCalls(answer) && given.content === '' && given.reasoning === undefined) return { answer };
  const { payload, block } = await hooks.modify('beforeResponse', given, turn.pointContext(), input.signal);
  if (block !== undefined) {
    const { pluginId, httpStatus, code } = block;
    return { answer: withAnswer(answer, block.message, ''), block: { pluginId, httpStatus, code } };
  }
  const { content, reasoning = '' } = payload;
  const hasNewThoughts = reasoning !== (given.reasoning ?? '');
  if (content === given.content && !hasNewThoughts) return { answer };
  return { answer: withAnswer(answer, content, hasNewThoughts ? reasoning : undefined) };
}

function toAnswerPayload(answer: AssistantMessage, sessionId: string): AnswerPayload {
  const { provider, model, usage } = answer;
  const reasoning = reasoningOf(answer);
  return {
    content: textOf(answer),
    ...(reasoning === '' ? {} : { reasoning }),
    provider,
    model,
    ...(usage === undefined ? {} : { tokenUsage: { input: usage.input, output: usage.output } }),
    sessionId,
  };
}

function hasCalls({ content }: AssistantMessage): boolean {
  return content.some((part) => part.type === 'toolCall');
}

/** The host's words are not the model's: a model that reads the conversation later finds no answer there. */
function withoutText(answer: AssistantMessage, cancel: Cancel): AssistantMessage {
  return { ...withAnswer(answer, ''), errorMessage: withheldText(cancel) };
}

function withheldText({ pluginId, reason }: Cancel): string {
  return `Plugin ${pluginId} withheld this answer${reason === undefined ? '.' : `: ${reason}`}`;
}

/** The model still needs an answer to its call; everything else it simply does not see again. */
function withheld<M extends AgentMessage>(message: M, pluginId: string): M {
  return {
    ...message,
    content: [{ type: 'text', text: `Plugin ${pluginId} kept this out of the transcript.` }],
  };
}

/** Counts the extra passes that plugins ask for in one run, so that a revision can't go on for ever (OpenClaw hooks, Prompt and model hooks). */
interface FinalizeBudget {
  /** What the model is told to revise, or undefined where the answer stands. */
  takeRevision(outcome: HookOutcome<'before_agent_finalize'>): string | undefined;
}

/** Upstream's bound; a run that comes to it gets no further revisions. */
const maxEntries = 2_048;

function createFinalizeBudget(): FinalizeBudget {
  const used = new Map<string, number>();
  const take = (key: string, max: number): boolean => {
    const attempts = used.get(key) ?? 0;
    if (attempts >= max || (attempts === 0 && used.size >= maxEntries)) return false;
    used.set(key, attempts + 1);
    return true;
  };
  return {
    takeRevision(outcome) {
      if (outcome.action !== 'revise') return undefined;
      for (const candidate of outcome.retryCandidates) {
        const { pluginId, idempotencyKey, instruction, maxAttempts = 1 } = candidate;
        const key = idempotencyKey === undefined ? `text ${hashOf(instruction)}` : `key ${idempotencyKey}`;
        if (take(`${pluginId}\n${key}`, maxAttempts)) return `${outcome.reason}\n\n${instruction}`;
      }
      if (outcome.retryCandidates.length > 0) return undefined;
      // A revision without retry metadata counts by its reason, once.
      return take(`reason ${hashOf(outcome.reason)}`, 1) ? outcome.reason : undefined;
    },
  };
}
