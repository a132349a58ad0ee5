import { PincerError } from '../../base/errors.ts';
import type { Runtime } from '../../runtime/index.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { withInterrupt } from '../withInterrupt.ts';
import { withRuntime, type CliOptions } from '../withRuntime.ts';

/** `pincer gateway run`: serves, and runs scheduled jobs, until it is interrupted. The address goes to standard output once it can be asked. */
export async function runGatewayCommand(options: CliOptions, output: Output): Promise<ExitCode> {
  return await withRuntime(options, output, async ({ gateway, schedule }) => {
    await withInterrupt(async (interrupted) => {
      await gateway.start();
      await schedule.start();
      const url = addressOf(gateway);
      output.out(options.json === true ? toJson({ url }) : `The gateway runs on ${url}\n`);
      await untilEnded(gateway, interrupted);
    });
    return exitCodes.ok;
  });
}

type Serving = Pick<Runtime['gateway'], 'status' | 'onDidChange'>;

/** @throws PincerError `gateway_elsewhere`, or why it does not run */
function addressOf(gateway: Serving): string {
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
