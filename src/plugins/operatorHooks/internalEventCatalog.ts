import { nearestFirst } from '../../base/nearestFirst.ts';
import { editDistance } from '../../base/editDistance.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import { warnDiagnostic, type DiagnosticSubject } from '../pluginDiagnostics.ts';

interface InternalEventEntry {
  /** When it fires, for people. */
  readonly when: string;
  /** Why nothing fires it yet; absent where something does. */
  readonly neverFires?: string;
}

/** Every key that a hook may listen to: `type:action`, or a type alone for all of its actions. */
const internalEvents: Readonly<Record<string, InternalEventEntry>> = {
  command: { when: 'any command event' },
  'command:new': { when: 'the user starts over with /new' },
  'command:reset': { when: 'the user starts over with /reset' },
  'command:stop': { when: 'the user stops a turn' },
  session: { when: 'any session event' },
  'session:patch': { when: 'what is kept of a session has been changed' },
  'session:compact:before': { when: 'before a session is compacted' },
  'session:compact:after': { when: 'after a session was compacted' },
  agent: { when: 'any agent event' },
  'agent:bootstrap': { when: 'before the workspace instructions become part of the system prompt' },
  gateway: { when: 'any gateway event' },
  'gateway:startup': { when: 'hooks and plugins are loaded' },
  'gateway:shutdown': { when: 'the window or the program is about to end' },
  'gateway:pre-restart': {
    when: 'before a planned restart',
    neverFires: 'Pincer plans no restarts; gateway:shutdown fires when a window reloads',
  },
  message: { when: 'any message event' },
  'message:received': { when: 'a message of the user has come in' },
  'message:transcribed': { when: 'audio was turned into text', neverFires: 'Pincer takes no audio' },
  'message:preprocessed': { when: 'a message and its attachments are ready for the agent' },
  'message:sent': { when: 'an answer has been shown' },
};

const names = Object.keys(internalEvents);

interface JudgedEvents {
  /** The known ones, each once, in their order. */
  readonly events: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The events of a list that exist, and a warning for each that does not, is there twice or never fires. Pure.
 * `owner` begins the messages, such as `hook "x"`.
 */
export function judgeEvents(
  wanted: readonly string[],
  owner: string,
  about: DiagnosticSubject = {},
): JudgedEvents {
  const events = [...new Set(wanted)].filter((name) => Object.hasOwn(internalEvents, name));
  const diagnostics = [...new Set(wanted)].flatMap((name) => [
    ...judgeName(name, owner, about),
    ...(wanted.filter((each) => each === name).length === 1
      ? []
      : [
          warnDiagnostic(
            'hook_event_repeated',
            `${owner} names event "${name}" more than once; it counts once`,
            about,
          ),
        ]),
  ]);
  return { events, diagnostics };
}

function judgeName(name: string, owner: string, about: DiagnosticSubject): readonly Diagnostic[] {
  const known = Object.hasOwn(internalEvents, name) ? internalEvents[name] : undefined;
  if (known === undefined) {
    const near = nearestEvent(name);
    const hint = near === undefined ? `Events are: ${names.join(', ')}.` : `Did you mean "${near}"?`;
    const message = `${owner} listens to event "${name.slice(0, 80)}", which does not exist`;
    return [warnDiagnostic('hook_event_unknown', message, { hint, ...about })];
  }
  if (known.neverFires === undefined) return [];
  const message = `${owner} listens to event "${name}", which never fires: ${known.neverFires}`;
  return [warnDiagnostic('hook_event_never_fires', message, about)];
}

/** The known name that looks most like `name`; undefined where none does. */
function nearestEvent(name: string): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  const best = nearestFirst(wanted, names)[0];
  if (best === undefined) return undefined;
  return editDistance(wanted, best) <= Math.max(2, wanted.length / 3) ? best : undefined;
}
