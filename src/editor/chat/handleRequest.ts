import * as vscode from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { Diagnostic } from '../../contracts/diagnostic.ts';
import type { ModelInfo } from '../../contracts/model.ts';
import { closingLine } from '../../models/builtIn/texts.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { groupWith } from '../approvals/allowTogether.ts';
import { readContinued } from '../checkpoints/continueFork.ts';
import type { LiveCalls } from '../jobs/liveCalls.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { readServerParts } from '../mcp/serverParts.ts';
import { modelIdOf } from '../models/modelIds.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import { leftWaitingLine, stillWaitingLine } from '../steering/leftoverMessages.ts';
import { wantsToYield } from '../steering/wantsToYield.ts';
import { toAbortSignal } from '../toAbortSignal.ts';
import { attachmentProblemText } from './attachmentProblemText.ts';
import { beforePanelCloses } from './beforePanelCloses.ts';
import type { CallSteps } from './callSteps.ts';
import type { ChatMemory, ChatPlace } from './chatMemory.ts';
import { chooseSession } from './chooseSession.ts';
import { createFindFile } from './createFindFile.ts';
import { findSession, lastModel, requestsWith, sessionBefore, shownTurns } from './findSession.ts';
import { modelOfToolCall, modelOfTurn } from './modelOfTurn.ts';
import { readCommand, type CommandWords } from './readCommand.ts';
import { readReferences } from './readReferences.ts';
import { withoutRemoved, type RemovedTurns } from './removedTurns.ts';
import { renderRun } from './renderRun.ts';
import { toResult } from './resultMetadata.ts';
import { answeredByLine, missingModelLine } from './runTexts.ts';
import { panelIdOf, type SeenTurns, type ShownTurn } from './seenTurns.ts';
import { showFailure, showStopped, showUnknownCommand } from './showFailure.ts';
import { showProgress } from './showProgress.ts';
import { slashCommands, toolCommand } from './slashCommands.ts';
import { commandLink, trustedMarkdown } from './trustedMarkdown.ts';
import { unknownCommand, type KnownCommands } from './unknownCommand.ts';

export interface ChatDeps {
  readonly runtime: LazyRuntime;
  readonly chats: ChatMemory;
  readonly last: LastUsedTracker;
  readonly reviewOf: ReviewOf;
  readonly steps: Pick<CallSteps, 'add'>;
  readonly calls: Pick<LiveCalls, 'follow'>;
  readonly seen: SeenTurns;
  readonly removed: RemovedTurns;
  readonly log: vscode.LogOutputChannel;
  /** When the panel called, by the monotonic clock. */
  readonly started: number;
}

/** What the model is told when the user resumes a turn. */
export const resumePrompt =
  'Go on with what I asked for before you were interrupted. Check first what is already done.';

/** Answers one chat request. The result names the chat: its next request is compared with what this one showed. */
export async function handleRequest(
  deps: ChatDeps,
  request: vscode.ChatRequest,
  chat: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const panelId = panelIdOf(request.toolInvocationToken);
  const { chatId, gone } = deps.seen.look({ ...shownTurns(chat.history), panelId });
  const { metadata } = await answerRequest({ ...deps, chatId, gone }, request, chat, stream, token);
  return { metadata: { ...metadata, chatId } };
}

interface AnswerDeps extends ChatDeps {
  readonly chatId: string;
  /** Turns that the user took out of this chat, oldest first. */
  readonly gone: readonly ShownTurn[];
}

/** A slash command of ours, a command of a plugin, or a turn of the agent, which a plugin's command may ask for. */
async function answerRequest(
  deps: AnswerDeps,
  request: vscode.ChatRequest,
  chat: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  let session: Session | undefined;
  let { started } = deps;
  try {
    const runtime = await deps.runtime.get();
    // What was saved or changed a moment ago counts for slash commands, models and sessions, too.
    await runtime.workspace.catchUp();
    const isTyped = (name: string): boolean => name === toolCommand || slashCommands[name]?.isTyped === true;
    const continued = request.command === undefined ? readContinued(request.prompt) : undefined;
    const words =
      continued === undefined ? readCommand(request, isTyped) : { command: 'continue', prompt: continued };
    const { command, prompt } = words;
    const startsOver = command === 'new' || command === 'reset';
    const previous = await findSession(runtime, request, chat.history, deps.chats).catch((error: unknown) => {
      // Starting over is the way out of a transcript that can't be read.
      if (!startsOver) throw error;
      deps.log.warn(errorMessage(error));
      return undefined;
    });
    session = await chooseSession(runtime, words, previous);
    // `/resume` alone goes on with the turn that was cut off; with words it names a session.
    const goesOn = command === 'resume' && prompt.trim() === '';
    const slash = goesOn ? undefined : slashCommands[command ?? ''];
    const pluginCommand = slash === undefined ? runtime.plugins.findCommand(request.prompt) : undefined;
    const isTurn = slash === undefined && pluginCommand === undefined;
    const unknown =
      isTurn && command === undefined ? unknownCommand(prompt, commandNames(runtime)) : undefined;
    const isEmpty =
      isTurn && command === undefined && prompt.trim() === '' && request.references.length === 0;
    const requests = requestsWith(request, chat.history);
    const namesSession = command === 'continue' || (command === 'resume' && !goesOn);
    if (namesSession) deps.seen.named({ chatId: deps.chatId, requests });
    else if (unknown === undefined) session = await withoutRemoved(runtime, deps, session, previous);
    const from = sessionBefore(previous, chat.history);
    const begins = isTurn && unknown === undefined && !isEmpty;
    await deps.chats.note({ requests, from, place: placeOf(session), isTurn: begins });
    if (unknown !== undefined) {
      showUnknownCommand(stream, unknown);
      return toResult(session, { about: 'failure' });
    }
    if (isEmpty) {
      stream.markdown(
        vscode.l10n.t('Your message is empty. Say what you want, or type `/` to see the commands.'),
      );
      return toResult(session, { about: 'answer' });
    }
    if (slash !== undefined) {
      const signal = toAbortSignal(token);
      const { last, reviewOf } = deps;
      const given = {
        runtime,
        session,
        previous,
        last,
        reviewOf,
        stream,
        prompt,
        picked: request.model,
        signal,
      };
      const about = await slash.run(given);
      return toResult(session, { about });
    }
    if (pluginCommand !== undefined) {
      const { text, continues } = await raceAbort(pluginCommand.run(session), toAbortSignal(token));
      if (!continues) {
        stream.markdown(text);
        return toResult(session, { about: 'answer' });
      }
      if (text !== '') stream.markdown(`${text}\n\n`);
      // The turn looks again at the disk: the command may have changed something there.
      started = runtime.host.clock.monotonic();
      await deps.chats.note({ requests, from, place: placeOf(session), isTurn: true });
    }
    const at: TurnPlace = { session, runId: undefined };
    return await beforePanelCloses(
      runTurn({ ...deps, started, runtime, session, words, request, chat, stream, token }, at),
      () => stoppedResult(at),
      { signal: toAbortSignal(token), clock: runtime.host.clock, log: deps.log },
    );
  } catch (error) {
    if (token.isCancellationRequested && session !== undefined) {
      // The panel has closed the answer: nothing can be said in it.
      deps.log.debug(errorMessage(error));
      return toResult(session, { about: 'stopped' });
    }
    const problem = stoppedBy(deps.runtime.peek(), error);
    const place = { sessionId: session?.id, message: messageOf(request) };
    if (problem === undefined) showFailure(stream, error, place);
    else showStopped(stream, problem, place);
    return session === undefined ? {} : toResult(session, { about: 'failure' });
  }
}

interface TurnContext extends Omit<AnswerDeps, 'runtime'> {
  readonly runtime: Runtime;
  readonly session: Session;
  readonly words: CommandWords;
  readonly request: vscode.ChatRequest;
  readonly chat: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
}

/** Where a turn runs. After a pause it may be another session than the one it was asked in. */
interface TurnPlace {
  session: Session;
  /** Once it has begun. */
  runId: string | undefined;
}

async function runTurn(turn: TurnContext, at: TurnPlace): Promise<vscode.ChatResult> {
  const { runtime, session, words, request, stream, chats } = turn;
  const isResume = words.command === 'resume';
  const last = isResume ? await runtime.conversations.lastTurn(session) : undefined;
  if (last === 'ended' || last === 'elsewhere') {
    await chats.ended(session.id);
    stream.markdown(
      last === 'ended'
        ? vscode.l10n.t('No turn of this chat was interrupted.')
        : vscode.l10n.t('The turn of this chat runs in another window or program.'),
    );
    return toResult(session, { about: 'answer' });
  }
  const isToolCall = words.command === toolCommand;
  const prompt = isResume ? resumePrompt : isToolCall ? `/${toolCommand} ${words.prompt}` : request.prompt;
  let answering: ModelInfo | undefined;
  try {
    const called = isToolCall ? modelOfToolCall(runtime, session, request.model) : undefined;
    const { model, source, missing } = called ?? modelOfTurn(runtime, session, request.model);
    const toolNames = (): readonly string[] =>
      runtime.tools
        .catalogFor(session, model.info)
        .tools()
        .map(({ name }) => name);
    const [attached, ofServers] = await Promise.all([
      readReferences(runtime, request, toolNames),
      isToolCall ? [] : readServerParts(runtime.mcp, prompt, session.id),
    ]);
    for (const problem of attached.problems) stream.markdown(`*${attachmentProblemText(problem)}*\n\n`);
    const { paths: attachedPaths } = attached;
    const attachments = [...attached.parts, ...ofServers];
    const signal = toAbortSignal(turn.token);
    // Only now: while the user was asked something, messages could be taken back.
    const left = await leftWaitingLine(runtime, session);
    if (left !== undefined) stream.markdown(trustedMarkdown(`${left}\n\n`));
    if (runtime.conversations.running(session.id) !== undefined)
      showProgress(stream, vscode.l10n.t('Waiting for the running turn of this session'));
    const shouldYield = (): boolean => wantsToYield(turn.chat);
    const outcome = await renderRun({
      stream,
      addStep: (text) => turn.steps.add(text, request.toolInvocationToken),
      reviewOf: turn.reviewOf,
      noteShown: (id) => runtime.approvals.noteShownWhole(id, 'answer'),
      groupOf: (asked) =>
        groupWith({ approvals: runtime.approvals, reviewOf: turn.reviewOf, by: 'chat button' }, asked),
      findFile: createFindFile(),
      allowsAll: panelAllowsAll(request),
      // The panel takes nothing any more once the user has stopped the answer.
      after: (ms, call) =>
        runtime.host.clock.after(ms, () => {
          if (!turn.token.isCancellationRequested) call();
        }),
      sessionId: () => at.session.id,
      start: async (show) => {
        const follow = turn.calls.follow();
        const emit = (event: AgentEvent): void => {
          // The status bar keeps naming the model that answers: nobody chose the one that calls a tool.
          const isBegun = called !== undefined && event.type === 'run_started';
          const shown = isBegun ? { ...event, model: called.inUse } : event;
          turn.last.note(at.session.id, shown, source, 'panel');
          follow(event);
          if (event.type === 'run_started') answering = event.model;
          if (event.type === 'model_fallback') answering = event.to;
          show(event);
        };
        const asked = { session, prompt, attachments, attachedPaths, model, shouldYield, signal, emit };
        const run = await runtime.turns.start({ ...asked, receivedAt: turn.started });
        if (run.session !== session) {
          const requests = requestsWith(request, turn.chat.history);
          await chats.note({ requests, from: session.id, place: placeOf(run.session), isTurn: true });
        }
        at.session = run.session;
        at.runId = run.runId;
        const said = { chatId: turn.chatId, requests: requestsWith(request, turn.chat.history) };
        turn.seen.ran(said, { sessionId: at.session.id, runId: run.runId });
        return await run.outcome;
      },
      onFirstText: () =>
        turn.log.info(`First text after ${(performance.now() - turn.started).toFixed(1)} ms`),
    });
    if (at.session !== session) stream.markdown(trustedMarkdown(`\n\n$(history) ${beganAnewText(session)}`));
    // With `/tool` no model answers.
    const by = outcome.status === 'completed' && !isToolCall ? answering : undefined;
    const named = { runId: at.runId, model: by === undefined ? undefined : modelIdOf(by) };
    const result = finish({ ...turn, session: at.session }, outcome, named);
    const isTold = outcome.status === 'completed' && outcome.text.includes(closingLine);
    if (by !== undefined && !isTold)
      stream.markdown(
        trustedMarkdown(`\n\n${answeredByLine(by, named.model !== lastModel(turn.chat.history))}`),
      );
    if (
      missing !== undefined &&
      outcome.status === 'completed' &&
      turn.last.tellsOnce(at.session.id, missing)
    )
      stream.markdown(trustedMarkdown(`\n\n${missingModelLine(missing)}`));
    // With `yielded` the next request reads it at once.
    const waits = outcome.status === 'yielded' ? undefined : stillWaitingLine(runtime, at.session);
    if (waits !== undefined) stream.markdown(trustedMarkdown(`\n\n${waits}`));
    const changed = await turn.removed.line(runtime, at.session.id);
    if (changed !== undefined) stream.markdown(trustedMarkdown(`\n\n${changed}`));
    return result;
  } finally {
    for (const each of new Set([session, at.session]))
      if (each.interruptedTurn() === undefined) await chats.ended(each.id);
  }
}

function stoppedResult({ session, runId }: TurnPlace): vscode.ChatResult {
  return toResult(session, { ...(runId === undefined ? {} : { runId }), about: 'stopped' });
}

export function commandNames({ plugins }: Pick<Runtime, 'plugins'>): KnownCommands {
  return {
    own: [...Object.keys(slashCommands).filter((name) => name !== 'continue'), toolCommand],
    plugins: plugins.commands().map(({ name }) => name),
  };
}

function placeOf({ id, agentId, key }: Session): Required<ChatPlace> {
  return { sessionId: id, agentId, sessionKey: key };
}

/** After a pause the conversation may begin anew by itself: `session.reset` of the config. Trusted markdown. */
function beganAnewText({ id }: Session): string {
  return vscode.l10n.t(
    'New session after a pause. Earlier messages were not sent. {0}',
    commandLink(vscode.l10n.t('Resume the earlier session'), 'pincer.sessions.resume', { sessionId: id }),
  );
}

function finish(
  { stream, session, request }: TurnContext,
  outcome: RunOutcome,
  { runId, model }: { readonly runId: string | undefined; readonly model: string | undefined },
): vscode.ChatResult {
  const place = {
    ...(runId === undefined ? {} : { runId }),
    ...(model === undefined ? {} : { model }),
  };
  switch (outcome.status) {
    case 'completed':
      if (outcome.text.trim() === '') stream.markdown(`*${vscode.l10n.t('The model gave no answer.')}*`);
      return toResult(session, { ...place, about: 'answer' });
    case 'cancelled':
      stream.markdown(trustedMarkdown(`\n\n*${vscode.l10n.t('Stopped.')}*`));
      return stoppedResult({ session, runId });
    case 'yielded':
      stream.markdown(`\n\n*${vscode.l10n.t('Continues with your new message.')}*`);
      return toResult(session, { ...place, about: 'answer' });
    case 'blocked':
      stream.markdown(
        `${outcome.text}\n\n*${vscode.l10n.t('Plugin {0} stopped this message before a model read it. Pincer did not store it, but the chat panel still shows what you typed.', outcome.pluginId)}*`,
      );
      return toResult(session, { ...place, about: 'answer' });
    case 'failed':
      showFailure(
        stream,
        new PincerError(
          outcome.code,
          outcome.message,
          outcome.hint === undefined ? {} : { hint: outcome.hint },
        ),
        { sessionId: session.id, message: messageOf(request) },
      );
      return toResult(session, { ...place, about: 'failure' });
  }
}

/**
 * True where the permission picker under the chat's input is on *Allow all* or *Autopilot*. The member is proposed API, yet
 * readable; where it is missing nothing is said of it. Pure.
 */
function panelAllowsAll(request: object): boolean {
  return (
    'permissionLevel' in request &&
    (request.permissionLevel === 'autoApprove' || request.permissionLevel === 'autopilot')
  );
}

/** Longer ones would make a link that the panel has to carry along. Characters. */
const maxMessage = 4_000;

/** What the user sent, where a link can send the same again: without what was attached it would be another message. */
function messageOf({ command, prompt, references }: vscode.ChatRequest): string | undefined {
  if (references.length > 0 || prompt.length > maxMessage) return undefined;
  return command === undefined ? prompt : `/${command} ${prompt}`;
}

/** What keeps the agent from running, where that is why the turn did not begin. */
function stoppedBy(runtime: Runtime | undefined, error: unknown): Diagnostic | undefined {
  return error instanceof PincerError && error.code === 'agent_stopped'
    ? runtime?.workspace.problem()
    : undefined;
}
