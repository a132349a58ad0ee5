import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { PincerError } from '../../base/errors.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { Checkpoints } from '../../checkpoints/checkpoints.ts';
import type { Conversations } from '../../runtime/conversations.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { CheckpointTarget } from '../commandTable.ts';
import { registerCommand } from '../registerCommand.ts';
import { forkWithName } from '../sessions/forkName.ts';
import type { ShownTurn } from './seenTurns.ts';
import { commandLink } from './trustedMarkdown.ts';

/** Turns that the user took out of a chat: the conversation goes on without them, the files do not go back by themselves. */
export interface RemovedTurns extends Disposable {
  /** This session goes on without these turns, and without those that the sessions it comes from had lost before. */
  note(forkId: string, from: readonly string[], runIds: readonly string[]): void;
  /** Whether a session is said to go on without this turn. */
  isNoted(runId: string): boolean;
  /** What of theirs is still changed, as trusted markdown; undefined where nothing is, or the user keeps it. */
  line(
    runtime: { readonly turns: Pick<Runtime['turns'], 'checkpoints'> },
    forkId: string,
  ): Promise<string | undefined>;
}

export function registerRemovedTurns(): RemovedTurns {
  const removed = new Map<string, readonly string[]>();
  const kept = new Set<string>();
  const keep = registerCommand('pincer.checkpoints.keep', (target) => {
    if (target === undefined) return;
    for (const runId of [target.turnId, ...(target.also ?? [])]) kept.add(runId);
    vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('The files stay as they are.')}`, 5_000);
  });
  return {
    note: (forkId, from, runIds) =>
      void removed.set(forkId, [...new Set([...from.flatMap((id) => removed.get(id) ?? []), ...runIds])]),
    isNoted: (runId) => [...removed.values()].some((runIds) => runIds.includes(runId)),
    async line({ turns: { checkpoints } }, forkId) {
      const runIds = (removed.get(forkId) ?? []).filter((id) => !kept.has(id));
      if (runIds.length === 0) return undefined;
      const turns = await checkpoints.list();
      const isListed = (id: string): boolean => turns.some((turn) => turn.id === id);
      // The list has the newest first.
      const [turnId, ...also] = turns.flatMap(({ id }) => (runIds.includes(id) ? [id] : [])).toReversed();
      if (turnId === undefined) return undefined;
      // What the user keeps of a turn stays also where an earlier one goes.
      const without = [...kept].filter(isListed);
      const left = await whatIsLeft(checkpoints, [turnId, ...also], without);
      return left === undefined ? undefined : lineOf(left, { turnId, also });
    },
    dispose() {
      keep.dispose();
    },
  };
}

interface LeftChanges {
  readonly paths: readonly string[];
  readonly turns: NonNullable<CheckpointTarget>;
}

/** The turns whose changes are there, without the first ones that were taken back already; undefined where nothing is changed. */
async function whatIsLeft(
  checkpoints: Pick<Checkpoints, 'planRestore'>,
  runIds: readonly string[],
  without: readonly string[],
): Promise<LeftChanges | undefined> {
  let found: LeftChanges | undefined;
  let whole: string | undefined;
  for (const [index, turnId] of runIds.entries()) {
    const also = runIds.slice(index + 1);
    const { items } = await checkpoints.planRestore(turnId, { also, without });
    const result = JSON.stringify(items.map(({ path, target }) => [path, target]));
    if (items.length === 0 || (whole ??= result) !== result) break;
    found = { paths: items.map(({ path }) => path), turns: { turnId, also, without } };
  }
  return found;
}

/**
 * The session of a request without the turns that the user took out of the panel: a fork, so that nothing is lost; where the panel shows
 * nothing any more (`previous` is undefined), the new one that it begins. What waits to be read goes along.
 */
export async function withoutRemoved(
  { conversations }: Pick<Runtime, 'conversations'>,
  { gone, removed }: { readonly gone: readonly ShownTurn[]; readonly removed: RemovedTurns },
  session: Session,
  previous: Session | undefined,
): Promise<Session> {
  const newest = gone.at(-1);
  if (newest === undefined) return session;
  const begins = previous === undefined && session.isNew;
  const isSame = session === previous;
  const left = begins ? session : isSame ? await forkWithout(conversations, session.id, gone) : undefined;
  if (left === undefined) {
    // It has none of them, such as those after `/new`: their files are still to be spoken of, once.
    const others = gone.map(({ runId }) => runId).filter((runId) => !removed.isNoted(runId));
    if (isSame && others.length > 0) removed.note(session.id, [session.id], others);
    return session;
  }
  const from = [...new Set([...(isSame ? [session.id] : []), newest.sessionId])];
  for (const id of from) await moveWaiting(conversations, id, left.id);
  removed.note(
    left.id,
    from,
    gone.map(({ runId }) => runId),
  );
  return left;
}

/** Undefined where none of the turns is the session's. */
async function forkWithout(
  conversations: Pick<Conversations, 'fork' | 'rename' | 'summaries'>,
  id: string,
  gone: readonly ShownTurn[],
): Promise<Session | undefined> {
  for (const { sessionId, runId } of gone) {
    if (sessionId !== id) continue;
    try {
      return await forkWithName(conversations, id, { beforeRunId: runId });
    } catch (error) {
      // A plugin had stopped it before anything was stored.
      if (!(error instanceof PincerError && error.code === 'session_turn_unknown')) throw error;
    }
  }
  return undefined;
}

async function moveWaiting(
  { inbox }: Pick<Conversations, 'inbox'>,
  fromId: string,
  toId: string,
): Promise<void> {
  for (const { id, kind, text, from } of await inbox.open(fromId)) {
    await inbox.add(toId, kind, text, from);
    await inbox.remove(fromId, id);
  }
}

/** `turns` are those to restore, `all` those that are kept where the user wants that. */
function lineOf({ paths, turns }: LeftChanges, all: NonNullable<CheckpointTarget>): string {
  const files = escapeMarkdown(namesOf(paths));
  const text =
    paths.length === 1
      ? vscode.l10n.t('1 file of the removed turns is still changed ({0})', files)
      : vscode.l10n.t('{0} files of the removed turns are still changed ({1})', paths.length, files);
  const restore = commandLink(vscode.l10n.t('Restore…'), 'pincer.checkpoints.restore', {
    ...turns,
    part: 'files',
  });
  const stay = commandLink(vscode.l10n.t('Keep'), 'pincer.checkpoints.keep', all);
  return `$(history) ${text}: ${restore} · ${stay}`;
}

const maxNames = 3;

function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, maxNames).map((path) => inertLine(vscode.workspace.asRelativePath(path), 80));
  const more = paths.length - names.length;
  return more === 0 ? names.join(', ') : vscode.l10n.t('{0} and {1} more', names.join(', '), more);
}
