import * as vscode from 'vscode';
import type { Runtime } from '../../runtime/index.ts';
import { nextTimeLeft, timeBadge, timeLeft } from './timeLeft.ts';

/**
 * Counts down what waits, once a second, only while the view is visible and something waits: beside the view's name, and as a
 * badge on each row. Rows are not redrawn for it, since a redrawn row swallows the click that is on its way to it.
 */
export function countDown(
  view: vscode.TreeView<unknown>,
  { approvals }: Pick<Runtime, 'approvals'>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri[]>();
  let ticking: NodeJS.Timeout | undefined;
  const show = (): void => {
    const pending = approvals.pending();
    const next = nextTimeLeft(approvals);
    view.description = next === undefined ? '' : vscode.l10n.t('{0} left', timeLeft(next.ms));
    changed.fire(pending.map(({ id }) => badgeUri(id)));
  };
  const update = (): void => {
    const isNeeded = view.visible && approvals.pending().length > 0;
    if (isNeeded) ticking ??= setInterval(show, 1_000);
    else {
      clearInterval(ticking);
      ticking = undefined;
    }
    show();
  };
  update();
  return vscode.Disposable.from(
    changed,
    approvals.onDidChange(update),
    view.onDidChangeVisibility(update),
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        const request = approvals.pending().find(({ id }) => badgeUri(id).toString() === uri.toString());
        if (request === undefined) return undefined;
        const ms = approvals.timeLeft(request.id)?.ms ?? 0;
        return new vscode.FileDecoration(
          timeBadge(ms),
          vscode.l10n.t('Denied in {0} if nobody answers', timeLeft(ms)),
        );
      },
    }),
    { dispose: () => clearInterval(ticking) },
  );
}

/** The address under which the time left stands as a badge: a badge can change without redrawing the row under the mouse. */
export function badgeUri(id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: 'pincer-approval', path: `/${id}` });
}
