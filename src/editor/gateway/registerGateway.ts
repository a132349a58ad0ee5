import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { registerCommand } from '../registerCommand.ts';
import type { GatewayFlows } from './gatewayFlows.ts';

/** The gateway's commands; everything else of it loads with the first of them. */
export function registerGateway(
  context: Pick<vscode.ExtensionContext, 'subscriptions'>,
  runtime: LazyRuntime,
): vscode.Disposable {
  let flows: GatewayFlows | undefined;
  const steps = [
    ...(['start', 'stop', 'copyToken', 'copyAddress', 'openAddress', 'showRequests'] as const),
    ...(['copyMcpSetup', 'revokeMcpToken', 'revokeBrowser'] as const),
  ];
  return vscode.Disposable.from(
    ...steps.map((step) =>
      registerCommand(`pincer.gateway.${step}`, async (target) => {
        const { createGatewayFlows } = await import('../onDemand.ts');
        flows ??= createGatewayFlows(context.subscriptions);
        await flows[step]((await runtime.get()).gateway, target);
      }),
    ),
  );
}
