import { isRecord } from '../base/json.ts';
import { inertLine } from '../base/text.ts';
import type { AgentMessage, TextPart, ImagePart } from '../contracts/message.ts';
import type { PromptPart } from '../contracts/promptReport.ts';
import type { HookOutcome } from '../hooks/hookTypes.ts';
import type { PromptChange } from '../hooks/payloads/agentHooks.ts';
import type { RequestPayload } from '../hooks/payloads/pointHooks.ts';
import {
  addedBy,
  queuedContributions,
  type Contribution,
  planWholePrompt,
  systemPromptOf,
} from './prompt/planWholePrompt.ts';
import type { AgentTurn, UserWords } from './turn.ts';

interface PreparedPrompt {
  readonly systemPrompt: string;
  /** What plugins put before and after the user's words, for this turn only. */
  readonly before: readonly TextPart[];
  readonly after: readonly TextPart[];
  /** All of the above, with who brought what. */
  readonly parts: readonly PromptPart[];
  /** A model has read the prompt: what was queued for it waits no longer. */
  readonly consumeInjections: () => Promise<void>;
  /** What the older before_agent_start says of the model; before_model_resolve beats it. */
  readonly choice: HookOutcome<'before_model_resolve'>;
}

/** What became of the user's words. */
type WordsVerdict =
  | { readonly outcome: 'passed'; readonly words: UserWords }
  | {
      readonly outcome: 'blocked';
      readonly pluginId: string;
      /** The plugin's, for the user alone: it may quote what it blocked. */
      readonly message: string;
      readonly httpStatus: number;
      readonly code: string;
      /** What is stored in place of the words. */
      readonly replacement: string;
    };

/** The hooks between the user's message and the first model call. */
export interface PromptHooks {
  /** Of what began the turn, or of what the user said while it ran. */
  messageReceived(words: UserWords, messageId: string): void;
  /** `beforeLLMRequest`, for what began the turn or for what the user said while it ran. @throws PincerError `cancelled` */
  beforeRequest(words: UserWords): Promise<WordsVerdict>;
  beforeModelResolve(): Promise<HookOutcome<'before_model_resolve'>>;
  /** `agent_turn_prepare`, `heartbeat_prompt_contribution`, `before_prompt_build` and the older `before_agent_start`, joined as upstream joins them. */
  preparePrompt(history: readonly AgentMessage[]): Promise<PreparedPrompt>;
  beforeAgentRun(
    history: readonly AgentMessage[],
    systemPrompt: string,
    text?: string,
  ): Promise<HookOutcome<'before_agent_run'>>;
  /** The reply of a plugin that takes the model's place; undefined where none does. */
  beforeAgentReply(): Promise<{ readonly text: string } | undefined>;
}

export function createPromptHooks(turn: AgentTurn): PromptHooks {
  const { hooks, input, runId, clock } = turn;
  const { session, signal } = input;
  const withoutSecrets = <T extends { readonly text: string }>(given: T): T => ({
    ...given,
    text: turn.redact(given.text),
  });
  return {
    messageReceived({ text, attachments }, messageId) {
      // Of a message of a channel its hooks were told before the turn, as it came.
      if (input.remote !== undefined) return;
      const said = { from: 'user', content: text, timestamp: clock.now(), messageId };
      turn.tellInternal('received', said);
      if (!hooks.has('message_received')) return;
      const mediaTypes = attachments.flatMap((part) => (part.type === 'image' ? [part.mimeType] : []));
      const event = {
        ...said,
        senderId: 'user',
        sessionKey: session.key,
        runId,
        metadata: {
          provider: input.surface,
          surface: input.surface,
          ...(mediaTypes.length === 0 ? {} : { mediaTypes }),
        },
      };
      turn.inBackground(hooks.observe('message_received', event, turn.messageContext(messageId)));
    },

    async beforeRequest(words) {
      if (!hooks.has('beforeLLMRequest')) return { outcome: 'passed', words };
      const given = toRequestPayload(words, session.id);
      const { payload, block } = await hooks.modify('beforeLLMRequest', given, turn.pointContext(), signal);
      if (block === undefined) return { outcome: 'passed', words: readRequestPayload(words, given, payload) };
      const { pluginId, message, httpStatus, code } = block;
      // Of what was blocked nothing may stay.
      const replacement = `[Plugin ${inertLine(pluginId, 80)} blocked this message: nothing of it was kept.]`;
      return { outcome: 'blocked', pluginId, message, httpStatus, code, replacement };
    },

    async beforeModelResolve() {
      if (!hooks.has('before_model_resolve')) return {};
      const { text: prompt } = turn.words;
      const attachments = turn.words.attachments.map((part) =>
        part.type === 'image'
          ? ({ kind: 'image', mimeType: part.mimeType } as const)
          : ({ kind: 'document', mimeType: 'text/plain' } as const),
      );
      return await hooks.modify('before_model_resolve', { prompt, attachments }, turn.agentContext(), signal);
    },

    async preparePrompt(messages) {
      const { text: prompt } = turn.words;
      turn.tellInternal('preprocessed', { from: 'user', body: prompt, bodyForAgent: prompt });
      const waiting = await input.waitingInjections?.();
      const queuedInjections = waiting?.injections ?? [];
      const prepare = collect();
      if (hooks.has('agent_turn_prepare'))
        await hooks.modify(
          'agent_turn_prepare',
          { prompt, messages, queuedInjections },
          turn.agentContext(),
          signal,
          { contributed: prepare.add },
        );
      const heartbeat = collect();
      if (input.trigger === 'heartbeat' && hooks.has('heartbeat_prompt_contribution'))
        await hooks.modify(
          'heartbeat_prompt_contribution',
          { sessionKey: session.key, agentId: session.agentId, heartbeatName: 'heartbeat' },
          turn.agentContext(),
          signal,
          { contributed: heartbeat.add },
        );
      const build = collect();
      if (hooks.has('before_prompt_build'))
        await hooks.modify('before_prompt_build', { prompt, messages }, turn.agentContext(), signal, {
          contributed: build.add,
        });
      const start = collect();
      const legacy: HookOutcome<'before_agent_start'> = hooks.has('before_agent_start')
        ? await hooks.modify('before_agent_start', { prompt, messages, runId }, turn.agentContext(), signal, {
            contributed: start.add,
          })
        : {};
      const said = {
        queued: queuedContributions(queuedInjections).map(withoutSecrets),
        turn: [...prepare.said, ...heartbeat.said].map(withoutSecrets),
        build: build.said.map(withoutSecrets),
        start: start.said.map(withoutSecrets),
      };
      const sources = [said.queued, said.turn, said.build, said.start];
      const parts = planWholePrompt({ own: input.promptParts.map(withoutSecrets), ...said });
      return {
        systemPrompt: systemPromptOf(parts),
        before: contextParts(sources, 'prependContext'),
        after: contextParts(sources, 'appendContext'),
        parts,
        consumeInjections: async () => await waiting?.consume(),
        choice: {
          ...(legacy.modelOverride === undefined ? {} : { modelOverride: legacy.modelOverride }),
          ...(legacy.providerOverride === undefined ? {} : { providerOverride: legacy.providerOverride }),
        },
      };
    },

    async beforeAgentRun(messages, systemPrompt, text = turn.words.text) {
      if (!hooks.has('before_agent_run')) return { outcome: 'pass' };
      const event = {
        prompt: text,
        messages,
        systemPrompt,
        channelId: input.remote?.channel ?? input.surface,
        senderId: input.remote?.senderId ?? 'user',
        senderIsOwner: input.remote?.isOwner ?? true,
        ...(input.remote === undefined ? {} : { accountId: input.remote.accountId }),
      };
      return await hooks.gate('before_agent_run', event, turn.agentContext(), signal);
    },

    async beforeAgentReply() {
      if (!hooks.has('before_agent_reply')) return undefined;
      const claimed = await hooks.claim(
        'before_agent_reply',
        { cleanedBody: turn.words.text },
        turn.agentContext(),
        signal,
      );
      return claimed === undefined ? undefined : { text: replyText(claimed.reply) };
    },
  };
}

/** Upstream's reply payload is a text or an object with one; anything else means silence. */
function replyText(reply: unknown): string {
  if (typeof reply === 'string') return reply;
  return isRecord(reply) && typeof reply['text'] === 'string' ? reply['text'] : '';
}

/** Keeps what each handler of one hook adds. */
function collect(): {
  readonly said: Contribution[];
  readonly add: (pluginId: string, before: PromptChange, after: PromptChange) => void;
} {
  const said: Contribution[] = [];
  return { said, add: (pluginId, before, after) => void said.push(...addedBy(pluginId, before, after)) };
}

/**
 * What plugins put around the user's words, one text for each source, as upstream joins them. It is no word of the user's and
 * marked as context.
 */
function contextParts(
  sources: readonly (readonly Contribution[])[],
  field: 'prependContext' | 'appendContext',
): readonly TextPart[] {
  const texts = sources.map((said) =>
    said
      .filter((each) => each.field === field)
      .map(({ text }) => text)
      .join('\n\n'),
  );
  return texts.flatMap((text) => (text === '' ? [] : [{ type: 'text' as const, text, isContext: true }]));
}

type FileData = NonNullable<RequestPayload['fileData']>;
type ImageData = NonNullable<RequestPayload['imageData']>;

/**
 * The words as `beforeLLMRequest` passes them on: the text, the first image, and as one file all that was
 * attached as text: there is room for one, and no guard may miss the others. Pure.
 */
function toRequestPayload({ text, attachments }: UserWords, sessionId: string): RequestPayload {
  const image = attachments.find((part) => part.type === 'image');
  const files = attachments.filter((part) => part.type === 'text');
  return {
    text,
    ...(image === undefined ? {} : { imageData: { image: image.data, mimeType: image.mimeType } }),
    ...(files.length === 0 ? {} : { fileData: toFileData(files) }),
    sessionId,
  };
}

/**
 * The words as plugins left them. `given` is what they were asked with: an attachment that is as it was stays the part it was, one
 * that is gone goes, a new one comes last. A file that was changed stands for all files; where the image goes, all images go. Pure.
 */
function readRequestPayload(
  { attachments }: UserWords,
  given: RequestPayload,
  { text, imageData, fileData }: RequestPayload,
): UserWords {
  const image = isSameImage(given.imageData, imageData) ? 'same' : imageData && toImagePart(imageData);
  const file = isSameFile(given.fileData, fileData) ? 'same' : fileData && toFilePart(fileData);
  const withImage =
    image === 'same' ? attachments : replaceIn(attachments, 'image', image, image !== undefined);
  return { text, attachments: file === 'same' ? withImage : replaceIn(withImage, 'text', file, false) };
}

/** Puts `part` where the first of its type was, in place of that one or of all. */
function replaceIn(
  parts: UserWords['attachments'],
  type: 'image' | 'text',
  part: TextPart | ImagePart | undefined,
  firstAlone: boolean,
): UserWords['attachments'] {
  const replacement = part === undefined ? [] : [part];
  const first = parts.findIndex((each) => each.type === type);
  if (first === -1) return [...parts, ...replacement];
  return parts.flatMap((each, at) => {
    if (at === first) return replacement;
    return each.type === type && !firstAlone ? [] : [each];
  });
}

function isSameImage(a: ImageData | undefined, b: ImageData | undefined): boolean {
  return a?.image === b?.image && a?.mimeType === b?.mimeType;
}

function isSameFile(a: FileData | undefined, b: FileData | undefined): boolean {
  return a?.data === b?.data && a?.mimeType === b?.mimeType;
}

/** The name is in the first tag, as `quoteText` writes it. */
const nameOfFile = /<[\w-]+ name="([^"]*)"/u;

/** As the model reads them: with the lines around each that name it. */
function toFileData(parts: readonly TextPart[]): FileData {
  const names = parts.flatMap(({ text }) => nameOfFile.exec(text)?.[1] ?? []);
  return {
    data: Buffer.from(parts.map(({ text }) => text).join('\n\n'), 'utf8').toString('base64'),
    mimeType: 'text/plain',
    ...(names.length === 0 ? {} : { filename: names.join(', ') }),
  };
}

function toFilePart({ data, mimeType }: FileData): TextPart | ImagePart {
  if (mimeType.startsWith('image/')) return toImagePart({ image: data, mimeType });
  return { type: 'text', text: textOfData(data), isContext: true };
}

function toImagePart({ image, mimeType }: ImageData): ImagePart {
  return { type: 'image', data: withoutPrefix(image), mimeType };
}

/** Base64, or a text as it is: what base64 can't be. */
function textOfData(data: string): string {
  const bare = withoutPrefix(data);
  const isBase64 = bare.length % 4 === 0 && /^[\w+/]*={0,2}$/u.test(bare);
  return isBase64 ? Buffer.from(bare, 'base64').toString('utf8') : data;
}

function withoutPrefix(data: string): string {
  return data.replace(/^data:[^,]{0,200};base64,/u, '');
}
