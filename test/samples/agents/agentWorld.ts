import type { AgentEvent } from '../../../src/contracts/agentEvent.ts';
import type { ToolResultMessage } from '../../../src/contracts/message.ts';
import { createReplayModel } from '../../../src/models/replay/createReplayModel.ts';
import type { Session } from '../../../src/sessions/session.ts';
import type { TestRuntime, TestTurn } from '../../builders/openTestRuntime.ts';

/** A model of its own, `replay/<name>`, so that two agents can answer side by side. */
export function addModel({ runtime }: TestRuntime, name: string, script: readonly object[]): string {
  const text = script.map((line) => JSON.stringify(line)).join('\n');
  const model = createReplayModel({ script: text, name, clock: runtime.host.clock });
  runtime.models.register({ ...model, info: { ...model.info, provider: 'replay', model: name } });
  return `replay/${name}`;
}

/** An answer of the model that calls one tool. */
export function calls(name: string, args: object, text = ''): object {
  return { ...(text === '' ? {} : { text }), toolCalls: [{ name, arguments: args }] };
}

/** The model starts an agent. */
export function spawns(task: string, more: object = {}): object {
  return calls('sessions_spawn', { task, ...more });
}

/** Results of a tool in a turn, in order. */
export function resultsOf(turn: TestTurn, name: string): readonly ToolResultMessage[] {
  return turn.events.flatMap((event) =>
    event.type === 'tool_ended' && event.call.name === name ? [event.result] : [],
  );
}

/** The text of a result. */
export function textIn(result: ToolResultMessage | undefined): string {
  return result?.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') ?? '';
}

/** The lines that a waiting call showed. */
export function progressIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'tool_progress' ? [event.text] : []));
}

/** The sessions of agents that others have started, newest first. */
export async function startedSessions({ runtime }: TestRuntime): Promise<readonly Session[]> {
  const all = await runtime.conversations.sessions.summaries();
  const ids = all.filter(({ kind }) => kind === 'subagent').map(({ id }) => id);
  const opened = await Promise.all(ids.map((id) => runtime.conversations.sessions.open(id)));
  return opened.filter((session) => session !== undefined);
}
