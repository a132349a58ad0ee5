import { randomUUID } from 'node:crypto';
import { isRecord } from '../../base/json.ts';
import type { StopReason, TokenUsage } from '../../contracts/message.ts';
import type { ModelEvent } from '../../contracts/model.ts';

interface ReadEvent {
  readonly events: readonly ModelEvent[];
  /** The stream says that it failed, or what it yields makes no sense. */
  readonly problem?: string;
}

const nothing: ReadEvent = { events: [] };

/**
 * One event of a plugin's stream in the shape of upstream's agent library (`text_delta`, `thinking_delta`, `toolcall_end`,
 * `done`, `error` …). Where nothing came before `done`, its message is the answer: not every function streams.
 */
export function readStreamEvent(value: unknown, hasContent: boolean): ReadEvent {
  if (!isRecord(value)) return { events: [], problem: 'it yields something that is no event' };
  switch (value['type']) {
    case 'text_delta':
      return textOf('text', value['delta']);
    case 'thinking_delta':
      return textOf('thinking', value['delta']);
    case 'thinking_end':
      return { events: [thinkingEnd(value)] };
    case 'toolcall_end':
      return toolCallOf(value['toolCall']);
    case 'done':
      return doneOf(value, hasContent);
    case 'error':
      return { events: [], problem: errorOf(value['error']) };
    // Starts, and deltas of tool calls whose end has all of it; newer kinds are none of ours.
    default:
      return nothing;
  }
}

function textOf(type: 'text' | 'thinking', text: unknown): ReadEvent {
  return typeof text === 'string' && text !== '' ? { events: [{ type, text }] } : nothing;
}

/** The seal of a thought stands in what the answer holds so far. */
function thinkingEnd({ partial, contentIndex }: Record<string, unknown>): ModelEvent {
  const content =
    isRecord(partial) && Array.isArray(partial['content']) ? (partial['content'] as unknown[]) : [];
  const part = typeof contentIndex === 'number' ? content[contentIndex] : undefined;
  const { thinkingSignature, redacted } = isRecord(part) ? part : {};
  return {
    type: 'thinkingEnd',
    ...(typeof thinkingSignature === 'string' ? { signature: thinkingSignature } : {}),
    ...(redacted === true ? { redacted } : {}),
  };
}

function toolCallOf(call: unknown): ReadEvent {
  const { id, name, arguments: given, thoughtSignature, problem } = isRecord(call) ? call : {};
  if (typeof name !== 'string' || name === '')
    return { events: [], problem: 'it asks for a tool without naming it' };
  if (given !== undefined && !isRecord(given))
    return { events: [], problem: `its arguments for ${name} are no object` };
  return {
    events: [
      {
        type: 'toolCall',
        id: typeof id === 'string' && id !== '' ? id : `call_${randomUUID()}`,
        name,
        arguments: given ?? {},
        ...(typeof problem === 'string' ? { problem } : {}),
        ...(typeof thoughtSignature === 'string' ? { thoughtSignature } : {}),
      },
    ],
  };
}

function doneOf({ reason, message }: Record<string, unknown>, hasContent: boolean): ReadEvent {
  const whole = isRecord(message) ? message : {};
  const parts = !hasContent && Array.isArray(whole['content']) ? (whole['content'] as unknown[]) : [];
  const read = parts.map(partOf);
  const problem = read.find((each) => each.problem !== undefined)?.problem;
  if (problem !== undefined) return { events: [], problem };
  const usage = usageOf(whole['usage']);
  const { responseId: requestId } = whole;
  const stopReason: StopReason = reason === 'toolUse' || reason === 'length' ? reason : 'stop';
  return {
    events: [
      ...read.flatMap(({ events }) => events),
      {
        ...{ type: 'done', stopReason },
        ...(usage === undefined ? {} : { usage }),
        ...(typeof requestId === 'string' ? { requestId } : {}),
      },
    ],
  };
}

function partOf(part: unknown): ReadEvent {
  if (!isRecord(part)) return nothing;
  if (part['type'] === 'text') return textOf('text', part['text']);
  return part['type'] === 'toolCall' ? toolCallOf(part) : nothing;
}

/** Upstream counts what the cache had apart from the input; here it is part of it. */
function usageOf(usage: unknown): TokenUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const count = (field: string): number => {
    const value = usage[field];
    return typeof value === 'number' && value > 0 ? value : 0;
  };
  const [input, output, cacheRead, cacheWrite] = [
    count('input'),
    count('output'),
    count('cacheRead'),
    count('cacheWrite'),
  ];
  if (input + output + cacheRead + cacheWrite === 0) return undefined;
  return { input: input + cacheRead + cacheWrite, output, cacheRead, cacheWrite };
}

function errorOf(error: unknown): string {
  const said = isRecord(error) ? (error['errorMessage'] ?? error['message']) : error;
  return typeof said === 'string' && said !== '' ? said : 'it gave no reason';
}
