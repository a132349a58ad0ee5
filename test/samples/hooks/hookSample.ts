import type { ApprovalDecision, ApprovalRequest } from '../../../src/contracts/approval.ts';
import type { Diagnostic } from '../../../src/contracts/diagnostic.ts';
import type { AgentMessage } from '../../../src/contracts/message.ts';
import type { ModelRequest } from '../../../src/contracts/model.ts';
import type { TestRuntime, TestTurn } from '../../builders/openTestRuntime.ts';

/**
 * One behaviour of hooks in the whole runtime. The folder of a sample holds this object as the default export of `sample.ts`
 * and `fixture/`, with one file a plugin: `<id>.js` lies in the workspace and is enabled by the user, `bundled/<id>.js` comes
 * with Pincer, `global/<id>.js` is the user's own and there from the start. The real bundled plugins are left out.
 */
export interface HookSample {
  /** The rule as one sentence; it is the name of the test. */
  readonly rule: string;
  /** Files of the workspace. Default: `a.md` with `text of a`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Workspace plugins that the user lets read what is said. */
  readonly mayRead?: readonly string[];
  /** The user's config, but for `mayRead`. */
  readonly config?: {
    readonly plugins?: { readonly entries?: Readonly<Record<string, object>> };
    readonly [key: string]: unknown;
  };
  /** What the user answers to every question; absent, nobody answers. */
  readonly answer?: ApprovalDecision;
  /** Makes the clock run this many times faster once everything is loaded, for rules about waiting. */
  readonly speed?: number;
  readonly check: (world: HookWorld) => unknown;
}

/** A runtime with the plugins of the fixture, loaded. Its functions may be taken apart. */
export interface HookWorld extends Pick<TestRuntime, 'runtime' | 'session' | 'log'> {
  /** Absolute path of the workspace folder. */
  readonly workspace: string;
  /** One turn; each answer is a line of a replay script (docs/replay.md). */
  say(prompt: string, ...answers: readonly object[]): Promise<HookTurn>;
  /** The same for a model that a test plays itself, another session, or a turn that is cancelled. */
  readonly sayTo: TestRuntime['say'];
  /** What plugins passed to the global function `mark`, in order. */
  readonly marks: readonly unknown[];
  /** The diagnostics with this code, of one plugin or of all. */
  found(code: string, pluginId?: string): readonly Diagnostic[];
  /** What the session holds: one line a message, `role: its text`. */
  transcript(): readonly string[];
  /** Everything that sessions, traces and plugin state have on disk. */
  stored(): Promise<string>;
  /** What the trace of the last run tells of its hooks: one line a handler, `plugin hook outcome`. */
  traced(): Promise<readonly string[]>;
  /** A file of the workspace; undefined where it is not there. */
  fileText(path: string): Promise<string | undefined>;
  /** Puts another version of a workspace plugin on disk and gives the path of its file. */
  writePlugin(id: string, code: string): Promise<string>;
}

export interface HookTurn extends TestTurn {
  /** What the model was asked, call by call. */
  readonly asked: readonly ModelRequest[];
  /** What each tool call gave back, as text. */
  readonly results: readonly string[];
  /** What the user was asked. */
  readonly questions: readonly ApprovalRequest[];
}

export function sample(definition: HookSample): HookSample {
  return definition;
}

/** An answer that calls one tool. */
export function call(name: string, args: Readonly<Record<string, unknown>>): object {
  return { toolCalls: [{ name, arguments: args }] };
}

/** Reads `a.md`. */
export const readA = call('read', { path: 'a.md' });

/** Writes `new` to `b.md`, which the host asks about. */
export const writeB = call('write', { path: 'b.md', content: 'new' });

/** A final answer. */
export const done = { text: 'Done.' };

/** The text parts of a message, one a line. */
export function textOf(message: AgentMessage | undefined): string {
  return (message?.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
