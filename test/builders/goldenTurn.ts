import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';

import type { AgentEvent, RunOutcome } from '../../src/contracts/agentEvent.ts';
import type { ModelRequest } from '../../src/contracts/model.ts';
import type { RunTrace } from '../../src/traces/runTrace.ts';

/** All that one turn left: what it told its front end, asked the model, stored and traced. */
export interface RecordedTurn {
  readonly prompt: string;
  readonly outcome: RunOutcome;
  readonly events: readonly AgentEvent[];
  /** In their order; `messages` as they were when the model was asked. */
  readonly requests: readonly ModelRequest[];
  /** Lines that the turn added to the transcript. */
  readonly stored: readonly string[];
  readonly trace: RunTrace | undefined;
  /** The temporary folder that everything lies in. */
  readonly root: string;
}

/**
 * A turn as text to compare with the one that was recorded before: ids are numbered in the order in which they appear, times, folders
 * and hashes are left out. What a text of many lines says is told by its hash where only its being the same counts.
 */
export function goldenTurn(turn: RecordedTurn): string {
  const replaced = createNormalizer(turn.root);
  const normalize = (line: string): string => cut(replaced(line));
  const section = (title: string, lines: readonly string[]): string => [`# ${title}`, ...lines].join('\n');
  return [
    section('said', [normalize(JSON.stringify(turn.prompt))]),
    section('outcome', [normalize(lineOf(turn.outcome))]),
    section(
      'events',
      joinTexts(turn.events.filter((event) => !isOfSlowDisk(event)))
        .map(withoutSameFacts)
        .map(lineOf)
        .map(normalize),
    ),
    section('model', turn.requests.flatMap(createRequestLines(turn.root)).map(normalize)),
    section(
      'stored',
      turn.stored.map((line) => normalize(lineOf(JSON.parse(line)))),
    ),
    section('trace', [
      ...(turn.trace?.lines ?? []).map((line) => normalize(lineOf(line))),
      ...(turn.trace === undefined ? [] : [`${turn.trace.status} ${turn.trace.blockedBy ?? ''}`.trim()]),
    ]),
  ].join('\n');
}

/** Whether a look at the disk is over in time is for the machine to say, and where a test lets the clock run, for chance. */
function isOfSlowDisk(event: AgentEvent): boolean {
  return event.type === 'notice' && event.text.startsWith('Looking for changes on disk took more than');
}

/** The lines of a transcript from one on; none where it is not there yet. */
export async function transcriptSince(file: string, known: number): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .slice(known);
}

const maxLine = 1_500;

function cut(line: string): string {
  return line.length <= maxLine ? line : `${line.slice(0, maxLine)}… ${String(line.length)} characters`;
}

/** How a stream is cut into pieces is up to the model. */
function joinTexts(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const joined: AgentEvent[] = [];
  for (const event of events) {
    const last = joined.at(-1);
    if (event.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: last.text + event.text };
    else joined.push(event);
  }
  return joined;
}

/** What the program knows of a call is told only where plugins made something else of it. */
function withoutSameFacts(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_ended' && event.type !== 'subagent_call_ended') return event;
  const { facts, ...told } = event;
  return isDeepStrictEqual(facts, event.result.details) ? told : event;
}

/** A request repeats the conversation: of what the one before has sent only the count is told, of the system prompt its hash. */
const createRequestLines =
  (root: string) =>
  (request: ModelRequest, at: number, all: readonly ModelRequest[]): string[] => {
    const { messages, tools, systemPrompt, settings } = request;
    const before = (all[at - 1]?.messages ?? []).map((each) => JSON.stringify(each));
    const firstNew = messages.findIndex((each, index) => JSON.stringify(each) !== before[index]);
    const known = firstNew === -1 ? messages.length : firstNew;
    const names = tools.map(({ name }) => name).join();
    return [
      lineOf({
        ...{ request: at + 1, known, new: messages.length - known, settings },
        ...{
          tools: `${String(tools.length)} ${digest(names)}`,
          systemPrompt: digest(ofAnyMachine(systemPrompt, root)),
        },
      }),
      ...messages.slice(known).map(lineOf),
    ];
  };

/** What the system prompt says of machine and day is left out, and the mark that is another one in each session. */
function ofAnyMachine(systemPrompt: string, root: string): string {
  return systemPrompt
    .replaceAll(root, '')
    .replace(/^Platform: .*$/mu, '')
    .replace(/mark [0-9a-f]{8}/u, 'mark');
}

function lineOf(value: unknown): string {
  const line = JSON.stringify(value, withoutTimes) as string | undefined;
  return line ?? 'undefined';
}

const times = new Set([
  'timestamp',
  'startedAt',
  'durationMs',
  'at',
  'createdAt',
  'expiresAt',
  'askedAt',
  'waitMs',
  'endsAt',
  'updatedAt',
  'time',
  'leftMs',
  'nextRunAtMs',
]);

/** Estimated tokens count the temporary folder's name, too. */
const estimates = new Set(['usage', 'use', 'tokens', 'tokensBefore', 'tokensAfter']);

function withoutTimes(key: string, value: unknown): unknown {
  if (estimates.has(key)) return undefined;
  return times.has(key) && (typeof value === 'number' || typeof value === 'string') ? undefined : value;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
}

const ids =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|[0-9a-f]{16}|[0-9a-f]{8})\b/gu;

/** Numbers ids in the order of their appearance; the same text gives the same number all through the turn. */
function createNormalizer(root: string): (text: string) => string {
  const known = new Map<string, string>();
  const nameOf = (id: string): string => {
    const name = known.get(id) ?? `<id ${String(known.size + 1)}>`;
    known.set(id, name);
    return name;
  };
  return (text) =>
    text
      .replaceAll(root, '<root>')
      .replaceAll(ids, nameOf)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/gu, '<time>')
      .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s|seconds?)\b/gu, '<duration>')
      .replaceAll(/\b\d+ tokens\b/gu, '<n> tokens')
      .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:<port>');
}
