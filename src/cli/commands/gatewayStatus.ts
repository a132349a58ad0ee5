import { isRecord } from '../../base/json.ts';
import { plural } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { connectToGateway, findGateway } from '../gatewayClient.ts';
import { inertFact } from '../inert.ts';
import { timeText, toJson, type Output } from '../output.ts';
import type { CliOptions } from '../withRuntime.ts';

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
