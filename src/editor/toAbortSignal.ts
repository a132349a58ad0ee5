import type { CancellationToken } from 'vscode';

/** VS Code's cancellation as the signal that inner code knows. */
export function toAbortSignal(token: CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  else token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}
