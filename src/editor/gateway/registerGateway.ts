import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';

/** The gateway's commands; everything else of it loads with the first of them. */
export function registerGateway(runtime: LazyRuntime): vscode.Disposable {
  const steps = ['start', 'stop', 'copyToken'] as const;
  return vscode.Disposable.from(
    ...steps.map((step) =>
      registerCommand(`pincer.gateway.${step}`, async () => {
        const { gatewayFlows } = await import('../onDemand.ts');
        await gatewayFlows[step]((await runtime.get()).gateway);
      }),
    ),
  );
}
