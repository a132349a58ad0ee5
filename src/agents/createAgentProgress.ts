import { inertLine, plural } from '../base/text.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { UsageSum } from '../contracts/usage.ts';

/** What a started agent has done so far. */
export interface Progress {
  /** Takes an event of the agent's turn; gives the line to show where there is something new. */
  note(event: AgentEvent): string | undefined;
  readonly calls: number;
  /** Names of the tools that were called, each once, in order. */
  readonly toolNames: readonly string[];
  /** What its model calls have used; undefined where nothing was counted. */
  readonly usage: UsageSum | undefined;
  /** `3 tool calls, 1200 tokens`. */
  summary(): string;
}

const maxLine = 160;

/** Tells what a started agent does in one line each time, for the answer of the agent that waits for it. */
export function createAgentProgress(label: string): Progress {
  const toolNames = new Set<string>();
  let calls = 0;
  let usage: UsageSum | undefined;

  const summary = (): string => {
    const tokens = usage === undefined ? 0 : usage.input + usage.output;
    const used = tokens === 0 ? '' : `, ${usage?.isEstimated === true ? 'about ' : ''}${tokens} tokens`;
    return `${plural(calls, 'tool call')}${used}`;
  };
  const line = (text: string): string => `${inertLine(`${label}: ${text}`, maxLine)} (${summary()})`;

  return {
    note(event) {
      switch (event.type) {
        case 'tool_started':
          calls += 1;
          toolNames.add(event.call.name);
          return line(event.label);
        case 'tool_progress':
          // The lines of an agent that it has started itself.
          return line(event.text);
        case 'usage':
          usage = event.use.turn ?? usage;
          return undefined;
        case 'approval_requested':
          return line(`asks: ${event.request.title}`);
        case 'model_retry':
          return line(`the model is asked again: ${event.because.message}`);
        case 'compaction_started':
          return line('shortens its conversation');
        default:
          return undefined;
      }
    },
    get calls() {
      return calls;
    },
    get toolNames() {
      return [...toolNames];
    },
    get usage() {
      return usage;
    },
    summary,
  };
}
