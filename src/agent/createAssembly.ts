import type { AgentMessage } from '../contracts/message.ts';
import type { ToolDefinition } from '../contracts/tool.ts';
import { closeOpenCalls } from '../sessions/closeOpenCalls.ts';
import type { AssembledHistory } from './context/contextEngine.ts';
import { estimateMessages, estimateTokens, estimateTools } from './context/estimateTokens.ts';
import type { AgentTurn } from './turn.ts';

/** What the next request has of the conversation. */
interface NextRequest {
  readonly systemPrompt: string;
  readonly messages: readonly AgentMessage[];
  /** What counts for the room that is left: `messages`, or the session's own where that is more. */
  readonly measured: readonly AgentMessage[];
  /** True where a context engine sees to the room by itself. */
  readonly isRoomManaged: boolean;
}

export interface Assembly {
  /** Never rejects but with `cancelled`. */
  next(): Promise<NextRequest>;
  /** The history is another one now. */
  renew(): void;
}

/** The conversation as it is, or what a context engine made of its history, with what the turn has said behind it. */
export function createAssembly(
  turn: AgentTurn,
  systemPrompt: string,
  tools: readonly ToolDefinition[],
): Assembly {
  const { input, conversation } = turn;
  let asked: Promise<AssembledHistory | undefined> | undefined;
  const ask = async (): Promise<AssembledHistory | undefined> => {
    const { engine, signal } = input;
    if (engine === undefined) return undefined;
    const own = estimateMessages(conversation.own().map(({ message }) => message));
    const taken = estimateTokens(systemPrompt) + estimateTools(tools) + own;
    return await engine.assemble({
      model: turn.model,
      history: closeOpenCalls(conversation.history()),
      tokenBudget: Math.max(0, budgetOf(turn) - taken),
      toolNames: tools.map(({ name }) => name),
      prompt: turn.words.text,
      signal,
    });
  };
  return {
    async next() {
      const assembled = await (asked ??= ask());
      const all = conversation.all();
      if (assembled === undefined)
        return { systemPrompt, messages: all, measured: all, isRoomManaged: false };
      const messages = conversation.all(assembled.messages);
      const isLonger = estimateMessages(all) > estimateMessages(messages);
      return {
        systemPrompt: [assembled.systemPromptAddition, systemPrompt]
          .filter((text) => text !== '')
          .join('\n\n'),
        messages,
        measured: assembled.measuredBy === 'session' && isLonger ? all : messages,
        isRoomManaged: assembled.measuredBy === 'engine',
      };
    },
    renew() {
      asked = undefined;
    },
  };
}

/** Tokens that a request may have. */
export function budgetOf({ input, model }: AgentTurn): number {
  return input.context?.promptBudget(model) ?? model.contextWindow;
}
