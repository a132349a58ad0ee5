import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { raceAbort } from '../../base/abort.ts';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { escapeMarkdown } from '../../base/text.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ImagePart, TextPart } from '../../contracts/message.ts';
import type { ChatItem } from '../../gateway/chatPage/chatViewMessages.ts';
import type { PageTurns, TurnSurface } from '../../gateway/chatPage/createShownConversation.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { attachmentProblemText } from '../chat/attachmentProblemText.ts';
import { chooseSession } from '../chat/chooseSession.ts';
import { commandNames, resumePrompt } from '../chat/handleRequest.ts';
import { modelOfToolCall, modelOfTurn } from '../chat/modelOfTurn.ts';
import type { AnswerStream } from '../chat/orderedStream.ts';
import { readCommand, type CommandWords } from '../chat/readCommand.ts';
import { readReferences } from '../chat/readReferences.ts';
import type { RemovedTurns } from '../chat/removedTurns.ts';
import { missingModelLine } from '../chat/runTexts.ts';
import { showFailure, showStopped, showUnknownCommand } from '../chat/showFailure.ts';
import { slashCommands, toolCommand } from '../chat/slashCommands.ts';
import { commandLink, trustedMarkdown } from '../chat/trustedMarkdown.ts';
import { unknownCommand } from '../chat/unknownCommand.ts';
import type { LiveCalls } from '../jobs/liveCalls.ts';
import { readServerParts } from '../mcp/serverParts.ts';
import type { ReviewOf } from '../review/createReviewOf.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import type { TurnEdits } from './createTurnEdits.ts';
import { createTurnItems } from './createTurnItems.ts';

interface ViewTurnsParts extends TurnSurface {
  readonly runtime: Runtime;
  readonly last: LastUsedTracker;
  readonly reviewOf: ReviewOf;
  readonly calls: Pick<LiveCalls, 'follow'>;
  /** Gets what a button does, by the item in which it stands. */
  readonly buttons: Map<string, vscode.Command>;
  readonly goBack: TurnEdits['goBack'];
  /** Tells of each command in the background how it goes by now. */
  readonly refreshJobs: () => void;
  readonly removed: Pick<RemovedTurns, 'line'>;
}

/** A message as the user sent it. */
interface SentMessage {
  readonly text: string;
  readonly attached: readonly SentFile[];
  /** In place of the message of this item, with what was attached to that one or without it. */
  readonly before?: { readonly id: string; readonly keepsAttached: boolean };
  /** What was attached to that one. */
  readonly kept?: KeptAttached;
  /** By the monotonic clock. */
  readonly receivedAt: number;
}

/** What stays attached to a message that is said again. */
interface KeptAttached {
  readonly parts: readonly (TextPart | ImagePart)[];
  readonly labels: readonly string[];
  /** Absolute; of files and folders, as far as they are known. */
  readonly paths: readonly string[];
}

type UserItem = Extract<ChatItem, { kind: 'user' }>;

/** A file or folder, or what a page elsewhere has sent of one. */
export interface SentFile {
  readonly uri: string;
  readonly label: string;
  /** As `readReferences` takes it. */
  readonly value: unknown;
}

/** Answers messages: by a slash command, a plugin's command, or a turn of the agent. One at a time. */
export interface ViewTurns extends PageTurns {
  /** Never rejects: a failure stands in the view. */
  say(said: SentMessage): Promise<void>;
  /** Says the message once more that failed last, with what was attached to it; any other text as it is. Never rejects. */
  sayAgain(text: string, receivedAt: number): Promise<void>;
}

export function createViewTurns(parts: ViewTurnsParts): ViewTurns {
  const { runtime, items, nextId, onProgress } = parts;
  let stopping: AbortController | undefined;
  const note = (icon: string, markdown: string): void =>
    items.put({ kind: 'note', id: nextId(), icon, markdown });
  const noteStopped = (): void => {
    const message = vscode.l10n.t('Go on with what I asked for.');
    const goOn = commandLink(vscode.l10n.t('Go on'), 'pincer.chat.sendAgain', { message });
    note('circle-slash', `${vscode.l10n.t('Stopped.')} ${goOn}`);
  };
  const stream = createItemStream(parts);
  let failed: SentMessage | undefined;
  /** What the message of each item had attached: its rules count again where it is said again. */
  const pathsOf = new Map<string, readonly string[]>();

  const answer = async (said: SentMessage, item: UserItem, signal: AbortSignal): Promise<void> => {
    await runtime.workspace.catchUp();
    const words = readCommand({ prompt: said.text }, isSlashCommand);
    const previous = parts.session();
    const session = await chooseSession(runtime, words, previous);
    const isOther = previous !== undefined && session !== previous;
    if (isOther) await parts.open(session);
    else parts.goOn(session);
    const goesOn = words.command === 'resume' && words.prompt.trim() === '';
    const slash = goesOn ? undefined : slashCommands[words.command ?? ''];
    if (slash !== undefined) {
      // The view shows the conversation itself.
      if (words.command === 'resume' || words.command === 'continue') return;
      const { last, reviewOf } = parts;
      const { prompt } = words;
      await slash.run({
        runtime,
        session,
        previous,
        last,
        reviewOf,
        stream,
        prompt,
        picked: undefined,
        signal,
      });
      return;
    }
    const plugin = runtime.plugins.findCommand(said.text);
    if (plugin !== undefined) {
      const { text, continues } = await raceAbort(plugin.run(session), signal);
      if (text !== '') stream.markdown(text);
      // What the command has changed on disk is looked for anew.
      const anew = { ...said, receivedAt: runtime.host.clock.monotonic() };
      if (continues) await runTurn(session, anew, item, words, signal);
      return;
    }
    const unknown =
      words.command === undefined ? unknownCommand(said.text, commandNames(runtime)) : undefined;
    if (unknown !== undefined) showUnknownCommand(stream, unknown);
    else await runTurn(session, said, item, words, signal);
  };

  const runTurn = async (
    session: Session,
    said: SentMessage,
    item: UserItem,
    { command }: CommandWords,
    signal: AbortSignal,
  ): Promise<void> => {
    const last = command === 'resume' ? await runtime.conversations.lastTurn(session) : 'interrupted';
    if (last !== 'interrupted') {
      const elsewhere = vscode.l10n.t('The turn of this chat runs in another window or program.');
      note('info', last === 'ended' ? vscode.l10n.t('No turn of this chat was interrupted.') : elsewhere);
      return;
    }
    const called = command === toolCommand ? modelOfToolCall(runtime, session, undefined) : undefined;
    const { model, source, missing } = called ?? modelOfTurn(runtime, session, undefined);
    const references = said.attached.map(({ uri, label, value }) => ({
      id: uri,
      modelDescription: label,
      value,
    }));
    const attached = await readReferences(runtime, { references, toolReferences: [] }, () => []);
    const named = command === undefined ? await readServerParts(runtime.mcp, said.text, session.id) : [];
    const kept = said.kept?.parts ?? [];
    const attachedPaths = [...new Set([...(said.kept?.paths ?? []), ...attached.paths])];
    pathsOf.set(item.id, attachedPaths);
    for (const problem of attached.problems) note('warning', attachmentProblemText(problem));
    let current = session;
    const { reviewOf, refreshJobs } = parts;
    const turn = createTurnItems({
      ...{ items, reviewOf, nextId, onProgress, refreshJobs },
      sessionId: () => current.id,
    });
    const follow = parts.calls.follow();
    const emit = (event: AgentEvent): void => {
      // The status bar goes on naming the model that answers: nobody has chosen the one that calls a tool.
      const isBegun = called !== undefined && event.type === 'run_started';
      parts.last.note(current.id, isBegun ? { ...event, model: called.inUse } : event, source, 'view');
      follow(event);
      turn.take(event);
    };
    const run = await runtime.turns.start({
      session,
      prompt: command === 'resume' ? resumePrompt : said.text,
      attachments: [
        ...kept,
        ...attached.parts,
        ...named.filter((part) => !kept.some((each) => isDeepStrictEqual(each, part))),
      ],
      attachedPaths,
      model,
      signal,
      emit,
      receivedAt: said.receivedAt,
    });
    current = run.session;
    // A reload in the middle of the turn must find it again.
    parts.goOn(current);
    const place = { sessionId: current.id, runId: run.runId };
    items.put({ ...item, ...(command === 'resume' ? { resumed: place } : { turn: place }) });
    if (current !== session) note('history', beganAnewText(session));
    const outcome = await run.outcome;
    turn.end();
    if (outcome.status === 'failed') {
      failed = said;
      if (!parts.isHere()) parts.failedElsewhere(said.text, outcome.message);
    }
    tellOutcome(outcome, { sessionId: current.id, message: said.text });
    if (missing !== undefined && outcome.status === 'completed' && parts.last.tellsOnce(current.id, missing))
      stream.markdown(trustedMarkdown(missingModelLine(missing)));
  };

  const tellOutcome = (
    outcome: RunOutcome,
    place: { readonly sessionId: string; readonly message: string },
  ): void => {
    switch (outcome.status) {
      case 'completed':
        if (outcome.text.trim() === '') note('info', vscode.l10n.t('The model gave no answer.'));
        break;
      case 'cancelled':
        noteStopped();
        break;
      case 'yielded':
        break;
      case 'blocked':
        stream.markdown(outcome.text);
        note(
          'circle-slash',
          vscode.l10n.t(
            'Plugin {0} stopped this message before a model read it. It was not stored.',
            outcome.pluginId,
          ),
        );
        break;
      case 'failed': {
        const { code, message, hint } = outcome;
        showFailure(stream, new PincerError(code, message, hint === undefined ? {} : { hint }), place);
        break;
      }
    }
  };

  const tellError = (error: unknown, message: string): void => {
    const isStopped = error instanceof PincerError && error.code === 'agent_stopped';
    const problem = isStopped ? runtime.workspace.problem() : undefined;
    const place = { sessionId: parts.session()?.id, message };
    if (problem === undefined) showFailure(stream, error, place);
    else showStopped(stream, problem, place);
  };

  const say = async (given: SentMessage): Promise<void> => {
    const { signal } = (stopping = new AbortController());
    let said = given;
    onProgress(vscode.l10n.t('Thinking'));
    try {
      said = await withoutLater(given);
      const attached = [...(said.kept?.labels ?? []), ...said.attached.map(({ label }) => label)];
      const item = { kind: 'user', id: nextId(), text: said.text, attached } as const;
      items.put(item);
      await answer(said, item, signal);
      const changed = await parts.removed.line(runtime, parts.session()?.id ?? '');
      if (changed !== undefined) stream.markdown(trustedMarkdown(changed));
    } catch (error) {
      if (signal.aborted) noteStopped();
      else {
        failed = said;
        if (parts.isHere()) tellError(error, said.text);
        else parts.failedElsewhere(said.text, errorMessage(error));
      }
    } finally {
      stopping = undefined;
      onProgress('');
    }
  };
  /** The message that it takes the place of is gone from then on, and so is all that came after. */
  const withoutLater = async ({ before, ...said }: SentMessage): Promise<SentMessage> => {
    if (before === undefined) return said;
    const asked = items.get(before.id);
    const found = await parts.goBack(before.id);
    if (!before.keepsAttached) return said;
    const labels = asked?.kind === 'user' ? asked.attached : [];
    if (found.length > 0)
      return { ...said, kept: { parts: found, labels, paths: pathsOf.get(before.id) ?? [] } };
    if (labels.length > 0)
      note(
        'warning',
        vscode.l10n.t('No longer attached: {0}. Attach it again.', escapeMarkdown(labels.join(', '))),
      );
    return said;
  };

  return {
    isBusy: () => stopping !== undefined,
    say,
    sayAgain: (text, receivedAt) =>
      say({ ...(failed?.text === text ? failed : { text, attached: [] }), receivedAt }),
    stop: () => stopping?.abort(),
  };
}

/** Whether this surface has such a command of its own. */
export function isSlashCommand(name: string): boolean {
  return name === toolCommand || Object.hasOwn(slashCommands, name);
}

/** After a pause the conversation may begin anew by itself: `session.reset` of the config. */
function beganAnewText({ id }: Session): string {
  return vscode.l10n.t(
    'New session after a pause. Earlier messages were not sent. {0}',
    commandLink(vscode.l10n.t('Show the earlier session'), 'pincer.sessions.show', { sessionId: id }),
  );
}

/** What slash commands and failures say, as items: lines of our own run commands, what others wrote does not. */
function createItemStream({
  items,
  buttons,
  nextId,
  onProgress,
}: Pick<ViewTurnsParts, 'items' | 'buttons' | 'nextId' | 'onProgress'>): AnswerStream {
  const note = (id: string, text: string): void => {
    const { icon = '', markdown = text } =
      /^\s*\$\((?<icon>[\w-]+)\)(?<markdown>.*)$/su.exec(text)?.groups ?? {};
    items.put({ kind: 'note', id, icon, markdown: markdown.trim() });
  };
  return {
    markdown(value) {
      const text = typeof value === 'string' ? value : value.value;
      if (typeof value !== 'string' && value.isTrusted !== undefined) note(nextId(), text);
      else items.put({ kind: 'answer', id: nextId(), markdown: text, files: [] });
    },
    // What the panel takes for markdown stands here as plain text.
    progress: (text) => onProgress(text.replace(/\\([^\w\s])/gu, '$1')),
    anchor(value) {
      const uri = value instanceof vscode.Uri ? value : 'uri' in value ? value.uri : undefined;
      if (uri !== undefined)
        items.put({ kind: 'note', id: nextId(), icon: 'file', markdown: '', file: uri.fsPath });
    },
    button(command) {
      const id = nextId();
      buttons.set(id, command);
      note(id, `[${escapeMarkdown(command.title)}](${buttonHref})`);
    },
  };
}

/** The address of a button's link. */
export const buttonHref = 'command:button';
