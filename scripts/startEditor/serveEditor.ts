import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { findOnPath } from '../findOnPath.ts';
import { provisionEditorHost } from '../editorHost/provision.ts';
import { startServer, type RunningServer } from '../editorHost/startServer.ts';
import { projectRoot } from '../projectRoot.ts';
import { hasDisplay } from './editorFacts.ts';

/** The browser keeps trust, layout and chat by address, so the port stays the same where it can. */
const ports = '41390-41399';

/** Starts the VS Code server on a folder. Settings and chats are kept in .vscode-test from one start to the next. */
export async function serveEditor(folder: string): Promise<{ server: RunningServer; url: string }> {
  const userDataDir = join(projectRoot, '.vscode-test', 'start', 'user-data');
  await mkdir(userDataDir, { recursive: true });
  const host = await provisionEditorHost(console.log);
  const server = await startServer(host, { extensions: [{ folder: projectRoot }], port: ports, userDataDir });
  const query = new URLSearchParams({ folder });
  return { server, url: `${server.url}/?${query.toString()}` };
}

/** Opens the address in the user's browser where there is a display. Gives whether it tried. */
export function openInBrowser(url: string): boolean {
  if (!hasDisplay(process.platform, process.env)) return false;
  const opener = findOnPath(['xdg-open', 'open']);
  if (opener === undefined) return false;
  const child = spawn(opener, [url], { detached: true, stdio: 'ignore' });
  child.once('error', (error) => console.error(`${opener}: ${error.message}`));
  child.unref();
  return true;
}
