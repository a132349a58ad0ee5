import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { pincerHome, userConfigPath } from '../../config/configPaths.ts';
import type { LazyRuntime } from '../lazyRuntime.ts';
import { inBackground, registerCommand } from '../registerCommand.ts';

/** The commands of the channels; everything else of them loads with the first of them, the view with the runtime. */
export function registerChannels(runtime: LazyRuntime): vscode.Disposable {
  inBackground(wakeForChannels(runtime));
  const steps = [
    ...(['show', 'approve', 'approveOwner', 'deny', 'unpair', 'read', 'answer'] as const),
    ...(['takeOver', 'handBack', 'mute', 'unmute', 'restart'] as const),
  ] as const;
  return vscode.Disposable.from(
    ...steps.map((step) =>
      registerCommand(`pincer.channels.${step}`, async (target) => {
        const { channelFlows } = await import('../onDemand.ts');
        const flow = channelFlows[step] as (given: unknown, target: unknown) => Promise<void>;
        await flow(await runtime.get(), target);
      }),
    ),
  );
}

/** Whoever writes is answered while a window is open, whether or not anybody uses it: where the config has channels, the runtime loads with it. */
async function wakeForChannels(runtime: LazyRuntime): Promise<void> {
  const config = await readFile(userConfigPath(pincerHome(process.env, homedir())), 'utf8').catch(() => '');
  // A channel runs where its `enabled` says true: without both words there is none, and the window starts without the runtime.
  if (/\bchannels\b/u.test(config) && /\benabled\b["']?\s*:\s*true\b/u.test(config)) await runtime.get();
}
