import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { JobState } from '../../schedule/schedule.ts';
import { setContextKey } from '../setContextKey.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import { createRowTree } from '../trees/createRowTree.ts';
import { toScheduleItem } from './scheduleItems.ts';
import { planScheduleRows, scheduleRowKey, type ScheduleRow } from './scheduleRows.ts';

/** How often jobs that change are looked at while the view is hidden. Milliseconds. */
const keysMs = 300;

/** The Schedule view. It is not there before there is a job, and stays for the window's time when the last one goes. */
export function createScheduleView({
  approvals,
  schedule,
  workspace,
}: Pick<Runtime, 'approvals' | 'schedule' | 'workspace'>): vscode.Disposable {
  let now = Date.now();
  let isEmpty = true;
  const readJobs = async (): Promise<readonly JobState[]> => {
    const states = await schedule.list();
    isEmpty = states.length === 0;
    if (!isEmpty) setContextKey('pincer.hasSchedule', true);
    setContextKey(
      'pincer.hasActiveJobs',
      states.some(({ job }) => job.isEnabled),
    );
    setContextKey(
      'pincer.hasPausedJobs',
      states.some(({ job }) => !job.isEnabled),
    );
    return states;
  };
  const failed = (why: string): string => vscode.l10n.t('The schedule could not be read: {0}', why);
  const tree = createRowTree<ScheduleRow>(
    'pincer.schedule',
    {
      keyOf: scheduleRowKey,
      childrenOf: (row) => (row.kind === 'job' ? row.children : []),
      lookOf(row) {
        const { description, contextValue, tooltip, label } = toScheduleItem(row, now);
        return JSON.stringify([label, description, contextValue, tooltip]);
      },
      async plan() {
        const states = await readJobs();
        now = Date.now();
        const jobs = states.map(async (state) => ({ state, runs: await schedule.history(state.job.id) }));
        const asking = approvals.pending().map(({ runId }) => runId);
        return planScheduleRows(await Promise.all(jobs), new Set(asking));
      },
      itemOf: (row) => toScheduleItem(row, now),
      reading: {
        failed,
        note() {
          const why = isEmpty ? undefined : schedule.blocked();
          return why === undefined ? undefined : vscode.l10n.t('No job starts by itself: {0}.', why);
        },
      },
    },
    { showCollapseAll: true },
  );
  /** The view and the palette follow jobs that come and go, whether or not somebody looks. */
  const keys = createRefresher(keysMs, async () => {
    if (tree.view.visible) tree.refresh();
    else
      await readJobs().catch((error: unknown) => {
        tree.view.message = failed(errorMessage(error));
      });
  });
  keys.request();
  return vscode.Disposable.from(
    tree,
    keys,
    schedule.onDidChange(keys.request),
    approvals.onDidChange(tree.refresh),
    workspace.onDidChange(keys.request),
  );
}
