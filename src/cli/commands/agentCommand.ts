import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PincerError, errorMessage } from '../../base/errors.ts';
import { agentModelUnknown } from '../../dexto/agentFile/planAgentFile.ts';
import type { AgentEvent } from '../../contracts/agentEvent.ts';
import type { Model, ModelSettings, ThinkingLevel } from '../../contracts/model.ts';
import type { FoundPluginCommand, Runtime } from '../../runtime/runtime.ts';
import type { Session } from '../../sessions/session.ts';
import { createApprover } from '../createApprover.ts';
import type { ProblemReport } from '../createProblemReport.ts';
import { createRunPrinter } from '../createRunPrinter.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { inertText } from '../inert.ts';
import { toErrorText, toJson, type Output, type CliProblem } from '../output.ts';
import { folderHash, withRuntime, type CliOptions } from '../withRuntime.ts';
import { withInterrupt } from '../withInterrupt.ts';
import {
  openSession,
  recordStops,
  toCallerOutcome,
  type CallerOutcome,
  type ReportedStop,
} from './agentSession.ts';

export interface AgentOptions extends CliOptions {
  readonly message: string;
  readonly model?: string;
  /** An id, or the beginning of one. */
  readonly session?: string;
  /** Of a new session. */
  readonly agent?: string;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly thinking?: ThinkingLevel;
  readonly rawStreamPath?: string;
  readonly record?: string;
}

/** What one message led to; `--json` prints it (docs/cli.md). */
interface TurnReport {
  /** Only where a model was asked. */
  readonly runId?: string;
  /** The model that answered, as `provider/model`. */
  readonly model?: string;
  /** Only where the message was a command of a plugin. */
  readonly command?: CommandReport['command'];
  readonly outcome: CallerOutcome;
  readonly calls: readonly { readonly name: string; readonly isError: boolean; readonly details?: unknown }[];
  /** What plugins of the agent file stopped, at all four points; only where a model was asked. */
  readonly stops?: readonly ReportedStop[];
}

/** `pincer agent`: one message. The answer goes to standard output, what happened on the way to standard error. */
export async function runAgentCommand(options: AgentOptions, output: Output): Promise<ExitCode> {
  if (options.message.trim() === '') throw new PincerError('message_empty', 'The message is empty.');
  return await withRuntime(options, output, async (runtime, problems) => {
    const wanted = await openSession(runtime, options, folderHash(resolve(options.workspace)));
    const found = runtime.plugins.findCommand(options.message);
    const said = found === undefined ? undefined : await runCommand(runtime, wanted, found);
    if (said?.text !== undefined && options.json !== true) output.out(`${inertText(said.text)}\n`);
    const { session, ...turn } =
      said?.outcome === undefined
        ? await runTurn(runtime, wanted, options, output, problems)
        : { session: wanted, outcome: said.outcome, calls: [] };
    const { outcome } = turn;
    const command = said === undefined ? {} : { command: said.command };
    if (outcome.status === 'failed') problems.said(outcome.message);
    if (options.json === true) {
      // A session in which nothing was said is not kept, so its id leads nowhere.
      const sessionId = session.isNew ? {} : { sessionId: session.id };
      const pluginExtensions = await runtime.plugins.sessionExtensions(session.key);
      const extensions = Object.keys(pluginExtensions).length === 0 ? {} : { pluginExtensions };
      output.out(
        toJson({
          ...{ ...sessionId, ...command, ...turn, ...extensions },
          diagnostics: runtime.workspace.diagnostics(),
        }),
      );
    }
    if (outcome.status === 'failed') output.err(toErrorText(outcome));
    return exitCodeOf(outcome);
  });
}

function exitCodeOf(outcome: CallerOutcome): ExitCode {
  switch (outcome.status) {
    case 'completed':
    case 'yielded':
      return exitCodes.ok;
    case 'blocked':
      return exitCodes.blocked;
    case 'cancelled':
      return exitCodes.cancelled;
    case 'failed':
      return exitCodes.failed;
  }
}

async function runTurn(
  runtime: Runtime,
  session: Session,
  options: AgentOptions,
  output: Output,
  problems: ProblemReport,
): Promise<TurnReport & { readonly session: Session }> {
  const model = await openModel(runtime, session, options);
  // Said only where it matters: with --model it would stand there for nothing.
  if (options.model === undefined)
    problems.show(runtime.workspace.diagnostics().filter(({ code }) => code === agentModelUnknown));
  const cancel = new AbortController();
  const terminal = { input: process.stdin, output: process.stderr };
  const interrupt = (): void => cancel.abort();
  const approve = createApprover(runtime, terminal, { interrupt, err: output.err });
  const print = createRunPrinter(output);
  const raw = options.rawStreamPath === undefined ? undefined : openRawStream(resolve(options.rawStreamPath));
  const stops = recordStops(runtime.plugins);
  const calls: TurnReport['calls'][number][] = [];
  let answering = model.info;
  const emit = (event: AgentEvent): void => {
    if (event.type === 'run_started') answering = event.model;
    if (event.type === 'tool_ended') {
      const { isError, details } = event.result;
      calls.push({ name: event.call.name, isError, ...(details === undefined ? {} : { details }) });
    }
    approve(event);
    if (options.json !== true) print(event);
  };
  try {
    const prompt = options.message;
    const { run, outcome } = await withInterrupt(async (interrupted) => {
      const run = await runtime.turns.start({
        session,
        prompt,
        attachments: [],
        model,
        settings: settingsOf(options),
        ...(raw === undefined ? {} : { onRaw: raw.write }),
        signal: AbortSignal.any([interrupted, cancel.signal]),
        emit,
      });
      const outcome = await run.outcome;
      await run.settled;
      return { run, outcome };
    });
    // A rule for pauses may have begun a fresh session.
    return {
      session: run.session,
      runId: run.runId,
      model: `${answering.provider}/${answering.model}`,
      outcome: toCallerOutcome(outcome),
      calls,
      stops: stops.of(run.runId),
    };
  } finally {
    stops.dispose();
    const problem = await raw?.close();
    if (problem !== undefined) output.err(toErrorText(problem));
  }
}

function settingsOf({ temperature, maxTokens, thinking }: AgentOptions): ModelSettings {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(thinking === undefined ? {} : { thinking }),
  };
}

async function openModel(
  runtime: Pick<Runtime, 'models'>,
  session: Session,
  { model: name, record }: AgentOptions,
): Promise<Model> {
  const model =
    name === undefined ? runtime.models.forSession(session) : await runtime.models.open(name, process.cwd());
  if (record === undefined) return model;
  const file = resolve(record);
  if (existsSync(file)) {
    throw new PincerError('record_exists', `${file} already exists.`, {
      hint: 'Name a new file after --record, or remove this one.',
    });
  }
  return runtime.models.record(model, (line) => appendFile(file, line));
}

/** What a command of a plugin came to. */
interface CommandReport {
  readonly command: {
    readonly name: string;
    readonly pluginId: string;
    /** What it said before the agent went on. */
    readonly text?: string;
  };
  /** What stands before the answer of the agent, or is the answer; undefined where it said nothing, or failed. */
  readonly text: string | undefined;
  /** Undefined where the agent goes on. */
  readonly outcome: CallerOutcome | undefined;
}

/** A command of a plugin answers by itself, as in the chat; no model is asked unless it wants the agent to go on. */
async function runCommand(
  runtime: Pick<Runtime, 'workspace'>,
  session: Session,
  command: FoundPluginCommand,
): Promise<CommandReport> {
  const failures = (): number =>
    runtime.workspace.diagnostics().filter((each) => each.code === 'plugin_command_failed').length;
  const before = failures();
  const { text, continues } = await command.run(session);
  const { name, pluginId } = command;
  if (continues) {
    const said = text === '' ? undefined : text;
    return {
      command: { name, pluginId, ...(said === undefined ? {} : { text: said }) },
      text: said,
      outcome: undefined,
    };
  }
  const failed = failures() > before;
  return {
    command: { name, pluginId },
    text: failed ? undefined : text,
    outcome: failed
      ? { status: 'failed', code: 'plugin_command_failed', message: text }
      : { status: 'completed', text },
  };
}

/** Writes what a provider sends to a file, as it is. */
interface RawStream {
  /** Never throws: a full disk must not end the turn. */
  readonly write: (chunk: string) => void;
  /** Waits for the disk; gives what went wrong. */
  close(): Promise<CliProblem | undefined>;
}

/** @param file absolute; what is there already stays in front. Only its owner may read it: the stream holds the conversation. */
function openRawStream(file: string): RawStream {
  let problem: CliProblem | undefined;
  let written: Promise<void> = Promise.resolve();
  return {
    write(chunk) {
      written = written
        .then(() => appendFile(file, chunk, { mode: 0o600 }))
        .catch((error: unknown) => {
          problem ??= {
            code: 'raw_stream_failed',
            message: `The raw stream could not be written to ${file}: ${errorMessage(error)}`,
          };
        });
    },
    async close() {
      await written;
      return problem;
    },
  };
}
