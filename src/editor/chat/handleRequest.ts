import * as vscode from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { RunOutcome } from '../../contracts/agentEvent.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { openContinued } from '../checkpoints/continueFork.ts';
import { chooseModel } from '../models/chooseModel.ts';
import { toAbortSignal } from '../toAbortSignal.ts';
import { findSession } from './findSession.ts';
import type { TurnMemory } from './turnMemory.ts';
import { readReferences } from './readReferences.ts';
import { renderRun } from './renderRun.ts';
import { toResult } from './resultMetadata.ts';
import { slashCommands } from './slashCommands.ts';

export interface ChatDeps {
  readonly runtime: LazyRuntime;
  readonly turns: TurnMemory;
  readonly log: vscode.LogOutputChannel;
}

/** What the model is told when the user resumes a turn. */
const resumePrompt =
  'Go on with what I asked for before you were interrupted. Check first what is already done.';

/** One chat request: a slash command of ours, a command of a plugin, or a turn of the agent. */
export async function handleRequest(
  deps: ChatDeps,
  request: vscode.ChatRequest,
  chat: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const started = performance.now();
  let session: Session | undefined;
  try {
    const runtime = await deps.runtime.get();
    const command = slashCommandOf(request);
    const startsOver = command === 'new' || command === 'reset';
    const previous = await findSession(runtime, request, chat.history, deps.turns).catch((error: unknown) => {
      // Starting over is the way out of a transcript that can't be read.
      if (!startsOver) throw error;
      deps.log.warn(errorMessage(error));
      return undefined;
    });
    if (command === 'continue') session = await openContinued(runtime, request.prompt);
    else session = previous === undefined || startsOver ? runtime.createSession() : previous;
    const slash = slashCommands[command ?? ''];
    if (slash !== undefined) {
      const signal = toAbortSignal(token);
      const { prompt } = request;
      const about = await slash({ runtime, session, previous, stream, prompt, request, signal });
      return toResult({ sessionId: session.id, about });
    }
    const pluginCommand = runtime.findPluginCommand(request.prompt);
    if (pluginCommand !== undefined) {
      stream.markdown(await raceAbort(pluginCommand.run(session), toAbortSignal(token)));
      return toResult({ sessionId: session.id, about: 'answer' });
    }
    return await runTurn({ ...deps, runtime, session, request, stream, token, started });
  } catch (error) {
    showFailure(stream, error);
    return session === undefined ? {} : toResult({ sessionId: session.id, about: 'failure' });
  }
}

/** The command that was chosen; `/reset` and `/continue` are none of the panel's, so that they are part of what was typed. */
function slashCommandOf({ command, prompt }: vscode.ChatRequest): string | undefined {
  return command ?? /^\s*\/(?<name>reset|continue)(?:\s|$)/u.exec(prompt)?.groups?.['name'];
}

interface TurnContext extends Omit<ChatDeps, 'runtime'> {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  /** When the panel called, by the clock that only grows. */
  readonly started: number;
}

async function runTurn(turn: TurnContext): Promise<vscode.ChatResult> {
  const { runtime, session, request, stream, turns } = turn;
  const isResume = request.command === 'resume';
  if (isResume && session.interruptedTurn() === undefined) {
    stream.markdown(vscode.l10n.t('No turn of this chat was interrupted.'));
    return toResult({ sessionId: session.id, about: 'answer' });
  }
  const prompt = isResume ? resumePrompt : request.prompt;
  await turns.begin(session.id, request.prompt);
  try {
    const attachments = await readReferences(runtime, request.references);
    const model = chooseModel(runtime, request.model);
    const signal = toAbortSignal(turn.token);
    const outcome = await renderRun({
      stream,
      start: async (emit) => {
        const run = await runtime.startRun({ session, prompt, attachments, model, signal, emit });
        return await run.outcome;
      },
      onFirstText: () =>
        turn.log.info(`First text after ${(performance.now() - turn.started).toFixed(1)} ms`),
    });
    return finish(stream, session, outcome);
  } finally {
    if (session.interruptedTurn() === undefined) await turns.end(session.id);
  }
}

function finish(stream: vscode.ChatResponseStream, session: Session, outcome: RunOutcome): vscode.ChatResult {
  switch (outcome.status) {
    case 'completed':
      if (outcome.text.trim() === '') stream.markdown(`*${vscode.l10n.t('The model gave no answer.')}*`);
      return toResult({ sessionId: session.id, about: 'answer' });
    case 'cancelled':
      stream.markdown(`\n\n*${vscode.l10n.t('Cancelled.')}*`);
      return toResult({ sessionId: session.id, about: 'answer' });
    case 'yielded':
      return toResult({ sessionId: session.id, about: 'answer' });
    case 'blocked':
      stream.markdown(
        `${outcome.text}\n\n*${vscode.l10n.t('Plugin {0} stopped this message before a model read it. It is kept in no transcript of Pincer, but the panel still shows what you typed.', outcome.pluginId)}*`,
      );
      return toResult({ sessionId: session.id, about: 'answer' });
    case 'failed':
      showFailure(
        stream,
        new PincerError(
          outcome.code,
          outcome.message,
          outcome.hint === undefined ? {} : { hint: outcome.hint },
        ),
      );
      return toResult({ sessionId: session.id, about: 'failure' });
  }
}

/** A failure as text in the answer: it stays readable in the history, with what to do next. */
function showFailure(stream: vscode.ChatResponseStream, error: unknown): void {
  const hint =
    error instanceof PincerError && error.hint !== undefined ? `\n\n${escapeMarkdown(error.hint)}` : '';
  stream.markdown(
    new vscode.MarkdownString(`\n\n$(error) **${escapeMarkdown(errorMessage(error))}**${hint}`, true),
  );
}
