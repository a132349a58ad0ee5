import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { pincerHome, userConfigPath } from '../../config/configPaths.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand, showError } from '../registerCommand.ts';
import { findsJobs, wakeForJobs } from './wakeForJobs.ts';

/** The commands of the schedule; everything else of it loads with the first of them, its view with the runtime. */
export function registerSchedule(runtime: LazyRuntime, stateFolder: string): vscode.Disposable {
  const jobsFolder = join(stateFolder, 'schedule', 'jobs');
  const configPath = userConfigPath(pincerHome(process.env, homedir()));
  const endLooking = wakeForJobs({
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    hasJobs: () => findsJobs(jobsFolder, configPath),
    isLoaded: () => runtime.peek() !== undefined,
    load: () => runtime.get(),
    failed: showError,
  });
  const steps = ['add', 'edit', 'run', 'pause', 'resume', 'remove', 'history', 'trace'] as const;
  return vscode.Disposable.from(
    new vscode.Disposable(endLooking),
    ...steps.map((step) =>
      registerCommand(`pincer.schedule.${step}`, async (target) => {
        const { scheduleFlows } = await import('../onDemand.ts');
        await scheduleFlows[step](await runtime.get(), target);
      }),
    ),
  );
}
