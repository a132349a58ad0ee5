import * as vscode from 'vscode';
import { isRecord } from '../../base/json.ts';
import type { Runtime } from '../../runtime/index.ts';
import { inBackground } from '../registerCommand.ts';
import { chooseBase } from './chooseBase.ts';

/** What addresses of the gateway begin with, without a slash at the end; undefined while it does not run. */
export type GatewayBase = () => string | undefined;

/** How long a forward may take to answer. Milliseconds. */
const probeMs = 3_000;

/**
 * Loopback at once. Where the window is on another machine than the gateway, VS Code may know an address that leads here: it counts once
 * this gateway has answered through it, and `onChange` tells.
 */
export function createGatewayBase(
  gateway: Pick<Runtime['gateway'], 'status'>,
  onChange: () => void,
): GatewayBase {
  let known: { readonly port: number; readonly base: string } | undefined;
  const look = async (port: number, local: string): Promise<void> => {
    const base = await chooseBase(local, await forwardOf(local), instanceAt);
    if (base === local || known?.port !== port) return;
    known = { port, base };
    onChange();
  };
  return () => {
    const status = gateway.status();
    const port = status.state === 'running' || status.state === 'elsewhere' ? status.port : undefined;
    if (port === undefined) {
      known = undefined;
      return undefined;
    }
    if (known?.port !== port) {
      known = { port, base: `http://127.0.0.1:${String(port)}` };
      inBackground(look(port, known.base));
    }
    return known.base;
  };
}

async function forwardOf(local: string): Promise<string> {
  try {
    return (await vscode.env.asExternalUri(vscode.Uri.parse(local))).toString(true);
  } catch {
    // Nothing forwards it: loopback is what there is.
    return local;
  }
}

/** Which gateway answers there; undefined where none does. */
async function instanceAt(base: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${base}/healthz`, {
      signal: AbortSignal.timeout(probeMs),
      redirect: 'error',
    });
    const body: unknown = response.ok ? await response.json() : undefined;
    return isRecord(body) && typeof body['instance'] === 'string' ? body['instance'] : undefined;
  } catch {
    // No answer, or none of a gateway: the same for whoever asks.
    return undefined;
  }
}
