import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import { createTimer } from '../../base/createTimer.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { SessionHit, SessionSummary } from '../../sessions/sessionStore.ts';
import { noIcons } from '../memory/hitItems.ts';
import { inBackground } from '../registerCommand.ts';
import { toPick } from './pickSession.ts';
import { resumeInNewChat } from './resumeSession.ts';
import { exportSession } from './sessionActions.ts';

/** A session that was found; without one it is a note. */
interface HitItem extends vscode.QuickPickItem {
  readonly summary?: SessionSummary;
}

/** Who types on does not want the words before. Milliseconds. */
const typingMs = 150;
const maxHits = 50;

/** Searches what was said in all sessions while one types. Enter goes on with a session, its button shows it as markdown. */
export function searchFlow(runtime: Pick<Runtime, 'conversations'>): void {
  const picker = vscode.window.createQuickPick<HitItem>();
  let controller = new AbortController();
  // VS Code would sort the hits by how well their labels fit the letters. Only proposed API names the switch.
  Object.assign(picker, { sortByLabel: false });
  picker.title = vscode.l10n.t('Search sessions');
  picker.placeholder = vscode.l10n.t('Words of the conversation; Enter opens the session');

  const search = async (): Promise<void> => {
    controller.abort();
    const { signal } = (controller = new AbortController());
    picker.busy = true;
    const items = await find(runtime, picker.value.trim(), signal).catch((error: unknown) => [
      noteItem(vscode.l10n.t('The sessions could not be searched'), errorMessage(error)),
    ]);
    if (signal.aborted) return;
    picker.items = items;
    picker.busy = false;
  };
  const timer = createTimer(typingMs, () => void search());
  picker.onDidChangeValue(timer.restart);
  picker.onDidAccept(() => {
    const summary = picker.activeItems[0]?.summary;
    if (summary === undefined) return;
    picker.hide();
    inBackground(resumeInNewChat(runtime, summary));
  });
  picker.onDidTriggerItemButton(({ item }) => {
    if (item.summary === undefined) return;
    picker.hide();
    inBackground(exportSession(runtime, item.summary));
  });
  picker.onDidHide(() => {
    timer.dispose();
    controller.abort();
    picker.dispose();
  });
  picker.show();
  void search();
}

/** Without words the newest sessions. */
async function find(
  { conversations }: Pick<Runtime, 'conversations'>,
  query: string,
  signal: AbortSignal,
): Promise<readonly HitItem[]> {
  const hits =
    query === ''
      ? (await conversations.summaries()).map((summary): SessionHit => ({ summary, snippet: '', count: 0 }))
      : await conversations.search(query, signal);
  const now = Date.now();
  if (hits.length > 0) return hits.slice(0, maxHits).map((hit) => hitItem(hit, now));
  return query === ''
    ? [noteItem(vscode.l10n.t('There is no session yet'), '')]
    : [noteItem(vscode.l10n.t('No session has all of these words'), '')];
}

function hitItem({ summary, snippet, count }: SessionHit, now: number): HitItem {
  const { label, description } = toPick(summary, now);
  const found = count > 1 ? ` (${vscode.l10n.t('{0} matches', count)})` : '';
  return {
    summary,
    label,
    ...(description === undefined ? {} : { description }),
    ...(snippet === '' ? {} : { detail: noIcons(inertLine(snippet, 200)) + found }),
    alwaysShow: true,
    buttons: [{ iconPath: new vscode.ThemeIcon('markdown'), tooltip: vscode.l10n.t('Export as Markdown') }],
  };
}

function noteItem(label: string, detail: string): HitItem {
  return { label, ...(detail === '' ? {} : { detail: noIcons(inertLine(detail, 300)) }), alwaysShow: true };
}
