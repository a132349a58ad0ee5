import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import type { ChatSurfaces } from '../sessions/resumeSession.ts';
import { registerLeftoverMessages } from './leftoverMessages.ts';
import { registerWaitingCommands } from './waitingCommands.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { setContextKey } from '../setContextKey.ts';
import { waitingText, nameOfSession } from '../sessions/sessionTexts.ts';
import type { WaitingMessage } from '../../sessions/createInbox.ts';
import type { SessionTarget } from '../commandTable.ts';
import { registerCommand } from '../registerCommand.ts';
import { sayToSession } from './sayToSession.ts';
import type { RunningTurn } from '../../runtime/conversations.ts';
import { noIcons } from '../memory/hitItems.ts';
import { chooseTurn } from './chooseTurn.ts';

/** Saying something new while a turn runs: the commands, and what waits to be read. */
export function registerSteering(runtime: LazyRuntime, chats: ChatSurfaces): vscode.Disposable {
  return vscode.Disposable.from(
    registerTurnCommands(runtime),
    registerWaitingCommands(runtime, chats),
    registerWaitingStatus(runtime),
    registerLeftoverMessages(runtime),
  );
}

/** Messages whose text the hover shows. */
const maxShown = 8;

/** `2 waiting` beside Pincer's own item while messages wait, whether a turn runs or not; and what the keybindings go by. */
function registerWaitingStatus(runtime: LazyRuntime): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.waiting', vscode.StatusBarAlignment.Right, 89);
  item.name = vscode.l10n.t('Pincer: Waiting Messages');
  item.command = 'pincer.waiting.show';
  let runs: boolean | undefined;
  const show = ({ conversations }: Pick<Runtime, 'conversations'>): void => {
    const isRunning = conversations.runningTurns().length > 0;
    if (isRunning !== runs) setContextKey('pincer.turnRunning', isRunning);
    runs = isRunning;
    const messages = conversations.inbox.sessions().flatMap((id) => conversations.inbox.list(id));
    if (messages.length === 0) {
      item.hide();
      return;
    }
    const count = vscode.l10n.t('{0} waiting', messages.length);
    item.text = `$(inbox) ${count}`;
    item.tooltip = messages
      .slice(0, maxShown)
      .map((message) => `${inertLine(message.text, 80)} (${waitingText(message)})`)
      .join('\n');
    item.accessibilityInformation = {
      label: vscode.l10n.t('Messages waiting for Pincer: {0}', messages.length),
    };
    item.show();
  };
  const attached = runtime.whenLoaded((loaded) => {
    const refresh = (): void => show(loaded);
    refresh();
    return vscode.Disposable.from(
      loaded.conversations.onDidChange(refresh),
      loaded.workspace.onDidChange(refresh),
    );
  });
  return vscode.Disposable.from(item, attached);
}

/** Steer, queue and stop: they work whatever has the focus, and need nothing of the chat panel. */
function registerTurnCommands(runtime: LazyRuntime): vscode.Disposable {
  const say = (kind: WaitingMessage['kind']) => async (target: SessionTarget) =>
    await sayToTurn(await runtime.get(), kind, target);
  return vscode.Disposable.from(
    registerCommand('pincer.turn.steer', say('steer')),
    registerCommand('pincer.turn.queue', say('followUp')),
    registerCommand('pincer.turn.stop', async (target) => {
      const loaded = await runtime.get();
      const turn = await pickRunningTurn(loaded, target, vscode.l10n.t('Stop which turn?'));
      if (turn !== undefined) loaded.conversations.stopTurn(turn.session.id);
    }),
  );
}

async function sayToTurn(
  runtime: Pick<Runtime, 'conversations'>,
  kind: WaitingMessage['kind'],
  target: SessionTarget,
): Promise<void> {
  const { title, prompt } = textsOf(kind);
  const turn = await pickRunningTurn(runtime, target, title);
  if (turn === undefined) return;
  const { session } = turn;
  const text = await vscode.window.showInputBox({
    title: `${title}: ${nameOfSession(session)}`,
    prompt,
    placeHolder: vscode.l10n.t('What Pincer should know or do'),
    // A click elsewhere must not lose what was typed.
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === '') return;
  await sayToSession(runtime, session.id, kind, text.trim());
}

function textsOf(kind: WaitingMessage['kind']): { readonly title: string; readonly prompt: string } {
  return kind === 'steer'
    ? {
        title: vscode.l10n.t('Steer the running turn'),
        prompt: vscode.l10n.t('Read after the call that runs now; calls that have not begun are skipped'),
      }
    : {
        title: vscode.l10n.t('Queue a follow-up'),
        prompt: vscode.l10n.t('Read when the turn would end'),
      };
}

/** The turn that a command is about; undefined where none runs, which is said, or where the user picks none. */
async function pickRunningTurn(
  { conversations }: Pick<Runtime, 'conversations'>,
  target: SessionTarget,
  title: string,
): Promise<RunningTurn | undefined> {
  const choice = chooseTurn(conversations.runningTurns(), target?.sessionId);
  if (choice.kind === 'one') return choice.turn;
  if (choice.kind === 'none') {
    void vscode.window.showInformationMessage(vscode.l10n.t('No turn is running.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    choice.turns.map((turn) => ({
      turn,
      label: noIcons(nameOfSession(turn.session)),
      description:
        turn.session.header.kind === 'subagent' ? vscode.l10n.t('started agent') : turn.session.agentId,
    })),
    { title, placeHolder: vscode.l10n.t('Several turns are running; newest first') },
  );
  return picked?.turn;
}
