import { isRecord, parseJson } from '../../base/json.ts';

/** A tool call put together from its fragments; `argumentsText` is not parsed yet. */
export interface AssembledCall {
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
}

export interface ToolCallAssembler {
  /** One element of `delta.tool_calls`; anything that is no object is ignored. */
  push(fragment: unknown): void;
  /** Every call, in the order of their indexes, each as the server sent it so far. */
  calls(): readonly AssembledCall[];
}

interface OpenCall {
  readonly index: number;
  id: string;
  name: string;
  argumentsText: string;
}

/**
 * Puts tool calls together by `index`, and by what else there is where the index can't be trusted: Gemini's endpoint and
 * older Ollama leave it out (ollama/ollama#7881), newer Ollama sends 0 for every call (ollama/ollama#15457).
 */
export function createToolCallAssembler(): ToolCallAssembler {
  const calls: OpenCall[] = [];
  return {
    push(fragment) {
      if (!isRecord(fragment)) return;
      const part = readFragment(fragment);
      const continued = findCall(calls, part);
      if (continued === undefined) calls.push({ ...part, index: part.index ?? calls.length });
      else append(continued, part);
    },
    calls: () => [...calls].sort((a, b) => a.index - b.index),
  };
}

interface Fragment {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly argumentsText: string;
}

function readFragment(fragment: Record<string, unknown>): Fragment {
  const { index, id } = fragment;
  const named = isRecord(fragment['function']) ? fragment['function'] : {};
  return {
    index: typeof index === 'number' ? index : undefined,
    id: typeof id === 'string' ? id : '',
    name: typeof named['name'] === 'string' ? named['name'] : '',
    argumentsText: argumentsText(named['arguments']),
  };
}

/** Some servers send the arguments as the object itself. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** The call that the fragment goes on with; undefined where it begins another one. */
function findCall(calls: readonly OpenCall[], part: Fragment): OpenCall | undefined {
  const candidate =
    part.index === undefined
      ? (calls.findLast((call) => part.id !== '' && call.id === part.id) ?? calls.at(-1))
      : calls.findLast((call) => call.index === part.index);
  return candidate === undefined || beginsAnother(candidate, part) ? undefined : candidate;
}

/**
 * A fragment with a name begins another call once the open one has all of its arguments, or when the id is new and
 * arguments have begun. A new id alone does not count: vLLM has sent a fresh one with every fragment.
 */
function beginsAnother(open: OpenCall, part: Fragment): boolean {
  if (part.name === '' || open.argumentsText === '') return false;
  if (part.id !== '' && part.id === open.id) return false;
  if (part.id !== '' && open.id !== '') return true;
  return part.argumentsText !== '' && parseJson(open.argumentsText) !== undefined;
}

function append(open: OpenCall, part: Fragment): void {
  if (open.id === '') open.id = part.id;
  // A name may come in pieces, before the arguments; some servers repeat the whole name with every fragment instead.
  if (open.argumentsText === '' && part.name !== open.name) open.name += part.name;
  open.argumentsText += part.argumentsText;
}
