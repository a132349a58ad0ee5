import type { ApprovalDecision } from '../../../../src/contracts/approval.ts';
import type { Diagnostic } from '../../../../src/contracts/diagnostic.ts';
import type { ModelRequest } from '../../../../src/contracts/model.ts';
import type { PluginRecord } from '../../../../src/plugins/pluginTypes.ts';
import type { RunTrace } from '../../../../src/traces/runTrace.ts';
import type { TestRuntime, TestTurn } from '../../../builders/openTestRuntime.ts';

/**
 * One rule of the Dexto dialect, shown in the whole runtime. The folder of a sample is named `<number>-<rule in words>` by its
 * first point (see `pointTable.ts`). It holds this object as the default export of `sample.ts`, and `fixture/`: what lies in the
 * workspace's folder `.pincer`, with `agent.yml` and its plugins.
 */
export interface PointSample {
  /** The rule as one sentence; it is the name of the test. */
  readonly rule: string;
  /** The user's `config.jsonc`. */
  readonly config?: unknown;
  /** OpenClaw plugins of the workspace by id: the text of their `index.js`. */
  readonly openclaw?: Readonly<Record<string, string>>;
  /** Makes the clock run this many times faster once everything is loaded, for rules about waiting. */
  readonly speed?: number;
  /** What a person answers to every approval; undefined leaves it open. */
  readonly answer?: ApprovalDecision;
  /** As for `openTestRuntime`. */
  readonly isRecorded?: false;
  /** Environment variables beside the real ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the copied files before the runtime starts. */
  readonly prepare?: (places: PointPlaces) => Promise<unknown>;
  readonly check: (world: PointWorld) => unknown;
}

export interface PointPlaces {
  /** Holds `workspace`, `home` and `state`. */
  readonly root: string;
  /** Absolute path of the workspace folder; it holds `notes.md`: `High water is at six.` */
  readonly workspace: string;
  /** The workspace's `.pincer`, where the agent file lies. */
  readonly agentDir: string;
}

/** The whole runtime over a copy of the fixture. Plugins of the agent file have the user's consent. */
export interface PointWorld extends PointPlaces, Pick<TestRuntime, 'runtime' | 'session' | 'log'> {
  /** What plugins passed to the global function `mark`. */
  readonly marks: string[];
  /** One turn; the model's answers are those of docs/replay.md. Default: the model says `Hi.`. */
  say(prompt: string, script?: readonly object[], options?: SayOptions): Promise<PointTurn>;
  /** Writes a file of the workspace and lets the runtime know, as if the user had saved it. */
  save(path: string, text: string): Promise<void>;
  /** The user agrees to every plugin that waits. */
  agree(): Promise<void>;
  /** The row that lists and trees show of a plugin, by its name in the agent file. */
  plugin(name: string): PluginRecord;
  /** What the user is told, by code. */
  found(code: string): readonly Diagnostic[];
  /** The log: `<level> <message>`, one line each. */
  logged(): string;
  /** Everything that sessions and traces have on the disk, as text. */
  stored(): Promise<string>;
  /** The trace of the last turn of the `session`. */
  trace(): Promise<RunTrace>;
  /** Ends the runtime, plugins cleaned up, before the sample is over. */
  stop(): Promise<void>;
  /**
   * Ends the runtime and starts it again: all plugins load at once, since they have the user's consent. Runtime, session, log and
   * marks are new ones then.
   */
  restart(): Promise<void>;
}

export type SayOptions = Pick<NonNullable<Parameters<TestRuntime['say']>[2]>, 'signal' | 'session'>;

export interface PointTurn extends TestTurn {
  /** What the model was asked, call by call. */
  readonly asked: readonly ModelRequest[];
  /** All of that as one text. */
  readonly sent: string;
  /** What the tools gave the model: one text a call. */
  readonly results: readonly string[];
}

export function sample(definition: PointSample): PointSample {
  return definition;
}
