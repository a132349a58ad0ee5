import { createEmitter, type Emitter, type Event } from '../../base/event.ts';
import { inertLine } from '../../base/text.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';

/** A call that runs and says how far it is: a tool of a plugin, or a started agent. */
export interface LiveCall {
  /** `look ahead` */
  readonly label: string;
  /** What it has said, oldest first; never empty. Only the newest lines are kept. */
  lines(): readonly string[];
  readonly onLine: Event<string>;
  isRunning(): boolean;
  readonly onEnd: Event<void>;
}

/** What the calls of this window's turns say while they run. The answer names a call once: there each line would be a paragraph. */
export interface LiveCalls {
  /** Follows a turn by its events, which the given function is to be told of. */
  follow(): (event: AgentEvent) => void;
  /** Those that run and have said something, oldest first. */
  list(): readonly LiveCall[];
  readonly onDidChange: Event<void>;
}

const maxLines = 500;
const maxLine = 500;

interface OwnCall extends LiveCall {
  say(text: string): void;
  end(): void;
}

export function createLiveCalls(): LiveCalls {
  const changes: Emitter<void> = createEmitter();
  let live: readonly OwnCall[] = [];
  return {
    follow() {
      const labels = new Map<string, string>();
      const calls = new Map<string, OwnCall>();
      const end = (id: string): void => {
        const call = calls.get(id);
        labels.delete(id);
        if (call === undefined) return;
        calls.delete(id);
        live = live.filter((each) => each !== call);
        call.end();
        changes.fire();
      };
      return (event) => {
        switch (event.type) {
          case 'tool_started':
            // The output of a command has its own terminal.
            if (event.call.name !== 'exec') labels.set(event.call.id, event.label);
            break;
          case 'tool_progress': {
            const label = labels.get(event.toolCallId);
            if (label === undefined) break;
            const call = calls.get(event.toolCallId) ?? createCall(label);
            calls.set(event.toolCallId, call);
            if (!live.includes(call)) live = [...live, call];
            call.say(event.text);
            changes.fire();
            break;
          }
          case 'tool_ended':
            end(event.call.id);
            break;
          case 'run_ended':
            for (const id of [...calls.keys()]) end(id);
            break;
          default:
            break;
        }
      };
    },
    list: () => live,
    onDidChange: changes.event,
  };
}

function createCall(label: string): OwnCall {
  const said = createEmitter<string>();
  const ended: Emitter<void> = createEmitter();
  let lines: readonly string[] = [];
  let isRunning = true;
  return {
    label: inertLine(label, 80),
    lines: () => lines,
    onLine: said.event,
    isRunning: () => isRunning,
    onEnd: ended.event,
    say(text) {
      const more = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [inertLine(line, maxLine)]));
      lines = [...lines, ...more].slice(-maxLines);
      for (const line of more) said.fire(line);
    },
    end() {
      isRunning = false;
      ended.fire();
    },
  };
}
