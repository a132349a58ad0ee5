import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { Runtime } from '../../runtime/index.ts';
import { splitWhen, writeWhen } from '../../schedule/readWhen.ts';
import { nameOfPrompt, type Job } from '../../schedule/job.ts';
import type { JobState, Schedule } from '../../schedule/schedule.ts';
import type { ScheduledTarget } from '../commandTable.ts';
import { noIcons } from '../memory/hitItems.ts';
import { tell } from '../registerCommand.ts';
import { jobText, runText, timeText } from './scheduleItems.ts';

type Jobs = Pick<Runtime, 'schedule'>;

/** What the schedule's commands do, by the end of their ids; each asks which job is meant where no row says it. */
export const scheduleFlows = { add, edit, run, pause, resume, remove, history, trace } as const;

/** Three questions: when, which agent, which prompt. */
async function add({ schedule, conversations }: Jobs & Pick<Runtime, 'conversations'>): Promise<void> {
  const line = await askWhen(schedule, vscode.l10n.t('Add a job: when'));
  if (line === undefined) return;
  const agentId = await askAgent(conversations.agents().map(({ id }) => id));
  if (agentId === undefined) return;
  const prompt = await askPrompt(vscode.l10n.t('Add a job: prompt'));
  if (prompt === undefined) return;
  const job = await schedule.add(
    { name: nameOfPrompt(prompt), prompt, when: splitWhen(line), agentId },
    { kind: 'user' },
  );
  await vscode.commands.executeCommand('setContext', 'pincer.hasSchedule', true);
  await vscode.commands.executeCommand('pincer.schedule.focus');
  const { next } = await schedule.get(job.id);
  if (next !== undefined) tell(vscode.l10n.t('Scheduled. It runs first: {0}', timeText(next)));
}

/** When, and the prompt: what is left as it was stays so. */
async function edit({ schedule }: Jobs, target: ScheduledTarget): Promise<void> {
  const state = await pickJob(schedule, target, vscode.l10n.t('Edit a job'), ({ job }) => isOwn(job));
  if (state === undefined) return;
  const { id, name, prompt: before, when } = state.job;
  const known = writeWhen(when);
  const line = await askWhen(schedule, vscode.l10n.t('Edit a job: when'), known);
  if (line === undefined) return;
  // The box has one line, and would make one of several.
  const isOneLine = !/[\r\n]/u.test(before);
  const prompt = isOneLine ? await askPrompt(vscode.l10n.t('Edit a job: prompt'), before) : before;
  if (prompt === undefined) return;
  await schedule.update(id, {
    ...(line === known ? {} : { when: splitWhen(line) }),
    ...(prompt === before
      ? {}
      : { prompt, ...(name === nameOfPrompt(before) ? { name: nameOfPrompt(prompt) } : {}) }),
  });
  const { next } = await schedule.get(id);
  const words = isOneLine
    ? ''
    : ` ${vscode.l10n.t('The prompt has several lines: pincer cron edit changes them.')}`;
  if (next !== undefined) tell(vscode.l10n.t('It runs next: {0}', timeText(next)) + words);
}

async function askPrompt(title: string, value = ''): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title,
    value,
    prompt: vscode.l10n.t(
      'Include all that it has to know. What needs approval waits in the Approvals view.',
    ),
    placeHolder: vscode.l10n.t('Look at the failing tests and say what is wrong'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Say what it does.') : undefined),
  });
}

/** The box says while one types when the job would first be due. `known` is what it says already, and may have passed. */
async function askWhen(
  schedule: Pick<Schedule, 'firstTime'>,
  title: string,
  known?: string,
): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title,
    ...(known === undefined ? {} : { value: known }),
    prompt: vscode.l10n.t(
      'When: 20m · tomorrow at 9 · 2026-12-01 09:00 · every 2h · every weekday at 9 · 0 9 * * 1-5',
    ),
    placeHolder: 'every 2h',
    ignoreFocusOut: true,
    async validateInput(text) {
      if (text.trim() === '') return vscode.l10n.t('Say when.');
      if (text === known) return undefined;
      try {
        const first = await schedule.firstTime(splitWhen(text));
        return first === undefined
          ? vscode.l10n.t('That never comes.')
          : {
              message: vscode.l10n.t('First: {0}', timeText(first)),
              severity: vscode.InputBoxValidationSeverity.Info,
            };
      } catch (error) {
        return inertLine(errorMessage(error), 200);
      }
    },
  });
}

async function askAgent(ids: readonly string[]): Promise<string | undefined> {
  const [only = 'main', ...others] = ids;
  if (others.length === 0) return only;
  return await vscode.window.showQuickPick(ids, {
    title: vscode.l10n.t('Add a job: which agent'),
    placeHolder: vscode.l10n.t('Its model, tools and limits apply'),
    ignoreFocusOut: true,
  });
}

async function run({ schedule }: Jobs, target: ScheduledTarget): Promise<void> {
  const state = await pickJob(schedule, target, vscode.l10n.t('Run a job now'), () => true);
  if (state === undefined) return;
  const { run: started } = await schedule.runNow(state.job.id);
  if (started.waitsFor === 'place')
    tell(
      vscode.l10n.t(
        'The maximum number of jobs is already running. “{0}” starts when one of them ends.',
        inertLine(state.job.name, 60),
      ),
    );
}

async function pause({ schedule }: Jobs, target: ScheduledTarget): Promise<void> {
  const state = await pickJob(schedule, target, vscode.l10n.t('Pause a job'), ({ job }) => job.isEnabled);
  if (state !== undefined) await schedule.update(state.job.id, { isEnabled: false });
}

async function resume({ schedule }: Jobs, target: ScheduledTarget): Promise<void> {
  const state = await pickJob(schedule, target, vscode.l10n.t('Resume a job'), ({ job }) => !job.isEnabled);
  if (state !== undefined) await schedule.update(state.job.id, { isEnabled: true });
}

async function remove({ schedule }: Jobs, target: ScheduledTarget): Promise<void> {
  const state = await pickJob(schedule, target, vscode.l10n.t('Remove a job'), ({ job }) => isOwn(job));
  if (state === undefined) return;
  const button = vscode.l10n.t('Remove');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove the job “{0}”?', inertLine(state.job.name, 80)),
    { modal: true, detail: vscode.l10n.t('Its history goes, too. The sessions of its runs stay.') },
    button,
  );
  if (choice === button) await schedule.remove(state.job.id);
}

/** The runs of a job, newest first; the one that is picked is shown, its trace by the button. */
async function history({ schedule }: Jobs, target: ScheduledTarget): Promise<void> {
  const state = await pickJob(schedule, target, vscode.l10n.t('Show the runs of a job'), () => true);
  if (state === undefined) return;
  const runs = await schedule.history(state.job.id);
  if (runs.length === 0) {
    tell(vscode.l10n.t('It has not run yet.'));
    return;
  }
  const button: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('list-ordered'),
    tooltip: vscode.l10n.t('Show what happened in this run'),
  };
  const picker = vscode.window.createQuickPick<
    vscode.QuickPickItem & { readonly run: (typeof runs)[number] }
  >();
  picker.title = vscode.l10n.t('Runs of “{0}”', inertLine(state.job.name, 60));
  picker.placeholder = vscode.l10n.t('Newest first. Select a run to open its conversation.');
  picker.items = runs.map((each) => ({
    label: timeText(each.startedAt),
    description: noIcons(runText(each)),
    run: each,
    buttons: each.runId === undefined ? [] : [button],
  }));
  const show = (command: string, argument: object): void => {
    picker.hide();
    void vscode.commands.executeCommand(command, argument);
  };
  picker.onDidAccept(() => {
    const { sessionId } = picker.activeItems[0]?.run ?? {};
    if (sessionId !== undefined) show('pincer.sessions.show', { sessionId });
  });
  picker.onDidTriggerItemButton(({ item: { run: of } }) => {
    if (of.runId !== undefined) show('pincer.runs.showLast', { runId: of.runId });
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

/** What happened in a run. */
async function trace(_runtime: Jobs, target: ScheduledTarget): Promise<void> {
  await vscode.commands.executeCommand('pincer.runs.showLast', target);
}

/** The heartbeat is in the config, and changes there. */
function isOwn({ by }: Job): boolean {
  return by.kind !== 'heartbeat';
}

/** The job of a row, or the one that the user picks; undefined where there is none, or they pick none. */
async function pickJob(
  schedule: Pick<Schedule, 'list' | 'get'>,
  target: ScheduledTarget,
  title: string,
  isMeant: (state: JobState) => boolean,
): Promise<JobState | undefined> {
  if (target !== undefined) return await schedule.get(target.jobId);
  const now = Date.now();
  const items = (await schedule.list()).filter(isMeant).map((state) => ({
    label: noIcons(inertLine(state.job.name, 60)),
    description: noIcons(jobText(state, now)),
    state,
  }));
  if (items.length === 0) {
    tell(vscode.l10n.t('There is no such job. Pincer: Add Scheduled Job… makes one.'));
    return undefined;
  }
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.state;
}
