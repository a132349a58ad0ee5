import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { JobState } from '../../schedule/schedule.ts';
import { setContextKey } from '../setContextKey.ts';
import { createRefresher } from '../trees/createRefresher.ts';
import { createRowTree } from '../trees/createRowTree.ts';
import { toScheduleItem } from './scheduleItems.ts';
import { planScheduleRows, scheduleRowKey, type ScheduleRow } from './scheduleRows.ts';

/** How often the view looks at jobs that change, and how often “in 5 min.” is looked at. Milliseconds. */
const refreshMs = 300;
const clockMs = 30_000;

/** The Schedule view. It is not there before there is a job, and stays for the window's time when the last one goes. */
export function createScheduleView({
  approvals,
  schedule,
  workspace,
}: Pick<Runtime, 'approvals' | 'schedule' | 'workspace'>): vscode.Disposable {
  let now = Date.now();
  const plan = async (states: readonly JobState[]) => {
    now = Date.now();
    const jobs = states.map(async (state) => ({ state, runs: await schedule.history(state.job.id) }));
    const asking = approvals.pending().map(({ runId }) => runId);
    return planScheduleRows(await Promise.all(jobs), new Set(asking));
  };
  const tree = createRowTree<ScheduleRow>(
    'pincer.schedule',
    {
      keyOf: scheduleRowKey,
      childrenOf: (row) => (row.kind === 'job' ? row.children : []),
      lookOf(row) {
        const { description, contextValue, tooltip, label } = toScheduleItem(row, now);
        return JSON.stringify([label, description, contextValue, tooltip]);
      },
      plan: async () => {
        try {
          return await plan(await schedule.list());
        } catch (error) {
          tell(error);
          return [];
        }
      },
      itemOf: (row) => toScheduleItem(row, now),
    },
    { showCollapseAll: true },
  );
  const { view } = tree;
  const tell = (error: unknown): void => {
    view.message = vscode.l10n.t('The schedule could not be read: {0}', errorMessage(error));
  };
  const refresher = createRefresher(refreshMs, async () => {
    try {
      const states = await schedule.list();
      const jobs = states.map(({ job }) => job);
      if (jobs.length > 0) setContextKey('pincer.hasSchedule', true);
      setContextKey(
        'pincer.hasActiveJobs',
        jobs.some(({ isEnabled }) => isEnabled),
      );
      setContextKey(
        'pincer.hasPausedJobs',
        jobs.some(({ isEnabled }) => !isEnabled),
      );
      if (!view.visible) return;
      tree.show(await plan(states));
      const why = jobs.length === 0 ? undefined : schedule.blocked();
      view.message = why === undefined ? '' : vscode.l10n.t('No job starts by itself: {0}.', why);
    } catch (error) {
      tell(error);
    }
  });
  const refresh = (): void => refresher.request();
  const clock = setInterval(refresh, clockMs);
  refresh();
  return vscode.Disposable.from(
    tree,
    refresher,
    { dispose: () => clearInterval(clock) },
    view.onDidChangeVisibility(refresh),
    schedule.onDidChange(refresh),
    approvals.onDidChange(refresh),
    workspace.onDidChange(refresh),
  );
}
