import * as vscode from 'vscode';
import { createTimer } from '../../base/createTimer.ts';
import type { MemoryProgress } from '../../memory/memory.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { setContextKey } from '../setContextKey.ts';
import { progressCount, progressText } from './memoryTexts.ts';

/** Work that is done sooner is not worth a movement in the status bar. Milliseconds. */
const patience = 1_000;

/** Long work of the memory in the status bar; a click offers to stop it. Nothing shows otherwise. */
export function registerMemoryProgress(runtime: LazyRuntime): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('pincer.memory', vscode.StatusBarAlignment.Right, 89);
  item.name = vscode.l10n.t('Pincer memory');
  item.command = 'pincer.memory.showProgress';
  let isLong = false;
  const attached = runtime.whenLoaded(({ memory }) => {
    const timer = createTimer(patience, () => {
      isLong = true;
      setContextKey('pincer.memoryWorking', true);
      show();
    });
    const show = (): void => {
      const progress = memory.progress();
      if (progress === undefined) {
        timer.stop();
        if (isLong) setContextKey('pincer.memoryWorking', false);
        isLong = false;
        item.hide();
      } else if (isLong) draw(item, progress);
      else timer.start();
    };
    show();
    return vscode.Disposable.from(memory.onDidChange(show), timer);
  });
  return vscode.Disposable.from(item, attached);
}

function draw(item: vscode.StatusBarItem, progress: MemoryProgress): void {
  const count = progressCount(progress);
  item.text = ['$(sync~spin)', vscode.l10n.t('Memory'), count].filter(Boolean).join(' ');
  const text = vscode.l10n.t('Pincer memory: {0}', progressText(progress));
  item.tooltip = `${text}\n${vscode.l10n.t('Searches work meanwhile. Click to stop it.')}`;
  item.accessibilityInformation = { label: text, role: 'button' };
  item.show();
}
