import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground, registerCommand } from '../registerCommand.ts';

/** The commands of the schedule; everything else of it loads with the first of them, its view with the runtime. */
export function registerSchedule(runtime: LazyRuntime, stateFolder: string): vscode.Disposable {
  inBackground(wakeForJobs(runtime, stateFolder));
  const steps = ['add', 'edit', 'run', 'pause', 'resume', 'remove', 'history', 'trace'] as const;
  return vscode.Disposable.from(
    ...steps.map((step) =>
      registerCommand(`pincer.schedule.${step}`, async (target) => {
        const { scheduleFlows } = await import('../onDemand.ts');
        await scheduleFlows[step](await runtime.get(), target);
      }),
    ),
  );
}

/** Jobs start while a window is open, whether or not anybody uses it: where there are some, the runtime loads with the window. */
async function wakeForJobs(runtime: LazyRuntime, stateFolder: string): Promise<void> {
  const names = await readdir(join(stateFolder, 'schedule', 'jobs')).catch(() => []);
  if (names.length > 0) await runtime.get();
}
