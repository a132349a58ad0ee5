import type { PincerError } from '../base/errors.ts';
import type { AssistantMessage, ToolCallPart } from '../contracts/message.ts';
import type { WaitingMessage } from '../sessions/createInbox.ts';
import type { LimitReached } from './createTurnMeter.ts';
import type { ModelAnswer } from './answer.ts';

/** Why a call of an answer was not carried out. */
export type SkipReason = 'steered' | 'yielded' | LimitReached['code'];

/**
 * What the loop needs of the world. Each function is called in the order of the conversation, one at a time, and keeps that
 * conversation: the loop itself holds no message. Once the run is cancelled, any of them may reject.
 */
export interface LoopPorts {
  isCancelled(): boolean;
  /** True once the surface has something new from the user: the turn ends here, and the next one goes on. */
  shouldYield(): boolean;
  /** What forbids the next model call or this tool call. */
  findLimit(next: 'model' | ToolCallPart): LimitReached | undefined;
  /** Makes the conversation fit into the model's window; true where it is shorter now. `force`: it was refused as too long. */
  makeRoom(force: boolean): Promise<boolean>;
  /** Asks the model with the conversation as it is. Never rejects. */
  ask(): Promise<ModelAnswer>;
  /** Stores an answer that asks for tools. */
  store(answer: AssistantMessage): Promise<void>;
  /** Carries out one call and stores its result. */
  callTool(call: ToolCallPart): Promise<void>;
  /** Stores a result that says why the call was not carried out. */
  skipCall(call: ToolCallPart, why: SkipReason): Promise<void>;
  /** What the user said since the last time, none where nothing is new. */
  takeSteering(): readonly WaitingMessage[];
  /** The next message that waits for the end of the turn. */
  takeFollowUp(): WaitingMessage | undefined;
  /** Stores what was taken as the user's next words; `skipped` calls were not carried out. */
  enter(messages: readonly WaitingMessage[], skipped: number): Promise<void>;
  /** Whether a plugin wants a final answer revised; its wish is in the conversation then. */
  revise(final: AssistantMessage): Promise<boolean>;
  /** Shows and stores a final answer that the conversation goes on from. */
  deliver(final: AssistantMessage): Promise<void>;
}

/** A turn that ended before a final answer. `partial` is what had come of the last one; it is not stored. */
type LoopStop =
  | { readonly status: 'cancelled'; readonly partial: AssistantMessage | undefined }
  | { readonly status: 'failed'; readonly error: PincerError; readonly partial: AssistantMessage | undefined }
  | { readonly status: 'limit'; readonly limit: LimitReached }
  | { readonly status: 'yielded' };

/** `final` is the last answer, neither shown nor stored yet. */
export type LoopOutcome = { readonly status: 'completed'; readonly final: AssistantMessage } | LoopStop;

/**
 * The double loop (OpenClaw core flow). The inner one asks the model and carries out its calls until it answers without one; the outer
 * one goes on from there, with a plugin's wish for a revision, with what the user said meanwhile, or with the next queued message.
 */
export async function runLoop(ports: LoopPorts): Promise<LoopOutcome> {
  try {
    for (;;) {
      const end = await runPass(ports);
      if (end.status !== 'completed' || !(await goesOn(ports, end.final))) return end;
    }
  } catch (error) {
    if (ports.isCancelled()) return { status: 'cancelled', partial: undefined };
    throw error;
  }
}

/** The outer loop's question: what comes after an answer without calls. */
async function goesOn(ports: LoopPorts, final: AssistantMessage): Promise<boolean> {
  if (await ports.revise(final)) return true;
  const next = ports.shouldYield() ? [] : takeNext(ports);
  if (next.length === 0) return false;
  await ports.deliver(final);
  await ports.enter(next, 0);
  return true;
}

/** What the user said while the last answer came counts before what was queued for the end. */
function takeNext(ports: LoopPorts): readonly WaitingMessage[] {
  const said = ports.takeSteering();
  if (said.length > 0) return said;
  const queued = ports.takeFollowUp();
  return queued === undefined ? [] : [queued];
}

/** The inner loop: model, then its calls in order, with a steering point before each. */
async function runPass(ports: LoopPorts): Promise<LoopOutcome> {
  for (;;) {
    const point = await steer(ports, 'model', []);
    if (point === 'steered') continue;
    if (point !== 'on') return point;
    const { message, error } = await ask(ports);
    if (message.stopReason === 'aborted') return { status: 'cancelled', partial: withContent(message) };
    if (error !== undefined) return { status: 'failed', error, partial: withContent(message) };
    const calls = message.content.filter((part) => part.type === 'toolCall');
    if (calls.length === 0) return { status: 'completed', final: message };
    await ports.store(message);
    const stopped = await carryOut(ports, calls);
    if (stopped !== undefined) return stopped;
  }
}

/** A conversation that the model refuses as too long is shortened, once, and asked for again. */
async function ask(ports: LoopPorts): Promise<ModelAnswer> {
  await ports.makeRoom(false);
  const answer = await ports.ask();
  if (answer.error?.code !== 'model_context_overflow') return answer;
  return (await ports.makeRoom(true)) ? await ports.ask() : answer;
}

async function carryOut(ports: LoopPorts, calls: readonly ToolCallPart[]): Promise<LoopStop | undefined> {
  for (const [index, call] of calls.entries()) {
    const verdict = await steer(ports, call, calls.slice(index));
    if (verdict === 'steered') return undefined;
    if (verdict !== 'on') return verdict;
    await ports.callTool(call);
  }
  return undefined;
}

/** One steering point: whether the turn goes on as it was, on what the user said now, or not at all. `open` calls are skipped then. */
async function steer(
  ports: LoopPorts,
  next: 'model' | ToolCallPart,
  open: readonly ToolCallPart[],
): Promise<LoopStop | 'on' | 'steered'> {
  const skip = async (why: SkipReason): Promise<void> => {
    for (const call of open) await ports.skipCall(call, why);
  };
  if (ports.isCancelled()) return { status: 'cancelled', partial: undefined };
  if (ports.shouldYield()) {
    await skip('yielded');
    return { status: 'yielded' };
  }
  const said = ports.takeSteering();
  if (said.length > 0) {
    await skip('steered');
    await ports.enter(said, open.length);
    return 'steered';
  }
  const limit = ports.findLimit(next);
  if (limit === undefined) return 'on';
  await skip(limit.code);
  return { status: 'limit', limit };
}

function withContent(message: AssistantMessage): AssistantMessage | undefined {
  return message.content.length === 0 ? undefined : message;
}
