import * as vscode from 'vscode';
import type { Clock } from '../../host/ports.ts';
import { openChat } from '../openChat.ts';
import { registerCommand } from '../registerCommand.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import type { AskPlace } from './askAbout.ts';
import type { AskKind } from './askMessage.ts';
import { createWriting } from './createWriting.ts';
import { registerAttachedTexts } from './attachedTexts.ts';

/** Asks about what an editor or a terminal shows: from their context menus, the palette and the quick fixes of a problem. */
export function registerAsk(
  last: Pick<LastUsedTracker, 'onDidChange'>,
  clock: Pick<Clock, 'monotonic'>,
): vscode.Disposable {
  const texts = registerAttachedTexts();
  const writing = createWriting(clock);
  const ask = (kind: AskKind) => async (target: unknown) => {
    const { activePlace, askAbout } = await import('../onDemand.ts');
    const place = isPlace(target) ? target : await activePlace(kind);
    if (place === undefined) {
      tellNoEditor();
      return;
    }
    writing.end();
    await askAbout(kind, place, texts);
  };
  return vscode.Disposable.from(
    texts,
    last.onDidChange(() => writing.end()),
    registerCommand('pincer.ask.explain', ask('explain')),
    registerCommand('pincer.ask.fix', ask('fix')),
    registerCommand('pincer.ask.addToChat', async () => {
      const { activePlace, addToChat } = await import('../onDemand.ts');
      const place = await activePlace('add');
      if (place === undefined) {
        tellNoEditor();
        return;
      }
      await addToChat(place, texts, writing.isOn());
      writing.begin();
    }),
    registerCommand('pincer.ask.terminal', async () => {
      if (!writing.isOn()) await openChat('');
      writing.begin();
      // The panel's own: it takes what is selected without the clipboard.
      await vscode.commands.executeCommand('workbench.action.terminal.chat.addTerminalSelection');
    }),
    vscode.languages.registerCodeActionsProvider(
      '*',
      { provideCodeActions: quickFixes },
      {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      },
    ),
  );
}

function isPlace(target: unknown): target is AskPlace {
  // A menu gives the file of its editor.
  return typeof target === 'object' && target !== null && 'problems' in target;
}

function tellNoEditor(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('Open a file first: this asks about its text.'));
}

/** Beside what the language itself offers, never in its place. */
function quickFixes(
  { uri }: vscode.TextDocument,
  _range: vscode.Range,
  { diagnostics }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const [first, ...others] = diagnostics;
  if (first === undefined) return [];
  const range = others.reduce((all, each) => all.union(each.range), first.range);
  const place: AskPlace = { uri, range, problems: diagnostics };
  const action = (title: string, command: string): vscode.CodeAction => {
    const made = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    made.diagnostics = [...diagnostics];
    made.command = { command, title, arguments: [place] };
    return made;
  };
  return [
    // Nothing is changed in a workspace that is not trusted.
    ...(vscode.workspace.isTrusted ? [action(vscode.l10n.t('Fix with Pincer'), 'pincer.ask.fix')] : []),
    action(vscode.l10n.t('Explain with Pincer'), 'pincer.ask.explain'),
  ];
}
