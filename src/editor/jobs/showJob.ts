import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import type { LiveCalls } from './liveCalls.ts';
import type { ShownCommand } from './shownCommands.ts';

/**
 * `Pincer: Show Running Command`: what runs, live in a terminal; where several do, a list. `Pincer: List Commands…` has those that have
 * ended, too.
 */
export function registerShowJob(runtime: LazyRuntime, calls: LiveCalls): vscode.Disposable {
  const terminals = new Map<ShownCommand['of'], vscode.Terminal>();
  const all = async (): Promise<readonly ShownCommand[]> => {
    const { shownCall, shownJob } = await import('../onDemand.ts');
    return [...calls.list().map(shownCall), ...(await runtime.get()).tools.jobs.list().map(shownJob)];
  };
  const open = async (shown: ShownCommand | undefined): Promise<void> => {
    if (shown === undefined) return;
    const { openTerminal } = await import('../onDemand.ts');
    const terminal = terminals.get(shown.of) ?? openTerminal(shown);
    terminals.set(shown.of, terminal);
    terminal.show();
  };
  const pick = async (shown: readonly ShownCommand[], asks?: 'always'): Promise<ShownCommand | undefined> => {
    const { pickCommand } = await import('../onDemand.ts');
    return await pickCommand(shown, asks);
  };
  return vscode.Disposable.from(
    registerCommand('pincer.jobs.show', async (target) => {
      const shown = await all();
      const named = target && shown.find(({ of }) => 'id' in of && of.id === target.jobId);
      if (named !== undefined) {
        await open(named);
        return;
      }
      const running = shown.filter(({ isRunning }) => isRunning);
      await open(await pick(running.length === 0 ? shown : running));
    }),
    registerCommand('pincer.jobs.list', async () => open(await pick(await all(), 'always'))),
    vscode.window.onDidCloseTerminal((closed) => {
      for (const [of, terminal] of terminals) if (terminal === closed) terminals.delete(of);
    }),
  );
}
