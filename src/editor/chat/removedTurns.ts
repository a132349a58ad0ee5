import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { PincerError } from '../../base/errors.ts';
import type { Conversations } from '../../runtime/conversations.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { registerCommand } from '../registerCommand.ts';
import type { ShownTurn } from './seenTurns.ts';
import { commandLink } from './trustedMarkdown.ts';

/** Turns that the user took out of a chat: the conversation goes on without them, the files do not go back by themselves. */
export interface RemovedTurns extends Disposable {
  /** This fork goes on without these turns, oldest first. */
  note(forkId: string, runIds: readonly string[]): void;
  /** What of theirs is still changed, as trusted markdown; undefined where nothing is, or the user keeps it. */
  line(runtime: Pick<Runtime, 'checkpoints'>, forkId: string): Promise<string | undefined>;
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
    note: (forkId, runIds) => void removed.set(forkId, runIds),
    async line({ checkpoints }, forkId) {
      const runIds = (removed.get(forkId) ?? []).filter((id) => !kept.has(id));
      if (runIds.length === 0) return undefined;
      const turns = await checkpoints.list();
      const [turnId, ...also] = runIds.filter((id) => turns.some((turn) => turn.id === id));
      if (turnId === undefined) return undefined;
      const count = (await checkpoints.planRestore(turnId, { also })).items.length;
      return count === 0 ? undefined : lineOf(count, { turnId, also });
    },
    dispose() {
      keep.dispose();
    },
  };
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
  if (left === undefined) return session;
  for (const from of new Set([...(isSame ? [session.id] : []), newest.sessionId]))
    await moveWaiting(conversations, from, left.id);
  removed.note(
    left.id,
    gone.map(({ runId }) => runId),
  );
  return left;
}

/** Undefined where none of the turns is the session's. */
async function forkWithout(
  conversations: Pick<Conversations, 'fork'>,
  id: string,
  gone: readonly ShownTurn[],
): Promise<Session | undefined> {
  for (const { sessionId, runId } of gone) {
    if (sessionId !== id) continue;
    try {
      return await conversations.fork(id, { beforeRunId: runId });
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

function lineOf(count: number, turns: { readonly turnId: string; readonly also: readonly string[] }): string {
  const text =
    count === 1
      ? vscode.l10n.t('1 file of the removed turns is still changed')
      : vscode.l10n.t('{0} files of the removed turns are still changed', count);
  const restore = commandLink(vscode.l10n.t('Restore…'), 'pincer.checkpoints.restore', {
    ...turns,
    part: 'files',
  });
  const stay = commandLink(vscode.l10n.t('Keep'), 'pincer.checkpoints.keep', turns);
  return `$(history) ${text}: ${restore} · ${stay}`;
}
