import { isRecord } from '../../base/json.ts';
import { readFlag, readObject, readText } from '../../base/untrusted.ts';
import type { AgentMessage } from '../../contracts/message.ts';
import type { MergeRule, RawResult } from '../hookTypes.ts';
import type {
  MessageSendingEvent,
  MessageSendingOutcome,
  ReplyPayloadSendingEvent,
  ReplyPayloadSendingOutcome,
} from '../payloads/messageHooks.ts';
import type { BeforeMessageWriteEvent, ToolResultPersistEvent } from '../payloads/toolHooks.ts';

/** `message_sending`: the last text and metadata count, the first cancel ends it. */
export const messageSendingRule: MergeRule<MessageSendingEvent, MessageSendingOutcome> = {
  initial: (event) => ({
    content: event.content,
    ...(event.metadata === undefined ? {} : { metadata: event.metadata }),
  }),
  fold(outcome, result, source) {
    const metadata = readObject(result, 'metadata');
    const reason = readText(result, 'cancelReason');
    return {
      ...outcome,
      content: readText(result, 'content') ?? outcome.content,
      ...(metadata === undefined ? {} : { metadata }),
      ...(readFlag(result, 'cancel')
        ? { cancel: { pluginId: source.pluginId, ...(reason === undefined ? {} : { reason }) } }
        : {}),
    };
  },
  view: (event, outcome) => ({
    ...event,
    content: outcome.content,
    ...(outcome.metadata === undefined ? {} : { metadata: outcome.metadata }),
  }),
  isFinal: (outcome) => outcome.cancel !== undefined,
  decision(_before, { cancel }) {
    if (cancel === undefined) return undefined;
    return { kind: 'cancelled', ...(cancel.reason === undefined ? {} : { reason: cancel.reason }) };
  },
};

/** `reply_payload_sending`: the last payload counts, the first cancel ends it. */
export const replyPayloadRule: MergeRule<ReplyPayloadSendingEvent, ReplyPayloadSendingOutcome> = {
  initial: (event) => ({ payload: event.payload }),
  fold(outcome, result, source) {
    const payload = readObject(result, 'payload');
    if (payload?.['text'] !== undefined && typeof payload['text'] !== 'string')
      throw new Error('"payload.text" must be a text');
    const reason = readText(result, 'reason');
    return {
      payload: payload ?? outcome.payload,
      ...(readFlag(result, 'cancel')
        ? { cancel: { pluginId: source.pluginId, ...(reason === undefined ? {} : { reason }) } }
        : {}),
    };
  },
  view: (event, outcome) => ({ ...event, payload: outcome.payload }),
  isFinal: (outcome) => outcome.cancel !== undefined,
  decision(_before, { cancel }) {
    if (cancel === undefined) return undefined;
    return { kind: 'cancelled', ...(cancel.reason === undefined ? {} : { reason: cancel.reason }) };
  },
};

/** `tool_result_persist`: each handler may replace the message for the next one. */
export const toolResultRule: MergeRule<ToolResultPersistEvent, { readonly message: AgentMessage }> = {
  initial: (event) => ({ message: event.message }),
  fold: (outcome, result) => ({ message: readMessage(result, outcome.message) }),
  view: (event, outcome) => ({ ...event, message: outcome.message }),
};

/** `before_message_write`: as above, and the first block keeps the message out of the transcript. */
export const messageWriteRule: MergeRule<
  BeforeMessageWriteEvent,
  { readonly message: AgentMessage; readonly block?: { readonly pluginId: string } }
> = {
  initial: (event) => ({ message: event.message }),
  fold: (outcome, result, source) => ({
    message: readMessage(result, outcome.message),
    ...(readFlag(result, 'block') ? { block: { pluginId: source.pluginId } } : {}),
  }),
  view: (event, outcome) => ({ ...event, message: outcome.message }),
  isFinal: (outcome) => outcome.block !== undefined,
  decision: (_before, { block }) => (block === undefined ? undefined : { kind: 'blocked' }),
};

/** A replaced message keeps its role and the call it answers: anything else would break the transcript. */
function readMessage(result: RawResult, before: AgentMessage): AgentMessage {
  const message = readObject(result, 'message');
  if (message === undefined) return before;
  if (message['role'] !== before.role) throw new Error(`"message.role" must stay "${before.role}"`);
  if (before.role === 'toolResult' && message['toolCallId'] !== before.toolCallId) {
    throw new Error(`"message.toolCallId" must stay "${before.toolCallId}"`);
  }
  return { ...before, ...message, content: readContent(message['content']) } as AgentMessage;
}

function readContent(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const parts: unknown = content;
  if (Array.isArray(parts) && parts.every((part) => isRecord(part) && typeof part['type'] === 'string'))
    return parts;
  throw new Error('"message.content" must be text or a list of parts');
}
