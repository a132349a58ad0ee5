import { readFile } from 'node:fs/promises';
import type { AgentEvent, RunOutcome } from '../../../src/contracts/agentEvent.ts';
import type { Model } from '../../../src/contracts/model.ts';
import type { SessionEntry } from '../../../src/contracts/sessionEntry.ts';
import type { RunRequest, StartedTurn } from '../../../src/runtime/runtime.ts';
import type { Session } from '../../../src/sessions/session.ts';
import {
  openTestRuntime,
  type TestRuntime,
  type TestRuntimeOptions,
} from '../../builders/openTestRuntime.ts';

export interface ConversationOptions extends TestRuntimeOptions {
  /** What the tool `work` does with each thing before it has done it. */
  readonly work?: (on: string) => unknown;
}

/** The whole runtime with a tool of its own: `work`, which needs no approval and answers `did <thing>`. */
export async function openConversation({ work, ...options }: ConversationOptions = {}): Promise<TestRuntime> {
  Object.assign(globalThis, { workOn: work ?? (() => undefined) });
  return await openTestRuntime({
    withoutRealBundled: true,
    // What is said while a turn runs meets it at one moment or another.
    isRecorded: false,
    ...options,
    config: { memory: { enabled: false }, ...(options.config as object | undefined) },
    global: { worker, ...options.global },
  });
}

const worker = `module.exports = (api) => api.registerTool({
  name: 'work',
  description: 'Works on something.',
  parameters: { type: 'object', properties: { on: { type: 'string' } }, required: ['on'] },
  execute: async (_id, { on }) => {
    const said = await globalThis.workOn(on);
    return { content: [{ type: 'text', text: typeof said === 'string' ? said : 'did ' + on }] };
  },
});`;

/** A turn that runs, and what it has told so far. */
export interface Talk {
  readonly turn: StartedTurn;
  readonly events: readonly AgentEvent[];
}

/** A turn that is over. */
export interface EndedTalk extends Talk {
  readonly outcome: RunOutcome;
}

type More = Partial<Omit<RunRequest, 'emit'>> & { readonly onEvent?: (event: AgentEvent) => void };

export async function startTalk(
  { runtime, session }: TestRuntime,
  prompt: string,
  model: Model,
  { onEvent, ...more }: More = {},
): Promise<Talk> {
  const events: AgentEvent[] = [];
  const turn = await runtime.turns.start({
    session,
    prompt,
    attachments: [],
    model,
    signal: new AbortController().signal,
    ...more,
    emit(event) {
      events.push(event);
      onEvent?.(event);
    },
  });
  return { turn, events };
}

export async function talk(...args: Parameters<typeof startTalk>): Promise<EndedTalk> {
  const { turn, events } = await startTalk(...args);
  const outcome = await turn.outcome;
  await turn.settled;
  return { turn, events, outcome };
}

/** The transcript as it lies on disk. */
export async function readEntries({ file }: Pick<Session, 'file'>): Promise<readonly SessionEntry[]> {
  const [, ...lines] = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as SessionEntry);
}
