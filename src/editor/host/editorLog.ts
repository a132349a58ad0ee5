import type { LogOutputChannel } from 'vscode';
import type { Log } from '../../host/ports.ts';

/** Log lines go to the Pincer output channel, which has its own level and file. */
export function createEditorLog(channel: LogOutputChannel): Log {
  return { write: (level, message) => channel[level](message) };
}
