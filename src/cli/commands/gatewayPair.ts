// Threat: another program listens where a gateway that was killed was, and is sent the token. So it has to prove
// first, by a challenge, that it has the key which stands in the private file beside its port.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { pincerHome } from '../../config/configPaths.ts';
import { environmentToken, proofOf } from '../../gateway/gatewayToken.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { toJson, type Output } from '../output.ts';
import { stateFolderOf, type CliOptions } from '../withRuntime.ts';

const waitMs = 5_000;

/**
 * `pincer gateway pair <code>`: lets in the browser that shows this code, or turns it away.
 * @throws PincerError `gateway_token_missing`, `gateway_token_weak`, `gateway_not_running`, `pairing_unknown`
 */
export async function runGatewayPair(
  options: CliOptions & { readonly deny?: boolean },
  code: string,
  output: Output,
): Promise<ExitCode> {
  const token = environmentToken(process.env);
  const url = await addressOf(stateFolderOf(options, resolve(pincerHome(process.env, homedir()))));
  const isAllowed = options.deny !== true;
  const answer = await fetch(`${url}/page/pair`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ code, allow: isAllowed }),
    signal: AbortSignal.timeout(waitMs),
    redirect: 'error',
  });
  await answer.body?.cancel();
  if (answer.status === 401)
    throw new PincerError('gateway_token_wrong', 'PINCER_GATEWAY_TOKEN is not the token of the gateway.');
  if (!answer.ok)
    throw new PincerError('pairing_unknown', `No browser with the code ${code} waits.`, {
      hint: 'Open the page again: a code is good for two minutes.',
    });
  const said = isAllowed ? 'The browser is let in.\n' : 'The browser was turned away.\n';
  output.out(options.json === true ? toJson({ code, allowed: isAllowed }) : said);
  return exitCodes.ok;
}

/** @throws PincerError `gateway_not_running` */
async function addressOf(stateFolder: string): Promise<string> {
  const written = await readFile(join(stateFolder, 'gateway', 'gateway.json'), 'utf8').catch(() => '');
  const { port, proofKey } = recordIn(written);
  if (typeof port !== 'number' || typeof proofKey !== 'string') throw notRunning();
  const url = `http://127.0.0.1:${String(port)}`;
  const challenge = randomUUID();
  const told = await fetch(`${url}/healthz?challenge=${challenge}`, {
    signal: AbortSignal.timeout(waitMs),
    redirect: 'error',
  })
    .then((answer) => answer.text())
    .catch(() => '');
  if (recordIn(told)['proof'] !== proofOf(proofKey, challenge)) throw notRunning();
  return url;
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  const read = parseJson(text);
  return isRecord(read) ? read : {};
}

function notRunning(): PincerError {
  return new PincerError('gateway_not_running', 'No gateway of this workspace runs.', {
    hint: 'Start it with pincer gateway run, in the same workspace and with the same --state-dir.',
  });
}
