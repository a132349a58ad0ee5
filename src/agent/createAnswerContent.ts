import { isTooDeep, maxJsonDepth } from '../base/json.ts';
import type { AssistantMessage, TextPart, ThinkingPart, ToolCallPart } from '../contracts/message.ts';
import type { ModelEvent } from '../contracts/model.ts';

type Part = AssistantMessage['content'][number];

/** Puts an answer together from what a model's stream brings, in the order it came. */
export interface AnswerContent {
  add(event: Extract<ModelEvent, { type: 'text' | 'thinking' | 'thinkingEnd' | 'toolCall' }>): void;
  /** Everything, complete. */
  parts(): readonly Part[];
  /**
   * What may be kept of an answer that broke off: its text. A call of it must not run, and a thought without its seal is refused
   * by the server that gave it.
   */
  text(): readonly TextPart[];
}

export function createAnswerContent(): AnswerContent {
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
        putThought({ ...openThought(), ...sealOf(event) });
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

function sealOf({
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
