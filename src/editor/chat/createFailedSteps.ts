import { isRecord, stableStringify } from '../../base/json.ts';
import type { ToolCallPart } from '../../contracts/message.ts';

/** A call that has ended, and what says of it that it failed; undefined where it did not. */
export interface Attempt<Line> {
  readonly call: Pick<ToolCallPart, 'name' | 'arguments'>;
  /** What the call was about, empty where nothing says so. */
  readonly target: string;
  /** The answer of the model that asked for it: the calls of one answer were asked for before any of them had failed. */
  readonly answer: string;
  readonly failure: Line | undefined;
  /** What the record says of how it ended. */
  readonly facts?: unknown;
}

/** Keeps what failed until it is made good: a model may say that all is done. */
interface FailedSteps<Line> {
  note(attempt: Attempt<Line>): void;
  /** In the order in which it failed. */
  left(): readonly Line[];
}

/** What such a tool looks for is said in words: others may find it. */
const searches: ReadonlySet<string> = new Set(['glob', 'grep', 'web_search', 'memory_search']);
/** Each of them does what another one could not. */
const editors: ReadonlySet<string> = new Set(['edit', 'write', 'apply_patch']);

interface Failed<Line> {
  readonly line: Line;
  readonly answer: string;
  /** What is not made good yet. */
  readonly things: readonly string[];
}

/**
 * What failed is made good, or told by itself, by a call that a later answer of the model asked for: of the same tool for the same thing, of
 * any tool that changes the same file, or by another search.
 */
export function createFailedSteps<Line>(): FailedSteps<Line> {
  let failed: readonly Failed<Line>[] = [];
  return {
    note(attempt) {
      const { answer, failure, facts } = attempt;
      // Nothing was tried again.
      if (isRecord(facts) && facts['status'] === 'skipped') return;
      const things = thingsOf(attempt);
      const good = [...things, unreadThing(attempt)];
      failed = failed.flatMap((other) => {
        if (other.answer === answer) return [other];
        const left = other.things.filter((thing) => !good.includes(thing));
        return left.length === 0 ? [] : [{ ...other, things: left }];
      });
      if (failure !== undefined) failed = [...failed, { line: failure, answer, things }];
    },
    left: () => failed.map(({ line }) => line),
  };
}

/** What a call was to do, one name for each thing: the files that it changes, else its tool with what it is about. */
function thingsOf(attempt: Attempt<unknown>): readonly string[] {
  const { call, target, facts } = attempt;
  if (editors.has(call.name)) {
    const input = call.arguments['input'];
    const files = call.name === 'apply_patch' && typeof input === 'string' ? filesOf(input) : [];
    if (files.length > 1) return files.map((file) => `file ${file}`);
    const path = call.arguments['path'];
    if (isWhole(target)) return [`file ${target}`];
    if (typeof path === 'string') return [`file ${path}`];
  }
  if (searches.has(call.name)) return [call.name];
  if (target === '' && isRecord(facts) && unread.has(facts['status'])) return [unreadThing(attempt)];
  return [`${call.name} ${aboutOf(call, target)}`];
}

/** What says that nobody could read from a call what it was to do. */
const unread: ReadonlySet<unknown> = new Set(['invalid-params', 'unknown-tool']);

/** Stands for what such a call was to do: the next one that can be read is the same, said properly. */
function unreadThing({ call }: Attempt<unknown>): string {
  return `unread ${call.name}`;
}

/** One command runs in many folders; where nothing is named, or only the beginning of it, the arguments tell calls apart. */
function aboutOf({ name, arguments: given }: Attempt<unknown>['call'], target: string): string {
  if (name === 'exec') return stableStringify([given['command'], given['workdir']]);
  return isWhole(target) ? target : stableStringify(given);
}

/** A long one ends in an ellipsis. */
function isWhole(target: string): boolean {
  return target !== '' && !target.endsWith('…');
}

/** The files that a patch names, which may be one that can't be read. */
function filesOf(patch: string): readonly string[] {
  const named = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (?:\.\/)?(.+?)\s*$/gmu;
  return [...patch.matchAll(named)].map(([, path = '']) => path);
}
