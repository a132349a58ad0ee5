import * as vscode from 'vscode';
import type { LazyRuntime } from '../lazyRuntime.ts';
import type { ChatSurfaces } from '../sessions/resumeSession.ts';
import { registerLeftWaiting } from './leftWaiting.ts';
import { registerTurnCommands } from './turnCommands.ts';
import { registerWaitingCommands } from './waitingCommands.ts';
import { registerWaitingStatus } from './waitingStatus.ts';

/** Saying something new while a turn runs: the commands, and what waits to be read. */
export function registerSteering(runtime: LazyRuntime, chats: ChatSurfaces): vscode.Disposable {
  return vscode.Disposable.from(
    registerTurnCommands(runtime),
    registerWaitingCommands(runtime, chats),
    registerWaitingStatus(runtime),
    registerLeftWaiting(runtime),
  );
}
