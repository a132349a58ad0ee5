import type { Disposable } from '../../base/disposable.ts';
import { PincerError } from '../../base/errors.ts';
import type { ApprovalRequest } from '../../contracts/approval.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Terminal } from '../askInTerminal.ts';
import { createApprover } from '../createApprover.ts';
import { createSerialQueue } from '../../base/createSerialQueue.ts';
import { createTerminalPages } from '../gatewayPage/createTerminalPages.ts';
import { toProblem } from '../toProblem.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output, timeText } from '../output.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';
import { isRecord } from '../../base/json.ts';
import { plural } from '../../base/text.ts';
import { connectToGateway, findGateway } from '../gatewayClient.ts';
import { inertFact } from '../inert.ts';

/** `pincer gateway run`: serves, runs scheduled jobs and enabled channels, until it is interrupted. The address goes to standard output once it can be asked. */
export async function runGatewayCommand(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime({ ...options, servesGateway: true }, output, async (runtime) => {
    const { gateway } = runtime;
    await withInterrupt(async (interrupted) => {
      const url = await startServing(runtime);
      output.out(options.json === true ? toJson({ url }) : `The gateway runs on ${url}\n`);
      await tellMcpClients(gateway, url, output);
      const stop = new AbortController();
      const isTerminal = process.stdin.isTTY && process.stderr.isTTY;
      const terminal = { input: process.stdin, output: process.stderr };
      const asking = isTerminal ? askHere(runtime, terminal, output, () => stop.abort()) : undefined;
      try {
        await untilEnded(gateway, AbortSignal.any([interrupted, stop.signal]));
      } finally {
        asking?.dispose();
      }
    });
    return exitCodes.ok;
  });
}

/**
 * Starts the gateway, and only once it runs what else works here: a job that began before would be cut off where the gateway can't serve.
 * Gives its address.
 * @throws PincerError `gateway_elsewhere`, or why it does not run
 */
export async function startServing({
  gateway,
  schedule,
  channels,
}: {
  readonly gateway: Pick<Runtime['gateway'], 'start' | 'status'>;
  readonly schedule: Pick<Runtime['schedule'], 'start'>;
  readonly channels: Pick<Runtime['channels'], 'start'>;
}): Promise<string> {
  await gateway.start();
  const url = addressOf(gateway);
  await schedule.start();
  await channels.start();
  return url;
}

/** What turns of clients, of jobs and of channels ask is asked in the terminal, too, and browsers are let in there; the first answer counts. */
export function askHere(
  runtime: Runtime,
  terminal: Terminal,
  output: Pick<Output, 'err'>,
  interrupt: () => void,
): Disposable {
  const { approvals } = runtime;
  const inTurn = createSerialQueue();
  const approve = createApprover(runtime, terminal, { interrupt, err: output.err, inTurn });
  // Without a person who compares codes nobody is let in, and there is no page.
  const pages = createTerminalPages({ runtime, terminal, inTurn, dist: import.meta.dirname });
  const serving = runtime.gateway.servePages(pages);
  let open: readonly ApprovalRequest[] = [];
  const look = (): void => {
    const waiting = approvals.pending();
    for (const request of open)
      if (!waiting.includes(request)) approve({ type: 'approval_resolved', request });
    for (const request of waiting)
      if (!open.includes(request)) approve({ type: 'approval_requested', request });
    open = waiting;
  };
  look();
  const listening = approvals.onDidChange(look);
  return {
    dispose() {
      serving.dispose();
      listening.dispose();
      for (const request of open) approve({ type: 'approval_resolved', request });
    },
  };
}

type Serving = Pick<Runtime['gateway'], 'status' | 'onDidChange'>;

/** @throws PincerError `gateway_elsewhere`, or why it does not run */
function addressOf(gateway: Pick<Serving, 'status'>): string {
  const status = gateway.status();
  if (status.state === 'running') return `http://127.0.0.1:${String(status.port)}`;
  if (status.state === 'failed') throw status.error;
  const port = status.state === 'elsewhere' ? status.port : undefined;
  throw new PincerError(
    'gateway_elsewhere',
    `Another window or program serves this workspace${port === undefined ? '' : ` on http://127.0.0.1:${String(port)}`}.`,
    { hint: 'Use that one, or stop it first.' },
  );
}

/** Where MCP clients get in, and by which token. */
async function tellMcpClients(
  { mcp }: Pick<Runtime['gateway'], 'mcp'>,
  url: string,
  { err }: Pick<Output, 'err'>,
): Promise<void> {
  if (!mcp.isServed()) return;
  try {
    await mcp.token();
    err(`MCP clients: ${url}/mcp with the token in PINCER_MCP_TOKEN\n`);
  } catch (error) {
    const { message, hint = '' } = toProblem(error);
    err(`${message} ${hint}\n`);
  }
}

async function untilEnded(gateway: Serving, interrupted: AbortSignal): Promise<void> {
  if (interrupted.aborted) return;
  await new Promise<void>((resolve, reject) => {
    interrupted.addEventListener('abort', () => resolve(), { once: true });
    gateway.onDidChange(() => {
      const status = gateway.status();
      if (status.state === 'failed') reject(status.error);
    });
  });
}

/** A gateway that runs, as another program sees it. */
interface GatewayState {
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly runningTurns: number;
  /** Keys of the sessions that they run in, as far as they are listed. */
  readonly sessions: readonly string[];
  readonly waitingApprovals: number;
  /** A restart was agreed to, and waits for the turns that run. */
  readonly awaitsRestart: boolean;
}

/**
 * `pincer gateway status`: how the gateway of the workspace stands.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `gateway_token_wrong`
 */
export async function runGatewayStatus(options: CliOptions, output: Output): Promise<ExitCode> {
  const found = await findGateway(options);
  using client = await connectToGateway(found, ['operator.read']);
  const [status, sessions] = await Promise.all([client.ask('status'), client.ask('sessions.list')]);
  const state = readState(found.url, Date.now(), status, sessions);
  output.out(options.json === true ? toJson(state) : gatewayStateText(state));
  return exitCodes.ok;
}

/** Another program has answered, of this release or another. */
function readState(url: string, now: number, status: unknown, sessions: unknown): GatewayState {
  const { uptimeMs, runningTurns, pendingApprovals, awaitsRestart } = isRecord(status) ? status : {};
  const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);
  const listed = isRecord(sessions) && Array.isArray(sessions['sessions']) ? sessions['sessions'] : [];
  return {
    url,
    startedAt: now - numberIn(uptimeMs),
    runningTurns: numberIn(runningTurns),
    sessions: listed
      .filter(isRecord)
      .flatMap(({ key, isRunning }) => (isRunning === true && typeof key === 'string' ? [key] : [])),
    waitingApprovals: numberIn(pendingApprovals),
    awaitsRestart: awaitsRestart === true,
  };
}

/** Pure. */
function gatewayStateText(state: GatewayState): string {
  const { runningTurns, sessions, waitingApprovals } = state;
  const named = sessions.length === 0 ? '' : `: ${sessions.map(inertFact).join(', ')}`;
  const lines = [
    `The gateway runs on ${state.url}, since ${timeText(state.startedAt)}.`,
    `${plural(runningTurns, 'turn runs', 'turns run')}${named}.`,
    `${plural(waitingApprovals, 'approval waits', 'approvals wait')}.`,
    ...(state.awaitsRestart ? ['A restart was agreed to: it comes once no turn runs.'] : []),
  ];
  return `${lines.join('\n')}\n`;
}
